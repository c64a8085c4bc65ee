//! Tests whose rounds are signed sums. In: standardised metrics and exchanges. Out: the difference of the statistic
//! between two metrics in every round. Next: [`super::run`].
//!
//! With s = 1 where a cell keeps its scores and -1 where it exchanges them, the mixed scores of two metrics a and b are
//! (a + b + s (a - b)) / 2 and (a + b - s (a - b)) / 2: sums over cells are linear in s, and are computed once for each
//! metric instead of once for each pair of metrics.

use ndarray::Array2;
use rayon::prelude::*;

use super::swaps::{Block, Swaps, keeps};
use super::{PairTest, TestStatistic};
use crate::evaluation::meta::correlation::{pearson, unit};
use crate::evaluation::meta::judged::HumanScores;
use crate::evaluation::meta::systems::pairwise_accuracy;

/// A metric's sums over cells: of scores, of their squares, and of their products with people's standardised scores.
pub(super) struct CellSums {
    cells: f64,
    plain: [f64; 3],
    /// The signed sums, by block and round.
    signed: Vec<Vec<[f64; 3]>>,
}

/// Computes the sums of each metric, plain and for every round.
pub(super) fn cell_sums(people: &HumanScores, metrics: &[Vec<f64>], swaps: &Swaps) -> Vec<CellSums> {
    let cells: Vec<usize> = (0..people.scores().len()).filter(|&cell| people.scores()[cell].is_some()).collect();
    let scores: Vec<f64> = people.scores().iter().flatten().copied().collect();
    let scores = unit(&scores).unwrap_or_else(|| vec![0.0; scores.len()]);
    let value = |at: usize, column: usize| {
        let metric = metrics[column / 3][cells[at]];
        [metric, metric * metric, metric * scores[at]][column % 3]
    };
    let values = Array2::from_shape_fn((cells.len(), 3 * metrics.len()), |(at, column)| value(at, column));
    let signed: Vec<Array2<f64>> = swaps.blocks.par_iter().map(|block| signs(block, &cells).dot(&values)).collect();
    let plain = values.sum_axis(ndarray::Axis(0));
    let triple = |get: &dyn Fn(usize) -> f64, metric: usize| [0, 1, 2].map(|part| get(3 * metric + part));
    let sums = |metric: usize| CellSums {
        cells: cells.len() as f64,
        plain: triple(&|column| plain[column], metric),
        signed: signed
            .iter()
            .map(|block| block.rows().into_iter().map(|row| triple(&|column| row[column], metric)).collect())
            .collect(),
    };
    (0..metrics.len()).map(sums).collect()
}

/// (rounds, cells): 1 where a cell keeps its scores, else -1.
fn signs(block: &Block, cells: &[usize]) -> Array2<f64> {
    Array2::from_shape_fn(
        (block.rounds, cells.len()),
        |(round, at)| {
            if keeps(&block.keeps[cells[at]], round) { 1.0 } else { -1.0 }
        },
    )
}

/// The test of Pearson's correlation over all cells.
pub(super) struct CellTest<'s> {
    pub(super) metrics: [&'s CellSums; 2],
}

impl CellTest<'_> {
    /// The correlation of the first metric's mixed scores minus that of the second's. `signed`: the signed sums of
    /// both.
    fn difference(&self, signed: [[f64; 3]; 2]) -> f64 {
        let [a, b] = self.metrics;
        let correlation = |sign: f64| {
            let sum = |part: usize| 0.5 * (a.plain[part] + b.plain[part] + sign * (signed[0][part] - signed[1][part]));
            let squares = sum(1) - sum(0) * sum(0) / a.cells;
            if squares > 0.0 { sum(2) / squares.sqrt() } else { 0.0 }
        };
        correlation(1.0) - correlation(-1.0)
    }
}

impl PairTest for CellTest<'_> {
    fn observed(&self) -> f64 {
        self.difference(self.metrics.map(|metric| metric.plain))
    }

    fn differences(&self, block: &Block) -> Vec<f64> {
        let signed = self.metrics.map(|metric| &metric.signed[block.number]);
        (0..block.rounds).map(|round| self.difference(signed.map(|rounds| rounds[round]))).collect()
    }
}

/// Metrics' sums over the segments of each system.
pub(super) struct SystemSums {
    pub(super) systems: usize,
    /// (systems, metrics).
    plain: Array2<f64>,
    /// The signed sums, by block and system: (rounds, metrics).
    signed: Vec<Vec<Array2<f64>>>,
}

/// Computes the sums of all metrics; every cell must have a human score.
pub(super) fn system_sums(people: &HumanScores, metrics: &[Vec<f64>], swaps: &Swaps) -> SystemSums {
    let (systems, segments) = (people.systems(), people.segments());
    let cells = |system: usize| (system * segments..(system + 1) * segments).collect::<Vec<usize>>();
    let values: Vec<Array2<f64>> = (0..systems)
        .map(|system| {
            Array2::from_shape_fn((segments, metrics.len()), |(at, metric)| metrics[metric][system * segments + at])
        })
        .collect();
    let of_block = |block: &Block| -> Vec<Array2<f64>> {
        (0..systems).map(|system| signs(block, &cells(system)).dot(&values[system])).collect()
    };
    let signed = swaps.blocks.par_iter().map(of_block).collect();
    let plain = Array2::from_shape_fn((systems, metrics.len()), |(system, metric)| values[system].column(metric).sum());
    SystemSums { systems, plain, signed }
}

