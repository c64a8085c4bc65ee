//! In: what people said, and what a system says. Out: how many pairs of each group it got right. Next:
//! [`resampling`](super::resampling).

use crate::judgments::Verdict;
use crate::judgments::grouping::Groups;

/// How many pairs of each group a system got right.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Correct {
    /// One number a group.
    pub(super) right: Vec<u32>,
    /// The number of pairs of each group.
    pub(super) sizes: Vec<u32>,
}

impl Correct {
    /// Counts; both slices have one verdict a pair.
    pub fn of(people: &[Verdict], system: &[Verdict], groups: &Groups) -> Self {
        let (mut right, mut sizes) = (vec![0; groups.count], vec![0; groups.count]);
        for ((truth, said), &group) in people.iter().zip(system).zip(&groups.of_pair) {
            sizes[group] += 1;
            right[group] += u32::from(truth == said);
        }
        Self { right, sizes }
    }
}
