//! In: systems on the same pairs. Out: intervals, and comparisons of any two, from the same draws. Next: rows, answer,
//! matrix.

use super::System;
use crate::evaluation::{Bootstrap, Comparison, Correct, Interval, McNemar, compare_within};
use crate::judgments::Verdict;
use crate::judgments::grouping::Groups;

/// Rounds of the bootstrap; more change the third digit of an interval's width.
pub(super) const DRAWS: usize = 2000;

/// Rounds of the paired test; p cannot be less than one part in them.
pub(super) const EXCHANGES: usize = 10_000;

/// Systems beside what people said.
pub(super) struct Contest<'a> {
    pub people: &'a [Verdict],
    pub systems: &'a [System],
    correct: Vec<Correct>,
    draws: Bootstrap,
    seed: u64,
}

impl<'a> Contest<'a> {
    /// Draws whole groups for all systems.
    pub fn new(people: &'a [Verdict], groups: &Groups, systems: &'a [System], seed: u64) -> Self {
        let correct: Vec<Correct> =
            systems.iter().map(|system| Correct::of(people, &system.verdicts, groups)).collect();
        let draws = Bootstrap::of(&correct, DRAWS, seed);
        Self { people, systems, correct, draws, seed }
    }

    pub fn interval(&self, at: usize) -> Interval {
        self.draws.interval(at)
    }

    /// How one system compares with another.
    pub fn compare(&self, at: usize, other: usize) -> Comparison {
        let interval = self.draws.difference(at, other);
        compare_within(&self.correct[at], &self.correct[other], interval, EXCHANGES, self.seed)
    }

    /// McNemar's test of two systems, over groups, or exact where every pair stands for itself.
    pub fn mcnemar(&self, at: usize, other: usize, has_groups: bool) -> McNemar {
        let [one, two] = [at, other].map(|at| self.systems[at].verdicts.as_slice());
        if has_groups {
            McNemar::clustered(self.people, [one, two], [&self.correct[at], &self.correct[other]])
        } else {
            McNemar::exact(self.people, one, two)
        }
    }
}
