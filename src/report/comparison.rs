//! Intervals of systems on the same pairs, and comparisons between them, all from the same resamples.

use rayon::prelude::*;
use serde::Serialize;

use super::systems::System;
use crate::evaluation::{Comparison, Correct, Interval, McNemar, PairedTests};
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
