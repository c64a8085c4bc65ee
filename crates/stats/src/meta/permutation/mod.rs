//! PERM-BOTH: significance tests between metrics, and clusters of metrics that do not differ significantly.
//!
//! Both metrics are standardised; a round exchanges their scores of each cell with probability 1/2; p is the share of
//! rounds in which the difference of the statistic is at least the observed one. Deutsch et al. 2021, "A Statistical
//! Analysis of Summarization Evaluation Metrics Using Resampling Methods", section 5.
//!
//! Unlike mt-metrics-eval, tests of systems also exchange segment scores, as in the paper; tau_14 and acc_23 are
//! computed over at most 50,000 pairs, acc_23 with the best of some 170 quantiles of the differences as threshold.

mod signed_sums;
mod tie_test;

use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use rayon::prelude::*;

use self::signed_sums::SignedSums;
use self::tie_test::{OrderTest, TieTest};
use super::agreement::{SegmentAgreement, SystemAgreement, index_pairs, system_means};
use super::correlation::pairwise_sum;
use super::scores::HumanScores;
use crate::ranking::{LEVEL, clusters_of_sorted};

/// The statistic by which metrics are compared.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum TestStatistic {
    /// tau_14 by segment: a metric gains nothing by a tie, which counts as a guess, and loses nothing by human ties,
    /// which do not count.
    #[default]
    Kendall14,
    /// acc_23 by segment with the best tie threshold, tuned in every round.
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
    pub const ALL: [Self; 6] = [
        Self::Kendall14,
        Self::OptimisedAccuracy,
        Self::Accuracy,
        Self::Pearson,
        Self::SystemPearson,
        Self::SystemPairwiseAccuracy,
    ];

    /// Its name in options and reports.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Kendall14 => "kendall_14",
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
            Self::Kendall14 => segments.item.kendall_14,
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

/// p below which a test ends early.
const CLEARLY_BETTER: f64 = 0.02;

/// p above which a test ends early.
const CLEARLY_NOT: f64 = 0.5;

/// The rounds between two checks whether the result is clear.
const ROUNDS_AT_ONCE: usize = 250;

/// Random exchanges of scores: in blocks of rounds, a bit for each cell and round that is set where the cell keeps its
/// scores. Of the 256 bits of a cell in a block the first [`ROUNDS_AT_ONCE`] are used.
struct Exchanges {
    blocks: Vec<Vec<[u64; 4]>>,
    cells: usize,
}

impl Exchanges {
    fn draw(cells: usize, rounds: usize, seed: u64) -> Self {
        let mut random = ChaCha8Rng::seed_from_u64(seed);
        let blocks = (0..rounds.div_ceil(ROUNDS_AT_ONCE)).map(|_| (0..cells).map(|_| random.random()).collect());
        Self { blocks: blocks.collect(), cells }
    }

    /// For each cell, whether it keeps its scores in a round; all do without a round.
    fn keeps(&self, round: Option<usize>) -> Vec<bool> {
        let Some(round) = round else { return vec![true; self.cells] };
        let (block, bit) = (&self.blocks[round / ROUNDS_AT_ONCE], round % ROUNDS_AT_ONCE);
        block.iter().map(|bits| bits[bit / 64] >> (bit % 64) & 1 == 1).collect()
    }
}

/// The difference of the statistic between two metrics: with exchanged scores in a round, observed without a round.
type Difference<'a> = Box<dyn Fn(Option<usize>) -> f64 + 'a>;

/// Tests every metric against each later one of a list that is sorted by the statistic, best first. Each metric has
/// (systems, segments) scores, system by system, higher is better, not constant over the judged cells; system-level
/// statistics need a human score for every cell. `tell` is called once for each of the n (n - 1) / 2 tests of n
/// metrics, from any thread. Empty for fewer than two metrics or no rounds.
pub fn metric_differences(
    human: &HumanScores,
    metrics: &[&[f64]],
    settings: &TestSettings,
    tell: &(dyn Fn() + Sync),
) -> Vec<MetricDifference> {
    let pairs: Vec<(usize, usize)> = index_pairs(metrics.len()).collect();
    if pairs.is_empty() || settings.rounds == 0 {
        return Vec::new();
    }
    let standard: Vec<Vec<f64>> = metrics.par_iter().map(|metric| standardised(human, metric)).collect();
    let exchanges = &Exchanges::draw(human.scores().len(), settings.rounds, settings.seed);
    let rounds = settings.rounds;
    match settings.statistic {
        TestStatistic::Kendall14 => {
            let sample = tie_test::sample(human, true, settings.seed);
            let standard: Vec<Vec<f64>> = standard.iter().map(|metric| tie_test::by_segment(human, metric)).collect();
            test_all(&pairs, rounds, tell, |a, b| {
                let test = OrderTest::new(&sample, [&standard[a], &standard[b]]);
                Box::new(move |round| test.difference(&exchanges.keeps(round)))
            })
        }
        TestStatistic::OptimisedAccuracy | TestStatistic::Accuracy => {
            let is_optimised = settings.statistic == TestStatistic::OptimisedAccuracy;
            let sample = tie_test::sample(human, false, settings.seed);
            let standard: Vec<Vec<f64>> = standard.iter().map(|metric| tie_test::by_segment(human, metric)).collect();
            test_all(&pairs, rounds, tell, |a, b| {
                let test = TieTest::new(&sample, [&standard[a], &standard[b]], is_optimised);
                Box::new(move |round| test.difference(&exchanges.keeps(round)))
            })
        }
        TestStatistic::Pearson => {
            let sums = &SignedSums::of_cells(human, &standard, exchanges);
            test_all(&pairs, rounds, tell, |a, b| Box::new(move |round| sums.correlation_difference([a, b], round)))
        }
        TestStatistic::SystemPearson | TestStatistic::SystemPairwiseAccuracy => {
            let sums = &SignedSums::of_systems(human, &standard, exchanges);
            let means = &system_means(human.systems(), &human.complete().unwrap_or_default());
            let statistic = settings.statistic;
            test_all(&pairs, rounds, tell, |a, b| {
                Box::new(move |round| sums.system_difference([a, b], round, means, statistic))
            })
        }
    }
}

