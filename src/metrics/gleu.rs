//! GLEU, the "Google BLEU" for single sentences.

use super::build::{Build, Built};
use super::metric::{Metric, Statistics, ratio};
use super::signature::Signature;
use crate::error::{Error, Result};
use crate::text::{Form, Plan, Sentence, Tokenizer, Tokens, View, ViewId};

/// The settings of GLEU. The default is NLTK's, on words separated by white space.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct GleuSettings {
    /// The length in words of the shortest n-grams; at least 1.
    pub shortest: usize,
    /// The length in words of the longest n-grams; at most 100.
    pub longest: usize,
    /// The tokeniser that defines words.
    pub tokenizer: Tokenizer,
    /// Whether case is ignored.
    pub lowercase: bool,
}

impl Default for GleuSettings {
    fn default() -> Self {
        Self { shortest: 1, longest: 4, tokenizer: Tokenizer::Whitespace, lowercase: false }
    }
}

/// Checked settings.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct CheckedGleuSettings(GleuSettings);

impl GleuSettings {
    /// The longest n-grams allowed.
    const LIMIT: usize = 100;

    /// Checks the n-gram lengths.
    ///
    /// # Errors
    /// Unless 1 <= shortest <= longest <= 100.
    pub fn check(self) -> Result<CheckedGleuSettings> {
        if self.shortest < 1 || self.longest < self.shortest || self.longest > Self::LIMIT {
            let found = format!("{} to {}", self.shortest, self.longest);
            return Err(Error::invalid("gleu", "n-gram lengths in 1 to 100", found, "the usual ones are 1 to 4"));
        }
        Ok(CheckedGleuSettings(self))
    }
}

/// Google BLEU: the smaller of precision and recall of all n-grams of 1 to 4 words.
///
/// With clipped matches m = sum_g min(h(g), r(g)) over n-grams g of all lengths: min(m/|h|, m/|r|), where |.| is the
/// number of n-grams. In [0, 1]; 0 if nothing matches, hence for empty text. The parts are m/|h| (`precision`) and
/// m/|r| (`recall`). With several references, the one with the highest score counts. The score of a corpus is the sum
/// of the matches over the sum of the larger n-gram counts. Wu et al. 2016, "Google's neural machine translation
/// system", section 5; equal to NLTK 3.10.4's `sentence_gleu` and `corpus_gleu`.
#[derive(Debug)]
pub struct Gleu {
    settings: GleuSettings,
    words: ViewId,
}

impl Gleu {
    /// The metric with NLTK's defaults.
    pub fn nltk(plan: &mut Plan) -> Self {
        Self::new(CheckedGleuSettings::default(), plan)
    }

    /// The metric with these settings.
    pub fn new(settings: CheckedGleuSettings, plan: &mut Plan) -> Self {
        let CheckedGleuSettings(settings) = settings;
        let form = if settings.lowercase { Form::LowerText } else { Form::Cased };
        let words = plan.add(View::new(settings.tokenizer, form).ngrams(settings.longest));
        Self { settings, words }
    }

    fn sum(&self, of_order: impl Fn(usize) -> u32) -> f64 {
        (self.settings.shortest..=self.settings.longest).map(|order| f64::from(of_order(order))).sum()
    }

    fn compare(&self, hypothesis: &Tokens, reference: &Tokens) -> Matches {
        Matches {
            common: self.sum(|order| hypothesis.counts(order).matches(reference.counts(order))),
            hypothesis: self.sum(|order| hypothesis.counts(order).total()),
            reference: self.sum(|order| reference.counts(order).total()),
        }
    }
}

/// The metric with NLTK's defaults.
pub(super) fn build(build: &mut Build<'_>) -> Built {
    Ok(Box::new(Gleu::nltk(build.plan)))
}

/// N-gram counts.
struct Matches {
    common: f64,
    hypothesis: f64,
    reference: f64,
}

impl Matches {
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
            .with("c", "case", if self.settings.lowercase { "lc" } else { "mixed" })
            .with("tok", "tok", self.settings.tokenizer.name())
            .with("n", "orders", format!("{}-{}", self.settings.shortest, self.settings.longest))
            .with("v", "version", "nltk-3.10.4")
    }

    /// The matches with the best reference, the larger n-gram count, that of the hypothesis and that of the reference.
    fn statistics(&self, hypothesis: &Sentence, references: &[&Sentence]) -> Statistics {
        let hypothesis = hypothesis.view(self.words);
        let mut best = Matches { common: 0.0, hypothesis: 0.0, reference: 0.0 };
        for reference in references {
            let found = self.compare(hypothesis, reference.view(self.words));
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
    use super::*;
    use crate::text::Lexicon;
    use crate::wordnet::WordNet;

    fn values(settings: GleuSettings, hypothesis: &str, references: &[&str]) -> Vec<f64> {
        let mut plan = Plan::default();
        let gleu = Gleu::new(settings.check().unwrap(), &mut plan);
        let mut lexicon = Lexicon::new(WordNet::embedded());
        let mut prepare = |text: &&str| Sentence::prepare(text, &plan, &mut lexicon);
        let hypothesis = prepare(&hypothesis);
        let references: Vec<_> = references.iter().map(prepare).collect();
        gleu.segment(&gleu.statistics(&hypothesis, &references.iter().collect::<Vec<_>>()))
    }

    #[test]
    fn by_hand() {
        // Two matches of 'the' and none of longer n-grams: 2 of 7 + 6 + 5 + 4 and of 6 + 5 + 4 + 3.
        let found = values(GleuSettings::default(), "the the the the the the the", &["the cat is on the mat"]);
        assert_eq!(found, [2.0 / 22.0, 2.0 / 22.0, 2.0 / 18.0]);
    }

    #[test]
    fn the_best_reference_counts() {
        let found = values(GleuSettings::default(), "a b", &["", "x y z", "a b c"]);
        assert_eq!(found, [3.0 / 6.0, 1.0, 3.0 / 6.0]);
    }

    #[test]
    fn empty_text_has_the_value_0() {
        for (hypothesis, reference) in [("", ""), ("a", ""), ("", "a")] {
            assert_eq!(values(GleuSettings::default(), hypothesis, &[reference]), [0.0, 0.0, 0.0]);
        }
    }

    #[test]
    fn orders_have_limits() {
        let orders = |shortest, longest| GleuSettings { shortest, longest, ..GleuSettings::default() };
        assert!(orders(0, 4).check().is_err());
        assert!(orders(3, 2).check().is_err());
        assert!(orders(1, 101).check().is_err());
        assert_eq!(values(orders(2, 3), "a", &["a"]), [0.0, 0.0, 0.0]);
        assert_eq!(values(orders(2, 3), "a b", &["a b c"]), [1.0 / 3.0, 1.0, 1.0 / 3.0]);
    }
}
