//! How probable a tie must be to become the verdict.
//!
//! A tie is seldom the most probable verdict, even where people often say tie. The verdict is a tie where
//! `factor` p(0) > max(p(1), p(-1)): factor 1 gives the most probable verdict, a higher one more ties, 0 none.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use crate::error::{Error, Result, quoted};
use crate::judgments::Probabilities;
use crate::judgments::Verdict;

/// How the tie factor is chosen. The verdict is a tie where `factor` p(0) > max(p(1), p(-1)): factor 1 gives the most
/// probable verdict, a higher one more ties, 0 none.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum TieRule {
    /// Factor 1: the most probable verdict.
    #[default]
    Likeliest,
    /// The factor with the highest accuracy on held-out pairs.
    Accurate,
    /// The factor that makes this share of held-out pairs ties, from 0 to 1.
    Share(f64),
}

impl TieRule {
    /// Checks that a share is from 0 to 1.
    ///
    /// # Errors
    /// It is not.
    pub fn check(self) -> Result<()> {
        match self {
            Self::Share(share) if !(0.0..=1.0).contains(&share) => {
                let expected = "likeliest, accurate or a share from 0 to 1";
                Err(Error::invalid("ties", expected, share.to_string(), "choose another value"))
            }
            _ => Ok(()),
        }
    }

    /// The factor that the rule gives on held-out pairs with these human labels and probabilities.
    pub fn factor(self, labels: &[Verdict], probabilities: &[Probabilities]) -> f64 {
        match self {
            Self::Likeliest => 1.0,
            Self::Accurate => most_accurate(labels, probabilities),
            Self::Share(share) => {
                let mut limits: Vec<f64> = probabilities.iter().map(limit).collect();
                limits.sort_by(f64::total_cmp);
                let ties = (share * limits.len() as f64).round() as usize;
                between(&limits, ties)
            }
        }
    }
}

impl FromStr for TieRule {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self> {
        let rule = match text {
            "likeliest" => Self::Likeliest,
            "accurate" => Self::Accurate,
            _ => Self::Share(text.parse().map_err(|_| {
                let expected = "likeliest, accurate or a share from 0 to 1";
                Error::invalid("ties", expected, quoted(text), "choose one of them")
            })?),
        };
        rule.check()?;
        Ok(rule)
    }
}

impl fmt::Display for TieRule {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Likeliest => formatter.write_str("likeliest"),
            Self::Accurate => formatter.write_str("accurate"),
            Self::Share(share) => write!(formatter, "{share}"),
        }
    }
}

/// The factor above which the verdict on a pair is a tie.
fn limit(given: &Probabilities) -> f64 {
    let [first, tie, second] = given.0;
    first.max(second) / tie.max(f64::MIN_POSITIVE)
}

/// A factor that turns exactly the first `ties` of the sorted limits into ties; 0 for none.
fn between(limits: &[f64], ties: usize) -> f64 {
    match (ties.checked_sub(1).and_then(|last| limits.get(last)), limits.get(ties)) {
        (None, _) => 0.0,
        (Some(below), Some(above)) => (below * above).sqrt().max(below.next_up()),
        (Some(below), None) => 2.0 * below,
    }
}

/// Tries all factors that make a difference; of equally accurate ones, it takes the one with the fewest ties.
fn most_accurate(labels: &[Verdict], probabilities: &[Probabilities]) -> f64 {
    let gain = |(label, given): (&Verdict, &Probabilities)| {
        let decided = given.verdict_with(0.0);
        (limit(given), i64::from(*label == Verdict::Tie) - i64::from(*label == decided))
    };
    let mut gains: Vec<(f64, i64)> = labels.iter().zip(probabilities).map(gain).collect();
    gains.sort_by(|a, b| a.0.total_cmp(&b.0));
    let (mut sum, mut best, mut ties) = (0, 0, 0);
    for (at, (_, gain)) in gains.iter().enumerate() {
        sum += gain;
        if sum > best {
            (best, ties) = (sum, at + 1);
        }
    }
    let limits: Vec<f64> = gains.into_iter().map(|(limit, _)| limit).collect();
    between(&limits, ties)
}

#[cfg(test)]
mod tests {
    use super::*;
    use Verdict::{First, Second, Tie};

    const GIVEN: [Probabilities; 4] = [
        Probabilities([0.6, 0.1, 0.3]),
        Probabilities([0.4, 0.3, 0.3]),
        Probabilities([0.35, 0.32, 0.33]),
        Probabilities([0.2, 0.2, 0.6]),
    ];

    fn said(rule: TieRule, labels: &[Verdict; 4]) -> Vec<Verdict> {
        let factor = rule.factor(labels, &GIVEN);
        GIVEN.iter().map(|given| given.verdict_with(factor)).collect()
    }

    #[test]
    fn a_share_of_ties_is_that_share() {
        for (share, ties) in [(0.0, 0), (0.25, 1), (0.5, 2), (1.0, 4)] {
            let found = said(TieRule::Share(share), &[First; 4]);
            assert_eq!(found.iter().filter(|&&verdict| verdict == Tie).count(), ties, "{share}");
        }
    }

    #[test]
    fn the_most_accurate_factor_is_found() {
        assert_eq!(said(TieRule::Accurate, &[First, Tie, Tie, Second]), [First, Tie, Tie, Second]);
        assert_eq!(said(TieRule::Accurate, &[First, First, Tie, Second]), [First, First, Tie, Second]);
        assert_eq!(said(TieRule::Accurate, &[First, First, First, Second]), [First, First, First, Second]);
    }

    #[test]
    fn rules_read_what_they_write() {
        for rule in [TieRule::Likeliest, TieRule::Accurate, TieRule::Share(0.15)] {
            assert_eq!(rule.to_string().parse::<TieRule>().unwrap(), rule);
        }
        assert!("often".parse::<TieRule>().is_err() && "1.1".parse::<TieRule>().is_err());
        assert!("NaN".parse::<TieRule>().is_err());
    }
}
