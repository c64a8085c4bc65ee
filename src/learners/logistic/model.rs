//! The trained regression: its judgments of pairs and of single hypotheses, and what they depend on.

use ndarray::Array1;
use serde::{Deserialize, Serialize};

use super::scales::{Scale, damping, fill};
use super::weights::{Logits, Weights};
use crate::features::{ColumnValue, Families, Schema, Table};
use crate::judgments::Probabilities;
use crate::learning::Predictor;
use crate::metrics::ratio;

/// A trained logistic regression.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct LinearModel {
    /// The scale of each column.
    pub scales: Vec<Scale>,
    /// The weights of the scaled features.
    pub weights: Weights,
    /// The norm of the gradient of the mean penalised loss at the weights: 0 at the optimum.
    pub gradient: f64,
}

impl LinearModel {
    /// The components of the logits for one row of a table; its probabilities follow from them.
    pub fn logits(&self, table: &Table, row: usize) -> Logits {
        let [x, t] = self.scaled(table, row);
        self.weights.logits(x.view(), t.view())
    }

    /// x and t of one row of a table.
    fn scaled(&self, table: &Table, row: usize) -> [Array1<f64>; 2] {
        let [mut x, mut t] = [self.weights.hypothesis.len(), self.weights.tie.len()].map(Array1::zeros);
        fill(&self.scales, table, row, x.view_mut(), t.view_mut());
        [x, t]
    }

    /// Whether each value of x of one row of a table is clipped.
    pub fn clipped(&self, table: &Table, row: usize) -> Vec<bool> {
        let damping = damping(table.reference_sentences[row]);
        let columns = self.scales.iter().zip(table.values(row));
        columns.filter_map(|(scale, value)| scale.is_clipped(value, damping)).collect()
    }

    /// w_j x_j of every hypothesis feature for one row of a table, with x scaled and clipped. Their sum is w.x, the
    /// preference for the first hypothesis; z(1) - z(-1) = 2 w.x.
    pub fn contributions(&self, table: &Table, row: usize) -> Vec<f64> {
        let [x, _] = self.scaled(table, row);
        self.weights.hypothesis.iter().zip(x).map(|(weight, x)| weight * x).collect()
    }

    /// The share of each family of features in the preferences on a table, the largest first.
    pub fn family_shares(&self, table: &Table, schema: &Schema) -> Vec<FamilyShare> {
        let families = Families::new(schema);
        let mut sums = vec![0.0; families.names().len()];
        for row in 0..table.len() {
            let of_row = families.sums(&self.contributions(table, row));
            sums.iter_mut().zip(of_row).for_each(|(sum, of_row)| *sum += f64::abs(of_row));
        }
        let all: f64 = sums.iter().sum();
        let share = |(family, (name, sum)): (usize, (&String, f64))| FamilyShare {
            name: name.clone(),
            features: families.of_column().iter().filter(|&&of| of == family).count(),
            share: ratio(sum, all),
        };
        let mut shares: Vec<FamilyShare> = families.names().iter().zip(sums).enumerate().map(share).collect();
        shares.sort_by(|a, b| b.share.total_cmp(&a.share));
        shares
    }

    /// s(h, r) as a function of a single hypothesis.
    pub fn preference(&self) -> Preference {
        let scales = self.scales.iter().filter(|scale| scale.difference.is_some());
        let terms = self.weights.hypothesis.iter().zip(scales);
        Preference { terms: terms.map(|(&weight, scale)| (ratio(weight, scale.divisor()), scale.clone())).collect() }
    }
}

/// s(h, r) = sum_j d_j w_j f_j / scale_j, where d_j is the [damping] of features other than recall. External values are
/// clamped to their [bounds](super::scales::Bounds) and not damped. Judges see pairs, not single hypotheses: half of what
/// a verdict contributes counts for the one, half against the other.
#[derive(Debug, Clone, PartialEq)]
pub struct Preference {
    /// For each column of x, w divided by its scale, or 0 for a constant column; and the scale.
    terms: Vec<(f64, Scale)>,
}

impl Preference {
    /// s of a hypothesis with these values, one for each column of x; NaN counts as 0. `reference_sentences` is the length
    /// of its reference.
    pub fn score(&self, values: impl IntoIterator<Item = f64>, reference_sentences: f64) -> f64 {
        let damping = damping(reference_sentences);
        let term = |((factor, scale), value): (&(f64, Scale), f64)| match value.is_nan() {
            true => 0.0,
            false => factor * scale.clamped(value) * if scale.damped { damping } else { 1.0 },
        };
        self.terms.iter().zip(values).map(term).sum()
    }

    /// s(h1, r) and s(h2, r) of a row of a table: their difference decides which hypothesis is preferred.
    pub fn scores(&self, table: &Table, row: usize) -> [f64; 2] {
        [0, 1].map(|side| {
            let values = table.values(row).filter_map(ColumnValue::of_each).map(|values| values[side]);
            self.score(values, table.reference_sentences[row])
        })
    }
}

/// The influence of a family of features on a judge's preferences.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct FamilyShare {
    /// The name of the metric or family.
    pub name: String,
    /// The number of its hypothesis features.
    pub features: usize,
    /// Over pairs, the sum of |sum_j w_j x_j| for j in the family, divided by its total over all families; in [0, 1].
    pub share: f64,
}

impl Predictor<Table> for LinearModel {
    fn probabilities(&self, table: &Table, row: usize) -> Probabilities {
        self.logits(table, row).probabilities()
    }
}
