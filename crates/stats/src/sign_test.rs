//! The sign test.

/// Two-sided p-value of a fair coin's heads and tails: min(1, 2 sum_{i <= min(heads, tails)} C(n, i) / 2^n).
pub fn sign_test(heads: usize, tails: usize) -> f64 {
    let (less, all) = (heads.min(tails), heads + tails);
    // ln C(n, k), where k is the smaller count; the terms below k follow by ratios.
    let choose = (1..=less).map(|at| ((all - less + at) as f64 / at as f64).ln()).sum::<f64>();
    let (mut term, mut sum) = (1.0, 1.0);
    for at in (1..=less).rev() {
        term *= at as f64 / (all - at + 1) as f64;
        sum += term;
    }
    (2.0 * sum * (choose - all as f64 * std::f64::consts::LN_2).exp()).min(1.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_coin_falls_as_it_should() {
        assert!((sign_test(10, 0) - 0.5_f64.powi(9)).abs() < 1e-15);
        assert!((sign_test(1, 4) - 12.0 / 32.0).abs() < 1e-15);
        assert_eq!([sign_test(0, 0), sign_test(3, 3), sign_test(2, 1)], [1.0; 3]);
        assert!(sign_test(4000, 6000) < 1e-80);
    }
}
