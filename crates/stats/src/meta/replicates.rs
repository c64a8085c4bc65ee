//! Every statistic of agreement in resamples of the segments or of the systems, for intervals and paired differences.

use super::agreement::{RankedSystems, RowAgreement, SegmentAgreement};
use super::correlation::{PairCounts, concordant, pearson};
use super::permutation::TestStatistic;
use super::ranked::RankedCells;
use super::scores::{Averaging, HumanScores, ScoredRow, mean};
use super::tie_search::nearly_best_threshold;
use crate::bootstrap::{Bootstrap, Replicates};

/// Over what a statistic is computed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Level {
    /// Over all segments of all systems; segments are resampled.
    None,
    /// Over the segments of each system, averaged; segments are resampled.
    Each,
    /// Over the systems of each segment, averaged; segments are resampled.
    Item,
    /// Over the means of systems, which are resampled.
    System,
}

/// The resamples of segments and of systems, the same for all metrics.
#[derive(Debug, Clone)]
pub struct Resampling {
    segments: Bootstrap,
    systems: Bootstrap,
}

impl Resampling {
    /// Draws `rounds` resamples.
    pub fn draw(human: &HumanScores, rounds: usize, seed: u64) -> Self {
        let draw = |units| Bootstrap::draw(units, rounds, seed);
        Self { segments: draw(human.segments()), systems: draw(human.systems()) }
    }
}

/// A statistic of a metric, by its level and its name in reports.
#[derive(Debug, Clone, PartialEq)]
pub struct MetricReplicates {
    statistics: Vec<(Level, &'static str, Replicates)>,
    /// [`kendall_like`](super::kendall_like) for each threshold.
    kendall_like: Vec<Option<Replicates>>,
}

impl MetricReplicates {
    /// Resamples a metric. `metric`: (systems, segments), system by system; `agreement`: of all segments, whose tie
    /// thresholds count in resamples, too; `systems`: where all cells are judged; `thresholds`: for
    /// [`kendall_like`](super::kendall_like).
    pub fn new(
        resampling: &Resampling,
        human: &HumanScores,
        metric: &[f64],
        agreement: &SegmentAgreement,
        systems: Option<&RankedSystems>,
        thresholds: &[f64],
    ) -> Self {
        let Resampling { segments, systems: draws } = resampling;
        let rows: Vec<ScoredRow> = (0..human.segments()).map(|segment| human.segment(segment, metric)).collect();
        let by_system: Vec<Vec<ScoredRow>> = (0..human.systems()).map(|system| human.each(system, metric)).collect();
        let mut all = Vec::new();
        let mut add = |level, name, found: Option<Replicates>| all.extend(found.map(|found| (level, name, found)));
        let threshold = |of: &RowAgreement| of.optimised.map(|optimised| optimised.threshold);
        let tie = [&agreement.item, &agreement.none, &agreement.system].map(threshold);
        let by_item: Vec<RankStatistics> = rows
            .iter()
            .map(|row| rank_statistics(&RankedCells::new(std::slice::from_ref(row)), &[1], tie[0]))
            .collect();
        let of_items = |drawn: &[u32]| means(drawn.iter().map(|&segment| &by_item[segment as usize]));
        let (pooled, each) = (RankedCells::new(&rows), by_system.iter().map(|rows| RankedCells::new(rows)));
        let each: Vec<RankedCells> = each.collect();
        let times = |drawn: &[u32]| {
            let mut times = vec![0; rows.len()];
            drawn.iter().for_each(|&segment| times[segment as usize] += 1);
            times
        };
        let of_all = |drawn: &[u32]| rank_statistics(&pooled, &times(drawn), tie[1]);
        let of_each = |drawn: &[u32]| {
            let times = times(drawn);
            let found: Vec<RankStatistics> = each.iter().map(|cells| rank_statistics(cells, &times, tie[2])).collect();
            means(found.iter())
        };
        for (level, found) in [
            (Level::Item, segments.resampled_all(of_items)),
            (Level::None, segments.resampled_all(of_all)),
            (Level::Each, segments.resampled_all(of_each)),
        ] {
            for (name, found) in RANK_STATISTICS.into_iter().zip(found) {
                let is_tuned = name == "acc23_optimised";
                let tuned = |found: Replicates| found.tuned(optimism(human, metric, level, agreement));
                add(level, name, if is_tuned { found.map(tuned) } else { found });
            }
        }
        let pearsons: Vec<Option<f64>> = rows.iter().map(|row| pearson(&row.human, &row.metric)).collect();
        let of_items = |drawn: &[u32]| mean(drawn.iter().filter_map(|&segment| pearsons[segment as usize]));
        add(Level::Item, "pearson", segments.resampled(of_items));
        let sums = Sums::of(&rows);
        add(
            Level::None,
            "pearson",
            segments.resampled(|drawn| Sums::pearson(drawn.iter().map(|&at| &sums[at as usize]))),
        );
        let of_systems: Vec<Vec<Sums>> = by_system.iter().map(|rows| Sums::of(rows)).collect();
        let of_system = |drawn: &[u32]| {
            let pearson = |sums: &Vec<Sums>| Sums::pearson(drawn.iter().map(|&at| &sums[at as usize]));
            mean(of_systems.iter().filter_map(pearson))
        };
        add(Level::Each, "pearson", segments.resampled(of_system));
        let kendall_like = thresholds.iter().map(|&threshold| {
            let concordant: Vec<[u64; 2]> = rows.iter().map(|row| concordant(row, threshold)).collect();
            segments.resampled(|drawn| {
                let sum = |side: usize| drawn.iter().map(|&at| concordant[at as usize][side]).sum::<u64>() as f64;
                let (concordant, all) = (sum(0), sum(1));
                (all > 0.0).then(|| (2.0 * concordant - all) / all)
            })
        });
        let kendall_like = kendall_like.collect();
        if let Some(systems) = systems {
            debug_assert_eq!(systems.count(), draws.units(), "the same systems");
            let mut of_systems = |name, statistic: fn(&super::SystemAgreement) -> Option<f64>| {
                add(Level::System, name, draws.resampled(|drawn| statistic(&systems.agreement_of(drawn))));
            };
            of_systems("pairwise_accuracy", |found| found.pairwise_accuracy);
            of_systems("soft_pairwise_accuracy", |found| found.soft_pairwise_accuracy);
            of_systems("pearson", |found| found.pearson);
            of_systems("spearman", |found| found.spearman);
            of_systems("kendall_b", |found| found.kendall_b);
        }
        Self { statistics: all, kendall_like }
    }

