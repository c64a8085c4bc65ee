//! Labelled pairs as the rows that training uses, and the columns and bounds of the weights.

use ndarray::{Array1, Array2, ArrayView1, Axis, ShapeBuilder, Zip};

use super::scales::{Scale, fill};
use crate::features::{Column, Schema, Table};
use crate::judgments::Verdict;
use crate::learning::Labelled;
use crate::metrics::Monotonicity;

/// The range of a weight.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Bound {
    /// Any number.
    Free,
    /// 0 or more.
    AtLeastZero,
    /// 0 or less.
    AtMostZero,
}

impl Bound {
    /// The bound of a feature's weight: a better score never counts against a hypothesis, and more faults never count
    /// for it.
    pub fn new(monotonicity: Monotonicity) -> Self {
        match monotonicity {
            Monotonicity::Recall | Monotonicity::Increasing => Self::AtLeastZero,
            Monotonicity::Decreasing => Self::AtMostZero,
            Monotonicity::Free => Self::Free,
        }
    }

    /// The nearest allowed weight.
    pub fn nearest(self, weight: f64) -> f64 {
        match self {
            Self::Free => weight,
            Self::AtLeastZero => weight.max(0.0),
            Self::AtMostZero => weight.min(0.0),
        }
    }

    /// Whether a weight is at its bound and descent (against the gradient) would push it out of bounds.
    pub fn holds(self, weight: f64, gradient: f64) -> bool {
        match self {
            Self::Free => false,
            Self::AtLeastZero => weight <= 0.0 && gradient > 0.0,
            Self::AtMostZero => weight >= 0.0 && gradient < 0.0,
        }
    }
}

/// The number of rows that are transposed at once: they stay in the processor's cache.
const BLOCK: usize = 64;

/// Some of the columns of a [`Design`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Columns {
    /// The columns of x.
    pub(super) hypothesis: Vec<usize>,
    /// The columns of t.
    pub(super) pair: Vec<usize>,
}

impl Columns {
    /// The positions of the wanted columns among those of x, and of t, of a schema.
    pub fn new(all: &Schema, wanted: &Schema) -> Self {
        fn positions<'c>(
            all: impl Iterator<Item = &'c Column>,
            wanted: impl Iterator<Item = &'c Column>,
        ) -> Vec<usize> {
            let all: Vec<&Column> = all.collect();
            wanted.filter_map(|column| all.iter().position(|known| *known == column)).collect()
        }
        Self {
            hypothesis: positions(all.compared(), wanted.compared()),
            pair: positions(all.symmetric(), wanted.symmetric()),
        }
    }
}

/// Labelled pairs in the form that training uses.
#[derive(Debug, Clone)]
pub struct Design {
    /// Scaled x beside scaled t: (pairs, features of a hypothesis + features of a pair).
    pub rows: Array2<f64>,
    /// The number of columns of x.
    pub hypothesis_columns: usize,
    /// The bound of each weight of x.
    pub bounds: Vec<Bound>,
    /// The human label of each pair.
    pub labels: Vec<Verdict>,
    /// The weight of each pair; over all training pairs they sum to 1.
    pub weights: Vec<f64>,
}

impl Design {
    /// Scales some rows of a table.
    pub fn new(data: Labelled<'_, Table>, rows: &[usize], scales: &[Scale]) -> Self {
        let table = data.table;
        let [hypothesis_columns, pair_columns] = table.model_columns();
        let mut scaled = Array2::zeros((rows.len(), hypothesis_columns + pair_columns));
        for (to, &row) in scaled.rows_mut().into_iter().zip(rows) {
            let (x, t) = to.split_at(Axis(0), hypothesis_columns);
            fill(scales, table, row, x, t);
        }
        let count: f64 = rows.iter().map(|&row| data.weight(row)).sum();
        Self {
            rows: scaled,
            hypothesis_columns,
            bounds: table.monotonicity().map(Bound::new).collect(),
            labels: rows.iter().map(|&row| data.labels[row]).collect(),
            weights: rows.iter().map(|&row| data.weight(row) / count).collect(),
        }
    }

    /// The number of pairs.
    pub fn len(&self) -> usize {
        self.labels.len()
    }

    /// Whether there are no pairs.
    pub fn is_empty(&self) -> bool {
        self.labels.is_empty()
    }

