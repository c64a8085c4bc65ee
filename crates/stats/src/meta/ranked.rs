//! Cells in the order of a metric, of which the counts of pairs and the ranks of any resample follow without sorting again.

use fenwick::array::{prefix_sum, update};

use super::correlation::PairCounts;
use super::scores::ScoredRow;

/// The cells of rows that are drawn together, such as those of a segment, in ascending order of the metric.
pub(super) struct RankedCells {
    cells: Vec<Cell>,
    /// The number of distinct human scores.
    levels: usize,
}

/// A cell that is drawn with its row.
struct Cell {
    row: usize,
    metric: f64,
    /// The human score's place among all distinct ones.
    level: usize,
}

/// Cells as they were drawn.
pub(super) struct Drawn<'r> {
    /// Those that were, each with how often.
    cells: Vec<(&'r Cell, u64)>,
    levels: usize,
}

impl RankedCells {
    pub(super) fn new(rows: &[ScoredRow]) -> Self {
        let mut levels: Vec<f64> = rows.iter().flat_map(|row| &row.human).copied().collect();
        levels.sort_unstable_by(f64::total_cmp);
        levels.dedup();
        let level = |human: f64| levels.partition_point(|&level| level < human);
        let of_row = |(at, row): (usize, &ScoredRow)| {
            let cells = row.metric.iter().zip(&row.human);
            cells.map(|(&metric, &human)| Cell { row: at, metric, level: level(human) }).collect::<Vec<_>>()
        };
        let mut cells: Vec<Cell> = rows.iter().enumerate().flat_map(of_row).collect();
        cells.sort_unstable_by(|one, other| one.metric.total_cmp(&other.metric));
        Self { cells, levels: levels.len() }
    }

    /// The cells of each row as often as it was drawn.
    pub(super) fn drawn(&self, times: &[u32]) -> Drawn<'_> {
        let cells = self.cells.iter().map(|cell| (cell, u64::from(times[cell.row])));
        Drawn { cells: cells.filter(|(_, times)| *times > 0).collect(), levels: self.levels }
    }
}

impl Drawn<'_> {
    /// The pairs of cells if differences of the metric up to `threshold` count as ties: O(n log n). A cell that was drawn
    /// twice makes no pair with itself, or metrics would agree with people on more pairs in resamples.
    pub(super) fn counts(&self, threshold: f64) -> PairCounts {
        let mut counts = PairCounts::default();
        // Of the cells before the current one, by the level of the human score: those further below than the threshold,
        // also as sums over levels, and the rest.
        let [mut sums, mut far, mut near] = [0; 3].map(|none: u64| vec![none; self.levels]);
        let (mut is_far, mut all_far, mut all_near) = (0, 0, 0);
        for &(&Cell { metric, level, .. }, times) in &self.cells {
            while metric - self.cells[is_far].0.metric > threshold {
                let (cell, times) = self.cells[is_far];
                update(&mut sums, cell.level, times);
                far[cell.level] += times;
                near[cell.level] -= times;
                (is_far, all_far, all_near) = (is_far + 1, all_far + times, all_near - times);
            }
            let up_to = prefix_sum(&sums, level);
            counts.concordant += times * (up_to - far[level]);
            counts.people_ties += times * far[level];
            counts.discordant += times * (all_far - up_to);
            counts.both_ties += times * near[level];
            counts.metric_ties += times * (all_near - near[level]);
            near[level] += times;
            all_near += times;
        }
        counts
    }

    /// Spearman's correlation, see [`spearman`](super::spearman).
    pub(super) fn spearman(&self) -> Option<f64> {
        let all: u64 = self.cells.iter().map(|(_, times)| times).sum();
        // Mean ranks, as deviations from the mean of all ranks.
        let mean_rank = |before: u64, equal: u64| before as f64 + (equal as f64 - all as f64) / 2.0;
        let mut of_level = vec![0_u64; self.levels];
        self.cells.iter().for_each(|(cell, times)| of_level[cell.level] += times);
        let (mut before, mut human_squares) = (0, 0.0);
        let rank = |&equal: &u64| {
            let rank = mean_rank(before, equal);
            before += equal;
            human_squares += equal as f64 * rank * rank;
            rank
        };
        let human: Vec<f64> = of_level.iter().map(rank).collect();
        let (mut before, mut squares, mut products) = (0, 0.0, 0.0);
        for equal in self.cells.chunk_by(|(one, _), (other, _)| one.metric == other.metric) {
            let count: u64 = equal.iter().map(|(_, times)| times).sum();
            let rank = mean_rank(before, count);
            before += count;
            squares += count as f64 * rank * rank;
            products += rank * equal.iter().map(|(cell, times)| *times as f64 * human[cell.level]).sum::<f64>();
        }
        let is_varied = squares > 0.0 && human_squares > 0.0;
        is_varied.then(|| (products / (squares.sqrt() * human_squares.sqrt())).clamp(-1.0, 1.0))
    }

    /// See [`tau_c`](fn@tau_c); `counts` are those of these cells.
    pub(super) fn tau_c(&self, counts: &PairCounts) -> Option<f64> {
        let mut is_there = vec![false; self.levels];
        self.cells.iter().for_each(|(cell, _)| is_there[cell.level] = true);
        let of_people = is_there.into_iter().filter(|is_there| *is_there).count();
        let of_metric = self.cells.chunk_by(|(one, _), (other, _)| one.metric == other.metric).count();
        let classes = of_people.min(of_metric) as f64;
        let cells = self.cells.iter().map(|(_, times)| times).sum::<u64>() as f64;
        (classes > 1.0).then(|| 2.0 * counts.surplus() / (cells * cells * (classes - 1.0) / classes))
    }
}

