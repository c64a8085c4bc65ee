//! The tests of tau_14, and of acc_23 with the best tie threshold.
//!
//! In the mixed scores of a round, a pair of cells has one of only four differences, as each cell takes either metric's
//! score. All four are looked up once among the thresholds; a round then only counts.

use std::cmp::Ordering;

use crate::meta::scores::{Averaging, HumanScores};
use crate::numpy_random::NumpyRandom;

/// Thresholds at evenly spaced quantiles of the differences.
const EVEN_QUANTILES: usize = 96;

/// Thresholds in each tail, ever closer to its end: the best threshold of a metric that hardly agrees with human scores
/// makes almost no ties, or almost only ties.
const TAIL_QUANTILES: i32 = 40;

/// The approximate number of differences from which the quantiles are taken.
const QUANTILE_SAMPLE: usize = 16_384;

/// A test of two metrics.
pub(super) struct TieTest {
    /// For each pair, its cells, and the [slot](Self::new) of each of its four differences: of the first metric's scores,
    /// with the second cell's of the second metric, with the first cell's of the second metric, and of the second
    /// metric's scores.
    pairs: Vec<([u32; 2], [u16; 4])>,
    /// The number of thresholds.
    thresholds: usize,
}

impl TieTest {
    /// Prepares the test. `metrics`: standardised scores, in the order of [`CellPair::cells`]; without `is_optimised`
    /// the only threshold is 0.
    ///
    /// The first threshold that makes a difference a tie has two slots: for pairs with different human scores, which a
    /// tie turns wrong, and for those that people tie, which it turns right. A wrong order stays wrong as a tie: all of
    /// these share the last slot, which does not count.
    pub(super) fn new(sample: &[CellPair], metrics: [&[f64]; 2], is_optimised: bool) -> Self {
        let thresholds = if is_optimised { thresholds(sample, metrics) } else { vec![0.0] };
        let slot = |difference: f64, human: Ordering| {
            let first = thresholds.partition_point(|&threshold| threshold < difference.abs());
            let slot = match human {
                Ordering::Equal => 2 * first + 1,
                Ordering::Greater if difference > 0.0 => 2 * first,
                Ordering::Less if difference < 0.0 => 2 * first,
                _ => 2 * thresholds.len() + 2,
            };
            slot as u16
        };
        let prepared = |pair: &CellPair| (pair.cells, pair.differences(metrics).map(|given| slot(given, pair.human)));
        Self { pairs: sample.iter().map(prepared).collect(), thresholds: thresholds.len() }
    }

    /// The number of pairs that the first metric's mixed scores get right with their best threshold, minus that of the
    /// second's. `keeps`: for each cell, whether it keeps its scores.
    pub(super) fn difference(&self, keeps: &[bool]) -> f64 {
        let mut counts = [(); 2].map(|()| vec![0_i32; 2 * self.thresholds + 3]);
        for (cells, slots) in &self.pairs {
            let taken = taken(cells, keeps);
            counts[0][usize::from(slots[taken])] += 1;
            counts[1][usize::from(slots[3 - taken])] += 1;
        }
        let [one, other] = counts.map(|counts| self.best(&counts));
        f64::from(one - other)
    }

    /// The number of correct pairs with the best threshold. `counts`: the pairs of each slot.
    fn best(&self, counts: &[i32]) -> i32 {
        let (mut change, mut best, mut right) = (0, i32::MIN, 0);
        for (at, slots) in counts.chunks_exact(2).enumerate() {
            // Without ties all pairs are right whose order is.
            right += slots[0];
            change += slots[1] - slots[0];
            if at < self.thresholds {
                best = best.max(change);
            }
        }
        right + best
    }
}

/// A test of two metrics by tau_14: a pair with different human scores counts 1 if the metric orders it alike, -1 if it
/// orders it otherwise, and 0 if it ties, as a guess would on average.
pub(super) struct OrderTest {
    /// For each pair, its cells, and what each of its four differences counts, in the order of [`TieTest`].
    pairs: Vec<([u32; 2], [i8; 4])>,
}

impl OrderTest {
    /// Prepares the test on a sample of pairs with different human scores. `metrics`: as in [`TieTest::new`].
    pub(super) fn new(sample: &[CellPair], metrics: [&[f64]; 2]) -> Self {
        let count = |difference: f64, human: Ordering| match difference.total_cmp(&0.0) {
            _ if difference == 0.0 => 0,
            order if order == human => 1,
            _ => -1,
        };
        let prepared = |pair: &CellPair| (pair.cells, pair.differences(metrics).map(|given| count(given, pair.human)));
        Self { pairs: sample.iter().map(prepared).collect() }
    }

