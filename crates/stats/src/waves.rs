//! Labels that were drawn in waves, each with its own probabilities, as one weighted sample.

use std::collections::BTreeMap;

/// A wave with a smaller variance than this labelled all pairs that were left.
const MIN_VARIANCE: f64 = 1e-12;

/// Weights that differ by less, relative to each other, are equal.
const EQUAL: f64 = 1e-6;

/// How a labelled pair was drawn.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Draw {
    /// The wave of labelling, from 1.
    pub wave: usize,
    /// The probability with which that wave drew the pair from those that had no label yet, in (0, 1].
    pub probability: f64,
}

/// One wave, and what its labels stand for.
#[derive(Debug, Clone, Copy, Default)]
struct Wave {
    count: f64,
    /// The sum of 1/p.
    inverse: f64,
    /// The sum of 1/p^2.
    squares: f64,
    /// What a label with p = 1 weighs in the wave's own estimate, and what the label of an earlier wave does.
    weights: [f64; 2],
    /// Its share in the estimate of all waves.
    share: f64,
}

/// The probability that stands for the weight of each label in an estimate from all waves; `None` for pairs without a
/// label, and for all of them if all labels weigh the same. `pool` has all pairs; where it has only labelled ones, the
/// number of the others is estimated.
///
/// Each wave w makes an estimate of its own: labels of earlier waves stand for themselves, and those of the wave for the
/// R other pairs, y_i R / (p_i sum_j 1/p_j) (Hájek 1971). Given the earlier waves that is a valid estimate of the mean
/// over the pool, so the errors of different waves are uncorrelated. They are combined by precision, for labels of equal
/// variance: wave w counts by 1/(R^2/n_w - R), with Kish's effective number of labels n_w = (sum 1/p)^2 / sum 1/p^2 (Kish
/// 1965). These shares do not depend on the labels, so the combination is valid, too, and each label has one weight.
/// Zrnic and Candès 2024, "Active Statistical Inference", section 5, has such waves one pair at a time.
pub fn combined_probabilities(pool: &[Option<Draw>]) -> Vec<Option<f64>> {
    let mut waves: BTreeMap<usize, Wave> = BTreeMap::new();
    for draw in pool.iter().flatten() {
        let wave = waves.entry(draw.wave).or_default();
        wave.count += 1.0;
        wave.inverse += 1.0 / draw.probability;
        wave.squares += draw.probability.powi(-2);
    }
    let is_whole = pool.iter().any(Option::is_none);
    let mut earlier = 0.0;
    for wave in waves.values_mut() {
        let others = if is_whole { pool.len() as f64 - earlier } else { wave.inverse };
        let all = earlier + others;
        wave.weights = [others / wave.inverse / all, 1.0 / all];
        let effective = wave.inverse.powi(2) / wave.squares;
        wave.share = 1.0 / ((others * others / effective - others) / (all * all)).max(MIN_VARIANCE);
        earlier += wave.count;
    }
    let sum: f64 = waves.values().map(|wave| wave.share).sum();
    let mut later = 0.0;
    for wave in waves.values_mut().rev() {
        let share = wave.share / sum;
        let [own, as_earlier] = wave.weights;
        wave.weights = [share * own, later];
        later += share * as_earlier;
    }
    let weight = |draw: &Draw| waves[&draw.wave].weights[0] / draw.probability + waves[&draw.wave].weights[1];
    let weights = || pool.iter().flatten().map(weight);
    let (least, most) = (weights().fold(f64::INFINITY, f64::min), weights().fold(0.0, f64::max));
    if most <= (1.0 + EQUAL) * least {
        return vec![None; pool.len()];
    }
    pool.iter().map(|draw| draw.as_ref().map(|draw| 1.0 / (pool.len() as f64 * weight(draw)))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A pool of 100 pairs, of which each wave drew some with these probabilities.
    fn pool(waves: &[(usize, f64)]) -> Vec<Option<Draw>> {
        let draws = waves
            .iter()
            .zip(1..)
            .flat_map(|(&(count, probability), wave)| std::iter::repeat_n(Some(Draw { wave, probability }), count));
        let mut pool: Vec<Option<Draw>> = draws.collect();
        pool.resize(100, None);
        pool
    }

    #[test]
    fn random_samples_one_after_another_are_one_random_sample() {
        for waves in
            [&[(20, 0.2)][..], &[(20, 0.2), (40, 0.5)], &[(20, 0.2), (10, 0.125), (35, 0.5)], &[(20, 0.2), (80, 1.0)]]
        {
            assert_eq!(combined_probabilities(&pool(waves)), vec![None; 100], "{waves:?}");
        }
        assert_eq!(combined_probabilities(&[None; 3]), [None; 3]);
    }

    #[test]
    fn each_wave_counts_by_its_precision() {
        // A random half, then 10 of the others: 5 with a probability of 0.5, 5 with 0.125.
        let mut pool = pool(&[(50, 0.5), (10, 0.5)]);
        pool[55..60].fill(Some(Draw { wave: 2, probability: 0.125 }));
        let found = combined_probabilities(&pool);
        // The first wave: 100^2/50 - 100 = 100. The second: 50 pairs, 50^2/(50^2/340) - 50 = 290.
        let shares = [290.0 / 390.0, 100.0 / 390.0];
        let expected = [2.0 * shares[0] + shares[1], 2.0 * shares[1], 8.0 * shares[1]];
        for (row, expected) in [0, 50, 55].into_iter().zip(expected) {
            assert!((found[row].unwrap() * expected - 1.0).abs() < 1e-9, "{row}: {:?} {expected}", found[row]);
        }
        assert_eq!(found[60], None);
        // The labelled rows alone say the same: their probabilities tell how many others there are.
        let alone = combined_probabilities(&pool[..60]);
        let ratio = |found: &[Option<f64>]| found[0].unwrap() / found[55].unwrap();
        assert!((ratio(&alone) - ratio(&found)).abs() < 1e-9);
    }
}
