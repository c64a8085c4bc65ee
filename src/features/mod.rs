//! Stage 4. In: metric values. Out: one row a hypothesis, then what the two hypotheses of a pair have in common. Next:
//! [`crate::model`].
//!
//! A [`Schema`] names the features and signs them; an [`Extractor`] computes them for pairs, every distinct sentence
//! and every distinct segment once; a [`Table`] holds them. A [`Row`] computes those of one hypothesis by itself. A
//! [`Choice`] says which of them a model learns from.

pub mod choice;
pub(crate) mod extractor;
pub(crate) mod feature;
pub(crate) mod pair;
pub(crate) mod row;
pub(crate) mod schema;

use ndarray::{Array2, ArrayView1, Axis};

pub use choice::Choice;
pub use extractor::Extractor;
pub use feature::Feature;
pub use row::Row;
pub use schema::Schema;

/// The features of pairs.
#[derive(Debug, Clone, PartialEq)]
pub struct Table {
    /// f(h1, r): (pairs, features of a hypothesis).
    pub first: Array2<f64>,
    /// f(h2, r): (pairs, features of a hypothesis).
    pub second: Array2<f64>,
    /// t(h1, h2), which does not change when the hypotheses change places: (pairs, features of a pair).
    pub symmetric: Array2<f64>,
    /// The words of the reference of each pair, at least 1; of several references the mean.
    pub reference_lengths: Vec<f64>,
    /// The scores of the reported metrics for the first and for the second hypothesis, higher is better: (pairs,
    /// metrics).
    pub scores: [Array2<f64>; 2],
}

impl Table {
    /// The number of pairs.
    pub fn len(&self) -> usize {
        self.first.nrows()
    }

    /// True where there is no pair.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The columns of a part of the schema that the table was made with.
    pub fn narrowed(&self, own: &Schema, wanted: &Schema) -> Self {
        let columns = |own: &[Feature], wanted: &[Feature]| -> Vec<usize> {
            wanted.iter().filter_map(|feature| own.iter().position(|candidate| candidate == feature)).collect()
        };
        let hypothesis = columns(&own.hypothesis, &wanted.hypothesis);
        Self {
            first: self.first.select(Axis(1), &hypothesis),
            second: self.second.select(Axis(1), &hypothesis),
            symmetric: self.symmetric.select(Axis(1), &columns(&own.pair, &wanted.pair)),
            reference_lengths: self.reference_lengths.clone(),
            scores: self.scores.clone(),
        }
    }

    /// x = f(h1, r) - f(h2, r): (pairs, features of a hypothesis).
    pub fn differences(&self) -> Array2<f64> {
        &self.first - &self.second
    }

    /// The features of the two hypotheses of one pair.
    pub fn row(&self, pair: usize) -> [ArrayView1<'_, f64>; 2] {
        [self.first.row(pair), self.second.row(pair)]
    }
}
