//! ROUGE as rouge-score 0.1.2 computes it.
//!
//! With m hits, precision is m/|h|, recall is m/|r|, and the score is their F1. The hits are
//!
//! - ROUGE-N (`rouge1` to `rouge9`): clipped n-gram matches; |h| and |r| are numbers of n-grams;
//! - ROUGE-L (`rougeL`): the length of a longest common subsequence of tokens, with the whole text as one sentence;
//! - ROUGE-Lsum (`rougeLsum`): for each line of the reference, the union of its longest common subsequences with all
//!   lines of the hypothesis, where each word counts at most as often as in either text. Lines end at line feeds. It
//!   equals ROUGE-L if both texts are single lines.
//!
//! In [0, 1]; 0 for empty text. With several references, the first one with the highest F1 counts; the score of a
//! corpus is the mean over its segments. Lin 2004, "ROUGE: a package for automatic evaluation of summaries", sections 2
//! and 3. Tokens are those of [`Tokenizer::Rouge`]. A longest common subsequence takes O(|r| |h| / 64) steps. If the
//! product of the numbers of tokens exceeds 2^34, both texts are split into the same number of pieces, and the lengths
//! for the pieces are added up; the sum is at most the length for the whole.
//!
//! ```
//! use tribunal_text_metrics::MetricSet;
//!
//! let metrics = MetricSet::named(&["rouge1", "rouge2", "rougeL"])?;
//! let scores = metrics.segment_scores("the cat sat on the mat", &["on the mat sat the cat"]);
//! assert_eq!(scores.iter().map(|score| format!("{score:.2}")).collect::<Vec<_>>(), ["1.00", "0.60", "0.50"]);
//! # Ok::<(), tribunal_text_metrics::Error>(())
//! ```

pub(super) mod lcs;

use std::fmt;

use super::entry::{Built, ROUGE_STEM};
use super::metric::{Metric, Statistics, best_of, f1, ratio};
use super::signature::Signature;
use crate::error::{Error, Result};
use crate::options::{OptionSpec, Options};
use crate::text::{Counts, Form, Plan, Sentence, Stemmer, Tokenizer, Tokens, View, ViewId, overlap};

/// All options of ROUGE.
pub const OPTIONS: &[&OptionSpec] = &[&ROUGE_STEM];

/// The highest order of n-grams that rouge-score has a name for.
pub const MAX_ORDER: usize = 9;

/// What is compared.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RougeKind {
    /// ROUGE-N: n-grams of this many tokens, 1 to [`MAX_ORDER`].
    N(usize),
    /// ROUGE-L: the longest common subsequence, with the whole text as one sentence.
    L,
    /// ROUGE-Lsum: the longest common subsequences of lines.
    LSum,
}

impl fmt::Display for RougeKind {
    /// rouge-score's name.
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::N(order) => write!(formatter, "rouge{order}"),
            Self::L => formatter.write_str("rougeL"),
            Self::LSum => formatter.write_str("rougeLsum"),
        }
    }
}

/// ROUGE, see the [module](self).
///
/// Values: the score (F1), then `precision` and `recall`. Statistics: the values, then 1.
#[derive(Debug)]
pub struct Rouge {
    kind: RougeKind,
    is_stemming: bool,
    tokens: ViewId,
}

impl Rouge {
    /// ROUGE of a kind, over words or over their stems ([`Stemmer::RougeScore`]).
    ///
    /// # Errors
    /// An order outside 1 to [`MAX_ORDER`].
    pub fn new(kind: RougeKind, is_stemming: bool, plan: &mut Plan) -> Result<Self> {
        if let RougeKind::N(order) = kind
            && !(1..=MAX_ORDER).contains(&order)
        {
            let expected = format!("1 to {MAX_ORDER}");
            return Err(Error::invalid("rouge: order", expected, order.to_string(), "choose another order of n-grams"));
        }
        let form = if is_stemming { Form::Stem(Stemmer::RougeScore) } else { Form::Lower };
        // All kinds keep lines, so that they share one view.
        let tokens = plan.add(View::new(Tokenizer::Rouge, form).lines());
        Ok(Self { kind, is_stemming, tokens })
    }

