//! Strengths of systems that met in pairs, by the model of Bradley and Terry, with or without the style of their texts.
//!
//! The crate `evalica` 0.4.2 has the model, too, but is built as a C library only, and knows neither style nor weights;
//! the strengths here are those of its Python package.

use linfa_linalg::cholesky::{InverseC, SolveC};
use ndarray::{Array1, Array2, Axis};
use rustc_hash::FxHashMap;

/// The number of differences of style between two texts.
pub const STYLES: usize = 3;

/// A log-strength beyond this one is taken as infinite: odds of more than 20,000 to 1. So is the weight of a style, for
/// its root mean square.
const MAX_LOG_STRENGTH: f64 = 10.0;

/// The standard deviation of the normal prior of the weight of a style, for its root mean square, where the data alone have
/// no maximum: the scale of the weakly informative prior of Gelman, Jakulin, Pittau and Su 2008, "A Weakly Informative
/// Default Prior Distribution for Logistic and Other Regression Models".
const PRIOR_DEVIATION: f64 = 2.5;

/// The longest step of one iteration.
const MAX_STEP: f64 = 2.0;

/// Iteration ends with a step below this.
const TOLERANCE: f64 = 1e-10;

/// The most iterations; usual are six.
const MAX_ITERATIONS: usize = 100;

/// Two systems that met.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Contest {
    /// The systems, by number.
    pub systems: [usize; 2],
    /// How often they met; 0 or more.
    pub count: f64,
    /// How often the first one won, ties counting half. Estimated wins may lie outside of 0 to `count`.
    pub wins: f64,
    /// The style of the first one's text minus that of the second's; zeros if style is not taken into account.
    pub style: [f64; STYLES],
    /// The group: contests of one group are not independent.
    pub group: usize,
}

/// Fitted strengths.
#[derive(Debug, Clone, PartialEq)]
pub struct Strengths {
    /// The natural logarithm of each system's strength; their mean over the systems that met, also through others, is 0.
    pub log: Vec<f64>,
    /// The weight of each difference of style.
    pub style: [f64; STYLES],
    /// How many ties were added to every two systems that met, so that all strengths are finite; 0 for none.
    pub added_ties: f64,
    /// Whether the weights of style have a prior, as the data alone have no maximum.
    pub has_prior: bool,
    /// The covariance of the log-strengths and the weights of style. `covariance: (systems + STYLES, systems + STYLES)`
    covariance: Array2<f64>,
}

impl Strengths {
    /// The strengths of `count` systems under which the outcomes are most likely: the first of two wins with probability
    /// 1/(1 + exp(-x)), where x is the difference of log-strengths plus the weighted differences of style. Bradley and
    /// Terry 1952, "Rank Analysis of Incomplete Block Designs"; with style, Li et al. 2024, "Does Style Matter?".
    ///
    /// Where style alone tells who wins, its weights have no maximum: then they get a weak normal prior. Where a system
    /// always wins its strength has none: then one tie, or as many more as it takes, is added to every two systems that met.
    ///
    /// The covariance is that of independent groups, H^-1 (sum_g s_g s_g') H^-1, with the scores s_g of the groups and the
    /// curvature H (Huber 1967; White 1982); where something was added, variances are at least those of H^-1.
    /// ```
    /// use tribunal_stats::{Contest, STYLES, Strengths};
    ///
    /// // The first system wins 3 of 4 times: its odds are 3.
    /// let contest = |wins, group| Contest { systems: [0, 1], count: 1.0, wins, style: [0.0; STYLES], group };
    /// let strengths = Strengths::fit(2, &[contest(1.0, 0), contest(1.0, 1), contest(1.0, 2), contest(0.0, 3)]);
    /// assert!((strengths.log[0] - strengths.log[1] - 3.0_f64.ln()).abs() < 1e-6);
    /// ```
    pub fn fit(count: usize, contests: &[Contest]) -> Self {
        let scale = style_scale(contests);
        let has_style = scale.iter().any(|&scale| scale > 0.0);
        let scaled: Vec<Contest> = contests.iter().map(|contest| scaled(contest, &scale)).collect();
        let components = components(count, contests.iter().map(|contest| contest.systems));
        let most: f64 = contests.iter().map(|contest| contest.count + contest.wins.abs()).sum();
        let (mut added_ties, mut has_prior) = (0.0, false);
        loop {
            let added = if added_ties > 0.0 { ties_of_all(contests, added_ties) } else { Vec::new() };
            let problem = Problem { components: &components, contests: [&scaled, &added], has_style, has_prior };
            let (at, has_converged) = problem.newton();
            // With more ties than contests, all strengths are as good as equal.
            if has_converged && problem.is_finite(&at) || added_ties > 4.0 * most {
                let style = std::array::from_fn(|style| unscaled(at[count + style], scale[style]));
                let mut covariance = problem.covariance(&at, has_prior || added_ties > 0.0);
                for (style, &scale) in scale.iter().enumerate() {
                    covariance.row_mut(count + style).mapv_inplace(|value| unscaled(value, scale));
                    covariance.column_mut(count + style).mapv_inplace(|value| unscaled(value, scale));
                }
                return Self { log: at[..count].to_vec(), style, added_ties, has_prior, covariance };
            }
            if has_style && !has_prior {
                has_prior = true;
            } else {
                added_ties = f64::max(1.0, 2.0 * added_ties);
            }
        }
    }

