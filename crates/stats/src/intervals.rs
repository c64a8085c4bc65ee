//! Confidence limits of shares and of paired differences of shares, from pairs in groups.
//!
//! Pairs that share a reference are not independent, groups may be few, and a system may be right on all pairs. Limits
//! are therefore those of Clopper and Pearson 1934 for the effective number of pairs, as in Korn and Graubard 1998,
//! "Confidence Intervals for Proportions with Small Expected Number of Positive Counts Estimated from Survey Data";
//! those of differences combine the limits of both shares by square and add: Newcombe 1998, "Improved Confidence
//! Intervals for the Difference between Binomial Proportions Based on Paired Data", and Zou and Donner 2008.
//! `examples/coverage.rs` measures how often they hold.

use serde::Serialize;

use super::distributions::{Z, beta_quantile, incomplete_beta, student_quantile, student_t};
use super::ranking::LEVEL;

/// The smallest p-value that is told.
const MIN_P: f64 = 1e-6;

/// Larger p-values are 1.
const MAX_P: f64 = 0.99;

/// Shares and variances below this are rounding.
const ROUNDING: f64 = 1e-12;

/// How many groups that are right throughout, and as many that are wrong, might have been drawn besides. Half a success
/// and half a failure are the prior counts of Jeffreys 1946 for a share; here they are groups, since a rare kind of group
/// that is not among a few would make up most of the variance.
const UNSEEN: f64 = 0.5;

/// Steps of the search for a p-value; its third digit settles in about eight.
const MAX_STEPS: usize = 60;

/// A 95% interval.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Interval {
    /// The lower limit.
    pub low: f64,
    /// The upper limit.
    pub high: f64,
}

/// A share of the pairs, by groups.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Share {
    /// The share, in [0, 1].
    pub value: f64,
    /// The number of pairs.
    count: f64,
    /// The number of independent pairs that are left where all pairs of a group are alike: (sum m_g)^2 / sum m_g^2 for
    /// m_g pairs of group g. Kish 1965, section 8.2.
    fewest: f64,
    /// The variance of the share, by the jackknife over groups.
    variance: f64,
    /// What [`UNSEEN`] groups add to it.
    unseen: f64,
    /// Degrees of freedom of the variance: 2 G / (kurtosis - 1) of the deviations of G groups, from 1 to G - 1.
    /// Satterthwaite 1946.
    degrees: f64,
    /// The number of groups.
    groups: f64,
    /// What each group adds to the deviation of the share, (G - 1)/G (share without the group - share).
    deviations: Vec<f64>,
}

/// The variance that [`UNSEEN`] groups add to that of an estimate in [0, 1].
fn unseen(value: f64, groups: f64) -> f64 {
    (UNSEEN / groups).powi(2) * (value.powi(2) + (1.0 - value).powi(2))
}

impl Share {
    /// A share with the number of pairs of each group, and the share without each of them. Groups without pairs count
    /// nowhere. Quenouille 1956; Efron and Tibshirani 1993, chapter 11.
    pub fn new(value: f64, sizes: &[f64], without: impl Iterator<Item = f64>) -> Self {
        let groups = sizes.iter().filter(|&&size| size > 0.0).count() as f64;
        let deviations: Vec<f64> = without.map(|without| (1.0 - 1.0 / groups) * (without - value)).collect();
        let squares = |values: &[f64]| values.iter().map(|value| value * value).sum::<f64>();
        let (count, variance) = (sizes.iter().sum::<f64>(), squares(&deviations));
        let kurtosis = groups * deviations.iter().map(|deviation| deviation.powi(4)).sum::<f64>() / variance.powi(2);
        let degrees = (2.0 * groups / (kurtosis - 1.0).max(ROUNDING)).min(groups - 1.0).max(1.0);
        let (fewest, unseen) = (count * count / squares(sizes), unseen(value, groups));
        Self { value, count, fewest, variance, unseen, degrees, groups, deviations }
    }

    /// The mean of shares of parts of the groups, of which each part may have unseen groups of its own.
    pub fn of_parts(self, parts: &[Self]) -> Self {
        let unseen = parts.iter().map(|part| part.unseen).sum::<f64>() / (parts.len() as f64).powi(2);
        Self { unseen, ..self }
    }

