//! The common scale of all features: differences between the hypotheses of a pair as numbers from -2 to 2.
//!
//! The user's own metrics may be log probabilities, percentages or ratings from 1 to 5, and a few outliers, such as the
//! -1 of a program that failed, must not drown out all other values: external values are clamped to bounds, and their
//! scale is robust.

use ndarray::ArrayViewMut1;
use serde::{Deserialize, Serialize};

use crate::features::table::CellPlace;
use crate::features::{ColumnValue, Table};
use crate::learning::Labelled;

/// Scaled features are clipped to this absolute value: one odd segment must not outweigh a thousand others, and
/// linfa-logistic 0.8.1 loses rows whose logits differ by more than 34 from the largest of all.
pub const CLIP: f64 = 2.0;

/// A column of differences that are all smaller than this fraction of the features themselves is rounding noise.
const NOISE: f64 = 1e-9;

/// The same for external values, which are as the user wrote them: only their last bits are noise.
const NOISE_OF_EXTERNAL: f64 = 4.0 * f64::EPSILON;

/// The smallest scale of external values: weights divided by it are still numbers.
pub const MIN_EXTERNAL_SCALE: f64 = 1e-300;

/// The most sentences of a reference for which differences are not damped.
const MAX_UNDAMPED_SENTENCES: f64 = 2.0;

/// The factor that multiplies differences if the reference is longer.
const DAMPING: f64 = 0.2;

/// The fraction of external values at either end that may be outliers.
const TAIL: f64 = 0.025;

/// Larger differences, as a multiple of the robust standard deviation, do not increase the scale of external values further.
const MAX_DEVIATIONS: f64 = 4.0;

/// The standard deviation of a centred normal distribution, as a multiple of the median of its absolute values.
const NORMAL: f64 = 1.4826;

/// How the values of a column are brought to the scale of the others: x, the scaled difference of the values of both
/// hypotheses, and t, the standardised similarity. Each is clipped to [`CLIP`], and 0 where external values are missing.
///
/// For external values, the distance |x| takes the place of the similarity: a metric whose values are equal, or a judge
/// that says tie or contradicts itself when the hypotheses are exchanged, has the distance 0.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Scale {
    /// Whether differences are multiplied by [`damping`].
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub damped: bool,
    /// The root mean square of the differences; 0 for a constant column. For external values, of those of at most 4
    /// robust standard deviations, on the pairs that have them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub difference: Option<f64>,
    /// How t is standardised.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub similarity: Option<Standard>,
    /// How external values are clamped.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub bounds: Option<Bounds>,
}

/// Mean and standard deviation.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
pub struct Standard {
    /// The mean.
    pub mean: f64,
    /// The standard deviation; 0 for a constant column.
    pub deviation: f64,
}

/// The bounds of external values.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
pub struct Bounds {
    /// Lower bound: smaller values are clamped to it. The 2.5% quantile q of the training part, minus the range between
    /// q and the 97.5% quantile; the least value if these are equal.
    pub low: f64,
    /// Upper bound, likewise.
    pub high: f64,
    /// The least and the greatest value of the training part.
    pub seen: [f64; 2],
}

