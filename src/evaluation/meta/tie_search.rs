//! The threshold below which differences of a metric are ties. In: rows of cells. Out: the threshold that makes the
//! metric agree best with people, and how well. Next: [`super::segments`].

use super::counting::right_at;
use super::judged::ScoredRow;
use super::kendall::pairs;
use crate::evaluation::numpy_random::NumpyRandom;

/// Pairs that are looked at one by one: all up to [`MOST`], else so many that are drawn.
const SAMPLE: usize = 250_000;

/// Pairs of all rows of which every difference is tried; the talks of WMT 2021 have 2.5 million.
const MOST: u64 = 3_000_000;

/// What the sample of a large table is drawn with.
const SEED: u64 = 0;

/// acc_23 with the best of all thresholds.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct OptimisedTies {
    /// The mean over the rows of the share of pairs on which metric and people agree, ties included, in [0, 1].
    pub accuracy: f64,
    /// Differences up to it are ties; 0 or more.
    pub threshold: f64,
    /// Whether the threshold is the best one for a sample of the pairs; the accuracy is over all of them.
    pub is_sampled: bool,
}

/// A pair as the threshold reaches it.
struct Candidate {
    /// The metric's difference, as bits: the order of positive numbers is that of their bits.
    difference: u64,
    /// Its place among all pairs.
    place: u32,
    row: u32,
    /// What its becoming a tie adds to the right pairs: 1, 0 or -1.
    gain: i8,
}

/// Tie calibration: the first of 0 and all observed differences that makes the mean of acc_23 over the rows largest.
/// None without a pair. Deutsch et al. 2023, section 5.
///
/// Up to three million pairs are sorted, and the sum is kept as mt-metrics-eval keeps it, so that rounding decides
/// between equally good thresholds as there. Of more, a sample finds the threshold.
pub fn optimise_ties(rows: &[ScoredRow]) -> Option<OptimisedTies> {
    let all: u64 = rows.iter().map(|row| pairs(row.people.len())).sum();
    if all == 0 {
        return None;
    }
    if all <= MOST {
        let sizes: Vec<usize> = rows.iter().map(|row| pairs(row.people.len()) as usize).collect();
        let (accuracy, threshold) = best(candidates(rows), &sizes);
        return Some(OptimisedTies { accuracy, threshold, is_sampled: false });
    }
    let (drawn, sizes) = sample(rows);
    let threshold = best(drawn, &sizes).1;
    let accuracies = rows.iter().map(|row| right_at(row, threshold) as f64 / pairs(row.people.len()) as f64);
    let accuracy = accuracies.sum::<f64>() / rows.len() as f64;
    Some(OptimisedTies { accuracy, threshold, is_sampled: true })
}

/// All pairs, row by row, with whether the metric is right on each while only equal scores are ties.
fn candidates(rows: &[ScoredRow]) -> Vec<(Candidate, bool)> {
    let mut all = Vec::new();
    for (number, row) in rows.iter().enumerate() {
        for a in 0..row.people.len() {
            for b in a + 1..row.people.len() {
                all.push(candidate(row, [a, b], number, all.len()));
            }
        }
    }
    all
}

/// As many pairs of each row, drawn with replacement.
fn sample(rows: &[ScoredRow]) -> (Vec<(Candidate, bool)>, Vec<usize>) {
    let each = (SAMPLE / rows.len()).max(1);
    let mut random = NumpyRandom::new(SEED);
    let mut drawn = Vec::with_capacity(each * rows.len());
    for (number, row) in rows.iter().enumerate() {
        let cells = row.people.len() as u32;
        for _ in 0..each {
            let (a, b) = (random.below(cells), random.below(cells - 1));
            let b = b + u32::from(b >= a);
            drawn.push(candidate(row, [a as usize, b as usize], number, drawn.len()));
        }
    }
    (drawn, vec![each; rows.len()])
}

