//! ROUGE as rouge-score 0.1.2 computes it, without stemming.
//!
//! With clipped matches m of n-grams, or the length m of a longest common subsequence: precision m/|h|, recall m/|r| and
//! their F1. In [0, 1]; 0 for empty text. Of several references the one with the highest F1 counts, the first of equals;
//! a corpus has the mean of its segments. Lin 2004, "ROUGE: a package for automatic evaluation of summaries", sections 2
//! and 3.

mod lcs;

use super::{Metric, Signature, Statistics, f1, ratio};
use crate::text::{Form, Plan, Sentence, Tokenizer, View, ViewId};

/// What of two texts is compared.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    /// ROUGE-N.
    Ngrams(usize),
    /// ROUGE-L, the whole text as one sentence.
    Subsequence,
}

/// ROUGE-N and ROUGE-L, see the [module](self).
#[derive(Debug)]
pub struct Rouge {
    kind: Kind,
    tokens: ViewId,
}

impl Rouge {
    /// ROUGE-N over n-grams of `order` tokens, at least 1.
    pub fn n(order: usize, plan: &mut Plan) -> Self {
        let view = View::new(Tokenizer::Rouge, Form::Lower).ngrams(order);
        Self { kind: Kind::Ngrams(order), tokens: plan.add(view) }
    }

    /// ROUGE-L.
    pub fn l(plan: &mut Plan) -> Self {
        Self { kind: Kind::Subsequence, tokens: plan.add(View::new(Tokenizer::Rouge, Form::Lower)) }
    }

    /// F1, precision and recall against one reference.
    fn compare(&self, hypothesis: &Sentence, reference: &Sentence) -> [f64; 3] {
        let (own, theirs) = (hypothesis.view(self.tokens), reference.view(self.tokens));
        let (matches, own_total, theirs_total) = match self.kind {
            Kind::Ngrams(order) => {
                let (own, theirs) = (own.counts(order), theirs.counts(order));
                (own.matches(theirs) as usize, own.total() as usize, theirs.total() as usize)
            }
            Kind::Subsequence => (lcs::length(&own.ids, &theirs.ids), own.len(), theirs.len()),
        };
        let precision = ratio(matches as f64, own_total as f64);
        let recall = ratio(matches as f64, theirs_total as f64);
        [f1(precision, recall), precision, recall]
    }
}

impl Metric for Rouge {
    fn values(&self) -> &[&'static str] {
        &["", "precision", "recall"]
    }

    fn signature(&self) -> Signature {
        let name = match self.kind {
            Kind::Ngrams(order) => format!("rouge{order}"),
            Kind::Subsequence => "rougeL".to_owned(),
        };
        Signature::new(name).with("st", "stem", "no").with("tok", "tok", "rouge-score").with("v", "version", "0.1.2")
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
    use crate::metrics::Panel;
    use crate::text::Lexicon;
    use crate::wordnet::WordNet;

    fn values(name: &str, hypothesis: &str, references: &[&str]) -> Vec<f64> {
        let panel = Panel::of(&[name]).unwrap();
        let mut lexicon = Lexicon::new(WordNet::embedded());
        let hypothesis = panel.prepare(hypothesis, &mut lexicon);
        let references: Vec<_> = references.iter().map(|text| panel.prepare(text, &mut lexicon)).collect();
        panel.values(&hypothesis, &references.iter().collect::<Vec<_>>())
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
        for name in ["rouge1", "rouge2", "rougeL"] {
            for (hypothesis, reference) in [("", "a b c"), ("a b c", ""), ("", ""), ("é", "é")] {
                assert_close(&values(name, hypothesis, &[reference]), [0.0; 3]);
            }
        }
    }

    #[test]
    fn the_best_reference_counts() {
        assert_close(&values("rouge1", "a b", &["c", "a b c d", "a b"]), [1.0, 1.0, 1.0]);
    }
}
