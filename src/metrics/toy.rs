//! A toy metric, which shows all that a metric takes: this file, and one line in the registry.

use super::entry::{Built, number, whole_number};
use super::metric::{Metric, Statistics, best_of, ratio};
use super::signature::Signature;
use crate::error::{Error, Result};
use crate::options::{OptionSpec, Options};
use crate::text::{Form, Plan, Sentence, Tokenizer, View, ViewId};

/// All options of the toy.
pub const OPTIONS: &[&OptionSpec] = &[&WORDS];

const WORDS: OptionSpec = whole_number("toy-words", "2", "how many words at the start are compared");

/// The share of the first n words of the reference that the hypothesis has at the same position: m / min(n, |r|), in
/// [0, 1]; 0 for empty text. With several references, the best one counts; the score of a corpus is the mean over its
/// segments. By nobody, 2026.
#[derive(Debug)]
pub struct Toy {
    /// How many words at the start are compared.
    compared: usize,
    words: ViewId,
}

impl Toy {
    /// The metric for this many words.
    ///
    /// # Errors
    /// The number of words is 0.
    pub fn new(compared: usize, plan: &mut Plan) -> Result<Self> {
        if compared == 0 {
            return Err(Error::invalid("toy.words", "at least 1", "0", "the usual number is 2"));
        }
        Ok(Self { compared, words: plan.add(View::new(Tokenizer::Words, Form::Lower)) })
    }

    fn compare(&self, hypothesis: &Sentence, reference: &Sentence) -> f64 {
        let [own, theirs] = [hypothesis, reference].map(|text| &text.view(self.words).ids);
        let compared = self.compared.min(theirs.len());
        let equal = own.iter().zip(&theirs[..compared]).filter(|(own, theirs)| own == theirs).count();
        ratio(equal as f64, compared as f64)
    }
}

/// The toy with the user's options.
pub(super) fn build(options: &Options, plan: &mut Plan) -> Built {
    Ok(Box::new(Toy::new(number(options, &WORDS)?, plan)?))
}

impl Metric for Toy {
    fn values(&self) -> &[&'static str] {
        &[""]
    }

    fn signature(&self) -> Signature {
        Signature::new("toy").with("w", "words", self.compared)
    }

    fn statistics(&self, hypothesis: &Sentence, references: &[&Sentence]) -> Statistics {
        best_of(references, |reference| [self.compare(hypothesis, reference)])
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::metrics::tests::values;

    #[test]
    fn by_hand() {
        for (hypothesis, reference, expected) in [("the cat", "The dog", 0.5), ("the", "the", 1.0), ("a", "", 0.0)] {
            assert_eq!(values("toy", hypothesis, &[reference]), [expected]);
        }
    }

    #[test]
    fn settings_have_bounds() {
        assert!(Toy::new(0, &mut Plan::default()).is_err());
    }
}
