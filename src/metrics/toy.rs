//! A toy metric, which shows all that a metric takes: this file, and one line in the registry.

use super::build::{Build, Built, value};
use super::metric::{Metric, Statistics, ratio};
use super::signature::Signature;
use crate::error::{Error, Result};
use crate::options::{OptionSpec, reads_as};
use crate::text::{Form, Plan, Sentence, Tokenizer, View, ViewId};

/// All options of the toy.
pub const OPTIONS: &[&OptionSpec] = &[&WORDS];

const WORDS: OptionSpec = OptionSpec {
    name: "toy-words",
    value: value("N", Some("2"), reads_as::<usize>),
    help: "how many words at the start are compared",
};

/// The settings of [`Toy`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ToySettings {
    /// How many words at the start are compared; at least 1.
    pub words: usize,
}

/// Checked settings.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CheckedToySettings(ToySettings);

impl ToySettings {
    /// Checks the number of words.
    ///
    /// # Errors
    /// The number of words is 0.
    pub fn check(self) -> Result<CheckedToySettings> {
        if self.words == 0 {
            return Err(Error::invalid("toy.words", "at least 1", "0", "the usual number is 2"));
        }
        Ok(CheckedToySettings(self))
    }
}

/// The share of the first n words of the reference that the hypothesis has at the same position: m / min(n, |r|), in
/// [0, 1]; 0 for empty text. With several references, the best one counts; the score of a corpus is the mean over its
/// segments. By nobody, 2026.
#[derive(Debug)]
pub struct Toy {
    settings: ToySettings,
    words: ViewId,
}

impl Toy {
    /// The metric with its settings.
    pub fn new(settings: CheckedToySettings, plan: &mut Plan) -> Self {
        Self { settings: settings.0, words: plan.add(View::new(Tokenizer::Words, Form::Lower)) }
    }

    fn compare(&self, hypothesis: &Sentence, reference: &Sentence) -> f64 {
        let [own, theirs] = [hypothesis, reference].map(|text| &text.view(self.words).ids);
        let compared = self.settings.words.min(theirs.len());
        let equal = own.iter().zip(&theirs[..compared]).filter(|(own, theirs)| own == theirs).count();
        ratio(equal as f64, compared as f64)
    }
}

/// The toy with the user's options.
pub(super) fn build(build: &mut Build<'_>) -> Built {
    let settings = ToySettings { words: build.number(&WORDS)? }.check()?;
    Ok(Box::new(Toy::new(settings, build.plan)))
}

impl Metric for Toy {
    fn values(&self) -> &[&'static str] {
        &[""]
    }

    fn signature(&self) -> Signature {
        Signature::new("toy").with("w", "words", self.settings.words)
    }

    /// The score, and 1 for the segment.
    fn statistics(&self, hypothesis: &Sentence, references: &[&Sentence]) -> Statistics {
        let scores = references.iter().map(|reference| self.compare(hypothesis, reference));
        vec![scores.fold(0.0, f64::max), 1.0]
    }

    fn segment(&self, statistics: &[f64]) -> Vec<f64> {
        vec![ratio(statistics[0], statistics[1])]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::metrics::MetricSet;

    fn score(hypothesis: &str, reference: &str) -> f64 {
        let metric_set = MetricSet::of(&["toy"]).unwrap();
        let mut lexicon = metric_set.lexicon();
        let [hypothesis, reference] = [hypothesis, reference].map(|text| metric_set.prepare(text, &mut lexicon));
        metric_set.scores(&hypothesis, &[&reference])[0]
    }

    #[test]
    fn by_hand() {
        assert_eq!([score("the cat", "The dog"), score("the", "the"), score("a", "")], [0.5, 1.0, 0.0]);
    }

    #[test]
    fn settings_have_bounds() {
        assert!(ToySettings { words: 0 }.check().is_err());
    }
}
