//! Kendall's tau and its relatives. In: people's and a metric's scores of the same cells. Out: counts of concordant,
//! discordant and tied pairs, and the statistics computed from them. Next: [`super::segments`], [`super::systems`].

use super::judged::ScoredRow;

/// Counts of pairs of cells, by their order for people and for the metric.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct PairCounts {
    /// Pairs in the same order for both.
    pub concordant: u64,
    /// Pairs in opposite orders.
    pub discordant: u64,
    /// Ties of people alone.
    pub people_ties: u64,
    /// Ties of the metric alone.
    pub metric_ties: u64,
    /// Ties of both.
    pub both_ties: u64,
}

impl PairCounts {
    /// Counts the pairs of a row in O(n log n). Knight 1966.
    pub fn of(row: &ScoredRow) -> Self {
        let (people, metric) = (&row.people, &row.metric);
        let mut order: Vec<usize> = (0..people.len()).collect();
        order.sort_unstable_by(|&a, &b| people[a].total_cmp(&people[b]).then_with(|| metric[a].total_cmp(&metric[b])));
        let people_ties = ties(order.chunk_by(|&a, &b| people[a] == people[b]));
        let both_ties = ties(order.chunk_by(|&a, &b| people[a] == people[b] && metric[a] == metric[b]));
        let mut values: Vec<f64> = order.iter().map(|&at| metric[at]).collect();
        let discordant = sort_counting(&mut values);
        let metric_ties = ties(values.chunk_by(|a, b| a == b));
        let all = pairs(people.len());
        Self {
            concordant: all + both_ties - people_ties - metric_ties - discordant,
            discordant,
            people_ties: people_ties - both_ties,
            metric_ties: metric_ties - both_ties,
            both_ties,
        }
    }

    /// The number of pairs.
    pub fn all(&self) -> u64 {
        self.concordant + self.discordant + self.people_ties + self.metric_ties + self.both_ties
    }

    /// Concordant minus discordant pairs.
    fn surplus(&self) -> f64 {
        self.concordant as f64 - self.discordant as f64
    }

    /// Kendall's tau-b, (C - D) / sqrt(pairs that people tell apart) / sqrt(pairs that the metric tells apart), in [-1,
    /// 1]; `None` where either side ties all pairs. Kendall 1945.
    pub fn tau_b(&self) -> Option<f64> {
        let untied = self.concordant + self.discordant;
        let (by_people, by_metric) = (untied + self.metric_ties, untied + self.people_ties);
        let is_defined = by_people > 0 && by_metric > 0;
        is_defined.then(|| self.surplus() / (by_metric as f64).sqrt() / (by_people as f64).sqrt())
    }

    /// tau_23 = (C + T_both - D - T_people - T_metric) / all, in [-1, 1]; `None` without a pair. Deutsch et al. 2023,
    /// "Ties Matter", table 1.
    pub fn tau_23(&self) -> Option<f64> {
        let right = self.concordant + self.both_ties;
        share(right as f64 - (self.all() - right) as f64, self.all())
    }

    /// acc_23 = (C + T_both) / all, in [0, 1]; `None` without a pair. Deutsch et al. 2023, section 4.
    pub fn accuracy(&self) -> Option<f64> {
        share((self.concordant + self.both_ties) as f64, self.all())
    }

    /// tau_10 = (C - D - T_metric) / (C + D + T_metric), in [-1, 1]: ties of people are left out, and those of the
    /// metric are errors; `None` where people tie all pairs. Callison-Burch et al. 2010; Deutsch et al. 2023, table 1.
    pub fn tau_10(&self) -> Option<f64> {
        let judged = self.concordant + self.discordant + self.metric_ties;
        share(self.surplus() - self.metric_ties as f64, judged)
    }

    /// tau_13 = (C - D) / (C + D), in [-1, 1]: all ties are left out; `None` where every pair is a tie. Macháček and
    /// Bojar 2013; Deutsch et al. 2023, table 1.
    pub fn tau_13(&self) -> Option<f64> {
        share(self.surplus(), self.concordant + self.discordant)
    }

    /// tau_14 = (C - D) / (C + D + T_metric), in [-1, 1]; `None` where people tie all pairs. Macháček and Bojar 2014;
    /// Deutsch et al. 2023, table 1.
    pub fn tau_14(&self) -> Option<f64> {
        share(self.surplus(), self.concordant + self.discordant + self.metric_ties)
    }
}

/// Kendall's (Stuart's) tau-c, 2 (C - D) / (n² (m - 1) / m) where m is the smaller of the two numbers of distinct
/// scores, in [-1, 1]; `None` where either side ties all pairs. Stuart 1953.
pub fn tau_c(row: &ScoredRow, counts: &PairCounts) -> Option<f64> {
    let classes = distinct(&row.people).min(distinct(&row.metric)) as f64;
    let cells = row.people.len() as f64;
    (classes > 1.0).then(|| 2.0 * counts.surplus() / (cells * cells * (classes - 1.0) / classes))
}

