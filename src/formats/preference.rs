//! When one of two scores is better, and when both are equally good.

use crate::error::Result;
use crate::judgments::Verdict;
use crate::options::{OptionSpec, Options, Value};

/// Scores that differ by less are a tie.
pub(crate) const fn margin(default: &'static str, help: &'static str) -> OptionSpec {
    OptionSpec {
        name: "margin",
        value: Value::One { placeholder: "POINTS", default: Some(default), check: check_margin },
        help,
    }
}

/// What becomes of ties.
pub(crate) const fn ties(default: &'static str) -> OptionSpec {
    OptionSpec {
        name: "ties",
        value: Value::One { placeholder: "keep|drop", default: Some(default), check: check_ties },
        help: "What becomes of ties: keep them as pairs with the label 0, or drop them",
    }
}

/// The difference becomes the weight.
pub(crate) const WEIGH: OptionSpec =
    OptionSpec::switch("weigh", "The difference of the scores becomes the pair's weight");

/// Which end of the scale is the better one.
pub const LOWEST_IS_BEST: OptionSpec =
    OptionSpec::switch("lowest-is-best", "The lowest rank or score is the best, not the highest");

fn check_margin(text: &str) -> std::result::Result<(), String> {
    let is_right = |margin: f64| margin.is_finite() && margin >= 0.0;
    if text.parse().is_ok_and(is_right) { Ok(()) } else { Err("expected a number of 0 or more".to_owned()) }
}

fn check_ties(text: &str) -> std::result::Result<(), String> {
    if ["keep", "drop"].contains(&text) { Ok(()) } else { Err("expected keep or drop".to_owned()) }
}

/// What becomes of pairs that people found equally good.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Ties {
    /// They are pairs with the label 0.
    #[default]
    Keep,
    /// They are counted and dropped.
    Drop,
}

/// Which differences of scores are ties, and what is noted of the others.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Preference {
    /// Differences below it are ties; 0: only equal scores are.
    pub margin: f64,
    /// What becomes of ties.
    pub ties: Ties,
    /// Whether the difference becomes the pair's weight.
    pub weigh: bool,
    /// Whether the lower score is better.
    pub lowest_is_best: bool,
}

/// Sums of decimal fractions differ by less from what they should be.
const ROUNDING: f64 = 1e-9;

impl Preference {
    /// What is asked for by a format's own options `ties` and `margin`, and by those that formats share.
    pub(crate) fn from_options(options: &Options, ties: &OptionSpec, margin: Option<&OptionSpec>) -> Result<Self> {
        let ties = if options.text(ties) == Some("drop") { Ties::Drop } else { Ties::Keep };
        let margin = margin.map(|margin| options.parse(margin)).transpose()?.flatten().unwrap_or(0.0);
        let lowest_is_best = options.is_given(&LOWEST_IS_BEST);
        Ok(Self { margin, ties, weigh: options.is_given(&WEIGH), lowest_is_best })
    }

    /// Ties below a margin, all else as by default.
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

    /// The weight of a pair with these scores, where weights are asked for: the difference, and 1 for ties.
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
