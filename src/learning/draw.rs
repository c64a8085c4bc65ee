//! In: rows and their groups. Out: a random subset of whole groups. Next: split, curve.

use rand::SeedableRng;
use rand::seq::SliceRandom;
use rand_chacha::ChaCha8Rng;

use crate::judgments::grouping::Groups;

/// A random subset of the groups of some rows.
#[derive(Debug, PartialEq, Eq)]
pub struct Draw {
    /// All rows of the drawn groups, in their original order.
    pub rows: Vec<usize>,
    /// The number of drawn groups.
    pub groups: usize,
}

impl Draw {
    /// Draws a fraction of the groups, at least one.
    pub fn share(groups: &Groups, rows: &[usize], share: f64, seed: u64) -> Self {
        Self::new(groups, rows, seed, |sizes| (share * sizes.len() as f64).round() as usize)
    }

    /// Draws groups while their rows together are at most `most`, at least one.
    pub fn at_most(groups: &Groups, rows: &[usize], most: usize, seed: u64) -> Self {
        Self::new(groups, rows, seed, |sizes| {
            let sums = sizes.iter().scan(0, |sum, size| {
                *sum += size;
                Some(*sum)
            });
            sums.take_while(|&sum| sum <= most).count()
        })
    }

    /// `count` returns the number of groups to draw, given the sizes of all groups in the order of drawing.
    fn new(groups: &Groups, rows: &[usize], seed: u64, count: impl Fn(&[usize]) -> usize) -> Self {
        let groups = groups.subset(rows);
        let mut sizes = vec![0; groups.count];
        groups.of_pair.iter().for_each(|&group| sizes[group] += 1);
        let mut order: Vec<usize> = (0..groups.count).collect();
        order.shuffle(&mut ChaCha8Rng::seed_from_u64(seed));
        let sizes: Vec<usize> = order.iter().map(|&group| sizes[group]).collect();
        order.truncate(count(&sizes).max(1));
        let mut is_drawn = vec![false; groups.count];
        order.iter().for_each(|&group| is_drawn[group] = true);
        let drawn = rows.iter().zip(&groups.of_pair).filter(|&(_, &group)| is_drawn[group]);
        Self { rows: drawn.map(|(&row, _)| row).collect(), groups: order.len() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Ten groups of 1 to 10 rows.
    fn groups() -> Groups {
        Groups { of_pair: (0..10).flat_map(|group| vec![group; group + 1]).collect(), count: 10 }
    }

    #[test]
    fn groups_are_drawn_whole() {
        let (groups, rows) = (groups(), (5..50).collect::<Vec<_>>());
        for seed in 0..5 {
            for draw in [Draw::share(&groups, &rows, 0.5, seed), Draw::at_most(&groups, &rows, 25, seed)] {
                let of_group = |rows: &[usize], group| rows.iter().filter(|&&row| groups.of_pair[row] == group).count();
                let drawn: Vec<usize> = (0..10).filter(|&group| of_group(&draw.rows, group) > 0).collect();
                assert_eq!(drawn.len(), draw.groups);
                assert!(drawn.into_iter().all(|group| of_group(&draw.rows, group) == of_group(&rows, group)));
                assert!(draw.rows.is_sorted());
            }
        }
    }

    #[test]
    fn as_many_rows_as_fit_are_drawn() {
        let (groups, rows) = (groups(), (0..55).collect::<Vec<_>>());
        let draw = Draw::at_most(&groups, &rows, 25, 1);
        assert!((16..=25).contains(&draw.rows.len()), "{}", draw.rows.len());
        assert_eq!(Draw::at_most(&groups, &rows, 0, 1).groups, 1);
        assert_eq!(Draw::at_most(&groups, &rows, 55, 1).rows, rows);
        assert_eq!(Draw::share(&groups, &rows, 0.5, 1).groups, 5);
    }
}