fn share(part: f64, all: u64) -> Option<f64> {
    (all > 0).then(|| part / all as f64)
}

fn distinct(values: &[f64]) -> usize {
    let mut sorted = values.to_vec();
    sorted.sort_unstable_by(f64::total_cmp);
    sorted.dedup();
    sorted.len()
}

/// n (n - 1) / 2.
pub(super) fn pairs(count: usize) -> u64 {
    let count = count as u64;
    count * count.saturating_sub(1) / 2
}

fn ties<'v, T: 'v>(equal: impl Iterator<Item = &'v [T]>) -> u64 {
    equal.map(|equal| pairs(equal.len())).sum()
}

/// Sorts by merging, and counts the inversions.
fn sort_counting(values: &mut Vec<f64>) -> u64 {
    let mut merged = vec![0.0; values.len()];
    let (mut width, mut inversions) = (1, 0);
    while width < values.len() {
        for (from, to) in values.chunks(2 * width).zip(merged.chunks_mut(2 * width)) {
            let (left, right) = from.split_at(width.min(from.len()));
            inversions += merge(left, right, to);
        }
        std::mem::swap(values, &mut merged);
        width *= 2;
    }
    inversions
}

fn merge(left: &[f64], right: &[f64], to: &mut [f64]) -> u64 {
    let (mut l, mut r, mut inversions) = (0, 0, 0);
    for place in to {
        if r == right.len() || (l < left.len() && left[l] <= right[r]) {
            *place = left[l];
            l += 1;
        } else {
            *place = right[r];
            r += 1;
            inversions += (left.len() - l) as u64;
        }
    }
    inversions
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn row(people: &[f64], metric: &[f64]) -> ScoredRow {
        ScoredRow { people: people.into(), metric: metric.into() }
    }

    fn one_by_one(row: &ScoredRow) -> PairCounts {
        let mut counts = PairCounts::default();
        for a in 0..row.people.len() {
            for b in 0..a {
                let people = row.people[a] - row.people[b];
                let metric = row.metric[a] - row.metric[b];
                *match (people == 0.0, metric == 0.0) {
                    (true, true) => &mut counts.both_ties,
                    (true, false) => &mut counts.people_ties,
                    (false, true) => &mut counts.metric_ties,
                    _ if people * metric > 0.0 => &mut counts.concordant,
                    _ => &mut counts.discordant,
                } += 1;
            }
        }
        counts
    }

    #[test]
    fn statistics_of_five_cells() {
        // Of ten pairs, people tie 1-2 and 4-5, the metric 2-3 and 4-5.
        let row = row(&[1.0, 1.0, 2.0, 3.0, 3.0], &[5.0, 6.0, 6.0, 4.0, 4.0]);
        let counts = PairCounts::of(&row);
        let expected = PairCounts { concordant: 1, discordant: 6, people_ties: 1, metric_ties: 1, both_ties: 1 };
        assert_eq!(counts, expected);
        assert_eq!(counts.tau_b(), Some(-5.0 / 8_f64.sqrt() / 8_f64.sqrt()));
        assert_eq!(tau_c(&row, &counts), Some(2.0 * -5.0 / (25.0 * 2.0 / 3.0)));
        assert_eq!(counts.tau_23(), Some(-0.6));
        assert_eq!(counts.accuracy(), Some(0.2));
        assert_eq!(counts.tau_10(), Some(-6.0 / 8.0));
        assert_eq!(counts.tau_13(), Some(-5.0 / 7.0));
        assert_eq!(counts.tau_14(), Some(-5.0 / 8.0));
    }

    #[test]
    fn ties_alone_are_no_order() {
        let row = row(&[1.0, 1.0, 1.0], &[1.0, 2.0, 2.0]);
        let counts = PairCounts::of(&row);
        assert_eq!((counts.tau_b(), tau_c(&row, &counts)), (None, None));
        assert_eq!((counts.tau_10(), counts.tau_13(), counts.tau_14()), (None, None, None));
        assert_eq!(counts.accuracy(), Some(1.0 / 3.0));
        assert_eq!(PairCounts::default().accuracy(), None);
    }

    proptest! {
        #[test]
        fn counts_are_those_of_every_pair(cells in prop::collection::vec((0..5_i8, -3..4_i8), 0..60)) {
            let (people, metric): (Vec<f64>, Vec<f64>) = cells.iter().map(|&(a, b)| (f64::from(a), f64::from(b))).unzip();
            let row = row(&people, &metric);
            prop_assert_eq!(PairCounts::of(&row), one_by_one(&row));
        }
    }
}
