//! GLEU, the "Google BLEU" for single sentences.
//!
//! ```
//! use tribunal_text_metrics::MetricSet;
//!
//! // 10 of 18 n-grams of up to 4 words.
//! let score = MetricSet::named(&["gleu"])?.segment_scores("the cat sat on the mat", &["on the mat sat the cat"])[0];
//! assert!((score - 0.5556).abs() < 1e-4);
//! # Ok::<(), tribunal_text_metrics::Error>(())
//! ```

use super::metric::{Metric, Statistics, ratio};
use super::signature::Signature;
use crate::text::{Form, Plan, Sentence, Tokenizer, View, ViewId, overlap};

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
        Self { words: plan.add(View::new(Tokenizer::Whitespace, Form::Cased)) }
    }
}

/// The number of n-grams of all lengths in a text.
fn ngrams(words: usize) -> f64 {
    (1..=ORDER).map(|order| overlap::total(words, order)).sum::<usize>() as f64
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
        let own = &hypothesis.view(self.words).ids;
        let mut best = vec![0.0; 4];
        for reference in references {
            let theirs = &reference.view(self.words).ids;
            let matches: [u32; ORDER] = overlap::matches(own, theirs);
            let (common, own, theirs) =
                (f64::from(matches.iter().sum::<u32>()), ngrams(own.len()), ngrams(theirs.len()));
            let larger = own.max(theirs);
            // The first non-empty comparison counts even without matches; later references only if they score higher.
            if best[1] == 0.0 || ratio(common, larger) > ratio(best[0], best[1]) {
                best = vec![common, larger, own, theirs];
            }
        }
        best
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
