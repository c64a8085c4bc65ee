//! In: the groups of pairs. Out: folds that split no group. Next: validation.

use crate::error::{Error, Result};
use crate::judgments::grouping::Groups;

/// Pairs assigned to folds.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Folds {
    /// The fold of each pair, from 0.
    pub of_row: Vec<usize>,
    /// The number of folds.
    pub count: usize,
}

impl Folds {
    /// Splits by [`Groups::folds`].
    ///
    /// # Errors
    /// There are fewer groups than folds.
    pub fn new(groups: &Groups, count: usize, seed: u64) -> Result<Self> {
        if groups.count < count {
            return Err(Error::invalid(
                "cross-validation",
                format!("at least {count} different references, one for each fold"),
                groups.count.to_string(),
                "use fewer folds, or more data",
            ));
        }
        Ok(Self { of_row: groups.folds(count, seed), count })
    }

    /// The rows of a fold.
    pub fn rows(&self, fold: usize) -> Vec<usize> {
        (0..self.of_row.len()).filter(|&row| self.of_row[row] == fold).collect()
    }

    /// The rows of all folds but these.
    pub fn without(&self, folds: &[usize]) -> Vec<usize> {
        (0..self.of_row.len()).filter(|&row| !folds.contains(&self.of_row[row])).collect()
    }

    /// The name of folds in messages, counted from 1: `fold 3 of 10`.
    pub(super) fn names(&self, folds: &[usize]) -> String {
        let numbers: Vec<String> = folds.iter().map(|fold| (fold + 1).to_string()).collect();
        format!("fold{} {} of {}", if folds.len() > 1 { "s" } else { "" }, numbers.join(" and "), self.count)
    }

    /// Merges the results of each fold's rows, in row order, into the order of the pairs.
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
        assert_eq!((folds.rows(1), folds.without(&[1])), (vec![0, 2], vec![1, 3, 4]));
        assert_eq!(folds.gather(vec![vec!['b', 'd', 'e'], vec!['a', 'c']]), ['a', 'b', 'c', 'd', 'e']);
    }

    #[test]
    fn fewer_groups_than_folds_are_told() {
        let groups = Groups { of_pair: vec![0, 1, 1], count: 2 };
        let message = Folds::new(&groups, 3, 1).unwrap_err().to_string();
        assert!(message.starts_with("cross-validation: expected at least 3 different references"), "{message}");
    }
}
