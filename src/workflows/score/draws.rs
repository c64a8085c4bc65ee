//! One metric's scores of all systems. In: segment statistics, random draws. Out: scores with intervals, p-values,
//! ranks and clusters. Next: systems.

use super::SystemComparison;
use crate::evaluation::ranking::{LEVEL, clusters, ranks};
use crate::evaluation::significance::{Coins, Resampled, Resamples};
use crate::metrics::{Direction, Metric, Statistics, corpus};
use crate::report::scores::Score;

/// The random draws for intervals and tests, shared by all metrics.
#[derive(Debug)]
pub(super) struct Draws {
    resamples: Option<Resamples>,
    coins: Option<Coins>,
}

impl Draws {
    /// Draws the given rounds of bootstrap and randomisation, if any.
    pub(super) fn new(segments: usize, seed: u64, bootstrap: Option<usize>, randomisation: Option<usize>) -> Self {
        Self {
            resamples: bootstrap.map(|rounds| Resamples::draw(segments, rounds, seed)),
            coins: randomisation.map(|rounds| Coins::draw(segments, rounds, seed)),
        }
    }
}

/// One metric's statistics of all systems.
pub(super) struct Column<'a> {
    metric: &'a dyn Metric,
    /// The statistics of every segment, one list per system.
    systems: Vec<&'a [Statistics]>,
    resampled: Vec<Resampled>,
    coins: Option<&'a Coins>,
}

impl<'a> Column<'a> {
    pub(super) fn new(metric: &'a dyn Metric, systems: Vec<&'a [Statistics]>, draws: &'a Draws) -> Self {
        let resampled = |resamples: &Resamples| systems.iter().map(|own| resamples.resampled(metric, own)).collect();
        let resampled = draws.resamples.as_ref().map(resampled).unwrap_or_default();
        Self { metric, systems, resampled, coins: draws.coins.as_ref() }
    }

    /// The p-value of the difference of two systems.
    fn p_value(&self, system: usize, other: usize) -> f64 {
        let (own, others) = (self.systems[system], self.systems[other]);
        if own == others {
            // Identical systems differ in no draw. sacreBLEU, which counts draws above a difference of 0, would return
            // the smallest p.
            return 1.0;
        }
        match self.coins {
            Some(coins) => coins.p_value(self.metric, own, others),
            None => self.resampled[system].p_value(&self.resampled[other]),
        }
    }

    /// Whether two systems differ significantly.
    fn is_significant(&self, system: usize, other: usize) -> bool {
        let (own, others) = (self.systems[system], self.systems[other]);
        match self.coins {
            Some(coins) => own != others && coins.is_significant(self.metric, own, others, LEVEL),
            None => self.p_value(system, other) < LEVEL,
        }
    }

    /// The score of each system, with the requested intervals, tests, ranks and clusters; the tests are against the
    /// first system.
    pub(super) fn scores(&self, comparison: &SystemComparison, direction: Direction) -> Vec<Score> {
        let score = |system: usize| {
            let spread = self.resampled.get(system).map(Resampled::spread);
            Score {
                score: corpus::score(self.metric, self.systems[system].iter()),
                mean: spread.map(|spread| spread.mean),
                half_width: spread.map(|spread| spread.half_width),
                p_value: (comparison.test.is_some() && system > 0).then(|| self.p_value(system, 0)),
                rank: None,
                cluster: None,
            }
        };
        let mut scores: Vec<Score> = (0..self.systems.len()).map(score).collect();
        let goodness: Vec<f64> = scores.iter().map(|score| direction.sign() * score.score).collect();
        if comparison.has_ranks() {
            scores.iter_mut().zip(ranks(&goodness)).for_each(|(score, rank)| score.rank = Some(rank));
        }
        if comparison.clusters {
            let known: Vec<Option<f64>> = scores.iter().map(|score| score.p_value).collect();
            let is_worse = |system: usize, other: usize| match (system, other) {
                // Tests against the first system are not repeated.
                (tested, 0) | (0, tested) => known[tested].is_some_and(|p_value| p_value < LEVEL),
                _ => self.is_significant(system, other),
            };
            let clusters = clusters(&goodness, is_worse);
            scores.iter_mut().zip(clusters).for_each(|(score, cluster)| score.cluster = Some(cluster));
        }
        scores
    }
}
