//! The rows of systems on the same pairs, with intervals and comparisons from the same resamples.

use rayon::prelude::*;
use serde::Serialize;

use super::systems::{Chosen, Role, System};
use crate::evaluation::{
    Calibration, Classes, Comparison, Confusion, Correct, Interval, McNemar, PairedTests, WithTies,
};
use crate::judgments::Verdict;
use crate::judgments::grouping::Groups;

/// Rounds of the bootstrap; more would only change the third digit of an interval's width.
pub(super) const DRAWS: usize = 2000;

/// Rounds of the paired test; p is at least 1 / (1 + rounds).
pub(super) const EXCHANGES: usize = 10_000;

/// Systems and people's verdicts on the same pairs.
pub(super) struct PairedComparison<'a> {
    pub people: &'a [Verdict],
    pub systems: &'a [System],
    tests: PairedTests,
}

impl<'a> PairedComparison<'a> {
    /// Resamples whole groups, with the same draws for all systems.
    pub fn new(people: &'a [Verdict], groups: &Groups, systems: &'a [System], seed: u64) -> Self {
        let correct = systems.iter().map(|system| Correct::of(people, &system.verdicts, groups)).collect();
        Self { people, systems, tests: PairedTests::of(correct, DRAWS, EXCHANGES, seed) }
    }

    pub fn interval(&self, at: usize) -> Interval {
        self.tests.interval(at)
    }

    /// Compares the system `at` with `other`.
    pub fn compare(&self, at: usize, other: usize) -> Comparison {
        self.tests.compare(at, other)
    }

    /// McNemar's test of two systems: clustered over groups, or exact for independent pairs.
    pub fn mcnemar(&self, at: usize, other: usize, has_groups: bool) -> McNemar {
        let [one, two] = [at, other].map(|at| self.systems[at].verdicts.as_slice());
        if has_groups {
            McNemar::clustered(self.people, [one, two], [at, other].map(|at| self.tests.correct(at)))
        } else {
            McNemar::exact(self.people, one, two)
        }
    }

    /// Compares all systems.
    pub fn matrix(&self) -> Matrix {
        let count = self.systems.len();
        let pairs: Vec<(usize, usize)> = (0..count).flat_map(|row| (0..row).map(move |column| (row, column))).collect();
        let compared: Vec<_> = pairs.par_iter().map(|&(row, column)| self.compare(row, column)).collect();
        let (mut differences, mut p_values) = (vec![vec![0.0; count]; count], vec![vec![1.0; count]; count]);
        for (&(row, column), found) in pairs.iter().zip(&compared) {
            // Avoids -0.0.
            (differences[row][column], differences[column][row]) = (found.difference, 0.0 - found.difference);
            (p_values[row][column], p_values[column][row]) = (found.p_value, found.p_value);
        }
        Matrix { names: self.systems.iter().map(|system| system.name.clone()).collect(), differences, p_values }
    }
}

/// Pairwise comparisons of all systems. Matrices are (systems, systems).
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Matrix {
    /// The systems of rows and columns, in the order of the report.
    pub names: Vec<String>,
    /// The accuracy of the row's system minus that of the column's.
    pub differences: Vec<Vec<f64>>,
    /// The p-values of the differences, see [`crate::evaluation::PairedTests::compare`]; 1 on the diagonal. They are not corrected
    /// for multiple tests.
    pub p_values: Vec<Vec<f64>>,
}

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
    pub(super) fn new(
        paired: &PairedComparison<'_>,
        at: usize,
        baseline: Option<usize>,
        against: Option<usize>,
    ) -> Self {
        let system = &paired.systems[at];
        let confusion = Confusion::of(paired.people, &system.verdicts);
        let same = paired.systems[..at].iter().find(|other| other.verdicts == system.verdicts);
        let Interval { low, high } = paired.interval(at);
        let compare = |other: Option<usize>| other.filter(|&other| other != at).map(|other| paired.compare(at, other));
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
            calibration: system.probabilities.as_ref().map(|given| Calibration::of(paired.people, given)),
            with_ties: system.with_ties,
            chosen: system.chosen.clone(),
            same_as: same.map(|other| other.name.clone()),
            against: if against == baseline { against_baseline } else { compare(against) },
            against_baseline,
        }
    }
}
