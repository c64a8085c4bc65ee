//! GLEU, the "Google BLEU" for single sentences.

use super::metric::{Metric, Statistics, ratio};
use super::signature::Signature;
use crate::text::{Form, Plan, Sentence, Tokenizer, Tokens, View, ViewId};

/// The length in words of the longest n-grams.
const ORDER: usize = 4;

/// Google BLEU: the smaller of precision and recall of all n-grams of 1 to 4 words.
///
/// With clipped matches m = sum_g min(h(g), r(g)) over n-grams g of all lengths: min(m/|h|, m/|r|), where |.| is the
/// number of n-grams. In [0, 1]; 0 if nothing matches, hence for empty text. The parts are m/|h| (`precision`) and
/// m/|r| (`recall`). With several references, the one with the highest score counts. The score of a corpus is the sum
/// of the matches over the sum of the larger n-gram counts. Wu et al. 2016, "Google's neural machine translation
/// system", section 5; equal to NLTK 3.10.4's `sentence_gleu` and `corpus_gleu`.
#[derive(Debug)]
pub struct Gleu {
    words: ViewId,
}

impl Gleu {
    /// The metric with NLTK's settings, on words separated by white space.
    pub fn new(plan: &mut Plan) -> Self {
        Self { words: plan.add(View::new(Tokenizer::Whitespace, Form::Cased).ngrams(ORDER)) }
    }
}

/// N-gram counts.
struct Matches {
    common: f64,
    hypothesis: f64,
    reference: f64,
}

impl Matches {
    fn of(hypothesis: &Tokens, reference: &Tokens) -> Self {
        let sum = |count: &dyn Fn(usize) -> u32| (1..=ORDER).map(|order| f64::from(count(order))).sum();
        Self {
            common: sum(&|order| hypothesis.counts(order).matches(reference.counts(order))),
            hypothesis: sum(&|order| hypothesis.counts(order).total()),
            reference: sum(&|order| reference.counts(order).total()),
        }
    }

    fn score(&self) -> f64 {
        ratio(self.common, self.larger())
    }

    fn larger(&self) -> f64 {
        self.hypothesis.max(self.reference)
    }
}

impl Metric for Gleu {
    fn values(&self) -> &[&'static str] {
        &["", "precision", "recall"]
    }

    fn signature(&self) -> Signature {
        Signature::new("GLEU")
            .with("c", "case", "mixed")
            .with("tok", "tok", "none")
            .with("n", "orders", format!("1-{ORDER}"))
            .with("v", "version", "nltk-3.10.4")
    }

    /// The matches with the best reference, the larger n-gram count, that of the hypothesis and that of the reference.
    fn statistics(&self, hypothesis: &Sentence, references: &[&Sentence]) -> Statistics {
        let hypothesis = hypothesis.view(self.words);
        let mut best = Matches { common: 0.0, hypothesis: 0.0, reference: 0.0 };
        for reference in references {
            let found = Matches::of(hypothesis, reference.view(self.words));
            // The first non-empty comparison counts even without matches; later references only if they score higher.
            if best.larger() == 0.0 || found.score() > best.score() {
                best = found;
            }
        }
        vec![best.common, best.larger(), best.hypothesis, best.reference]
    }

    fn segment(&self, statistics: &[f64]) -> Vec<f64> {
        statistics[1..].iter().map(|&total| ratio(statistics[0], total)).collect()
    }
}

#[cfg(test)]
mod tests {
    use crate::metrics::tests::values;

    #[test]
    fn by_hand() {
        // Two matches of 'the' and none of longer n-grams: 2 of 7 + 6 + 5 + 4 and of 6 + 5 + 4 + 3.
        let found = values("gleu", "the the the the the the the", &["the cat is on the mat"]);
        assert_eq!(found, [2.0 / 22.0, 2.0 / 22.0, 2.0 / 18.0]);
        // The best reference counts.
        assert_eq!(values("gleu", "a b", &["", "x y z", "a b c"]), [3.0 / 6.0, 1.0, 3.0 / 6.0]);
    }
}
