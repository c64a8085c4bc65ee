//! Comparisons of systems: what the user asks for, random draws for intervals and tests, ranks and clusters.

use crate::error::{Error, Result, joined, quoted};
use crate::evaluation::ranking::{LEVEL, clusters, ranks};
use crate::evaluation::significance::{Coins, Resampled, Resamples};
use crate::metrics::{Direction, Metric, MetricSet, Signature, Statistics, corpus};
use crate::options::did_you_mean;
use crate::report::scores::{Score, ScoreDifference};

/// sacreBLEU's default rounds, so that intervals and tests equal its own.
const BOOTSTRAP_ROUNDS: u32 = 1000;
const RANDOMISATION_ROUNDS: u32 = 10_000;

/// Settings for comparing systems.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SystemComparison {
    /// Whether to compute 95% intervals by bootstrap over segments.
    pub confidence: bool,
    /// The test of each system against the first one; `None` for no test.
    pub test: Option<PairedTest>,
    /// The rounds of resampling; `None` for sacreBLEU's defaults.
    pub rounds: Option<u32>,
    /// The seed for resampling.
    pub seed: u64,
    /// Whether to rank systems and group those that do not differ significantly into clusters, for each metric. The
    /// default test is [`PairedTest::Bootstrap`], which is by far the faster one.
    pub clusters: bool,
    /// The order of systems in the report; sorted orders come with ranks.
    pub order: SystemOrder,
    /// Whether to compute the difference of every two systems, with its interval by paired bootstrap, and all intervals.
    pub differences: bool,
}

/// The order of systems in the report.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub enum SystemOrder {
    /// The order in which they were named.
    #[default]
    Given,
    /// By the scores of the first metric, best first.
    FirstMetric,
    /// By the scores of the metric of this name, best first.
    Metric(String),
}

impl SystemOrder {
    /// The index of the metric by which systems are sorted; `None` for the given order.
    ///
    /// # Errors
    /// There is no metric of that name.
    pub fn column(&self, metric_set: &MetricSet) -> Result<Option<usize>> {
        let Self::Metric(name) = self else { return Ok((*self == Self::FirstMetric).then_some(0)) };
        let names = || metric_set.members().iter().map(|member| member.name.as_str());
        let found = names().position(|known| known == name);
        let found = found.or_else(|| names().position(|known| known.eq_ignore_ascii_case(name)));
        found.map(Some).ok_or_else(|| {
            let near = did_you_mean(name, names());
            let advice = format!("{near}name one of these, or none for the first, and write `sort` after the systems");
            let expected = format!("one of the metrics {}", joined(names()));
            Error::invalid("`sort`", expected, quoted(name), advice)
        })
    }
}

impl Default for SystemComparison {
    /// Scores only, with sacreBLEU's seed.
    fn default() -> Self {
        Self {
            confidence: false,
            test: None,
            rounds: None,
            seed: 12345,
            clusters: false,
            order: SystemOrder::Given,
            differences: false,
        }
    }
}

/// A significance test between two systems.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PairedTest {
    /// Paired bootstrap, which also gives intervals. Koehn 2004, section 4.
    Bootstrap,
    /// Paired approximate randomisation. Riezler and Maxwell 2005.
    Randomisation,
}

impl PairedTest {
    /// Its name in reports.
    pub fn name(self) -> &'static str {
        match self {
            Self::Bootstrap => "paired bootstrap",
            Self::Randomisation => "paired approximate randomisation",
        }
    }
}

impl SystemComparison {
    /// Checks that there is something to compare.
    ///
    /// # Errors
    /// A test of a single system; rounds without anything to resample.
    pub fn check(&self, systems: usize) -> Result<()> {
        if self.test.is_some() && systems < 2 {
            let advice = "name the system that the others are tested against first, or ask for `confidence`";
            return Err(Error::invalid("systems", "two or more systems for a paired test", "one", advice));
        }
        if self.rounds.is_some() && self.test.is_none() && !self.confidence && !self.clusters && !self.differences {
            let (expected, advice) =
                ("`confidence`, `clusters` or a paired test", "omit `rounds`, or choose one of these");
            return Err(Error::invalid("`rounds`", expected, "none", advice));
        }
        Ok(())
    }

    /// The rounds of bootstrap, if intervals or a test need it.
    fn bootstrap(&self) -> Option<u32> {
        let is_needed = self.confidence || self.test == Some(PairedTest::Bootstrap);
        is_needed.then(|| self.rounds.unwrap_or(BOOTSTRAP_ROUNDS))
    }

    /// The rounds of randomisation, if it is the test.
    fn randomisation(&self) -> Option<u32> {
        (self.test == Some(PairedTest::Randomisation)).then(|| self.rounds.unwrap_or(RANDOMISATION_ROUNDS))
    }

    /// The settings with their implications: clusters and differences need a test, and a single system has none.
    pub(super) fn settled(&self, systems: usize) -> Self {
        let clusters = self.clusters && systems > 1;
        let needs_test = clusters || (self.differences && systems > 1);
        let test = self.test.or(needs_test.then_some(PairedTest::Bootstrap));
        Self { clusters, test, confidence: self.confidence || self.differences, ..self.clone() }
    }

    /// Whether systems are ranked.
    pub(super) fn has_ranks(&self) -> bool {
        self.clusters || self.order != SystemOrder::Given
    }

    /// The random draws for intervals and tests of a corpus.
    pub(super) fn draws(&self, segments: usize) -> Draws {
        Draws {
            resamples: self.bootstrap().map(|rounds| Resamples::draw(segments, rounds as usize, self.seed)),
            coins: self.randomisation().map(|rounds| Coins::draw(segments, rounds as usize, self.seed)),
        }
    }

