//! A metric's agreement with human judgments: every statistic over segments, and over the means of systems.

use super::correlation::{PairCounts, kendall_like, pairwise_sum, pearson, spearman};
use super::ranked::tau_c;
use super::scores::{Averaging, HumanScores, ScoredRow, mean};
use super::tie_search::{OptimisedTies, optimise_ties};
use crate::numpy_random::NumpyRandom;

/// A metric's segment-level agreement with human judgments.
#[derive(Debug, Clone, PartialEq)]
pub struct SegmentAgreement {
    /// Over all cells at once.
    pub none: RowAgreement,
    /// Over the segments of each system, averaged.
    pub system: RowAgreement,
    /// Over the systems of each segment, averaged.
    pub item: RowAgreement,
    /// [`kendall_like`] by segment, for each requested threshold.
    pub kendall_like: Vec<Option<f64>>,
}

/// Statistics, each averaged over the rows for which it is defined; `None` where it is defined for none.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct RowAgreement {
    /// See [`PairCounts::tau_b`].
    pub kendall_b: Option<f64>,
    /// See [`tau_c`].
    pub kendall_c: Option<f64>,
    /// See [`PairCounts::tau_10`].
    pub kendall_10: Option<f64>,
    /// See [`PairCounts::tau_13`].
    pub kendall_13: Option<f64>,
    /// See [`PairCounts::tau_14`].
    pub kendall_14: Option<f64>,
    /// See [`PairCounts::tau_23`].
    pub kendall_23: Option<f64>,
    /// See [`PairCounts::accuracy`].
    pub accuracy: Option<f64>,
    /// See [`pearson`].
    pub pearson: Option<f64>,
    /// See [`spearman`].
    pub spearman: Option<f64>,
    /// See [`optimise_ties`].
    pub optimised: Option<OptimisedTies>,
}

/// Compares a metric with human scores. `metric`: (systems, segments), system by system, higher is better;
/// `thresholds`: for [`kendall_like`].
pub fn segment_agreement(human: &HumanScores, metric: &[f64], thresholds: &[f64]) -> SegmentAgreement {
    let rows = |averaging| human.rows(averaging, metric);
    let by_item = rows(Averaging::Item);
    SegmentAgreement {
        none: row_agreement(&rows(Averaging::None)),
        system: row_agreement(&rows(Averaging::System)),
        item: row_agreement(&by_item),
        kendall_like: thresholds.iter().map(|&threshold| kendall_like(&by_item, threshold)).collect(),
    }
}

fn row_agreement(rows: &[ScoredRow]) -> RowAgreement {
    let counts: Vec<PairCounts> = rows.iter().map(PairCounts::new).collect();
    let of_counts = |statistic: fn(&PairCounts) -> Option<f64>| mean(counts.iter().filter_map(statistic));
    RowAgreement {
        kendall_b: of_counts(PairCounts::tau_b),
        kendall_c: mean(rows.iter().zip(&counts).filter_map(|(row, counts)| tau_c(row, counts))),
        kendall_10: of_counts(PairCounts::tau_10),
        kendall_13: of_counts(PairCounts::tau_13),
        kendall_14: of_counts(PairCounts::tau_14),
        kendall_23: of_counts(PairCounts::tau_23),
        accuracy: of_counts(PairCounts::accuracy),
        pearson: mean(rows.iter().filter_map(|row| pearson(&row.human, &row.metric))),
        spearman: mean(rows.iter().filter_map(|row| spearman(&row.human, &row.metric))),
        optimised: optimise_ties(rows),
    }
}

/// A metric's system-level agreement with human judgments, where a system's score is the mean over its segments. `None`
/// where a statistic is undefined.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct SystemAgreement {
    /// See [`pairwise_accuracy`].
    pub pairwise_accuracy: Option<f64>,
    /// 1 - mean |p_people - p_metric| over the pairs of systems, in [0, 1]. Thompson et al. 2024, section 3.
    pub soft_pairwise_accuracy: Option<f64>,
    /// See [`pearson`].
    pub pearson: Option<f64>,
    /// See [`spearman`].
    pub spearman: Option<f64>,
    /// See [`PairCounts::tau_b`].
    pub kendall_b: Option<f64>,
}

/// People's mean score of each system, with the permutation test between systems.
#[derive(Debug, Clone)]
pub struct HumanRanking {
    systems: usize,
    means: Vec<f64>,
    p_values: Vec<f64>,
    /// Drawn once for the human scores and all metrics: for each permutation and segment, whether two systems keep
    /// their scores.
    exchanges: Vec<Vec<bool>>,
}