impl Scale {
    /// The scales of a table's columns on some rows, weighted by pair. x is not centred: over pairs and their mirror
    /// images its mean is zero.
    pub fn measure(data: Labelled<'_, Table>, rows: &[usize]) -> Vec<Self> {
        let table = data.table;
        let count: f64 = rows.iter().map(|&row| data.weight(row)).sum();
        let count = if count > 0.0 { count } else { 1.0 };
        // Row by row, in the memory order of the table.
        let mut sums = vec![Sums::default(); table.cells().len()];
        for &row in rows {
            let weight = data.weight(row) / count;
            let damping = damping(table.reference_sentences[row]);
            for (column, (sums, value)) in sums.iter_mut().zip(table.values(row)).enumerate() {
                match value {
                    ColumnValue::Metric([a, b]) => {
                        let weight = if table.is_damped(column) { weight * damping * damping } else { weight };
                        sums.first += weight * (a - b) * (a - b);
                        sums.second += weight * (a * a + b * b);
                    }
                    ColumnValue::Similarity(value) => sums.first += weight * value,
                    ColumnValue::External(_) => {}
                }
            }
        }
        for &row in rows {
            let weight = data.weight(row) / count;
            for (sums, value) in sums.iter_mut().zip(table.values(row)) {
                if let ColumnValue::Similarity(value) = value {
                    let centred = value - sums.first;
                    sums.second += weight * centred * centred;
                }
            }
        }
        let scale = |(column, sums): (usize, &Sums)| match table.cells()[column] {
            CellPlace::Metric(_) => {
                let is_noise = sums.first <= NOISE * NOISE * sums.second;
                let difference = if is_noise { 0.0 } else { sums.first.sqrt() };
                Self { damped: table.is_damped(column), difference: Some(difference), ..Self::default() }
            }
            CellPlace::Similarity(_) => {
                let similarity = Some(Standard::new(sums.first, sums.second));
                Self { similarity, ..Self::default() }
            }
            CellPlace::External(_) => Self::measure_external(data, rows, column),
        };
        sums.iter().enumerate().map(scale).collect()
    }

    /// The scale of a column of external values on the rows that have them.
    fn measure_external(data: Labelled<'_, Table>, rows: &[usize], column: usize) -> Self {
        let given = rows.iter().filter_map(|&row| match data.table.value(row, column) {
            ColumnValue::External(values) if !values[0].is_nan() => Some((values, data.weight(row))),
            _ => None,
        });
        let (values, weights): (Vec<[f64; 2]>, Vec<f64>) = given.unzip();
        Self::external(&values, &weights)
    }

    /// The scale of external values of pairs with these weights.
    fn external(pairs: &[[f64; 2]], weights: &[f64]) -> Self {
        let values = || pairs.iter().flatten().copied();
        let seen = values().reduce(f64::min).zip(values().reduce(f64::max)).map_or([0.0; 2], <[f64; 2]>::from);
        let (low, high) = bounds(values().collect(), seen);
        let mut scale = Self { bounds: Some(Bounds { low, high, seen }), ..Self::default() };
        let count = weights.iter().sum::<f64>().max(f64::MIN_POSITIVE);
        let mean =
            |values: &[f64]| values.iter().zip(weights).map(|(value, weight)| value * weight).sum::<f64>() / count;

        let differences: Vec<f64> = pairs.iter().map(|&pair| scale.raw_difference(pair, 1.0)).collect();
        let far =
            MAX_DEVIATIONS * NORMAL * median(differences.iter().map(|value| value.abs()).filter(|&size| size > 0.0));
        // In units of a power of two, which rounds nothing: squares of very small differences would be 0.
        let unit = if far >= f64::MIN_POSITIVE { libm::scalbn(1.0, libm::ilogb(far)) } else { 1.0 };
        let squares: Vec<f64> = differences.iter().map(|value| (value.abs().min(far) / unit).powi(2)).collect();
        let difference = unit * mean(&squares).sqrt();
        let is_noise = difference <= NOISE_OF_EXTERNAL * low.abs().max(high.abs()) || difference < MIN_EXTERNAL_SCALE;
        let difference = if is_noise { 0.0 } else { difference };

        let distances: Vec<f64> = differences.iter().map(|&value| scaled(value, difference).abs()).collect();
        let mean_distance = mean(&distances);
        let squares: Vec<f64> = distances.iter().map(|value| (value - mean_distance).powi(2)).collect();
        scale.difference = Some(difference);
        scale.similarity = Some(Standard::new(mean_distance, mean(&squares)));
        scale
    }

    /// The value of one hypothesis within the bounds.
    pub fn clamped(&self, value: f64) -> f64 {
        self.bounds.map_or(value, |bounds| value.clamp(bounds.low, bounds.high))
    }

    /// The difference of two values, clamped and damped.
    fn raw_difference(&self, [first, second]: [f64; 2], damping: f64) -> f64 {
        let difference = self.clamped(first) - self.clamped(second);
        if self.damped { damping * difference } else { difference }
    }

