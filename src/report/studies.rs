//! Rows for what is judged on parts of the data or with other features: files and values of a column, ablation, learning curve,
//! and the shares of feature families over folds.

use indexmap::IndexMap;
use rayon::prelude::*;
use serde::Serialize;

use super::details::FamilyRange;
use super::systems::{Row, System};
use crate::evaluation::Groups;
use crate::evaluation::{Calibration, Comparison, Confusion, Correct, Estimate, PairedTests};
use crate::judgments::{NO_PART, Probabilities, Verdict};
use crate::learners::logistic::FamilyShare;
use crate::learning::{CurvePoint, OutOfFold};

/// What [`Breakdown::by`] is of several files.
pub const FILE: &str = "file";

/// The systems on parts of the pairs, such as several files, or the values of a column.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Breakdown {
    /// What the parts are: `file`, or the name of a column.
    pub by: String,
    /// The parts, in order of their first pair.
    pub parts: Vec<PartRow>,
    /// The mean accuracy of each system over the parts, each of which counts alike.
    pub macro_averages: Vec<MacroAverage>,
}

/// The mean over parts of a system's accuracies.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct MacroAverage {
    /// The system's name.
    pub name: String,
    /// The mean, with its interval: see [`Correct::macro_average`].
    #[serde(flatten)]
    pub accuracy: Estimate,
}

/// Some of the pairs: their name, the weight of each in training, and their rows, ascending.
#[derive(Debug, Clone, PartialEq)]
pub struct Part {
    /// The name.
    pub name: String,
    /// The weight, relative to that of other parts; `None` without training.
    pub weight: Option<f64>,
    /// The rows.
    pub rows: Vec<usize>,
}

impl Part {
    /// The values of a column, one for each row; rows without one are a part, too.
    pub fn of_column<'v>(values: impl IntoIterator<Item = Option<&'v str>>) -> Vec<Self> {
        let mut parts: IndexMap<&str, Vec<usize>> = IndexMap::new();
        for (row, value) in values.into_iter().enumerate() {
            parts.entry(value.unwrap_or(NO_PART)).or_default().push(row);
        }
        parts.into_iter().map(|(name, rows)| Self { name: name.to_owned(), weight: None, rows }).collect()
    }

    /// Several files, of which each has so many pairs and a name; empty for one.
    pub fn of_files(files: impl IntoIterator<Item = (String, Option<f64>, usize)>) -> Vec<Self> {
        let mut end = 0;
        let part = |(name, weight, count)| {
            let start = end;
            end += count;
            Self { name, weight, rows: (start..end).collect() }
        };
        let parts: Vec<Self> = files.into_iter().map(part).collect();
        if parts.len() > 1 { parts } else { Vec::new() }
    }
}

impl Breakdown {
    /// Judges the systems on each part.
    pub fn new(by: &str, parts: Vec<Part>, labels: &[Verdict], groups: &Groups, systems: &[System]) -> Self {
        let macro_average = |system: &System| {
            let of_part = |part: &Part| {
                let labels: Vec<Verdict> = part.rows.iter().map(|&row| labels[row]).collect();
                let of_row = part.rows.iter().map(|&row| groups.of_row[row]).collect();
                system.of_rows(&part.rows).correct(&labels, &Groups { of_row, count: groups.count })
            };
            let accuracy = Correct::macro_average(&parts.iter().map(of_part).collect::<Vec<_>>())?;
            Some(MacroAverage { name: system.name.clone(), accuracy })
        };
        let macro_averages = systems.par_iter().filter_map(macro_average).collect();
        let row = |Part { name, weight, rows }: &Part| {
            let labels: Vec<Verdict> = rows.iter().map(|&row| labels[row]).collect();
            let systems: Vec<System> = systems.iter().map(|system| system.of_rows(rows)).collect();
            let groups = groups.subset(rows);
            PartRow {
                name: name.clone(),
                weight: *weight,
                rows: rows.len(),
                groups: groups.count,
                systems: Row::all(&labels, &groups, &systems),
            }
        };
        Self { by: by.to_owned(), parts: parts.iter().map(row).collect(), macro_averages }
    }

