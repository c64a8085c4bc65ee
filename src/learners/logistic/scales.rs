//! The common scale of all features: differences between the hypotheses of a pair as numbers from -2 to 2.
//!
//! The user's own metrics may be log probabilities, percentages or ratings from 1 to 5, and a few outliers, such as the
//! -1 of a program that failed, must not drown out all other values: see [`ExternalScale`].

use ndarray::ArrayViewMut1;
use serde::{Deserialize, Serialize};

use crate::features::Table;
use crate::learning::Labelled;
use crate::metrics::Monotonicity;

/// Scaled features are clipped to this absolute value: one odd segment must not outweigh a thousand others, and
/// linfa-logistic 0.8.1 loses rows whose logits differ by more than 34 from the largest of all.
pub const CLIP: f64 = 2.0;

/// A column of differences that are all smaller than this fraction of the features themselves is rounding noise.
const NOISE: f64 = 1e-9;

/// The same for values of own metrics, which are as the user wrote them: only their last bits are noise.
const NOISE_OF_GIVEN: f64 = 4.0 * f64::EPSILON;

/// The smallest scale of an own metric: weights divided by it are still numbers.
pub const LEAST_EXTERNAL_SCALE: f64 = 1e-300;

/// The most sentences of a reference for which differences are not damped.
const MAX_UNDAMPED_SENTENCES: f64 = 2.0;

/// The factor that multiplies differences if the reference is longer.
const DAMPING: f64 = 0.2;

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
    /// The scales of the user's judges.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub judges: Vec<JudgeScale>,
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
            judges: (0..table.judges()).map(|column| JudgeScale::measure(data, rows, column)).collect(),
        }
    }

    /// x of a pair: the scaled differences of features computed from texts, then those of own metrics, then the verdicts
    /// of judges.
    pub fn fill_x(&self, table: &Table, row: usize, mut x: ArrayViewMut1<'_, f64>) {
        let damping = damping(table.reference_sentences[row]);
        let ([first, second], [own_first, own_second]) = (table.row(row), table.own(row));
        for column in 0..first.len() {
            x[column] = self.difference(column, first[column], second[column], damping);
        }
        for (column, scale) in self.own.iter().enumerate() {
            x[first.len() + column] = scale.difference(own_first[column], own_second[column]);
        }
        for (column, (scale, &verdict)) in self.judges.iter().zip(table.verdicts(row)).enumerate() {
            x[first.len() + self.own.len() + column] = scale.preference(verdict);
        }
    }

    /// Whether each value of [`Self::fill_x`] is clipped.
    pub fn clipped(&self, table: &Table, row: usize) -> Vec<bool> {
        let damping = damping(table.reference_sentences[row]);
        let ([first, second], [own_first, own_second]) = (table.row(row), table.own(row));
        let of_texts = first.iter().zip(second).enumerate().map(|(column, (&first, &second))| {
            is_clipped(self.damped(column, first - second, damping), self.hypothesis[column])
        });
        let own = self.own.iter().zip(own_first.iter().zip(own_second));
        let own = own.map(|(scale, (&first, &second))| scale.is_clipped(first, second));
        of_texts.chain(own).chain(self.judges.iter().map(|_| false)).collect()
    }

    /// t of a pair: the similarity of its texts, then the distances between the values of own metrics, then how undecided
    /// judges are.
    pub fn fill_t(&self, table: &Table, row: usize, mut t: ArrayViewMut1<'_, f64>) {
        let (symmetric, [first, second]) = (table.symmetric.row(row), table.own(row));
        for (column, &value) in symmetric.iter().enumerate() {
            t[column] = self.symmetric(column, value);
        }
        for (column, scale) in self.own.iter().enumerate() {
            t[symmetric.len() + column] = scale.distance(first[column], second[column]);
        }
        for (column, (scale, &verdict)) in self.judges.iter().zip(table.verdicts(row)).enumerate() {
            t[symmetric.len() + self.own.len() + column] = scale.indecision(verdict);
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
    if reference_sentences > MAX_UNDAMPED_SENTENCES { DAMPING } else { 1.0 }
}

/// Whether [`scaled`] clips a value.
fn is_clipped(value: f64, scale: f64) -> bool {
    scale != 0.0 && (value / scale).abs() > CLIP
}

/// A value in units of its scale, clipped; 0 where the scale is 0.
fn scaled(value: f64, scale: f64) -> f64 {
    if scale == 0.0 { 0.0 } else { (value / scale).clamp(-CLIP, CLIP) }
}

/// How the verdicts of a judge are brought to the scale of other features. A verdict is the mean m over the orders in
/// which the hypotheses were shown, from 1 to -1. The judge is undecided to the degree 1 - |m|: 1 where it says tie, or
/// contradicts itself when the hypotheses are exchanged. A missing verdict (NaN) says nothing: both are 0 then.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct JudgeScale {
    /// The root mean square of m; 0 if the judge never prefers one hypothesis.
    pub preference: f64,
    /// The mean of 1 - |m|.
    pub indecision_mean: f64,
    /// The standard deviation of 1 - |m|; 0 if it is constant.
    pub indecision: f64,
}

