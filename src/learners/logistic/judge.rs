//! In: scales and weights. Out: what they say of pairs and of single hypotheses. Next: model.

use ndarray::{Array1, ArrayView1};
use serde::{Deserialize, Serialize};

use super::design::Scales;
use super::weights::Weights;
use crate::features::Table;
use crate::judgments::Probabilities;
use crate::learning::Judge;
use crate::metrics::ratio;

/// What logistic regression learns.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct LinearJudge {
    /// What features are divided by.
    pub scales: Scales,
    /// What scaled features are multiplied by.
    pub weights: Weights,
    /// The norm of the gradient of the mean loss at the weights: how far from the optimum they are.
    pub gradient: f64,
}

impl LinearJudge {
    /// w_j x_j of every feature of a hypothesis for one row of a table, x scaled and clipped: their sum is the
    /// preference for the first hypothesis, z(1) - z(-1) = 2 w.x.
    pub fn contributions(&self, table: &Table, row: usize) -> Vec<f64> {
        let [first, second] = table.row(row);
        let sureness = self.scales.sureness(table.reference_lengths[row]);
        let contribution =
            |(at, weight): (usize, &f64)| weight * self.scales.difference(at, first[at], second[at], sureness);
        self.weights.hypothesis.iter().enumerate().map(contribution).collect()
    }

    /// What each feature of a hypothesis is multiplied by in s(h, r): w over its scale, 0 for a column that was
    /// constant.
    pub fn factors(&self) -> Vec<f64> {
        let factors = self.weights.hypothesis.iter().zip(&self.scales.hypothesis);
        factors.map(|(&weight, &scale)| ratio(weight, scale)).collect()
    }
}

/// s(h, r) = sum_j w_j f_j / scale_j, from the [factors](LinearJudge::factors) and the features of a hypothesis.
pub fn preference(factors: &[f64], features: ArrayView1<'_, f64>) -> f64 {
    factors.iter().zip(features).map(|(factor, feature)| factor * feature).sum()
}

impl Judge<Table> for LinearJudge {
    fn probabilities(&self, table: &Table, row: usize) -> Probabilities {
        let [first, second] = table.row(row);
        let scales = &self.scales;
        let sureness = scales.sureness(table.reference_lengths[row]);
        let x: Array1<f64> =
            (0..first.len()).map(|at| scales.difference(at, first[at], second[at], sureness)).collect();
        let symmetric = table.symmetric.row(row);
        let t: Array1<f64> = (0..symmetric.len()).map(|at| scales.symmetric(at, symmetric[at])).collect();
        self.weights.probabilities(x.view(), t.view())
    }

    fn scores(&self, table: &Table, row: usize) -> [f64; 2] {
        let factors = self.factors();
        table.row(row).map(|features| preference(&factors, features))
    }
}
