//! In: a feature table. Out: scaled rows to train on. Next: descent, solver.

use ndarray::{Array1, Array2, ArrayView1, ArrayViewMut1, Axis, ShapeBuilder};
use serde::{Deserialize, Serialize};

use super::bounds::{self, Bound};
use super::clip::{self, NOISE, scaled};
use super::columns::Columns;
use super::own::ExternalScale;
use crate::features::Table;
use crate::judgments::Verdict;
use crate::learning::Labelled;
use crate::metrics::Monotonicity;

/// The most sentences of a reference for which differences are not damped.
const SENTENCES: f64 = 2.0;

/// The factor that multiplies differences if the reference is longer.
const DAMPING: f64 = 0.2;

/// Rows that are transposed at a time.
const BLOCK: usize = 32;

/// How differences and pair features are brought to a common scale.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Scales {
    /// Whether x is multiplied by [`damping`], for each feature of a hypothesis: true for all but recall.
    pub damped: Vec<bool>,
    /// The root mean square of x, for each feature of a hypothesis; 0 for a constant column.
    pub hypothesis: Vec<f64>,
    /// The mean of t, for each feature of a pair.
    pub pair_means: Vec<f64>,
    /// The standard deviation of t, for each feature of a pair; 0 for a constant column.
    pub pair: Vec<f64>,
    /// The scales of the user's own metrics.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub own: Vec<ExternalScale>,
}

impl Scales {
    /// Measures the scales on some rows of a table, weighted by pair. x is not centred: over pairs and their mirror
    /// images its mean is zero.
    pub fn measure(data: Labelled<'_, Table>, rows: &[usize]) -> Self {
        let table = data.table;
        let count: f64 = rows.iter().map(|&row| data.weight(row)).sum();
        let count = if count > 0.0 { count } else { 1.0 };
        let damped: Vec<bool> = table.monotonicity.iter().map(|&is| is != Monotonicity::Recall).collect();
        // Row by row, in the memory order of the table.
        let (mut differences, mut values) =
            (vec![0.0; table.hypothesis_columns()], vec![0.0; table.hypothesis_columns()]);
        let mut pair_means = vec![0.0; table.symmetric.ncols()];
        for &row in rows {
            let weight = data.weight(row) / count;
            let damping = damping(table.reference_sentences[row]);
            let [first, second] = table.row(row);
            for (column, (a, b)) in first.iter().zip(second).enumerate() {
                let weight = if damped[column] { weight * damping * damping } else { weight };
                differences[column] += weight * (a - b) * (a - b);
                values[column] += weight * (a * a + b * b);
            }
            pair_means.iter_mut().zip(table.symmetric.row(row)).for_each(|(mean, value)| *mean += weight * value);
        }
        let mut squares = vec![0.0; pair_means.len()];
        for &row in rows {
            let weight = data.weight(row) / count;
            let centred = table.symmetric.row(row).into_iter().zip(&pair_means).map(|(value, mean)| value - mean);
            squares.iter_mut().zip(centred).for_each(|(sum, value)| *sum += weight * value * value);
        }
        let rms = |(difference, value): (&f64, &f64)| {
            if *difference <= NOISE * NOISE * value { 0.0 } else { difference.sqrt() }
        };
        let deviation = |(square, mean): (&f64, &f64)| {
            let deviation = square.sqrt();
            if deviation <= NOISE * mean.abs() { 0.0 } else { deviation }
        };
        Self {
            damped,
            hypothesis: differences.iter().zip(&values).map(rms).collect(),
            pair: squares.iter().zip(&pair_means).map(deviation).collect(),
            pair_means,
            own: (0..table.own_columns()).map(|column| ExternalScale::measure(data, rows, column)).collect(),
        }
    }

