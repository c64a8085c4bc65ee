//! Clusters of metrics. In: a p-value for each pair of metrics. Out: the cluster of each metric. Next: report.

use super::MetricDifference;
use crate::evaluation::ranking::clusters_of_sorted;

/// The significance level: a metric is better than another one if p is at most this.
const SIGNIFICANT: f64 = 0.05;

/// The cluster, from 1, of each of `metrics` metrics that are sorted by the statistic; see [`clusters_of_sorted`]. No
/// metric is significantly worse (p <= 0.05) than another one of its cluster.
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
        // The fourth is significantly worse only than metrics of the first cluster, which is not its own.
        assert_eq!(clusters(4, &found), [1, 1, 2, 2]);
        assert_eq!(clusters(2, &[]), [1, 1]);
    }
}
