//! Parts of observations for cross-validation.

use crate::Groups;

/// Observations assigned to folds.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Folds {
    /// The fold of each row, from 0.
    pub of_row: Vec<usize>,
    /// The number of folds.
    pub count: usize,
}

impl Folds {
    /// Splits by [`Groups::folds`]; `None` for fewer groups than folds.
    pub fn new(groups: &Groups, count: usize, seed: u64) -> Option<Self> {
        (groups.count >= count).then(|| Self { of_row: groups.folds(count, seed), count })
    }

    /// The rows of a fold.
    pub fn rows(&self, fold: usize) -> Vec<usize> {
        (0..self.of_row.len()).filter(|&row| self.of_row[row] == fold).collect()
    }

    /// The rows of all folds but one.
    pub fn without(&self, fold: usize) -> Vec<usize> {
        (0..self.of_row.len()).filter(|&row| self.of_row[row] != fold).collect()
    }

    /// Merges the results of each fold's rows, in row order, into the order of all rows.
    pub fn gather<V: Clone>(&self, of_folds: Vec<Vec<V>>) -> Vec<V> {
        let mut next: Vec<_> = of_folds.into_iter().map(Vec::into_iter).collect();
        self.of_row.iter().filter_map(|&fold| next[fold].next()).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn folds_are_whole_and_gathered_in_order() {
        let folds = Folds { of_row: vec![1, 0, 1, 0, 0], count: 2 };
        assert_eq!((folds.rows(1), folds.without(1)), (vec![0, 2], vec![1, 3, 4]));
        assert_eq!(folds.gather(vec![vec!['b', 'd', 'e'], vec!['a', 'c']]), ['a', 'b', 'c', 'd', 'e']);
    }
}
