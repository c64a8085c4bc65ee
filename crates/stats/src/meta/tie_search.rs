//! Tie calibration: the tie threshold at which a metric agrees best with human scores, and its accuracy there.

use super::correlation::{PairCounts, pairs};
use super::scores::ScoredRow;
use crate::numpy_random::NumpyRandom;

/// The size of the sample from tables with more than [`MAX_PAIRS`] pairs.
const SAMPLED_PAIRS: usize = 250_000;

/// Up to this many pairs in all rows, every difference is tried; the talks of WMT 2021 have 2.5 million.
const MAX_PAIRS: u64 = 3_000_000;

/// The seed for sampling a large table.
const SEED: u64 = 0;

/// acc_23 with the best tie threshold.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct OptimisedTies {
    /// The mean over rows of the share of pairs on which metric and human scores agree, ties included, in [0, 1].
    pub accuracy: f64,
    /// Absolute differences up to the threshold count as ties; at least 0.
    pub threshold: f64,
    /// Whether the threshold was tuned on a sample of the pairs; the accuracy is always over all of them.
    pub is_sampled: bool,
}

/// The share of a metric's largest score below which a threshold is the rounding of equal scores.
const ROUNDING: f64 = 1e-12;

/// The threshold, or 0 if it is only the rounding of equal scores, such as 0.3 - (0.1 + 0.2).
fn but_for_rounding(threshold: f64, rows: &[ScoredRow]) -> f64 {
    let largest = rows.iter().flat_map(|row| &row.metric).fold(0.0, |largest: f64, score| largest.max(score.abs()));
    if threshold <= ROUNDING * largest { 0.0 } else { threshold }
}

/// A pair whose difference is a candidate threshold.
struct Candidate {
    /// The metric's absolute difference, as bits: non-negative floats are ordered like their bits.
    difference: u64,
    /// The index among all pairs.
    position: u32,
    row: u32,
    /// Whether the metric is correct on it at a threshold of 0.
    is_right: bool,
    /// The change in correct pairs once this one is a tie: 1, 0 or -1.
    gain: i8,
}

/// Tie calibration: of 0 and all observed differences, the smallest threshold that maximises the mean of acc_23 over
/// the rows. `None` without a pair. Deutsch et al. 2023, section 5.
///
/// Up to three million pairs are all sorted, and the sum is updated in the order of mt-metrics-eval, so that rounding
/// breaks ties between thresholds in the same way. With more pairs, the threshold is tuned on a sample.
pub fn optimise_ties(rows: &[ScoredRow]) -> Option<OptimisedTies> {
    let found = tuned(rows, MAX_PAIRS)?;
    if !found.is_sampled {
        return Some(found);
    }
    let accuracies = rows
        .iter()
        .map(|row| PairCounts::with_threshold(row, found.threshold).right() as f64 / pairs(row.human.len()) as f64);
    Some(OptimisedTies { accuracy: accuracies.sum::<f64>() / rows.len() as f64, ..found })
}

/// The best threshold, nearly so with more than [`SAMPLED_PAIRS`] pairs.
pub(super) fn nearly_best_threshold(rows: &[ScoredRow]) -> Option<f64> {
    tuned(rows, SAMPLED_PAIRS as u64).map(|found| found.threshold)
}

/// The best threshold with its accuracy, of a sample if there are more pairs than `most`.
fn tuned(rows: &[ScoredRow], most: u64) -> Option<OptimisedTies> {
    let all: u64 = rows.iter().map(|row| pairs(row.human.len())).sum();
    let is_sampled = all > most;
    let (pairs, sizes) = match is_sampled {
        _ if all == 0 => return None,
        true => sample(rows),
        false => (candidates(rows), rows.iter().map(|row| pairs(row.human.len()) as usize).collect()),
    };
    let (accuracy, threshold) = best(pairs, &sizes);
    Some(OptimisedTies { accuracy, threshold: but_for_rounding(threshold, rows), is_sampled })
}

/// All pairs, row by row.
fn candidates(rows: &[ScoredRow]) -> Vec<Candidate> {
    let mut all = Vec::new();
    for (number, row) in rows.iter().enumerate() {
        for a in 0..row.human.len() {
            for b in a + 1..row.human.len() {
                all.push(candidate(row, [a, b], number, all.len()));
            }
        }
    }
    all
}

/// The same number of pairs from each row, drawn with replacement.
fn sample(rows: &[ScoredRow]) -> (Vec<Candidate>, Vec<usize>) {
    let each = (SAMPLED_PAIRS / rows.len()).max(1);
    let mut random = NumpyRandom::new(SEED);
    let mut drawn = Vec::with_capacity(each * rows.len());
    for (number, row) in rows.iter().enumerate() {
        let cells = row.human.len() as u32;
        for _ in 0..each {
            let (a, b) = (random.below(cells), random.below(cells - 1));
            let b = b + u32::from(b >= a);
            drawn.push(candidate(row, [a as usize, b as usize], number, drawn.len()));
        }
    }
    (drawn, vec![each; rows.len()])
}

