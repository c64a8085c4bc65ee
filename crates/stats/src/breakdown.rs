//! Parts of the pairs: bins of pairs with similar values, systems' accuracy on them, and the most confident mistakes.

use serde::Serialize;

use super::by_order::VerdictsByOrder;
use super::intervals::Interval;
use super::paired_tests::Correct;
use crate::Groups;
use crate::{Probabilities, Verdict};

/// A bin of pairs with neighbouring values.
#[derive(Debug, Clone, PartialEq)]
pub struct ValueBin {
    /// The least value.
    pub lowest: f64,
    /// The largest value.
    pub highest: f64,
    /// Indices of the pairs, ascending.
    pub rows: Vec<usize>,
}

/// Sorts pairs into at most `most` quantile bins of about equal size; equal values share a bin. A last bin with less
/// than half of its share is merged into the one below.
pub fn quantile_bins(values: &[f64], most: usize) -> Vec<ValueBin> {
    let mut order: Vec<usize> = (0..values.len()).collect();
    order.sort_by(|&one, &other| values[one].total_cmp(&values[other]));
    let share = values.len() as f64 / most.max(1) as f64;
    let mut bins: Vec<Vec<usize>> = Vec::new();
    let (mut done, mut end) = (0, 0.0);
    for equal in order.chunk_by(|&one, &other| values[one] == values[other]) {
        // A new bin begins once the bins so far hold their share of the pairs.
        if done as f64 >= end - 0.5 {
            bins.push(Vec::new());
            end = share * ((done as f64 / share + 0.5).floor() + 1.0);
        }
        bins.iter_mut().next_back().into_iter().for_each(|bin| bin.extend(equal));
        done += equal.len();
    }
    if let Some(last) = bins.pop_if(|bin| 2.0 * (bin.len() as f64) < share) {
        match bins.last_mut() {
            Some(below) => below.extend(last),
            None => bins.push(last),
        }
    }
    let bin = |mut rows: Vec<usize>| {
        let (lowest, highest) = (values[rows[0]], values[rows[rows.len() - 1]]);
        rows.sort_unstable();
        ValueBin { lowest, highest, rows }
    };
    bins.into_iter().map(bin).collect()
}

/// A system's accuracy on a subset of the pairs.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct PartAccuracy {
    /// The share on which it agrees with human labels, in [0, 1]; 0 for no pairs.
    pub accuracy: f64,
    /// Its 95% interval, by the groups of these pairs; see [`Correct::interval`].
    #[serde(flatten)]
    pub interval: Interval,
}

/// The accuracy of each system on the pairs `rows`.
pub fn accuracy_on(
    rows: &[usize],
    labels: &[Verdict],
    systems: &[VerdictsByOrder],
    groups: &Groups,
) -> Vec<PartAccuracy> {
    let (labels, groups) = (rows.iter().map(|&row| labels[row]).collect::<Vec<_>>(), groups.subset(rows));
    let part = |verdicts: &VerdictsByOrder| {
        let verdicts = verdicts.of_rows(rows);
        PartAccuracy {
            accuracy: verdicts.accuracy(&labels),
            interval: Correct::of_orders(&labels, &verdicts, &groups).interval(),
        }
    };
    systems.iter().map(part).collect()
}

/// The most confident mistakes and successes of a system, at most one per group, so that they are varied.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Extremes {
    /// Indices of pairs on which the system disagrees with human labels, in ascending order of the probability of the
    /// human label.
    pub most_wrong: Vec<usize>,
    /// Indices of pairs on which it agrees, in descending order of that probability.
    pub most_right: Vec<usize>,
}