impl JudgeScale {
    /// Measures the scale of a judge on some rows that it judged, weighted by pair.
    fn measure(data: Labelled<'_, Table>, rows: &[usize], column: usize) -> Self {
        let judged = rows.iter().map(|&row| (data.table.verdicts(row)[column], data.weight(row)));
        let judged: Vec<(f64, f64)> = judged.filter(|(verdict, _)| !verdict.is_nan()).collect();
        let count = judged.iter().map(|(_, weight)| weight).sum::<f64>().max(f64::MIN_POSITIVE);
        let mean = |value: &dyn Fn(f64) -> f64| {
            judged.iter().map(|&(verdict, weight)| weight * value(verdict)).sum::<f64>() / count
        };
        let indecision_mean = mean(&|verdict| 1.0 - verdict.abs());
        let deviation = mean(&|verdict| (1.0 - verdict.abs() - indecision_mean).powi(2)).sqrt();
        Self {
            preference: mean(&|verdict| verdict * verdict).sqrt(),
            indecision_mean,
            indecision: if deviation <= NOISE { 0.0 } else { deviation },
        }
    }

    /// The scaled verdict: an odd function, so a swapped pair gives exactly -x.
    pub fn preference(&self, verdict: f64) -> f64 {
        if verdict.is_nan() { 0.0 } else { scaled(verdict, self.preference) }
    }

    /// How undecided the judge is, centred and scaled.
    pub fn indecision(&self, verdict: f64) -> f64 {
        if verdict.is_nan() { 0.0 } else { scaled(1.0 - verdict.abs() - self.indecision_mean, self.indecision) }
    }
}

/// The fraction of values at either end that may be outliers.
const TAIL: f64 = 0.025;

/// Larger differences, as a multiple of the robust standard deviation, do not increase the scale further.
const MAX_DEVIATIONS: f64 = 4.0;

/// The standard deviation of a centred normal distribution, as a multiple of the median of its absolute values.
const NORMAL: f64 = 1.4826;

/// How an own metric is brought to the scale of other features; its values are oriented so that higher is better.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ExternalScale {
    /// Lower bound: smaller values are clamped to it. The 2.5% quantile q of the training part, minus the range between
    /// q and the 97.5% quantile.
    pub low: f64,
    /// Upper bound: larger values are clamped to it. The 97.5% quantile plus that range.
    pub high: f64,
    /// The root mean square of differences, in which those beyond 4 robust standard deviations (1.4826 times the median
    /// of the nonzero absolute differences) are clipped; 0 for a constant metric.
    pub difference: f64,
    /// The mean of the scaled distance between the two values.
    pub distance_mean: f64,
    /// The standard deviation of that distance; 0 if it is constant.
    pub distance: f64,
    /// The least and the greatest value of the training part; absent in files of versions that did not record them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seen: Option<[f64; 2]>,
}

