//! Stage 7d. In: what was judged besides the whole. Out: rows for files, families of features, ablation and learning curve.

use serde::Serialize;

use super::{DRAWS, EXCHANGES, Report, Row, System};
use crate::evaluation::{Calibration, Comparison, Confusion, Correct, bootstrap_interval, compare};
use crate::judgments::Verdict;
use crate::judgments::grouping::Groups;
use crate::model::studies::{Ablated, CurvePoint};

/// One of several files of judgments.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct FileRow {
    /// The file's name.
    pub name: String,
    /// How much each of its pairs counts in training, against the other files.
    pub weight: f64,
    /// The number of its pairs.
    pub rows: usize,
    /// The number of groups of its pairs that share a reference.
    pub groups: usize,
    /// The systems on its pairs.
    pub systems: Vec<Row>,
}

impl FileRow {
    /// Compares the systems on some of the pairs.
    pub fn of(
        name: String,
        weight: f64,
        rows: &[usize],
        people: &[Verdict],
        groups: &Groups,
        systems: &[System],
        seed: u64,
    ) -> Self {
        let people: Vec<Verdict> = rows.iter().map(|&row| people[row]).collect();
        let systems: Vec<System> = systems.iter().map(|system| system.of_rows(rows)).collect();
        let Report { rows, groups, systems, .. } = Report::of(&people, &groups.subset(rows), &systems, 0, seed);
        Self { name, weight, rows, groups, systems }
    }
}

/// What the model reaches without a family of features, or with one more.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct AblationRow {
    /// The family, `-` or `+` before it.
    pub name: String,
    /// Its accuracy out of fold.
    pub accuracy: f64,
    /// How that compares with the ensemble's.
    pub against_ensemble: Comparison,
    /// Its log loss less that of the ensemble: above 0, the family is worth having.
    pub log_loss_difference: f64,
}

impl AblationRow {
    /// Compares with the ensemble, whose verdicts and probabilities are given as a system.
    pub fn of(ablated: &Ablated, ensemble: &System, people: &[Verdict], groups: &Groups, seed: u64) -> Self {
        let [own, whole] =
            [&ablated.out_of_fold.verdicts, &ensemble.verdicts].map(|verdicts| Correct::of(people, verdicts, groups));
        let loss = |probabilities: &[_]| Calibration::of(people, probabilities).log_loss;
        let whole_loss = ensemble.probabilities.as_deref().map_or(0.0, loss);
        Self {
            name: ablated.name.clone(),
            accuracy: Confusion::of(people, &ablated.out_of_fold.verdicts).accuracy(),
            against_ensemble: compare(&own, &whole, DRAWS, EXCHANGES, seed),
            log_loss_difference: loss(&ablated.out_of_fold.probabilities) - whole_loss,
        }
    }
}

/// What the model reaches that learned from a part of the references.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct CurveRow {
    /// The part of the references of each training part.
    pub share: f64,
    /// The mean number of groups of references that a model learned from.
    pub groups: f64,
    /// Accuracy out of fold.
    pub accuracy: f64,
    /// The lower end of its 95% interval.
    pub low: f64,
    /// The upper end.
    pub high: f64,
}

impl CurveRow {
    /// Judges a point of the curve.
    pub fn of(point: &CurvePoint, people: &[Verdict], groups: &Groups, seed: u64) -> Self {
        let interval = bootstrap_interval(&Correct::of(people, &point.verdicts, groups), DRAWS, seed);
        Self {
            share: point.share,
            groups: point.groups,
            accuracy: Confusion::of(people, &point.verdicts).accuracy(),
            low: interval.low,
            high: interval.high,
        }
    }
}
