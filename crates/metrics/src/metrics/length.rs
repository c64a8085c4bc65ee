//! How close the length of a hypothesis is to that of its reference.
//!
//! ```
//! use tribunal_text_metrics::MetricSet;
//!
//! let score = MetricSet::named(&["length"])?.segment_scores("six words of twelve, or half", &["a b c d e f g h i j k l"])[0];
//! assert_eq!(score, 0.5);
//! # Ok::<(), tribunal_text_metrics::Error>(())
//! ```

use super::bleu::closest;
use super::metric::{Metric, Statistics, ratio};
use super::signature::Signature;
use crate::text::{Form, Plan, Sentence, Tokenizer, View, ViewId};

/// How close the length of the hypothesis is to that of the reference, in words.
///
/// The score is min(|h|, |r|) / max(|h|, |r|), in [0, 1]: 1 for equal lengths, including two empty texts. The parts are
/// `excess` = |h|/|r| - 1, capped at 1, if the hypothesis is longer (0 for an empty reference), and `shortage` = 1 -
/// |h|/|r| if it is shorter; both are in [0, 1] and 0 otherwise. With several references, the closest length counts,
/// the shorter one of two equally close.
#[derive(Debug)]
pub struct Length {
    words: ViewId,
}

impl Length {
    /// The metric; it has no settings.
    pub fn new(plan: &mut Plan) -> Self {
        Self { words: plan.add(View::new(Tokenizer::Words, Form::Lower)) }
    }
}

impl Metric for Length {
    fn values(&self) -> &[&'static str] {
        &["", "excess", "shortage"]
    }

    fn signature(&self) -> Signature {
        Signature::new("length").with("tok", "tok", "words").with("v", "version", 1)
    }

    /// The lengths of hypothesis and reference.
    fn statistics(&self, hypothesis: &Sentence, references: &[&Sentence]) -> Statistics {
        let length = |sentence: &Sentence| sentence.view(self.words).len();
        let own = length(hypothesis);
        let nearest = closest(own, references.iter().map(|reference| length(reference)));
        vec![own as f64, nearest as f64]
    }

    fn segment(&self, statistics: &[f64]) -> Vec<f64> {
        let (own, theirs) = (statistics[0], statistics[1]);
        let score = if own == theirs { 1.0 } else { own.min(theirs) / own.max(theirs) };
        let excess = ratio(own - theirs, theirs).clamp(0.0, 1.0);
        let shortage = ratio(theirs - own, theirs).max(0.0);
        vec![score, excess, shortage]
    }
}

#[cfg(test)]
mod tests {
    use crate::metrics::tests;

    fn values(hypothesis: &str, references: &[&str]) -> Vec<f64> {
        tests::values("length", hypothesis, references)
    }

    #[test]
    fn by_hand() {
        assert_eq!(values("a b c", &["a b c d"]), [0.75, 0.0, 0.25]);
        assert_eq!(values("a b c d", &["a b"]), [0.5, 1.0, 0.0]);
        assert_eq!(values("", &[""]), [1.0, 0.0, 0.0]);
        assert_eq!(values("", &["a"]), [0.0, 0.0, 1.0]);
        assert_eq!(values("a", &[""]), [0.0, 0.0, 0.0]);
    }

    #[test]
    fn the_nearest_reference_counts() {
        assert_eq!(values("a b c", &["a", "a b c d", "a b"]), [2.0 / 3.0, 0.5, 0.0]);
    }
}
