//! Intervals and p-values of accuracies and of their paired differences, and McNemar's test.

use serde::Serialize;

use super::by_order::VerdictsByOrder;
use super::group_sums::Estimate;
use super::intervals::{Difference, Interval, Share};
use super::sign_test;
use crate::Groups;
use crate::Verdict;
use crate::ratio;

/// The verdicts of a system that are there, and those that are right, of each group; of a judge in each order of the
/// hypotheses.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Correct {
    orders: Vec<CorrectInOrder>,
}

/// One number for each group.
#[derive(Debug, Clone, PartialEq, Eq)]
struct CorrectInOrder {
    right: Vec<u32>,
    given: Vec<u32>,
}

impl CorrectInOrder {
    fn new(labels: &[Verdict], verdicts: impl Iterator<Item = Option<Verdict>>, groups: &Groups) -> Self {
        let (mut right, mut given) = (vec![0; groups.count], vec![0; groups.count]);
        for ((truth, verdict), &group) in labels.iter().zip(verdicts).zip(&groups.of_row) {
            given[group] += u32::from(verdict.is_some());
            right[group] += u32::from(verdict == Some(*truth));
        }
        Self { right, given }
    }

    fn is_given(&self) -> bool {
        self.given.iter().any(|&given| given > 0)
    }

    /// The share of right verdicts in all groups, and then without each of them; `None` where no verdict is there.
    fn accuracies(&self) -> Vec<Option<f64>> {
        let [right, given] = [&self.right, &self.given].map(|counts| counts.iter().sum::<u32>());
        let accuracy = |right: u32, given: u32| (given > 0).then(|| f64::from(right) / f64::from(given));
        let without = self.right.iter().zip(&self.given).map(|(one, size)| accuracy(right - one, given - size));
        std::iter::once(accuracy(right, given)).chain(without).collect()
    }
}

impl Correct {
    /// Counts the pairs; both slices have one verdict per pair.
    pub fn new(labels: &[Verdict], system: &[Verdict], groups: &Groups) -> Self {
        Self { orders: vec![CorrectInOrder::new(labels, system.iter().copied().map(Some), groups)] }
    }

    /// Counts the verdicts that are there.
    pub fn of_orders(labels: &[Verdict], verdicts: &VerdictsByOrder, groups: &Groups) -> Self {
        let order = |verdicts: &Vec<Option<Verdict>>| CorrectInOrder::new(labels, verdicts.iter().copied(), groups);
        Self { orders: verdicts.orders().iter().map(order).collect() }
    }

    /// The 95% interval of accuracy: Clopper and Pearson's for the effective number of pairs. Korn and Graubard 1998.
    pub fn interval(&self) -> Interval {
        self.share().interval()
    }

    /// The mean of the accuracies on parts of the pairs, each of which counts alike, with its 95% interval as for
    /// [`Self::interval`]: a pair of a small part has the greater weight. Parts without a verdict are left out; `None` where
    /// all are. All parts number the same groups.
    pub fn macro_average(parts: &[Self]) -> Option<Estimate> {
        let parts: Vec<&Self> = parts.iter().filter(|part| part.orders.iter().any(|order| order.is_given())).collect();
        let (accuracies, sizes): (Vec<_>, Vec<_>) = parts.iter().map(|part| (part.accuracies(), part.sizes())).unzip();
        let shares: Vec<Share> = parts.iter().map(|part| part.share()).collect();
        let (count, groups) = (parts.len() as f64, sizes.first()?.len());
        let mean = |at: usize| {
            let of_part = |(all, share): (&Vec<Option<f64>>, &Share)| all[at].unwrap_or(share.value);
            accuracies.iter().zip(&shares).map(of_part).sum::<f64>() / count
        };
        let totals: Vec<f64> = sizes.iter().map(|sizes| sizes.iter().sum()).collect();
        let pairs = totals.iter().sum::<f64>();
        let weighted = |group: usize| {
            let of_part = sizes.iter().zip(&totals).map(|(sizes, total)| sizes[group] / total);
            pairs / count * of_part.sum::<f64>()
        };
        let sizes: Vec<f64> = (0..groups).map(weighted).collect();
        let share = Share::new(mean(0), &sizes, (1..=groups).map(mean)).of_parts(&shares);
        let Interval { low, high } = share.interval();
        Some(Estimate { value: share.value, low, high })
    }

