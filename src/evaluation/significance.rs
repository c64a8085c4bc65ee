//! Confidence intervals of corpus scores, and significance tests between systems, from statistics of segments.
//!
//! These follow sacreBLEU 2.6.0, random draws included: the same seed and number of rounds give the same results, up to
//! the sixth digit of resampled scores, as sacreBLEU rounds statistics to single precision.

use rayon::prelude::*;
use serde::Serialize;

use super::numpy_random::NumpyRandom;
use crate::metrics::{Metric, Statistics, corpus};

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

    /// A system's scores in all resampled corpora, the basis of its interval and tests.
    pub fn resampled(&self, metric: &dyn Metric, segments: &[Statistics]) -> Resampled {
        let score = |drawn: &Vec<u32>| corpus::score(metric, drawn.iter().map(|&at| &segments[at as usize]));
        Resampled { score: corpus::score(metric, segments.iter()), scores: self.0.par_iter().map(score).collect() }
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

    /// The p-value of the difference from another system by paired bootstrap, with the same draws for both: (1 +
    /// hits)/(1 + draws), where hits counts the resampled corpora whose absolute difference exceeds its mean by more
    /// than the observed absolute difference. In (0, 1]. Koehn 2004, section 4.
    pub fn p_value(&self, other: &Self) -> f64 {
        let differences: Vec<f64> = self.scores.iter().zip(&other.scores).map(|(a, b)| (a - b).abs()).collect();
        let mean = differences.iter().sum::<f64>() / differences.len() as f64;
        let rounds = differences.len();
        share_above(differences.into_iter().map(|one| one - mean), (self.score - other.score).abs(), rounds)
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

    /// The p-value of the difference of a system from a baseline by paired approximate randomisation: (1 + hits)/(1 +
    /// rounds), where hits counts the rounds in which the systems, with outputs exchanged in each segment with
    /// probability 1/2, differ by more than observed. In (0, 1]. Riezler and Maxwell 2005, section 3.
    pub fn p_value(&self, metric: &dyn Metric, system: &[Statistics], baseline: &[Statistics]) -> f64 {
        let differences: Vec<f64> = self.0.par_iter().map(|coins| exchanged(coins, metric, system, baseline)).collect();
        share_above(differences.into_iter(), difference(metric, system, baseline), self.0.len())
    }

    /// Whether [`Self::p_value`] is less than `level`; stops early once it cannot be.
    pub fn is_significant(
        &self,
        metric: &dyn Metric,
        system: &[Statistics],
        baseline: &[Statistics],
        level: f64,
    ) -> bool {
        let difference = difference(metric, system, baseline);
        let is_above = |coins: &&Vec<bool>| exchanged(coins, metric, system, baseline) > difference;
        let mut above = 0;
        self.0.chunks(ROUNDS_AT_ONCE).all(|rounds| {
            above += rounds.par_iter().filter(is_above).count();
            share(above, self.0.len()) < level
        })
    }
}

/// The absolute difference in corpus score after the segments with heads are exchanged.
fn exchanged(coins: &[bool], metric: &dyn Metric, system: &[Statistics], baseline: &[Statistics]) -> f64 {
    let pick = |heads: bool| {
        let both = coins.iter().zip(baseline.iter().zip(system));
        both.map(move |(&coin, (baseline, system))| if coin == heads { baseline } else { system })
    };
    (corpus::score(metric, pick(true)) - corpus::score(metric, pick(false))).abs()
}

/// The absolute difference of two systems in corpus score.
fn difference(metric: &dyn Metric, one: &[Statistics], other: &[Statistics]) -> f64 {
    (corpus::score(metric, one.iter()) - corpus::score(metric, other.iter())).abs()
}

/// The p-value from the number of values above a limit: see [`share`].
fn share_above(values: impl Iterator<Item = f64>, limit: f64, rounds: usize) -> f64 {
    share(values.filter(|&value| value > limit).count(), rounds)
}

/// (1 + `above`) / (1 + `rounds`).
fn share(above: usize, rounds: usize) -> f64 {
    (1 + above) as f64 / (1 + rounds) as f64
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::metrics::{Corpus, MetricSet, Scope};

    fn chrf(hypotheses: &[&str]) -> (MetricSet, Vec<Statistics>) {
        let metric_set = MetricSet::of(&["chrf"]).unwrap();
        let hypotheses: Vec<String> = hypotheses.iter().map(|&text| text.to_owned()).collect();
        let references = vec![vec!["the cat sat on the mat".to_owned()]; hypotheses.len()];
        let corpus = Corpus::of(&metric_set, &hypotheses, &references, Scope::Whole);
        let statistics = corpus.statistics(0).to_vec();
        (metric_set, statistics)
    }

    #[test]
    fn a_system_does_not_differ_from_itself() {
        let (metric_set, segments) = chrf(&["the cat", "a mat", "sat on the mat", "dogs"]);
        let metric = metric_set.members()[0].metric.as_ref();
        let resampled = Resamples::draw(segments.len(), 200, 1).resampled(metric, &segments);
        assert_eq!(resampled.p_value(&resampled), 1.0 / 201.0);
        assert_eq!(Coins::draw(segments.len(), 200, 1).p_value(metric, &segments, &segments), 1.0 / 201.0);
    }

    #[test]
    fn a_test_may_stop_early_and_says_the_same() {
        let (metric_set, one) = chrf(&["the cat", "a mat", "sat on the mat", "dogs", "the cat sat", "on the mat"]);
        let (_, other) = chrf(&["the cat", "a mat", "sat on a mat", "cat", "the cat", "the mat"]);
        let metric = metric_set.members()[0].metric.as_ref();
        let coins = Coins::draw(one.len(), 1000, 1);
        let p_value = coins.p_value(metric, &one, &other);
        assert!((0.01..0.99).contains(&p_value), "{p_value}");
        assert!(!coins.is_significant(metric, &one, &other, p_value));
        assert!(coins.is_significant(metric, &one, &other, p_value + 1e-9));
    }

    #[test]
    fn the_interval_surrounds_the_score() {
        let (metric_set, segments) = chrf(&["the cat", "a mat", "sat on the mat", "dogs", "the cat sat", "the mat"]);
        let metric = metric_set.members()[0].metric.as_ref();
        let spread = Resamples::draw(segments.len(), 500, 1).resampled(metric, &segments).spread();
        let score = corpus::score(metric, segments.iter());
        assert!((spread.mean - score).abs() < spread.half_width, "{spread:?} around {score}");
    }
}
