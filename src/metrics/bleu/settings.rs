//! What can be set of BLEU, with sacreBLEU's names and defaults.

use std::fmt;

use crate::error::{Error, Result, shown};
use crate::text::{Form, Tokenizer, View, overlap};

/// The highest n-gram order that can be asked for.
pub const MAX_ORDER: usize = overlap::MAX_ORDER;

/// sacreBLEU's tokenisers, those that need a model or a dictionary left out.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum BleuTokenizer {
    /// `13a`: the one of mteval-v13a.
    #[default]
    V13a,
    /// `intl`: the one of mteval-v14.
    Intl,
    /// `char`: characters.
    Character,
    /// `zh`: Chinese characters, the rest as 13a.
    Chinese,
    /// `none`: cut at white space.
    None,
}

impl BleuTokenizer {
    /// All of them.
    pub const ALL: [Self; 5] = [Self::V13a, Self::Intl, Self::Character, Self::Chinese, Self::None];

    /// The tokeniser of that name.
    ///
    /// # Errors
    /// A name that is none of sacreBLEU's, or of a tokeniser that Tribunal does not have.
    pub fn named(name: &str) -> Result<Self> {
        let known = Self::ALL.map(Self::name).join(", ");
        Self::ALL
            .into_iter()
            .find(|tokenizer| tokenizer.name() == name)
            .ok_or_else(|| Error::invalid("bleu.tokenizer", "a tokeniser", shown(name), format!("known are {known}")))
    }

    /// sacreBLEU's name for it.
    pub fn name(self) -> &'static str {
        match self {
            Self::V13a => "13a",
            Self::Intl => "intl",
            Self::Character => "char",
            Self::Chinese => "zh",
            Self::None => "none",
        }
    }

    fn tokenizer(self) -> Tokenizer {
        match self {
            Self::V13a => Tokenizer::V13a,
            Self::Intl => Tokenizer::Intl,
            Self::Character => Tokenizer::Characters,
            Self::Chinese => Tokenizer::Chinese,
            Self::None => Tokenizer::Whitespace,
        }
    }
}

/// What is done about orders in which nothing matches. Chen and Cherry 2014, section 3.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub enum Smoothing {
    /// Nothing: BLEU is 0.
    None,
    /// A match count of this much instead of 0; sacreBLEU's default is 0.1. Method 1.
    Floor(f64),
    /// This much is added to matches and n-grams of orders above 1; sacreBLEU's default is 1. Method 2.
    AddK(f64),
    /// A half match in the first such order, a quarter in the second, and so on. Method 3, as mteval-v13a has it.
    #[default]
    Exp,
}

impl fmt::Display for Smoothing {
    /// As in sacreBLEU's signature: `exp`, `floor[0.10]`.
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::None => formatter.write_str("none"),
            Self::Floor(value) => write!(formatter, "floor[{value:.2}]"),
            Self::AddK(value) => write!(formatter, "add-k[{value:.2}]"),
            Self::Exp => formatter.write_str("exp"),
        }
    }
}

/// The settings of [`super::Bleu`]. The default is sacreBLEU's command line.
#[derive(Debug, Clone, PartialEq)]
pub struct BleuSettings {
    /// How text is cut into tokens.
    pub tokenizer: BleuTokenizer,
    /// Whether text is put into lower case first.
    pub lowercase: bool,
    /// What is done about orders in which nothing matches.
    pub smoothing: Smoothing,
    /// The highest n-gram order, from 1 to [`MAX_ORDER`].
    pub max_order: usize,
    /// Whether a segment that is shorter than the highest order is judged by the orders that it has.
    pub segment_effective_order: bool,
    /// The same for a corpus.
    pub corpus_effective_order: bool,
}

impl Default for BleuSettings {
    fn default() -> Self {
        Self {
            tokenizer: BleuTokenizer::default(),
            lowercase: false,
            smoothing: Smoothing::default(),
            max_order: 4,
            segment_effective_order: true,
            corpus_effective_order: false,
        }
    }
}

/// Settings that were checked.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct CheckedBleuSettings(pub(super) BleuSettings);

impl BleuSettings {
    /// Checks that the order is from 1 to [`MAX_ORDER`] and the smoothing value from 0 to a million.
    ///
    /// # Errors
    /// The first that is not.
    pub fn check(self) -> Result<CheckedBleuSettings> {
        if !(1..=MAX_ORDER).contains(&self.max_order) {
            let wanted = format!("an n-gram order from 1 to {MAX_ORDER}");
            return Err(Error::invalid("bleu.order", wanted, self.max_order.to_string(), "usual is 4"));
        }
        if let Smoothing::Floor(value) | Smoothing::AddK(value) = self.smoothing
            && !(0.0..=1e6).contains(&value)
        {
            let advice = "sacreBLEU's defaults are 0.1 for floor and 1 for add-k";
            return Err(Error::invalid("bleu.smoothing", "a number from 0 to 1e6", value.to_string(), advice));
        }
        Ok(CheckedBleuSettings(self))
    }

    pub(super) fn view(&self) -> View {
        let form = if self.lowercase { Form::LowerText } else { Form::Cased };
        View::new(self.tokenizer.tokenizer(), form)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn orders_and_smoothing_values_have_bounds() {
        let order = |max_order| BleuSettings { max_order, ..Default::default() }.check();
        assert!(order(1).is_ok() && order(MAX_ORDER).is_ok());
        assert!(order(0).is_err() && order(MAX_ORDER + 1).is_err());
        let smoothing = |smoothing| BleuSettings { smoothing, ..Default::default() }.check();
        assert!(smoothing(Smoothing::Floor(0.0)).is_ok() && smoothing(Smoothing::AddK(1e6)).is_ok());
        for value in [-0.1, f64::NAN, f64::INFINITY] {
            assert!(smoothing(Smoothing::Floor(value)).is_err() && smoothing(Smoothing::AddK(value)).is_err());
        }
    }

    #[test]
    fn tokenisers_have_sacrebleus_names() {
        assert!(BleuTokenizer::ALL.into_iter().all(|one| BleuTokenizer::named(one.name()).is_ok_and(|it| it == one)));
        let error = BleuTokenizer::named("spm").unwrap_err().to_string();
        assert_eq!(error, "bleu.tokenizer: expected a tokeniser, found 'spm'; known are 13a, intl, char, zh, none");
    }

    #[test]
    fn smoothing_is_shown_as_sacrebleu_shows_it() {
        let shown = [Smoothing::Exp, Smoothing::Floor(0.125), Smoothing::AddK(0.005)].map(|one| one.to_string());
        assert_eq!(shown, ["exp", "floor[0.12]", "add-k[0.01]"]);
    }
}
