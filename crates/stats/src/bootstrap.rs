//! Intervals of any statistic of units that are drawn together, such as segments or systems: the bootstrap with bias
//! correction and acceleration (BCa). Efron 1987, "Better Bootstrap Confidence Intervals", section 2.
//!
//! Few units make bootstrap intervals too narrow: the level is expanded to that of Student's t and of the unbiased
//! variance, as Hesterberg 2015, "What Teachers Should Know About the Bootstrap", does for percentiles. With
//! many units the interval is that of `scipy.stats.bootstrap`.
//!
//! ```
//! use tribunal_stats::bootstrap::Bootstrap;
//!
//! let values = [0.9, 0.8, 0.7, 0.9, 0.8, 0.9, 0.4, 0.6, 0.7, 0.8];
//! let mean = |rows: &[u32]| Some(rows.iter().map(|&row| values[row as usize]).sum::<f64>() / rows.len() as f64);
//! let found = Bootstrap::draw(10, 1000, 1).resampled(mean).unwrap().estimate().unwrap();
//! // As `scipy.stats.bootstrap` with a confidence level of 0.983, up to its draws.
//! assert!((found.value - 0.75).abs() < 1e-12, "{found:?}");
//! assert!((found.low - 0.59).abs() < 0.04 && (found.high - 0.83).abs() < 0.04, "{found:?}");
//! ```

use rayon::prelude::*;

use super::distributions::{normal, normal_quantile, student_quantile};
use super::group_sums::Estimate;
use super::numpy_random::NumpyRandom;

/// With fewer units there is no interval.
const MIN_UNITS: usize = 5;

/// The least share of resamples in which a statistic must be defined.
const MIN_DEFINED: f64 = 0.9;

/// What differs by this part is the same, but for rounding.
const ROUNDING: f64 = 1e-12;

/// More units are left out in so many blocks: the sums of squares and cubes of blocks are as large as those of units.
const MAX_BLOCKS: usize = 1000;

/// Resamples of units with replacement, each as large as what they are drawn from.
#[derive(Debug, Clone)]
pub struct Bootstrap {
    units: usize,
    rows: Vec<Vec<u32>>,
}

impl Bootstrap {
    /// Draws `rounds` resamples of `units` units.
    pub fn draw(units: usize, rounds: usize, seed: u64) -> Self {
        Self { units, rows: NumpyRandom::new(seed).draws(rounds, units) }
    }

    /// The number of units.
    pub fn units(&self) -> usize {
        self.units
    }

    /// The number of resamples.
    pub fn rounds(&self) -> usize {
        self.rows.len()
    }

    /// A statistic of all units, in all resamples, and without each unit; `None` where it is undefined for all units, or
    /// there are fewer than five.
    pub fn resampled(&self, statistic: impl Fn(&[u32]) -> Option<f64> + Sync) -> Option<Replicates> {
        let [found] = self.resampled_all(|drawn| [statistic(drawn)]);
        found
    }

    /// The same for several statistics that are computed together.
    pub fn resampled_all<const N: usize>(
        &self,
        statistics: impl Fn(&[u32]) -> [Option<f64>; N] + Sync,
    ) -> [Option<Replicates>; N] {
        if self.units < MIN_UNITS {
            return [const { None }; N];
        }
        let all: Vec<u32> = (0..self.units as u32).collect();
        let block = self.units.div_ceil(MAX_BLOCKS);
        let without = |start: usize| statistics(&[&all[..start], &all[(start + block).min(self.units)..]].concat());
        let values = statistics(&all);
        let drawn: Vec<[Option<f64>; N]> = self.rows.par_iter().map(|rows| statistics(rows)).collect();
        let without: Vec<[Option<f64>; N]> = (0..self.units).into_par_iter().step_by(block).map(without).collect();
        let of = |found: &[[Option<f64>; N]], at: usize| found.iter().map(|values| values[at]).collect();
        std::array::from_fn(|at| {
            let (drawn, without) = (of(&drawn, at), of(&without, at));
            Some(Replicates { value: values[at]?, units: self.units, optimism: [0.0; 2], drawn, without })
        })
    }
}

/// A statistic, and what it is in resamples and without each unit or block of units; `None` where it is
/// undefined.
#[derive(Debug, Clone, PartialEq)]
pub struct Replicates {
    value: f64,
    units: usize,
    /// By how much the value is too high on average: at most, and at least.
    optimism: [f64; 2],
    drawn: Vec<Option<f64>>,
    without: Vec<Option<f64>>,
}

impl Replicates {
    /// The statistic of all units.
    pub fn value(&self) -> f64 {
        self.value
    }

    /// This statistic minus another one of the same units and draws.
    #[must_use]
    pub fn minus(&self, other: &Self) -> Self {
        let minus = |one: &[Option<f64>], other: &[Option<f64>]| {
            one.iter().zip(other).map(|(one, other)| Some((*one)? - (*other)?)).collect()
        };
        let ([most, least], [other_most, other_least]) = (self.optimism, other.optimism);
        Self {
            value: self.value - other.value,
            units: self.units,
            optimism: [most - other_least, least - other_most],
            drawn: minus(&self.drawn, &other.drawn),
            without: minus(&self.without, &other.without),
        }
    }

