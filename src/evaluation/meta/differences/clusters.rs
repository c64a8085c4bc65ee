//! Clusters of metrics. In: p-values of every two of them. Out: a rank for each. Next: report.

use super::MetricDifference;

/// p up to which a metric is better than another one.
const SIGNIFICANT: f64 = 0.05;

/// The cluster of each of `metrics` metrics, from 1, which are sorted by the statistic: a metric begins a new one if
/// any metric of the cluster before it is significantly better (p of 0.05 or less). So no metric of a cluster is
/// significantly worse than any other of it. As the ranks of WMT's metrics tasks since 2022 (Freitag et al. 2022,
/// section 6), `AssignRanks` of mt-metrics-eval.
pub fn clusters(metrics: usize, differences: &[MetricDifference]) -> Vec<usize> {
    let (mut start, mut cluster) = (0, 1);
    let mut clusters = Vec::with_capacity(metrics);
    for metric in 0..metrics {
        let is_worse =
            |found: &MetricDifference| found.worse == metric && found.better >= start && found.p_value <= SIGNIFICANT;
        if differences.iter().any(is_worse) {
            (start, cluster) = (metric, cluster + 1);
        }
        clusters.push(cluster);
    }
    clusters
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
