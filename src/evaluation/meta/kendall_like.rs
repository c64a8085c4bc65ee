//! The "Kendall's tau-like" of the WMT metrics tasks of 2017 to 2020. In: rows of cells, and the least difference of
//! people's scores. Out: how often the metric puts pairs in people's order. Next: [`super::segments`].

use super::judged::ScoredRow;

/// (C - D) / (C + D) over the pairs of all rows whose human scores differ by `threshold` or more, in [-1, 1]:
/// concordant if the metric puts them strictly in people's order, else discordant, which includes the metric's ties;
/// `None` without such a pair. Ma et al. 2019, section 4.1; a threshold of 25 on direct assessments.
pub fn kendall_like(rows: &[ScoredRow], threshold: f64) -> Option<f64> {
    let (mut concordant, mut all) = (0_u64, 0_u64);
    for ScoredRow { people, metric } in rows {
        for a in 0..people.len() {
            for b in a + 1..people.len() {
                let difference = people[a] - people[b];
                let is_above = difference > 0.0 && metric[a] > metric[b];
                let is_below = difference < 0.0 && metric[a] < metric[b];
                let counts = difference.abs() >= threshold;
                all += u64::from(counts);
                concordant += u64::from(counts && (is_above || is_below));
            }
        }
    }
    (all > 0).then(|| (2.0 * concordant as f64 - all as f64) / all as f64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pairs_count_for_what_people_tell_apart() {
        let row = |people: &[f64], metric: &[f64]| ScoredRow { people: people.into(), metric: metric.into() };
        let rows = [row(&[0.0, 30.0, 60.0], &[1.0, 2.0, 2.0]), row(&[0.0, 26.0], &[5.0, 4.0])];
        // At 25, 2 of 3 pairs of the first row are concordant, and none of the second.
        assert_eq!(kendall_like(&rows, 25.0), Some(0.0));
        // At 30 the second row has no pair.
        assert_eq!(kendall_like(&rows, 30.0), Some(1.0 / 3.0));
        assert_eq!(kendall_like(&rows, 60.0), Some(1.0));
        assert_eq!(kendall_like(&rows, 61.0), None);
    }
}
