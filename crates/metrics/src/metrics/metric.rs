//! The interface of all metrics.

use super::links::Alignment;
use super::signature::Signature;
use crate::text::Sentence;

/// Sums that a metric's values are computed from, such as matches and lengths. The statistics of a corpus are the sums
/// of those of its segments.
pub type Statistics = Vec<f64>;

/// A metric with its settings.
pub trait Metric: Send + Sync + std::fmt::Debug {
    /// The names of the values, in order. The first value is the metric's score and has the empty name; the others are
    /// components such as `precision`.
    fn values(&self) -> &[&'static str];

    /// Every setting that changes a value of a segment.
    fn signature(&self) -> Signature;

    /// Every setting that changes a value of a corpus, if different from those for a segment.
    fn corpus_signature(&self) -> Signature {
        self.signature()
    }

    /// The statistics of one segment. `references` has at least one element; a metric that needs none takes the prompt, or
    /// nothing, in their place. Any text may be empty.
    fn statistics(&self, hypothesis: &Sentence, references: &[&Sentence]) -> Statistics;

    /// The values of one segment, in the order of [`Self::values`], from its statistics. All are finite. Unless a metric
    /// says otherwise, they are means: the statistics are sums of the values, then the number of segments.
    fn segment(&self, statistics: &[f64]) -> Vec<f64> {
        let (count, sums) = statistics.split_last().unwrap_or((&0.0, &[]));
        sums.iter().map(|&sum| ratio(sum, *count)).collect()
    }

    /// The values of a corpus from the summed statistics of its segments.
    fn corpus(&self, sum: &[f64]) -> Vec<f64> {
        self.segment(sum)
    }

    /// The metric for the segments of a corpus with these references, for a metric that needs all references
    /// beforehand; its values are those of segments within the corpus. `None` for most metrics, which treat each
    /// segment independently.
    fn for_corpus(&self, _references: &mut dyn Iterator<Item = Sentence>) -> Option<Box<dyn Metric>> {
        None
    }

    /// Whether the metric is meaningless for segments that are not part of a corpus, see [`Self::for_corpus`].
    fn needs_corpus(&self) -> bool {
        false
    }

    /// The alignment of a hypothesis with the reference that counts; `None` if the metric does not align words.
    fn links(&self, _hypothesis: &Sentence, _references: &[&Sentence]) -> Option<Alignment> {
        None
    }

    /// What is particular to a metric that was trained on judgments; registered metrics were not.
    fn learned(&self) -> Option<&dyn Learned> {
        None
    }
}

/// The statistics of a metric whose values are [means](Metric::segment): the values against the reference with the
/// highest score, the first of equals, then 1.
pub fn best_of<const N: usize>(references: &[&Sentence], values: impl Fn(&Sentence) -> [f64; N]) -> Statistics {
    let all = references.iter().map(|reference| values(reference));
    let best = all.reduce(|best, other| if other[0] > best[0] { other } else { best });
    best.unwrap_or([0.0; N]).into_iter().chain([1.0]).collect()
}

/// A metric that was trained on judgments.
pub trait Learned {
    /// Whether the metric is meaningless for other languages; registered metrics state this in their
    /// [`Entry`](super::Entry).
    fn needs_english(&self) -> bool;

    /// Whether the metric compares with the source of a translation, too.
    fn needs_source(&self) -> bool;

    /// Whether the metric was trained on judgments with this reference.
    fn learned_from(&self, reference: &str) -> bool;

    /// The names of the external metrics, whose values users supply for every segment.
    fn external(&self) -> &[String];

    /// The external metrics with the least and the greatest value that the metric was trained on, where they are known.
    fn external_ranges(&self) -> &[(String, [f64; 2])];

    /// The statistics of a segment with the values of the [external metrics](Self::external), in their order.
    fn with_external(&self, statistics: Statistics, values: &[f64]) -> Statistics;
}

/// Which of two scores is better.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Direction {
    /// As with BLEU.
    HigherIsBetter,
    /// As with error rates.
    LowerIsBetter,
}

impl Direction {
    /// 1 or -1: scores multiplied by it are higher for better hypotheses.
    pub fn sign(self) -> f64 {
        match self {
            Self::HigherIsBetter => 1.0,
            Self::LowerIsBetter => -1.0,
        }
    }

    /// The word for it in lists and JSON.
    pub fn word(self) -> &'static str {
        match self {
            Self::HigherIsBetter => "higher",
            Self::LowerIsBetter => "lower",
        }
    }
}

/// How a higher value affects the judgment of a hypothesis, other values being equal.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Monotonicity {
    /// Never for the worse: more of the reference was found.
    Recall,
    /// Never for the worse: scores, precision.
    Increasing,
    /// Never for the better: the value counts faults.
    Decreasing,
    /// In either direction.
    #[default]
    Free,
}

/// a / b, or 0 if b is 0: the convention for precision, recall and the like on empty text.
pub fn ratio(a: f64, b: f64) -> f64 {
    if b == 0.0 { 0.0 } else { a / b }
}

/// The harmonic mean of precision and recall, 0 if both are 0. van Rijsbergen 1979, chapter 7.
pub fn f1(precision: f64, recall: f64) -> f64 {
    ratio(2.0 * precision * recall, precision + recall)
}
