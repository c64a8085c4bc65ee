//! Groups of observations that are not independent of each other, and folds that split none of them.

use std::collections::HashMap;

use rand::SeedableRng;
use rand::seq::SliceRandom;
use rand_chacha::ChaCha8Rng;

/// The group of each row; a row is an observation, such as a labelled pair.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Groups {
    /// One group number per row, from 0, in order of first occurrence.
    pub of_row: Vec<usize>,
    /// The number of groups.
    pub count: usize,
}

impl Groups {
    /// The rows of each group.
    pub fn rows(&self) -> Vec<Vec<usize>> {
        let mut rows = vec![Vec::new(); self.count];
        for (row, &group) in self.of_row.iter().enumerate() {
            rows[group].push(row);
        }
        rows
    }

    /// Assigns every row a fold from 0 to `folds` - 1, such that no group is split and folds are of about equal size:
    /// groups in random order, each into the fold that is smallest at that point.
    pub fn folds(&self, folds: usize, seed: u64) -> Vec<usize> {
        let rows = self.rows();
        let mut order: Vec<usize> = (0..self.count).collect();
        order.shuffle(&mut ChaCha8Rng::seed_from_u64(seed));
        let mut sizes = vec![0; folds];
        let mut fold_of_row = vec![0; self.of_row.len()];
        for group in order {
            let smallest = (0..folds).min_by_key(|&fold| sizes[fold]).unwrap_or(0);
            sizes[smallest] += rows[group].len();
            for &row in &rows[group] {
                fold_of_row[row] = smallest;
            }
        }
        fold_of_row
    }

    /// The groups of some of the rows, renumbered.
    pub fn subset(&self, rows: &[usize]) -> Self {
        Self::numbered(rows.iter().map(|&row| self.of_row[row]))
    }

    /// Numbers names of groups in order of first occurrence.
    pub fn numbered(names: impl Iterator<Item = usize>) -> Self {
        let mut numbers = HashMap::new();
        let mut number = |name| {
            let next = numbers.len();
            *numbers.entry(name).or_insert(next)
        };
        Self { of_row: names.map(&mut number).collect(), count: numbers.len() }
    }
}
