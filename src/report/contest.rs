//! In: systems on the same pairs. Out: intervals and pairwise comparisons, from the same draws. Next: rows, answer,
//! matrix.

use super::System;
use crate::evaluation::{Bootstrap, Comparison, Correct, Interval, McNemar, compare_within};
use crate::judgments::Verdict;
use crate::judgments::grouping::Groups;

/// Rounds of the bootstrap; more would only change the third digit of an interval's width.
pub(super) const DRAWS: usize = 2000;

/// Rounds of the paired test; p is at least 1 / (1 + rounds).
pub(super) const EXCHANGES: usize = 10_000;

/// Systems and people's verdicts on the same pairs.
pub(super) struct Contest<'a> {
    pub people: &'a [Verdict],
    pub systems: &'a [System],
    correct: Vec<Correct>,
    draws: Bootstrap,
    seed: u64,
}

impl<'a> Contest<'a> {
    /// Resamples whole groups, with the same draws for all systems.
    pub fn new(people: &'a [Verdict], groups: &Groups, systems: &'a [System], seed: u64) -> Self {
        let correct: Vec<Correct> =
            systems.iter().map(|system| Correct::of(people, &system.verdicts, groups)).collect();
        let draws = Bootstrap::of(&correct, DRAWS, seed);
        Self { people, systems, correct, draws, seed }
    }

    pub fn interval(&self, at: usize) -> Interval {
        self.draws.interval(at)
    }

    /// Compares the system `at` with `other`.
    pub fn compare(&self, at: usize, other: usize) -> Comparison {
        let interval = self.draws.difference(at, other);
        compare_within(&self.correct[at], &self.correct[other], interval, EXCHANGES, self.seed)
    }

    /// McNemar's test of two systems: clustered over groups, or exact for independent pairs.
    pub fn mcnemar(&self, at: usize, other: usize, has_groups: bool) -> McNemar {
        let [one, two] = [at, other].map(|at| self.systems[at].verdicts.as_slice());
        if has_groups {
            McNemar::clustered(self.people, [one, two], [&self.correct[at], &self.correct[other]])
        } else {
            McNemar::exact(self.people, one, two)
        }
    }
}
