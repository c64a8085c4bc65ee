//! Any share of sums over groups, and agreement beyond chance, with its interval.

use rustc_hash::FxHashMap;
use serde::Serialize;

use super::intervals::{Difference, Interval, Share};
use crate::Groups;
use crate::Verdict;

/// A statistic with its 95% interval.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Estimate {
    /// The statistic of all groups.
    pub value: f64,
    /// The lower end of the interval.
    pub low: f64,
    /// The upper end of the interval.
    pub high: f64,
}

/// A share, and how much of it is chance: (share - chance) / (1 - chance), in [-1, 1].
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Statistic {
    /// In [0, 1].
    share: f64,
    /// Below 1; 0 for a share that is told as it is.
    chance: f64,
    /// The number of what is counted.
    count: f64,
}

impl Statistic {
    pub(super) fn value(self) -> f64 {
        self.beyond_chance(self.share)
    }

    fn beyond_chance(self, share: f64) -> f64 {
        // The end of an interval may lie below what a share can be where so much is chance.
        ((share - self.chance) / (1.0 - self.chance)).max(-1.0)
    }
}

/// Numbers of each group, of whose sums over all groups statistics are computed.
#[derive(Debug, Clone, Default)]
pub(super) struct GroupSums<const N: usize> {
    /// The positions of the groups that have numbers.
    positions: FxHashMap<usize, usize>,
    sums: Vec<[f64; N]>,
}

impl<const N: usize> GroupSums<N> {
    /// Adds to a number of a group.
    pub(super) fn add(&mut self, group: usize, number: usize, value: f64) {
        let at = *self.positions.entry(group).or_insert(self.sums.len());
        if at == self.sums.len() {
            self.sums.push([0.0; N]);
        }
        self.sums[at][number] += value;
    }

    /// The sums of each group.
    pub(super) fn groups(&self) -> impl Iterator<Item = &[f64; N]> {
        self.sums.iter()
    }

    /// The sums over all groups.
    pub(super) fn total(&self) -> [f64; N] {
        let mut total = [0.0; N];
        self.sums.iter().for_each(|sums| total.iter_mut().zip(sums).for_each(|(total, sum)| *total += sum));
        total
    }

    /// A statistic with its interval; `None` where it is undefined. The interval is that of the share, with the variance
    /// of the statistic, so that it allows for an estimated chance, carried through to what is beyond chance.
    pub(super) fn estimate(&self, statistic: impl Fn(&[f64; N]) -> Option<Statistic>) -> Option<Estimate> {
        let (estimate, share) = self.share(statistic)?;
        let Interval { low, high } = share.interval();
        Some(Estimate { value: estimate.value(), low: estimate.beyond_chance(low), high: estimate.beyond_chance(high) })
    }

    /// The difference of two shares, `one` minus `other`, with its interval; `None` where one is undefined.
    pub(super) fn difference(
        &self,
        one: impl Fn(&[f64; N]) -> Option<Statistic>,
        other: impl Fn(&[f64; N]) -> Option<Statistic>,
    ) -> Option<Estimate> {
        let ((_, one), (_, other)) = (self.share(one)?, self.share(other)?);
        let difference = Difference::new(&one, &other);
        let Interval { low, high } = difference.interval();
        Some(Estimate { value: difference.value(), low, high })
    }

    /// The mean of two shares, each the positions of part and all, with its interval: as (1 + one - (1 - other)) / 2, so
    /// that it is narrow where one falls as the other rises. `None` where one is undefined.
    pub(super) fn mean(&self, one: [usize; 2], other: [usize; 2]) -> Option<Estimate> {
        let one = |sums: &[f64; N]| share(sums[one[0]], sums[one[1]]);
        let rest = |sums: &[f64; N]| share(sums[other[1]] - sums[other[0]], sums[other[1]]);
        let Estimate { value, low, high } = self.difference(one, rest)?;
        let [value, low, high] = [value, low, high].map(|difference| 0.5 * (1.0 + difference));
        Some(Estimate { value, low, high })
    }