    /// All statistics, but [`Self::kendall_like`].
    pub fn iter(&self) -> impl Iterator<Item = &(Level, &'static str, Replicates)> {
        self.statistics.iter()
    }

    /// [`kendall_like`](super::kendall_like) for each threshold; `None` where it is undefined, or has too few units.
    pub fn kendall_like(&self) -> &[Option<Replicates>] {
        &self.kendall_like
    }

    /// One of them; `None` where it is undefined, or has too few units.
    pub fn get(&self, statistic: TestStatistic) -> Option<&Replicates> {
        let (level, name) = match statistic {
            TestStatistic::Kendall14 => (Level::Item, "kendall_14"),
            TestStatistic::OptimisedAccuracy => (Level::Item, "acc23_optimised"),
            TestStatistic::Accuracy => (Level::Item, "kendall_acc23"),
            TestStatistic::Pearson => (Level::None, "pearson"),
            TestStatistic::SystemPearson => (Level::System, "pearson"),
            TestStatistic::SystemPairwiseAccuracy => (Level::System, "pairwise_accuracy"),
        };
        self.statistics.iter().find(|(of, known, _)| (*of, *known) == (level, name)).map(|(_, _, found)| found)
    }
}

/// The statistics of ranks and of pairs, by their names in reports.
const RANK_STATISTICS: [&str; 9] = [
    "kendall_10",
    "kendall_13",
    "kendall_23",
    "kendall_c",
    "kendall_14",
    "kendall_b",
    "kendall_acc23",
    "spearman",
    "acc23_optimised",
];

/// Values of [`RANK_STATISTICS`]; `None` where one is undefined.
type RankStatistics = [Option<f64>; RANK_STATISTICS.len()];

/// The statistics of cells, each as often as its row was drawn; differences of the metric up to `threshold` are ties in the
/// last one.
fn rank_statistics(cells: &RankedCells, times: &[u32], threshold: Option<f64>) -> RankStatistics {
    let drawn = cells.drawn(times);
    let counts = drawn.counts(0.0);
    let at_threshold = threshold.and_then(|threshold| match threshold {
        0.0 => counts.accuracy(),
        _ => drawn.counts(threshold).accuracy(),
    });
    [
        counts.tau_10(),
        counts.tau_13(),
        counts.tau_23(),
        drawn.tau_c(&counts),
        counts.tau_14(),
        counts.tau_b(),
        counts.accuracy(),
        drawn.spearman(),
        at_threshold,
    ]
}

/// The segments are split into so many parts to learn what tuning is worth.
const PARTS: usize = 5;

/// By how much acc23 is too high on average, as the tie threshold was tuned on the pairs on which it is measured: at most and at
/// least. The threshold of all segments is better on a part of them than that of the other parts: by what it was tuned to
/// these, and by what the other one lacks for having been tuned elsewhere. Both are alike where the accuracy has a clear
/// maximum; the second is nothing where all thresholds are about as good.
fn optimism(human: &HumanScores, metric: &[f64], level: Level, agreement: &SegmentAgreement) -> [f64; 2] {
    let (averaging, tuned) = match level {
        Level::None => (Averaging::None, agreement.none.optimised),
        Level::Each => (Averaging::System, agreement.system.optimised),
        Level::Item | Level::System => (Averaging::Item, agreement.item.optimised),
    };
    let better = |part: usize| {
        let elsewhere = nearly_best_threshold(&human.only(|segment| segment % PARTS != part).rows(averaging, metric))?;
        let rows = human.only(|segment| segment % PARTS == part).rows(averaging, metric);
        let accuracy =
            |threshold| mean(rows.iter().filter_map(|row| PairCounts::with_threshold(row, threshold).accuracy()));
        Some(accuracy(tuned?.threshold)? - accuracy(elsewhere)?)
    };
    let better = mean((0..PARTS).filter_map(better)).unwrap_or_default().max(0.0);
    [better, 0.5 * better]
}

/// The mean of each statistic, where it is defined.
fn means<'s>(all: impl Iterator<Item = &'s RankStatistics> + Clone) -> RankStatistics {
    std::array::from_fn(|at| mean(all.clone().filter_map(|values| values[at])))
}