    /// x of a pair: an odd function, so a swapped pair gives exactly -x. `None` for a similarity.
    pub fn x(&self, value: ColumnValue, damping: f64) -> Option<f64> {
        let values = value.of_each()?;
        let x = scaled(self.raw_difference(values, damping), self.difference?);
        Some(if x.is_nan() { 0.0 } else { x })
    }

    /// Whether x is clipped. `None` for a similarity.
    pub fn is_clipped(&self, value: ColumnValue, damping: f64) -> Option<bool> {
        let (values, scale) = (value.of_each()?, self.difference?);
        Some(scale != 0.0 && (self.raw_difference(values, damping) / scale).abs() > CLIP)
    }

    /// t of a pair: an even function. `None` for the values of a metric.
    pub fn t(&self, value: ColumnValue) -> Option<f64> {
        let Standard { mean, deviation } = self.similarity?;
        let t = match value {
            ColumnValue::Metric(_) => return None,
            ColumnValue::Similarity(value) => value,
            ColumnValue::External(values) => scaled(self.raw_difference(values, 1.0), self.difference?).abs(),
        };
        let t = scaled(t - mean, deviation);
        Some(if t.is_nan() { 0.0 } else { t })
    }

    /// What a difference is divided by; 0 for a constant column.
    pub fn divisor(&self) -> f64 {
        self.difference.unwrap_or(0.0)
    }
}

/// Sums over the values of a column: of a metric the squares of differences and of values; of a similarity its values,
/// then the squares of their distances from the mean.
#[derive(Debug, Clone, Copy, Default)]
struct Sums {
    first: f64,
    second: f64,
}

impl Standard {
    fn new(mean: f64, variance: f64) -> Self {
        let deviation = variance.sqrt();
        Self { mean, deviation: if deviation <= NOISE * mean.abs() { 0.0 } else { deviation } }
    }
}