    /// The accuracy; of two orders, the mean.
    fn share(&self) -> Share {
        let (accuracies, sizes) = (self.accuracies(), self.sizes());
        let value = accuracies.first().copied().flatten().unwrap_or(0.0);
        Share::new(value, &sizes, accuracies.iter().skip(1).map(|without| without.unwrap_or(value)))
    }

    /// The accuracy on all groups, and then without each of them; of two orders, the mean. `None` where no verdict is there.
    fn accuracies(&self) -> Vec<Option<f64>> {
        let orders: Vec<Vec<Option<f64>>> = self.orders.iter().map(CorrectInOrder::accuracies).collect();
        let mean = |at: usize| {
            let known: Vec<f64> = orders.iter().filter_map(|accuracies| accuracies[at]).collect();
            (!known.is_empty()).then(|| known.iter().sum::<f64>() / known.len() as f64)
        };
        (0..orders.first().map_or(0, Vec::len)).map(mean).collect()
    }

    /// The number of verdicts of each group; of two orders, the mean.
    fn sizes(&self) -> Vec<f64> {
        let groups = self.orders.first().map_or(0, |order| order.given.len());
        let size = |group: usize| self.orders.iter().map(|order| f64::from(order.given[group])).sum::<f64>();
        (0..groups).map(|group| ratio(size(group), self.orders.len() as f64)).collect()
    }

    /// The number of right verdicts of each group; of two orders, the mean.
    fn right(&self) -> Vec<f64> {
        let groups = self.orders.first().map_or(0, |order| order.right.len());
        let right = |group: usize| self.orders.iter().map(|order| f64::from(order.right[group])).sum::<f64>();
        (0..groups).map(|group| ratio(right(group), self.orders.len() as f64)).collect()
    }
}

/// How one system compares with another on the same pairs.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Comparison {
    /// The accuracy of the first system minus that of the second.
    pub difference: f64,
    /// The lower end of the 95% interval of the difference.
    pub low: f64,
    /// The upper end of the interval.
    pub high: f64,
    /// Two-sided p-value of no difference: below 0.05 exactly where the interval excludes 0.
    pub p_value: f64,
}

/// Systems on the same pairs, ready to be compared with each other.
#[derive(Debug, Clone)]
pub struct PairedTests {
    systems: Vec<Correct>,
    shares: Vec<Share>,
}

impl PairedTests {
    /// Prepares systems that judged the same pairs.
    pub fn new(systems: Vec<Correct>) -> Self {
        let shares = systems.iter().map(Correct::share).collect();
        Self { systems, shares }
    }

    /// The correct pairs of a system.
    pub fn correct(&self, system: usize) -> &Correct {
        &self.systems[system]
    }

    /// The 95% interval of a system's accuracy; see [`Correct::interval`].
    pub fn interval(&self, system: usize) -> Interval {
        self.shares[system].interval()
    }

    /// Compares two systems. The interval of the difference is found from those of both accuracies and their
    /// correlation over groups, by square and add; p is the level at which it ends at 0. Newcombe 1998; Zou and Donner
    /// 2008.
    pub fn compare(&self, one: usize, other: usize) -> Comparison {
        let difference = Difference::new(&self.shares[one], &self.shares[other]);
        let Interval { low, high } = difference.interval();
        Comparison { difference: difference.value(), low, high, p_value: difference.p_value() }
    }
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
    /// ```
    /// use tribunal_stats::McNemar;
    /// use tribunal_stats::Verdict::{First, Second};
    ///
    /// // Five pairs that only one of two systems gets right: p = 2 / 2^5.
    /// let test = McNemar::exact(&[First; 5], &[First; 5], &[Second; 5]);
    /// assert_eq!(test.p_value, Some(0.0625));
    /// ```
    pub fn exact(labels: &[Verdict], one: &[Verdict], other: &[Verdict]) -> Self {
        let [only_one, only_other] = only(labels, one, other);
        let p_value = Some(sign_test(only_one, only_other));
        Self { only_one, only_other, method: McNemarMethod::Exact, statistic: None, p_value }
    }