impl HumanRanking {
    /// Ranks systems by the human scores; `None` for a single system, or where a cell has no human score: as in
    /// mt-metrics-eval, the permutation test needs all of them.
    pub fn new(human: &HumanScores, permutations: usize, seed: u64) -> Option<Self> {
        let scores = human.complete().filter(|_| human.systems() > 1)?;
        // As mt-metrics-eval: `rint(default_rng(seed).random((permutations, segments), dtype=float32))`.
        let exchanges = NumpyRandom::new(seed).rounded(permutations, human.segments());
        let p_values = p_values(&exchanges, human.systems(), &scores);
        Some(Self { systems: human.systems(), means: system_means(human.systems(), &scores), p_values, exchanges })
    }

    /// The ranking beside that by a metric. `metric`: (systems, segments), system by system.
    pub fn beside(&self, metric: &[f64]) -> RankedSystems {
        let means = ScoredRow { human: self.means.clone(), metric: system_means(self.systems, metric) };
        let p_values = p_values(&self.exchanges, self.systems, metric);
        let distances = self.p_values.iter().zip(&p_values).map(|(a, b)| (a - b).abs()).collect();
        RankedSystems { means, distances }
    }
}

/// Systems as people rank them, and as a metric does.
#[derive(Debug, Clone, PartialEq)]
pub struct RankedSystems {
    /// The means of each system.
    means: ScoredRow,
    /// |p_people - p_metric| of each pair of systems i < j.
    distances: Vec<f64>,
}

impl RankedSystems {
    /// The agreement.
    pub fn agreement(&self) -> SystemAgreement {
        let ScoredRow { human, metric } = &self.means;
        SystemAgreement {
            pairwise_accuracy: pairwise_accuracy(human, metric),
            soft_pairwise_accuracy: soft_pairwise_accuracy(&self.distances),
            pearson: pearson(human, metric),
            spearman: spearman(human, metric),
            kendall_b: PairCounts::new(&self.means).tau_b(),
        }
    }

    /// The agreement on some systems, which may be drawn several times: a system is not compared with itself.
    pub(super) fn agreement_of(&self, systems: &[u32]) -> SystemAgreement {
        let picked = |scores: &[f64]| systems.iter().map(|&system| scores[system as usize]).collect();
        let means = ScoredRow { human: picked(&self.means.human), metric: picked(&self.means.metric) };
        let count = self.means.human.len();
        let pairs = index_pairs(systems.len()).map(|(i, j)| [systems[i] as usize, systems[j] as usize]);
        let pairs: Vec<[usize; 2]> = pairs.filter(|[i, j]| i != j).collect();
        let order = |scores: &[f64], [i, j]: [usize; 2]| scores[i].partial_cmp(&scores[j]);
        let is_right = |pair: &&[usize; 2]| order(&self.means.human, **pair) == order(&self.means.metric, **pair);
        // The place of i < j among all pairs.
        let distance = |[i, j]: [usize; 2]| {
            let (i, j) = (i.min(j), i.max(j));
            self.distances[i * count - i * (i + 1) / 2 + j - i - 1]
        };
        let distances: Vec<f64> = pairs.iter().map(|&pair| distance(pair)).collect();
        let right = pairs.iter().filter(is_right).count();
        SystemAgreement {
            pairwise_accuracy: (!pairs.is_empty()).then(|| right as f64 / pairs.len() as f64),
            soft_pairwise_accuracy: soft_pairwise_accuracy(&distances),
            pearson: pearson(&means.human, &means.metric),
            spearman: spearman(&means.human, &means.metric),
            kendall_b: PairCounts::new(&means).tau_b(),
        }
    }

    /// The number of systems.
    pub(super) fn count(&self) -> usize {
        self.means.human.len()
    }
}

/// The mean score of each system. `scores`: (systems, segments), system by system.
pub fn system_means(systems: usize, scores: &[f64]) -> Vec<f64> {
    let segments = scores.len() / systems;
    scores.chunks(segments).map(|scores| pairwise_sum(scores) / segments as f64 + 0.0).collect()
}

/// The share of pairs of systems that human scores and the metric put in the same order, or both tie, in [0, 1]; `None`
/// for one system. Kocmi et al. 2021, "To Ship or Not to Ship", section 3.
pub fn pairwise_accuracy(human: &[f64], metric: &[f64]) -> Option<f64> {
    let order = |scores: &[f64], (i, j): (usize, usize)| scores[i].partial_cmp(&scores[j]);
    let pairs: Vec<(usize, usize)> = index_pairs(human.len()).collect();
    let equal = pairs.iter().filter(|&&pair| order(human, pair) == order(metric, pair)).count();
    (!pairs.is_empty()).then(|| equal as f64 / pairs.len() as f64)
}

