//! System-level agreement. In: people's and a metric's scores of all segments. Out: how well their system means agree.
//! Next: report.

use super::correlation::{pearson, spearman};
use super::judged::{HumanScores, ScoredRow};
use super::kendall::PairCounts;
use super::soft_pairwise::{Exchanges, couples, soft_pairwise_accuracy};
use super::sum::pairwise_sum;

/// A metric's system-level agreement with people, where a system's score is the mean over its segments. `None` where a
/// statistic is undefined.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct SystemAgreement {
    /// See [`pairwise_accuracy`].
    pub pairwise_accuracy: Option<f64>,
    /// See [`soft_pairwise_accuracy`].
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
    exchanges: Exchanges,
}

impl HumanRanking {
    /// Ranks systems by people's scores; `None` for a single system, or where a cell has no human score: as in
    /// mt-metrics-eval, the permutation test needs all of them.
    pub fn of(people: &HumanScores, permutations: usize, seed: u64) -> Option<Self> {
        let scores = people.complete().filter(|_| people.systems() > 1)?;
        let exchanges = Exchanges::draw(permutations, people.segments(), seed);
        let p_values = exchanges.p_values(people.systems(), &scores);
        Some(Self { systems: people.systems(), means: system_means(people.systems(), &scores), p_values, exchanges })
    }

    /// The agreement of a metric. `metric`: (systems, segments), system by system.
    pub fn agreement(&self, metric: &[f64]) -> SystemAgreement {
        let row = ScoredRow { people: self.means.clone(), metric: system_means(self.systems, metric) };
        let p_values = self.exchanges.p_values(self.systems, metric);
        SystemAgreement {
            pairwise_accuracy: pairwise_accuracy(&row.people, &row.metric),
            soft_pairwise_accuracy: soft_pairwise_accuracy(&self.p_values, &p_values),
            pearson: pearson(&row.people, &row.metric),
            spearman: spearman(&row.people, &row.metric),
            kendall_b: PairCounts::of(&row).tau_b(),
        }
    }
}

/// The mean score of each system. `scores`: (systems, segments), system by system.
pub fn system_means(systems: usize, scores: &[f64]) -> Vec<f64> {
    let segments = scores.len() / systems;
    scores.chunks(segments).map(|scores| pairwise_sum(scores) / segments as f64 + 0.0).collect()
}

/// The share of pairs of systems that people and the metric put in the same order, or both tie, in [0, 1]; `None` for
/// one system. Kocmi et al. 2021, "To Ship or Not to Ship", section 3.
pub fn pairwise_accuracy(people: &[f64], metric: &[f64]) -> Option<f64> {
    let order = |scores: &[f64], (i, j): (usize, usize)| scores[i].partial_cmp(&scores[j]);
    let pairs: Vec<(usize, usize)> = couples(people.len()).collect();
    let equal = pairs.iter().filter(|&&pair| order(people, pair) == order(metric, pair)).count();
    (!pairs.is_empty()).then(|| equal as f64 / pairs.len() as f64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn systems_are_compared_by_their_means() {
        let people = HumanScores::new(3, [3.0, 1.0, 1.0, 1.0, 0.0, 1.0].map(Some).to_vec()).unwrap();
        let ranking = HumanRanking::of(&people, 100, 4).unwrap();
        assert_eq!(ranking.means, [2.0, 1.0, 0.5]);
        let found = ranking.agreement(&[5.0, 5.0, 1.0, 1.0, 3.0, 1.0]);
        assert_eq!(found.pairwise_accuracy, Some(2.0 / 3.0));
        assert_eq!(found.kendall_b.map(|tau| (3.0 * tau).round()), Some(1.0));
        let constant = ranking.agreement(&[5.0; 6]);
        assert_eq!((constant.pearson, constant.kendall_b), (None, None));
        assert_eq!(constant.pairwise_accuracy, Some(0.0));
    }

    #[test]
    fn one_system_and_holes_have_no_ranking() {
        let scores = |systems, scores: &[Option<f64>]| HumanScores::new(systems, scores.to_vec()).unwrap();
        assert!(HumanRanking::of(&scores(1, &[Some(1.0), Some(2.0)]), 10, 4).is_none());
        assert!(HumanRanking::of(&scores(2, &[Some(1.0), None]), 10, 4).is_none());
    }
}
