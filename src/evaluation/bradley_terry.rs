//! Strengths of systems that met in pairs, by the model of Bradley and Terry, with or without the style of their texts.
//!
//! The crate `evalica` 0.4.2 has the model, too, but is built as a C library only, and knows neither style nor weights;
//! the strengths here are those of its Python package.

use linfa_linalg::cholesky::SolveC;
use ndarray::{Array1, Array2, Axis};

/// The number of differences of style between two texts.
pub const STYLES: usize = 3;

/// A log-strength beyond this one is taken as infinite: odds of more than 20,000 to 1.
const MAX_LOG_STRENGTH: f64 = 10.0;

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
}

/// Fitted strengths.
#[derive(Debug, Clone, PartialEq)]
pub struct Strengths {
    /// The natural logarithm of each system's strength; their mean is 0.
    pub log: Vec<f64>,
    /// The weight of each difference of style.
    pub style: [f64; STYLES],
    /// How many ties were added to every two systems that met, so that all strengths are finite; 0 for none.
    pub added_ties: f64,
}

impl Strengths {
    /// The strengths of `count` systems under which the outcomes are most likely: the first of two wins with probability
    /// 1/(1 + exp(-x)), where x is the difference of log-strengths plus the weighted differences of style. Bradley and
    /// Terry 1952, "Rank Analysis of Incomplete Block Designs"; with style, Li et al. 2024, "Does Style Matter?".
    ///
    /// Where a system always wins its strength has no maximum: then one tie, or as many more as it takes, is added to
    /// every two systems that met. Iteration begins with `start`.
    pub fn fit(count: usize, contests: &[Contest], start: Option<&Self>) -> Self {
        let has_style = contests.iter().any(|contest| contest.style != [0.0; STYLES]);
        let mut added_ties = 0.0;
        loop {
            let added = if added_ties > 0.0 { ties_of_all(contests, added_ties) } else { Vec::new() };
            let fitted = newton(count, &[contests, &added], has_style, start);
            if let Some((log, style)) = fitted.filter(|(log, _)| log.iter().all(|log| log.abs() < MAX_LOG_STRENGTH)) {
                return Self { log, style, added_ties };
            }
            added_ties = f64::max(1.0, 2.0 * added_ties);
            // Every number of wins is far less than that.
            if added_ties > 1e15 {
                return Self { log: vec![0.0; count], style: [0.0; STYLES], added_ties };
            }
        }
    }
}

/// So many ties of every two systems that met, without style.
fn ties_of_all(contests: &[Contest], ties: f64) -> Vec<Contest> {
    let mut met: Vec<[usize; 2]> = contests.iter().map(|contest| contest.systems).collect();
    met.iter_mut().for_each(|systems| systems.sort_unstable());
    met.sort_unstable();
    met.dedup();
    let tie = |systems| Contest { systems, count: ties, wins: 0.5 * ties, style: [0.0; STYLES] };
    met.into_iter().map(tie).collect()
}

