use serde::{Deserialize, Serialize};

use super::Verdict;

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
    pub fn of(self, verdict: Verdict) -> f64 {
        self.0[verdict.index()]
    }

    /// The largest of the three probabilities.
    pub fn confidence(self) -> f64 {
        self.0.into_iter().fold(0.0, f64::max)
    }

    /// -ln of the probability of the human label; finite even if it is 0.
    pub fn log_loss(self, label: Verdict) -> f64 {
        -self.of(label).max(f64::MIN_POSITIVE).ln()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

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
