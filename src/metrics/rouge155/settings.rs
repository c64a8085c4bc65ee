//! The settings of ROUGE-W, ROUGE-S and ROUGE-SU.

use std::fmt;

use crate::error::{Error, Result};
use crate::text::{Form, Stemmer, Tokenizer, View};

/// What is compared.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Rouge155Kind {
    /// ROUGE-W (options `-w`): weighted longest common subsequences of lines.
    W {
        /// The exponent of the weight k^w of a run of k tokens, 1 to 4.
        weight: f64,
    },
    /// ROUGE-S and ROUGE-SU (options `-2` and `-U`): skip-bigrams, which are pairs of tokens in text order.
    S {
        /// The largest number of tokens between the two; `None` for no limit.
        gap: Option<usize>,
        /// Whether single tokens count, too.
        unigrams: bool,
    },
}

impl Rouge155Kind {
    /// ROUGE-W with the usual weight, 1.2.
    pub const USUAL_W: Self = Self::W { weight: Rouge155Settings::USUAL_WEIGHT };
}

impl fmt::Display for Rouge155Kind {
    /// `rougeW`, `rougeS`, `rougeS4`, `rougeSU4`, ...
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::W { .. } => formatter.write_str("rougeW"),
            Self::S { gap, unigrams } => {
                formatter.write_str(if *unigrams { "rougeSU" } else { "rougeS" })?;
                gap.map_or(Ok(()), |gap| write!(formatter, "{gap}"))
            }
        }
    }
}

/// How several references are combined.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum References {
    /// Option `-f A`: hits and totals are summed over the references.
    #[default]
    Average,
    /// Option `-f B`: only the reference with the highest recall counts, the first of those that are equal to five
    /// decimals. (For ROUGE-W this is the recall before the weighting is undone.)
    Best,
}

/// The settings of [`Rouge155`](super::Rouge155).
#[derive(Debug, Clone, PartialEq)]
pub struct Rouge155Settings {
    /// What is compared.
    pub kind: Rouge155Kind,
    /// Compare stems ([`Stemmer::Rouge155`], option `-m`) instead of words.
    pub stemming: bool,
    /// How several references are combined.
    pub references: References,
}

impl Rouge155Settings {
    /// The usual weight of ROUGE-W.
    pub const USUAL_WEIGHT: f64 = 1.2;

    /// The program's defaults.
    pub fn new(kind: Rouge155Kind) -> Self {
        Self { kind, stemming: false, references: References::default() }
    }

    /// Checks the weight.
    ///
    /// # Errors
    /// A weight outside 1 to 4: below 1 a run would count less than its single tokens, and above 4 values could
    /// overflow.
    pub fn check(self) -> Result<CheckedRouge155Settings> {
        match self.kind {
            Rouge155Kind::W { weight } if !(1.0..=4.0).contains(&weight) => {
                Err(Error::invalid("rougeW: weight", "1 to 4", weight.to_string(), "1.2 is usual"))
            }
            _ => Ok(CheckedRouge155Settings(self)),
        }
    }

    pub(super) fn view(&self) -> View {
        let form = if self.stemming { Form::Stem(Stemmer::Rouge155) } else { Form::Lower };
        View::new(Tokenizer::Rouge155, form).lines()
    }
}

/// Checked settings.
#[derive(Debug, Clone, PartialEq)]
pub struct CheckedRouge155Settings(pub(super) Rouge155Settings);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn weights_have_bounds() {
        let check = |weight| Rouge155Settings::new(Rouge155Kind::W { weight }).check();
        assert!(check(1.0).is_ok() && check(4.0).is_ok());
        for weight in [0.99, 4.01, f64::NAN, f64::INFINITY] {
            let error = check(weight).unwrap_err().to_string();
            assert!(error.starts_with("rougeW: weight: expected 1 to 4, found "), "{error}");
        }
    }

    #[test]
    fn names_are_as_usual() {
        let name = |gap, unigrams| Rouge155Kind::S { gap, unigrams }.to_string();
        assert_eq!([name(None, false), name(None, true)], ["rougeS", "rougeSU"]);
        assert_eq!([name(Some(4), false), name(Some(4), true)], ["rougeS4", "rougeSU4"]);
    }
}
