//! The trained regression: its judgments of pairs and of single hypotheses, and what they depend on.

use ndarray::{Array1, ArrayView1};
use serde::{Deserialize, Serialize};

use super::scales::{ExternalScale, JudgeScale, Scales, damping};
use super::weights::{Logits, Weights};
use crate::features::{Families, Schema, Table};
use crate::judgments::Probabilities;
use crate::learning::Judge;
use crate::metrics::ratio;

/// A trained logistic regression.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct LinearJudge {
    /// The divisors of the features.
    pub scales: Scales,
    /// The weights of the scaled features.
    pub weights: Weights,
    /// The norm of the gradient of the mean penalised loss at the weights: 0 at the optimum.
    pub gradient: f64,
}

impl LinearJudge {
    /// The components of the logits for one row of a table; its probabilities follow from them.
    pub fn logits(&self, table: &Table, row: usize) -> Logits {
        let x = self.x(table, row);
        let mut t = Array1::zeros(self.weights.tie.len());
        self.scales.fill_t(table, row, t.view_mut());
        self.weights.logits(x.view(), t.view())
    }

    /// x of one row of a table.
    fn x(&self, table: &Table, row: usize) -> Array1<f64> {
        let mut x = Array1::zeros(self.weights.hypothesis.len());
        self.scales.fill_x(table, row, x.view_mut());
        x
    }

    /// w_j x_j of every hypothesis feature for one row of a table, with x scaled and clipped. Their sum is w.x, the
    /// preference for the first hypothesis; z(1) - z(-1) = 2 w.x.
    pub fn contributions(&self, table: &Table, row: usize) -> Vec<f64> {
        self.weights.hypothesis.iter().zip(self.x(table, row)).map(|(weight, x)| weight * x).collect()
    }

    /// The share of each family of features in the preferences on a table, the largest first.
    pub fn family_shares(&self, table: &Table, schema: &Schema) -> Vec<FamilyShare> {
        let families = Families::of(schema);
        let mut sums = vec![0.0; families.names().len()];
        for row in 0..table.len() {
            let of_row = families.sums(&self.contributions(table, row));
            sums.iter_mut().zip(of_row).for_each(|(sum, of_row)| *sum += f64::abs(of_row));
        }
        let all: f64 = sums.iter().sum();
        let share = |(family, (name, sum)): (usize, (&String, f64))| FamilyShare {
            name: name.clone(),
            features: families.of_feature().iter().filter(|&&of| of == family).count(),
            share: ratio(sum, all),
        };
        let mut shares: Vec<FamilyShare> = families.names().iter().zip(sums).enumerate().map(share).collect();
        shares.sort_by(|a, b| b.share.total_cmp(&a.share));
        shares
    }

    /// s(h, r) as a function of a single hypothesis.
    pub fn preference(&self) -> Preference {
        let (of_texts, of_own) = self.weights.hypothesis.split_at(self.scales.hypothesis.len());
        let factors = of_texts.iter().zip(&self.scales.hypothesis);
        let (of_own, of_judges) = of_own.split_at(self.scales.own.len());
        let own = of_own.iter().zip(&self.scales.own);
        let judges = of_judges.iter().zip(&self.scales.judges);
        Preference {
            factors: factors.map(|(&weight, &scale)| ratio(weight, scale)).collect(),
            damped: self.scales.damped.clone(),
            own: own.map(|(&weight, scale)| (ratio(weight, scale.difference), scale.clone())).collect(),
            judges: judges.map(|(&weight, scale)| (weight, scale.clone())).collect(),
        }
    }
}

/// s(h, r) = sum_j d_j w_j f_j / scale_j, where d_j is the [damping] of features other than recall. Values of own
/// metrics are clamped to their [bounds](ExternalScale) and not damped. Judges see pairs, not single hypotheses: half of
/// what a verdict contributes counts for the one, half against the other.
#[derive(Debug, Clone, PartialEq)]
pub struct Preference {
    /// w divided by its scale; 0 for a constant column.
    factors: Vec<f64>,
    damped: Vec<bool>,
    own: Vec<(f64, ExternalScale)>,
    judges: Vec<(f64, JudgeScale)>,
}

impl Preference {
    /// The contribution of own metrics to s; their values are oriented so that higher is better.
    pub fn of_own(&self, values: ArrayView1<'_, f64>) -> f64 {
        self.own.iter().zip(values).map(|((factor, scale), &value)| factor * scale.clamped(value)).sum()
    }

    /// s of a hypothesis with these features, without own metrics; `reference_sentences` is the length of its
    /// reference.
    pub fn of(&self, features: ArrayView1<'_, f64>, reference_sentences: f64) -> f64 {
        let damping = damping(reference_sentences);
        let of_feature =
            |((factor, feature), &damped): ((&f64, &f64), &bool)| factor * feature * if damped { damping } else { 1.0 };
        self.factors.iter().zip(features).zip(&self.damped).map(of_feature).sum()
    }

    /// s(h1, r) and s(h2, r) of a row of a table: their difference decides which hypothesis is preferred.
    pub fn scores(&self, table: &Table, row: usize) -> [f64; 2] {
        let sentences = table.reference_sentences[row];
        let of_texts = table.row(row).map(|features| self.of(features, sentences));
        let of_own = table.own(row).map(|values| self.of_own(values));
        let verdicts = self.judges.iter().zip(table.verdicts(row));
        let of_judges: f64 = verdicts.map(|((weight, scale), &verdict)| 0.5 * weight * scale.preference(verdict)).sum();
        [of_texts[0] + of_own[0] + of_judges, of_texts[1] + of_own[1] - of_judges]
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

impl Judge<Table> for LinearJudge {
    fn probabilities(&self, table: &Table, row: usize) -> Probabilities {
        self.logits(table, row).probabilities()
    }
}
