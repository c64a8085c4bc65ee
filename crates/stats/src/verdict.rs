//! Verdicts on pairs, and their probabilities.

use std::fmt;

use serde::{Deserialize, Serialize};

/// Which of two hypotheses is preferred.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Verdict {
    /// The first hypothesis is better; written `1`.
    First,
    /// Neither is better; written `0`.
    Tie,
    /// The second hypothesis is better; written `-1`.
    Second,
}

impl Verdict {
    /// All verdicts, in the order in which tables show them.
    pub const ALL: [Self; 3] = [Self::First, Self::Tie, Self::Second];

    /// The verdict of two scores, higher is better; a tie only if they are equal.
    pub fn compare(first: f64, second: f64) -> Self {
        if first > second {
            Self::First
        } else if first < second {
            Self::Second
        } else {
            Self::Tie
        }
    }

    /// The verdict on the same hypotheses in the other order.
    pub fn swapped(self) -> Self {
        match self {
            Self::First => Self::Second,
            Self::Tie => Self::Tie,
            Self::Second => Self::First,
        }
    }

    /// The position of the verdict in [`Self::ALL`].
    pub fn index(self) -> usize {
        self as usize
    }

    /// 1, 0 or -1.
    pub fn sign(self) -> i8 {
        match self {
            Self::First => 1,
            Self::Tie => 0,
            Self::Second => -1,
        }
    }

    /// Reads `1`, `0` or `-1`; surrounding white space is allowed, as are `+1` and the fraction `.0`, which other
    /// programs write.
    pub fn parse(text: &str) -> Option<Self> {
        let text = text.trim();
        let (whole, zeros) = text.split_once('.').unwrap_or((text, "0"));
        if zeros.is_empty() || zeros.bytes().any(|digit| digit != b'0') {
            return None;
        }
        match whole {
            "1" | "+1" => Some(Self::First),
            "0" => Some(Self::Tie),
            "-1" => Some(Self::Second),
            _ => None,
        }
    }
}

impl fmt::Display for Verdict {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}", self.sign())
    }
}

/// The verdict that was given more often than each other one, by how often each of [`Verdict::ALL`] was given; `None`
/// where there is none.
pub fn majority(counts: [usize; 3]) -> Option<Verdict> {
    let most = counts.into_iter().max().unwrap_or(0);
    let mut with_most = Verdict::ALL.into_iter().filter(|verdict| counts[verdict.index()] == most);
    with_most.next().filter(|_| with_most.next().is_none())
}

/// The probabilities of the verdicts, in the order of [`Verdict::ALL`]; they sum to 1.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Probabilities(pub [f64; 3]);

impl Probabilities {
    /// The softmax of the logits. Swapping the logits of 1 and -1 swaps their probabilities to the last bit: the order
    /// of summation does not depend on which comes first.
    pub fn softmax(first: f64, tie: f64, second: f64) -> Self {
        let highest = first.max(second).max(tie);
        let [first, tie, second] = [first, tie, second].map(|logit| (logit - highest).exp());
        let sum = (first + second) + tie;
        Self([first / sum, tie / sum, second / sum])
    }

    /// The most probable verdict; a tie if 1 and -1 are equally probable, even if 0 is less so.
    pub fn verdict(self) -> Verdict {
        self.verdict_with(1.0)
    }

    /// The most probable verdict when the probability of a tie is multiplied by `tie_factor`; a tie if 1 and -1 are
    /// equally probable, whatever the factor.
    pub fn verdict_with(self, tie_factor: f64) -> Verdict {
        let [first, tie, second] = self.0;
        let tie = tie_factor * tie;
        if first > second && first > tie {
            Verdict::First
        } else if second > first && second > tie {
            Verdict::Second
        } else {
            Verdict::Tie
        }
    }

    /// The same probabilities with the odds of a tie multiplied by `times`; 1 and -1 keep their ratio. 0 rules out
    /// ties.
    pub fn with_tie_odds(self, times: f64) -> Self {
        let [first, tie, second] = self.0;
        let tie = times * tie;
        let sum = (first + second) + tie;
        if sum > 0.0 && sum.is_finite() { Self([first / sum, tie / sum, second / sum]) } else { self }
    }

    /// The probability of one verdict.
    pub fn probability(self, verdict: Verdict) -> f64 {
        self.0[verdict.index()]
    }

    /// The largest of the three probabilities.
    pub fn confidence(self) -> f64 {
        self.0.into_iter().fold(0.0, f64::max)
    }

    /// -ln of the probability of the human label; finite even if it is 0.
    pub fn log_loss(self, label: Verdict) -> f64 {
        -self.probability(label).max(f64::MIN_POSITIVE).ln()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_verdict_reads_what_it_writes() {
        for verdict in Verdict::ALL {
            assert_eq!(Verdict::parse(&verdict.to_string()), Some(verdict));
            assert_eq!(verdict.swapped().swapped(), verdict);
            assert_eq!(Verdict::ALL[verdict.index()], verdict);
        }
        for (text, verdict) in
            [("1.0", Verdict::First), ("+1", Verdict::First), (" -1.00 ", Verdict::Second), ("0.0", Verdict::Tie)]
        {
            assert_eq!(Verdict::parse(text), Some(verdict));
        }
        for text in ["2", "", "1.", "1.5", "-0", "+0", "1.0.0", ".0", "1e0"] {
            assert_eq!(Verdict::parse(text), None, "{text}");
        }
    }

    #[test]
    fn the_majority_is_alone() {
        assert_eq!(majority([1, 2, 1]), Some(Verdict::Tie));
        assert_eq!([majority([1, 1, 0]), majority([0; 3])], [None, None]);
    }

    #[test]
    fn swapping_swaps_to_the_last_bit() {
        for [first, tie, second] in [[0.3, -0.2, 0.1], [5.0, 5.0, -7.0], [800.0, 0.0, -800.0]] {
            let straight = Probabilities::softmax(first, tie, second);
            let swapped = Probabilities::softmax(second, tie, first);
            assert_eq!(straight.0, [swapped.0[2], swapped.0[1], swapped.0[0]]);
            assert_eq!(straight.verdict(), swapped.verdict().swapped());
            assert!((straight.0.iter().sum::<f64>() - 1.0).abs() < 1e-15);
        }
    }

    #[test]
    fn equal_hypotheses_are_a_tie() {
        assert_eq!(Probabilities([0.45, 0.1, 0.45]).verdict(), Verdict::Tie);
        assert_eq!(Probabilities([0.45, 0.45, 0.1]).verdict(), Verdict::Tie);
    }

    #[test]
    fn the_loss_is_finite() {
        assert!(Probabilities([1.0, 0.0, 0.0]).log_loss(Verdict::Second).is_finite());
        assert_eq!(Probabilities([1.0, 0.0, 0.0]).log_loss(Verdict::First), 0.0);
    }
}
