//! People's scores of systems' segments, and the rows of cells over which statistics are computed.

/// Why numbers are no human scores of systems.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("expected {expected}, found {found}")]
pub struct WrongScores {
    /// What was expected.
    pub expected: String,
    /// What is there instead.
    pub found: String,
}

/// People's score for each segment of each system; `None` for cells that nobody judged.
#[derive(Debug, Clone, PartialEq)]
pub struct HumanScores {
    systems: usize,
    segments: usize,
    scores: Vec<Option<f64>>,
}

/// The cells over which a segment-level statistic is computed before averaging.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Averaging {
    /// Once, over all cells.
    None,
    /// Over the segments of each system, then averaged over systems.
    System,
    /// Over the systems of each segment, then averaged over segments.
    Item,
}

/// The judged cells of a row, at least two.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct ScoredRow {
    /// People's scores; higher is better.
    pub human: Vec<f64>,
    /// The metric's scores of the same cells; higher is better.
    pub metric: Vec<f64>,
}

impl HumanScores {
    /// Takes scores system by system; `scores`: (systems, segments).
    ///
    /// # Errors
    /// There is no system, systems differ in their number of segments, or a score is not finite.
    pub fn new(systems: usize, scores: Vec<Option<f64>>) -> Result<Self, WrongScores> {
        let wrong = |expected: &str, found| Err(WrongScores { expected: expected.to_owned(), found });
        if systems == 0 || scores.is_empty() || !scores.len().is_multiple_of(systems) {
            return wrong("as many segments for each system", format!("{} scores of {systems} systems", scores.len()));
        }
        if let Some(score) = scores.iter().flatten().find(|score| !score.is_finite()) {
            return wrong("finite numbers", score.to_string());
        }
        // Adding 0.0 turns -0.0 into 0.0, as `total_cmp` tells them apart.
        let scores: Vec<Option<f64>> = scores.into_iter().map(|score| score.map(|score| score + 0.0)).collect();
        Ok(Self { systems, segments: scores.len() / systems, scores })
    }

    /// The number of systems.
    pub fn systems(&self) -> usize {
        self.systems
    }

    /// The number of segments of each system.
    pub fn segments(&self) -> usize {
        self.segments
    }

    /// The number of cells that nobody judged.
    pub fn missing(&self) -> usize {
        self.scores.iter().filter(|score| score.is_none()).count()
    }

    /// The scores, system by system.
    pub fn scores(&self) -> &[Option<f64>] {
        &self.scores
    }

    /// All scores, system by system; `None` if any cell was not judged.
    pub fn complete(&self) -> Option<Vec<f64>> {
        self.scores.iter().copied().collect()
    }

    /// The indices of the judged cells of each row; rows with fewer than two are left out.
    pub fn cells(&self, averaging: Averaging) -> Vec<Vec<usize>> {
        let (systems, segments) = (self.systems, self.segments);
        let rows: Vec<Vec<usize>> = match averaging {
            Averaging::None => vec![(0..self.scores.len()).collect()],
            Averaging::System => (0..systems).map(|row| (row * segments..(row + 1) * segments).collect()).collect(),
            Averaging::Item => (0..segments).map(|row| (row..self.scores.len()).step_by(segments).collect()).collect(),
        };
        let judged = |cells: Vec<usize>| cells.into_iter().filter(|&cell| self.scores[cell].is_some()).collect();
        rows.into_iter().map(judged).filter(|cells: &Vec<usize>| cells.len() > 1).collect()
    }

    /// Without the scores of the other segments.
    pub(super) fn only(&self, is_kept: impl Fn(usize) -> bool) -> Self {
        let kept = |(cell, score): (usize, &Option<f64>)| score.filter(|_| is_kept(cell % self.segments));
        Self { scores: self.scores.iter().enumerate().map(kept).collect(), ..*self }
    }

    /// The judged cells of a segment, which may be none. `metric`: (systems, segments), system by system.
    pub(super) fn segment(&self, segment: usize, metric: &[f64]) -> ScoredRow {
        let cells = (segment..self.scores.len()).step_by(self.segments);
        let judged = cells.filter_map(|cell| Some((self.scores[cell]?, metric[cell] + 0.0)));
        let (human, metric) = judged.unzip();
        ScoredRow { human, metric }
    }

    /// The cell of each segment of a system as a row of its own, which is empty if it was not judged. `metric` as above.
    pub(super) fn each(&self, system: usize, metric: &[f64]) -> Vec<ScoredRow> {
        let cells = system * self.segments..(system + 1) * self.segments;
        let row = |cell: usize| {
            let (human, metric) = self.scores[cell].map(|score| (score, metric[cell] + 0.0)).into_iter().unzip();
            ScoredRow { human, metric }
        };
        cells.map(row).collect()
    }

    /// The rows of a metric. `metric`: (systems, segments), system by system.
    pub fn rows(&self, averaging: Averaging, metric: &[f64]) -> Vec<ScoredRow> {
        let row = |cells: Vec<usize>| ScoredRow {
            human: cells.iter().filter_map(|&cell| self.scores[cell]).collect(),
            metric: cells.iter().map(|&cell| metric[cell] + 0.0).collect(),
        };
        self.cells(averaging).into_iter().map(row).collect()
    }
}

/// The mean of the defined statistics of rows; `None` where there is none.
pub(super) fn mean(values: impl Iterator<Item = f64>) -> Option<f64> {
    let (sum, count) = values.fold((0.0, 0), |(sum, count), value| (sum + value, count + 1));
    (count > 0).then(|| sum / f64::from(count))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn scores() -> HumanScores {
        HumanScores::new(2, vec![Some(1.0), Some(-0.0), None, Some(4.0), None, Some(6.0)]).unwrap()
    }

    #[test]
    fn cells_without_a_score_are_left_out_in_tandem() {
        let metric = [10.0, 20.0, 30.0, 40.0, 50.0, -0.0];
        let rows = |averaging| scores().rows(averaging, &metric);
        let row = |human: &[f64], metric: &[f64]| ScoredRow { human: human.into(), metric: metric.into() };
        assert_eq!(rows(Averaging::None), [row(&[1.0, 0.0, 4.0, 6.0], &[10.0, 20.0, 40.0, 0.0])]);
        assert_eq!(rows(Averaging::System), [row(&[1.0, 0.0], &[10.0, 20.0]), row(&[4.0, 6.0], &[40.0, 0.0])]);
        // In the second and third segments only one system was judged.
        assert_eq!(rows(Averaging::Item), [row(&[1.0, 4.0], &[10.0, 40.0])]);
        assert!(rows(Averaging::None)[0].human[1].is_sign_positive());
        assert_eq!((scores().missing(), scores().complete()), (2, None));
    }

    #[test]
    fn uneven_and_infinite_scores_are_refused() {
        assert!(HumanScores::new(2, vec![Some(1.0); 3]).is_err());
        assert!(HumanScores::new(0, Vec::new()).is_err());
        assert!(HumanScores::new(1, vec![Some(f64::NAN)]).is_err());
    }
}