    /// How many independent pairs tell as much: p (1 - p) / variance, for a variance with few degrees of freedom times
    /// (t_(n - 1) / t_df)^2. The variance includes that of [`UNSEEN`] groups. The number lies between that for groups of
    /// equal pairs, which is also that where nothing varies and no variance is known, and the number of pairs.
    fn effective(&self, alpha: f64) -> f64 {
        if self.variance < ROUNDING * ROUNDING {
            return self.fewest;
        }
        let (right, wrong) = (self.value, 1.0 - self.value);
        let variance = self.variance + self.unseen;
        let ratio = student_quantile(alpha, (self.count - 1.0).max(1.0)) / student_quantile(alpha, self.degrees);
        (right * wrong / variance * ratio * ratio).min(self.count).max(self.fewest)
    }

    /// The lower limit of the two-sided interval of level 1 - `alpha`.
    fn low(&self, alpha: f64) -> f64 {
        let pairs = self.effective(alpha);
        let right = self.value * pairs;
        if self.value < ROUNDING { 0.0 } else { beta_quantile(0.5 * alpha, right, pairs - right + 1.0) }
    }

    /// The upper limit.
    fn high(&self, alpha: f64) -> f64 {
        let pairs = self.effective(alpha);
        let wrong = (1.0 - self.value) * pairs;
        if 1.0 - self.value < ROUNDING { 1.0 } else { 1.0 - beta_quantile(0.5 * alpha, wrong, pairs - wrong + 1.0) }
    }

    /// The 95% interval; [0, 1] of no pairs.
    pub fn interval(&self) -> Interval {
        if self.count > 0.0 {
            Interval { low: self.low(LEVEL), high: self.high(LEVEL) }
        } else {
            Interval { low: 0.0, high: 1.0 }
        }
    }
}

/// A mean of values in [0, 1] that is no share of pairs: ties count half in it, pairs have weights, or predictions help.
/// Its interval is that of Jeffreys (Brown, Cai and DasGupta 2001, "Interval Estimation for a Binomial Proportion") for the
/// effective number of pairs p (1 - p) / variance, as in Franco, Little, Louis and Slud 2019, "Comparative Study of
/// Confidence Intervals for Proportions in Complex Sample Surveys". Clopper and Pearson's would be wide without need, since
/// nothing bounds the effective number from below.
pub(super) struct BoundedMean {
    value: f64,
    error: f64,
    degrees: f64,
    pairs: f64,
}

impl BoundedMean {
    /// The mean, with what each group adds to its deviation, and the number of groups that may add more, at least 1.
    pub fn new(value: f64, deviations: impl Iterator<Item = f64>, groups: f64) -> Self {
        let variance = deviations.map(|deviation| deviation.powi(2)).sum::<f64>() + unseen(value, groups);
        let degrees = (groups - 1.0).max(1.0);
        let ratio = Z / student_quantile(LEVEL, degrees);
        Self { value, error: variance.sqrt(), degrees, pairs: value * (1.0 - value) / variance * ratio * ratio }
    }

    /// Whether it is beyond the bounds, as a mean that predictions help may be: then it has no number of pairs.
    fn is_outside(&self) -> bool {
        self.value <= 0.0 || self.value >= 1.0
    }

    /// The 95% interval.
    pub fn interval(&self) -> Interval {
        if self.is_outside() {
            let error = student_quantile(LEVEL, self.degrees) * self.error;
            return Interval { low: (self.value - error).clamp(0.0, 1.0), high: (self.value + error).clamp(0.0, 1.0) };
        }
        let (right, wrong) = (self.value * self.pairs, (1.0 - self.value) * self.pairs);
        let low = |right: f64, wrong: f64| beta_quantile(0.5 * LEVEL, right + 0.5, wrong + 0.5);
        Interval { low: low(right, wrong), high: 1.0 - low(wrong, right) }
    }

