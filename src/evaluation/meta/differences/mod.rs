//! Significance tests between metrics. In: people's scores, and metrics sorted by a statistic. Out: a p-value for each
//! pair of metrics, and clusters of metrics that do not differ significantly. Next: report.
//!
//! PERM-BOTH (Deutsch et al. 2021, "A Statistical Analysis of Summarization Evaluation Metrics Using Resampling
//! Methods", section 5): both metrics are standardised; a round exchanges their scores of each cell with probability
//! 1/2; p is the share of rounds in which the difference of the statistic is at least the observed one.
//!
//! Unlike mt-metrics-eval, tests of systems also exchange segment scores, as in the paper; and acc_23 is computed over
//! at most 50,000 pairs, with the best of some 170 quantiles of the differences as threshold.

mod bit_counts;
mod clusters;
mod linear;
mod swaps;
mod tie_test;
mod tied_pairs;

use rayon::prelude::*;

pub use clusters::clusters;

use self::linear::{CellTest, SystemTest};
use self::swaps::{Block, Swaps};
use self::tie_test::TieTest;
use super::judged::HumanScores;
use super::segments::SegmentAgreement;
use super::sum::pairwise_sum;
use super::systems::SystemAgreement;

/// The statistic by which metrics are compared.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum TestStatistic {
    /// acc_23 by segment with the best tie threshold, tuned in every round.
    #[default]
    OptimisedAccuracy,
    /// acc_23 by segment.
    Accuracy,
    /// Pearson's correlation over all cells.
    Pearson,
    /// Pearson's correlation of system means.
    SystemPearson,
    /// Pairwise accuracy on system means.
    SystemPairwiseAccuracy,
}

impl TestStatistic {
    /// All statistics.
    pub const ALL: [Self; 5] =
        [Self::OptimisedAccuracy, Self::Accuracy, Self::Pearson, Self::SystemPearson, Self::SystemPairwiseAccuracy];

    /// Its name in options and reports.
    pub const fn name(self) -> &'static str {
        match self {
            Self::OptimisedAccuracy => "acc23_optimised",
            Self::Accuracy => "acc23",
            Self::Pearson => "pearson",
            Self::SystemPearson => "system_pearson",
            Self::SystemPairwiseAccuracy => "system_pairwise_accuracy",
        }
    }

    /// The statistic of that name.
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|statistic| statistic.name() == name)
    }

    /// Its value for a metric; `None` where it is undefined.
    pub fn value(self, segments: &SegmentAgreement, systems: Option<&SystemAgreement>) -> Option<f64> {
        match self {
            Self::OptimisedAccuracy => segments.item.optimised.map(|optimised| optimised.accuracy),
            Self::Accuracy => segments.item.accuracy,
            Self::Pearson => segments.none.pearson,
            Self::SystemPearson => systems.and_then(|systems| systems.pearson),
            Self::SystemPairwiseAccuracy => systems.and_then(|systems| systems.pairwise_accuracy),
        }
    }
}

/// How metrics are tested.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TestSettings {
    /// The statistic to compare.
    pub statistic: TestStatistic,
    /// The largest number of rounds; after every 250 a test stops early if p is below 0.02 or above 0.5.
    pub rounds: usize,
    /// The seed for the exchanges.
    pub seed: u64,
}

/// The test of two metrics, given as indices into the tested list.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct MetricDifference {
    /// The metric that is earlier in the list.
    pub better: usize,
    /// The metric that is later in the list.
    pub worse: usize,
    /// The one-sided p-value: the share of rounds with a difference at least as large as observed, in [0, 1].
    pub p_value: f64,
    /// The number of rounds that were run.
    pub rounds: usize,
}

/// A test of one metric against another.
trait PairTest: Sync {
    /// The observed difference of the statistic.
    fn observed(&self) -> f64;

    /// The difference in each round of a block.
    fn differences(&self, block: &Block) -> Vec<f64>;
}

/// p below which a test ends early.
const CLEARLY_BETTER: f64 = 0.02;

/// p above which a test ends early.
const CLEARLY_NOT: f64 = 0.5;

/// Tests every metric against each later one of a list that is sorted by the statistic, best first. Each metric has
/// (systems, segments) scores, system by system, higher is better, not constant over the judged cells; system-level
/// statistics need a human score for every cell. `tell` is called once for each of the n (n - 1) / 2 tests of n
/// metrics, from any thread. Empty for fewer than two metrics or no rounds.
pub fn metric_differences(
    people: &HumanScores,
    metrics: &[&[f64]],
    settings: &TestSettings,
    tell: &(dyn Fn() + Sync),
) -> Vec<MetricDifference> {
    let pairs: Vec<(usize, usize)> = super::soft_pairwise::couples(metrics.len()).collect();
    if pairs.is_empty() || settings.rounds == 0 {
        return Vec::new();
    }
    let standard: Vec<Vec<f64>> = metrics.par_iter().map(|metric| standardised(people, metric)).collect();
    let swaps = Swaps::draw(people.scores().len(), settings.rounds, settings.seed);
    let all = |make: &(dyn Fn(usize, usize) -> Box<dyn PairTest> + Sync)| -> Vec<MetricDifference> {
        let test = |&(better, worse): &(usize, usize)| {
            let found = run(make(better, worse).as_ref(), &swaps, [better, worse]);
            tell();
            found
        };
        pairs.par_iter().map(test).collect()
    };
    match settings.statistic {
        TestStatistic::OptimisedAccuracy | TestStatistic::Accuracy => {
            let is_optimised = settings.statistic == TestStatistic::OptimisedAccuracy;
            let sample = tied_pairs::sample(people, settings.seed);
            let standard: Vec<Vec<f64>> =
                standard.iter().map(|metric| tied_pairs::by_segment(people, metric)).collect();
            all(&|a, b| Box::new(TieTest::of(&sample, [&standard[a], &standard[b]], is_optimised)))
        }
        TestStatistic::Pearson => {
            let sums = linear::cell_sums(people, &standard, &swaps);
            all(&|a, b| Box::new(CellTest { metrics: [&sums[a], &sums[b]] }))
        }
        TestStatistic::SystemPearson | TestStatistic::SystemPairwiseAccuracy => {
            let sums = linear::system_sums(people, &standard, &swaps);
            let people = people.complete().unwrap_or_default();
            let means = super::systems::system_means(sums.systems, &people);
            let statistic = settings.statistic;
            all(&|a, b| Box::new(SystemTest { people: &means, sums: &sums, metrics: [a, b], statistic }))
        }
    }
}

