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
//! and 3. Tokens are those of [`Tokenizer::Rouge`](crate::text::Tokenizer::Rouge). A longest common subsequence takes
//! O(|r| |h| / 64) steps. If the product of the numbers of tokens exceeds 2^34, both texts are split into the same
//! number of pieces, and the lengths for the pieces are added up; the sum is at most the length for the whole.

pub(super) mod lcs;
mod settings;
mod union;

pub use settings::{CheckedRougeSettings, MAX_ORDER, RougeKind, RougeSettings};

use super::build::{Build, Built, ROUGE_STEM};
use super::metric::{Metric, Statistics, f1, ratio};
use super::signature::Signature;
use crate::options::OptionSpec;
use crate::text::{Plan, Sentence, Tokens, ViewId, overlap};

/// ROUGE, see the [module](self).
///
/// Values: the score (F1), then `precision` and `recall`. Statistics: the values, then 1.
#[derive(Debug)]
pub struct Rouge {
    settings: RougeSettings,
    tokens: ViewId,
}

impl Rouge {
    /// ROUGE with its settings.
    pub fn new(settings: CheckedRougeSettings, plan: &mut Plan) -> Self {
        let tokens = plan.add(settings.0.view());
        Self { settings: settings.0, tokens }
    }

    /// ROUGE-N with rouge-score's defaults, over n-grams of `order` tokens, clamped to 1 to [`MAX_ORDER`].
    pub fn n(order: usize, plan: &mut Plan) -> Self {
        Self::plain(RougeKind::N(order.clamp(1, MAX_ORDER)), plan)
    }

    /// ROUGE-L with rouge-score's defaults.
    pub fn l(plan: &mut Plan) -> Self {
        Self::plain(RougeKind::L, plan)
    }

    /// ROUGE-Lsum with rouge-score's defaults.
    pub fn l_sum(plan: &mut Plan) -> Self {
        Self::plain(RougeKind::LSum, plan)
    }

    fn plain(kind: RougeKind, plan: &mut Plan) -> Self {
        Self::new(CheckedRougeSettings(RougeSettings::new(kind)), plan)
    }

    /// F1, precision and recall against one reference.
    fn compare(&self, hypothesis: &Sentence, reference: &Sentence) -> [f64; 3] {
        let (own, theirs) = (hypothesis.view(self.tokens), reference.view(self.tokens));
        let (hits, own_total, theirs_total) = match self.settings.kind {
            RougeKind::N(order) => {
                let hits = overlap::matches_to(order, &own.ids, &theirs.ids)[order - 1];
                (hits as usize, overlap::total(own.len(), order), overlap::total(theirs.len(), order))
            }
            RougeKind::LSum if !(is_one_line(own) && is_one_line(theirs)) => {
                (union::hits(own, theirs), own.len(), theirs.len())
            }
            RougeKind::L | RougeKind::LSum => (lcs::length(&own.ids, &theirs.ids), own.len(), theirs.len()),
        };
        let precision = ratio(hits as f64, own_total as f64);
        let recall = ratio(hits as f64, theirs_total as f64);
        [f1(precision, recall), precision, recall]
    }
}

/// All options of ROUGE.
pub const OPTIONS: &[&OptionSpec] = &[&ROUGE_STEM];

/// ROUGE with the user's options.
pub(super) fn build(kind: RougeKind, build: &mut Build<'_>) -> Built {
    let settings = RougeSettings { stemming: build.options.is_given(&ROUGE_STEM), ..RougeSettings::new(kind) };
    Ok(Box::new(Rouge::new(settings.check()?, build.plan)))
}

fn is_one_line(tokens: &Tokens) -> bool {
    tokens.lines().nth(1).is_none()
}

impl Metric for Rouge {
    fn values(&self) -> &[&'static str] {
        &["", "precision", "recall"]
    }

    fn signature(&self) -> Signature {
        let stemming = if self.settings.stemming { "porter-nltk" } else { "no" };
        let signature = Signature::new(self.settings.kind.to_string()).with("st", "stem", stemming);
        signature.with("tok", "tok", "rouge-score").with("v", "version", "0.1.2")
    }

    fn statistics(&self, hypothesis: &Sentence, references: &[&Sentence]) -> Statistics {
        let mut best = self.compare(hypothesis, references[0]);
        for reference in &references[1..] {
            let found = self.compare(hypothesis, reference);
            if found[0] > best[0] {
                best = found;
            }
        }
        best.into_iter().chain([1.0]).collect()
    }