impl PairCounts {
    /// Counts the pairs of a row in O(n log n).
    pub fn new(row: &ScoredRow) -> Self {
        Self::with_threshold(row, 0.0)
    }

    /// Counts the pairs of a row if differences of the metric up to `threshold` count as ties. O(n log n).
    pub fn with_threshold(row: &ScoredRow, threshold: f64) -> Self {
        RankedCells::new(std::slice::from_ref(row)).drawn(&[1]).counts(threshold)
    }
}

/// Kendall's (Stuart's) tau-c, 2 (C - D) / (n² (m - 1) / m) where m is the smaller of the two numbers of distinct
/// scores, in [-1, 1]; `None` where either side ties all pairs. Stuart 1953.
pub fn tau_c(row: &ScoredRow, counts: &PairCounts) -> Option<f64> {
    RankedCells::new(std::slice::from_ref(row)).drawn(&[1]).tau_c(counts)
}

#[cfg(test)]
mod tests {
    use super::super::correlation::pairs;
    use super::super::spearman;
    use super::*;
    use proptest::prelude::*;

    fn row(human: &[f64], metric: &[f64]) -> ScoredRow {
        ScoredRow { human: human.into(), metric: metric.into() }
    }

    fn one_by_one(row: &ScoredRow, threshold: f64) -> PairCounts {
        let mut counts = PairCounts::default();
        for a in 0..row.human.len() {
            for b in 0..a {
                let human = row.human[a] - row.human[b];
                let metric = row.metric[a] - row.metric[b];
                *match (human == 0.0, metric.abs() <= threshold) {
                    (true, true) => &mut counts.both_ties,
                    (true, false) => &mut counts.people_ties,
                    (false, true) => &mut counts.metric_ties,
                    _ if human * metric > 0.0 => &mut counts.concordant,
                    _ => &mut counts.discordant,
                } += 1;
            }
        }
        counts
    }

