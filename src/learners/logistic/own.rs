//! The scale of an own metric. In: its values, of any magnitude. Out: values of the same magnitude as other features.
//! Next: design.
//!
//! A log probability, a percentage and a rating from 1 to 5 must come to one scale, and a few outliers, such as the -1
//! of a program that failed, must not drown out all other values.

use serde::{Deserialize, Serialize};

use super::clip::{self, NOISE, scaled};
use crate::features::Table;
use crate::learning::Labelled;

/// The fraction of values at either end that may be outliers.
const TAIL: f64 = 0.025;

/// Larger differences, as a multiple of the robust standard deviation, do not increase the scale further.
const FAR: f64 = 4.0;

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
        let mut scale = Self { low, high, difference: 1.0, distance_mean: 0.0, distance: 1.0 };
        let count = weights.iter().sum::<f64>().max(f64::MIN_POSITIVE);
        let mean =
            |values: &[f64]| values.iter().zip(weights).map(|(value, weight)| value * weight).sum::<f64>() / count;

        let differences: Vec<f64> = pairs.iter().map(|&pair| scale.clamped_difference(pair)).collect();
        let far = FAR * NORMAL * median(differences.iter().map(|value| value.abs()).filter(|&size| size > 0.0));
        let squares: Vec<f64> = differences.iter().map(|value| value.abs().min(far).powi(2)).collect();
        let difference = mean(&squares).sqrt();
        scale.difference = if difference <= NOISE * low.abs().max(high.abs()) { 0.0 } else { difference };

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
        clip::is_clipped(self.clamped_difference([first, second]), self.difference)
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
