//! Stage 6b. In: what a system got right, by group. Out: intervals and p-values. Next: report.

use rand::{Rng, RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use serde::Serialize;

use crate::judgments::Verdict;
use crate::judgments::grouping::Groups;
use crate::metrics::ratio;

/// How many pairs of each group a system got right.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Correct {
    /// One number a group.
    right: Vec<u32>,
    /// The number of pairs of each group.
    sizes: Vec<u32>,
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

/// A 95% interval.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Interval {
    /// 2.5% of the resampled values lie below.
    pub low: f64,
    /// 2.5% of the resampled values lie above.
    pub high: f64,
}

impl Interval {
    fn of(mut values: Vec<f64>) -> Self {
        values.sort_by(f64::total_cmp);
        let at = |share: f64| values[((values.len() - 1) as f64 * share).round() as usize];
        Self { low: at(0.025), high: at(0.975) }
    }
}

/// The 95% percentile interval of accuracy over `rounds` (at least 1) draws of as many groups, with replacement.
/// Efron and Tibshirani 1993, chapter 13.
pub fn bootstrap_interval(correct: &Correct, rounds: usize, seed: u64) -> Interval {
    Interval::of(bootstrap(correct.sizes.len(), rounds, seed, |drawn| {
        let (right, size) = drawn.iter().fold((0, 0), |(right, size), &group| {
            (right + u64::from(correct.right[group]), size + u64::from(correct.sizes[group]))
        });
        ratio(right as f64, size as f64)
    }))
}

fn bootstrap(groups: usize, rounds: usize, seed: u64, value: impl Fn(&[usize]) -> f64) -> Vec<f64> {
    let mut random = ChaCha8Rng::seed_from_u64(seed);
    let mut drawn = vec![0; groups];
    let draw = |_| {
        drawn.fill_with(|| random.random_range(0..groups));
        value(&drawn)
    };
    (0..rounds).map(draw).collect()
}

/// How one system compares with another on the same pairs.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Comparison {
    /// Accuracy of the one minus accuracy of the other.
    pub difference: f64,
    /// The 95% bootstrap interval of the difference.
    pub low: f64,
    /// The upper end of the interval.
    pub high: f64,
    /// The probability of a difference at least as large, in either direction, were the systems exchangeable.
    pub p_value: f64,
}

/// Compares two systems: interval by paired bootstrap of `draws` rounds, p-value by paired approximate randomisation,
/// both over groups.
///
/// In each of `exchanges` rounds the verdicts of the two systems are exchanged in a random half of the groups; p is the share of
/// rounds, counting the one observed, whose difference is at least as large: (1 + hits)/(1 + rounds), so never 0. Noreen
/// 1989; Koehn 2004, section 4, for the bootstrap.
pub fn compare(one: &Correct, other: &Correct, draws: usize, exchanges: usize, seed: u64) -> Comparison {
    let leads: Vec<i64> = one.right.iter().zip(&other.right).map(|(&a, &b)| i64::from(a) - i64::from(b)).collect();
    let size = one.sizes.iter().map(|&size| f64::from(size)).sum::<f64>();
    let lead: i64 = leads.iter().sum();
    let interval = Interval::of(bootstrap(leads.len(), draws, seed, |drawn| {
        let sum: i64 = drawn.iter().map(|&group| leads[group]).sum();
        let drawn_size: f64 = drawn.iter().map(|&group| f64::from(one.sizes[group])).sum();
        ratio(sum as f64, drawn_size)
    }));
    let mut random = ChaCha8Rng::seed_from_u64(seed);
    let hits = (0..exchanges).filter(|_| exchanged(&leads, &mut random).abs() >= lead.abs()).count();
    Comparison {
        difference: ratio(lead as f64, size),
        low: interval.low,
        high: interval.high,
        p_value: (1 + hits) as f64 / (1 + exchanges) as f64,
    }
}

fn exchanged(leads: &[i64], random: &mut impl Rng) -> i64 {
    let sum_of = |(chunk, mut coins): (&[i64], u64)| {
        let mut sum = 0;
        for &lead in chunk {
            sum += if coins & 1 == 1 { -lead } else { lead };
            coins >>= 1;
        }
        sum
    };
    leads.chunks(64).map(|chunk| sum_of((chunk, random.next_u64()))).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn correct(right: &[u32]) -> Correct {
        Correct { right: right.to_vec(), sizes: vec![10; right.len()] }
    }

    #[test]
    fn a_clear_lead_is_beyond_chance_and_none_is_not() {
        let strong = correct(&[8; 100]);
        let weak = correct(&[5; 100]);
        let clear = compare(&strong, &weak, 2000, 2000, 1);
        assert!((clear.difference - 0.3).abs() < 1e-12);
        assert!(clear.p_value < 0.001 && clear.low > 0.29);
        let mixed = correct(&(0..100).map(|group| 5 + 3 * (group % 2)).collect::<Vec<_>>());
        let mirrored = correct(&(0..100).map(|group| 8 - 3 * (group % 2)).collect::<Vec<_>>());
        assert!(compare(&mixed, &mirrored, 2000, 2000, 1).p_value > 0.5);
    }

    #[test]
    fn equal_systems_have_p_one() {
        let same = correct(&[3, 4, 5]);
        let comparison = compare(&same, &same, 500, 500, 1);
        assert_eq!(comparison.p_value, 1.0);
        assert_eq!((comparison.low, comparison.high), (0.0, 0.0));
    }

    #[test]
    fn the_interval_narrows_with_groups_and_repeats_with_the_seed() {
        let few = correct(&(0..10).map(|group| group % 10).collect::<Vec<_>>());
        let many = correct(&(0..1000).map(|group| group % 10).collect::<Vec<_>>());
        let width = |correct: &Correct| {
            let interval = bootstrap_interval(correct, 1000, 7);
            interval.high - interval.low
        };
        assert!(width(&many) < 0.3 * width(&few));
        assert_eq!(bootstrap_interval(&few, 1000, 7), bootstrap_interval(&few, 1000, 7));
    }

    #[test]
    fn the_interval_of_a_proportion_is_about_the_normal_one() {
        // 400 groups of one pair, half right: 0.5 +- 1.96 sqrt(0.25 / 400) = 0.451 to 0.549.
        let coin = Correct { right: (0..400).map(|group| group % 2).collect(), sizes: vec![1; 400] };
        let interval = bootstrap_interval(&coin, 4000, 3);
        assert!((interval.low - 0.451).abs() < 0.006 && (interval.high - 0.549).abs() < 0.006, "{interval:?}");
    }
}