    #[test]
    fn statistics_of_five_cells() {
        // Of ten pairs, the human scores tie 1-2 and 4-5, the metric 2-3 and 4-5.
        let row = row(&[1.0, 1.0, 2.0, 3.0, 3.0], &[5.0, 6.0, 6.0, 4.0, 4.0]);
        let counts = PairCounts::new(&row);
        let expected = PairCounts { concordant: 1, discordant: 6, people_ties: 1, metric_ties: 1, both_ties: 1 };
        assert_eq!(counts, expected);
        assert_eq!(counts.tau_b(), Some(-5.0 / 8_f64.sqrt() / 8_f64.sqrt()));
        assert_eq!(tau_c(&row, &counts), Some(2.0 * -5.0 / (25.0 * 2.0 / 3.0)));
        assert_eq!(counts.tau_23(), Some(-0.6));
        assert_eq!(counts.accuracy(), Some(0.2));
        assert_eq!(counts.tau_10(), Some(-6.0 / 8.0));
        assert_eq!(counts.tau_13(), Some(-5.0 / 7.0));
        assert_eq!(counts.tau_14(), Some(-5.0 / 8.0));
    }

    #[test]
    fn ties_alone_are_no_order() {
        let row = row(&[1.0, 1.0, 1.0], &[1.0, 2.0, 2.0]);
        let counts = PairCounts::new(&row);
        assert_eq!((counts.tau_b(), tau_c(&row, &counts)), (None, None));
        assert_eq!((counts.tau_10(), counts.tau_13(), counts.tau_14()), (None, None, None));
        assert_eq!(counts.accuracy(), Some(1.0 / 3.0));
        assert_eq!(PairCounts::default().accuracy(), None);
    }

    proptest! {
        #[test]
        fn counts_are_those_of_every_pair(
            cells in prop::collection::vec((0..5_i8, -9..9_i8), 0..60), threshold in 0..12_i8,
        ) {
            let (human, metric): (Vec<f64>, Vec<f64>) = cells.iter().map(|&(a, b)| (f64::from(a), f64::from(b))).unzip();
            let (row, threshold) = (row(&human, &metric), f64::from(threshold));
            prop_assert_eq!(PairCounts::with_threshold(&row, threshold), one_by_one(&row, threshold));
            prop_assert_eq!(PairCounts::new(&row), one_by_one(&row, 0.0));
        }
    }

    proptest! {
        #[test]
        fn a_row_drawn_twice_is_two_rows(
            rows in prop::collection::vec(prop::collection::vec((0..4_u8, 0..4_u8), 0..4), 1..6),
            times in prop::collection::vec(0..3_u32, 6),
            threshold in 0..3_u8,
        ) {
            let row = |cells: &Vec<(u8, u8)>| {
                let (human, metric) = cells.iter().map(|&(a, b)| (f64::from(a), f64::from(b))).unzip();
                ScoredRow { human, metric }
            };
            let rows: Vec<ScoredRow> = rows.iter().map(row).collect();
            let copies = || rows.iter().zip(&times).flat_map(|(row, &times)| vec![row; times as usize]);
            let copied = ScoredRow {
                human: copies().flat_map(|row| &row.human).copied().collect(),
                metric: copies().flat_map(|row| &row.metric).copied().collect(),
            };
            let (ranked, threshold) = (RankedCells::new(&rows), f64::from(threshold));
            let drawn = ranked.drawn(&times);
            let counts = PairCounts::with_threshold(&copied, threshold);
            let with_themselves: u64 =
                rows.iter().zip(&times).map(|(row, &times)| row.human.len() as u64 * pairs(times as usize)).sum();
            let others = PairCounts { both_ties: counts.both_ties - with_themselves, ..counts };
            prop_assert_eq!(drawn.counts(threshold), others);
            prop_assert_eq!(drawn.tau_c(&counts), tau_c(&copied, &counts));
            let [found, expected] = [drawn.spearman(), spearman(&copied.human, &copied.metric)];
            prop_assert_eq!(found.is_some(), expected.is_some());
            prop_assert!((found.unwrap_or(0.0) - expected.unwrap_or(0.0)).abs() < 1e-12);
        }
    }
}