    /// The test over groups: chi-squared = (K - 1)/K (sum_k d_k)^2 / sum_k d_k^2, where d_k = b_k - c_k of group k of
    /// K; 0 where every d_k is 0. With one pair per group it is McNemar's (b - c)^2 / (b + c) times (K - 1)/K.
    /// Obuchowski 1998, "On the Comparison of Correlated Proportions for Clustered Data", section 2.
    pub fn clustered(labels: &[Verdict], [one, other]: [&[Verdict]; 2], [of_one, of_other]: [&Correct; 2]) -> Self {
        let [only_one, only_other] = only(labels, one, other);
        let (of_one, of_other) = (of_one.right(), of_other.right());
        let leads = of_one.iter().zip(&of_other).map(|(one, other)| one - other);
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
fn only(labels: &[Verdict], one: &[Verdict], other: &[Verdict]) -> [usize; 2] {
    let mut counts = [0; 2];
    for ((label, one), other) in labels.iter().zip(one).zip(other) {
        counts[0] += usize::from(one == label && other != label);
        counts[1] += usize::from(other == label && one != label);
    }
    counts
}

#[cfg(test)]
mod tests {
    use std::ops::Range;

    use rand::{RngExt, SeedableRng};
    use rand_chacha::ChaCha8Rng;

    use super::*;

    fn counts(right: &[u32], given: &[u32]) -> Correct {
        Correct { orders: vec![CorrectInOrder { right: right.to_vec(), given: given.to_vec() }] }
    }

    fn correct(right: &[u32]) -> Correct {
        counts(right, &vec![10; right.len()])
    }

    fn compare(one: &[u32], other: &[u32]) -> Comparison {
        PairedTests::new(vec![correct(one), correct(other)]).compare(0, 1)
    }

    #[test]
    fn a_clear_lead_is_beyond_chance_and_none_is_not() {
        let clear = compare(&[8; 100], &[5; 100]);
        assert!((clear.difference - 0.3).abs() < 1e-12);
        assert!(clear.p_value < 0.001 && clear.low > 0.15);
        let mixed: Vec<u32> = (0..100).map(|group| 5 + 3 * (group % 2)).collect();
        let mirrored: Vec<u32> = (0..100).map(|group| 8 - 3 * (group % 2)).collect();
        assert!(compare(&mixed, &mirrored).p_value > 0.5);
        let same = compare(&[3, 4, 5], &[3, 4, 5]);
        assert!(same.p_value == 1.0 && same.low < 0.0 && same.high > 0.0);
    }

    #[test]
    fn the_interval_narrows_with_groups() {
        let width = |groups: u32| {
            let interval = correct(&(0..groups).map(|group| group % 10).collect::<Vec<_>>()).interval();
            interval.high - interval.low
        };
        assert!(width(1000) < 0.3 * width(10));
    }

    #[test]
    fn groups_without_pairs_count_nowhere() {
        let some = counts(&[1, 0, 2, 0], &[1, 0, 3, 2]);
        let none = counts(&[1, 2, 0], &[1, 3, 2]);
        assert_eq!(some.interval(), none.interval());
        let nothing = counts(&[0; 2], &[0; 2]);
        assert_eq!(nothing.interval(), Interval { low: 0.0, high: 1.0 });
        assert_eq!(PairedTests::new(vec![nothing.clone(), nothing]).compare(0, 1).p_value, 1.0);
    }

    #[test]
    fn missing_verdicts_are_no_evidence_and_two_orders_no_more_than_their_pairs() {
        let (labels, groups) = ([Verdict::First; 8], Groups { of_row: (0..8).collect(), count: 8 });
        let right = |row: usize| if row.is_multiple_of(4) { Verdict::Second } else { Verdict::First };
        let all: Vec<Option<Verdict>> = (0..8).map(|row| Some(right(row))).collect();
        let one = Correct::of_orders(&labels, &VerdictsByOrder::new(vec![all.clone()]), &groups);
        let two = Correct::of_orders(&labels, &VerdictsByOrder::new(vec![all.clone(), all.clone()]), &groups);
        assert_eq!(one.interval(), two.interval());
        let missing = VerdictsByOrder::new(vec![all.into_iter().chain([None; 4]).collect()]);
        let groups = Groups { of_row: (0..12).collect(), count: 12 };
        assert_eq!(Correct::of_orders(&[Verdict::First; 12], &missing, &groups).interval(), one.interval());
    }

    #[test]
    fn parts_count_alike_however_large() {
        let (small, large) = (counts(&[1, 0, 0], &[2, 0, 0]), counts(&[0, 9, 9], &[0, 10, 10]));
        let found = Correct::macro_average(&[small.clone(), large.clone()]).unwrap();
        assert!((found.value - 0.7).abs() < 1e-12 && found.low < 0.5 && found.high > 0.8, "{found:?}");
        let alone = Correct::macro_average(std::slice::from_ref(&large)).unwrap();
        let Interval { low, high } = large.interval();
        assert_eq!((alone.value, alone.low, alone.high), (0.9, low, high));
        let silent = counts(&[0; 3], &[0; 3]);
        assert_eq!(Correct::macro_average(&[large, silent.clone()]), Some(alone));
        assert_eq!(Correct::macro_average(&[silent]), None);
    }

    /// Parts of 12, 60 and 300 pairs in groups of three, half of which are right or wrong as a whole.
    #[test]
    fn intervals_of_means_over_parts_hold_the_truth() {
        let mut random = ChaCha8Rng::seed_from_u64(1);
        let sizes = [12_usize, 60, 300];
        let groups: Vec<usize> = (0..sizes.iter().sum()).map(|row: usize| row / 3).collect();
        let mut part = |rows: Range<usize>, rate: f64| {
            let mut verdicts = Vec::new();
            for _ in 0..rows.len() / 3 {
                let (is_whole, whole) = (random.random_bool(0.5), random.random_bool(rate));
                verdicts.extend((0..3).map(|_| if is_whole { whole } else { random.random_bool(rate) }));
            }
            let groups = Groups { of_row: groups[rows.clone()].to_vec(), count: groups.len() / 3 };
            Correct::new(&vec![Verdict::First; rows.len()], &said(&verdicts), &groups)
        };
        for rates in [[0.6, 0.8, 0.95], [0.95, 0.8, 0.6], [0.8, 0.8, 0.8]] {
            let truth = rates.iter().sum::<f64>() / 3.0;
            let mut holds = || {
                let parts = [part(0..12, rates[0]), part(12..72, rates[1]), part(72..372, rates[2])];
                let found = Correct::macro_average(&parts).unwrap();
                found.low <= truth && truth <= found.high
            };
            let held = (0..2000).filter(|_| holds()).count();
            assert!(held >= 1860, "{rates:?}: {held} of 2000");
        }
    }

    /// The verdicts of a system that is right where `right` is true, where the human label is 1 for every pair.
    fn said(right: &[bool]) -> Vec<Verdict> {
        right.iter().map(|&right| if right { Verdict::First } else { Verdict::Second }).collect()
    }

    fn clustered(one: &[bool], other: &[bool], of_pair: &[usize]) -> McNemar {
        let labels = vec![Verdict::First; one.len()];
        let groups = Groups { of_row: of_pair.to_vec(), count: 1 + of_pair.iter().max().unwrap() };
        let (one, other) = (said(one), said(other));
        let [of_one, of_other] = [&one, &other].map(|system| Correct::new(&labels, system, &groups));
        McNemar::clustered(&labels, [&one, &other], [&of_one, &of_other])
    }

    #[test]
    fn without_groups_to_compare_it_is_undefined_and_without_a_difference_certain() {
        let (one, other) = ([true, false], [false, false]);
        assert_eq!(clustered(&one, &other, &[0, 0]).p_value, None);
        assert_eq!(clustered(&one, &one, &[0, 1]).p_value, Some(1.0));
    }
}
