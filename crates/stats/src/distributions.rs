//! Distribution functions and quantiles that tests and intervals need.

/// The 97.5% quantile of the standard normal distribution.
pub const Z: f64 = 1.959_963_984_540_054;

/// The 80% quantile of the standard normal distribution.
pub const Z_OF_POWER: f64 = 0.841_621_233_572_914_3;

/// The continued fraction takes about the square root of its parameters.
const MAX_STEPS: i32 = 100_000;

/// A bracket that is halved this often has no width.
const MAX_NEWTON_STEPS: usize = 100;

/// The distribution function of the standard normal distribution.
pub(super) fn normal(z: f64) -> f64 {
    0.5 * libm::erfc(-z * std::f64::consts::FRAC_1_SQRT_2)
}

/// The quantile of the standard normal distribution at `p` in (0, 1), by bisection.
pub(super) fn normal_quantile(p: f64) -> f64 {
    let (mut low, mut high) = (-40.0, 40.0);
    for _ in 0..MAX_NEWTON_STEPS {
        let middle = 0.5 * (low + high);
        *(if normal(middle) < p { &mut low } else { &mut high }) = middle;
    }
    0.5 * (low + high)
}

/// The distribution function of Student's t: with x = df / (df + t^2), half the regularised incomplete beta function
/// I_x(df/2, 1/2) below 0, and one minus that above. Abramowitz and Stegun 1964, 26.7.1.
pub(super) fn student_t(t: f64, degrees: f64) -> f64 {
    let tail = 0.5 * incomplete_beta(degrees / (degrees + t * t), 0.5 * degrees, 0.5);
    if t < 0.0 { tail } else { 1.0 - tail }
}

/// The regularised incomplete beta function I_x(a, b), by its continued fraction, evaluated by Lentz's method. DLMF
/// 8.17.22.
pub(super) fn incomplete_beta(x: f64, a: f64, b: f64) -> f64 {
    if x >= 1.0 {
        return 1.0;
    }
    // The fraction converges fast below this point; above, the function is mirrored.
    if x > (a + 1.0) / (a + b + 2.0) { 1.0 - beta_by_fraction(1.0 - x, b, a) } else { beta_by_fraction(x, a, b) }
}

fn beta_by_fraction(x: f64, a: f64, b: f64) -> f64 {
    let front = libm::lgamma(a + b) - libm::lgamma(a) - libm::lgamma(b) + a * x.ln() + b * (1.0 - x).ln();
    let (mut c, mut d, mut fraction) = (1.0, 0.0, 1.0);
    for step in 0..MAX_STEPS {
        let m = f64::from(step / 2);
        let numerator = match step {
            0 => 1.0,
            even if even % 2 == 0 => m * (b - m) * x / ((a + 2.0 * m - 1.0) * (a + 2.0 * m)),
            _ => -(a + m) * (a + b + m) * x / ((a + 2.0 * m) * (a + 2.0 * m + 1.0)),
        };
        d = 1.0 / (1.0 + numerator * d);
        c = 1.0 + numerator / c;
        fraction *= c * d;
        if (1.0 - c * d).abs() < 1e-15 {
            break;
        }
    }
    front.exp() * (fraction - 1.0) / a
}

/// The quantile of the beta distribution: x with I_x(a, b) = p, by Newton's method within a bracket.
pub(super) fn beta_quantile(p: f64, a: f64, b: f64) -> f64 {
    let log_beta = libm::lgamma(a) + libm::lgamma(b) - libm::lgamma(a + b);
    let (mut low, mut high, mut x) = (0.0, 1.0, a / (a + b));
    for _ in 0..MAX_NEWTON_STEPS {
        let excess = incomplete_beta(x, a, b) - p;
        *(if excess > 0.0 { &mut high } else { &mut low }) = x;
        let density = ((a - 1.0) * x.ln() + (b - 1.0) * (-x).ln_1p() - log_beta).exp();
        let newton = x - excess / density;
        let next = if low < newton && newton < high { newton } else { 0.5 * (low + high) };
        if (next - x).abs() <= 1e-13 {
            return next;
        }
        x = next;
    }
    x
}

/// t that Student's t exceeds in absolute value with probability `alpha`: the quantile x = df / (df + t^2) of the beta
/// distribution with parameters df/2 and 1/2.
pub(super) fn student_quantile(alpha: f64, degrees: f64) -> f64 {
    let x = beta_quantile(alpha, 0.5 * degrees, 0.5);
    (degrees * (1.0 - x) / x).sqrt()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_t_distribution_is_that_of_the_tables() {
        // Critical values of 95%: 6.313752 for 1 degree of freedom, 1.812461 for 10, 1.660234 for 100.
        for (t, degrees) in [(6.313751514675, 1.0), (1.812461122812, 10.0), (1.660234326065, 100.0)] {
            assert!((student_t(t, degrees) - 0.95).abs() < 1e-11, "{degrees}");
            assert!((student_t(-t, degrees) - 0.05).abs() < 1e-11, "{degrees}");
        }
        assert_eq!(student_t(0.0, 7.0), 0.5);
    }

    #[test]
    fn the_middle_of_equal_parameters_is_one_half() {
        // Rounding may put 1/2 above the point of mirroring on both sides.
        for step in 1..20_000 {
            let parameter = 0.5 + f64::from(step) * 0.007_3;
            for other in [parameter.next_down(), parameter, parameter.next_up()] {
                assert!((incomplete_beta(0.5, parameter, other) - 0.5).abs() < 1e-9, "{parameter}");
            }
        }
    }

    #[test]
    fn quantiles_are_those_of_the_tables() {
        assert!((normal_quantile(0.975) - Z).abs() < 1e-12 && (normal(-Z) - 0.025).abs() < 1e-15);
        assert!((student_quantile(0.05, 10.0) - 2.228138851965).abs() < 1e-9);
        assert!((student_quantile(0.05, 1.0) - 12.706204736432).abs() < 1e-7);
        // scipy.stats.beta.ppf(q, a, b), SciPy 1.17.1.
        for (p, a, b, expected) in [
            (0.025, 7.0, 4.0, 0.3475471499400027),
            (0.975, 8.0, 3.0, 0.9332604888222655),
            (0.025, 15.0, 1.0, 0.7819806390894659),
            (0.975, 1.3, 9.7, 0.3535673254369866),
            (0.025, 0.4, 30.0, 2.4673483442208047e-06),
            (0.025, 60000.0, 40001.0, 0.5969557723413761),
            (1e-06, 3.0, 12.0, 0.0014059795634460868),
        ] {
            let found = beta_quantile(p, a, b);
            assert!((found - expected).abs() < 1e-10, "{p} {a} {b}: {found}");
        }
    }
}