/// The sums of a segment of which Pearson's correlation over many is computed, of deviations from the means of all cells.
#[derive(Debug, Clone, Copy, Default)]
struct Sums {
    count: f64,
    sums: [f64; 2],
    squares: [f64; 2],
    products: f64,
}

impl Sums {
    fn of(rows: &[ScoredRow]) -> Vec<Self> {
        let center = |side: fn(&ScoredRow) -> &Vec<f64>| mean(rows.iter().flat_map(side).copied()).unwrap_or(0.0);
        let centers = [center(|row| &row.human), center(|row| &row.metric)];
        let sums = |row: &ScoredRow| {
            let mut of_row = Self::default();
            for (human, metric) in row.human.iter().zip(&row.metric) {
                let [x, y] = [human - centers[0], metric - centers[1]];
                of_row.add(&Self { count: 1.0, sums: [x, y], squares: [x * x, y * y], products: x * y });
            }
            of_row
        };
        rows.iter().map(sums).collect()
    }

    fn add(&mut self, other: &Self) {
        self.count += other.count;
        self.products += other.products;
        for side in 0..2 {
            self.sums[side] += other.sums[side];
            self.squares[side] += other.squares[side];
        }
    }

    /// `None` where either list is constant up to rounding.
    fn pearson<'s>(of: impl Iterator<Item = &'s Self>) -> Option<f64> {
        let mut all = Self::default();
        of.for_each(|sums| all.add(sums));
        let variance = |side: usize| all.squares[side] - all.sums[side] * all.sums[side] / all.count;
        let (x, y) = (variance(0), variance(1));
        let is_varied = x > 1e-12 * all.squares[0] && y > 1e-12 * all.squares[1];
        let covariance = all.products - all.sums[0] * all.sums[1] / all.count;
        is_varied.then(|| (covariance / (x * y).sqrt()).clamp(-1.0, 1.0))
    }
}

#[cfg(test)]
mod tests {
    use rayon::prelude::*;

    use super::super::{HumanRanking, segment_agreement};
    use super::*;
    use crate::bootstrap::samples;
    use crate::distributions::normal_quantile;
    use crate::numpy_random::NumpyRandom;

