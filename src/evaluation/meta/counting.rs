//! Counts the pairs that are correct at a tie threshold, for rows with too many pairs to visit each. In: a row and a
//! threshold. Out: a count. Next: [`super::tie_search`].

use super::judged::ScoredRow;
use crate::text::fenwick::Fenwick;

/// The number of pairs of a row on which metric and people agree if differences of the metric up to `threshold` count
/// as ties: ties of both, and pairs that both put in the same order. O(n log n).
pub(super) fn right_at(row: &ScoredRow, threshold: f64) -> u64 {
    let mut order: Vec<usize> = (0..row.people.len()).collect();
    order.sort_unstable_by(|&a, &b| row.metric[a].total_cmp(&row.metric[b]));
    let mut levels = row.people.clone();
    levels.sort_unstable_by(f64::total_cmp);
    levels.dedup();
    let level = |cell: usize| levels.partition_point(|&level| level < row.people[cell]);
    let cells: Vec<(f64, usize)> = order.into_iter().map(|cell| (row.metric[cell], level(cell))).collect();
    concordant(&cells, levels.len(), threshold) + tied(&cells, levels.len(), threshold)
}

/// Pairs in the same order, with differences above the threshold. `cells`: the metric's score, ascending, and the rank
/// of people's score among the `levels` distinct ones.
fn concordant(cells: &[(f64, usize)], levels: usize, threshold: f64) -> u64 {
    let mut far_levels = Fenwick::new(levels);
    let (mut far, mut count) = (0, 0);
    for &(metric, level) in cells {
        while metric - cells[far].0 > threshold {
            far_levels.add(cells[far].1);
            far += 1;
        }
        count += far_levels.below(level);
    }
    count
}

/// Pairs that people tie and whose scores differ by at most the threshold.
fn tied(cells: &[(f64, usize)], levels: usize, threshold: f64) -> u64 {
    let mut of_level: Vec<Vec<f64>> = vec![Vec::new(); levels];
    cells.iter().for_each(|&(metric, level)| of_level[level].push(metric));
    let near = |scores: &Vec<f64>| -> u64 {
        let mut far = 0;
        let count = |(at, metric): (usize, &f64)| {
            while metric - scores[far] > threshold {
                far += 1;
            }
            (at - far) as u64
        };
        scores.iter().enumerate().map(count).sum()
    };
    of_level.iter().map(near).sum()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn as_one_by_one(cells in prop::collection::vec((0..4_i8, -9..9_i8), 0..40), threshold in 0..12_i8) {
            let (people, metric): (Vec<f64>, Vec<f64>) = cells.iter().map(|&(a, b)| (f64::from(a), f64::from(b))).unzip();
            let threshold = f64::from(threshold);
            let mut right = 0;
            for a in 0..people.len() {
                for b in 0..a {
                    let (people, metric) = (people[a] - people[b], metric[a] - metric[b]);
                    let is_tie = metric.abs() <= threshold;
                    right += u64::from(if people == 0.0 { is_tie } else { !is_tie && people * metric > 0.0 });
                }
            }
            prop_assert_eq!(right_at(&ScoredRow { people, metric }, threshold), right);
        }
    }
}
