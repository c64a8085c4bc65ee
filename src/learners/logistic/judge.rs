//! In: scales and weights. Out: what they say of pairs and of single hypotheses. Next: model.

use ndarray::{Array1, ArrayView1};
use serde::{Deserialize, Serialize};

use super::design::{Scales, damping};
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
        let damping = damping(table.reference_sentences[row]);
        let contribution =
            |(at, weight): (usize, &f64)| weight * self.scales.difference(at, first[at], second[at], damping);
        self.weights.hypothesis.iter().enumerate().map(contribution).collect()
    }

    /// s(h, r) by itself.
    pub fn preference(&self) -> Preference {
        let factors = self.weights.hypothesis.iter().zip(&self.scales.hypothesis);
        Preference {
            factors: factors.map(|(&weight, &scale)| ratio(weight, scale)).collect(),
            damped: self.scales.damped.clone(),
        }
    }
}

/// s(h, r) = sum_j d_j w_j f_j / scale_j, where d_j is the [damping] of features other than recall.
#[derive(Debug, Clone, PartialEq)]
pub struct Preference {
    /// w over its scale, 0 for a column that was constant.
    factors: Vec<f64>,
    damped: Vec<bool>,
}

impl Preference {
    /// s of a hypothesis with these features and a reference of that many sentences.
    pub fn of(&self, features: ArrayView1<'_, f64>, reference_sentences: f64) -> f64 {
        let damping = damping(reference_sentences);
        let of_feature =
            |((factor, feature), &damped): ((&f64, &f64), &bool)| factor * feature * if damped { damping } else { 1.0 };
        self.factors.iter().zip(features).zip(&self.damped).map(of_feature).sum()
    }
}

impl Judge<Table> for LinearJudge {
    fn probabilities(&self, table: &Table, row: usize) -> Probabilities {
        let [first, second] = table.row(row);
        let scales = &self.scales;
        let damping = damping(table.reference_sentences[row]);
        let x: Array1<f64> = (0..first.len()).map(|at| scales.difference(at, first[at], second[at], damping)).collect();
        let symmetric = table.symmetric.row(row);
        let t: Array1<f64> = (0..symmetric.len()).map(|at| scales.symmetric(at, symmetric[at])).collect();
        self.weights.probabilities(x.view(), t.view())
    }

    fn scores(&self, table: &Table, row: usize) -> [f64; 2] {
        let preference = self.preference();
        table.row(row).map(|features| preference.of(features, table.reference_sentences[row]))
    }
}