    /// x of a pair: the scaled differences of features computed from texts, then those of own metrics.
    pub fn fill_x(&self, table: &Table, row: usize, mut x: ArrayViewMut1<'_, f64>) {
        let damping = damping(table.reference_sentences[row]);
        let ([first, second], [own_first, own_second]) = (table.row(row), table.own(row));
        for column in 0..first.len() {
            x[column] = self.difference(column, first[column], second[column], damping);
        }
        for (column, scale) in self.own.iter().enumerate() {
            x[first.len() + column] = scale.difference(own_first[column], own_second[column]);
        }
    }

    /// Whether each value of [`Self::fill_x`] is clipped.
    pub fn clipped(&self, table: &Table, row: usize) -> Vec<bool> {
        let damping = damping(table.reference_sentences[row]);
        let ([first, second], [own_first, own_second]) = (table.row(row), table.own(row));
        let of_texts = first.iter().zip(second).enumerate().map(|(column, (&first, &second))| {
            clip::is_clipped(self.damped(column, first - second, damping), self.hypothesis[column])
        });
        let own = self.own.iter().zip(own_first.iter().zip(own_second));
        of_texts.chain(own.map(|(scale, (&first, &second))| scale.is_clipped(first, second))).collect()
    }

    /// t of a pair: the similarity of its texts, then the distances between the values of own metrics.
    pub fn fill_t(&self, table: &Table, row: usize, mut t: ArrayViewMut1<'_, f64>) {
        let (symmetric, [first, second]) = (table.symmetric.row(row), table.own(row));
        for (column, &value) in symmetric.iter().enumerate() {
            t[column] = self.symmetric(column, value);
        }
        for (column, scale) in self.own.iter().enumerate() {
            t[symmetric.len() + column] = scale.distance(first[column], second[column]);
        }
    }

    /// A difference of features, damped according to its reference, scaled and clipped: an odd function, so a swapped
    /// pair gives exactly -x.
    fn difference(&self, column: usize, first: f64, second: f64, damping: f64) -> f64 {
        scaled(self.damped(column, first - second, damping), self.hypothesis[column])
    }

    fn damped(&self, column: usize, difference: f64, damping: f64) -> f64 {
        if self.damped[column] { damping * difference } else { difference }
    }

    /// A feature of a pair, scaled and clipped.
    fn symmetric(&self, column: usize, value: f64) -> f64 {
        scaled(value - self.pair_means[column], self.pair[column])
    }
}

/// The factor that multiplies differences of all features but recall: 1 for a reference of up to two sentences, 0.2 for
/// a longer text.
///
/// Judgments of sentences teach how much precision, word order and surface form count besides recall. In longer texts,
/// such as summaries, people mind these less: without damping, a model trained without summaries is 3 points less
/// accurate on them, and no better on sentences (`tests/campaigns.py`).
pub fn damping(reference_sentences: f64) -> f64 {
    if reference_sentences > SENTENCES { DAMPING } else { 1.0 }
}

