//! Clusters of metrics. In: p-values of every two of them. Out: a rank for each. Next: report.

use super::MetricDifference;
use crate::evaluation::ranking::clusters_of_sorted;

/// p up to which a metric is better than another one.
const SIGNIFICANT: f64 = 0.05;

/// The cluster of each of `metrics` metrics that are sorted by the statistic, from 1, see [`clusters_of_sorted`]: no metric
/// of a cluster is significantly worse (p of 0.05 or less) than another of it.
pub fn clusters(metrics: usize, differences: &[MetricDifference]) -> Vec<usize> {
    clusters_of_sorted(metrics, |worse, better| {
        let is_of_both = |found: &&MetricDifference| found.worse == worse && found.better == better;
        differences.iter().find(is_of_both).is_some_and(|found| found.p_value <= SIGNIFICANT)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

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
        // The fourth is worse than metrics of the first cluster only, which are not its own.
        assert_eq!(clusters(4, &found), [1, 1, 2, 2]);
        assert_eq!(clusters(2, &[]), [1, 1]);
    }
}