    /// The standard error of the logarithm of a system's strength.
    pub fn error(&self, system: usize) -> f64 {
        self.covariance[[system, system]].max(0.0).sqrt()
    }

    /// The standard error of the difference of the log-strengths of two systems.
    pub fn error_of_difference(&self, [one, other]: [usize; 2]) -> f64 {
        let of = |row: usize, column: usize| self.covariance[[row, column]];
        (of(one, one) + of(other, other) - 2.0 * of(one, other)).max(0.0).sqrt()
    }

    /// How often a system wins against others by the strengths alone, as if all texts had the same style: the mean over the
    /// others of 1/(1 + exp(-d)), d the difference of log-strengths; and its standard error, by the delta method. This is what
    /// AlpacaEval 2 calls the length-controlled win rate (Dubois et al. 2024, "Length-Controlled AlpacaEval"), here with all
    /// differences of style, and without a term for the difficulty of each prompt.
    pub fn win_rate(&self, system: usize, others: &[usize]) -> (f64, f64) {
        let (rate, gradient) = self.rate_with_gradient(system, others);
        (rate, self.error_along(&gradient))
    }

    /// The win rate of the first of two systems minus that of the second, each against its `others`, see [`Self::win_rate`];
    /// and the standard error.
    pub fn difference_of_win_rates(&self, systems: [usize; 2], others: [&[usize]; 2]) -> (f64, f64) {
        let [(one, of_one), (other, of_other)] = [0, 1].map(|at| self.rate_with_gradient(systems[at], others[at]));
        (one - other, self.error_along(&(of_one - of_other)))
    }

    /// A win rate, and its derivative by each log-strength.
    fn rate_with_gradient(&self, system: usize, others: &[usize]) -> (f64, Array1<f64>) {
        let (count, mut rate) = (others.len() as f64, 0.0);
        let mut gradient = Array1::zeros(self.covariance.nrows());
        for &other in others {
            let share = 1.0 / (1.0 + (self.log[other] - self.log[system]).exp());
            let slope = share * (1.0 - share) / count;
            rate += share / count;
            gradient[system] += slope;
            gradient[other] -= slope;
        }
        (rate, gradient)
    }

    /// The standard error of what changes so with the log-strengths.
    fn error_along(&self, gradient: &Array1<f64>) -> f64 {
        gradient.dot(&self.covariance.dot(gradient)).max(0.0).sqrt()
    }

    /// The standard error of the weight of a style.
    pub fn error_of_style(&self, style: usize) -> f64 {
        self.error(self.log.len() + style)
    }
}

