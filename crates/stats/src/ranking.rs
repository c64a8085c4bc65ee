//! Ranks of systems, and clusters of systems that do not differ significantly.

/// The significance level: systems differ significantly where p is less.
pub const LEVEL: f64 = 0.05;

/// Indices of the systems from best to worst; equally good ones keep their order.
///
/// `goodness`: one value per system, higher is better.
pub fn order(goodness: &[f64]) -> Vec<usize> {
    let mut order: Vec<usize> = (0..goodness.len()).collect();
    order.sort_by(|&one, &other| goodness[other].total_cmp(&goodness[one]));
    order
}

/// The rank of each system, 1 + the number of better ones; equally good ones share a rank.
pub fn ranks(goodness: &[f64]) -> Vec<usize> {
    let rank = |own: &f64| 1 + goodness.iter().filter(|&other| other > own).count();
    goodness.iter().map(rank).collect()
}

/// The cluster, from 1, of each of `count` systems or metrics that are sorted from best to worst. One that is
/// significantly worse than any member of the current cluster begins a new one, as in WMT's tables of metrics (Freitag
/// et al. 2022, section 6; `AssignRanks` of mt-metrics-eval). `is_worse(place, earlier)` is the significance test of
/// two places.
pub fn clusters_of_sorted(count: usize, mut is_worse: impl FnMut(usize, usize) -> bool) -> Vec<usize> {
    let (mut number, mut first) = (1, 0);
    let mut cluster = |place| {
        if (first..place).any(|better| is_worse(place, better)) {
            (number, first) = (number + 1, place);
        }
        number
    };
    (0..count).map(&mut cluster).collect()
}

/// The cluster of each system, from 1; see [`clusters_of_sorted`]. `is_worse(system, better)` is called only for
/// systems that differ in `goodness`.
/// ```
/// use tribunal_stats::ranking::clusters;
///
/// // The third system is significantly worse than both others.
/// assert_eq!(clusters(&[0.9, 0.8, 0.1], |system, _| system == 2), [1, 1, 2]);
/// ```
pub fn clusters(goodness: &[f64], mut is_worse: impl FnMut(usize, usize) -> bool) -> Vec<usize> {
    let order = order(goodness);
    let found = clusters_of_sorted(order.len(), |place, better| {
        let (system, other) = (order[place], order[better]);
        goodness[other] > goodness[system] && is_worse(system, other)
    });
    let mut clusters = vec![0; order.len()];
    order.iter().zip(found).for_each(|(&system, cluster)| clusters[system] = cluster);
    clusters
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_scores_share_a_rank_and_keep_their_order() {
        let goodness = [2.0, 5.0, 2.0, 1.0, 5.0];
        assert_eq!(order(&goodness), [1, 4, 0, 2, 3]);
        assert_eq!(ranks(&goodness), [3, 1, 3, 5, 1]);
    }

    #[test]
    fn a_cluster_ends_at_the_first_that_is_worse_than_any_of_it() {
        // From best to worst: 1, 3, 0, 2. The third is significantly worse than the first, but not than the second.
        let goodness = [2.0, 4.0, 1.0, 3.0];
        let worse = [(0, 1)];
        let found = clusters(&goodness, |system, other| worse.contains(&(system, other)));
        assert_eq!(found, [2, 1, 2, 1]);
    }

    #[test]
    fn all_differ_or_none_does() {
        let goodness = [1.0, 3.0, 2.0];
        assert_eq!(clusters(&goodness, |_, _| true), [3, 1, 2]);
        assert_eq!(clusters(&goodness, |_, _| false), [1, 1, 1]);
        assert_eq!(clusters(&[2.0, 2.0], |_, _| true), [1, 1]);
        assert!(clusters(&[], |_, _| true).is_empty());
    }
}