fn candidate(row: &ScoredRow, [a, b]: [usize; 2], number: usize, place: usize) -> (Candidate, bool) {
    let people = row.people[a] - row.people[b];
    let metric = row.metric[a] - row.metric[b];
    let is_right = if people == 0.0 { metric == 0.0 } else { (people > 0.0) == (metric > 0.0) && metric != 0.0 };
    let gain = i8::from(people == 0.0) - i8::from(is_right);
    let difference = metric.abs().to_bits();
    (Candidate { difference, place: place as u32, row: number as u32, gain }, is_right)
}

/// The best mean accuracy, and the first threshold that reaches it.
fn best(pairs: Vec<(Candidate, bool)>, sizes: &[usize]) -> (f64, f64) {
    let mut right = vec![0_i64; sizes.len()];
    pairs.iter().for_each(|(pair, is_right)| right[pair.row as usize] += i64::from(*is_right));
    let mut pairs: Vec<Candidate> = pairs.into_iter().map(|(pair, _)| pair).collect();
    pairs.sort_unstable_by_key(|pair| (pair.difference, pair.place));
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

    fn row(people: &[f64], metric: &[f64]) -> ScoredRow {
        ScoredRow { people: people.into(), metric: metric.into() }
    }

    #[test]
    fn a_threshold_makes_ties_that_people_made() {
        // Differences 0.1 (a tie of people), 0.9 and 1 (both right).
        let found = optimise_ties(&[row(&[1.0, 1.0, 2.0], &[0.0, 0.1, 1.0])]).unwrap();
        assert_eq!(found, OptimisedTies { accuracy: 1.0, threshold: 0.1, is_sampled: false });
        // The first of equally good thresholds.
        let found = optimise_ties(&[row(&[1.0, 2.0], &[0.0, -1.0])]).unwrap();
        assert_eq!((found.accuracy, found.threshold), (0.0, 0.0));
        assert_eq!(optimise_ties(&[]), None);
    }

    #[test]
    fn rows_count_alike_whatever_their_length() {
        let rows = [row(&[1.0, 1.0], &[0.0, 1.0]), row(&[1.0, 2.0, 3.0], &[0.0, 1.0, 2.5])];
        // 0: 0 and 1; 1: 1 and 2/3.
        let found = optimise_ties(&rows).unwrap();
        assert!((found.accuracy - (1.0 + 2.0 / 3.0) / 2.0).abs() < 1e-15);
        assert_eq!(found.threshold, 1.0);
    }

    #[test]
    fn a_sample_finds_nearly_the_best_threshold() {
        let mut random = NumpyRandom::new(7);
        let mut uniform = || f64::from(random.below(1 << 20)) / f64::from(1 << 20);
        let people: Vec<f64> = (0..1500).map(|_| (3.0 * uniform()).floor()).collect();
        let metric: Vec<f64> = people.iter().map(|score| score + 2.0 * uniform()).collect();
        let row = row(&people, &metric);
        let sizes = [pairs(1500) as usize];
        let (accuracy, _) = best(candidates(std::slice::from_ref(&row)), &sizes);
        let threshold = best(sample(std::slice::from_ref(&row)).0, &[SAMPLE]).1;
        let found = right_at(&row, threshold) as f64 / sizes[0] as f64;
        assert!(found <= accuracy && accuracy - found < 1e-3, "{found} {accuracy}");
    }

    proptest! {
        #[test]
        fn no_threshold_is_better(cells in prop::collection::vec((0..3_i8, -9..9_i8), 2..30), other in 0..20_i8) {
            let (people, metric): (Vec<f64>, Vec<f64>) = cells.iter().map(|&(a, b)| (f64::from(a), f64::from(b))).unzip();
            let row = row(&people, &metric);
            let all = pairs(people.len()) as f64;
            let found = optimise_ties(std::slice::from_ref(&row)).unwrap();
            prop_assert!((right_at(&row, found.threshold) as f64 / all - found.accuracy).abs() < 1e-12);
            prop_assert!(right_at(&row, f64::from(other)) as f64 / all <= found.accuracy + 1e-12);
        }
    }
}