/// Runs rounds until the result is clear.
fn run(test: &dyn PairTest, swaps: &Swaps, [better, worse]: [usize; 2]) -> MetricDifference {
    let observed = test.observed();
    let (mut rounds, mut large, mut p_value) = (0, 0, 1.0);
    for block in &swaps.blocks {
        let differences = test.differences(block);
        large += differences[..block.rounds].iter().filter(|&&difference| difference >= observed).count();
        rounds += block.rounds;
        p_value = large as f64 / rounds as f64;
        if !(CLEARLY_BETTER..=CLEARLY_NOT).contains(&p_value) {
            break;
        }
    }
    MetricDifference { better, worse, p_value, rounds }
}

/// Scales a metric to mean 0 and standard deviation 1 over the judged cells.
fn standardised(people: &HumanScores, metric: &[f64]) -> Vec<f64> {
    let judged = people.scores().iter().zip(metric).filter(|(score, _)| score.is_some());
    let values: Vec<f64> = judged.map(|(_, &value)| value).collect();
    let count = values.len() as f64;
    let mean = pairwise_sum(&values) / count;
    // Scaled first, as squares of huge numbers overflow.
    let largest = values.iter().map(|value| (value - mean).abs()).fold(f64::MIN_POSITIVE, f64::max);
    let squares: Vec<f64> = values.iter().map(|value| ((value - mean) / largest).powi(2)).collect();
    let deviation = largest * (pairwise_sum(&squares) / count).sqrt();
    metric.iter().map(|value| (value - mean) / deviation).collect()
}

#[cfg(test)]
mod tests {
    use super::swaps::LANES;
    use super::*;
    use crate::evaluation::numpy_random::NumpyRandom;

    /// Six systems of 200 segments: people's scores, then metrics that add the given shares of noise.
    fn table(noises: &[f64]) -> (HumanScores, Vec<Vec<f64>>) {
        let mut random = NumpyRandom::new(1);
        let mut noise = || (0..12).map(|_| f64::from(random.below(1000)) / 1000.0).sum::<f64>() - 6.0;
        let people: Vec<f64> = (0..1200).map(|cell| (noise() + f64::from(cell / 200) / 4.0).round()).collect();
        let metrics =
            noises.iter().map(|&share| people.iter().map(|score| score + share * noise()).collect()).collect();
        (HumanScores::new(6, people.into_iter().map(Some).collect()).unwrap(), metrics)
    }

    fn test(statistic: TestStatistic, noises: &[f64]) -> Vec<MetricDifference> {
        let (people, metrics) = table(noises);
        let metrics: Vec<&[f64]> = metrics.iter().map(Vec::as_slice).collect();
        metric_differences(&people, &metrics, &TestSettings { statistic, rounds: 1000, seed: 4 }, &|| ())
    }

    #[test]
    fn noise_is_told_from_a_metric_on_segments() {
        for statistic in [TestStatistic::OptimisedAccuracy, TestStatistic::Accuracy, TestStatistic::Pearson] {
            let found = test(statistic, &[0.5, 3.0]);
            assert_eq!(found[0].p_value, 0.0, "{statistic:?}");
            assert_eq!((found[0].better, found[0].worse, found[0].rounds), (0, 1, LANES), "{statistic:?}");
            // The other way round, every round's difference is at least the observed one.
            assert_eq!(test(statistic, &[3.0, 0.5])[0].p_value, 1.0, "{statistic:?}");
        }
    }

    #[test]
    fn equal_metrics_are_not_told_apart() {
        for statistic in TestStatistic::ALL {
            let found = test(statistic, &[1.0, 1.0]);
            assert!(found[0].p_value > 0.02, "{statistic:?} {found:?}");
        }
    }

    #[test]
    fn p_values_are_even_where_nothing_differs() {
        let noises = [2.0; 24];
        for statistic in [TestStatistic::OptimisedAccuracy, TestStatistic::Pearson] {
            let found = test(statistic, &noises);
            let small = found.iter().filter(|found| found.p_value <= 0.05).count();
            // 14 of the 276 tests are expected; they share metrics, so their number varies widely.
            assert!((1..60).contains(&small), "{statistic:?}: {small} of {}", found.len());
        }
    }

    #[test]
    fn names_lead_back() {
        for statistic in TestStatistic::ALL {
            assert_eq!(TestStatistic::named(statistic.name()), Some(statistic));
        }
        assert_eq!(TestStatistic::named("kendall"), None);
    }
}
