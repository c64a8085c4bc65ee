//! Stage 5d'. In: probabilities of held-back pairs. Out: how probable a tie must be for a model to say so. Next:
//! validation.
//!
//! A tie is seldom the likeliest verdict, even where people say it often. A model says tie where
//! `factor` p(0) > max(p(1), p(-1)): with factor 1 the likeliest verdict, with a higher one more ties, with 0 none.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use crate::error::{Error, Result, shown};
use crate::judgments::Probabilities;
use crate::judgments::Verdict;

/// When a judge says tie: where `factor` p(0) > max(p(1), p(-1)). With factor 1 that is the likeliest verdict, with a
/// higher one there are more ties, with 0 none. This is how the factor is chosen.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum TieRule {
    /// Factor 1: the likeliest verdict.
    #[default]
    Likeliest,
    /// The factor of highest accuracy on held-back pairs.
    Accurate,
    /// The factor by which this share of held-back pairs, from 0 to 1, is called a tie.
    Share(f64),
}

impl TieRule {
    /// The share is one.
    ///
    /// # Errors
    /// It is not from 0 to 1.
    pub fn check(self) -> Result<()> {
        match self {
            Self::Share(share) if !(0.0..=1.0).contains(&share) => {
                let expected = "likeliest, accurate or a share from 0 to 1";
                Err(Error::invalid("ties", expected, share.to_string(), "choose another value"))
            }
            _ => Ok(()),
        }
    }

    /// The factor that the rule gives for pairs that training did not see.
    pub fn factor(self, people: &[Verdict], probabilities: &[Probabilities]) -> f64 {
        match self {
            Self::Likeliest => 1.0,
            Self::Accurate => most_accurate(people, probabilities),
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
                Error::invalid("ties", expected, shown(text), "choose one of them")
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

/// The factor above which a pair is called a tie.
fn limit(given: &Probabilities) -> f64 {
    let [first, tie, second] = given.0;
    first.max(second) / tie.max(f64::MIN_POSITIVE)
}

/// A factor by which just the first `ties` of the sorted limits become ties; 0 for none of them.
fn between(limits: &[f64], ties: usize) -> f64 {
    match (ties.checked_sub(1).and_then(|last| limits.get(last)), limits.get(ties)) {
        (None, _) => 0.0,
        (Some(below), Some(above)) => (below * above).sqrt().max(below.next_up()),
        (Some(below), None) => 2.0 * below,
    }
}

/// Goes through all factors that make a difference; of equally accurate ones that with the fewest ties.
fn most_accurate(people: &[Verdict], probabilities: &[Probabilities]) -> f64 {
    let gain = |(label, given): (&Verdict, &Probabilities)| {
        let decided = given.verdict_with(0.0);
        (limit(given), i64::from(*label == Verdict::Tie) - i64::from(*label == decided))
    };
    let mut gains: Vec<(f64, i64)> = people.iter().zip(probabilities).map(gain).collect();
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

    fn said(rule: TieRule, people: &[Verdict; 4]) -> Vec<Verdict> {
        let factor = rule.factor(people, &GIVEN);
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