impl ExternalScale {
    /// Measures the scale of an own metric on some rows, weighted by pair.
    pub fn measure(data: Labelled<'_, Table>, rows: &[usize], column: usize) -> Self {
        let values: Vec<[f64; 2]> =
            rows.iter().map(|&row| data.table.own(row).map(|of_side| of_side[column])).collect();
        let weights: Vec<f64> = rows.iter().map(|&row| data.weight(row)).collect();
        Self::of(&values, &weights)
    }

    /// The scale of the values of pairs with these weights.
    fn of(pairs: &[[f64; 2]], weights: &[f64]) -> Self {
        let (low, high) = bounds(pairs.iter().flatten().copied().collect());
        let values = || pairs.iter().flatten().copied();
        let seen = values().reduce(f64::min).zip(values().reduce(f64::max)).map(|(least, greatest)| [least, greatest]);
        let mut scale = Self { low, high, difference: 1.0, distance_mean: 0.0, distance: 1.0, seen };
        let count = weights.iter().sum::<f64>().max(f64::MIN_POSITIVE);
        let mean =
            |values: &[f64]| values.iter().zip(weights).map(|(value, weight)| value * weight).sum::<f64>() / count;

        let differences: Vec<f64> = pairs.iter().map(|&pair| scale.clamped_difference(pair)).collect();
        let far =
            MAX_DEVIATIONS * NORMAL * median(differences.iter().map(|value| value.abs()).filter(|&size| size > 0.0));
        // In units of a power of two, which rounds nothing: squares of very small differences would be 0.
        let unit = if far >= f64::MIN_POSITIVE { libm::scalbn(1.0, libm::ilogb(far)) } else { 1.0 };
        let squares: Vec<f64> = differences.iter().map(|value| (value.abs().min(far) / unit).powi(2)).collect();
        let difference = unit * mean(&squares).sqrt();
        let is_noise = difference <= NOISE_OF_GIVEN * low.abs().max(high.abs()) || difference < LEAST_EXTERNAL_SCALE;
        scale.difference = if is_noise { 0.0 } else { difference };

        let distances: Vec<f64> = differences.iter().map(|&value| scaled(value, scale.difference).abs()).collect();
        scale.distance_mean = mean(&distances);
        let squares: Vec<f64> = distances.iter().map(|value| (value - scale.distance_mean).powi(2)).collect();
        let deviation = mean(&squares).sqrt();
        scale.distance = if deviation <= NOISE * scale.distance_mean { 0.0 } else { deviation };
        scale
    }

    /// A value clamped to the bounds.
    pub fn clamped(&self, value: f64) -> f64 {
        value.clamp(self.low, self.high)
    }

    fn clamped_difference(&self, [first, second]: [f64; 2]) -> f64 {
        self.clamped(first) - self.clamped(second)
    }

    /// The scaled and clipped difference of two values: an odd function, so a swapped pair gives exactly -x.
    pub fn difference(&self, first: f64, second: f64) -> f64 {
        scaled(self.clamped_difference([first, second]), self.difference)
    }

    /// Whether that difference is clipped.
    pub fn is_clipped(&self, first: f64, second: f64) -> bool {
        is_clipped(self.clamped_difference([first, second]), self.difference)
    }

    /// The scaled distance between two values, standardised and clipped.
    pub fn distance(&self, first: f64, second: f64) -> f64 {
        scaled(self.difference(first, second).abs() - self.distance_mean, self.distance)
    }
}