/// Newton's method; `None` if it does not converge.
fn newton(
    systems: usize,
    contests: &[&[Contest]],
    has_style: bool,
    start: Option<&Strengths>,
) -> Option<(Vec<f64>, [f64; STYLES])> {
    let size = systems + if has_style { STYLES } else { 0 };
    let mut at = vec![0.0; systems + STYLES];
    if let Some(start) = start {
        at[..systems].copy_from_slice(&start.log);
        at[systems..].copy_from_slice(&start.style);
    }
    for _ in 0..MAX_ITERATIONS {
        let mut gradient = Array1::<f64>::zeros(size);
        let mut curvature = Array2::<f64>::zeros((size, size));
        for contest in contests.iter().copied().flatten() {
            let [one, other] = contest.systems;
            // The few variables of a contest, each with its value.
            let mut values = [(one, 1.0), (other, -1.0), (0, 0.0), (0, 0.0), (0, 0.0)];
            for (style, value) in contest.style.into_iter().enumerate().filter(|_| has_style) {
                values[2 + style] = (systems + style, value);
            }
            let values = &values[..if has_style { 2 + STYLES } else { 2 }];
            let logit: f64 = values.iter().map(|&(variable, value)| at[variable] * value).sum();
            let expected = 1.0 / (1.0 + (-logit).exp());
            let error = contest.wins - contest.count * expected;
            let slope = contest.count * expected * (1.0 - expected);
            for &(row, value) in values {
                gradient[row] += error * value;
                for &(column, other) in values {
                    curvature[[row, column]] += slope * value * other;
                }
            }
        }
        // A constant added to all strengths changes nothing: what follows fixes their sum. Systems that never met, and
        // equal styles, stay where they are.
        curvature.indexed_iter_mut().for_each(|((row, column), value)| {
            *value += f64::from(u8::from(row < systems && column < systems));
            *value += if row == column { 1e-9 } else { 0.0 };
        });
        let step = curvature.solvec(&gradient.insert_axis(Axis(1))).ok()?;
        let longest = step.iter().fold(0.0, |longest: f64, step| longest.max(step.abs()));
        let factor = if longest > MAX_STEP { MAX_STEP / longest } else { 1.0 };
        at.iter_mut().zip(&step).for_each(|(value, step)| *value += factor * step);
        if at[..systems].iter().any(|log| !log.is_finite() || log.abs() > 2.0 * MAX_LOG_STRENGTH) {
            return None;
        }
        if longest < TOLERANCE {
            let mean = at[..systems].iter().sum::<f64>() / systems.max(1) as f64;
            let style = std::array::from_fn(|style| at[systems + style]);
            return Some((at[..systems].iter().map(|log| log - mean).collect(), style));
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    fn contest(one: usize, other: usize, wins: f64, count: f64) -> Contest {
        Contest { systems: [one, other], count, wins, style: [0.0; STYLES] }
    }

    #[test]
    fn two_systems_have_the_odds_of_their_wins() {
        let found = Strengths::fit(2, &[contest(0, 1, 30.0, 40.0)], None);
        assert!((found.log[0] - found.log[1] - 3.0_f64.ln()).abs() < 1e-9 && found.added_ties == 0.0, "{found:?}");
    }

    #[test]
    fn who_always_wins_has_a_finite_strength() {
        let found = Strengths::fit(3, &[contest(0, 1, 9.0, 9.0), contest(1, 2, 4.0, 8.0)], None);
        assert_eq!(found.added_ties, 1.0);
        assert!((found.log[0] - found.log[1] - 19.0_f64.ln()).abs() < 1e-6, "{found:?}");
        // Estimated wins may be negative.
        let found = Strengths::fit(2, &[contest(0, 1, -3.0, 5.0)], None);
        assert!(found.added_ties > 6.0 && found.log[0] < found.log[1], "{found:?}");
    }

    #[test]
    fn nobody_and_those_who_never_met_are_average() {
        assert_eq!(Strengths::fit(0, &[], None).log, [0.0; 0]);
        let found = Strengths::fit(3, &[contest(0, 1, 3.0, 4.0)], None);
        assert!(found.log[2].abs() < 1e-6, "{found:?}");
    }

    #[test]
    fn style_explains_wins() {
        // The longer text wins in 80% of the contests, whoever wrote it; the first system writes longer ones.
        let contests: Vec<Contest> = (0..400)
            .map(|at| {
                let longer = if at % 4 == 0 { -1.0 } else { 1.0 };
                let wins = if at % 5 == 0 { 0.5 - 0.5 * longer } else { 0.5 + 0.5 * longer };
                Contest { style: [longer, 0.0, 0.0], ..contest(0, 1, wins, 1.0) }
            })
            .collect();
        let found = Strengths::fit(2, &contests, None);
        assert!(
            (found.log[0] - found.log[1]).abs() < 0.05 && (found.style[0] - 4.0_f64.ln()).abs() < 0.05,
            "{found:?}"
        );
        let plain: Vec<Contest> = contests.iter().map(|each| Contest { style: [0.0; STYLES], ..*each }).collect();
        assert!(Strengths::fit(2, &plain, None).log[0] > 0.2);
    }

    #[test]
    fn a_start_changes_nothing() {
        let contests = [contest(0, 1, 7.0, 10.0), contest(1, 2, 6.0, 9.0), contest(2, 0, 2.0, 12.0)];
        let cold = Strengths::fit(3, &contests, None);
        let warm = Strengths::fit(3, &contests, Some(&cold));
        assert!(cold.log.iter().zip(&warm.log).all(|(cold, warm)| (cold - warm).abs() < 1e-9));
    }
}