/// Tests all pairs of metrics; `make` prepares the test of a pair.
fn test_all<'a>(
    pairs: &[(usize, usize)],
    rounds: usize,
    tell: &(dyn Fn() + Sync),
    make: impl Fn(usize, usize) -> Difference<'a> + Sync,
) -> Vec<MetricDifference> {
    let test = |&(better, worse): &(usize, usize)| {
        let (p_value, rounds) = run(&make(better, worse), rounds);
        tell();
        MetricDifference { better, worse, p_value, rounds }
    };
    pairs.par_iter().map(test).collect()
}

/// Runs rounds until the result is clear; returns p and the number of rounds.
fn run(difference: &Difference<'_>, most: usize) -> (f64, usize) {
    let observed = difference(None);
    let (mut rounds, mut large, mut p_value) = (0, 0, 1.0);
    while rounds < most && (rounds == 0 || (CLEARLY_BETTER..=CLEARLY_NOT).contains(&p_value)) {
        let block = rounds..most.min(rounds + ROUNDS_AT_ONCE);
        rounds = block.end;
        large += block.filter(|&round| difference(Some(round)) >= observed).count();
        p_value = large as f64 / rounds as f64;
    }
    (p_value, rounds)
}

/// Scales a metric to mean 0 and standard deviation 1 over the judged cells.
fn standardised(human: &HumanScores, metric: &[f64]) -> Vec<f64> {
    let judged = human.scores().iter().zip(metric).filter(|(score, _)| score.is_some());
    let values: Vec<f64> = judged.map(|(_, &value)| value).collect();
    let count = values.len() as f64;
    let mean = pairwise_sum(&values) / count;
    // Scaled first, as squares of huge numbers overflow.
    let largest = values.iter().map(|value| (value - mean).abs()).fold(f64::MIN_POSITIVE, f64::max);
    let squares: Vec<f64> = values.iter().map(|value| ((value - mean) / largest).powi(2)).collect();
    let deviation = largest * (pairwise_sum(&squares) / count).sqrt();
    metric.iter().map(|value| (value - mean) / deviation).collect()
}

/// The cluster, from 1, of each of `metrics` metrics that are sorted by the statistic; see [`clusters_of_sorted`]. No
/// metric is significantly worse (p <= 0.05) than another one of its cluster.
pub fn clusters(metrics: usize, differences: &[MetricDifference]) -> Vec<usize> {
    clusters_of_sorted(metrics, |worse, better| {
        let is_of_both = |found: &&MetricDifference| found.worse == worse && found.better == better;
        differences.iter().find(is_of_both).is_some_and(|test| test.p_value <= LEVEL)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::numpy_random::NumpyRandom;

    /// Six systems of 200 segments: human scores, then metrics that add the given shares of noise.
    fn table(noises: &[f64]) -> (HumanScores, Vec<Vec<f64>>) {
        let mut random = NumpyRandom::new(1);
        let mut noise = || (0..12).map(|_| f64::from(random.below(1000)) / 1000.0).sum::<f64>() - 6.0;
        let human: Vec<f64> = (0..1200).map(|cell| (noise() + f64::from(cell / 200) / 4.0).round()).collect();
        let metrics = noises.iter().map(|&share| human.iter().map(|score| score + share * noise()).collect()).collect();
        (HumanScores::new(6, human.into_iter().map(Some).collect()).unwrap(), metrics)
    }

    fn test(statistic: TestStatistic, noises: &[f64]) -> Vec<MetricDifference> {
        let (human, metrics) = table(noises);
        let metrics: Vec<&[f64]> = metrics.iter().map(Vec::as_slice).collect();
        metric_differences(&human, &metrics, &TestSettings { statistic, rounds: 1000, seed: 4 }, &|| ())
    }

    #[test]
    fn noise_is_told_from_a_metric_on_segments() {
        for statistic in [TestStatistic::OptimisedAccuracy, TestStatistic::Accuracy, TestStatistic::Pearson] {
            let found = test(statistic, &[0.5, 3.0]);
            assert_eq!(found[0].p_value, 0.0, "{statistic:?}");
            assert_eq!((found[0].better, found[0].worse, found[0].rounds), (0, 1, ROUNDS_AT_ONCE), "{statistic:?}");
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
    fn a_cluster_ends_before_the_first_that_is_worse_than_any_of_it() {
        let difference = |better, worse, p_value| MetricDifference { better, worse, p_value, rounds: 1000 };
        let found = [
            difference(0, 1, 0.3),
            difference(0, 2, 0.04),
            difference(1, 2, 0.2),
            difference(0, 3, 0.01),
            difference(1, 3, 0.01),
            difference(2, 3, 0.06),
        ];
        // The fourth is significantly worse only than metrics of the first cluster, which is not its own.
        assert_eq!(clusters(4, &found), [1, 1, 2, 2]);
        assert_eq!(clusters(2, &[]), [1, 1]);
    }
}