    /// The macro average of that system.
    pub(super) fn macro_average(&self, name: &str) -> Option<Estimate> {
        self.macro_averages.iter().find(|average| average.name == name).map(|average| average.accuracy)
    }
}

/// The row of a part of the pairs.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct PartRow {
    /// The part's name.
    pub name: String,
    /// The weight of each of its pairs in training, relative to other parts.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub weight: Option<f64>,
    /// The number of its pairs.
    pub rows: usize,
    /// The number of groups of its pairs that share a reference.
    pub groups: usize,
    /// The systems on its pairs.
    pub systems: Vec<Row>,
}

/// The model's accuracy without a family of features, or with one more.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct AblationRow {
    /// The family, with `-` or `+` before it.
    pub name: String,
    /// The accuracy out of fold with these features, in [0, 1].
    pub accuracy: f64,
    /// The comparison with the ensemble.
    pub against_ensemble: Comparison,
    /// The log loss with these features minus the ensemble's: above 0, the ensemble's features are better.
    pub log_loss_difference: f64,
}

impl AblationRow {
    /// Compares judges with other sets of features, out of fold, with the ensemble.
    pub fn all<J>(others: &[System], ensemble: &OutOfFold<J>, labels: &[Verdict], groups: &Groups) -> Vec<Self> {
        let verdicts = others.iter().map(|other| &other.verdicts).chain([&ensemble.verdicts]);
        let correct = verdicts.map(|verdicts| Correct::new(labels, verdicts, groups)).collect();
        let tests = PairedTests::new(correct);
        let loss = |given: &[Probabilities]| Calibration::new(labels, given).log_loss;
        let loss_of_ensemble = loss(&ensemble.probabilities);
        let row = |(at, other): (usize, &System)| Self {
            name: other.name.clone(),
            accuracy: Confusion::new(labels, &other.verdicts).accuracy(),
            against_ensemble: tests.compare(at, others.len()),
            log_loss_difference: loss(other.probabilities.as_deref().unwrap_or_default()) - loss_of_ensemble,
        };
        others.par_iter().enumerate().map(row).collect()
    }
}

/// The accuracy of models that learned from a part of the references.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct CurveRow {
    /// The share of the references of each training part, in [0, 1].
    pub share: f64,
    /// The mean number of groups of references that a model learned from.
    pub groups: f64,
    /// The accuracy out of fold, in [0, 1].
    pub accuracy: f64,
    /// The lower end of its 95% interval.
    pub low: f64,
    /// The upper end of the interval.
    pub high: f64,
}

impl CurveRow {
    /// Computes accuracy and interval of a point of the curve.
    pub fn new(point: &CurvePoint, labels: &[Verdict], groups: &Groups) -> Self {
        let interval = Correct::new(labels, &point.verdicts, groups).interval();
        Self {
            share: point.share,
            groups: point.groups,
            accuracy: Confusion::new(labels, &point.verdicts).accuracy(),
            low: interval.low,
            high: interval.high,
        }
    }
}

impl FamilyRange {
    /// The families of a model, each with its smallest and largest share in this model and those of the folds.
    pub(crate) fn all(shares: &[FamilyShare], of_folds: &[Vec<FamilyShare>]) -> Vec<Self> {
        let range = |FamilyShare { name, features, share }: &FamilyShare| {
            let in_folds = || of_folds.iter().flatten().filter(|other| other.name == *name).map(|other| other.share);
            Self {
                name: name.clone(),
                features: *features,
                share: *share,
                low: in_folds().fold(*share, f64::min),
                high: in_folds().fold(*share, f64::max),
            }
        };
        shares.iter().map(range).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_range_is_over_the_folds_and_the_model() {
        let share = |name: &str, share: f64| FamilyShare { name: name.to_owned(), features: 2, share };
        let folds = [vec![share("bleu", 0.3), share("ter", 0.1)], vec![share("ter", 0.2), share("bleu", 0.5)]];
        let found = FamilyRange::all(&[share("bleu", 0.4), share("ter", 0.3)], &folds);
        let range = |name: &str, share, low, high| FamilyRange { name: name.to_owned(), features: 2, share, low, high };
        assert_eq!(found, [range("bleu", 0.4, 0.3, 0.5), range("ter", 0.3, 0.1, 0.3)]);
    }
}