/// A test of a statistic of system means.
pub(super) struct SystemTest<'s> {
    /// People's mean score of each system.
    pub(super) people: &'s [f64],
    pub(super) sums: &'s SystemSums,
    pub(super) metrics: [usize; 2],
    pub(super) statistic: TestStatistic,
}

impl SystemTest<'_> {
    fn difference(&self, signed: impl Fn(usize, usize) -> f64) -> f64 {
        let [a, b] = self.metrics;
        let statistic = |sign: f64| {
            let mixed = |system: usize| {
                let plain = self.sums.plain[[system, a]] + self.sums.plain[[system, b]];
                plain + sign * (signed(system, a) - signed(system, b))
            };
            let mixed: Vec<f64> = (0..self.sums.systems).map(mixed).collect();
            match self.statistic {
                TestStatistic::SystemPearson => pearson(self.people, &mixed),
                _ => pairwise_accuracy(self.people, &mixed),
            }
        };
        statistic(1.0).unwrap_or(0.0) - statistic(-1.0).unwrap_or(0.0)
    }
}

impl PairTest for SystemTest<'_> {
    fn observed(&self) -> f64 {
        self.difference(|system, metric| self.sums.plain[[system, metric]])
    }

    fn differences(&self, block: &Block) -> Vec<f64> {
        let signed = &self.sums.signed[block.number];
        let of_round = |round: usize| self.difference(|system, metric| signed[system][[round, metric]]);
        (0..block.rounds).map(of_round).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::evaluation::meta::systems::system_means;
    use crate::evaluation::numpy_random::NumpyRandom;

    /// People and two metrics on four systems of eight segments.
    fn table() -> (Vec<f64>, Vec<Vec<f64>>, Swaps) {
        let mut random = NumpyRandom::new(5);
        let mut drawn = || -> Vec<f64> { (0..32).map(|_| f64::from(random.below(100)) - 50.0).collect() };
        (drawn(), vec![drawn(), drawn()], Swaps::draw(32, 300, 1))
    }

    fn mixed(metrics: &[Vec<f64>], block: &Block, round: usize) -> [Vec<f64>; 2] {
        let kept = |cell: usize| keeps(&block.keeps[cell], round);
        [0, 1].map(|side| (0..32).map(|cell| metrics[if kept(cell) { side } else { 1 - side }][cell]).collect())
    }

    #[test]
    fn correlations_are_those_of_mixed_scores() {
        let (people, metrics, swaps) = table();
        let mut scores: Vec<Option<f64>> = people.iter().copied().map(Some).collect();
        (scores[3], scores[20]) = (None, None);
        let human = HumanScores::new(4, scores.clone()).unwrap();
        let sums = cell_sums(&human, &metrics, &swaps);
        let test = CellTest { metrics: [&sums[0], &sums[1]] };
        let judged =
            |metric: &[f64]| -> Vec<f64> { (0..32).filter(|&at| scores[at].is_some()).map(|at| metric[at]).collect() };
        let people = judged(&people);
        let expected = |[one, other]: [&[f64]; 2]| {
            pearson(&people, &judged(one)).unwrap() - pearson(&people, &judged(other)).unwrap()
        };
        assert!((test.observed() - expected([&metrics[0], &metrics[1]])).abs() < 1e-12);
        let block = &swaps.blocks[1];
        for (round, found) in test.differences(block).into_iter().enumerate() {
            let [one, other] = mixed(&metrics, block, round);
            assert!((found - expected([&one, &other])).abs() < 1e-12, "round {round}");
        }
    }

    #[test]
    fn systems_are_those_of_mixed_scores() {
        let (people, metrics, swaps) = table();
        let human = HumanScores::new(4, people.iter().copied().map(Some).collect()).unwrap();
        let (sums, means) = (system_sums(&human, &metrics, &swaps), system_means(4, &people));
        for statistic in [TestStatistic::SystemPearson, TestStatistic::SystemPairwiseAccuracy] {
            let test = SystemTest { people: &means, sums: &sums, metrics: [0, 1], statistic };
            let value = |metric: &[f64]| match statistic {
                TestStatistic::SystemPearson => pearson(&means, &system_means(4, metric)).unwrap(),
                _ => pairwise_accuracy(&means, &system_means(4, metric)).unwrap(),
            };
            assert!((test.observed() - (value(&metrics[0]) - value(&metrics[1]))).abs() < 1e-12);
            for (round, found) in test.differences(&swaps.blocks[0]).into_iter().enumerate() {
                let [one, other] = mixed(&metrics, &swaps.blocks[0], round);
                assert!((found - (value(&one) - value(&other))).abs() < 1e-9, "{statistic:?} round {round}");
            }
        }
    }
}