    fn segment(&self, statistics: &[f64]) -> Vec<f64> {
        statistics[..3].iter().map(|value| ratio(*value, statistics[3])).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::metrics::MetricSet;
    use crate::text::Lexicon;
    use crate::wordnet::WordNet;

    fn values(name: &str, hypothesis: &str, references: &[&str]) -> Vec<f64> {
        let metric_set = MetricSet::of(&[name]).unwrap();
        let mut lexicon = Lexicon::new(WordNet::embedded());
        let hypothesis = metric_set.prepare(hypothesis, &mut lexicon);
        let references: Vec<_> = references.iter().map(|text| metric_set.prepare(text, &mut lexicon)).collect();
        metric_set.values(&hypothesis, &references.iter().collect::<Vec<_>>())
    }

    fn assert_close(found: &[f64], expected: [f64; 3]) {
        for (found, expected) in found.iter().zip(expected) {
            assert!((found - expected).abs() < 1e-12, "{found} instead of {expected}");
        }
    }

    #[test]
    fn by_hand() {
        // Lin 2004, section 3: police killed the gunman; S2 "police kill the gunman", S3 "the gunman kill police".
        let reference = &["police killed the gunman"];
        assert_close(&values("rouge1", "police kill the gunman", reference), [0.75, 0.75, 0.75]);
        assert_close(&values("rouge2", "police kill the gunman", reference), [1.0 / 3.0, 1.0 / 3.0, 1.0 / 3.0]);
        assert_close(&values("rougeL", "police kill the gunman", reference), [0.75, 0.75, 0.75]);
        assert_close(&values("rougeL", "the gunman kill police", reference), [0.5, 0.5, 0.5]);
        // 2 of 3 words, 2 of 4 words of the reference.
        assert_close(&values("rouge1", "the gunman fled", reference), [4.0 / 7.0, 2.0 / 3.0, 0.5]);
    }

    #[test]
    fn empty_text_scores_zero() {
        for name in ["rouge1", "rouge2", "rougeL", "rougeLsum"] {
            for (hypothesis, reference) in
                [("", "a b c"), ("a b c", ""), ("", ""), ("é", "é"), ("\n\n", "\n"), ("\n", "a\n")]
            {
                assert_close(&values(name, hypothesis, &[reference]), [0.0; 3]);
            }
        }
    }

    #[test]
    fn the_best_reference_counts() {
        assert_close(&values("rouge1", "a b", &["c", "a b c d", "a b"]), [1.0, 1.0, 1.0]);
    }

    #[test]
    fn lines_of_a_summary_join_their_subsequences() {
        // Lin 2004, section 3.2: r = w1 w2 w3 w4 w5, c1 = w1 w2 w6 w7 w8, c2 = w1 w3 w8 w9 w5: the union is w1 w2 w3
        // w5.
        let hypothesis = "w1 w3 w8 w9 w5\nw1 w2 w6 w7 w8";
        assert_close(&values("rougeLsum", hypothesis, &["w1 w2 w3 w4 w5"]), [8.0 / 15.0, 0.4, 0.8]);
        assert_close(&values("rougeL", hypothesis, &["w1 w2 w3 w4 w5"]), [6.0 / 15.0, 0.3, 0.6]);
        // Both lines of the reference match the one "a" of the hypothesis.
        assert_close(&values("rougeLsum", "a", &["a\na"]), [2.0 / 3.0, 1.0, 0.5]);
        assert_close(&values("rougeLsum", "a b\r\nc", &["a b c"]), [1.0, 1.0, 1.0]);
    }

    #[test]
    fn stems_are_compared_on_request() {
        let settings = RougeSettings { stemming: true, ..RougeSettings::new(RougeKind::N(1)) };
        let mut plan = Plan::default();
        let rouge = Rouge::new(settings.check().unwrap(), &mut plan);
        let mut lexicon = Lexicon::new(WordNet::embedded());
        let [hypothesis, reference] = ["Dogs was", "dog wa"].map(|text| Sentence::prepare(text, &plan, &mut lexicon));
        let found = rouge.segment(&rouge.statistics(&hypothesis, &[&reference]));
        assert_close(&found, [0.5, 0.5, 0.5]);
        assert_eq!(rouge.signature().to_string(), "rouge1|stem:porter-nltk|tok:rouge-score|version:0.1.2");
    }
}