/// The component of each system: the smallest number of a system that it met, directly or through others.
pub fn components(systems: usize, met: impl Iterator<Item = [usize; 2]>) -> Vec<usize> {
    let mut component: Vec<usize> = (0..systems).collect();
    for two in met {
        let [one, other] = two.map(|system| component[system]);
        if one != other {
            component
                .iter_mut()
                .filter(|component| **component == one.max(other))
                .for_each(|component| *component = one.min(other));
        }
    }
    component
}

/// The root mean square of each difference of style.
fn style_scale(contests: &[Contest]) -> [f64; STYLES] {
    let count: f64 = contests.iter().map(|contest| contest.count).sum();
    let squares = |style: usize| contests.iter().map(|it| it.count * it.style[style].powi(2)).sum::<f64>();
    std::array::from_fn(|style| if count > 0.0 { (squares(style) / count).sqrt() } else { 0.0 })
}

fn scaled(contest: &Contest, scale: &[f64; STYLES]) -> Contest {
    Contest { style: std::array::from_fn(|style| unscaled(contest.style[style], scale[style])), ..*contest }
}

/// A value divided by a scale; 0 where that is 0.
fn unscaled(value: f64, scale: f64) -> f64 {
    if scale > 0.0 { value / scale } else { 0.0 }
}

/// So many ties of every two systems that met, without style.
fn ties_of_all(contests: &[Contest], ties: f64) -> Vec<Contest> {
    let mut met: Vec<[usize; 2]> = contests.iter().map(|contest| contest.systems).collect();
    met.iter_mut().for_each(|systems| systems.sort_unstable());
    met.sort_unstable();
    met.dedup();
    let tie = |systems| Contest { systems, count: ties, wins: 0.5 * ties, style: [0.0; STYLES], group: 0 };
    met.into_iter().map(tie).collect()
}

/// What is maximised: a likelihood of log-strengths, then of weights of style.
struct Problem<'c> {
    components: &'c [usize],
    /// The contests of the data, then the ties that were added.
    contests: [&'c [Contest]; 2],
    has_style: bool,
    has_prior: bool,
}

/// The few variables of a contest, each with its value.
type Values = [(usize, f64); 2 + STYLES];

