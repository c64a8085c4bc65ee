//! Intervals and p-values of accuracies, from resamples of whole groups of pairs, and McNemar's test.
//!
//! Accuracy is a sum over groups, and so is everything that a resample needs. A system's sum in each round does not
//! depend on other systems, so all systems share the random draws, and comparing two of them only subtracts their sums.

use rand::{Rng, RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use rayon::prelude::*;
use serde::Serialize;

use crate::judgments::grouping::Groups;
use crate::judgments::{Verdict, sign_test};
use crate::metrics::ratio;

/// Sums of credits that differ by less are equal.
const ROUNDING: f64 = 1e-6;

/// The number of pairs of each group that a system gets right.
#[derive(Debug, Clone, PartialEq)]
pub struct Correct {
    /// The number of correct pairs of each group; the sum of their credits where these are no whole numbers, see
    /// [`VerdictsByOrder::credits`](super::VerdictsByOrder::credits).
    right: Vec<f64>,
    /// The number of pairs of each group.
    sizes: Vec<u32>,
}

impl Correct {
    /// Counts the pairs; both slices have one verdict per pair.
    pub fn of(people: &[Verdict], system: &[Verdict], groups: &Groups) -> Self {
        let credits = people.iter().zip(system).map(|(truth, verdict)| f64::from(u8::from(truth == verdict)));
        Self::of_credits(credits, groups)
    }

    /// Adds up the credits of the pairs, of which accuracy is the mean.
    pub fn of_credits(credits: impl Iterator<Item = f64>, groups: &Groups) -> Self {
        let (mut right, mut sizes) = (vec![0.0; groups.count], vec![0; groups.count]);
        for (credit, &group) in credits.zip(&groups.of_pair) {
            sizes[group] += 1;
            right[group] += credit;
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
    pub(super) fn of(mut values: Vec<f64>) -> Self {
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

/// Bootstrap resamples of the groups, shared by all systems, and the pairs that each system gets right in them.
#[derive(Debug, Clone, PartialEq)]
pub struct Bootstrap {
    /// The number of pairs of each resample that a system gets right: (systems, rounds).
    right: Vec<Vec<f64>>,
    /// The number of pairs of each resample.
    sizes: Vec<f64>,
}

impl Bootstrap {
    /// Draws `rounds` (at least 1) resamples for systems that judge the same pairs.
    pub fn of(systems: &[Correct], rounds: usize, seed: u64) -> Self {
        let groups = systems.first().map_or(0, |system| system.sizes.len());
        let mut random = ChaCha8Rng::seed_from_u64(seed);
        let mut drawn = vec![0_u32; groups];
        let mut bootstrap =
            Self { right: vec![Vec::with_capacity(rounds); systems.len()], sizes: Vec::with_capacity(rounds) };
        for _ in 0..rounds {
            drawn.fill(0);
            (0..groups).for_each(|_| drawn[random.random_range(0..groups)] += 1);
            let sum_of = |counts: &mut dyn Iterator<Item = f64>| {
                drawn.iter().zip(counts).map(|(&n, count)| f64::from(n) * count).sum::<f64>()
            };
            let size = |system: &Correct| sum_of(&mut system.sizes.iter().map(|&size| f64::from(size)));
            bootstrap.sizes.push(systems.first().map_or(0.0, size));
            for (sums, system) in bootstrap.right.iter_mut().zip(systems) {
                sums.push(sum_of(&mut system.right.iter().copied()));
            }
        }
        bootstrap
    }

    /// The 95% percentile interval of a system's accuracy; see [`bootstrap_interval`].
    pub fn interval(&self, system: usize) -> Interval {
        let shares = self.right[system].iter().zip(&self.sizes);
        Interval::of(shares.map(|(&right, &size)| ratio(right, size).clamp(0.0, 1.0)).collect())
    }

    /// The 95% percentile interval of the paired difference in accuracy, `one` minus `other`.
    fn difference(&self, one: usize, other: usize) -> Interval {
        let leads = self.right[one].iter().zip(&self.right[other]).map(|(&one, &other)| one - other);
        Interval::of(leads.zip(&self.sizes).map(|(lead, &size)| ratio(lead, size)).collect())
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

/// Systems on the same pairs, ready to be compared with each other.
#[derive(Debug, Clone)]
pub struct PairedTests {
    systems: Vec<Correct>,
    bootstrap: Bootstrap,
    /// For each system and round of the randomisation, its correct pairs, those of exchanged groups negated.
    exchanged: Vec<Vec<f64>>,
}

impl PairedTests {
    /// Draws `resamples` for intervals (at least 1), and `exchanges` for p-values.
    pub fn of(systems: Vec<Correct>, resamples: usize, exchanges: usize, seed: u64) -> Self {
        let bootstrap = Bootstrap::of(&systems, resamples, seed);
        let exchanged = systems.par_iter().map(|system| exchanged(&system.right, exchanges, seed)).collect();
        Self { systems, bootstrap, exchanged }
    }

    /// The correct pairs of a system.
    pub fn correct(&self, system: usize) -> &Correct {
        &self.systems[system]
    }

    /// The 95% percentile interval of a system's accuracy; see [`bootstrap_interval`].
    pub fn interval(&self, system: usize) -> Interval {
        self.bootstrap.interval(system)
    }

    /// Compares two systems: interval by paired bootstrap, p-value by paired approximate randomisation, both over
    /// groups.
    ///
    /// In each round of the randomisation the verdicts of the two systems are exchanged in each group with probability
    /// 1/2. p = (1 + hits)/(1 + rounds), where hits counts the rounds whose absolute difference is at least the
    /// observed one; it is never 0. Noreen 1989; Koehn 2004, section 4, for the bootstrap.
    pub fn compare(&self, one: usize, other: usize) -> Comparison {
        let right = |system: usize| self.systems[system].right.iter().sum::<f64>();
        let lead = right(one) - right(other);
        let size = self.systems[one].sizes.iter().map(|&size| f64::from(size)).sum::<f64>();
        let rounds = self.exchanged[one].iter().zip(&self.exchanged[other]);
        let is_as_large = |&(one, other): &(&f64, &f64)| (one - other).abs() >= lead.abs() - ROUNDING;
        let hits = rounds.clone().filter(is_as_large).count();
        let interval = self.bootstrap.difference(one, other);
        Comparison {
            difference: ratio(lead, size),
            low: interval.low,
            high: interval.high,
            p_value: (1 + hits) as f64 / (1 + rounds.len()) as f64,
        }
    }
}

/// For each round the sum of the groups' numbers, each negated with probability 1/2. The same seed negates the same
/// groups, whatever the numbers.
fn exchanged(numbers: &[f64], rounds: usize, seed: u64) -> Vec<f64> {
    // For each block of eight groups and each subset of it, the sum with the numbers of the subset negated: eight coins
    // at a time.
    let table = |eight: &[f64]| {
        let mut table = [eight.iter().sum::<f64>(); 256];
        for subset in 1..table.len() {
            let negated = eight.get(subset.trailing_zeros() as usize).copied().unwrap_or(0.0);
            table[subset] = table[subset & (subset - 1)] - 2.0 * negated;
        }
        table
    };
    let tables: Vec<[f64; 256]> = numbers.chunks(8).map(table).collect();
    let mut random = ChaCha8Rng::seed_from_u64(seed);
    let mut sum_of = |tables: &[[f64; 256]]| -> f64 {
        tables.iter().zip(random.next_u64().to_le_bytes()).map(|(table, subset)| table[usize::from(subset)]).sum()
    };
    (0..rounds).map(|_| tables.chunks(8).map(&mut sum_of).sum()).collect()
}

/// How the p-value of [`McNemar`] is computed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum McNemarMethod {
    /// From the binomial distribution, for independent pairs.
    Exact,
    /// From the chi-squared distribution, for pairs that are dependent within groups.
    Clustered,
}

/// McNemar's test of whether two systems are equally accurate, from the pairs that only one of them gets right. McNemar
/// 1947, "Note on the Sampling Error of the Difference between Correlated Proportions or Percentages".
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct McNemar {
    /// b: the number of pairs that only the first system gets right.
    pub only_one: usize,
    /// c: the number of pairs that only the second system gets right.
    pub only_other: usize,
    /// How p is computed.
    pub method: McNemarMethod,
    /// Chi-squared with one degree of freedom; `None` for the exact test, and where it is undefined.
    pub statistic: Option<f64>,
    /// Two-sided p-value; `None` where the clustered test has fewer than two groups.
    pub p_value: Option<f64>,
}

impl McNemar {
    /// The exact test: p = min(1, 2 sum_{i <= min(b, c)} C(n, i) / 2^n), where n = b + c; 1 for n = 0.
    pub fn exact(people: &[Verdict], one: &[Verdict], other: &[Verdict]) -> Self {
        let [only_one, only_other] = only(people, one, other);
        let p_value = Some(sign_test(only_one, only_other));
        Self { only_one, only_other, method: McNemarMethod::Exact, statistic: None, p_value }
    }

    /// The test over groups: chi-squared = (K - 1)/K (sum_k d_k)^2 / sum_k d_k^2, where d_k = b_k - c_k of group k of
    /// K; 0 where every d_k is 0. With one pair per group it is McNemar's (b - c)^2 / (b + c) times (K - 1)/K.
    /// Obuchowski 1998, "On the Comparison of Correlated Proportions for Clustered Data", section 2.
    pub fn clustered(people: &[Verdict], [one, other]: [&[Verdict]; 2], [of_one, of_other]: [&Correct; 2]) -> Self {
        let [only_one, only_other] = only(people, one, other);
        let leads = of_one.right.iter().zip(&of_other.right).map(|(&one, &other)| one - other);
        let (groups, sum, squares) = leads
            .fold((0.0, 0.0, 0.0), |(groups, sum, squares), lead| (groups + 1.0, sum + lead, squares + lead * lead));
        let statistic = match (groups > 1.0, squares > 0.0) {
            (false, _) => None,
            (true, false) => Some(0.0),
            (true, true) => Some((groups - 1.0) / groups * sum * sum / squares),
        };
        // The upper tail of chi-squared with one degree of freedom.
        let p_value = statistic.map(|statistic: f64| libm::erfc((0.5 * statistic).sqrt()));
        Self { only_one, only_other, method: McNemarMethod::Clustered, statistic, p_value }
    }
}

/// The numbers of pairs that only the first, and only the second system gets right.
fn only(people: &[Verdict], one: &[Verdict], other: &[Verdict]) -> [usize; 2] {
    let mut counts = [0; 2];
    for ((label, one), other) in people.iter().zip(one).zip(other) {
        counts[0] += usize::from(one == label && other != label);
        counts[1] += usize::from(other == label && one != label);
    }
    counts
}

#[cfg(test)]
mod tests {
    use super::*;

    fn correct(right: &[u32]) -> Correct {
        Correct { right: right.iter().map(|&right| f64::from(right)).collect(), sizes: vec![10; right.len()] }
    }

    fn compare(one: &[u32], other: &[u32], rounds: usize) -> Comparison {
        PairedTests::of(vec![correct(one), correct(other)], rounds, rounds, 1).compare(0, 1)
    }

    #[test]
    fn a_clear_lead_is_beyond_chance_and_none_is_not() {
        let clear = compare(&[8; 100], &[5; 100], 2000);
        assert!((clear.difference - 0.3).abs() < 1e-12);
        assert!(clear.p_value < 0.001 && clear.low > 0.29);
        let mixed: Vec<u32> = (0..100).map(|group| 5 + 3 * (group % 2)).collect();
        let mirrored: Vec<u32> = (0..100).map(|group| 8 - 3 * (group % 2)).collect();
        assert!(compare(&mixed, &mirrored, 2000).p_value > 0.5);
        let same = compare(&[3, 4, 5], &[3, 4, 5], 500);
        assert_eq!((same.p_value, same.low, same.high), (1.0, 0.0, 0.0));
    }

    #[test]
    fn draws_are_shared_without_a_trace() {
        let systems = vec![correct(&[3, 4, 5, 9]), correct(&[5, 1, 7, 8]), correct(&[0, 0, 1, 10])];
        let together = PairedTests::of(systems.clone(), 200, 200, 4);
        for (at, system) in systems.iter().enumerate() {
            assert_eq!(together.interval(at), bootstrap_interval(system, 200, 4));
        }
        let compared = PairedTests::of(vec![systems[2].clone(), systems[1].clone()], 200, 200, 4).compare(0, 1);
        assert_eq!(together.compare(2, 1), compared);
        assert!(compared.low < compared.difference && compared.difference < compared.high);
    }

    #[test]
    fn an_exchange_negates_the_numbers_of_the_groups_it_chooses() {
        let numbers: Vec<f64> = (0..75).map(|group| f64::from((group * 37) % 11)).collect();
        let mut coins = ChaCha8Rng::seed_from_u64(5);
        for found in exchanged(&numbers, 20, 5) {
            let words = [coins.next_u64(), coins.next_u64()];
            let sign = |group: usize| if words[group / 64] >> (group % 64) & 1 == 1 { -1.0 } else { 1.0 };
            let expected: f64 = numbers.iter().enumerate().map(|(group, &one)| sign(group) * one).sum();
            assert_eq!(found, expected);
        }
    }

    #[test]
    fn the_interval_narrows_with_groups() {
        let width = |groups: u32| {
            let interval =
                bootstrap_interval(&correct(&(0..groups).map(|group| group % 10).collect::<Vec<_>>()), 1000, 7);
            interval.high - interval.low
        };
        assert!(width(1000) < 0.3 * width(10));
        // 400 groups of one pair, half right: 0.5 +- 1.96 sqrt(0.25 / 400) = 0.451 to 0.549.
        let coin = Correct { right: (0..400).map(|group| f64::from(group % 2)).collect(), sizes: vec![1; 400] };
        let interval = bootstrap_interval(&coin, 4000, 3);
        assert!((interval.low - 0.451).abs() < 0.006 && (interval.high - 0.549).abs() < 0.006, "{interval:?}");
    }

    /// The verdicts of a system that is right where `right` is true, given that people say 1 for every pair.
    fn said(right: &[bool]) -> Vec<Verdict> {
        right.iter().map(|&right| if right { Verdict::First } else { Verdict::Second }).collect()
    }

    fn clustered(one: &[bool], other: &[bool], of_pair: &[usize]) -> McNemar {
        let people = vec![Verdict::First; one.len()];
        let groups = Groups { of_pair: of_pair.to_vec(), count: 1 + of_pair.iter().max().unwrap() };
        let (one, other) = (said(one), said(other));
        let [of_one, of_other] = [&one, &other].map(|system| Correct::of(&people, system, &groups));
        McNemar::clustered(&people, [&one, &other], [&of_one, &of_other])
    }

    #[test]
    fn without_groups_to_compare_it_is_undefined_and_without_a_difference_certain() {
        let (one, other) = ([true, false], [false, false]);
        assert_eq!(clustered(&one, &other, &[0, 0]).p_value, None);
        assert_eq!(clustered(&one, &one, &[0, 1]).p_value, Some(1.0));
    }
}
