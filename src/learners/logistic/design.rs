//! In: a feature table. Out: scaled rows that can be trained on. Next: descent, solver.

use ndarray::{Array2, ArrayView1, Axis, Zip};
use serde::{Deserialize, Serialize};

use crate::features::Table;
use crate::judgments::Verdict;
use crate::learning::Labelled;

/// Scaled features further out than this are moved here: one strange segment must not outweigh a thousand others, and
/// linfa-logistic 0.8.1 loses rows whose logits differ by more than 34 from the largest of all.
pub const CLIP: f64 = 4.0;

/// A column whose values are all smaller than this part of the features themselves is rounding noise.
const NOISE: f64 = 1e-9;

/// How differences and pair features are brought to a common scale.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Scales {
    /// The mean number of words of a reference. x is multiplied by the square root of the reference's words over it: a
    /// rate counted over more words is that much surer, and so is its difference.
    pub reference_length: f64,
    /// The root mean square of x, for each feature of a hypothesis; 0 for a column that is constant.
    pub hypothesis: Vec<f64>,
    /// The mean of t, for each feature of a pair.
    pub pair_means: Vec<f64>,
    /// The standard deviation of t, for each feature of a pair; 0 for a column that is constant.
    pub pair: Vec<f64>,
}

impl Scales {
    /// Measures the scales of some rows of a table, by how much they count. x is not centred: over mirrored pairs its
    /// mean is zero.
    pub fn measure(data: Labelled<'_, Table>, rows: &[usize]) -> Self {
        let table = data.table;
        let count: f64 = rows.iter().map(|&row| data.weight(row)).sum();
        let count = if count > 0.0 { count } else { 1.0 };
        let lengths = rows.iter().map(|&row| data.weight(row) * table.reference_lengths[row]);
        let reference_length = lengths.sum::<f64>() / count;
        // Row by row, as the table lies in memory.
        let (mut differences, mut values) =
            (vec![0.0; table.hypothesis_columns()], vec![0.0; table.hypothesis_columns()]);
        let mut pair_means = vec![0.0; table.symmetric.ncols()];
        for &row in rows {
            let weight = data.weight(row) / count;
            let sureness = weight * table.reference_lengths[row] / reference_length;
            let [first, second] = table.row(row);
            for ((a, b), sums) in first.iter().zip(second).zip(differences.iter_mut().zip(&mut values)) {
                *sums.0 += sureness * (a - b) * (a - b);
                *sums.1 += sureness * (a * a + b * b);
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
            reference_length,
            hypothesis: differences.iter().zip(&values).map(rms).collect(),
            pair: squares.iter().zip(&pair_means).map(deviation).collect(),
            pair_means,
        }
    }

    /// What the differences of a pair with a reference of so many words are multiplied by.
    pub fn sureness(&self, reference_length: f64) -> f64 {
        (reference_length / self.reference_length).sqrt()
    }

    /// A difference of features, scaled and clipped: an odd function, so that a swapped pair gives exactly -x.
    pub fn difference(&self, column: usize, first: f64, second: f64, sureness: f64) -> f64 {
        scaled(sureness * (first - second), self.hypothesis[column])
    }

    /// A feature of a pair, scaled and clipped.
    pub fn symmetric(&self, column: usize, value: f64) -> f64 {
        scaled(value - self.pair_means[column], self.pair[column])
    }
}

fn scaled(value: f64, scale: f64) -> f64 {
    if scale == 0.0 { 0.0 } else { (value / scale).clamp(-CLIP, CLIP) }
}

/// Judged pairs as training sees them.
#[derive(Debug, Clone)]
pub struct Design {
    /// Scaled x beside scaled t: (pairs, features of a hypothesis + features of a pair).
    pub rows: Array2<f64>,
    /// How many of the columns are x.
    pub hypothesis_columns: usize,
    /// What people said of each pair.
    pub labels: Vec<Verdict>,
    /// How much each pair counts; they sum to 1.
    pub weights: Vec<f64>,
}

impl Design {
    /// Scales some rows of a table.
    pub fn new(data: Labelled<'_, Table>, rows: &[usize], scales: &Scales) -> Self {
        let table = data.table;
        let (hypothesis_columns, pair_columns) = (table.hypothesis_columns(), table.symmetric.ncols());
        let mut scaled = Array2::zeros((rows.len(), hypothesis_columns + pair_columns));
        for (mut to, &row) in scaled.rows_mut().into_iter().zip(rows) {
            let sureness = scales.sureness(table.reference_lengths[row]);
            let [first, second] = table.row(row);
            for column in 0..hypothesis_columns {
                to[column] = scales.difference(column, first[column], second[column], sureness);
            }
            for column in 0..pair_columns {
                to[hypothesis_columns + column] = scales.symmetric(column, table.symmetric[[row, column]]);
            }
        }
        let count: f64 = rows.iter().map(|&row| data.weight(row)).sum();
        let weights = rows.iter().map(|&row| data.weight(row) / count).collect();
        Self { rows: scaled, hypothesis_columns, labels: rows.iter().map(|&row| data.labels[row]).collect(), weights }
    }

    /// True where every pair counts as much as any other.
    pub fn counts_all_alike(&self) -> bool {
        self.weights.windows(2).all(|two| two[0] == two[1])
    }

    /// True where people said tie at least once.
    pub fn has_ties(&self) -> bool {
        self.labels.contains(&Verdict::Tie)
    }

    /// The number of pairs.
    pub fn len(&self) -> usize {
        self.labels.len()
    }

    /// True where there is no pair.
    pub fn is_empty(&self) -> bool {
        self.labels.is_empty()
    }

    /// Every pair, then every pair's mirror image (x -> -x, label -> -label): (2 pairs, columns) and their labels.
    pub fn mirrored(&self) -> (Array2<f64>, Vec<Verdict>) {
        let mut both = Array2::zeros((2 * self.len(), self.rows.ncols()));
        let (mut straight, mut mirror) = both.view_mut().split_at(Axis(0), self.len());
        straight.assign(&self.rows);
        Zip::indexed(&mut mirror).and(&self.rows).for_each(|(_, column), to, &value| {
            *to = if column < self.hypothesis_columns { -value } else { value };
        });
        let swapped = self.labels.iter().map(|label| label.swapped());
        (both, self.labels.iter().copied().chain(swapped).collect())
    }

    /// x of one pair, and t.
    pub fn split(&self, pair: usize) -> (ArrayView1<'_, f64>, ArrayView1<'_, f64>) {
        self.rows.row(pair).split_at(Axis(0), self.hypothesis_columns)
    }
}