impl Problem<'_> {
    fn size(&self) -> usize {
        self.components.len() + STYLES
    }

    /// The variables of a contest, and the part of these that is in use.
    fn values(&self, contest: &Contest) -> (Values, usize) {
        let [one, other] = contest.systems;
        let style = |style: usize| (self.components.len() + style, contest.style[style]);
        ([(one, 1.0), (other, -1.0), style(0), style(1), style(2)], if self.has_style { 2 + STYLES } else { 2 })
    }

    /// The probability that the first system wins.
    fn expected(values: &[(usize, f64)], at: &[f64]) -> f64 {
        let logit: f64 = values.iter().map(|&(variable, value)| at[variable] * value).sum();
        1.0 / (1.0 + (-logit).exp())
    }

    /// The gradient and the curvature of the likelihood.
    fn derivatives(&self, at: &[f64]) -> (Array1<f64>, Array2<f64>) {
        let (size, systems) = (self.size(), self.components.len());
        let mut gradient = Array1::<f64>::zeros(size);
        let mut curvature = Array2::<f64>::zeros((size, size));
        for contest in self.contests.iter().copied().flatten() {
            let (values, used) = self.values(contest);
            let values = &values[..used];
            let expected = Self::expected(values, at);
            let error = contest.wins - contest.count * expected;
            let slope = contest.count * expected * (1.0 - expected);
            for &(row, value) in values {
                gradient[row] += error * value;
                for &(column, other) in values {
                    curvature[[row, column]] += slope * value * other;
                }
            }
        }
        // A constant added to all strengths of a component changes nothing: what follows fixes their sum. Styles that are
        // equal everywhere stay where they are.
        for row in 0..systems {
            for column in 0..systems {
                curvature[[row, column]] += f64::from(u8::from(self.components[row] == self.components[column]));
            }
        }
        let precision = if self.has_prior { PRIOR_DEVIATION.powi(-2) } else { 0.0 };
        for style in systems..size {
            gradient[style] -= precision * at[style];
            curvature[[style, style]] += precision;
        }
        curvature.diag_mut().mapv_inplace(|value| value + 1e-9);
        (gradient, curvature)
    }

    /// Newton's method; the last point, and whether it converged.
    fn newton(&self) -> (Vec<f64>, bool) {
        let mut at = vec![0.0; self.size()];
        for _ in 0..MAX_ITERATIONS {
            let (gradient, mut curvature) = self.derivatives(&at);
            let Ok(step) = curvature.solvec(&gradient.insert_axis(Axis(1))) else { break };
            let longest = step.iter().fold(0.0, |longest: f64, step| longest.max(step.abs()));
            let factor = if longest > MAX_STEP { MAX_STEP / longest } else { 1.0 };
            at.iter_mut().zip(&step).for_each(|(value, step)| *value += factor * step);
            if longest < TOLERANCE {
                return (at, true);
            }
            if !at.iter().all(|value| value.abs() <= 2.0 * MAX_LOG_STRENGTH) {
                break;
            }
        }
        at.iter_mut().filter(|value| !value.is_finite()).for_each(|value| *value = 0.0);
        (at, false)
    }

    /// Whether the data know these values.
    fn is_finite(&self, at: &[f64]) -> bool {
        let is_known = |(variable, value): (usize, &f64)| {
            (self.has_prior && variable >= self.components.len()) || value.abs() < MAX_LOG_STRENGTH
        };
        at.iter().enumerate().all(is_known)
    }

    /// See [`Strengths::fit`]. `is_bounded`: variances are at least those of the curvature.
    fn covariance(&self, at: &[f64], is_bounded: bool) -> Array2<f64> {
        let (_, curvature) = self.derivatives(at);
        let Ok(mut inverse) = curvature.invc() else {
            return Array2::zeros((self.size(), self.size()));
        };
        // What fixes the sum of a component is no knowledge of its strengths.
        let mut members = vec![0.0; self.components.len()];
        self.components.iter().for_each(|&component| members[component] += 1.0);
        for (row, &component) in self.components.iter().enumerate() {
            for (column, _) in self.components.iter().enumerate().filter(|(_, other)| **other == component) {
                inverse[[row, column]] -= 1.0 / (members[component] * members[component]);
            }
        }
        let mut covariance = inverse.dot(&self.squared_scores(at)).dot(&inverse);
        if is_bounded {
            covariance.diag_mut().zip_mut_with(&inverse.diag(), |value, &least| *value = value.max(least));
        }
        covariance
    }

    /// The sum over groups of s s', with the score s of each group.
    fn squared_scores(&self, at: &[f64]) -> Array2<f64> {
        let mut of_groups: FxHashMap<usize, FxHashMap<usize, f64>> = FxHashMap::default();
        for contest in self.contests[0] {
            let (values, used) = self.values(contest);
            let error = contest.wins - contest.count * Self::expected(&values[..used], at);
            let score = of_groups.entry(contest.group).or_default();
            values[..used].iter().for_each(|&(variable, value)| *score.entry(variable).or_default() += error * value);
        }
        let mut sum = Array2::<f64>::zeros((self.size(), self.size()));
        for score in of_groups.values() {
            for (&row, value) in score {
                for (&column, other) in score {
                    sum[[row, column]] += value * other;
                }
            }
        }
        sum
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn contest(one: usize, other: usize, wins: f64, count: f64) -> Contest {
        Contest { systems: [one, other], count, wins, style: [0.0; STYLES], group: 0 }
    }

    #[test]
    fn two_systems_have_the_odds_of_their_wins() {
        let found = Strengths::fit(2, &[contest(0, 1, 30.0, 40.0)]);
        assert!((found.log[0] - found.log[1] - 3.0_f64.ln()).abs() < 1e-9 && found.added_ties == 0.0, "{found:?}");
    }

    #[test]
    fn errors_are_those_of_independent_groups() {
        // 30 of 40 wins: the variance of the logarithm of the odds is 1 / (40 p (1 - p)), that of a strength a quarter.
        let contests: Vec<Contest> =
            (0..40).map(|group| Contest { group, ..contest(0, 1, f64::from(u8::from(group < 30)), 1.0) }).collect();
        let found = Strengths::fit(2, &contests);
        let error = (40.0 * 0.75 * 0.25_f64).sqrt().recip();
        assert!((found.error_of_difference([0, 1]) - error).abs() < 1e-6, "{found:?}");
        assert!((found.error(0) - 0.5 * error).abs() < 1e-6 && (found.error(1) - 0.5 * error).abs() < 1e-6);
        // The same outcomes twice in each group say no more.
        let twice: Vec<Contest> = contests.iter().chain(&contests).copied().collect();
        assert!((Strengths::fit(2, &twice).error_of_difference([0, 1]) - error).abs() < 1e-6);
    }

    #[test]
    fn who_always_wins_has_a_finite_strength() {
        let found = Strengths::fit(3, &[contest(0, 1, 9.0, 9.0), contest(1, 2, 4.0, 8.0)]);
        assert_eq!(found.added_ties, 1.0);
        assert!((found.log[0] - found.log[1] - 19.0_f64.ln()).abs() < 1e-6, "{found:?}");
        assert!(found.error_of_difference([0, 1]) > 1.0, "nine wins are no proof: {found:?}");
        // Estimated wins may be negative.
        let found = Strengths::fit(2, &[contest(0, 1, -3.0, 5.0)]);
        assert!(found.added_ties > 6.0 && found.log[0] < found.log[1], "{found:?}");
    }

    #[test]
    fn nobody_and_those_who_never_met_are_average() {
        assert_eq!(Strengths::fit(0, &[]).log, [0.0; 0]);
        let found = Strengths::fit(3, &[contest(0, 1, 3.0, 4.0)]);
        assert!(found.log[2].abs() < 1e-6, "{found:?}");
    }

    #[test]
    fn style_explains_wins() {
        // The longer text wins in 80% of the contests, whoever wrote it; the first system writes longer ones.
        let contests: Vec<Contest> = (0..400)
            .map(|at| {
                let longer = if at % 4 == 0 { -1.0 } else { 1.0 };
                let wins = if at % 5 == 0 { 0.5 - 0.5 * longer } else { 0.5 + 0.5 * longer };
                Contest { style: [longer, 0.0, 0.0], group: at, ..contest(0, 1, wins, 1.0) }
            })
            .collect();
        let found = Strengths::fit(2, &contests);
        assert!(
            (found.log[0] - found.log[1]).abs() < 0.05 && (found.style[0] - 4.0_f64.ln()).abs() < 0.05,
            "{found:?}"
        );
        assert!(!found.has_prior && (0.1..0.2).contains(&found.error_of_style(0)), "{found:?}");
        let plain: Vec<Contest> = contests.iter().map(|each| Contest { style: [0.0; STYLES], ..*each }).collect();
        assert!(Strengths::fit(2, &plain).log[0] > 0.2);
    }

    #[test]
    fn style_that_always_wins_has_a_finite_weight() {
        // In units of 100: a weight is per unit.
        for unit in [1.0, 100.0] {
            let contest = |at: usize| {
                let longer = if at.is_multiple_of(2) { unit } else { -unit };
                let wins = f64::from(u8::from(longer > 0.0));
                Contest { style: [longer, 0.0, 0.0], group: at, ..contest(at % 3, (at + 1) % 3, wins, 1.0) }
            };
            let found = Strengths::fit(3, &(0..60).map(contest).collect::<Vec<_>>());
            assert!(found.has_prior && found.added_ties == 0.0, "{found:?}");
            assert!((2.0..6.0).contains(&(unit * found.style[0])), "{found:?}");
            assert!(found.log.iter().all(|log| log.abs() < 0.1) && found.error_of_style(0) * unit > 0.3, "{found:?}");
        }
    }
}
