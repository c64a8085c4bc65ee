//! Stage 5d. In: features of a pair. Out: the probability of each verdict. Next: evaluation, `predict`.

use ndarray::{Array1, ArrayView1};
use serde::{Deserialize, Serialize};

use super::design::Scales;
use crate::features::Table;
use crate::judgments::Verdict;

/// What training finds: a weight for each scaled feature.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Weights {
    /// w: how much a feature of a hypothesis speaks for it.
    pub hypothesis: Vec<f64>,
    /// u: how much a feature of a pair speaks for a difference.
    pub decided: Vec<f64>,
    /// v: how much a feature of a pair speaks for a tie.
    pub tie: Vec<f64>,
    /// c, the intercept of 1 and of -1.
    pub decided_intercept: f64,
    /// b, the intercept of 0.
    pub tie_intercept: f64,
}

/// The probabilities of the verdicts, in the order of [`Verdict::ALL`]; they sum to 1.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Probabilities(pub [f64; 3]);

impl Probabilities {
    /// The softmax of logits. Swapped logits of 1 and -1 give swapped probabilities to the last bit: the order of the
    /// sum does not depend on which comes first.
    pub fn softmax(first: f64, tie: f64, second: f64) -> Self {
        let highest = first.max(second).max(tie);
        let [first, tie, second] = [first, tie, second].map(|logit| (logit - highest).exp());
        let sum = (first + second) + tie;
        Self([first / sum, tie / sum, second / sum])
    }

    /// The likeliest verdict; a tie where 1 and -1 are equally probable and neither less than 0.
    pub fn verdict(self) -> Verdict {
        self.verdict_with(1.0)
    }

    /// The verdict where a tie counts `tie_factor` times its probability, see [`super::ties`]; a tie where 1 and -1 are
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

    /// The probability of one verdict.
    pub fn of(self, verdict: Verdict) -> f64 {
        self.0[verdict.index()]
    }
}

impl Weights {
    /// All weights zero.
    pub fn zero(hypothesis: usize, pair: usize) -> Self {
        Self {
            hypothesis: vec![0.0; hypothesis],
            decided: vec![0.0; pair],
            tie: vec![0.0; pair],
            decided_intercept: 0.0,
            tie_intercept: 0.0,
        }
    }

    /// The probabilities for scaled features x and t of one pair.
    pub fn probabilities(&self, x: ArrayView1<'_, f64>, t: ArrayView1<'_, f64>) -> Probabilities {
        let preference = dot(&self.hypothesis, x);
        let decided = dot(&self.decided, t) + self.decided_intercept;
        let tie = dot(&self.tie, t) + self.tie_intercept;
        Probabilities::softmax(decided + preference, tie, decided - preference)
    }

    /// The probabilities for one row of a table.
    pub fn judge(&self, scales: &Scales, table: &Table, row: usize) -> Probabilities {
        let [first, second] = table.row(row);
        let sureness = scales.sureness(table.reference_lengths[row]);
        let x: Array1<f64> =
            (0..first.len()).map(|at| scales.difference(at, first[at], second[at], sureness)).collect();
        let symmetric = table.symmetric.row(row);
        let t: Array1<f64> = (0..symmetric.len()).map(|at| scales.symmetric(at, symmetric[at])).collect();
        self.probabilities(x.view(), t.view())
    }
}

fn dot(weights: &[f64], values: ArrayView1<'_, f64>) -> f64 {
    weights.iter().zip(values).map(|(weight, value)| weight * value).sum()
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
}
