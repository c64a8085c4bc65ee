//! Correlations of two lists of scores: Pearson's r and Spearman's rho as SciPy computes them, Kendall's tau and its
//! relatives from counts of pairs, and sums in NumPy's order of addition.

use std::ops::Add;

use super::scores::ScoredRow;

/// Pearson's product-moment correlation, sum((x - mean x) (y - mean y)) / (|x - mean x| |y - mean y|), in [-1, 1];
/// `None` for fewer than two numbers, or where either list is constant. Pearson 1895.
pub fn pearson(x: &[f64], y: &[f64]) -> Option<f64> {
    let is_constant = |values: &[f64]| values.iter().all(|value| *value == values[0]);
    if x.len() < 2 || is_constant(x) || is_constant(y) {
        return None;
    }
    let (x, y) = (unit(x)?, unit(y)?);
    let products: Vec<f64> = x.iter().zip(&y).map(|(a, b)| a * b).collect();
    Some(pairwise_sum(&products).clamp(-1.0, 1.0))
}

/// The deviations from the mean, scaled to unit length; `None` where they are all 0 or their length is not finite.
pub(super) fn unit(values: &[f64]) -> Option<Vec<f64>> {
    let mean = pairwise_sum(values) / values.len() as f64;
    // Scaled first, as squares of huge numbers overflow and those of tiny ones underflow.
    let largest = values.iter().map(|value| (value - mean).abs()).fold(0.0, f64::max);
    let scaled: Vec<f64> = values.iter().map(|value| (value - mean) / largest).collect();
    let squares: Vec<f64> = scaled.iter().map(|value| value * value).collect();
    let length = pairwise_sum(&squares).sqrt();
    (length.is_finite() && length > 0.0).then(|| scaled.into_iter().map(|value| value / length).collect())
}

/// Spearman's rank correlation: Pearson's correlation of the ranks, where equal numbers share their mean rank; in [-1,
/// 1]; `None` as for [`pearson`]. Spearman 1904.
pub fn spearman(x: &[f64], y: &[f64]) -> Option<f64> {
    pearson(&ranks(x), &ranks(y))
}

/// Ranks from 1; equal numbers share their mean rank.
fn ranks(values: &[f64]) -> Vec<f64> {
    let mut order: Vec<usize> = (0..values.len()).collect();
    order.sort_unstable_by(|&a, &b| values[a].total_cmp(&values[b]));
    let mut ranks = vec![0.0; values.len()];
    let mut before = 0;
    for equal in order.chunk_by(|&a, &b| values[a] == values[b]) {
        let rank = before as f64 + (equal.len() + 1) as f64 / 2.0;
        equal.iter().for_each(|&at| ranks[at] = rank);
        before += equal.len();
    }
    ranks
}

/// The largest block that is added up without recursion, in eight partial sums.
const BLOCK: usize = 128;

/// `numpy.sum` of a contiguous array: pairwise summation, which adds up halves recursively down to `BLOCK` numbers.
/// Higham 1993, section 3.
pub fn pairwise_sum<T: Copy + Default + Add<Output = T>>(values: &[T]) -> T {
    if values.len() > BLOCK {
        let half = values.len() / 2;
        let (first, second) = values.split_at(half - half % 8);
        return pairwise_sum(first) + pairwise_sum(second);
    }
    let chunks = values.chunks_exact(8);
    let rest = chunks.remainder();
    let mut sums = [T::default(); 8];
    for chunk in chunks {
        for (sum, &value) in sums.iter_mut().zip(chunk) {
            *sum = *sum + value;
        }
    }
    let [a, b, c, d, e, f, g, h] = sums;
    rest.iter().fold(((a + b) + (c + d)) + ((e + f) + (g + h)), |sum, &value| sum + value)
}

/// Counts of pairs of cells, by their order in the human scores and in the metric.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct PairCounts {
    /// Pairs in the same order for both.
    pub concordant: u64,
    /// Pairs in opposite orders.
    pub discordant: u64,
    /// Human ties alone.
    pub people_ties: u64,
    /// Ties of the metric alone.
    pub metric_ties: u64,
    /// Ties of both.
    pub both_ties: u64,
}

impl PairCounts {
    /// The number of pairs.
    pub fn all(&self) -> u64 {
        self.concordant + self.discordant + self.people_ties + self.metric_ties + self.both_ties
    }

    /// Pairs on which metric and human scores agree: those in the same order, and ties of both.
    pub fn right(&self) -> u64 {
        self.concordant + self.both_ties
    }

    /// Concordant minus discordant pairs.
    pub(super) fn surplus(&self) -> f64 {
        self.concordant as f64 - self.discordant as f64
    }

    /// Kendall's tau-b, (C - D) / sqrt(pairs with different human scores) / sqrt(pairs that the metric tells apart), in
    /// [-1, 1]; `None` where either side ties all pairs. Kendall 1945.
    pub fn tau_b(&self) -> Option<f64> {
        let untied = self.concordant + self.discordant;
        let (by_people, by_metric) = (untied + self.metric_ties, untied + self.people_ties);
        let is_defined = by_people > 0 && by_metric > 0;
        is_defined.then(|| self.surplus() / (by_metric as f64).sqrt() / (by_people as f64).sqrt())
    }

    /// tau_23 = (C + T_both - D - T_people - T_metric) / all, in [-1, 1]; `None` without a pair. Deutsch et al. 2023,
    /// "Ties Matter", table 1.
    pub fn tau_23(&self) -> Option<f64> {
        share(self.right() as f64 - (self.all() - self.right()) as f64, self.all())
    }

