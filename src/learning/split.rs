//! In: rows in folds. Out: held-out and training rows, from all rows or a subset. Next: choice, validation.

use super::draw::Draw;
use super::folds::Folds;
use crate::judgments::grouping::Groups;

/// Rows assigned to folds.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Split {
    rows: Vec<usize>,
    /// The fold of each of the rows.
    folds: Folds,
    /// The number of rows before drawing a subset.
    all: usize,
}

impl Split {
    /// `folds` has one entry for each of the rows.
    pub fn new(rows: Vec<usize>, folds: Folds) -> Self {
        Self { all: rows.len(), rows, folds }
    }

    /// The number of folds.
    pub fn count(&self) -> usize {
        self.folds.count
    }

    /// The number of rows.
    pub fn len(&self) -> usize {
        self.rows.len()
    }

    /// The number of original rows per row kept; 1 if no subset was drawn.
    pub fn times(&self) -> f64 {
        self.all as f64 / self.len().max(1) as f64
    }

    /// The rows of a fold.
    pub fn rows(&self, fold: usize) -> Vec<usize> {
        self.folds.rows(fold).into_iter().map(|at| self.rows[at]).collect()
    }

    /// The rows of all folds but these.
    pub fn without(&self, folds: &[usize]) -> Vec<usize> {
        self.folds.without(folds).into_iter().map(|at| self.rows[at]).collect()
    }

    /// If there are more than `most` rows, a random subset of each fold: as many whole groups as fit into the fold's
    /// share of `most`, at least one. `groups` are those of all pairs.
    pub fn at_most(self, most: usize, groups: &Groups, seed: u64) -> Self {
        if self.len() <= most {
            return self;
        }
        let of_fold = |fold: usize| {
            let draw = Draw::at_most(groups, &self.rows(fold), most / self.count(), seed + fold as u64);
            draw.rows.into_iter().map(move |row| (row, fold))
        };
        let mut drawn: Vec<(usize, usize)> = (0..self.count()).flat_map(of_fold).collect();
        drawn.sort_unstable();
        let (rows, of_row) = drawn.into_iter().unzip();
        Self { rows, folds: Folds { of_row, count: self.count() }, all: self.all }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// 100 groups of 4 rows in 5 folds.
    fn split() -> (Split, Groups) {
        let groups = Groups { of_pair: (0..400).map(|row| row % 100).collect(), count: 100 };
        let folds = Folds { of_row: groups.folds(5, 1), count: 5 };
        (Split::new((0..400).collect(), folds), groups)
    }

    #[test]
    fn up_to_the_bound_nothing_is_drawn() {
        let (split, groups) = split();
        assert_eq!(split.clone().at_most(400, &groups, 1), split);
        assert_eq!(split.times(), 1.0);
    }

    #[test]
    fn beyond_the_bound_whole_groups_of_each_fold_are_drawn() {
        let (all, groups) = split();
        let part = all.clone().at_most(399, &groups, 1);
        assert_eq!(part.len(), 5 * 76);
        let part = all.clone().at_most(103, &groups, 1);
        assert_eq!((part.len(), part.count(), part.times()), (100, 5, 4.0));
        for fold in 0..5 {
            let rows = part.rows(fold);
            assert_eq!(rows.len(), 20);
            assert!(rows.iter().all(|row| all.rows(fold).contains(row)));
            let of_group = |of: usize| rows.iter().filter(|&&row| groups.of_pair[row] == groups.of_pair[of]).count();
            assert!(rows.iter().all(|&row| of_group(row) == 4));
        }
        assert_ne!(part, all.clone().at_most(103, &groups, 2));
        assert_eq!(part, all.at_most(103, &groups, 1));
    }

    #[test]
    fn rows_are_held_out_or_trained_on() {
        let split = Split::new(vec![3, 5, 8], Folds { of_row: vec![0, 2, 1], count: 3 });
        assert_eq!((split.rows(2), split.without(&[0, 1])), (vec![5], vec![5]));
        assert_eq!(split.without(&[2]), [3, 8]);
    }
}
