//! Pearson's r and Spearman's rho as SciPy computes them, and sums in NumPy's order of addition.

use std::ops::Add;

/// Pearson's product-moment correlation, sum((x - mean x) (y - mean y)) / (|x - mean x| |y - mean y|), in [-1, 1];
/// `None` for fewer than two numbers, or where either list is constant. Pearson 1895.
pub fn pearson(x: &[f64], y: &[f64]) -> Option<f64> {
    let is_constant = |values: &[f64]| values.iter().all(|value| *value == values[0]);
    if x.len() < 2 || is_constant(x) || is_constant(y) {
        return None;
    }
    let (x, y) = (unit(x)?, unit(y)?);
    let products: Vec<f64> = x.iter().zip(&y).map(|(a, b)| a * b).collect();
    Some(pairwise_sum(&products).clamp(-1.0, 1.0))
}

/// The deviations from the mean, scaled to unit length; `None` where they are all 0 or their length is not finite.
pub(super) fn unit(values: &[f64]) -> Option<Vec<f64>> {
    let mean = pairwise_sum(values) / values.len() as f64;
    // Scaled first, as squares of huge numbers overflow and those of tiny ones underflow.
    let largest = values.iter().map(|value| (value - mean).abs()).fold(0.0, f64::max);
    let scaled: Vec<f64> = values.iter().map(|value| (value - mean) / largest).collect();
    let squares: Vec<f64> = scaled.iter().map(|value| value * value).collect();
    let length = pairwise_sum(&squares).sqrt();
    (length.is_finite() && length > 0.0).then(|| scaled.into_iter().map(|value| value / length).collect())
}

/// Spearman's rank correlation: Pearson's correlation of the ranks, where equal numbers share their mean rank; in [-1,
/// 1]; `None` as for [`pearson`]. Spearman 1904.
pub fn spearman(x: &[f64], y: &[f64]) -> Option<f64> {
    pearson(&ranks(x), &ranks(y))
}

/// Ranks from 1; equal numbers share their mean rank.
fn ranks(values: &[f64]) -> Vec<f64> {
    let mut order: Vec<usize> = (0..values.len()).collect();
    order.sort_unstable_by(|&a, &b| values[a].total_cmp(&values[b]));
    let mut ranks = vec![0.0; values.len()];
    let mut before = 0;
    for equal in order.chunk_by(|&a, &b| values[a] == values[b]) {
        let rank = before as f64 + (equal.len() + 1) as f64 / 2.0;
        equal.iter().for_each(|&at| ranks[at] = rank);
        before += equal.len();
    }
    ranks
}

/// The largest block that is added up without recursion, in eight partial sums.
const BLOCK: usize = 128;

/// `numpy.sum` of a contiguous array: pairwise summation, which adds up halves recursively down to `BLOCK` numbers.
/// Higham 1993, section 3.
pub fn pairwise_sum<T: Copy + Default + Add<Output = T>>(values: &[T]) -> T {
    if values.len() > BLOCK {
        let half = values.len() / 2;
        let (first, second) = values.split_at(half - half % 8);
        return pairwise_sum(first) + pairwise_sum(second);
    }
    let chunks = values.chunks_exact(8);
    let rest = chunks.remainder();
    let mut sums = [T::default(); 8];
    for chunk in chunks {
        for (sum, &value) in sums.iter_mut().zip(chunk) {
            *sum = *sum + value;
        }
    }
    let [a, b, c, d, e, f, g, h] = sums;
    rest.iter().fold(((a + b) + (c + d)) + ((e + f) + (g + h)), |sum, &value| sum + value)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn correlations_of_four_numbers() {
        // Deviations -1.5, -0.5, 0.5, 1.5 and -2.5, -1.5, 0.5, 3.5: r = 10 / sqrt(5 * 21).
        let found = pearson(&[1.0, 2.0, 3.0, 4.0], &[1.0, 2.0, 4.0, 7.0]).unwrap();
        assert!((found - 10.0 / 105_f64.sqrt()).abs() < 1e-15, "{found}");
        assert!((spearman(&[1.0, 2.0, 3.0, 4.0], &[1.0, 2.0, 4.0, 70.0]).unwrap() - 1.0).abs() < 1e-15);
        assert_eq!(ranks(&[5.0, 1.0, 5.0, 7.0]), [2.5, 1.0, 2.5, 4.0]);
    }

    #[test]
    fn equal_numbers_have_no_correlation() {
        assert_eq!(pearson(&[1.0, 1.0, 1.0], &[1.0, 2.0, 3.0]), None);
        assert_eq!(spearman(&[1.0, 2.0, 3.0], &[0.1, 0.1, 0.1]), None);
        assert_eq!(pearson(&[1.0], &[1.0]), None);
        assert_eq!(pearson(&[], &[]), None);
    }

    #[test]
    fn huge_and_tiny_numbers_are_numbers() {
        let scaled = |factor: f64| [1.0, 2.0, 4.0].map(|value| value * factor);
        for factor in [1e300, 1e-300] {
            let found = pearson(&scaled(factor), &[1.0, 2.0, 4.0]).unwrap();
            assert!((found - 1.0).abs() < 1e-12, "{found}");
        }
    }

    // numpy 2.4.6: numpy.sum(1 / numpy.arange(1, n + 1)) for n in 5, 20, 300, 1000
    #[test]
    fn sums_are_numpys() {
        let sum = |count: u32| pairwise_sum(&(1..=count).map(|at| 1.0 / f64::from(at)).collect::<Vec<f64>>());
        assert_eq!(
            [5, 20, 300, 1000].map(sum),
            [2.283333333333333, 3.597739657143682, 6.282663880299504, 7.485470860550345]
        );
    }

    #[test]
    fn nothing_is_zero() {
        assert_eq!(pairwise_sum::<f64>(&[]), 0.0);
    }
}
