//! May a judge replace an annotator? The alternative annotator test of Calderon, Reichart and Dror 2025, "The Alternative
//! Annotator Test for LLM-as-a-Judge".

use serde::Serialize;
use smallvec::SmallVec;

use super::annotators::Annotations;
use super::distributions::student_t;
use crate::Verdict;

/// From fewer common pairs, an annotator is skipped.
pub const MIN_PAIRS: usize = 30;

/// The false discovery rate over annotators.
const FALSE_DISCOVERY_RATE: f64 = 0.05;

/// The winning rate from which the judge may replace annotators.
const PASSING: f64 = 0.5;

/// The result of the test for one judge.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct AlternativeTest {
    /// How much worse than an annotator the judge may be, for being cheaper.
    pub epsilon: f64,
    /// The share of annotators against whom the judge holds its own: their null hypothesis is rejected at a false
    /// discovery rate of 0.05.
    pub winning_rate: f64,
    /// The probability that the judge agrees with the other annotators as much as an annotator does, or more: the mean
    /// over annotators.
    pub advantage_probability: f64,
    /// Whether the winning rate is at least 0.5: the judge may replace annotators.
    pub passes: bool,
    /// The annotators that the judge was tested against.
    pub annotators: Vec<TestedAnnotator>,
}

/// The judge against one annotator.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct TestedAnnotator {
    /// The annotator.
    pub name: String,
    /// The number of pairs.
    pub pairs: usize,
    /// The share of pairs on which the judge agrees with the other annotators at least as much.
    pub advantage: f64,
    /// p of the null hypothesis that the judge is worse than the annotator by epsilon or more.
    pub p_value: f64,
}

/// An item with labels that are numbers.
#[derive(Debug, Clone, PartialEq)]
pub struct RatedItem {
    /// The position of each annotator among the names, and the label; one for each annotator.
    pub labels: Vec<(usize, f64)>,
    /// What the judge says of it; `None` where it says nothing.
    pub value: Option<f64>,
}

impl AlternativeTest {
    /// Tests a judge by its verdicts on the rows of the pairs; where one is missing, the pair is skipped, as the authors'
    /// program does. On each pair that an annotator and others judged, the judge and the annotator have as score the share of the others with the same
    /// label, and one or both of them have the highest. A one-sided t-test compares how often. Annotators with fewer
    /// than 30 such pairs are skipped; `None` if all are.
    /// ```
    /// use tribunal_stats::Verdict::{First, Second};
    /// use tribunal_stats::{AlternativeTest, AnnotatedItem, Annotations};
    ///
    /// // The judge agrees with Ann and Bob; Eve is right in half of the cases.
    /// let item = |row| AnnotatedItem {
    ///     row,
    ///     group: row,
    ///     labels: vec![(0, First), (1, First), (2, if row % 2 == 0 { First } else { Second })],
    /// };
    /// let names = ["ann", "bob", "eve"].map(str::to_owned).into();
    /// let annotations = Annotations::new(names, (0..60).map(item).collect()).unwrap();
    /// let test = AlternativeTest::new(&annotations, &[Some(First); 60], 0.2).unwrap();
    /// assert!(test.passes);
    /// ```
    pub fn new(annotations: &Annotations, verdicts: &[Option<Verdict>], epsilon: f64) -> Option<Self> {
        let rows = annotations.by_row().map(|(row, labels)| (labels, verdicts[row]));
        let equal = |label: Verdict, others: &[Verdict]| others.iter().filter(|&&other| other == label).count() as f64;
        Self::of_rows(&annotations.names, rows, equal, epsilon)
    }

    /// The same of labels that are numbers: the score of a label is minus the root of its mean squared distance to those of
    /// the others.
    /// ```
    /// use tribunal_stats::{AlternativeTest, RatedItem};
    ///
    /// // The judge is nearer to the others than Eve, and as near as Ann and Bob.
    /// let names = ["ann", "bob", "eve"].map(str::to_owned);
    /// let item = |row: u32| {
    ///     let quality = f64::from(row % 10);
    ///     RatedItem { labels: vec![(0, quality), (1, quality + 1.0), (2, 9.0 - quality)], value: Some(quality) }
    /// };
    /// let test = AlternativeTest::of_numbers(&names, &(0..60).map(item).collect::<Vec<_>>(), 0.2).unwrap();
    /// assert!(test.passes && test.annotators[2].advantage > 0.9);
    /// ```
    pub fn of_numbers(names: &[String], items: &[RatedItem], epsilon: f64) -> Option<Self> {
        let rows = items.iter().map(|item| (item.labels.as_slice(), item.value));
        let distance = |label: f64, others: &[f64]| {
            let squares: f64 = others.iter().map(|other| (label - other).powi(2)).sum();
            -(squares / others.len() as f64).sqrt()
        };
        Self::of_rows(names, rows, distance, epsilon)
    }

