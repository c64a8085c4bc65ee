//! Confidence intervals of corpus scores, and significance tests between systems, from statistics of segments.
//!
//! These follow sacreBLEU 2.6.0, random draws included: the same seed and number of rounds give the same results, up to
//! the sixth digit of resampled scores, as sacreBLEU rounds statistics to single precision.
//!
//! ```
//! use tribunal_stats::significance::{Coins, Resamples};
//!
//! // Any score of a corpus of segments: here the mean of one number each.
//! let mean = |segments: &mut dyn Iterator<Item = &f64>| {
//!     let (sum, count) = segments.fold((0.0, 0), |(sum, count), value| (sum + value, count + 1));
//!     sum / f64::from(count.max(1))
//! };
//! let (system, baseline) = ([0.9, 0.8, 0.7, 0.9, 0.8, 0.9], [0.5, 0.6, 0.4, 0.5, 0.6, 0.5]);
//! let spread = Resamples::draw(6, 1000, 12345).resampled(mean, &system).spread();
//! assert!((spread.mean - 5.0 / 6.0).abs() < 0.01);
//! // Better in all of six segments: p is about 2 / 2^6.
//! let p_value = Coins::draw(6, 10_000, 12345).differences(mean, &system, &baseline).p_value();
//! assert!((p_value - 0.03125).abs() < 0.01);
//! ```

use rayon::prelude::*;
use serde::Serialize;

use super::group_sums::Estimate;
use super::numpy_random::NumpyRandom;

/// The rounds of randomisation between checks for an early stop: enough to keep all cores busy.
const ROUNDS_AT_ONCE: usize = 256;

/// The mean and 95% interval of a resampled corpus score.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Spread {
    /// The mean score over resampled corpora.
    pub mean: f64,
    /// Half the width of the 95% percentile interval.
    pub half_width: f64,
}

/// Bootstrap resamples of a corpus: `rounds` (at least 1) draws of as many segments as it has, with replacement.
#[derive(Debug, Clone)]
pub struct Resamples(Vec<Vec<u32>>);

impl Resamples {
    /// Draws for a corpus of `segments` segments.
    pub fn draw(segments: usize, rounds: usize, seed: u64) -> Self {
        Self(NumpyRandom::new(seed).draws(rounds, segments))
    }

    /// A system's scores in all resampled corpora, the basis of its interval and tests; `corpus_score` is the score of a
    /// corpus by the statistics of its segments.
    pub fn resampled<S: Sync>(
        &self,
        corpus_score: impl Fn(&mut dyn Iterator<Item = &S>) -> f64 + Sync,
        segments: &[S],
    ) -> Resampled {
        let score = |drawn: &Vec<u32>| corpus_score(&mut drawn.iter().map(|&at| &segments[at as usize]));
        Resampled { score: corpus_score(&mut segments.iter()), scores: self.0.par_iter().map(score).collect() }
    }
}

/// A system's corpus score, and its scores in resampled corpora.
#[derive(Debug, Clone, PartialEq)]
pub struct Resampled {
    score: f64,
    /// One per draw.
    scores: Vec<f64>,
}

impl Resampled {
    /// The 95% interval of the score: a fortieth of the resampled scores is left out at either end. Koehn 2004,
    /// section 3.
    pub fn spread(&self) -> Spread {
        let mut scores = self.scores.clone();
        scores.sort_by(f64::total_cmp);
        let cut = scores.len() / 40;
        let mean = scores.iter().sum::<f64>() / scores.len() as f64;
        Spread { mean, half_width: 0.5 * (scores[scores.len() - 1 - cut] - scores[cut]) }
    }

    /// This score minus that of another system, with the 95% interval of paired bootstrap, both resampled by the same
    /// draws: a fortieth of the differences is left out at either end.
    pub fn difference(&self, other: &Self) -> Estimate {
        let mut differences: Vec<f64> = self.scores.iter().zip(&other.scores).map(|(a, b)| a - b).collect();
        differences.sort_by(f64::total_cmp);
        let cut = differences.len() / 40;
        let [low, high] = [differences[cut], differences[differences.len() - 1 - cut]];
        Estimate { value: self.score - other.score, low, high }
    }