    /// The sum over the pairs for the first metric's mixed scores, minus that for the second's. `keeps`: for each cell,
    /// whether it keeps its scores.
    pub(super) fn difference(&self, keeps: &[bool]) -> f64 {
        let mut difference = 0;
        for (cells, counts) in &self.pairs {
            let taken = taken(cells, keeps);
            difference += i32::from(counts[taken]) - i32::from(counts[3 - taken]);
        }
        f64::from(difference)
    }
}

/// Which of the four differences of a pair the first metric's mixed scores have; the second's have the opposite one.
fn taken(cells: &[u32; 2], keeps: &[bool]) -> usize {
    let [a, b] = cells.map(|cell| usize::from(!keeps[cell as usize]));
    2 * a + b
}

/// Candidate thresholds: 0, quantiles of the differences that can occur in rounds, and infinity.
fn thresholds(sample: &[CellPair], metrics: [&[f64]; 2]) -> Vec<f64> {
    let step = (4 * sample.len() / QUANTILE_SAMPLE).max(1);
    let differences = |pair: &CellPair| pair.differences(metrics).map(f64::abs);
    let mut all: Vec<f64> = sample.iter().step_by(step).flat_map(differences).collect();
    all.sort_unstable_by(f64::total_cmp);
    let even = (1..EVEN_QUANTILES).map(|at| at as f64 / EVEN_QUANTILES as f64);
    let tail = |at: i32| 2_f64.powf(-f64::from(at) / 4.0) / EVEN_QUANTILES as f64;
    let tails = (1..=TAIL_QUANTILES).flat_map(|at| [tail(at), 1.0 - tail(at)]);
    let quantile = |share: f64| all.get((share * all.len() as f64) as usize).copied();
    let mut thresholds: Vec<f64> = even.chain(tails).filter_map(quantile).chain([0.0, f64::INFINITY]).collect();
    thresholds.sort_unstable_by(f64::total_cmp);
    thresholds.dedup();
    thresholds
}

/// The largest number of pairs for a test, which visits all of them in every round.
const MAX_PAIRS: usize = 50_000;

/// Two cells of a segment, as indices into the order of [`by_segment`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct CellPair {
    cells: [u32; 2],
    /// People's score of the first cell compared with that of the second.
    human: Ordering,
}

impl CellPair {
    /// The four differences that its cells can have where each takes either metric's score.
    fn differences(&self, metrics: [&[f64]; 2]) -> [f64; 4] {
        let [a, b] = self.cells.map(|cell| metrics.map(|metric| metric[cell as usize]));
        [a[0] - b[0], a[0] - b[1], a[1] - b[0], a[1] - b[1]]
    }
}

/// Samples equally many pairs from each segment, so that the mean over segments is the mean over pairs. These are all
/// pairs if every segment has equally many and they are not too many. `is_ordered`: only pairs with different human
/// scores.
pub(super) fn sample(human: &HumanScores, is_ordered: bool, seed: u64) -> Vec<CellPair> {
    let in_segment = |cells: Vec<usize>| {
        let pairs = cells.iter().enumerate().flat_map(|(at, &a)| cells[..at].iter().map(move |&b| pair(human, a, b)));
        pairs.filter(|pair| !is_ordered || pair.human != Ordering::Equal).collect()
    };
    let mut rows: Vec<Vec<CellPair>> = human.cells(Averaging::Item).into_iter().map(in_segment).collect();
    rows.retain(|row| !row.is_empty());
    let most = rows.iter().map(Vec::len).max().unwrap_or(0);
    let each = most.min((MAX_PAIRS / rows.len().max(1)).max(1));
    let mut random = NumpyRandom::new(seed);
    let mut sample = Vec::with_capacity(each * rows.len());
    for mut all in rows {
        let size = all.len();
        // Whole copies of all pairs first, then the rest without replacement.
        (0..each / size).for_each(|_| sample.extend_from_slice(&all));
        for rest in 0..each % size {
            let drawn = rest + random.below((size - rest) as u32) as usize;
            all.swap(rest, drawn);
            sample.push(all[rest]);
        }
    }
    sample
}

fn pair(human: &HumanScores, a: usize, b: usize) -> CellPair {
    let [first, second] = [a, b].map(|cell| human.scores()[cell].unwrap_or_default());
    let index = |cell: usize| (cell % human.segments() * human.systems() + cell / human.segments()) as u32;
    CellPair { cells: [index(a), index(b)], human: first.total_cmp(&second) }
}

/// Reorders scores from system by system to segment by segment, so that compared scores are close in memory.
pub(super) fn by_segment(human: &HumanScores, scores: &[f64]) -> Vec<f64> {
    let segments = human.segments();
    (0..segments).flat_map(|segment| scores.iter().skip(segment).step_by(segments).copied()).collect()
}

#[cfg(test)]
mod tests {
    use super::super::Exchanges;
    use super::*;
    use crate::meta::correlation::PairCounts;