    fn share(&self, statistic: impl Fn(&[f64; N]) -> Option<Statistic>) -> Option<(Statistic, Share)> {
        let total = self.total();
        let whole = statistic(&total)?;
        // Where a group is all that there is, or all that is beyond chance, nothing is known of the statistic without it.
        let of_rest = |group: &[f64; N]| statistic(&std::array::from_fn(|number| total[number] - group[number]));
        let rests: Vec<Option<Statistic>> = self.sums.iter().map(of_rest).collect();
        let size = |rest: &Option<Statistic>| rest.map_or(whole.count, |rest| whole.count - rest.count);
        let sizes: Vec<f64> = rests.iter().map(size).collect();
        let without = rests.iter().map(|rest| match rest {
            Some(rest) => whole.share + (rest.value() - whole.value()) * (1.0 - whole.chance),
            None => whole.share,
        });
        Some((whole, Share::new(whole.share, &sizes, without)))
    }
}

/// The share of a part, in [0, 1]; `None` of nothing.
pub(super) fn share(part: f64, all: f64) -> Option<Statistic> {
    (all > 0.0).then(|| Statistic { share: part / all, chance: 0.0, count: all })
}

/// What is left of a share beyond chance, both in [0, 1]; `None` where chance is 1, or where nothing was counted.
pub(super) fn beyond_chance(share: f64, chance: f64, count: f64) -> Option<Statistic> {
    (count > 0.0 && chance < 1.0).then_some(Statistic { share, chance, count })
}

/// The mean of statistics of the same pairs, such as those of both orders of the hypotheses; `None` of none.
pub(super) fn mean_statistic(statistics: &[Statistic]) -> Option<Statistic> {
    let mean =
        |number: &dyn Fn(&Statistic) -> f64| statistics.iter().map(number).sum::<f64>() / statistics.len() as f64;
    let (share, value, count) = (mean(&|one| one.share), mean(&|one| one.value()), mean(&|one| one.count));
    // The chance that makes the mean of the values that of the mean share.
    let chance = if value < 1.0 { (share - value) / (1.0 - value) } else { mean(&|one| one.chance) };
    (!statistics.is_empty()).then_some(Statistic { share, chance, count })
}

/// Cohen's kappa of counts: (agreement - chance) / (1 - chance), in [-1, 1], where chance is the sum over labels of the
/// products of the shares of both; `None` where chance is 1. `counts[3 * one + other]`. Cohen 1960, "A Coefficient of
/// Agreement for Nominal Scales".
pub(super) fn kappa(counts: &[f64; 9]) -> Option<Statistic> {
    let total: f64 = counts.iter().sum();
    let agreement = (0..3).map(|label| counts[4 * label]).sum::<f64>() / total;
    let of_one = |label: usize| (0..3).map(|other| counts[3 * label + other]).sum::<f64>();
    let of_other = |label: usize| (0..3).map(|one| counts[3 * one + label]).sum::<f64>();
    let chance = (0..3).map(|label| of_one(label) * of_other(label)).sum::<f64>() / (total * total);
    beyond_chance(agreement, chance, total)
}

