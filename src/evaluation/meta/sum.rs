//! Sums in NumPy's order of addition, so that values equal there are equal here. In: numbers. Out: their sum. Next:
//! [`super::correlation`], [`super::systems`].

use std::ops::Add;

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