impl Extremes {
    /// Finds at most `count` pairs of each kind; pairs with equal probabilities keep their order.
    pub fn new(
        labels: &[Verdict],
        verdicts: &[Verdict],
        probabilities: &[Probabilities],
        groups: &Groups,
        count: usize,
    ) -> Self {
        let given = |row: usize| probabilities[row].probability(labels[row]);
        let (mut right, mut wrong): (Vec<usize>, Vec<usize>) =
            (0..labels.len()).partition(|&row| verdicts[row] == labels[row]);
        wrong.sort_by(|&one, &other| given(one).total_cmp(&given(other)));
        right.sort_by(|&one, &other| given(other).total_cmp(&given(one)));
        let first_of_groups = |rows: Vec<usize>| {
            let mut is_seen = vec![false; groups.count];
            let is_new = |&row: &usize| !std::mem::replace(&mut is_seen[groups.of_row[row]], true);
            rows.into_iter().filter(is_new).take(count).collect()
        };
        Self { most_wrong: first_of_groups(wrong), most_right: first_of_groups(right) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use Verdict::{First, Second, Tie};

    fn bins(values: &[f64], most: usize) -> Vec<(f64, f64, usize)> {
        quantile_bins(values, most).into_iter().map(|bin| (bin.lowest, bin.highest, bin.rows.len())).collect()
    }

    #[test]
    fn bins_have_about_equal_counts_and_equal_values_stay_together() {
        let values: Vec<f64> = (0..12).rev().map(f64::from).collect();
        assert_eq!(quantile_bins(&values, 3)[0].rows, [8, 9, 10, 11]);
        assert_eq!(bins(&values, 5).iter().map(|bin| bin.2).collect::<Vec<_>>(), [2, 3, 2, 3, 2]);
        let (twos, small) =
            ([1.0, 1.0, 1.0, 1.0, 1.0, 2.0, 3.0, 3.0], [1.0, 1.0, 1.0, 1.0, 2.0, 2.0, 2.0, 2.0, 2.0, 2.0, 2.0, 3.0]);
        for (values, most, expected) in [
            (&values[..], 3, &[(0.0, 3.0, 4), (4.0, 7.0, 4), (8.0, 11.0, 4)][..]),
            (&values, 1, &[(0.0, 11.0, 12)]),
            (&twos, 4, &[(1.0, 1.0, 5), (2.0, 3.0, 3)]),
            (&[5.0; 7], 4, &[(5.0, 5.0, 7)]),
            // A small last bin is part of the one below.
            (&small, 3, &[(1.0, 1.0, 4), (2.0, 3.0, 8)]),
            (&[4.0], 3, &[(4.0, 4.0, 1)]),
            (&[], 3, &[]),
        ] {
            assert_eq!(bins(values, most), expected);
        }
    }

    #[test]
    fn accuracy_is_that_of_the_rows() {
        let labels = [First, Second, Tie, First];
        let groups = Groups { of_row: vec![0, 1, 1, 2], count: 3 };
        let systems = [[First, Second, First, Second], [Tie, Second, Tie, First]];
        let systems = systems.map(|verdicts| VerdictsByOrder::from(verdicts.as_slice()));
        let found = accuracy_on(&[0, 1, 2], &labels, &systems, &groups);
        assert_eq!((found[0].accuracy, found[1].accuracy), (2.0 / 3.0, 2.0 / 3.0));
        for PartAccuracy { accuracy, interval } in found {
            assert!(interval.low < accuracy && accuracy < interval.high, "{interval:?}");
        }
    }

    #[test]
    fn the_least_and_the_most_probable_come_first_one_a_group() {
        let labels = [First, Second, Tie, First, Second, First];
        let given =
            [[0.1, 0.2, 0.7], [0.6, 0.2, 0.2], [0.5, 0.4, 0.1], [0.9, 0.1, 0.0], [0.2, 0.1, 0.7], [0.8, 0.1, 0.1]];
        let given = given.map(Probabilities);
        let verdicts = given.map(Probabilities::verdict);
        let groups = Groups { of_row: vec![0, 0, 1, 1, 2, 2], count: 3 };
        let found = Extremes::new(&labels, &verdicts, &given, &groups, 9);
        // Rows 0 and 1 share a group, as do rows 4 and 5.
        assert_eq!(found, Extremes { most_wrong: vec![0, 2], most_right: vec![3, 5] });
        let one = Extremes::new(&labels, &verdicts, &given, &groups, 1);
        assert_eq!(one, Extremes { most_wrong: vec![0], most_right: vec![3] });
        assert_eq!(Extremes::new(&[], &[], &[], &Groups { of_row: vec![], count: 0 }, 9), Extremes::default());
    }
}