    /// This statistic, tuned on what it is measured on: the ends of its interval are lower by what that is worth, the low end by
    /// the most, and the high end by the least.
    #[must_use]
    pub fn tuned(mut self, optimism: [f64; 2]) -> Self {
        self.optimism = optimism;
        self
    }

    /// The mean of statistics of different units, drawn independently, each of which counts alike; `None` of none. Its interval
    /// is as cautious as that of the fewest units.
    pub fn mean(parts: &[&Self]) -> Option<Self> {
        let count = parts.len() as f64;
        let value = parts.iter().map(|part| part.value).sum::<f64>() / count;
        let rounds = parts.iter().map(|part| part.drawn.len()).min()?;
        let drawn = |round: usize| Some(parts.iter().map(|part| part.drawn[round]).sum::<Option<f64>>()? / count);
        let without = parts
            .iter()
            .flat_map(|part| part.without.iter().map(move |without| Some(value + ((*without)? - part.value) / count)));
        Some(Self {
            value,
            units: parts.iter().map(|part| part.units).min()?,
            optimism: std::array::from_fn(|at| parts.iter().map(|part| part.optimism[at]).sum::<f64>() / count),
            drawn: (0..rounds).map(drawn).collect(),
            without: without.collect(),
        })
    }

    /// The statistic with its 95% interval; `None` where it is undefined in more than a tenth of the resamples, or the same in
    /// all of them: that a few units are all in order does not tell how many others are.
    pub fn estimate(&self) -> Option<Estimate> {
        let mut drawn: Vec<f64> = self.drawn.iter().flatten().copied().collect();
        if drawn.is_empty() || (drawn.len() as f64) < MIN_DEFINED * self.drawn.len() as f64 {
            return None;
        }
        drawn.sort_unstable_by(f64::total_cmp);
        let count = drawn.len() as f64;
        let [least, most] = [drawn[0], drawn[drawn.len() - 1]];
        if most - least <= ROUNDING * least.abs().max(most.abs()) {
            return None;
        }
        let (below, up_to) = (share(&drawn, |one| one < self.value), share(&drawn, |one| one <= self.value));
        // Half a resample at either end, so that the bias stays finite.
        let bias = normal_quantile((0.5 * (below + up_to)).clamp(0.5 / count, 1.0 - 0.5 / count));
        let acceleration = self.acceleration();
        let units = self.units as f64;
        let z = student_quantile(0.05, units - 1.0) * (units / (units - 1.0)).sqrt();
        let end = |z: f64| {
            let shifted = bias + z;
            // The formula turns around where the denominator is not positive: the end is then that of all resamples.
            let rest = (1.0 - acceleration * shifted).max(f64::MIN_POSITIVE);
            quantile(&drawn, normal(bias + shifted / rest))
        };
        let [most, least] = self.optimism;
        Some(Estimate { value: self.value, low: end(-z) - most, high: end(z) - least })
    }

    /// A sixth of the skewness of the values without each unit; 0 where these are all the same.
    fn acceleration(&self) -> f64 {
        let without: Vec<f64> = self.without.iter().flatten().copied().collect();
        let mean = without.iter().sum::<f64>() / without.len() as f64;
        let power = |exponent| without.iter().map(|one| (mean - one).powi(exponent)).sum::<f64>();
        let (squares, cubes) = (power(2), power(3));
        let scale = without.iter().map(|one| one.abs()).fold(0.0, f64::max);
        // What differs by rounding alone is the same.
        if squares <= ROUNDING * ROUNDING * scale * scale { 0.0 } else { cubes / (6.0 * squares.powf(1.5)) }
    }
}

fn share(sorted: &[f64], is_counted: impl Fn(f64) -> bool) -> f64 {
    sorted.partition_point(|&one| is_counted(one)) as f64 / sorted.len() as f64
}

/// The quantile by linear interpolation, NumPy's default.
fn quantile(sorted: &[f64], probability: f64) -> f64 {
    let at = probability * (sorted.len() - 1) as f64;
    let (before, after) = (sorted[at.floor() as usize], sorted[at.ceil() as usize]);
    before + (after - before) * at.fract()
}

