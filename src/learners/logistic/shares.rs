//! In: a judge and the table that it learned from. Out: how much each family of features has to say. Next: report.

use std::collections::BTreeMap;

use serde::Serialize;

use super::judge::LinearJudge;
use crate::features::choice::family;
use crate::features::{Schema, Table, own_name};
use crate::metrics::ratio;

/// How much a family of features has to say.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct FamilyShare {
    /// The name of the metric or family.
    pub name: String,
    /// Its features of a hypothesis.
    pub features: usize,
    /// The mean over pairs of |sum_j w_j x_j|, j of the family, over the sum of all families; in [0, 1].
    pub share: f64,
}

/// The share of each family in the preferences of a judge, the largest first.
pub fn families(judge: &LinearJudge, table: &Table, schema: &Schema) -> Vec<FamilyShare> {
    let of_own: Vec<String> = schema.own.iter().map(own_name).collect();
    let of_texts = schema.hypothesis.iter().map(|feature| family(&feature.name));
    let names: Vec<&str> = of_texts.chain(of_own.iter().map(String::as_str)).collect();
    let mut sums: BTreeMap<&str, (usize, f64)> = BTreeMap::new();
    names.iter().for_each(|name| sums.entry(name).or_default().0 += 1);
    // The place of each feature's family among all families.
    let places: Vec<usize> = names.iter().filter_map(|name| sums.keys().position(|family| family == name)).collect();
    for row in 0..table.len() {
        let mut of_row = vec![0.0; sums.len()];
        for (&place, contribution) in places.iter().zip(judge.contributions(table, row)) {
            of_row[place] += contribution;
        }
        sums.values_mut().zip(of_row).for_each(|((_, sum), of_row)| *sum += f64::abs(of_row));
    }
    let all: f64 = sums.values().map(|(_, sum)| sum).sum();
    let share = |(name, (features, sum)): (&str, (usize, f64))| FamilyShare {
        name: name.to_owned(),
        features,
        share: ratio(sum, all),
    };
    let mut shares: Vec<FamilyShare> = sums.into_iter().map(share).collect();
    shares.sort_by(|a, b| b.share.total_cmp(&a.share));
    shares
}
