//! Stage 6d. In: statistics of the segments of systems. Out: intervals of corpus scores, and whether systems differ.
//! Next: report.
//!
//! As sacreBLEU 2.6.0 has it, draws included: with the same seed and number of rounds the results are the same
//! (sacreBLEU rounds statistics to single precision, which shows in the sixth digit of scores of resampled corpora).

use rayon::prelude::*;
use serde::Serialize;

use super::numpy_random::NumpyRandom;
use crate::metrics::{Metric, Statistics, corpus};

/// A corpus score with a 95% interval.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Spread {
    /// The mean over resampled corpora.
    pub mean: f64,
    /// Half the width of the 95% interval around it.
    pub half_width: f64,
}

impl Spread {
    /// Cuts a fortieth of the scores off at either end. Not for an empty list.
    fn of(mut scores: Vec<f64>) -> Self {
        scores.sort_by(f64::total_cmp);
        let cut = scores.len() / 40;
        let mean = scores.iter().sum::<f64>() / scores.len() as f64;
        Self { mean, half_width: 0.5 * (scores[scores.len() - 1 - cut] - scores[cut]) }
    }
}

/// The segments of resampled corpora: `rounds` (at least 1) draws of as many segments, with replacement.
#[derive(Debug, Clone)]
pub struct Resamples(Vec<Vec<u32>>);

impl Resamples {
    /// Draws for a corpus of `segments` segments.
    pub fn draw(segments: usize, rounds: usize, seed: u64) -> Self {
        Self(NumpyRandom::new(seed).draws(rounds, segments))
    }

    fn scores(&self, metric: &dyn Metric, segments: &[Statistics]) -> Vec<f64> {
        let score = |drawn: &Vec<u32>| corpus::score(metric, drawn.iter().map(|&at| &segments[at as usize]));
        self.0.par_iter().map(score).collect()
    }

    /// The interval of a system's score. Koehn 2004, section 3.
    pub fn spread(&self, metric: &dyn Metric, segments: &[Statistics]) -> Spread {
        Spread::of(self.scores(metric, segments))
    }

    /// The p-value of the difference of a system from a baseline by paired bootstrap: the share of resampled corpora in
    /// which the difference is further above its mean than the true one above 0. Koehn 2004, section 4.
    pub fn p_value(&self, metric: &dyn Metric, system: &[Statistics], baseline: &[Statistics]) -> f64 {
        let (one, other) = (self.scores(metric, system), self.scores(metric, baseline));
        let differences: Vec<f64> = one.iter().zip(&other).map(|(a, b)| (a - b).abs()).collect();
        let mean = differences.iter().sum::<f64>() / differences.len() as f64;
        let above_mean = differences.into_iter().map(|difference| difference - mean);
        share_above(above_mean, difference(metric, system, baseline), self.0.len())
    }
}

/// The p-value of the difference of a system from a baseline by paired approximate randomisation: the share of `rounds`
/// in which the systems, after their outputs for a random half of the segments were exchanged, differ by more than they
/// do. Riezler and Maxwell 2005, section 3.
pub fn randomisation(
    metric: &dyn Metric,
    system: &[Statistics],
    baseline: &[Statistics],
    rounds: usize,
    seed: u64,
) -> f64 {
    let exchanged = |coins: &Vec<bool>| {
        let pick = |heads: bool| {
            let both = coins.iter().zip(baseline.iter().zip(system));
            both.map(move |(&coin, (baseline, system))| if coin == heads { baseline } else { system })
        };
        (corpus::score(metric, pick(true)) - corpus::score(metric, pick(false))).abs()
    };
    let coins = NumpyRandom::new(seed).coins(rounds, system.len());
    let differences: Vec<f64> = coins.par_iter().map(exchanged).collect();
    share_above(differences.into_iter(), difference(metric, system, baseline), rounds)
}

/// How far the corpus scores of two systems are apart.
fn difference(metric: &dyn Metric, one: &[Statistics], other: &[Statistics]) -> f64 {
    (corpus::score(metric, one.iter()) - corpus::score(metric, other.iter())).abs()
}

/// (1 + values above the limit) / (1 + rounds).
fn share_above(values: impl Iterator<Item = f64>, limit: f64, rounds: usize) -> f64 {
    (1 + values.filter(|&value| value > limit).count()) as f64 / (1 + rounds) as f64
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::metrics::{Corpus, Panel, Scope};

    fn chrf(hypotheses: &[&str]) -> (Panel, Vec<Statistics>) {
        let panel = Panel::of(&["chrf"]).unwrap();
        let hypotheses: Vec<String> = hypotheses.iter().map(|&text| text.to_owned()).collect();
        let references = vec![vec!["the cat sat on the mat".to_owned()]; hypotheses.len()];
        let corpus = Corpus::of(&panel, &hypotheses, &references, Scope::Whole);
        let statistics = corpus.statistics(0).to_vec();
        (panel, statistics)
    }

    #[test]
    fn a_system_does_not_differ_from_itself() {
        let (panel, segments) = chrf(&["the cat", "a mat", "sat on the mat", "dogs"]);
        let metric = panel.members()[0].metric.as_ref();
        let resamples = Resamples::draw(segments.len(), 200, 1);
        assert_eq!(randomisation(metric, &segments, &segments, 200, 1), 1.0 / 201.0);
        assert_eq!(resamples.p_value(metric, &segments, &segments), 1.0 / 201.0);
    }

    #[test]
    fn the_interval_surrounds_the_score() {
        let (panel, segments) = chrf(&["the cat", "a mat", "sat on the mat", "dogs", "the cat sat", "the mat"]);
        let metric = panel.members()[0].metric.as_ref();
        let spread = Resamples::draw(segments.len(), 500, 1).spread(metric, &segments);
        let score = corpus::score(metric, segments.iter());
        assert!((spread.mean - score).abs() < spread.half_width, "{spread:?} around {score}");
    }
}