/// Cohen's kappa of two annotators' verdicts on the same pairs, with its interval; `None` where chance is 1.
///
/// ```
/// use tribunal_stats::Verdict::{First, Second};
/// use tribunal_stats::{Groups, cohens_kappa};
///
/// let (one, other) = ([First, First, Second, Second], [First, Second, Second, Second]);
/// let kappa = cohens_kappa(&one, &other, &Groups::numbered(0..4)).unwrap();
/// assert!((kappa.value - (0.75 - 0.5) / (1.0 - 0.5)).abs() < 1e-12);
/// ```
pub fn cohens_kappa(one: &[Verdict], other: &[Verdict], groups: &Groups) -> Option<Estimate> {
    let mut counts = GroupSums::<9>::default();
    for ((one, other), &group) in one.iter().zip(other).zip(&groups.of_row) {
        counts.add(group, 3 * one.index() + other.index(), 1.0);
    }
    counts.estimate(kappa)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn halves(groups: usize) -> GroupSums<2> {
        let mut sums = GroupSums::<2>::default();
        for group in 0..groups {
            sums.add(group, 0, (group % 2) as f64);
            sums.add(group, 1, 1.0);
        }
        sums
    }

    #[test]
    fn the_interval_of_a_share_is_that_of_its_groups() {
        let found = halves(400).estimate(|[part, all]| share(*part, *all)).unwrap();
        assert_eq!(found.value, 0.5);
        assert!((found.low - 0.451).abs() < 0.003 && (found.high - 0.549).abs() < 0.003, "{found:?}");
        assert_eq!(halves(400).estimate(|_| None), None);
    }

    #[test]
    fn no_interval_of_kappa_reaches_below_minus_one() {
        let mut sums = GroupSums::<1>::default();
        (0..2).for_each(|group| sums.add(group, 0, 1.0));
        let found = sums.estimate(|[all]| beyond_chance(1.0, 0.8, *all)).unwrap();
        assert_eq!((found.value, found.low), (1.0, -1.0));
    }

    #[test]
    fn the_difference_of_a_share_and_its_complement_is_twice_as_wide() {
        let sums = halves(400);
        let found = sums.difference(|[part, all]| share(*part, *all), |[part, all]| share(all - part, *all)).unwrap();
        assert_eq!(found.value, 0.0);
        assert!((found.low + 0.098).abs() < 0.006 && (found.high - 0.098).abs() < 0.006, "{found:?}");
    }

    #[test]
    fn the_value_of_a_mean_is_the_mean_of_the_values() {
        let [one, other] = [(0.9, 0.5), (0.6, 0.4)].map(|(share, chance)| beyond_chance(share, chance, 10.0).unwrap());
        let mean = mean_statistic(&[one, other]).unwrap();
        assert!((mean.value() - 0.5 * (one.value() + other.value())).abs() < 1e-12);
        assert_eq!((mean.share, mean.count, mean_statistic(&[])), (0.75, 10.0, None));
        let certain = beyond_chance(1.0, 0.5, 10.0).unwrap();
        assert_eq!(mean_statistic(&[certain, certain]), Some(certain));
    }

    #[test]
    fn the_mean_of_shares_that_add_up_to_one_is_nearly_certain() {
        let mut sums = GroupSums::<4>::default();
        for group in 0..400 {
            let is_first = f64::from(u8::from(group % 2 == 0));
            [is_first, 1.0, 1.0 - is_first, 1.0]
                .into_iter()
                .enumerate()
                .for_each(|(at, value)| sums.add(group, at, value));
        }
        let found = sums.mean([0, 1], [2, 3]).unwrap();
        assert_eq!(found.value, 0.5);
        assert!(found.low > 0.49 && found.low < 0.5 && found.high < 0.51, "{found:?}");
    }

    #[test]
    fn kappa_by_hand() {
        // 20 yes-yes, 5 yes-no, 10 no-yes, 15 no-no: agreement 0.7, chance 0.5.
        let counts = [20.0, 0.0, 5.0, 0.0, 0.0, 0.0, 10.0, 0.0, 15.0];
        assert!((kappa(&counts).unwrap().value() - 0.4).abs() < 1e-12);
        assert_eq!(kappa(&[5.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0]), None);
        assert_eq!(kappa(&[0.0; 9]), None);
    }

    #[test]
    fn the_interval_of_kappa_is_that_of_its_standard_error() {
        // The standard error by Fleiss, Cohen and Everitt 1969 is 0.0402.
        let mut sums = GroupSums::<9>::default();
        let cells = std::iter::empty().chain([0; 200]).chain([2; 50]).chain([6; 100]).chain([8; 150]);
        cells.enumerate().for_each(|(group, cell)| sums.add(group, cell, 1.0));
        let found = sums.estimate(kappa).unwrap();
        assert!((found.high - found.low - 2.0 * 1.96 * 0.0402).abs() < 0.008, "{found:?}");
        // Without a disagreement, too, there is an interval.
        let mut sums = GroupSums::<9>::default();
        (0..15).for_each(|group| sums.add(group, 8 * (group % 2), 1.0));
        let found = sums.estimate(kappa).unwrap();
        assert!(found.value == 1.0 && found.high == 1.0 && found.low < 0.65, "{found:?}");
    }
}
