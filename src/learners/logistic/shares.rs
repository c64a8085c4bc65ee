//! In: a judge and the table that it learned from. Out: the influence of each family of features. Next: report.

use serde::Serialize;

use super::judge::LinearJudge;
use crate::features::{Families, Schema, Table};
use crate::metrics::ratio;

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

/// The share of each family in the preferences of a judge, the largest first.
pub fn families(judge: &LinearJudge, table: &Table, schema: &Schema) -> Vec<FamilyShare> {
    let families = Families::of(schema);
    let mut sums = vec![0.0; families.names().len()];
    for row in 0..table.len() {
        let of_row = families.sums(&judge.contributions(table, row));
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
