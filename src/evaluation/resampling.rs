//! In: how many pairs of each group a system gets right. Out: intervals and p-values. Next: report.

use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use serde::Serialize;

use super::correct::Correct;
use super::draws::{Drawing, Kinds};
use crate::metrics::ratio;

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

/// The 95% percentile bootstrap interval of accuracy, from `rounds` (at least 1) resamples of the groups with
/// replacement. Efron and Tibshirani 1993, chapter 13.
pub fn bootstrap_interval(correct: &Correct, rounds: usize, seed: u64) -> Interval {
    Bootstrap::of(std::slice::from_ref(correct), rounds, seed).interval(0)
}

/// Bootstrap resamples of the groups, and the pairs that systems get right in each. All systems share the draws: they
/// are paired, and drawing costs most.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Bootstrap {
    /// The number of pairs of each draw that a system gets right: (systems, draws).
    right: Vec<Vec<u64>>,
    /// The number of pairs of each draw.
    sizes: Vec<u64>,
}

impl Bootstrap {
    /// Makes `rounds` (at least 1) draws for systems that judge the same pairs.
    pub fn of(systems: &[Correct], rounds: usize, seed: u64) -> Self {
        let kinds = Kinds::of(systems);
        let mut drawing = Drawing::new(&kinds, ChaCha8Rng::seed_from_u64(seed));
        let mut all =
            Self { right: vec![Vec::with_capacity(rounds); systems.len()], sizes: Vec::with_capacity(rounds) };
        for _ in 0..rounds {
            let tally = drawing.draw();
            all.sizes.push(kinds.pairs(tally));
            all.right.iter_mut().zip(0..).for_each(|(sums, system)| sums.push(kinds.right(tally, system)));
        }
        all
    }

    /// The 95% percentile interval of a system's accuracy; see [`bootstrap_interval`].
    pub fn interval(&self, system: usize) -> Interval {
        let shares = self.right[system].iter().zip(&self.sizes);
        Interval::of(shares.map(|(&right, &size)| ratio(right as f64, size as f64)).collect())
    }

    /// The 95% percentile interval of the paired difference in accuracy, `one` minus `other`; see [`compare`].
    pub fn difference(&self, one: usize, other: usize) -> Interval {
        let leads = self.right[one].iter().zip(&self.right[other]).map(|(&one, &other)| one as f64 - other as f64);
        Interval::of(leads.zip(&self.sizes).map(|(lead, &size)| ratio(lead, size as f64)).collect())
    }
}

/// How one system compares with another on the same pairs.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Comparison {
    /// The accuracy of the first system minus that of the second.
    pub difference: f64,
    /// The lower end of the 95% bootstrap interval of the difference.
    pub low: f64,
    /// The upper end of the interval.
    pub high: f64,
    /// Two-sided p-value under the null hypothesis that the systems are exchangeable.
    pub p_value: f64,
}

/// Compares two systems: interval by paired bootstrap with `draws` resamples, p-value by paired approximate
/// randomisation, both over groups.
///
/// In each of `exchanges` rounds the verdicts of the two systems are exchanged in each group with probability 1/2. p =
/// (1 + hits)/(1 + rounds), where hits counts the rounds whose absolute difference is at least the observed one; it is
/// never 0. Noreen 1989; Koehn 2004, section 4, for the bootstrap.
pub fn compare(one: &Correct, other: &Correct, draws: usize, exchanges: usize, seed: u64) -> Comparison {
    let interval = Bootstrap::of(&[one.clone(), other.clone()], draws, seed).difference(0, 1);
    compare_within(one, other, interval, exchanges, seed)
}

/// Does the same as [`compare`] with an interval that is already known.
pub fn compare_within(one: &Correct, other: &Correct, interval: Interval, exchanges: usize, seed: u64) -> Comparison {
    let leads: Vec<i64> = one.right.iter().zip(&other.right).map(|(&a, &b)| i64::from(a) - i64::from(b)).collect();
    let size = one.sizes.iter().map(|&size| f64::from(size)).sum::<f64>();
    let lead: i64 = leads.iter().sum();
    let exchange = Exchange::of(&leads);
    let mut random = ChaCha8Rng::seed_from_u64(seed);
    let hits = (0..exchanges).filter(|_| exchange.draw(&mut random).abs() >= lead.abs()).count();
    Comparison {
        difference: ratio(lead as f64, size),
        low: interval.low,
        high: interval.high,
        p_value: (1 + hits) as f64 / (1 + exchanges) as f64,
    }
}

/// The lead of one system over another after exchanging their verdicts in random groups.
struct Exchange {
    /// For each block of eight groups and each subset of it, the sum of the leads with those of the subset negated.
    leads: Vec<[i64; 256]>,
}

impl Exchange {
    fn of(leads: &[i64]) -> Self {
        let table = |eight: &[i64]| {
            let mut table = [eight.iter().sum(); 256];
            for choice in 1..table.len() {
                let last = choice.trailing_zeros() as usize;
                table[choice] = table[choice & (choice - 1)] - 2 * eight.get(last).unwrap_or(&0);
            }
            table
        };
        Self { leads: leads.chunks(8).map(table).collect() }
    }

    /// Exchanges each group with probability 1/2, and returns the lead.
    fn draw(&self, random: &mut impl Rng) -> i64 {
        let sum_of = |(eights, coins): (&[[i64; 256]], u64)| {
            eights.iter().zip(coins.to_le_bytes()).map(|(leads, choice)| leads[usize::from(choice)]).sum::<i64>()
        };
        self.leads.chunks(8).map(|eights| sum_of((eights, random.next_u64()))).sum()
    }
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
    fn draws_are_shared_without_a_trace() {
        let systems = [correct(&[3, 4, 5, 9]), correct(&[5, 1, 7, 8]), correct(&[0, 0, 1, 10])];
        let together = Bootstrap::of(&systems, 200, 4);
        for (at, system) in systems.iter().enumerate() {
            assert_eq!(together.interval(at), bootstrap_interval(system, 200, 4));
        }
        let compared = compare(&systems[2], &systems[1], 200, 200, 4);
        assert_eq!(together.difference(2, 1), Interval { low: compared.low, high: compared.high });
        assert!(compared.low < compared.difference && compared.difference < compared.high);
    }

    #[test]
    fn an_exchange_negates_the_leads_of_the_groups_it_chooses() {
        let leads: Vec<i64> = (0..75).map(|group| (group * 37) % 11 - 4).collect();
        let (mut random, mut coins) = (ChaCha8Rng::seed_from_u64(5), ChaCha8Rng::seed_from_u64(5));
        for _ in 0..20 {
            let words = [coins.next_u64(), coins.next_u64()];
            let sign = |group: usize| if words[group / 64] >> (group % 64) & 1 == 1 { -1 } else { 1 };
            let expected: i64 = leads.iter().enumerate().map(|(group, lead)| sign(group) * lead).sum();
            assert_eq!(Exchange::of(&leads).draw(&mut random), expected);
        }
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
