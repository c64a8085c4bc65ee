//! What every metric is. In: a prepared hypothesis and its prepared references. Out: statistics, and values from them.
//! Next: the metrics, one file each.

use super::links::Alignment;
use super::signature::Signature;
use crate::text::Sentence;

/// Sums that a metric's scores are computed from, such as matches and lengths. Those of a corpus are the sums of its
/// segments'.
pub type Statistics = Vec<f64>;

/// A metric with its settings.
pub trait Metric: Send + Sync + std::fmt::Debug {
    /// The names of the values, in order. The first is the metric's score and has the empty name; the others are parts
    /// that are worth knowing, such as `precision`.
    fn values(&self) -> &[&'static str];

    /// Every setting that changes a value of a segment.
    fn signature(&self) -> Signature;

    /// Every setting that changes a value of a corpus, where they differ from a segment's.
    fn corpus_signature(&self) -> Signature {
        self.signature()
    }

    /// This metric for the segments of a corpus that has these references, if it has to know them all beforehand. Its
    /// values are those of segments within the corpus. Most metrics look at each segment for itself.
    fn for_corpus(&self, _references: &mut dyn Iterator<Item = &Sentence>) -> Option<Box<dyn Metric>> {
        None
    }

    /// The statistics of one segment. `references` has at least one element; empty text is fine anywhere.
    fn statistics(&self, hypothesis: &Sentence, references: &[&Sentence]) -> Statistics;

    /// How the metric aligns a hypothesis with that of the references which counts; None if it aligns no words.
    fn links(&self, _hypothesis: &Sentence, _references: &[&Sentence]) -> Option<Alignment> {
        None
    }

    /// Whether it says nothing of other languages; of registered metrics their [`Entry`](super::Entry) says it.
    fn needs_english(&self) -> bool {
        false
    }

    /// Whether it learned from judgments, see [`Self::learned_from`].
    fn is_learned(&self) -> bool {
        false
    }

    /// Whether it learned from judgments of a reference.
    fn learned_from(&self, _reference: &str) -> bool {
        false
    }

    /// The names of values that no text gives, and that users bring for every segment.
    fn brought(&self) -> &[String] {
        &[]
    }

    /// The statistics of a segment with [brought](Self::brought) values, in the order of their names.
    fn bring(&self, statistics: Statistics, _values: &[f64]) -> Statistics {
        statistics
    }

    /// The values of one segment, in the order of [`Self::values`], from its statistics. All finite.
    fn segment(&self, statistics: &[f64]) -> Vec<f64>;

    /// The values of a corpus from the summed statistics of its segments.
    fn corpus(&self, sum: &[f64]) -> Vec<f64> {
        self.segment(sum)
    }
}

/// Which of two scores is the better one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Direction {
    /// As with BLEU.
    HigherIsBetter,
    /// As with error rates.
    LowerIsBetter,
}

impl Direction {
    /// 1 or -1: times this, higher scores are better.
    pub fn sign(self) -> f64 {
        match self {
            Self::HigherIsBetter => 1.0,
            Self::LowerIsBetter => -1.0,
        }
    }

    /// What lists and JSON call it.
    pub fn word(self) -> &'static str {
        match self {
            Self::HigherIsBetter => "higher",
            Self::LowerIsBetter => "lower",
        }
    }
}

/// What a higher value says of a hypothesis, other values being equal.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Monotonicity {
    /// It is never worse: more of the reference was found.
    Recall,
    /// It is never worse: scores, precision.
    Increasing,
    /// It is never better: the value counts faults.
    Decreasing,
    /// It may be better or worse.
    #[default]
    Free,
}

/// a / b, and 0 where b is 0: the value of precision, recall and their like for empty text.
pub fn ratio(a: f64, b: f64) -> f64 {
    if b == 0.0 { 0.0 } else { a / b }
}

/// The harmonic mean of precision and recall, 0 where both are 0. van Rijsbergen 1979, chapter 7.
pub fn f1(precision: f64, recall: f64) -> f64 {
    ratio(2.0 * precision * recall, precision + recall)
}
