//! The settings of BLEU, with sacreBLEU's names and defaults.

use std::fmt;

use crate::error::{Error, Result, quoted};
use crate::text::{Form, Tokenizer, View, overlap};

/// The highest supported n-gram order.
pub const MAX_ORDER: usize = overlap::MAX_ORDER;

/// sacreBLEU's tokenisers, except those that need a model or a dictionary.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum BleuTokenizer {
    /// `13a`: the tokeniser of mteval-v13a.
    #[default]
    V13a,
    /// `intl`: the tokeniser of mteval-v14.
    Intl,
    /// `char`: characters.
    Character,
    /// `zh`: single Chinese characters, the rest as in 13a.
    Chinese,
    /// `none`: split at white space.
    None,
}

impl BleuTokenizer {
    /// All tokenisers.
    pub const ALL: [Self; 5] = [Self::V13a, Self::Intl, Self::Character, Self::Chinese, Self::None];

    /// The tokeniser with this name.
    ///
    /// # Errors
    /// An unknown name, or a tokeniser of sacreBLEU that Tribunal does not have.
    pub fn named(name: &str) -> Result<Self> {
        let known = Self::ALL.map(Self::name).join(", ");
        Self::ALL.into_iter().find(|tokenizer| tokenizer.name() == name).ok_or_else(|| {
            Error::invalid("bleu.tokenizer", "a tokeniser", quoted(name), format!("known tokenisers: {known}"))
        })
    }

    /// sacreBLEU's name of the tokeniser.
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

/// How orders without matches are smoothed. Chen and Cherry 2014, section 3.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub enum Smoothing {
    /// Not at all: BLEU is 0.
    None,
    /// The match count that replaces 0; sacreBLEU's default is 0.1. Method 1.
    Floor(f64),
    /// The value added to the matches and n-grams of orders above 1; sacreBLEU's default is 1. Method 2.
    AddK(f64),
    /// Half a match in the first order without matches, a quarter in the second, and so on. Method 3, as in
    /// mteval-v13a.
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

/// The settings of [`super::Bleu`]. The default is that of sacreBLEU's command line.
#[derive(Debug, Clone, PartialEq)]
pub struct BleuSettings {
    /// How text is split into tokens.
    pub tokenizer: BleuTokenizer,
    /// Whether text is lower-cased first.
    pub lowercase: bool,
    /// How orders without matches are smoothed.
    pub smoothing: Smoothing,
    /// The highest n-gram order, from 1 to [`MAX_ORDER`].
    pub max_order: usize,
    /// Whether a segment shorter than the highest order is scored with the orders that it has.
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

/// Checked settings.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct CheckedBleuSettings(pub(super) BleuSettings);

impl BleuSettings {
    /// Checks that the order is from 1 to [`MAX_ORDER`] and the smoothing value from 0 to a million.
    ///
    /// # Errors
    /// The first setting out of range.
    pub fn check(self) -> Result<CheckedBleuSettings> {
        if !(1..=MAX_ORDER).contains(&self.max_order) {
            let wanted = format!("an n-gram order from 1 to {MAX_ORDER}");
            return Err(Error::invalid("bleu.order", wanted, self.max_order.to_string(), "the usual order is 4"));
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
        assert_eq!(
            error,
            "bleu.tokenizer: expected a tokeniser, found 'spm'; known tokenisers: 13a, intl, char, zh, none"
        );
    }

    #[test]
    fn smoothing_is_shown_as_sacrebleu_shows_it() {
        let shown = [Smoothing::Exp, Smoothing::Floor(0.125), Smoothing::AddK(0.005)].map(|one| one.to_string());
        assert_eq!(shown, ["exp", "floor[0.12]", "add-k[0.01]"]);
    }
}