/// The bounds within which values are not clamped, see [`ExternalScale::low`]; least and greatest value if most are equal.
fn bounds(mut values: Vec<f64>) -> (f64, f64) {
    values.sort_unstable_by(f64::total_cmp);
    let (Some(&least), Some(&greatest)) = (values.first(), values.last()) else { return (0.0, 0.0) };
    let tail = (TAIL * (values.len() - 1) as f64).ceil() as usize;
    let (low, high) = (values[tail], values[values.len() - 1 - tail]);
    let range = high - low;
    if range > 0.0 { (low - range, high + range) } else { (least, greatest) }
}

/// The median, the upper one of an even number; 0 if there are no values.
fn median(values: impl Iterator<Item = f64>) -> f64 {
    let mut values: Vec<f64> = values.collect();
    let middle = values.len() / 2;
    if values.is_empty() { 0.0 } else { *values.select_nth_unstable_by(middle, f64::total_cmp).1 }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn measure(values: &[[f64; 2]]) -> ExternalScale {
        ExternalScale::of(values, &vec![1.0; values.len()])
    }

    /// Values with differences from -4 to 4, all equally frequent.
    fn values() -> Vec<[f64; 2]> {
        (0..90).map(|row| [f64::from(row % 9), 4.0]).collect()
    }

    #[test]
    fn the_scale_of_values_without_outliers_is_their_root_mean_square() {
        let scale = measure(&values());
        // Mean of squares: (16 + 9 + 4 + 1) * 2 / 9.
        assert!((scale.difference - (60.0_f64 / 9.0).sqrt()).abs() < 1e-12, "{scale:?}");
        assert_eq!((scale.low, scale.high), (-8.0, 16.0));
        assert_eq!(scale.difference(3.0, 1.0), -scale.difference(1.0, 3.0));
        assert_eq!(scale.distance(3.0, 1.0), scale.distance(1.0, 3.0));
    }

    #[test]
    fn any_straight_line_gives_the_same() {
        let one = measure(&values());
        let other = measure(&values().iter().map(|pair| pair.map(|value| 1e6 * value - 3e9)).collect::<Vec<_>>());
        for [a, b] in [[0.0, 4.0], [5.0, 4.0], [7.0, 1.0]] {
            let line = |value: f64| 1e6 * value - 3e9;
            assert!((one.difference(a, b) - other.difference(line(a), line(b))).abs() < 1e-9);
            assert!((one.distance(a, b) - other.distance(line(a), line(b))).abs() < 1e-9);
        }
    }

    #[test]
    fn a_few_values_that_are_far_off_change_little() {
        let mut values = values();
        let clean = measure(&values);
        values[3][0] = -1e9;
        values[40][1] = 1e9;
        let scale = measure(&values);
        assert!((scale.difference / clean.difference - 1.0).abs() < 0.5, "{scale:?}");
        assert!((-100.0..100.0).contains(&scale.low) && (-100.0..100.0).contains(&scale.high), "{scale:?}");
    }

    #[test]
    fn weights_count_as_repeated_pairs() {
        let weighted = ExternalScale::of(&[[1.0, 3.0], [3.0, 2.0], [2.0, 2.0]], &[2.0, 1.0, 1.0]);
        let repeated = measure(&[[1.0, 3.0], [1.0, 3.0], [3.0, 2.0], [2.0, 2.0]]);
        assert!((weighted.difference - repeated.difference).abs() < 1e-12);
        assert!((weighted.distance_mean - repeated.distance_mean).abs() < 1e-12);
        assert!((weighted.distance - repeated.distance).abs() < 1e-12);
    }

    #[test]
    fn a_constant_metric_has_no_scale() {
        let scale = measure(&[[0.1 + 0.2, 0.3]; 20]);
        assert_eq!((scale.difference, scale.distance), (0.0, 0.0));
        assert_eq!((scale.difference(0.3, 7.0), scale.distance(0.3, 7.0)), (0.0, 0.0));
        // Almost constant, but not quite.
        let mut values = vec![[5.0, 5.0]; 100];
        values[7] = [5.0, 1.0];
        assert!(measure(&values).difference > 0.0);
    }
}
