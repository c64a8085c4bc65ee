//! In: pairs that people judged, in whatever form a learner sees them. Out: what learners and judges are. Next: choice,
//! validation.

use crate::error::{Error, Result};
use crate::judgments::grouping::Groups;
use crate::judgments::{Probabilities, Verdict};

/// A way of learning from judgments.
pub trait Learner: Sync {
    /// The form in which it sees pairs: a table of features, numbered words.
    type Table: Sync + ?Sized;

    /// What it learns.
    type Judge: Judge<Self::Table>;

    /// What reports and model files call it.
    fn name(&self) -> &'static str;

    /// The strengths of regularisation to choose from, from strong to weak; at least one.
    fn strengths(&self) -> &[f64];

    /// Learns from some rows of the table with one strength. `start`, what was learned from similar rows with that
    /// strength, may save time and changes nothing else.
    ///
    /// # Errors
    /// Nothing can be learned from the rows, or training does not converge.
    fn fit(
        &self,
        data: Labelled<'_, Self::Table>,
        rows: &[usize],
        strength: f64,
        start: Option<&Self::Judge>,
    ) -> Result<Self::Judge>;

    /// Learns with each strength, in their order and well enough to compare them for `times` as many rows: a strength
    /// that is set against every row is to be that much larger here, as the same prior weighs more against fewer rows.
    ///
    /// # Errors
    /// Nothing can be learned from the rows.
    fn path(&self, data: Labelled<'_, Self::Table>, rows: &[usize], _times: f64) -> Result<Vec<Self::Judge>> {
        self.strengths().iter().map(|&strength| self.fit(data, rows, strength, None)).collect()
    }

    /// Learns with one strength, well enough to compare accuracies: as [`Self::fit`], but faster where `start` is near.
    ///
    /// # Errors
    /// As [`Self::fit`].
    fn approach(
        &self,
        data: Labelled<'_, Self::Table>,
        rows: &[usize],
        strength: f64,
        start: Option<&Self::Judge>,
    ) -> Result<Self::Judge> {
        self.fit(data, rows, strength, start)
    }

    /// About how much memory it takes to learn from so many rows, besides the table.
    fn bytes(&self, _table: &Self::Table, _rows: usize) -> usize {
        0
    }
}

/// What was learned. Swapping the hypotheses of a pair swaps its probabilities and its scores.
pub trait Judge<T: ?Sized>: Clone + Send + Sync {
    /// The probabilities of the verdicts on a row of a table.
    fn probabilities(&self, table: &T, row: usize) -> Probabilities;

    /// s(h1, r) and s(h2, r) of a row: which hypothesis is preferred depends on their difference.
    fn scores(&self, table: &T, row: usize) -> [f64; 2];
}

/// Pairs in the form that a learner sees, with what people said of them.
#[derive(Debug)]
pub struct Labelled<'a, T: ?Sized> {
    /// One row a pair.
    pub table: &'a T,
    /// What people said.
    pub labels: &'a [Verdict],
    /// What must not be split.
    pub groups: &'a Groups,
    /// How much each pair counts in training, 0 or more; empty where all count the same.
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

    /// True where there is no pair.
    pub fn is_empty(&self) -> bool {
        self.labels.is_empty()
    }

    /// How much a pair counts.
    pub fn weight(&self, row: usize) -> f64 {
        self.weights.get(row).copied().unwrap_or(1.0)
    }

    /// Whether some of the rows count and say more than ties, or none of all does.
    ///
    /// # Errors
    /// Only others do. `part` is what messages call the rows.
    pub(super) fn check_decided(&self, rows: &[usize], part: impl FnOnce() -> String) -> Result<()> {
        let is_decided = |&row: &usize| self.labels[row] != Verdict::Tie && self.weight(row) > 0.0;
        if rows.iter().any(is_decided) || !(0..self.len()).any(|row| is_decided(&row)) {
            return Ok(());
        }
        Err(Error::invalid(
            "cross-validation",
            "pairs of which one hypothesis is preferred in every part to train on",
            format!("only ties in {}", part()),
            "use fewer --folds, or more data",
        ))
    }

    /// The rows that count.
    pub fn counting(&self, rows: &[usize]) -> Vec<usize> {
        rows.iter().copied().filter(|&row| self.weight(row) > 0.0).collect()
    }
}
