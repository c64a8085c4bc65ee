//! Parts of the data that split no group: folds, and random samples of groups.

use rand::SeedableRng;
use rand::seq::SliceRandom;
use rand_chacha::ChaCha8Rng;
use rayon::prelude::*;

use super::learner::{Labelled, Learner};
use crate::error::{Error, Result};
pub use crate::evaluation::Folds;
use crate::evaluation::Groups;

/// The most memory of all concurrent fits, in bytes; a single fit may take more.
const MAX_BYTES: usize = 800 << 20;

/// Splits pairs by their groups.
///
/// # Errors
/// There are fewer groups than folds.
pub fn split(groups: &Groups, count: usize, seed: u64) -> Result<Folds> {
    Folds::new(groups, count, seed).ok_or_else(|| {
        Error::invalid(
            "cross-validation",
            format!("at least {count} different references, prompts or groups, one per fold"),
            groups.count.to_string(),
            format!("use `folds` {} or add data", groups.count.max(2)),
        )
    })
}

/// Computes a result for every fold on all cores, in order; each fits about `rows` rows. The number of concurrent fits is
/// limited by their memory.
pub fn fit_folds<L: Learner, R: Send>(
    folds: &Folds,
    learner: &L,
    data: Labelled<'_, L::Table>,
    rows: usize,
    fit: impl Fn(usize) -> Result<R> + Sync,
) -> Result<Vec<R>> {
    let at_once = (MAX_BYTES / learner.bytes(data.table, rows).max(1)).max(1);
    let mut results = Vec::with_capacity(folds.count);
    for start in (0..folds.count).step_by(at_once) {
        let end = folds.count.min(start.saturating_add(at_once));
        results.extend((start..end).into_par_iter().map(&fit).collect::<Result<Vec<R>>>()?);
    }
    Ok(results)
}

/// A random sample of the groups of some rows.
#[derive(Debug, PartialEq, Eq)]
pub struct GroupSample {
    /// All rows of the sampled groups, in their original order.
    pub rows: Vec<usize>,
    /// The number of sampled groups.
    pub groups: usize,
}

impl GroupSample {
    /// Samples a fraction of the groups, at least one.
    pub fn share(groups: &Groups, rows: &[usize], share: f64, seed: u64) -> Self {
        Self::new(groups, rows, seed, |sizes| (share * sizes.len() as f64).round() as usize)
    }

    /// Samples groups while their rows together are at most `most`, at least one group.
    pub fn at_most(groups: &Groups, rows: &[usize], most: usize, seed: u64) -> Self {
        Self::new(groups, rows, seed, |sizes| {
            let sums = sizes.iter().scan(0, |sum, size| {
                *sum += size;
                Some(*sum)
            });
            sums.take_while(|&sum| sum <= most).count()
        })
    }

    /// `count` returns the number of groups to sample, given the sizes of all groups in random order.
    fn new(groups: &Groups, rows: &[usize], seed: u64, count: impl Fn(&[usize]) -> usize) -> Self {
        let groups = groups.subset(rows);
        let mut sizes = vec![0; groups.count];
        groups.of_row.iter().for_each(|&group| sizes[group] += 1);
        let mut order: Vec<usize> = (0..groups.count).collect();
        order.shuffle(&mut ChaCha8Rng::seed_from_u64(seed));
        let sizes: Vec<usize> = order.iter().map(|&group| sizes[group]).collect();
        order.truncate(count(&sizes).max(1));
        let mut is_sampled = vec![false; groups.count];
        order.iter().for_each(|&group| is_sampled[group] = true);
        let sampled = rows.iter().zip(&groups.of_row).filter(|&(_, &group)| is_sampled[group]);
        Self { rows: sampled.map(|(&row, _)| row).collect(), groups: order.len() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fewer_groups_than_folds_are_told() {
        let groups = Groups { of_row: vec![0, 1, 1], count: 2 };
        let message = split(&groups, 3, 1).unwrap_err().to_string();
        assert!(
            message.starts_with("cross-validation: expected at least 3 different references, prompts or groups"),
            "{message}"
        );
    }

    /// Ten groups of 1 to 10 rows.
    fn groups() -> Groups {
        Groups { of_row: (0..10).flat_map(|group| vec![group; group + 1]).collect(), count: 10 }
    }

    #[test]
    fn groups_are_sampled_whole() {
        let (groups, rows) = (groups(), (5..50).collect::<Vec<_>>());
        for seed in 0..5 {
            for found in [GroupSample::share(&groups, &rows, 0.5, seed), GroupSample::at_most(&groups, &rows, 25, seed)]
            {
                let of_group = |rows: &[usize], group| rows.iter().filter(|&&row| groups.of_row[row] == group).count();
                let sampled: Vec<usize> = (0..10).filter(|&group| of_group(&found.rows, group) > 0).collect();
                assert_eq!(sampled.len(), found.groups);
                assert!(sampled.into_iter().all(|group| of_group(&found.rows, group) == of_group(&rows, group)));
                assert!(found.rows.is_sorted());
            }
        }
    }

    #[test]
    fn as_many_rows_as_fit_are_sampled() {
        let (groups, rows) = (groups(), (0..55).collect::<Vec<_>>());
        let sample = GroupSample::at_most(&groups, &rows, 25, 1);
        assert!((16..=25).contains(&sample.rows.len()), "{}", sample.rows.len());
        assert_eq!(GroupSample::at_most(&groups, &rows, 0, 1).groups, 1);
        assert_eq!(GroupSample::at_most(&groups, &rows, 55, 1).rows, rows);
        assert_eq!(GroupSample::share(&groups, &rows, 0.5, 1).groups, 5);
    }
}