    /// The difference from another system, beside those by paired bootstrap with the same draws for both: the absolute
    /// differences in the resampled corpora less their mean. Koehn 2004, section 4.
    pub fn differences(&self, other: &Self) -> Differences {
        let differences: Vec<f64> = self.scores.iter().zip(&other.scores).map(|(a, b)| (a - b).abs()).collect();
        let mean = differences.iter().sum::<f64>() / differences.len() as f64;
        let by_chance = differences.into_iter().map(|one| one - mean).collect();
        Differences { observed: Observed::new(self.score, other.score), by_chance }
    }
}

/// The observed difference of two systems in corpus score.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Observed {
    /// The absolute difference.
    pub difference: f64,
    /// The smallest difference that is as large, but for rounding.
    threshold: f64,
}

impl Observed {
    fn new(one: f64, other: f64) -> Self {
        let difference = (one - other).abs();
        Self { difference, threshold: difference - ROUNDING * one.abs().max(other.abs()) }
    }

    /// Whether a difference by chance is at least as large as the observed one; any is if that is 0.
    fn is_reached_by(&self, by_chance: f64) -> bool {
        self.threshold <= 0.0 || by_chance >= self.threshold
    }
}

/// The share of a score by which sums of the same terms in another order may differ.
const ROUNDING: f64 = 1e-12;

/// The observed difference of two systems, and one by chance for each draw.
#[derive(Debug, Clone, PartialEq)]
pub struct Differences {
    /// The observed one.
    pub observed: Observed,
    /// One per draw.
    pub by_chance: Vec<f64>,
}

impl Differences {
    /// (1 + hits)/(1 + draws), where hits counts the differences by chance that are at least as large as the observed
    /// one. In (0, 1]; 1 for an observed difference of 0. sacreBLEU counts only larger ones, so that systems that do not
    /// differ are significantly different there.
    pub fn p_value(&self) -> f64 {
        let hits = self.by_chance.iter().filter(|&&by_chance| self.observed.is_reached_by(by_chance)).count();
        share(hits, self.by_chance.len())
    }
}

/// The segments whose outputs are exchanged between two systems: `rounds` (at least 1) draws of one coin per segment.
#[derive(Debug, Clone)]
pub struct Coins(Vec<Vec<bool>>);

impl Coins {
    /// Draws for a corpus of `segments` segments.
    pub fn draw(segments: usize, rounds: usize, seed: u64) -> Self {
        Self(NumpyRandom::new(seed).coins(rounds, segments))
    }

    /// The difference of a system from a baseline, beside those by paired approximate randomisation: the differences of
    /// the systems with outputs exchanged in each segment with probability 1/2. Riezler and Maxwell 2005, section 3.
    pub fn differences<S: Sync>(
        &self,
        score: impl Fn(&mut dyn Iterator<Item = &S>) -> f64 + Sync,
        system: &[S],
        baseline: &[S],
    ) -> Differences {
        let by_chance = self.0.par_iter().map(|coins| exchanged(coins, &score, system, baseline)).collect();
        Differences { observed: observed(&score, system, baseline), by_chance }
    }

    /// Whether the p-value of [`Self::differences`] is less than `level`; stops early once it cannot be.
    pub fn is_significant<S: Sync>(
        &self,
        score: impl Fn(&mut dyn Iterator<Item = &S>) -> f64 + Sync,
        system: &[S],
        baseline: &[S],
        level: f64,
    ) -> bool {
        let observed = observed(&score, system, baseline);
        let is_hit = |coins: &&Vec<bool>| observed.is_reached_by(exchanged(coins, &score, system, baseline));
        let mut hits = 0;
        self.0.chunks(ROUNDS_AT_ONCE).all(|rounds| {
            hits += rounds.par_iter().filter(is_hit).count();
            share(hits, self.0.len()) < level
        })
    }
}

/// The absolute difference in corpus score after the segments with heads are exchanged.
fn exchanged<S>(
    coins: &[bool],
    score: &(impl Fn(&mut dyn Iterator<Item = &S>) -> f64 + Sync),
    system: &[S],
    baseline: &[S],
) -> f64 {
    let pick = |heads: bool| {
        let both = coins.iter().zip(baseline.iter().zip(system));
        both.map(move |(&coin, (baseline, system))| if coin == heads { baseline } else { system })
    };
    (score(&mut pick(true)) - score(&mut pick(false))).abs()
}

