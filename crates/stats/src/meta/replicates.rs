//! Every statistic of agreement in resamples of the segments or of the systems, for intervals and paired differences.

use super::agreement::RankedSystems;
use super::correlation::{PairCounts, concordant, pearson, spearman, tau_c};
use super::permutation::TestStatistic;
use super::scores::{HumanScores, ScoredRow, mean};
use crate::bootstrap::{Bootstrap, Replicates};

/// The most cells that are ranked again in all resamples: more would take minutes.
const MAX_RANKED: usize = 10_000_000;

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
    /// Resamples a metric. `metric`: (systems, segments), system by system; `threshold`: up to which its differences
    /// within a segment count as ties, as it was optimised on all segments; `systems`: where all cells are judged;
    /// `thresholds`: for [`kendall_like`](super::kendall_like).
    pub fn new(
        resampling: &Resampling,
        human: &HumanScores,
        metric: &[f64],
        threshold: Option<f64>,
        systems: Option<&RankedSystems>,
        thresholds: &[f64],
    ) -> Self {
        let Resampling { segments, systems: draws } = resampling;
        let rows: Vec<ScoredRow> = (0..human.segments()).map(|segment| human.segment(segment, metric)).collect();
        let counts: Vec<PairCounts> = rows.iter().map(PairCounts::new).collect();
        let mut all = Vec::new();
        let mut add = |level, name, found: Option<Replicates>| all.extend(found.map(|found| (level, name, found)));
        let mut by_segment = |name, values: Vec<Option<f64>>| {
            let statistic = |drawn: &[u32]| mean(drawn.iter().filter_map(|&segment| values[segment as usize]));
            add(Level::Item, name, segments.resampled(statistic));
        };
        by_segment("kendall_10", counts.iter().map(PairCounts::tau_10).collect());
        by_segment("kendall_13", counts.iter().map(PairCounts::tau_13).collect());
        by_segment("kendall_23", counts.iter().map(PairCounts::tau_23).collect());
        by_segment("kendall_c", rows.iter().zip(&counts).map(|(row, counts)| tau_c(row, counts)).collect());
        by_segment("kendall_14", counts.iter().map(PairCounts::tau_14).collect());
        by_segment("kendall_b", counts.iter().map(PairCounts::tau_b).collect());
        by_segment("kendall_acc23", counts.iter().map(PairCounts::accuracy).collect());
        by_segment("pearson", rows.iter().map(|row| pearson(&row.human, &row.metric)).collect());
        by_segment("spearman", rows.iter().map(|row| spearman(&row.human, &row.metric)).collect());
        if let Some(threshold) = threshold {
            let at_threshold = |row: &ScoredRow| PairCounts::with_threshold(row, threshold).accuracy();
            by_segment("acc23_optimised", rows.iter().map(at_threshold).collect());
        }
        let sums = Sums::of(&rows);
        add(
            Level::None,
            "pearson",
            segments.resampled(|drawn| Sums::pearson(drawn.iter().map(|&at| &sums[at as usize]))),
        );
        let of_systems: Vec<Vec<Sums>> =
            (0..human.systems()).map(|system| Sums::of(&human.each(system, metric))).collect();
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
        let cells: usize = rows.iter().map(|row| row.human.len()).sum();
        if cells * (segments.rounds() + segments.units()) <= MAX_RANKED {
            let pooled = |drawn: &[u32]| {
                let drawn = || drawn.iter().map(|&segment| &rows[segment as usize]);
                let human = drawn().flat_map(|row| &row.human).copied().collect();
                ScoredRow { human, metric: drawn().flat_map(|row| &row.metric).copied().collect() }
            };
            let ranks = |drawn: &[u32]| {
                let ScoredRow { human, metric } = pooled(drawn);
                spearman(&human, &metric)
            };
            add(Level::None, "spearman", segments.resampled(ranks));
            add(Level::None, "kendall_b", segments.resampled(|drawn| PairCounts::new(&pooled(drawn)).tau_b()));
        }
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
    use super::super::{HumanRanking, segment_agreement};
    use super::*;

    #[test]
    fn values_are_those_of_the_report() {
        let human: Vec<f64> = (0..60).map(|at| f64::from(at * 37 % 23) - f64::from(at / 10)).collect();
        let metric: Vec<f64> = (0..60).map(|at| f64::from(at * 31 % 17) - 0.5 * f64::from(at / 10)).collect();
        let human = HumanScores::new(6, human.into_iter().map(Some).collect()).unwrap();
        let systems = HumanRanking::new(&human, 100, 4).unwrap().beside(&metric);
        let segments = segment_agreement(&human, &metric, &[1.0, 99.0]);
        let threshold = segments.item.optimised.map(|optimised| optimised.threshold);
        let resampling = Resampling::draw(&human, 200, 1);
        let found = MetricReplicates::new(&resampling, &human, &metric, threshold, Some(&systems), &[1.0, 99.0]);
        assert_eq!(found.iter().count(), 19);
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
}