    #[test]
    fn values_are_those_of_the_report() {
        let human: Vec<f64> = (0..60).map(|at| f64::from(at * 37 % 23) - f64::from(at / 10)).collect();
        let metric: Vec<f64> = (0..60).map(|at| f64::from(at * 31 % 17) - 0.5 * f64::from(at / 10)).collect();
        let human = HumanScores::new(6, human.into_iter().map(Some).collect()).unwrap();
        let systems = HumanRanking::new(&human, 100, 4).unwrap().beside(&metric);
        let segments = segment_agreement(&human, &metric, &[1.0, 99.0]);
        let resampling = Resampling::draw(&human, 200, 1);
        let found = MetricReplicates::new(&resampling, &human, &metric, &segments, Some(&systems), &[1.0, 99.0]);
        assert_eq!(found.iter().count(), 35);
        let like: Vec<Option<f64>> =
            found.kendall_like().iter().map(|found| Some(found.as_ref()?.estimate()?.value)).collect();
        assert_eq!(like, segments.kendall_like);
        for (level, name, replicates) in found.iter() {
            let of_row = |row: &super::super::RowAgreement| match *name {
                "kendall_14" => row.kendall_14,
                "kendall_10" => row.kendall_10,
                "kendall_13" => row.kendall_13,
                "kendall_23" => row.kendall_23,
                "kendall_c" => row.kendall_c,
                "kendall_b" => row.kendall_b,
                "kendall_acc23" => row.accuracy,
                "pearson" => row.pearson,
                "spearman" => row.spearman,
                _ => row.optimised.map(|optimised| optimised.accuracy),
            };
            let of_systems = systems.agreement();
            let expected = match level {
                Level::None => of_row(&segments.none),
                Level::Each => of_row(&segments.system),
                Level::Item => of_row(&segments.item),
                Level::System => match *name {
                    "pairwise_accuracy" => of_systems.pairwise_accuracy,
                    "soft_pairwise_accuracy" => of_systems.soft_pairwise_accuracy,
                    "pearson" => of_systems.pearson,
                    "spearman" => of_systems.spearman,
                    _ => of_systems.kendall_b,
                },
            };
            let estimate = replicates.estimate().unwrap();
            assert!((estimate.value - expected.unwrap()).abs() < 1e-12, "{level:?} {name}");
            assert!(estimate.low <= estimate.value && estimate.value <= estimate.high, "{level:?} {name} {estimate:?}");
        }
        for statistic in TestStatistic::ALL {
            let value = found.get(statistic).unwrap().estimate().unwrap().value;
            assert!((value - statistic.value(&segments, Some(&systems.agreement())).unwrap()).abs() < 1e-12);
        }
    }

    /// Human scores, and those of two metrics that are as good: segments differ in difficulty, systems in quality, people have a
    /// scale of `steps` to a standard deviation.
    fn draw(steps: f64, segments: usize, seed: u64) -> (HumanScores, [Vec<f64>; 2]) {
        const SYSTEMS: usize = 4;
        let mut noise = noise(seed);
        let difficulty: Vec<f64> = (0..segments).map(|_| noise()).collect();
        let cells = (0..SYSTEMS).flat_map(|system| difficulty.iter().map(move |hard| 0.3 * system as f64 - hard));
        let qualities: Vec<f64> = cells.collect();
        let mut noisy = || -> Vec<f64> { qualities.iter().map(|quality| quality + noise()).collect() };
        let human = noisy().into_iter().map(|score| Some((steps * score).round())).collect();
        (HumanScores::new(SYSTEMS, human).unwrap(), [noisy(), noisy()])
    }

    fn noise(seed: u64) -> impl FnMut() -> f64 {
        let mut random = NumpyRandom::new(seed);
        move || normal_quantile((f64::from(random.below(1 << 24)) + 0.5) / f64::from(1 << 24))
    }

    /// The share of samples whose interval holds the true value.
    fn held<S>(samples: &[S], truth: f64, of: impl Fn(&S) -> Option<Replicates>) -> f64 {
        let found: Vec<_> = samples.iter().filter_map(|sample| of(sample)?.estimate()).collect();
        assert!(found.iter().all(|found| found.high - found.low > 1e-9) && found.len() * 5 > samples.len() * 4);
        found.iter().filter(|found| (found.low..=found.high).contains(&truth)).count() as f64 / found.len() as f64
    }

    fn replicates(found: &MetricReplicates, level: Level, name: &str) -> Option<Replicates> {
        found.iter().find(|(of, known, _)| (*of, *known) == (level, name)).map(|(.., found)| found.clone())
    }