fn candidate(row: &ScoredRow, [a, b]: [usize; 2], number: usize, position: usize) -> Candidate {
    let human = row.human[a] - row.human[b];
    let metric = row.metric[a] - row.metric[b];
    let is_right = if human == 0.0 { metric == 0.0 } else { (human > 0.0) == (metric > 0.0) && metric != 0.0 };
    let gain = i8::from(human == 0.0) - i8::from(is_right);
    let difference = metric.abs().to_bits();
    Candidate { difference, position: position as u32, row: number as u32, is_right, gain }
}

/// The best mean accuracy, and the smallest threshold that reaches it.
fn best(mut pairs: Vec<Candidate>, sizes: &[usize]) -> (f64, f64) {
    let mut right = vec![0_i64; sizes.len()];
    pairs.iter().for_each(|pair| right[pair.row as usize] += i64::from(pair.is_right));
    pairs.sort_unstable_by_key(|pair| (pair.difference, pair.position));
    let accuracy = |right: i64, row: usize| right as f64 / sizes[row] as f64;
    let mut sum: f64 = right.iter().enumerate().map(|(row, &right)| accuracy(right, row)).sum();
    let rows = sizes.len() as f64;
    let mut best = (f64::NEG_INFINITY, 0.0);
    let mut consider = |sum: f64, difference: u64| {
        if sum / rows > best.0 {
            best = (sum / rows, f64::from_bits(difference));
        }
    };
    if pairs.first().is_none_or(|pair| pair.difference > 0) {
        consider(sum, 0);
    }
    for equal in pairs.chunk_by(|a, b| a.difference == b.difference) {
        for pair in equal {
            let row = pair.row as usize;
            sum -= accuracy(right[row], row);
            right[row] += i64::from(pair.gain);
            sum += accuracy(right[row], row);
        }
        consider(sum, equal[0].difference);
    }
    best
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn row(human: &[f64], metric: &[f64]) -> ScoredRow {
        ScoredRow { human: human.into(), metric: metric.into() }
    }

    #[test]
    fn a_threshold_makes_ties_that_people_made() {
        // Differences of 0.1 (a human tie), 0.9 and 1 (both correct).
        let found = optimise_ties(&[row(&[1.0, 1.0, 2.0], &[0.0, 0.1, 1.0])]).unwrap();
        assert_eq!(found, OptimisedTies { accuracy: 1.0, threshold: 0.1, is_sampled: false });
        // The first of equally good thresholds.
        let found = optimise_ties(&[row(&[1.0, 2.0], &[0.0, -1.0])]).unwrap();
        assert_eq!((found.accuracy, found.threshold), (0.0, 0.0));
        assert_eq!(optimise_ties(&[]), None);
        // Equal but for rounding.
        let found = optimise_ties(&[row(&[1.0, 1.0, 2.0], &[0.3, 0.1 + 0.2, 1.0])]).unwrap();
        assert_eq!((found.accuracy, found.threshold), (1.0, 0.0));
    }

    #[test]
    fn a_sample_finds_nearly_the_best_threshold() {
        let mut random = NumpyRandom::new(7);
        let mut uniform = || f64::from(random.below(1 << 20)) / f64::from(1 << 20);
        let human: Vec<f64> = (0..1500).map(|_| (3.0 * uniform()).floor()).collect();
        let metric: Vec<f64> = human.iter().map(|score| score + 2.0 * uniform()).collect();
        let row = row(&human, &metric);
        let sizes = [pairs(1500) as usize];
        let (accuracy, _) = best(candidates(std::slice::from_ref(&row)), &sizes);
        let threshold = best(sample(std::slice::from_ref(&row)).0, &[SAMPLED_PAIRS]).1;
        let found = PairCounts::with_threshold(&row, threshold).right() as f64 / sizes[0] as f64;
        assert!(found <= accuracy && accuracy - found < 1e-3, "{found} {accuracy}");
    }

    proptest! {
        #[test]
        fn no_threshold_is_better(cells in prop::collection::vec((0..3_i8, -9..9_i8), 2..30), other in 0..20_i8) {
            let (human, metric): (Vec<f64>, Vec<f64>) = cells.iter().map(|&(a, b)| (f64::from(a), f64::from(b))).unzip();
            let row = row(&human, &metric);
            let all = pairs(human.len()) as f64;
            let found = optimise_ties(std::slice::from_ref(&row)).unwrap();
            let accuracy = |threshold| PairCounts::with_threshold(&row, threshold).right() as f64 / all;
            prop_assert!((accuracy(found.threshold) - found.accuracy).abs() < 1e-12);
            prop_assert!(accuracy(f64::from(other)) <= found.accuracy + 1e-12);
        }
    }
}
