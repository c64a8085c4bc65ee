//! In: verdicts of people and of a system. Out: how many pairs of each group the system gets right. Next:
//! [`resampling`](super::resampling).

use crate::judgments::Verdict;
use crate::judgments::grouping::Groups;

/// The number of pairs of each group that a system gets right.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Correct {
    /// The number of correct pairs of each group.
    pub(super) right: Vec<u32>,
    /// The number of pairs of each group.
    pub(super) sizes: Vec<u32>,
}

impl Correct {
    /// Counts the pairs; both slices have one verdict per pair.
    pub fn of(people: &[Verdict], system: &[Verdict], groups: &Groups) -> Self {
        let (mut right, mut sizes) = (vec![0; groups.count], vec![0; groups.count]);
        for ((truth, said), &group) in people.iter().zip(system).zip(&groups.of_pair) {
            sizes[group] += 1;
            right[group] += u32::from(truth == said);
        }
        Self { right, sizes }
    }
}
