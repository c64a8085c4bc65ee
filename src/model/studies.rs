//! Stage 5h. In: what training sees. Out: what it would be with fewer features or fewer judgments. Next: report.

use std::collections::BTreeMap;

use rand::SeedableRng;
use rand::seq::SliceRandom;
use rand_chacha::ChaCha8Rng;
use rayon::prelude::*;
use serde::Serialize;

use super::settings::CheckedSettings;
use super::validation::{self, Folds, Labelled, OutOfFold, Trained};
use crate::error::Result;
use crate::features::choice::{family, is_of};
use crate::features::{Schema, Table};
use crate::judgments::Verdict;

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

/// The share of each family in the preferences of a model, the largest first.
pub fn families(trained: &Trained, table: &Table, schema: &Schema) -> Vec<FamilyShare> {
    let names: Vec<&str> = schema.hypothesis.iter().map(|feature| family(&feature.name)).collect();
    let mut sums: BTreeMap<&str, (usize, f64)> = BTreeMap::new();
    names.iter().for_each(|name| sums.entry(name).or_default().0 += 1);
    for row in 0..table.len() {
        let [first, second] = table.row(row);
        let sureness = trained.scales.sureness(table.reference_lengths[row]);
        let mut of_row: BTreeMap<&str, f64> = BTreeMap::new();
        for (column, name) in names.iter().enumerate() {
            let x = trained.scales.difference(column, first[column], second[column], sureness);
            *of_row.entry(name).or_default() += trained.weights.hypothesis[column] * x;
        }
        of_row.into_iter().for_each(|(name, sum)| sums.entry(name).or_default().1 += sum.abs());
    }
    let all: f64 = sums.values().map(|(_, sum)| sum).sum();
    let share = |(name, (features, sum)): (&str, (usize, f64))| FamilyShare {
        name: name.to_owned(),
        features,
        share: crate::metrics::ratio(sum, all),
    };
    let mut shares: Vec<FamilyShare> = sums.into_iter().map(share).collect();
    shares.sort_by(|a, b| b.share.total_cmp(&a.share));
    shares
}

/// What a model reaches whose features are others by one family.
#[derive(Debug, Clone, PartialEq)]
pub struct Ablated {
    /// The family; `+` before it where it was added, `-` where it was left out.
    pub name: String,
    /// What the model says out of fold.
    pub out_of_fold: OutOfFold,
}

/// Cross-validates once without each family of the chosen features, and once with each metric that was not chosen. The
/// table has the columns of `all`, of which `chosen` is a part. `progress` hears how many are done.
///
/// # Errors
/// What [`validation::cross_validate`] reports.
pub fn ablation(
    data: Labelled<'_>,
    all: &Schema,
    chosen: &Schema,
    settings: &CheckedSettings,
    progress: &(dyn Fn(usize) + Sync),
) -> Result<Vec<Ablated>> {
    let variants = variants(all, chosen);
    let judge = |(done, (name, schema)): (usize, (String, Schema))| {
        let table = data.table.narrowed(all, &schema);
        let out_of_fold = validation::cross_validate(Labelled { table: &table, ..data }, settings, &|_| ())?;
        progress(done + 1);
        Ok(Ablated { name, out_of_fold })
    };
    variants.into_iter().enumerate().map(judge).collect()
}

/// How many variants [`ablation`] tries.
pub fn ablations(all: &Schema, chosen: &Schema) -> usize {
    variants(all, chosen).len()
}

fn variants(all: &Schema, chosen: &Schema) -> Vec<(String, Schema)> {
    let mut names: Vec<&str> = all.hypothesis.iter().map(|feature| family(&feature.name)).collect();
    names.dedup();
    let variant = |name: &str| {
        let is_chosen = chosen.hypothesis.iter().any(|feature| family(&feature.name) == name);
        let keeps = |feature: &&crate::features::Feature, own: &[crate::features::Feature]| {
            if is_of(&feature.name, name) { !is_chosen } else { own.contains(feature) }
        };
        let schema = Schema {
            hypothesis: all.hypothesis.iter().filter(|feature| keeps(feature, &chosen.hypothesis)).cloned().collect(),
            pair: all.pair.iter().filter(|feature| keeps(feature, &chosen.pair)).cloned().collect(),
        };
        (format!("{}{name}", if is_chosen { '-' } else { '+' }), schema)
    };
    let pair = Schema { pair: Vec::new(), ..chosen.clone() };
    let variants = names.into_iter().map(variant).chain([("-pair".to_owned(), pair)]);
    // With the only family gone there would be nothing to learn from.
    variants.filter(|(_, schema)| !schema.hypothesis.is_empty()).collect()
}

/// What a model reaches that learned from a part of the references.
#[derive(Debug, Clone, PartialEq)]
pub struct CurvePoint {
    /// The part of each training part's groups.
    pub share: f64,
    /// The mean number of groups that a model learned from.
    pub groups: f64,
    /// One verdict a pair, out of fold.
    pub verdicts: Vec<Verdict>,
}

/// Parts of the references that the learning curve shows.
const SHARES: [f64; 4] = [0.125, 0.25, 0.5, 1.0];

/// Cross-validates with an eighth, a quarter, a half and all of the groups of every training part, drawn with the seed.
/// `progress` hears how many points are done, of four.
///
/// # Errors
/// What [`validation::train`] reports.
pub fn learning_curve(
    data: Labelled<'_>,
    settings: &CheckedSettings,
    progress: &(dyn Fn(usize) + Sync),
) -> Result<Vec<CurvePoint>> {
    let folds = Folds::of(data, settings)?;
    let point = |(done, share): (usize, f64)| {
        let of_fold = |fold: usize| -> Result<_> {
            let training = folds.without(&[fold]);
            let drawn = Draw::of(data, &training, share, settings.seed() + fold as u64);
            let trained = validation::train(data, &drawn.rows, settings)?;
            let judge = |row: usize| trained.weights.judge(&trained.scales, data.table, row);
            let verdict = |row: usize| (row, judge(row).verdict_with(trained.tie_factor));
            Ok((drawn.groups, folds.rows(fold).into_iter().map(verdict).collect::<Vec<_>>()))
        };
        let judged = (0..folds.count).into_par_iter().map(of_fold).collect::<Result<Vec<_>>>()?;
        let groups = judged.iter().map(|(groups, _)| *groups as f64).sum::<f64>() / folds.count as f64;
        let mut verdicts = vec![Verdict::Tie; data.labels.len()];
        judged.into_iter().flat_map(|(_, rows)| rows).for_each(|(row, verdict)| verdicts[row] = verdict);
        progress(done + 1);
        Ok(CurvePoint { share, groups, verdicts })
    };
    SHARES.into_iter().enumerate().map(point).collect()
}

/// Some groups of a training part.
struct Draw {
    rows: Vec<usize>,
    groups: usize,
}

impl Draw {
    fn of(data: Labelled<'_>, training: &[usize], share: f64, seed: u64) -> Self {
        let groups = data.groups.subset(training);
        let mut order: Vec<usize> = (0..groups.count).collect();
        order.shuffle(&mut ChaCha8Rng::seed_from_u64(seed));
        order.truncate(((share * groups.count as f64).round() as usize).max(1));
        let mut is_drawn = vec![false; groups.count];
        order.iter().for_each(|&group| is_drawn[group] = true);
        let drawn = training.iter().zip(&groups.of_pair).filter(|&(_, &group)| is_drawn[group]);
        Self { rows: drawn.map(|(&row, _)| row).collect(), groups: order.len() }
    }
}
