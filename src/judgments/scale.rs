//! The scales on which people, models and programs say which of two hypotheses is better.

use std::fmt;

use serde::{Deserialize, Serialize};

/// What the numbers of a column mean; words such as `A`, `model_b` and `tie` mean the same on every scale. It belongs to
/// the column, and no row changes it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Scale {
    /// No numbers but those that are names of a verdict: 1, 0, and -1 or 2 for the second hypothesis.
    Words,
    /// The probability that the first hypothesis is better, or a preference for it: from 0 to 1.
    Probability,
    /// From 1 (the first hypothesis is better) to -1 (the second is).
    Signed,
    /// From 1 (the first hypothesis is better) to 2 (the second is), as AlpacaEval writes it; 0 is a tie, too.
    OneToTwo,
}

impl Scale {
    /// All scales.
    pub const ALL: [Self; 4] = [Self::Words, Self::Probability, Self::Signed, Self::OneToTwo];

    /// Its name in options and files.
    pub fn name(self) -> &'static str {
        match self {
            Self::Words => "words",
            Self::Probability => "probability",
            Self::Signed => "signed",
            Self::OneToTwo => "one-to-two",
        }
    }

    /// The scale of this name.
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|scale| scale.name() == name)
    }

    /// A number on this scale as one from 1 (the first hypothesis is better) to -1; `None` if it does not fit.
    pub fn value(self, number: f64) -> Option<f64> {
        match self {
            Self::Words if [-1.0, 0.0, 1.0].contains(&number) => Some(number),
            Self::Words if number == 2.0 => Some(-1.0),
            Self::Probability if (0.0..=1.0).contains(&number) => Some(2.0 * number - 1.0),
            Self::Signed if (-1.0..=1.0).contains(&number) => Some(number),
            Self::OneToTwo if (1.0..=2.0).contains(&number) => Some(3.0 - 2.0 * number),
            Self::OneToTwo if number == 0.0 => Some(0.0),
            _ => None,
        }
    }

    /// The number on this scale that [`Self::value`] reads back; `None` of [`Self::Words`].
    pub fn written(self, value: f64) -> Option<f64> {
        match self {
            Self::Words => None,
            Self::Probability => Some(f64::midpoint(1.0, value)),
            Self::Signed => Some(value),
            Self::OneToTwo => Some(f64::midpoint(3.0, -value)),
        }
    }

    /// A number on this scale as the share of the first hypothesis, from 0 to 1.
    pub fn share_of_first(self, number: f64) -> Option<f64> {
        let value = self.value(number)?;
        match self {
            Self::Probability => Some(number),
            Self::OneToTwo if number != 0.0 => Some(2.0 - number),
            _ => Some(f64::midpoint(1.0, value)),
        }
    }
}

/// What is expected on this scale.
impl fmt::Display for Scale {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            Self::Words => "a word such as A, B or tie, or 1, 0, and -1 or 2 for the second",
            Self::Probability => "a number from 0 (the second is better) to 1 (the first is)",
            Self::Signed => "a number from -1 (the second is better) to 1 (the first is)",
            Self::OneToTwo => "a number from 1 (the first is better) to 2 (the second is)",
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_scale_ends_at_both_hypotheses_and_has_its_tie_between() {
        for (scale, [first, tie, second], outside) in [
            (Scale::Words, [1.0, 0.0, 2.0], 0.5),
            (Scale::Words, [1.0, 0.0, -1.0], 3.0),
            (Scale::Probability, [1.0, 0.5, 0.0], -1.0),
            (Scale::Signed, [1.0, 0.0, -1.0], 1.02),
            (Scale::OneToTwo, [1.0, 1.5, 2.0], 0.9),
        ] {
            assert_eq!([first, tie, second].map(|number| scale.value(number)), [Some(1.0), Some(0.0), Some(-1.0)]);
            assert_eq!((scale.value(outside), scale.value(f64::NAN)), (None, None), "{scale:?}");
            assert_eq!(Scale::named(scale.name()), Some(scale));
            let read_back = |value: f64| scale.written(value).is_none_or(|number| scale.value(number) == Some(value));
            assert!([1.0, 0.5, 0.0, -1.0].into_iter().all(read_back), "{scale:?}");
            assert_eq!(
                [first, tie, second].map(|number| scale.share_of_first(number)),
                [Some(1.0), Some(0.5), Some(0.0)]
            );
        }
        assert_eq!(Scale::Probability.share_of_first(0.1), Some(0.1));
    }
}