/// Fills x and t of a row of a table: the values of its columns, scaled and clipped.
pub fn fill(scales: &[Scale], table: &Table, row: usize, x: ArrayViewMut1<'_, f64>, t: ArrayViewMut1<'_, f64>) {
    let damping = damping(table.reference_sentences[row]);
    let (mut x, mut t) = (x.into_iter(), t.into_iter());
    for (scale, value) in scales.iter().zip(table.values(row)) {
        if let Some((to, value)) = scale.x(value, damping).and_then(|value| Some((x.next()?, value))) {
            *to = value;
        }
        if let Some((to, value)) = scale.t(value).and_then(|value| Some((t.next()?, value))) {
            *to = value;
        }
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

/// A value in units of its scale, clipped; 0 where the scale is 0.
fn scaled(value: f64, scale: f64) -> f64 {
    if scale == 0.0 { 0.0 } else { (value / scale).clamp(-CLIP, CLIP) }
}

/// The bounds within which external values are not clamped, see [`Bounds::low`]; those of the values that were seen if most
/// are equal.
fn bounds(mut values: Vec<f64>, [least, greatest]: [f64; 2]) -> (f64, f64) {
    values.sort_unstable_by(f64::total_cmp);
    let tail = (TAIL * values.len().saturating_sub(1) as f64).ceil() as usize;
    let (Some(&low), Some(&high)) = (values.get(tail), values.iter().nth_back(tail)) else { return (least, greatest) };
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

    fn measure(values: &[[f64; 2]]) -> Scale {
        Scale::external(values, &vec![1.0; values.len()])
    }

    fn x(scale: &Scale, first: f64, second: f64) -> f64 {
        scale.x(ColumnValue::External([first, second]), 1.0).unwrap()
    }

    fn t(scale: &Scale, first: f64, second: f64) -> f64 {
        scale.t(ColumnValue::External([first, second])).unwrap()
    }

    fn standard(scale: &Scale) -> [f64; 2] {
        scale.similarity.map(|standard| [standard.mean, standard.deviation]).unwrap()
    }

    /// Values with differences from -4 to 4, all equally frequent.
    fn values() -> Vec<[f64; 2]> {
        (0..90).map(|row| [f64::from(row % 9), 4.0]).collect()
    }

    #[test]
    fn the_scale_of_values_without_outliers_is_their_root_mean_square() {
        let scale = measure(&values());
        // Mean of squares: (16 + 9 + 4 + 1) * 2 / 9.
        assert!((scale.divisor() - (60.0_f64 / 9.0).sqrt()).abs() < 1e-12, "{scale:?}");
        assert_eq!(scale.bounds, Some(Bounds { low: -8.0, high: 16.0, seen: [0.0, 8.0] }));
        assert_eq!(x(&scale, 3.0, 1.0), -x(&scale, 1.0, 3.0));
        assert_eq!(t(&scale, 3.0, 1.0), t(&scale, 1.0, 3.0));
    }

    #[test]
    fn any_straight_line_gives_the_same() {
        let line = |value: f64| 1e6 * value - 3e9;
        let one = measure(&values());
        let other = measure(&values().iter().map(|pair| pair.map(line)).collect::<Vec<_>>());
        for [a, b] in [[0.0, 4.0], [5.0, 4.0], [7.0, 1.0]] {
            assert!((x(&one, a, b) - x(&other, line(a), line(b))).abs() < 1e-9);
            assert!((t(&one, a, b) - t(&other, line(a), line(b))).abs() < 1e-9);
        }
    }

    #[test]
    fn a_few_values_that_are_far_off_change_little() {
        let mut values = values();
        let clean = measure(&values);
        values[3][0] = -1e9;
        values[40][1] = 1e9;
        let scale = measure(&values);
        assert!((scale.divisor() / clean.divisor() - 1.0).abs() < 0.5, "{scale:?}");
        let Bounds { low, high, seen } = scale.bounds.unwrap();
        assert!((-100.0..100.0).contains(&low) && (-100.0..100.0).contains(&high), "{scale:?}");
        assert_eq!(seen, [-1e9, 1e9]);
    }

    #[test]
    fn weights_count_as_repeated_pairs() {
        let weighted = Scale::external(&[[1.0, 3.0], [3.0, 2.0], [2.0, 2.0]], &[2.0, 1.0, 1.0]);
        let repeated = measure(&[[1.0, 3.0], [1.0, 3.0], [3.0, 2.0], [2.0, 2.0]]);
        assert!((weighted.divisor() - repeated.divisor()).abs() < 1e-12);
        for (one, other) in standard(&weighted).into_iter().zip(standard(&repeated)) {
            assert!((one - other).abs() < 1e-12);
        }
    }

    #[test]
    fn a_constant_metric_has_no_scale() {
        let scale = measure(&[[0.1 + 0.2, 0.3]; 20]);
        assert_eq!((scale.divisor(), standard(&scale)), (0.0, [0.0, 0.0]));
        assert_eq!((x(&scale, 0.3, 7.0), t(&scale, 0.3, 7.0)), (0.0, 0.0));
        // Almost constant, but not quite.
        let mut values = vec![[5.0, 5.0]; 100];
        values[7] = [5.0, 1.0];
        assert!(measure(&values).divisor() > 0.0);
    }

    /// A judge's mean verdict m counts m/2 for the first hypothesis and -m/2 for the second.
    #[test]
    fn a_judge_counts_by_its_verdict_and_a_missing_one_says_nothing() {
        let verdict = |m: f64| [m / 2.0, m / -2.0];
        let scale = measure(&[1.0, -1.0, 0.0, 1.0].map(verdict));
        let rms = 0.75_f64.sqrt();
        assert!((scale.divisor() - rms).abs() < 1e-12 && (x(&scale, 0.5, -0.5) - 1.0 / rms).abs() < 1e-12);
        assert!(t(&scale, 0.0, 0.0) < t(&scale, 0.5, -0.5));
        assert_eq!((x(&scale, f64::NAN, f64::NAN), t(&scale, f64::NAN, f64::NAN)), (0.0, 0.0));
        assert_eq!(measure(&[]).divisor(), 0.0);
    }
}
