//! Decides which of two scores is better, and when they tie.

use crate::error::Result;
use crate::judgments::Verdict;
use crate::options::{OptionSpec, Options, Value};

/// Scores that differ by less than this are a tie.
pub(crate) const fn margin(default: &'static str, help: &'static str) -> OptionSpec {
    OptionSpec {
        name: "margin",
        value: Value::One { placeholder: "POINTS", default: Some(default), check: check_margin },
        help,
    }
}

/// Whether ties are kept or dropped.
pub(crate) const fn ties(default: &'static str) -> OptionSpec {
    OptionSpec {
        name: "ties",
        value: Value::One { placeholder: "keep|drop", default: Some(default), check: check_ties },
        help: "Keep ties as pairs with the label 0, or drop them",
    }
}

/// Whether the difference of the scores becomes the weight.
pub(crate) const WEIGH: OptionSpec =
    OptionSpec::switch("weigh", "Use the difference of the scores as the pair's weight");

/// Whether the lowest rank or score is the best.
pub const LOWEST_IS_BEST: OptionSpec =
    OptionSpec::switch("lowest-is-best", "The lowest rank or score is the best, not the highest");

fn check_margin(text: &str) -> std::result::Result<(), String> {
    let is_right = |margin: f64| margin.is_finite() && margin >= 0.0;
    if text.parse().is_ok_and(is_right) { Ok(()) } else { Err("expected a number of 0 or more".to_owned()) }
}

fn check_ties(text: &str) -> std::result::Result<(), String> {
    if ["keep", "drop"].contains(&text) { Ok(()) } else { Err("expected keep or drop".to_owned()) }
}

/// What happens to pairs that people found equally good.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Ties {
    /// They are kept, with the label 0.
    #[default]
    Keep,
    /// They are counted and dropped.
    Drop,
}

/// How two scores become a label and a weight.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Preference {
    /// Smaller differences are ties; at 0, only equal scores are.
    pub margin: f64,
    /// Whether ties are kept.
    pub ties: Ties,
    /// Whether the difference becomes the pair's weight.
    pub weigh: bool,
    /// Whether the lower score is better.
    pub lowest_is_best: bool,
}

/// Tolerance for the rounding error in sums of decimal fractions.
const ROUNDING: f64 = 1e-9;

impl Preference {
    /// Reads a format's own options `ties` and `margin`, and the options that formats share.
    pub(crate) fn from_options(options: &Options, ties: &OptionSpec, margin: Option<&OptionSpec>) -> Result<Self> {
        let ties = if options.text(ties) == Some("drop") { Ties::Drop } else { Ties::Keep };
        let margin = margin.map(|margin| options.parse(margin)).transpose()?.flatten().unwrap_or(0.0);
        let lowest_is_best = options.is_given(&LOWEST_IS_BEST);
        Ok(Self { margin, ties, weigh: options.is_given(&WEIGH), lowest_is_best })
    }

    /// Differences below `margin` are ties; all else is the default.
    pub fn with_margin(margin: f64) -> Self {
        Self { margin, ..Self::default() }
    }

    /// The verdict on two scores.
    pub fn verdict(&self, first: f64, second: f64) -> Verdict {
        let difference = (first - second).abs();
        if difference < ROUNDING || difference < self.margin - ROUNDING {
            Verdict::Tie
        } else if self.lowest_is_best {
            Verdict::compare(second, first)
        } else {
            Verdict::compare(first, second)
        }
    }

    /// The weight of a pair with these scores, if weights are asked for: the absolute difference, or 1 for a tie.
    pub fn weight(&self, first: f64, second: f64) -> Option<f64> {
        let weight = if self.verdict(first, second) == Verdict::Tie { 1.0 } else { (first - second).abs() };
        self.weigh.then_some(weight)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn differences_below_the_margin_are_ties() {
        let preference = Preference::with_margin(1.0);
        assert_eq!(preference.verdict(-1.0, -1.9), Verdict::Tie);
        assert_eq!(preference.verdict(-0.1, -1.1), Verdict::First);
        assert_eq!(preference.verdict(-1.1, -0.1), Verdict::Second);
        assert_eq!(Preference::default().verdict(0.1 + 0.2, 0.3), Verdict::Tie);
        assert_eq!(Preference::default().verdict(0.1, 0.2), Verdict::Second);
        let turned = Preference { lowest_is_best: true, ..Preference::with_margin(1.0) };
        assert_eq!([turned.verdict(1.0, 2.0), turned.verdict(1.0, 1.5)], [Verdict::First, Verdict::Tie]);
    }

    #[test]
    fn the_difference_is_the_weight_if_asked_for() {
        let preference = Preference { weigh: true, ..Preference::with_margin(2.0) };
        assert_eq!(preference.weight(-5.0, -1.0), Some(4.0));
        assert_eq!(preference.weight(-2.0, -1.0), Some(1.0));
        assert_eq!(Preference::default().weight(-5.0, -1.0), None);
    }
}