    /// The two-sided p-value of the hypothesis that the mean is 1/2: below 0.05 exactly where the interval excludes it.
    pub fn p_value(&self) -> f64 {
        let tail = if self.is_outside() {
            1.0 - student_t((self.value - 0.5).abs() / self.error, self.degrees)
        } else {
            let more = self.value.max(1.0 - self.value) * self.pairs;
            incomplete_beta(0.5, more + 0.5, self.pairs - more + 0.5)
        };
        (2.0 * tail).min(1.0)
    }
}

/// The difference of two shares of the same groups, `one` minus `other`.
pub(super) struct Difference<'s> {
    one: &'s Share,
    other: &'s Share,
    correlation: f64,
}

impl<'s> Difference<'s> {
    /// The correlation is that of the groups' deviations. It is at most that of shares of 1/2 that differ on one pair
    /// of G, 1 - 2/G: fewer groups cannot tell two systems apart that are always alike.
    pub fn new(one: &'s Share, other: &'s Share) -> Self {
        let products = one.deviations.iter().zip(&other.deviations).map(|(one, other)| one * other).sum::<f64>();
        let scale = (one.variance * other.variance).sqrt();
        let correlation = if scale < ROUNDING * ROUNDING { 0.0 } else { products / scale };
        Self { one, other, correlation: correlation.min(1.0 - 2.0 / one.groups.max(other.groups)).max(-1.0) }
    }

    pub fn value(&self) -> f64 {
        self.one.value - self.other.value
    }

    /// The 95% interval; [-1, 1] of no pairs.
    pub fn interval(&self) -> Interval {
        if self.one.count > 0.0 && self.other.count > 0.0 {
            Interval { low: self.low(LEVEL), high: self.high(LEVEL) }
        } else {
            Interval { low: -1.0, high: 1.0 }
        }
    }

    fn low(&self, alpha: f64) -> f64 {
        self.value() - self.added(self.one.value - self.one.low(alpha), self.other.high(alpha) - self.other.value)
    }

    fn high(&self, alpha: f64) -> f64 {
        self.value() + self.added(self.one.high(alpha) - self.one.value, self.other.value - self.other.low(alpha))
    }

    /// The distance of a limit of the difference from those of both shares.
    fn added(&self, one: f64, other: f64) -> f64 {
        // In this order of operations, exchanging both changes no bit.
        ((one * one + other * other) - 2.0 * self.correlation * (one * other)).max(0.0).sqrt()
    }

    /// The largest alpha whose interval holds 0, at least 1e-6: below 0.05 exactly where the 95% interval excludes 0, so
    /// that p-value and interval are one test.
    pub fn p_value(&self) -> f64 {
        let interval = self.interval();
        let is_excluded = interval.low > 0.0 || interval.high < 0.0;
        let bracket = if is_excluded { [MIN_P, LEVEL] } else { [LEVEL, MAX_P] };
        // How far the interval is from 0: it grows with alpha.
        let excess = |alpha: f64| if self.value() > 0.0 { self.low(alpha) } else { -self.high(alpha) };
        if self.value() == 0.0 || (!is_excluded && excess(MAX_P) <= 0.0) {
            return 1.0;
        }
        if is_excluded && excess(MIN_P) > 0.0 {
            return MIN_P;
        }
        let at = root(bracket.map(f64::ln), |log| excess(log.exp())).exp();
        if is_excluded { at.clamp(MIN_P, LEVEL.next_down()) } else { at.clamp(LEVEL, MAX_P) }
    }
}