    fn of_rows<'l, L: Copy + 'l>(
        names: &[String],
        rows: impl Iterator<Item = (&'l [(usize, L)], Option<L>)>,
        score: impl Fn(L, &[L]) -> f64,
        epsilon: f64,
    ) -> Option<Self> {
        // For each annotator: how often the judge has the highest score, and that of the annotator minus that.
        let mut wins: Vec<(usize, Vec<f64>)> = vec![(0, Vec::new()); names.len()];
        for (labels, verdict) in rows {
            let Some(verdict) = verdict.filter(|_| labels.len() > 1) else { continue };
            for &(annotator, label) in labels {
                let others = labels.iter().filter(|&&(who, _)| who != annotator).map(|&(_, label)| label);
                let others: SmallVec<[L; 4]> = others.collect();
                let [of_annotator, of_judge] = [label, verdict].map(|label| score(label, &others));
                let (judge, person) = (of_judge >= of_annotator, of_annotator >= of_judge);
                wins[annotator].0 += usize::from(judge);
                wins[annotator].1.push(f64::from(u8::from(person)) - f64::from(u8::from(judge)));
            }
        }
        let tested = names.iter().zip(wins).filter(|(_, (_, leads))| leads.len() >= MIN_PAIRS);
        let row = |(name, (won, leads)): (&String, (usize, Vec<f64>))| TestedAnnotator {
            name: name.clone(),
            pairs: leads.len(),
            advantage: won as f64 / leads.len() as f64,
            p_value: p_below(&leads, epsilon),
        };
        let annotators: Vec<TestedAnnotator> = tested.map(row).collect();
        let count = annotators.len() as f64;
        (!annotators.is_empty()).then(|| {
            let p_values: Vec<f64> = annotators.iter().map(|annotator| annotator.p_value).collect();
            let winning_rate = rejected(p_values) as f64 / count;
            Self {
                epsilon,
                winning_rate,
                advantage_probability: annotators.iter().map(|annotator| annotator.advantage).sum::<f64>() / count,
                passes: winning_rate >= PASSING,
                annotators,
            }
        })
    }
}

/// How many null hypotheses the procedure of Benjamini and Yekutieli 2001 rejects: the largest k for which the k-th
/// smallest p is at most k q / (m sum_{i <= m} 1/i).
fn rejected(mut p_values: Vec<f64>) -> usize {
    p_values.sort_by(f64::total_cmp);
    let count = p_values.len() as f64;
    let harmonic: f64 = (1..=p_values.len()).map(|at| 1.0 / at as f64).sum();
    let is_below = |at: usize| p_values[at - 1] <= at as f64 * FALSE_DISCOVERY_RATE / (count * harmonic);
    (1..=p_values.len()).rev().find(|&at| is_below(at)).unwrap_or(0)
}

/// p of the one-sided t-test that the mean of the values is below `mean`; where all are equal, 0 if they are, else 1.
fn p_below(values: &[f64], mean: f64) -> f64 {
    let count = values.len() as f64;
    let sample_mean = values.iter().sum::<f64>() / count;
    let variance = values.iter().map(|value| (value - sample_mean).powi(2)).sum::<f64>() / (count - 1.0);
    if variance == 0.0 {
        return f64::from(u8::from(sample_mean >= mean));
    }
    student_t((sample_mean - mean) / (variance / count).sqrt(), count - 1.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_values_need_no_test() {
        assert_eq!([p_below(&[0.0; 5], 0.2), p_below(&[1.0; 5], 0.2)], [0.0, 1.0]);
        assert!(p_below(&[0.0, 0.0, 1.0, -1.0, 0.0], 2.0) < 0.01);
    }

    #[test]
    fn rejections_are_corrected_for_their_number() {
        assert_eq!(rejected(vec![0.001, 0.9, 0.8]), 1);
        assert_eq!(rejected(vec![0.03, 0.04, 0.9]), 0);
        assert_eq!(rejected(vec![0.0, 0.0, 0.0]), 3);
    }
}
