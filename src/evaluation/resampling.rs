//! Intervals of any statistic of sums over groups, by bootstrap over the groups.

use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use rustc_hash::FxHashMap;
use serde::Serialize;

use super::paired_tests::Interval;

/// Rounds of the bootstrap.
const ROUNDS: usize = 2000;

/// A statistic with its 95% percentile interval, by bootstrap over groups.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Estimate {
    /// The statistic of all groups.
    pub value: f64,
    /// The lower end of the interval.
    pub low: f64,
    /// The upper end of the interval.
    pub high: f64,
}

/// Numbers of each group. What is computed from their sums over all groups is computed in the same way from the sums of
/// a resample.
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
        self.weighted(|_| 1.0)
    }

    fn weighted(&self, weight: impl Fn(usize) -> f64) -> [f64; N] {
        let mut total = [0.0; N];
        for (group, sums) in self.sums.iter().enumerate() {
            let weight = weight(group);
            total.iter_mut().zip(sums).for_each(|(total, sum)| *total += weight * sum);
        }
        total
    }

    /// A statistic of the sums of each of 2,000 resamples of the groups with replacement; those where it is undefined
    /// are left out. The same seed draws the same groups.
    fn resampled(&self, seed: u64, statistic: impl Fn(&[f64; N]) -> Option<f64>) -> Vec<f64> {
        let mut random = ChaCha8Rng::seed_from_u64(seed);
        let mut drawn = vec![0_u32; self.sums.len()];
        let mut round = || {
            drawn.fill(0);
            (0..self.sums.len()).for_each(|_| drawn[random.random_range(0..self.sums.len())] += 1);
            statistic(&self.weighted(|group| f64::from(drawn[group])))
        };
        (0..ROUNDS).filter_map(|_| round()).collect()
    }

    /// A statistic with its interval; `None` where it is undefined. Efron and Tibshirani 1993, chapter 13.
    pub(super) fn estimate(&self, seed: u64, statistic: impl Fn(&[f64; N]) -> Option<f64>) -> Option<Estimate> {
        let value = statistic(&self.total())?;
        let resampled = self.resampled(seed, statistic);
        if resampled.is_empty() {
            return None;
        }
        let Interval { low, high } = Interval::of(resampled);
        Some(Estimate { value, low, high })
    }
}

/// The share of a part, in [0, 1]; `None` of nothing.
pub(super) fn share(part: f64, all: f64) -> Option<f64> {
    (all > 0.0).then(|| part / all)
}

/// Cohen's kappa of counts: (agreement - chance) / (1 - chance), in [-1, 1], where chance is the sum over labels of the
/// products of the shares of both; `None` where chance is 1. `counts[3 * one + other]`. Cohen 1960, "A Coefficient of
/// Agreement for Nominal Scales".
pub(super) fn kappa(counts: &[f64; 9]) -> Option<f64> {
    let total: f64 = counts.iter().sum();
    let agreement = share((0..3).map(|label| counts[4 * label]).sum(), total)?;
    let of_one = |label: usize| (0..3).map(|other| counts[3 * label + other]).sum::<f64>();
    let of_other = |label: usize| (0..3).map(|one| counts[3 * one + label]).sum::<f64>();
    let chance = (0..3).map(|label| of_one(label) * of_other(label)).sum::<f64>() / (total * total);
    (chance < 1.0).then(|| (agreement - chance) / (1.0 - chance))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_interval_of_a_share_is_that_of_its_groups() {
        let mut sums = GroupSums::<2>::default();
        for group in 0..400 {
            sums.add(group, 0, (group % 2) as f64);
            sums.add(group, 1, 1.0);
        }
        let found = sums.estimate(3, |[part, all]| share(*part, *all)).unwrap();
        assert_eq!(found.value, 0.5);
        assert!((found.low - 0.451).abs() < 0.007 && (found.high - 0.549).abs() < 0.007, "{found:?}");
        assert_eq!(sums.estimate(3, |_| None), None);
    }

    #[test]
    fn kappa_by_hand() {
        // 20 yes-yes, 5 yes-no, 10 no-yes, 15 no-no: agreement 0.7, chance 0.5.
        let counts = [20.0, 0.0, 5.0, 0.0, 0.0, 0.0, 10.0, 0.0, 15.0];
        assert!((kappa(&counts).unwrap() - 0.4).abs() < 1e-12);
        assert_eq!(kappa(&[5.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0]), None);
    }
}
