//! In: a system's verdicts and probabilities. Out: its most confident mistakes, and the pairs it was most confidently
//! right about. Next: report.

use crate::judgments::grouping::Groups;
use crate::judgments::{Probabilities, Verdict};

/// The most confident mistakes and successes of a system, at most one per group, so that they are varied.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Extremes {
    /// Indices of pairs on which the system disagrees with people, in ascending order of the probability of people's
    /// verdict.
    pub most_wrong: Vec<usize>,
    /// Indices of pairs on which it agrees, in descending order of that probability.
    pub most_right: Vec<usize>,
}

impl Extremes {
    /// Finds at most `count` pairs of each kind; pairs with equal probabilities keep their order.
    pub fn of(
        people: &[Verdict],
        verdicts: &[Verdict],
        probabilities: &[Probabilities],
        groups: &Groups,
        count: usize,
    ) -> Self {
        let given = |row: usize| probabilities[row].of(people[row]);
        let (mut right, mut wrong): (Vec<usize>, Vec<usize>) =
            (0..people.len()).partition(|&row| verdicts[row] == people[row]);
        wrong.sort_by(|&one, &other| given(one).total_cmp(&given(other)));
        right.sort_by(|&one, &other| given(other).total_cmp(&given(one)));
        let first_of_groups = |rows: Vec<usize>| {
            let mut is_seen = vec![false; groups.count];
            let is_new = |&row: &usize| !std::mem::replace(&mut is_seen[groups.of_pair[row]], true);
            rows.into_iter().filter(is_new).take(count).collect()
        };
        Self { most_wrong: first_of_groups(wrong), most_right: first_of_groups(right) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use Verdict::{First, Second, Tie};

    #[test]
    fn the_least_and_the_most_probable_come_first_one_a_group() {
        let people = [First, Second, Tie, First, Second, First];
        let given =
            [[0.1, 0.2, 0.7], [0.6, 0.2, 0.2], [0.5, 0.4, 0.1], [0.9, 0.1, 0.0], [0.2, 0.1, 0.7], [0.8, 0.1, 0.1]];
        let given = given.map(Probabilities);
        let verdicts = given.map(Probabilities::verdict);
        let groups = Groups { of_pair: vec![0, 0, 1, 1, 2, 2], count: 3 };
        let found = Extremes::of(&people, &verdicts, &given, &groups, 9);
        // Rows 0 and 1 share a group, as do rows 4 and 5.
        assert_eq!(found, Extremes { most_wrong: vec![0, 2], most_right: vec![3, 5] });
        let one = Extremes::of(&people, &verdicts, &given, &groups, 1);
        assert_eq!(one, Extremes { most_wrong: vec![0], most_right: vec![3] });
        assert_eq!(Extremes::of(&[], &[], &[], &Groups { of_pair: vec![], count: 0 }, 9), Extremes::default());
    }
}