/// Judged pairs in the form that training uses.
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
    pub fn new(data: Labelled<'_, Table>, rows: &[usize], scales: &Scales) -> Self {
        let table = data.table;
        let hypothesis_columns = table.hypothesis_columns() + table.own_columns();
        let pair_columns = table.symmetric.ncols() + table.own_columns();
        let mut scaled = Array2::zeros((rows.len(), hypothesis_columns + pair_columns));
        for (to, &row) in scaled.rows_mut().into_iter().zip(rows) {
            let (x, t) = to.split_at(Axis(0), hypothesis_columns);
            scales.fill_x(table, row, x);
            scales.fill_t(table, row, t);
        }
        let count: f64 = rows.iter().map(|&row| data.weight(row)).sum();
        let weights = rows.iter().map(|&row| data.weight(row) / count).collect();
        let labels = rows.iter().map(|&row| data.labels[row]).collect();
        let bounds = bounds::of_columns(&table.monotonicity, table.own_columns());
        Self { rows: scaled, hypothesis_columns, bounds, labels, weights }
    }

    /// The same without bounds on weights.
    pub fn unbounded(self) -> Self {
        Self { bounds: vec![Bound::Free; self.hypothesis_columns], ..self }
    }

    /// The same with a subset of the columns.
    pub fn narrowed(&self, columns: &Columns) -> Self {
        let of_pair = columns.pair.iter().map(|column| self.hypothesis_columns + column);
        let all: Vec<usize> = columns.hypothesis.iter().copied().chain(of_pair).collect();
        let mut rows = Vec::with_capacity(self.len() * all.len());
        // Row by row, in memory order.
        for row in self.rows.rows() {
            rows.extend(all.iter().map(|&column| row[column]));
        }
        Self {
            rows: Array2::from_shape_vec((self.len(), all.len()), rows).unwrap_or_default(),
            hypothesis_columns: columns.hypothesis.len(),
            bounds: columns.hypothesis.iter().map(|&column| self.bounds[column]).collect(),
            labels: self.labels.clone(),
            weights: self.weights.clone(),
        }
    }

    /// Whether all pairs have the same weight.
    pub fn counts_all_alike(&self) -> bool {
        self.weights.windows(2).all(|two| two[0] == two[1])
    }

    /// Whether at least one label is a tie.
    pub fn has_ties(&self) -> bool {
        self.labels.contains(&Verdict::Tie)
    }

    /// The number of pairs.
    pub fn len(&self) -> usize {
        self.labels.len()
    }

    /// Whether there are no pairs.
    pub fn is_empty(&self) -> bool {
        self.labels.is_empty()
    }

    /// Every pair, then every pair's mirror image (x -> -x, label -> -label), with a subset of the columns of x and all
    /// of t: (2 pairs, columns) and their labels.
    pub fn mirrored(&self, of_x: &[usize]) -> (Array2<f64>, Vec<Verdict>) {
        let columns: Vec<usize> = of_x.iter().copied().chain(self.hypothesis_columns..self.rows.ncols()).collect();
        let mut both = Array2::zeros((2 * self.len(), columns.len()));
        let (mut straight, mut mirror) = both.view_mut().split_at(Axis(0), self.len());
        for (pair, row) in self.rows.rows().into_iter().enumerate() {
            for (to, &from) in columns.iter().enumerate() {
                straight[[pair, to]] = row[from];
                mirror[[pair, to]] = if from < self.hypothesis_columns { -row[from] } else { row[from] };
            }
        }
        let swapped = self.labels.iter().map(|label| label.swapped());
        (both, self.labels.iter().copied().chain(swapped).collect())
    }

    /// A subset of the columns of x, with pairs mirrored where needed so that the labels alternate between 1 and -1:
    /// (pairs, columns), and whether each label is 1. Requires pairs without ties.
    pub fn alternating(&self, of_x: &[usize]) -> (Array2<f64>, Array1<bool>) {
        // In column-major order, since linfa-logistic multiplies the transposed rows by a vector.
        let mut rows = Array2::zeros((self.len(), of_x.len()).f());
        let turns = |pair: usize| (self.labels[pair] == Verdict::First) != pair.is_multiple_of(2);
        for (start, mut part) in (0..).step_by(BLOCK).zip(rows.axis_chunks_iter_mut(Axis(0), BLOCK)) {
            for (mut to, &column) in part.columns_mut().into_iter().zip(of_x) {
                for (pair, to) in (start..).zip(&mut to) {
                    let value = self.rows[[pair, column]];
                    *to = if turns(pair) { -value } else { value };
                }
            }
        }
        (rows, (0..self.len()).map(|pair| pair.is_multiple_of(2)).collect())
    }

    /// x and t of one pair.
    pub fn split(&self, pair: usize) -> (ArrayView1<'_, f64>, ArrayView1<'_, f64>) {
        self.rows.row(pair).split_at(Axis(0), self.hypothesis_columns)
    }
}