    /// F1, precision and recall against one reference.
    fn compare(&self, hypothesis: &Sentence, reference: &Sentence) -> [f64; 3] {
        let (own, theirs) = (hypothesis.view(self.tokens), reference.view(self.tokens));
        let (hits, own_total, theirs_total) = match self.kind {
            RougeKind::N(order) => {
                let hits = overlap::matches_to(order, &own.ids, &theirs.ids)[order - 1];
                (hits as usize, overlap::total(own.len(), order), overlap::total(theirs.len(), order))
            }
            RougeKind::LSum if !(is_one_line(own) && is_one_line(theirs)) => {
                (hits_of_lines(own, theirs), own.len(), theirs.len())
            }
            RougeKind::L | RougeKind::LSum => (lcs::length(&own.ids, &theirs.ids), own.len(), theirs.len()),
        };
        let precision = ratio(hits as f64, own_total as f64);
        let recall = ratio(hits as f64, theirs_total as f64);
        [f1(precision, recall), precision, recall]
    }
}

/// ROUGE with the user's options.
pub(super) fn build(kind: RougeKind, options: &Options, plan: &mut Plan) -> Built {
    Ok(Box::new(Rouge::new(kind, options.is_given(&ROUGE_STEM), plan)?))
}

fn is_one_line(tokens: &Tokens) -> bool {
    tokens.lines().nth(1).is_none()
}

/// The hits of ROUGE-Lsum: for each line of the reference, the tokens in its longest common subsequence with any line
/// of the hypothesis; each word counts at most as often as in the hypothesis.
///
/// O(|r| |h| / 64) steps for texts of |r| and |h| tokens, and at least one for each pair of lines; for the memory see
/// [`lcs::Table::mark`].
fn hits_of_lines(hypothesis: &Tokens, reference: &Tokens) -> usize {
    let mut matched = Vec::new();
    for line in reference.lines() {
        let table = lcs::Table::new(line);
        let mut marks = vec![false; line.len()];
        hypothesis.lines().for_each(|other| table.mark(other, &mut marks, lcs::MAX_STORED));
        matched.extend(line.iter().zip(marks).filter(|(_, marked)| *marked).map(|(&token, _)| token));
    }
    // Each token of the reference is marked at most once, so only the counts of the hypothesis can be exceeded.
    Counts::of_ngrams(&matched, 1).matches(&Counts::of_ngrams(&hypothesis.ids, 1)) as usize
}

impl Metric for Rouge {
    fn values(&self) -> &[&'static str] {
        &["", "precision", "recall"]
    }

    fn signature(&self) -> Signature {
        let stemming = if self.is_stemming { "porter-nltk" } else { "no" };
        let signature = Signature::new(self.kind.to_string()).with("st", "stem", stemming);
        signature.with("tok", "tok", "rouge-score").with("v", "version", "0.1.2")
    }

    fn statistics(&self, hypothesis: &Sentence, references: &[&Sentence]) -> Statistics {
        best_of(references, |reference| self.compare(hypothesis, reference))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::metrics::tests::{assert_close, metric_set, values, values_with};

    #[test]
    fn lines_of_a_summary_join_their_subsequences() {
        // Lin 2004, section 3.2: r = w1 w2 w3 w4 w5, c1 = w1 w2 w6 w7 w8, c2 = w1 w3 w8 w9 w5: the union is w1 w2 w3
        // w5.
        let hypothesis = "w1 w3 w8 w9 w5\nw1 w2 w6 w7 w8";
        assert_close(&values("rougeLsum", hypothesis, &["w1 w2 w3 w4 w5"]), &[8.0 / 15.0, 0.4, 0.8]);
        assert_close(&values("rougeL", hypothesis, &["w1 w2 w3 w4 w5"]), &[6.0 / 15.0, 0.3, 0.6]);
        // Both lines of the reference match the one "a" of the hypothesis.
        assert_close(&values("rougeLsum", "a", &["a\na"]), &[2.0 / 3.0, 1.0, 0.5]);
        assert_close(&values("rougeLsum", "a b\r\nc", &["a b c"]), &[1.0, 1.0, 1.0]);
    }

    #[test]
    fn stems_are_compared_on_request() {
        let stemming = [("rouge-stem", "")];
        assert_close(&values_with("rouge1", &stemming, "Dogs was", &["dog wa"]), &[0.5, 0.5, 0.5]);
        let signature = metric_set("rouge1", &stemming).unwrap().members()[0].metric.signature();
        assert_eq!(signature.to_string(), "rouge1|stem:porter-nltk|tok:rouge-score|version:0.1.2");
    }

    #[test]
    fn orders_have_bounds() {
        let is_valid = |order| Rouge::new(RougeKind::N(order), false, &mut Plan::default()).is_ok();
        assert_eq!([0, 1, MAX_ORDER, MAX_ORDER + 1].map(is_valid), [false, true, true, false]);
    }
}