    /// acc_23 = (C + T_both) / all, in [0, 1]; `None` without a pair. Deutsch et al. 2023, section 4.
    pub fn accuracy(&self) -> Option<f64> {
        share(self.right() as f64, self.all())
    }

    /// tau_10 = (C - D - T_metric) / (C + D + T_metric), in [-1, 1]: human ties are left out, and those of the metric
    /// are errors; `None` where all human scores are equal. Callison-Burch et al. 2010; Deutsch et al. 2023, table 1.
    pub fn tau_10(&self) -> Option<f64> {
        let judged = self.concordant + self.discordant + self.metric_ties;
        share(self.surplus() - self.metric_ties as f64, judged)
    }

    /// tau_13 = (C - D) / (C + D), in [-1, 1]: all ties are left out; `None` where every pair is a tie. Macháček and
    /// Bojar 2013; Deutsch et al. 2023, table 1.
    pub fn tau_13(&self) -> Option<f64> {
        share(self.surplus(), self.concordant + self.discordant)
    }

    /// tau_14 = (C - D) / (C + D + T_metric), in [-1, 1]; `None` where all human scores are equal. Macháček and Bojar
    /// 2014; Deutsch et al. 2023, table 1.
    pub fn tau_14(&self) -> Option<f64> {
        share(self.surplus(), self.concordant + self.discordant + self.metric_ties)
    }
}

fn share(part: f64, all: u64) -> Option<f64> {
    (all > 0).then(|| part / all as f64)
}

/// n (n - 1) / 2.
pub(super) fn pairs(count: usize) -> u64 {
    let count = count as u64;
    count * count.saturating_sub(1) / 2
}

/// The "Kendall's tau-like" of the WMT metrics tasks of 2017 to 2020: (C - D) / (C + D) over the pairs of all rows
/// whose human scores differ by `threshold` or more, in [-1, 1]. A pair is concordant if the metric orders it strictly
/// as the human scores do, else discordant, ties of the metric included. `None` without such a pair. Ma et al. 2019,
/// section 4.1; a threshold of 25 on direct assessments.
pub fn kendall_like(rows: &[ScoredRow], threshold: f64) -> Option<f64> {
    let counts = rows.iter().map(|row| concordant(row, threshold));
    let [concordant, all] = counts.fold([0; 2], |[one, other], [concordant, all]| [one + concordant, other + all]);
    (all > 0).then(|| (2.0 * concordant as f64 - all as f64) / all as f64)
}

/// The numbers of pairs of a row that are concordant, and that count, in [`kendall_like`].
pub(super) fn concordant(ScoredRow { human, metric }: &ScoredRow, threshold: f64) -> [u64; 2] {
    let (mut concordant, mut all) = (0, 0);
    for a in 0..human.len() {
        for b in a + 1..human.len() {
            let difference = human[a] - human[b];
            let is_above = difference > 0.0 && metric[a] > metric[b];
            let is_below = difference < 0.0 && metric[a] < metric[b];
            let counts = difference.abs() >= threshold;
            all += u64::from(counts);
            concordant += u64::from(counts && (is_above || is_below));
        }
    }
    [concordant, all]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(human: &[f64], metric: &[f64]) -> ScoredRow {
        ScoredRow { human: human.into(), metric: metric.into() }
    }

    #[test]
    fn pairs_count_for_what_people_tell_apart() {
        let rows = [row(&[0.0, 30.0, 60.0], &[1.0, 2.0, 2.0]), row(&[0.0, 26.0], &[5.0, 4.0])];
        // At 25, 2 of 3 pairs of the first row are concordant, and none of the second.
        assert_eq!(kendall_like(&rows, 25.0), Some(0.0));
        // At 30 the second row has no pair.
        assert_eq!(kendall_like(&rows, 30.0), Some(1.0 / 3.0));
        assert_eq!(kendall_like(&rows, 60.0), Some(1.0));
        assert_eq!(kendall_like(&rows, 61.0), None);
    }

    #[test]
    fn equal_numbers_have_no_correlation() {
        assert_eq!(pearson(&[1.0, 1.0, 1.0], &[1.0, 2.0, 3.0]), None);
        assert_eq!(spearman(&[1.0, 2.0, 3.0], &[0.1, 0.1, 0.1]), None);
        assert_eq!(pearson(&[1.0], &[1.0]), None);
        assert_eq!(pearson(&[], &[]), None);
    }

    #[test]
    fn huge_and_tiny_numbers_are_numbers() {
        let scaled = |factor: f64| [1.0, 2.0, 4.0].map(|value| value * factor);
        for factor in [1e300, 1e-300] {
            let found = pearson(&scaled(factor), &[1.0, 2.0, 4.0]).unwrap();
            assert!((found - 1.0).abs() < 1e-12, "{found}");
        }
    }

    // numpy 2.4.6: numpy.sum(1 / numpy.arange(1, n + 1)) for n in 5, 20, 300, 1000
    #[test]
    fn sums_are_numpys() {
        let sum = |count: u32| pairwise_sum(&(1..=count).map(|at| 1.0 / f64::from(at)).collect::<Vec<f64>>());
        assert_eq!(
            [5, 20, 300, 1000].map(sum),
            [2.283333333333333, 3.597739657143682, 6.282663880299504, 7.485470860550345]
        );
    }
}