/// The root of a growing function, negative at the lower end of the bracket and positive at the upper one, by false
/// position: Dowell and Jarratt 1971, "A Modified Regula Falsi Method", in the variant of Illinois.
fn root([mut low, mut high]: [f64; 2], function: impl Fn(f64) -> f64) -> f64 {
    let (mut below, mut above) = (function(low), function(high));
    let (mut at, mut last) = (low, 0);
    for _ in 0..MAX_STEPS {
        at = (low * above - high * below) / (above - below);
        let value = function(at);
        let side = if value > 0.0 { 1 } else { -1 };
        if side > 0 {
            (high, above) = (at, value);
            below *= if last == side { 0.5 } else { 1.0 };
        } else {
            (low, below) = (at, value);
            above *= if last == side { 0.5 } else { 1.0 };
        }
        if value == 0.0 || high - low < 1e-4 || value.abs() < 1e-9 {
            break;
        }
        last = side;
    }
    at
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Groups of as many pairs, with so many right.
    fn share(right: &[u32], sizes: &[u32]) -> Share {
        let [right, sizes] = [right, sizes].map(|counts| counts.iter().copied().map(f64::from).collect::<Vec<f64>>());
        let (part, all) = (right.iter().sum::<f64>(), sizes.iter().sum::<f64>());
        let without = right.iter().zip(&sizes).map(|(right, size)| (part - right) / (all - size));
        Share::new(part / all, &sizes, without)
    }

    fn close(found: Interval, low: f64, high: f64) {
        assert!((found.low - low).abs() < 5e-5 && (found.high - high).abs() < 5e-5, "{found:?}");
    }

    #[test]
    fn independent_pairs_have_the_limits_of_clopper_and_pearson() {
        // scipy.stats.binomtest(k, n).proportion_ci(), SciPy 1.17.1.
        let of = |right: u32, pairs: u32| {
            share(&(0..pairs).map(|pair| u32::from(pair < right)).collect::<Vec<_>>(), &vec![1; pairs as usize])
        };
        close(of(7, 10).interval(), 0.34755, 0.93326);
        close(of(15, 15).interval(), 0.78198, 1.0);
        close(of(0, 15).interval(), 0.0, 0.21802);
        close(of(1, 30).interval(), 0.00084, 0.17217);
    }

    #[test]
    fn equal_pairs_of_a_group_are_one() {
        let (groups, sizes) = ([3, 3, 0, 3, 0, 3, 3, 3, 0, 3], [3; 10]);
        // The kurtosis of seven of ten is small: no degree of freedom is lost but one.
        let found = share(&groups, &sizes).interval();
        assert!(found.low <= 0.34756 && found.high >= 0.93325, "{found:?}");
        close(share(&[3; 15], &[3; 15]).interval(), 0.78198, 1.0);
    }

    #[test]
    fn many_pairs_have_the_limits_of_the_normal_distribution() {
        let coin = share(&(0..4000).map(|pair| pair % 2).collect::<Vec<_>>(), &[1; 4000]);
        let found = coin.interval();
        let error = 1.959964 * (0.25_f64 / 4000.0).sqrt();
        assert!((found.low - 0.5 + error).abs() < 3e-4 && (found.high - 0.5 - error).abs() < 3e-4, "{found:?}");
    }

    #[test]
    fn no_difference_has_an_interval_too() {
        for right in [[1; 15], [0; 15]] {
            let all = share(&right, &[1; 15]);
            let found = Difference::new(&all, &all);
            assert_eq!(found.p_value(), 1.0);
            close(found.interval(), -0.21802, 0.21802);
        }
        let half = share(&(0..100).map(|pair| pair % 2).collect::<Vec<_>>(), &[1; 100]);
        let found = Difference::new(&half, &half).interval();
        assert!(found.low < -0.01 && found.high > 0.01, "{found:?}");
    }

    #[test]
    fn p_is_below_the_level_where_the_interval_excludes_none() {
        for lead in 0..30 {
            let one = share(&(0..40).map(|pair| u32::from(pair < 10 + lead)).collect::<Vec<_>>(), &[1; 40]);
            let other = share(&(0..40).map(|pair| u32::from(pair < 10)).collect::<Vec<_>>(), &[1; 40]);
            for found in [Difference::new(&one, &other), Difference::new(&other, &one)] {
                let Interval { low, high } = found.interval();
                let is_excluded = low > 0.0 || high < 0.0;
                assert_eq!(found.p_value() < LEVEL, is_excluded, "{lead}: {low} {high} {}", found.p_value());
                assert!(low <= found.value() && found.value() <= high);
                let p = found.p_value();
                assert!(p == 1.0 || p == MIN_P || [found.low(p), found.high(p)].iter().any(|end| end.abs() < 1e-4));
            }
        }
    }
}