fn observed<S>(score: &(impl Fn(&mut dyn Iterator<Item = &S>) -> f64 + Sync), one: &[S], other: &[S]) -> Observed {
    Observed::new(score(&mut one.iter()), score(&mut other.iter()))
}

/// (1 + `hits`) / (1 + `rounds`).
fn share(hits: usize, rounds: usize) -> f64 {
    (1 + hits) as f64 / (1 + rounds) as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    fn mean(segments: &mut dyn Iterator<Item = &f64>) -> f64 {
        let (sum, count) = segments.fold((0.0, 0), |(sum, count), value| (sum + value, count + 1));
        if count == 0 { 0.0 } else { sum / f64::from(count) }
    }

    fn p_values(one: &[f64], other: &[f64]) -> [f64; 2] {
        let resamples = Resamples::draw(one.len(), 200, 1);
        let resampled = resamples.resampled(mean, one).differences(&resamples.resampled(mean, other));
        [resampled.p_value(), Coins::draw(one.len(), 200, 1).differences(mean, one, other).p_value()]
    }

    #[test]
    fn a_difference_of_0_is_not_significant() {
        let segments = [0.3, 0.1, 0.7, 0.2];
        assert_eq!(p_values(&segments, &segments), [1.0; 2]);
        assert_eq!(p_values(&segments, &[0.2, 0.7, 0.1, 0.3]), [1.0; 2]);
    }

    #[test]
    fn one_segment_alone_is_not_significant() {
        let one = [0.5; 50];
        let mut other = one;
        other[7] = 0.1;
        let [resampled, exchanged] = p_values(&one, &other);
        // Every exchange gives a difference as large as the observed one, and so do resamples with the segment thrice.
        assert!(exchanged == 1.0 && resampled > 0.04, "{resampled} {exchanged}");
    }

    #[test]
    fn a_test_may_stop_early_and_says_the_same() {
        let (one, other) = ([0.3, 0.1, 0.7, 0.2, 0.4, 0.8], [0.3, 0.1, 0.6, 0.1, 0.3, 0.9]);
        let coins = Coins::draw(one.len(), 1000, 1);
        let p_value = coins.differences(mean, &one, &other).p_value();
        assert!((0.01..0.99).contains(&p_value), "{p_value}");
        assert!(!coins.is_significant(mean, &one, &other, p_value));
        assert!(coins.is_significant(mean, &one, &other, p_value + 1e-9));
    }

    #[test]
    fn the_interval_surrounds_the_score() {
        let segments = [0.3, 0.1, 0.7, 0.2, 0.4, 0.8];
        let spread = Resamples::draw(segments.len(), 500, 1).resampled(mean, &segments).spread();
        let score = mean(&mut segments.iter());
        assert!((spread.mean - score).abs() < spread.half_width, "{spread:?} around {score}");
    }

    /// Of two systems whose scores of a segment are correlated, and whose differences are skewed.
    #[test]
    fn intervals_of_differences_hold_the_truth() {
        let mean = |segments: &mut dyn Iterator<Item = &f64>| {
            let (sum, count) = segments.fold((0.0, 0), |(sum, count), value| (sum + value, count + 1));
            sum / f64::from(count)
        };
        for segments in [50, 200] {
            let mut random = NumpyRandom::new(5);
            let mut uniform = || (f64::from(random.below(1 << 24)) + 0.5) / f64::from(1 << 24);
            let mut holds = |seed: u64| {
                let (mut one, mut other) = (Vec::new(), Vec::new());
                for _ in 0..segments {
                    let difficulty = uniform();
                    // An exponential difference with the mean 1.
                    one.push(3.0 * difficulty - uniform().ln());
                    other.push(3.0 * difficulty + uniform() - 0.5);
                }
                let draws = Resamples::draw(segments, 400, seed);
                let found = draws.resampled(mean, &one).difference(&draws.resampled(mean, &other));
                found.low <= 1.0 && 1.0 <= found.high
            };
            let held = (0..1000).filter(|&seed| holds(seed)).count();
            assert!((930..=970).contains(&held), "{segments} segments: {held} of 1000");
        }
    }
}