    /// The number of correct pairs with the best of some thresholds, counted one by one.
    fn right(sample: &[CellPair], metric: &[f64], thresholds: &[f64]) -> f64 {
        let right = |threshold: f64| {
            let is_right = |pair: &&CellPair| {
                let [a, b] = pair.cells.map(|cell| metric[cell as usize]);
                let order = if (a - b).abs() <= threshold { Ordering::Equal } else { a.total_cmp(&b) };
                order == pair.human
            };
            sample.iter().filter(is_right).count()
        };
        thresholds.iter().map(|&threshold| right(threshold)).max().unwrap() as f64
    }

    #[test]
    fn rounds_are_those_of_mixed_scores() {
        let mut random = NumpyRandom::new(2);
        let mut drawn = |levels: u32| -> Vec<f64> { (0..60).map(|_| f64::from(random.below(levels))).collect() };
        let human = HumanScores::new(6, drawn(4).into_iter().map(Some).collect()).unwrap();
        let metrics = [drawn(6), drawn(50)];
        let metrics = [metrics[0].as_slice(), metrics[1].as_slice()];
        let (sample, exchanges) = (sample(&human, false, 1), Exchanges::draw(60, 250, 3));
        for is_optimised in [false, true] {
            let test = TieTest::new(&sample, metrics, is_optimised);
            let tried = if is_optimised { thresholds(&sample, metrics) } else { vec![0.0] };
            for round in (0..250).map(Some).chain([None]) {
                let keeps = exchanges.keeps(round);
                let [one, other] = [0, 1].map(|side| {
                    let mixed = (0..60).map(|cell| metrics[if keeps[cell] { side } else { 1 - side }][cell]);
                    right(&sample, &mixed.collect::<Vec<f64>>(), &tried)
                });
                assert_eq!(test.difference(&keeps), one - other, "round {round:?}");
            }
        }
    }

    #[test]
    fn tau_14_of_mixed_scores_is_that_of_their_rows() {
        let mut random = NumpyRandom::new(5);
        let mut drawn = |levels: u32| -> Vec<f64> { (0..60).map(|_| f64::from(random.below(levels))).collect() };
        let human = HumanScores::new(6, drawn(3).into_iter().map(Some).collect()).unwrap();
        let metrics = [drawn(2), drawn(50)];
        let test = OrderTest::new(&sample(&human, true, 1), [0, 1].map(|at| metrics[at].as_slice()));
        let tau = |metric: &[f64]| {
            // Back from segment by segment to system by system.
            let scores: Vec<f64> = (0..60).map(|cell| metric[cell % 10 * 6 + cell / 10]).collect();
            let rows = human.rows(Averaging::Item, &scores);
            let taus: Vec<f64> = rows.iter().filter_map(|row| PairCounts::new(row).tau_14()).collect();
            taus.iter().sum::<f64>() / taus.len() as f64
        };
        let pairs = test.pairs.len() as f64;
        let expected = tau(&metrics[0]) - tau(&metrics[1]);
        let observed = test.difference(&[true; 60]) / pairs;
        // Segments differ in their numbers of ordered pairs, so that the sample weighs a few pairs twice.
        assert!((observed - expected).abs() < 0.1, "{observed} instead of {expected}");
        assert_eq!(test.difference(&[false; 60]), -test.difference(&[true; 60]));
    }

    #[test]
    fn every_segment_has_as_many_pairs() {
        // Three systems, two segments; later the last cell, the third system's second segment, loses its score.
        let scores = [1.0, 2.0, 1.0, 3.0, 4.0, 0.0].map(Some);
        let mut scores = scores.to_vec();
        let whole = sample(&HumanScores::new(3, scores.clone()).unwrap(), false, 1);
        assert_eq!(whole.len(), 6);
        assert_eq!(whole.iter().filter(|pair| pair.human == Ordering::Equal).count(), 1);
        scores[5] = None;
        let uneven = sample(&HumanScores::new(3, scores).unwrap(), false, 1);
        let of_second: Vec<&CellPair> = uneven.iter().filter(|pair| pair.cells[0] >= 3).collect();
        assert_eq!((uneven.len(), of_second.len()), (6, 3));
        assert!(of_second.iter().all(|pair| **pair == CellPair { cells: [4, 3], human: Ordering::Greater }));
    }

    #[test]
    fn large_tables_are_sampled() {
        let human = HumanScores::new(20, vec![Some(0.0); 20 * 3000]).unwrap();
        let drawn = sample(&human, false, 1);
        assert_eq!(drawn.len(), 16 * 3000);
        let mut of_first: Vec<[u32; 2]> = drawn[..16].iter().map(|pair| pair.cells).collect();
        of_first.sort_unstable();
        of_first.dedup();
        assert_eq!(of_first.len(), 16, "drawn without replacement");
        assert_eq!(drawn, sample(&human, false, 1));
        assert!(sample(&human, true, 1).is_empty());
    }
}