    #[test]
    fn intervals_over_segments_hold_the_true_value() {
        let (count, least) = samples(1000);
        let agreement = |human: &HumanScores, metric: &[f64]| segment_agreement(human, metric, &[1.0]);
        // On a scale of few steps, a tie threshold is worth tuning, and the thresholds are all about as good.
        for steps in [2.0, 0.7] {
            let (human, [metric, _]) = draw(steps, 20_000, 1);
            let truth = agreement(&human, &metric);
            let sample = |seed| {
                let (human, metrics) = draw(steps, 60, 100 + seed);
                let resampling = Resampling::draw(&human, 300, seed);
                metrics.map(|metric| {
                    MetricReplicates::new(&resampling, &human, &metric, &agreement(&human, &metric), None, &[1.0])
                })
            };
            let samples: Vec<[MetricReplicates; 2]> = (0..count as u64).into_par_iter().map(sample).collect();
            for (level, truth) in [(Level::None, truth.none), (Level::Each, truth.system), (Level::Item, truth.item)] {
                for (name, truth) in [
                    ("kendall_b", truth.kendall_b),
                    ("kendall_c", truth.kendall_c),
                    ("kendall_10", truth.kendall_10),
                    ("kendall_13", truth.kendall_13),
                    ("kendall_14", truth.kendall_14),
                    ("kendall_23", truth.kendall_23),
                    ("kendall_acc23", truth.accuracy),
                    ("pearson", truth.pearson),
                    ("spearman", truth.spearman),
                    ("acc23_optimised", truth.optimised.map(|optimised| optimised.accuracy)),
                ] {
                    let coverage = held(&samples, truth.unwrap(), |[found, _]| replicates(found, level, name));
                    assert!(coverage >= least, "{steps} {level:?} {name}: {coverage}");
                    // The two metrics are as good.
                    let difference = |found: &[MetricReplicates; 2]| {
                        let [one, other] = found.each_ref().map(|found| replicates(found, level, name));
                        Some(one?.minus(&other?))
                    };
                    let coverage = held(&samples, 0.0, difference);
                    // With the usual 1,000 resamples 0.931 to 0.963.
                    assert!(coverage >= least - 0.01, "{steps} {level:?} difference of {name}: {coverage}");
                }
            }
            let truth = truth.kendall_like[0].unwrap();
            let coverage = held(&samples, truth, |[found, _]| found.kendall_like()[0].clone());
            assert!(coverage >= least, "{steps} kendall_like: {coverage}");
        }
    }

    #[test]
    fn intervals_over_systems_hold_the_true_value() {
        const SEGMENTS: usize = 20;
        let (count, least) = samples(500);
        // Systems differ in quality, and the metric errs about each of them, and about each segment.
        for (systems, error) in [(7, 0.1), (7, 1.0), (24, 0.1), (24, 1.0)] {
            let sample = |seed: u64| {
                let mut noise = noise(100 + seed);
                let qualities: Vec<f64> = (0..systems).map(|_| noise()).collect();
                let mut scores = |error: f64| -> Vec<f64> {
                    let of_system = |quality: &f64| {
                        let quality = quality + error * noise();
                        (0..SEGMENTS).map(|_| quality + noise()).collect::<Vec<_>>()
                    };
                    qualities.iter().flat_map(of_system).collect()
                };
                let (human, metric) = (scores(0.0).into_iter().map(Some).collect(), scores(error));
                let human = HumanScores::new(systems, human).unwrap();
                let (agreement, resampling) =
                    (segment_agreement(&human, &metric, &[]), Resampling::draw(&human, 300, seed));
                let ranked = HumanRanking::new(&human, 100, 4).unwrap().beside(&metric);
                MetricReplicates::new(&resampling, &human, &metric, &agreement, Some(&ranked), &[])
            };
            let samples: Vec<MetricReplicates> = (0..count as u64).into_par_iter().map(sample).collect();
            for name in ["pairwise_accuracy", "soft_pairwise_accuracy", "pearson", "spearman", "kendall_b"] {
                let of = |found: &MetricReplicates| replicates(found, Level::System, name);
                let values = samples.iter().map(|found| of(found).unwrap().value());
                let truth = mean(values).unwrap();
                let coverage = held(&samples, truth, of);
                assert!(coverage >= least, "{systems} systems, {error}, {name}: {coverage}");
            }
        }
    }
}