    /// Adds the number of references and the settings of draws in front of a metric's signature, as in sacreBLEU's.
    pub(super) fn sign(&self, mut signature: Signature, references: &str) -> Signature {
        let own = std::mem::take(&mut signature.settings);
        signature = signature.with("#", "nrefs", references);
        let (bootstrap, randomisation) = (self.bootstrap(), self.randomisation());
        for (name, rounds) in [("bs", bootstrap), ("ar", randomisation)] {
            if let Some(rounds) = rounds {
                signature = signature.with(name, name, rounds);
            }
        }
        if bootstrap.or(randomisation).is_some() {
            signature = signature.with("rs", "seed", self.seed);
        }
        signature.settings.extend(own);
        signature
    }
}

/// The random draws for intervals and tests, shared by all metrics.
#[derive(Debug)]
pub(super) struct Draws {
    resamples: Option<Resamples>,
    coins: Option<Coins>,
}

/// The score of a corpus by the statistics of its segments.
fn corpus_score(metric: &dyn Metric) -> impl Fn(&mut dyn Iterator<Item = &Statistics>) -> f64 + Sync {
    move |segments| corpus::score(metric, segments)
}

/// One metric's statistics of all systems.
pub(super) struct MetricColumn<'a> {
    metric: &'a dyn Metric,
    /// The statistics of every segment, one list per system.
    systems: Vec<&'a [Statistics]>,
    resampled: Vec<Resampled>,
    coins: Option<&'a Coins>,
}

impl<'a> MetricColumn<'a> {
    pub(super) fn new(metric: &'a dyn Metric, systems: Vec<&'a [Statistics]>, draws: &'a Draws) -> Self {
        let resampled =
            |resamples: &Resamples| systems.iter().map(|own| resamples.resampled(corpus_score(metric), own)).collect();
        let resampled = draws.resamples.as_ref().map(resampled).unwrap_or_default();
        Self { metric, systems, resampled, coins: draws.coins.as_ref() }
    }

    /// The p-value of the difference of two systems.
    fn p_value(&self, system: usize, other: usize) -> f64 {
        let (own, others) = (self.systems[system], self.systems[other]);
        match self.coins {
            Some(coins) => coins.differences(corpus_score(self.metric), own, others),
            None => self.resampled[system].differences(&self.resampled[other]),
        }
        .p_value()
    }

    /// Whether two systems differ significantly.
    fn is_significant(&self, system: usize, other: usize) -> bool {
        let (own, others) = (self.systems[system], self.systems[other]);
        match self.coins {
            Some(coins) => coins.is_significant(corpus_score(self.metric), own, others, LEVEL),
            None => self.p_value(system, other) < LEVEL,
        }
    }

    /// The differences of every two systems, by their names.
    pub(super) fn differences(&self, metric: &str, names: &[&str]) -> Vec<ScoreDifference> {
        let two = |one: usize, other: usize| ScoreDifference {
            metric: metric.to_owned(),
            one: names[one].to_owned(),
            other: names[other].to_owned(),
            difference: self.resampled[one].difference(&self.resampled[other]),
            p_value: self.p_value(one, other),
        };
        let count = names.len();
        (0..count)
            .flat_map(|one| (one + 1..count).map(move |other| (one, other)))
            .map(|(one, other)| two(one, other))
            .collect()
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wishes_have_to_fit_together() {
        let test = Some(PairedTest::Bootstrap);
        assert!(SystemComparison { test, ..SystemComparison::default() }.check(2).is_ok());
        assert!(SystemComparison { test, ..SystemComparison::default() }.check(1).is_err());
        assert!(SystemComparison { rounds: Some(9), ..SystemComparison::default() }.check(1).is_err());
        assert!(SystemComparison { rounds: Some(9), confidence: true, ..SystemComparison::default() }.check(1).is_ok());
    }

    #[test]
    fn clusters_imply_a_test_of_two_systems_or_more() {
        let clusters = SystemComparison { clusters: true, rounds: Some(9), ..SystemComparison::default() };
        assert!(clusters.check(1).is_ok());
        assert_eq!(clusters.settled(1).test, None);
        assert_eq!(clusters.settled(2).test, Some(PairedTest::Bootstrap));
        let named = SystemComparison { test: Some(PairedTest::Randomisation), ..clusters };
        assert_eq!(named.settled(2).test, Some(PairedTest::Randomisation));
    }

    #[test]
    fn systems_are_sorted_by_a_metric_that_there_is() {
        let metric_set = MetricSet::named(&["bleu", "rougeL"]).unwrap();
        let metric = |name: &str| SystemOrder::Metric(name.into()).column(&metric_set);
        assert_eq!(SystemOrder::Given.column(&metric_set).unwrap(), None);
        assert_eq!(SystemOrder::FirstMetric.column(&metric_set).unwrap(), Some(0));
        assert_eq!(metric("ROUGEL").unwrap(), Some(1));
        let message = metric("rouge-L").unwrap_err().to_string();
        assert!(message.contains("found 'rouge-L'; did you mean 'rougeL'?"), "{message}");
    }

    #[test]
    fn signatures_name_the_draws_first() {
        let sign =
            |comparison: SystemComparison| comparison.sign(Signature::new("m").with("a", "alpha", 1), "2").to_string();
        assert_eq!(sign(SystemComparison::default()), "m|nrefs:2|alpha:1");
        let test = Some(PairedTest::Randomisation);
        assert_eq!(
            sign(SystemComparison { test, ..SystemComparison::default() }),
            "m|nrefs:2|ar:10000|seed:12345|alpha:1"
        );
        let both = SystemComparison { test, confidence: true, rounds: Some(7), seed: 3, ..SystemComparison::default() };
        assert_eq!(sign(both), "m|nrefs:2|bs:7|ar:7|seed:3|alpha:1");
    }
}
