//! In: a system beside others on the same pairs. Out: its row of the report.

use serde::Serialize;

use super::contest::Contest;
use super::systems::{Chosen, Role};
use crate::evaluation::{Calibration, Classes, Comparison, Confusion, Interval, WithTies};

/// One system's row.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Row {
    /// The system's name.
    pub name: String,
    /// What the system is in the report.
    pub role: Role,
    /// The share of pairs on which it agrees with people.
    pub accuracy: f64,
    /// The lower end of the 95% interval, by bootstrap over groups.
    pub low: f64,
    /// The upper end of the interval.
    pub high: f64,
    /// See [`Confusion::kendall_tau`].
    pub kendall_tau: f64,
    /// What it said (columns 1, 0, -1) where people said what (rows 1, 0, -1).
    pub confusion: Confusion,
    /// Accuracy on decided pairs, and how well it does on each verdict.
    #[serde(flatten)]
    pub classes: Classes,
    /// How far its probabilities can be believed; absent where it gives none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub calibration: Option<Calibration>,
    /// What it reaches if it may say tie; only for metrics, and where folds choose the threshold.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub with_ties: Option<WithTies>,
    /// The metric that most folds chose; only for the best metric.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub chosen: Option<Chosen>,
    /// The first of the systems above it that gives the same verdict on every pair.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub same_as: Option<String>,
    /// How it compares with the baseline; absent for the baseline itself.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub against_baseline: Option<Comparison>,
    /// How it compares with the row of [`Report::against`](super::Report::against); absent for that row itself.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub against: Option<Comparison>,
}

impl Row {
    /// The row of the system at a place, beside the baseline and the system that all are compared with.
    pub(super) fn new(contest: &Contest<'_>, at: usize, baseline: Option<usize>, against: Option<usize>) -> Self {
        let system = &contest.systems[at];
        let confusion = Confusion::of(contest.people, &system.verdicts);
        let same = contest.systems[..at].iter().find(|other| other.verdicts == system.verdicts);
        let Interval { low, high } = contest.interval(at);
        let compare = |other: Option<usize>| other.filter(|&other| other != at).map(|other| contest.compare(at, other));
        let against_baseline = compare(baseline);
        Self {
            name: system.name.clone(),
            role: system.role,
            accuracy: confusion.accuracy(),
            low,
            high,
            kendall_tau: confusion.kendall_tau(),
            classes: Classes::of(&confusion),
            confusion,
            calibration: system.probabilities.as_ref().map(|given| Calibration::of(contest.people, given)),
            with_ties: system.with_ties,
            chosen: system.chosen.clone(),
            same_as: same.map(|other| other.name.clone()),
            against: if against == baseline { against_baseline } else { compare(against) },
            against_baseline,
        }
    }
}
