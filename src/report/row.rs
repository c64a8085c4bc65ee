//! In: a system among others on the same pairs. Out: its row of the report.

use serde::Serialize;

use super::contest::Contest;
use super::systems::{Chosen, Role};
use crate::evaluation::{Calibration, Classes, Comparison, Confusion, Interval, WithTies};

/// One system's row.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Row {
    /// The system's name.
    pub name: String,
    /// Its role in the report.
    pub role: Role,
    /// The share of pairs on which it agrees with people, in [0, 1].
    pub accuracy: f64,
    /// The lower end of the 95% interval, by bootstrap over groups.
    pub low: f64,
    /// The upper end of the interval.
    pub high: f64,
    /// See [`Confusion::kendall_tau`].
    pub kendall_tau: f64,
    /// The confusion matrix: people's verdicts (rows 1, 0, -1) by the system's (columns 1, 0, -1).
    pub confusion: Confusion,
    /// Accuracy on decided pairs; precision, recall and F1 of each verdict.
    #[serde(flatten)]
    pub classes: Classes,
    /// The calibration of its probabilities; absent if it gives none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub calibration: Option<Calibration>,
    /// Its accuracy with a tie threshold; only for metrics, and where folds are there to tune it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub with_ties: Option<WithTies>,
    /// The metric chosen for most folds; only for the best metric.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub chosen: Option<Chosen>,
    /// The first of the systems above it with the same verdict on every pair.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub same_as: Option<String>,
    /// The comparison with the baseline; absent for the baseline itself.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub against_baseline: Option<Comparison>,
    /// The comparison with the system [`Report::against`](super::Report::against); absent for that system itself.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub against: Option<Comparison>,
}

impl Row {
    /// The row of the system `at`, compared with the systems at `baseline` and `against`.
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
