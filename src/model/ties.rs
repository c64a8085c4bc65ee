//! Verdicts of a trained model with as many ties as desired.
//!
//! The rate of ties among human labels varies between campaigns, from none to four in ten. A model has learned one
//! rate, so prediction can use another.

use std::fmt;
use std::str::FromStr;

use crate::error::{Error, Result, quoted};
use crate::judgments::{Probabilities, Verdict};
use crate::learning::TieRule;

/// Bisection steps in the search for the odds of ties, from an interval of width 100.
const HALVINGS: usize = 60;

/// When a trained model's verdict is a tie, instead of as in training. If 1 and -1 are equally probable, it is a tie
/// under every rule.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Ties {
    /// Where a tie is the most probable verdict.
    Likeliest,
    /// In this share of the pairs, from 0 to 1: those where a tie is most probable relative to the more probable of 1
    /// and -1. The odds of ties are multiplied by the factor with which their mean probability is that share
    /// as well; the form is that for a changed prior (Saerens, Latinne and Decaestecker 2002, equation 2.4).
    Share(f64),
    /// Where the probability of a tie is at least this, from 0 to 1.
    Threshold(f64),
}

impl Ties {
    /// Whether a verdict depends on the other pairs.
    pub fn needs_all_pairs(self) -> bool {
        matches!(self, Self::Share(share) if share > 0.0)
    }

    /// The verdicts on pairs with these probabilities, and the probabilities that they are based on.
    pub fn judge(self, probabilities: &[Probabilities]) -> Vec<(Verdict, Probabilities)> {
        match self {
            Self::Likeliest => probabilities.iter().map(|given| (given.verdict(), *given)).collect(),
            Self::Threshold(least) => {
                let verdict = |given: &Probabilities| {
                    let is_tie = given.probability(Verdict::Tie) >= least;
                    if is_tie { Verdict::Tie } else { given.verdict_with(0.0) }
                };
                probabilities.iter().map(|given| (verdict(given), *given)).collect()
            }
            Self::Share(share) => {
                let times = odds_for(share, probabilities);
                let given: Vec<_> = probabilities.iter().map(|given| given.with_tie_odds(times)).collect();
                // The ranking of pairs by how likely a tie is does not depend on the odds.
                let factor = TieRule::Share(share).factor(&[], probabilities);
                let verdicts = probabilities.iter().map(|given| given.verdict_with(factor));
                verdicts.zip(given).collect()
            }
        }
    }
}

/// The factor that multiplies the odds of ties so that their mean probability equals `share`.
fn odds_for(share: f64, probabilities: &[Probabilities]) -> f64 {
    if share <= 0.0 {
        return 0.0;
    }
    let wanted = share * probabilities.len() as f64;
    let sum = |log: f64| -> f64 {
        probabilities.iter().map(|given| given.with_tie_odds(log.exp()).probability(Verdict::Tie)).sum()
    };
    let halved = |(low, high): (f64, f64), _| {
        let middle = 0.5 * (low + high);
        if sum(middle) < wanted { (middle, high) } else { (low, middle) }
    };
    let (low, high) = (0..HALVINGS).fold((-50.0, 50.0), halved);
    f64::exp(0.5 * (low + high))
}

impl FromStr for Ties {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self> {
        let share = |number: &str| number.parse().ok().filter(|share| (0.0..=1.0).contains(share));
        let rule = match (text, text.strip_prefix("threshold=")) {
            ("likeliest", _) => Some(Self::Likeliest),
            (_, Some(least)) => share(least).map(Self::Threshold),
            (_, None) => share(text).map(Self::Share),
        };
        rule.ok_or_else(|| {
            let expected = "likeliest, a share of the pairs from 0 to 1, or threshold=P with P from 0 to 1";
            Error::invalid("ties", expected, quoted(text), "choose one of them")
        })
    }
}

impl fmt::Display for Ties {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Likeliest => formatter.write_str("likeliest"),
            Self::Share(share) => write!(formatter, "{share}"),
            Self::Threshold(least) => write!(formatter, "threshold={least}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use Verdict::{First, Second, Tie};

    const GIVEN: [Probabilities; 4] = [
        Probabilities([0.6, 0.1, 0.3]),
        Probabilities([0.4, 0.3, 0.3]),
        Probabilities([0.3, 0.4, 0.3]),
        Probabilities([0.2, 0.2, 0.6]),
    ];

    fn verdicts(ties: Ties) -> Vec<Verdict> {
        ties.judge(&GIVEN).into_iter().map(|(verdict, _)| verdict).collect()
    }

    #[test]
    fn ties_are_said_as_the_rule_asks() {
        assert_eq!(verdicts(Ties::Likeliest), [First, First, Tie, Second]);
        assert_eq!(verdicts(Ties::Threshold(0.3)), [First, Tie, Tie, Second]);
        assert_eq!(verdicts(Ties::Threshold(0.0)), [Tie; 4]);
        assert_eq!(verdicts(Ties::Share(0.5)), [First, Tie, Tie, Second]);
        assert_eq!(verdicts(Ties::Share(1.0)), [Tie; 4]);
        // p(1) = p(-1): still a tie.
        assert_eq!(verdicts(Ties::Share(0.0)), [First, First, Tie, Second]);
    }

    #[test]
    fn the_mean_probability_of_a_tie_is_the_share() {
        for share in [0.0, 0.05, 0.25, 0.5, 0.99] {
            let judged = Ties::Share(share).judge(&GIVEN);
            let mean = judged.iter().map(|(_, given)| given.probability(Tie)).sum::<f64>() / 4.0;
            assert!((mean - share).abs() < 1e-9, "{mean} {share}");
            for ((_, given), before) in judged.iter().zip(GIVEN) {
                assert!((given.0.iter().sum::<f64>() - 1.0).abs() < 1e-12);
                assert!((given.0[0] / given.0[2] - before.0[0] / before.0[2]).abs() < 1e-9);
            }
        }
        assert!(Ties::Share(1.0).judge(&GIVEN).iter().all(|(_, given)| given.probability(Tie) > 0.999));
    }

    #[test]
    fn no_pairs_have_no_verdicts() {
        assert!(Ties::Share(0.3).judge(&[]).is_empty());
    }

    #[test]
    fn rules_read_what_they_write() {
        for ties in [Ties::Likeliest, Ties::Share(0.15), Ties::Threshold(0.3)] {
            assert_eq!(ties.to_string().parse::<Ties>().unwrap(), ties);
        }
        for text in ["", "often", "1.1", "-0.1", "NaN", "threshold=", "threshold=2", "accurate", "16%"] {
            assert!(text.parse::<Ties>().is_err(), "{text}");
        }
    }
}
