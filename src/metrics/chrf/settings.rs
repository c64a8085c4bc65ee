//! The settings of chrF, with sacreBLEU's defaults.

use crate::error::{Error, Result};
use crate::text::character_grams::MAX_ORDER;

/// The settings of [`super::Chrf`]. The default is sacreBLEU's chrF2.
#[derive(Debug, Clone, PartialEq)]
pub struct ChrfSettings {
    /// The highest order of character n-grams, from 0 to [`MAX_ORDER`].
    pub character_order: usize,
    /// The highest order of word n-grams, from 0 to [`MAX_ORDER`]; 2 for chrF++.
    pub word_order: usize,
    /// The weight of recall relative to precision, from 0 to 1e6.
    pub beta: f64,
    /// Whether text is lower-cased first.
    pub lowercase: bool,
    /// Whether white space counts as characters.
    pub whitespace: bool,
    /// Whether the score is the mean of the F-scores of the orders, with 1e-16 for undefined values.
    pub eps_smoothing: bool,
}

impl Default for ChrfSettings {
    fn default() -> Self {
        Self { character_order: 6, word_order: 0, beta: 2.0, lowercase: false, whitespace: false, eps_smoothing: false }
    }
}

/// Checked settings.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct CheckedChrfSettings(pub(super) ChrfSettings);

impl ChrfSettings {
    /// Checks the orders, at least one of which must be above 0, and beta.
    ///
    /// # Errors
    /// The first setting out of range.
    pub fn check(self) -> Result<CheckedChrfSettings> {
        let wanted = format!("an n-gram order from 0 to {MAX_ORDER}");
        for (place, order) in [("chrf.character_order", self.character_order), ("chrf.word_order", self.word_order)] {
            if order > MAX_ORDER {
                return Err(Error::invalid(
                    place,
                    wanted,
                    order.to_string(),
                    "the usual orders are 6 for characters and 2 for words",
                ));
            }
        }
        if self.character_order + self.word_order == 0 {
            let advice = "at least one order has to be above 0";
            return Err(Error::invalid("chrf", "n-grams of characters or words", "none", advice));
        }
        if !(0.0..=1e6).contains(&self.beta) {
            return Err(Error::invalid(
                "chrf.beta",
                "a number from 0 to 1e6",
                self.beta.to_string(),
                "the usual beta is 2",
            ));
        }
        Ok(CheckedChrfSettings(self))
    }
}

impl CheckedChrfSettings {
    /// The settings of chrF++: chrF2 with words of orders 1 and 2.
    pub fn plus_plus() -> Self {
        Self(ChrfSettings { word_order: 2, ..ChrfSettings::default() })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn settings_have_bounds() {
        let check = |character_order, word_order, beta| {
            ChrfSettings { character_order, word_order, beta, ..Default::default() }.check()
        };
        assert!(check(MAX_ORDER, 0, 0.0).is_ok() && check(0, MAX_ORDER, 1e6).is_ok());
        assert!(
            check(0, 0, 2.0).is_err() && check(MAX_ORDER + 1, 0, 2.0).is_err() && check(6, MAX_ORDER + 1, 2.0).is_err()
        );
        assert!(check(6, 0, -1.0).is_err() && check(6, 0, f64::NAN).is_err());
    }
}
