//! What validation knows of learners and models, and the data that they see.

use crate::error::{Error, Result};
use crate::evaluation::Groups;
use crate::judgments::{Probabilities, Verdict};

/// A way of learning from judgments.
pub trait Learner: Sync {
    /// The form in which it sees pairs: a table of features, or numbered words.
    type Table: Sync + ?Sized;

    /// The trained model.
    type Predictor: Predictor<Self::Table>;

    /// Its name in reports and model files.
    fn name(&self) -> &'static str;

    /// The strengths of regularisation to choose from, from strong to weak; at least one.
    fn strengths(&self) -> &[f64];

    /// Trains on some rows of the table with one strength. `start`, trained on similar rows with that strength, may
    /// save time but changes the result only within the tolerance.
    ///
    /// # Errors
    /// Nothing can be learned from the rows, or training does not converge.
    fn fit(
        &self,
        data: Labelled<'_, Self::Table>,
        rows: &[usize],
        strength: f64,
        start: Option<&Self::Predictor>,
    ) -> Result<Self::Predictor>;

    /// Trains with one strength after another, well enough to compare the results. `start` is close to the first one.
    ///
    /// # Errors
    /// As [`Self::fit`].
    fn fit_loosely(
        &self,
        data: Labelled<'_, Self::Table>,
        rows: &[usize],
        strengths: &[f64],
        start: Option<&Self::Predictor>,
    ) -> Result<Vec<Self::Predictor>> {
        strengths.iter().map(|&strength| self.fit(data, rows, strength, start)).collect()
    }

    /// The strength that regularises a part of the rows as `strength` does `times` as many: the same prior weighs more
    /// against fewer rows, so that a strength relative to the mean loss must be larger.
    fn strength_for_part(&self, strength: f64, _times: f64) -> f64 {
        strength
    }

    /// The approximate memory, in bytes, for training on `rows` rows, in addition to the table.
    fn bytes(&self, _table: &Self::Table, _rows: usize) -> usize {
        0
    }
}

/// A trained model. Swapping the hypotheses of a pair swaps its probabilities.
pub trait Predictor<T: ?Sized>: Clone + Send + Sync {
    /// The probabilities of the verdicts for a row of a table.
    fn probabilities(&self, table: &T, row: usize) -> Probabilities;
}

/// Pairs in the form that a learner sees, with human labels.
#[derive(Debug)]
pub struct Labelled<'a, T: ?Sized> {
    /// One row per pair.
    pub table: &'a T,
    /// The human labels.
    pub labels: &'a [Verdict],
    /// The groups of pairs, which must not be split.
    pub groups: &'a Groups,
    /// The weight of each pair in training, 0 or more; empty if all are equal.
    pub weights: &'a [f64],
}

impl<T: ?Sized> Clone for Labelled<'_, T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T: ?Sized> Copy for Labelled<'_, T> {}

impl<'a, T: ?Sized> Labelled<'a, T> {
    /// The same pairs in another form.
    pub fn with_table<U: ?Sized>(self, table: &'a U) -> Labelled<'a, U> {
        Labelled { table, labels: self.labels, groups: self.groups, weights: self.weights }
    }

    /// The number of pairs.
    pub fn len(&self) -> usize {
        self.labels.len()
    }

    /// Whether there are no pairs.
    pub fn is_empty(&self) -> bool {
        self.labels.is_empty()
    }

    /// The weight of a pair.
    pub fn weight(&self, row: usize) -> f64 {
        self.weights.get(row).copied().unwrap_or(1.0)
    }

    /// Whether any of the rows has a positive weight and is not a tie.
    pub fn is_decided(&self, rows: &[usize]) -> bool {
        rows.iter().any(|&row| self.labels[row] != Verdict::Tie && self.weight(row) > 0.0)
    }

    /// Checks that [`Self::is_decided`] of some rows; passes if that is not even true of all rows. `part` names the
    /// rows in messages.
    pub(super) fn check_decided(&self, rows: &[usize], part: impl FnOnce() -> String) -> Result<()> {
        if self.is_decided(rows) || !self.is_decided(&(0..self.len()).collect::<Vec<_>>()) {
            return Ok(());
        }
        Err(Error::invalid(
            "cross-validation",
            "pairs with a preferred hypothesis in every training part",
            format!("only ties in {}", part()),
            "use fewer folds, or more data",
        ))
    }

    /// The rows with a positive weight.
    pub fn with_positive_weight(&self, rows: &[usize]) -> Vec<usize> {
        rows.iter().copied().filter(|&row| self.weight(row) > 0.0).collect()
    }
}