    /// Whether all pairs have the same weight.
    pub fn has_uniform_weights(&self) -> bool {
        self.weights.windows(2).all(|two| two[0] == two[1])
    }

    /// Whether at least one label is not a tie.
    pub fn has_preferences(&self) -> bool {
        self.labels.iter().any(|&label| label != Verdict::Tie)
    }

    /// Whether at least one label is a tie.
    pub fn has_ties(&self) -> bool {
        self.labels.contains(&Verdict::Tie)
    }

    /// x and t of one pair.
    pub fn split(&self, pair: usize) -> (ArrayView1<'_, f64>, ArrayView1<'_, f64>) {
        self.rows.row(pair).split_at(Axis(0), self.hypothesis_columns)
    }

    /// All columns.
    pub fn columns(&self) -> Columns {
        let pair = self.rows.ncols() - self.hypothesis_columns;
        Columns { hypothesis: (0..self.hypothesis_columns).collect(), pair: (0..pair).collect() }
    }

    /// The same with a subset of the columns.
    pub fn select_columns(&self, columns: &Columns) -> Self {
        Self {
            rows: self.rows.select(Axis(1), &self.positions(columns)),
            hypothesis_columns: columns.hypothesis.len(),
            bounds: columns.hypothesis.iter().map(|&column| self.bounds[column]).collect(),
            labels: self.labels.clone(),
            weights: self.weights.clone(),
        }
    }

    /// Every `step`-th pair.
    pub fn every(&self, step: usize) -> Self {
        let pairs: Vec<usize> = (0..self.len()).step_by(step).collect();
        let total: f64 = pairs.iter().map(|&pair| self.weights[pair]).sum();
        Self {
            rows: self.rows.select(Axis(0), &pairs),
            bounds: self.bounds.clone(),
            labels: pairs.iter().map(|&pair| self.labels[pair]).collect(),
            weights: pairs.iter().map(|&pair| self.weights[pair] / total).collect(),
            ..*self
        }
    }

    /// Every pair, then every pair's mirror image (x -> -x, label -> -label), with a subset of the columns: (2 pairs,
    /// columns) and their labels.
    pub fn mirrored(&self, columns: &Columns) -> (Array2<f64>, Vec<Verdict>) {
        let positions = self.positions(columns);
        let mut both = Array2::zeros((2 * self.len(), positions.len()));
        let (mut straight, mut mirror) = both.view_mut().split_at(Axis(0), self.len());
        for (pair, row) in self.rows.rows().into_iter().enumerate() {
            for (to, &from) in positions.iter().enumerate() {
                straight[[pair, to]] = row[from];
                mirror[[pair, to]] = if from < self.hypothesis_columns { -row[from] } else { row[from] };
            }
        }
        let swapped = self.labels.iter().map(|label| label.swapped());
        (both, self.labels.iter().copied().chain(swapped).collect())
    }

    /// x of each pair without ties, mirrored where needed so that the labels alternate between 1 and -1: (pairs,
    /// columns), and whether each label is 1.
    pub fn alternating(&self, columns: &Columns) -> (Array2<f64>, Array1<bool>) {
        let first = Array1::from_shape_fn(self.len(), |pair| pair.is_multiple_of(2));
        let sign =
            |(&label, &is_first): (&Verdict, &bool)| if (label == Verdict::First) == is_first { 1.0 } else { -1.0 };
        let signs: Vec<f64> = self.labels.iter().zip(&first).map(sign).collect();
        // In column-major order, since linfa-logistic multiplies the transposed rows by a vector.
        let mut rows = Array2::zeros((self.len(), columns.hypothesis.len()).f());
        let blocks = rows.axis_chunks_iter_mut(Axis(0), BLOCK).zip(self.rows.axis_chunks_iter(Axis(0), BLOCK));
        for ((mut to, from), signs) in blocks.zip(signs.chunks(BLOCK)) {
            for (to, &column) in to.columns_mut().into_iter().zip(&columns.hypothesis) {
                Zip::from(to).and(from.column(column)).and(signs).for_each(|to, from, sign| *to = sign * from);
            }
        }
        (rows, first)
    }

    /// The positions of columns in [`Self::rows`].
    fn positions(&self, columns: &Columns) -> Vec<usize> {
        let of_pair = columns.pair.iter().map(|column| self.hypothesis_columns + column);
        columns.hypothesis.iter().copied().chain(of_pair).collect()
    }
}