/// The number of samples of a test of coverage, and the least coverage that these must have where all have 0.93: 250 of them,
/// whose coverage is less certain, unless the variable `TRIBUNAL_COVERAGE` is set, as in `.ci/release`.
#[cfg(test)]
pub(crate) fn samples(all: usize) -> (usize, f64) {
    if std::env::var_os("TRIBUNAL_COVERAGE").is_some() { (all, 0.93) } else { (250, 0.90) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::meta::{PairCounts, ScoredRow, pearson};

    /// Standard normal numbers, the same every time.
    fn normals(random: &mut NumpyRandom, count: usize) -> Vec<f64> {
        let uniform = |random: &mut NumpyRandom| (f64::from(random.below(1 << 24)) + 0.5) / f64::from(1 << 24);
        (0..count).map(|_| normal_quantile(uniform(random))).collect()
    }

    /// The share of `count` samples of `units` units whose interval has the true correlation.
    fn coverage(
        count: usize,
        units: usize,
        truth: f64,
        statistic: fn(&[f64], &[f64]) -> Option<f64>,
        expected: f64,
    ) -> f64 {
        let mut random = NumpyRandom::new(7);
        let covers = |(x, y): (Vec<f64>, Vec<f64>)| {
            let of = |rows: &[u32]| statistic(&picked(&x, rows), &picked(&y, rows));
            let found = Bootstrap::draw(units, 500, 1).resampled(of).and_then(|found| found.estimate());
            found.is_some_and(|found| found.low <= expected && expected <= found.high)
        };
        let mut sample = |_| {
            let (x, noise) = (normals(&mut random, units), normals(&mut random, units));
            let y = x.iter().zip(&noise).map(|(x, noise)| truth * x + (1.0 - truth * truth).sqrt() * noise).collect();
            (x, y)
        };
        (0..count).map(&mut sample).filter(|sample| covers(sample.clone())).count() as f64 / count as f64
    }

    fn picked(values: &[f64], rows: &[u32]) -> Vec<f64> {
        rows.iter().map(|&row| values[row as usize]).collect()
    }

    fn tau_b(x: &[f64], y: &[f64]) -> Option<f64> {
        PairCounts::new(&ScoredRow { human: x.to_vec(), metric: y.to_vec() }).tau_b()
    }

    #[test]
    fn intervals_cover_means_over_parts() {
        let mut random = NumpyRandom::new(11);
        let (parts, truth) = ([(12, 0.3), (40, 0.6), (100, 0.9)], 0.6);
        let mut covers = |_: &usize| {
            let of_part = |(at, &(units, truth)): (usize, &(usize, f64))| {
                let (x, noise) = (normals(&mut random, units), normals(&mut random, units));
                let y = x.iter().zip(&noise).map(|(x, noise)| truth * x + (1.0_f64 - truth * truth).sqrt() * noise);
                let y: Vec<f64> = y.collect();
                let of = |rows: &[u32]| pearson(&picked(&x, rows), &picked(&y, rows));
                Bootstrap::draw(units, 500, at as u64).resampled(of).unwrap()
            };
            let parts: Vec<Replicates> = parts.iter().enumerate().map(of_part).collect();
            let found = Replicates::mean(&parts.iter().collect::<Vec<_>>()).unwrap().estimate().unwrap();
            found.low <= truth && truth <= found.high
        };
        let (count, least) = samples(1000);
        let found = (0..count).filter(|at| covers(at)).count() as f64 / count as f64;
        assert!((least..0.99).contains(&found), "{found}");
    }

    #[test]
    fn intervals_cover_correlations_of_few_and_many_units() {
        let (count, least) = samples(1000);
        for (units, truth) in [(10, 0.9), (24, 0.5), (24, 0.95), (100, 0.3)] {
            let found = coverage(count, units, truth, pearson, truth);
            assert!((least..0.98).contains(&found), "Pearson of {units}, {truth}: {found}");
            let found = coverage(count, units, truth, tau_b, truth.asin() * std::f64::consts::FRAC_2_PI);
            assert!(found >= least, "tau of {units}, {truth}: {found}");
        }
    }

    #[test]
    fn differences_are_paired() {
        let one: Vec<f64> = (0..40).map(|at| f64::from(at * 7 % 11)).collect();
        let mean = |odd: f64| {
            let value = move |row: &u32, one: &[f64]| one[*row as usize] + odd * f64::from(row % 2);
            let one = &one;
            move |rows: &[u32]| Some(rows.iter().map(|row| value(row, one)).sum::<f64>() / rows.len() as f64)
        };
        let bootstrap = Bootstrap::draw(40, 1000, 1);
        let [high, low] = [3.0, 1.0].map(|odd| bootstrap.resampled(mean(odd)).unwrap());
        let (found, alone) = (high.minus(&low).estimate().unwrap(), high.estimate().unwrap());
        assert!((found.value - 1.0).abs() < 1e-9 && found.low < 0.8 && 1.2 < found.high, "{found:?}");
        assert!(found.high - found.low < 0.4 * (alone.high - alone.low), "{found:?} {alone:?}");
        // What never differs has no interval.
        assert!(high.minus(&high).estimate().is_none());
        assert!(Bootstrap::draw(4, 10, 1).resampled(mean(0.0)).is_none());
        let seldom = |rows: &[u32]| (rows.contains(&0) || rows.len() < 40).then_some(rows[0].into());
        assert!(bootstrap.resampled(seldom).unwrap().estimate().is_none());
    }
}