/// For each pair of systems i < j, the share of permutations in which i leads j by at least the observed difference:
/// the p-value of "i is better than j". `scores`: (systems, segments), system by system; `exchanges`: for each
/// permutation and segment, whether two systems keep their scores.
fn p_values(exchanges: &[Vec<bool>], systems: usize, scores: &[f64]) -> Vec<f64> {
    // Single precision as in mt-metrics-eval, because rounding decides between equal differences.
    let scores: Vec<f32> = scores.iter().map(|&score| score as f32).collect();
    let sums: Vec<f32> = scores.chunks(scores.len() / systems).map(pairwise_sum).collect();
    let mut above = vec![0_u32; systems * (systems - 1) / 2];
    let by_segment = by_segment(&scores, systems);
    for keeps in exchanges {
        let exchanged = exchanged(&by_segment, keeps, systems);
        for (at, (i, j)) in index_pairs(systems).enumerate() {
            above[at] += u32::from(exchanged[i] - exchanged[j] >= sums[i] - sums[j]);
        }
    }
    above.into_iter().map(|count| f64::from(count) / exchanges.len() as f64).collect()
}

/// Soft pairwise accuracy, 1 - mean |p_people - p_metric| over the pairs of systems, in [0, 1], from these distances.
/// `None` for one system. Thompson et al. 2024, "Improving Statistical Significance in Human Evaluation of Automatic
/// Metrics via Soft Pairwise Accuracy", section 3.
fn soft_pairwise_accuracy(distances: &[f64]) -> Option<f64> {
    (!distances.is_empty()).then(|| 1.0 - pairwise_sum(distances) / distances.len() as f64)
}

/// All pairs i < j of `count` systems or metrics.
pub(super) fn index_pairs(count: usize) -> impl Iterator<Item = (usize, usize)> {
    (0..count).flat_map(move |i| (i + 1..count).map(move |j| (i, j)))
}

/// Transposes (systems, segments) to (segments, systems).
fn by_segment(scores: &[f32], systems: usize) -> Vec<f32> {
    let segments = scores.len() / systems;
    (0..segments).flat_map(|segment| (0..systems).map(move |system| scores[system * segments + segment])).collect()
}

/// For each system the sum of its scores, negated in segments where systems exchange them.
fn exchanged(by_segment: &[f32], keeps: &[bool], systems: usize) -> Vec<f32> {
    let mut sums = vec![0.0; systems];
    for (scores, &keeps) in by_segment.chunks_exact(systems).zip(keeps) {
        let sign = if keeps { 1.0 } else { -1.0 };
        sums.iter_mut().zip(scores).for_each(|(sum, score)| *sum += sign * score);
    }
    sums
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn systems_are_compared_by_their_means() {
        let human = HumanScores::new(3, [3.0, 1.0, 1.0, 1.0, 0.0, 1.0].map(Some).to_vec()).unwrap();
        let ranking = HumanRanking::new(&human, 100, 4).unwrap();
        assert_eq!(ranking.means, [2.0, 1.0, 0.5]);
        let found = ranking.beside(&[5.0, 5.0, 1.0, 1.0, 3.0, 1.0]);
        // Drawing each system once is the same as taking all.
        assert_eq!(found.agreement_of(&[0, 1, 2]), found.agreement());
        assert_eq!(found.agreement_of(&[0, 0, 2]).pairwise_accuracy, Some(1.0));
        let found = found.agreement();
        assert_eq!(found.pairwise_accuracy, Some(2.0 / 3.0));
        assert_eq!(found.kendall_b.map(|tau| (3.0 * tau).round()), Some(1.0));
        let constant = ranking.beside(&[5.0; 6]).agreement();
        assert_eq!((constant.pearson, constant.kendall_b), (None, None));
        assert_eq!(constant.pairwise_accuracy, Some(0.0));
    }

    #[test]
    fn one_system_and_holes_have_no_ranking() {
        let scores = |systems, scores: &[Option<f64>]| HumanScores::new(systems, scores.to_vec()).unwrap();
        assert!(HumanRanking::new(&scores(1, &[Some(1.0), Some(2.0)]), 10, 4).is_none());
        assert!(HumanRanking::new(&scores(2, &[Some(1.0), None]), 10, 4).is_none());
    }

    #[test]
    fn few_exchanges_undo_a_clear_difference() {
        // Only a permutation that exchanges nothing is as extreme, about 1 in 2^10.
        let scores: Vec<f64> = (0..20).map(|at| if at < 10 { 1.0 } else { 0.0 }).collect();
        let exchanges = NumpyRandom::new(4).rounded(1000, 10);
        let p = p_values(&exchanges, 2, &scores)[0];
        assert!(p < 0.01, "{p}");
        let reversed: Vec<f64> = scores.iter().map(|score| 1.0 - score).collect();
        assert_eq!(p_values(&exchanges, 2, &reversed), [1.0]);
        assert_eq!(p_values(&exchanges, 2, &[0.5; 20]), [1.0]);
    }

    #[test]
    fn distances_of_p_values_are_averaged() {
        assert_eq!(soft_pairwise_accuracy(&[0.5, 0.0]), Some(0.75));
        assert_eq!(soft_pairwise_accuracy(&[]), None);
        assert_eq!(index_pairs(3).collect::<Vec<_>>(), [(0, 1), (0, 2), (1, 2)]);
    }
}
