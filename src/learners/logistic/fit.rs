//! The fit: weights within their bounds that minimise the loss. The only module that knows linfa-logistic 0.8.1, which weighs no
//! rows, knows no bounds, and needs the mirror image of every pair for a model that is antisymmetric, so that a step costs it several
//! times as much as one on the pairs alone. Those come first, and linfa-logistic makes the last ones.

use std::f64::consts::FRAC_1_SQRT_2;
use std::fmt::Display;

use linfa::Dataset;
use linfa::traits::Fit;
use linfa_logistic::{LogisticRegression as BinaryRegression, MultiLogisticRegression};
use ndarray::Array1;

use super::design::{Columns, Design};
use super::newton::{Fitted, Stop, minimise};
use super::weights::{ABSENT_CLASS_LOGIT, Weights};
use crate::error::{self, Error};
use crate::judgments::Verdict;

/// More pairs are fitted from the weights of a sample.
const MAX_SAMPLE: usize = 40_000;

/// The tolerance of the fit of a sample, as a multiple of that of the fit.
const SAMPLE_TOLERANCE: f64 = 20.0;

/// The tolerance of the weights from which linfa-logistic starts, as a multiple of that of the fit.
const LOOSE_TOLERANCE: f64 = 10.0;

/// The same for more than [`MANY_PAIRS`]. On 355,414 its last steps would be a third of all fits from ten times the tolerance; on
/// 7,319 a step more of Newton's method takes longer than they do.
const LOOSE_TOLERANCE_OF_MANY: f64 = 3.0;

const MANY_PAIRS: usize = 100_000;

/// The solver's tolerance as a part of the fit's, so that its result is below that in spite of rounding.
const SOLVER_TOLERANCE: f64 = 0.9;

/// Logistic regression with bounds: the minimum of mean log loss + penalty/2 |W|^2, intercepts free. Many pairs start from the fit
/// of a sample.
///
/// linfa-logistic fits the columns whose weights are not held at their bounds. It does not report whether it converged, so the
/// gradient is computed here; if a weight left its bounds, or one that was held can move, Newton's method ends the fit.
///
/// # Errors
/// No pair has a preferred hypothesis; the fit does not converge.
pub(super) fn fit(design: &Design, penalty: f64, stop: Stop, start: Option<&Weights>) -> error::Result<Fitted> {
    if !design.has_preferences() {
        let (expected, advice) = ("pairs with a preferred hypothesis", "add judgments with the labels 1 and -1");
        let found = if design.is_empty() { "no pair" } else { "only ties" };
        return Err(Error::invalid("training", expected, found, advice));
    }
    let sample = (design.len() > MAX_SAMPLE).then(|| design.every(design.len().div_ceil(MAX_SAMPLE)));
    let of_sample = match sample {
        Some(sample) if sample.has_preferences() => {
            let tolerance = SAMPLE_TOLERANCE * stop.tolerance;
            Some(fit(&sample, penalty, Stop { tolerance, is_final: false, ..stop }, start)?.weights)
        }
        _ => None,
    };
    let start = begin(design, of_sample.as_ref().or(start)).within(&design.bounds);
    let is_final = stop.is_final && design.has_uniform_weights();
    let loose = match (is_final, design.len() > MANY_PAIRS) {
        (false, _) => 1.0,
        (true, false) => LOOSE_TOLERANCE,
        (true, true) => LOOSE_TOLERANCE_OF_MANY,
    };
    let loose = Stop { tolerance: loose * stop.tolerance, ..stop };
    let mut found = minimise(design, penalty, loose, &start);
    if is_final {
        // Where its line search finds no way down, so near the optimum, Newton's method goes on from where it was.
        let solved = solve(design, penalty, stop, &found.weights, &found.free);
        let weights = solved.map_or(found.weights, |weights| weights.within(&design.bounds));
        found = minimise(design, penalty, stop, &weights);
    }
    // Symmetrising the weights and ending the line search early may cost a little; more than tenfold is a failure.
    if found.gradient.is_nan() || found.gradient > 10.0 * stop.tolerance {
        return Err(failed(&format!("a gradient below {:.0e}", stop.tolerance), &format!("{:.1e}", found.gradient)));
    }
    Ok(found)
}

/// The weights to start from. Where either lacks ties, those of ties are no use to the other.
fn begin(design: &Design, start: Option<&Weights>) -> Weights {
    let columns = design.hypothesis_columns;
    let zero = || Weights::zero(columns, design.rows.ncols() - columns);
    let start = start.cloned().unwrap_or_else(zero);
    match (design.has_ties(), start.tie_intercept == ABSENT_CLASS_LOGIT) {
        (true, true) => Weights { hypothesis: start.hypothesis, ..zero() },
        (false, _) => Weights { hypothesis: start.hypothesis, tie_intercept: ABSENT_CLASS_LOGIT, ..zero() },
        (true, false) => start,
    }
}

/// linfa-logistic on the columns that are `free`; the weights of the others are 0.
fn solve(design: &Design, penalty: f64, stop: Stop, start: &Weights, free: &Columns) -> error::Result<Weights> {
    let stop = Stop { tolerance: SOLVER_TOLERANCE * stop.tolerance, ..stop };
    let start = start.select_columns(free);
    let solver = if design.has_ties() || design.len() < 2 { multinomial } else { binary };
    let size = (design.hypothesis_columns, design.rows.ncols() - design.hypothesis_columns);
    Ok(solver(design, penalty, stop, &start, free)?.scatter_columns(free, size))
}

/// linfa-logistic with three verdicts, on pairs and their mirror images.
fn multinomial(design: &Design, penalty: f64, stop: Stop, start: &Weights, free: &Columns) -> error::Result<Weights> {
    let (rows, labels) = design.mirrored(free);
    let labels: Array1<usize> = labels.into_iter().map(Verdict::index).collect();
    let count = labels.len() as f64;
    // linfa minimises sum over rows + alpha/2 |W|^2, and compares its tolerance with the gradient of that.
    let solver = MultiLogisticRegression::default()
        .alpha(penalty * count)
        .gradient_tolerance(stop.tolerance * count)
        .max_iterations(stop.max_iterations)
        .initial_params(start.to_classes(design.has_ties()));
    let fitted = solver.fit(&Dataset::new(rows, labels)).map_err(no_solution)?;
    let mut classes = fitted.params().clone();
    classes.push_row(fitted.intercept().view()).map_err(no_solution)?;
    Ok(Weights::from_classes(&classes, free.hypothesis.len()))
}

/// linfa-logistic without ties: p(1) = sigma(2 w.x), a binary regression with weights b = 2w and no intercept, for which
/// |W|^2 = 2 |w|^2 = |b|^2 / 2. A pair and its mirror image have the same loss, so one of the two is enough.
fn binary(design: &Design, penalty: f64, stop: Stop, start: &Weights, free: &Columns) -> error::Result<Weights> {
    let (rows, labels) = design.alternating(free);
    let count = labels.len() as f64;
    let solver = BinaryRegression::default()
        .with_intercept(false)
        .alpha(0.5 * penalty * count)
        .gradient_tolerance(stop.tolerance * count * FRAC_1_SQRT_2)
        .max_iterations(stop.max_iterations)
        .initial_params(start.hypothesis.iter().map(|weight| 2.0 * weight).collect::<Array1<f64>>());
    let fitted = solver.fit(&Dataset::new(rows, labels)).map_err(no_solution)?;
    Ok(Weights { hypothesis: fitted.params().iter().map(|weight| 0.5 * weight).collect(), ..start.clone() })
}

fn no_solution(error: impl Display) -> Error {
    failed("a solution", &error.to_string())
}

fn failed(expected: &str, found: &str) -> Error {
    Error::invalid("training", expected, found, "allow more iterations, or a stronger penalty")
}

#[cfg(test)]
mod tests {
    use ndarray::Array2;

    use super::*;
    use crate::learners::logistic::Bound;
    use Verdict::{First, Second, Tie};

    const STOP: Stop = Stop { tolerance: 1e-6, max_iterations: 1000, is_final: true };

    fn design(weights: &[f64]) -> Design {
        let noise = |row: usize, salt: usize| ((row * 7919 + salt * 104_729) % 1000) as f64 / 500.0 - 1.0;
        let rows = Array2::from_shape_fn((weights.len(), 4), |(row, column)| noise(row, column));
        let label = |row: usize| match noise(row, 0) + 0.8 * noise(row, 9) {
            sum if sum > 0.25 => First,
            sum if sum < -0.25 => Second,
            _ => Tie,
        };
        let labels = (0..weights.len()).map(label).collect();
        let all: f64 = weights.iter().sum();
        let weights = weights.iter().map(|weight| weight / all).collect();
        Design { rows, hypothesis_columns: 3, bounds: vec![Bound::Free; 3], labels, weights }
    }

    fn unequal(count: usize) -> Vec<f64> {
        (0..count).map(|row| f64::from((row % 3) as u8) + 1.0).collect()
    }

    fn fitted(design: &Design, penalty: f64, start: Option<&Weights>) -> Weights {
        let found = fit(design, penalty, STOP, start).unwrap();
        assert!(found.gradient <= STOP.tolerance, "{}", found.gradient);
        found.weights
    }

    fn assert_near(one: &Weights, other: &Weights) {
        for (a, b) in one.to_classes(true).iter().zip(&other.to_classes(true)) {
            assert!((a - b).abs() < 1e-4, "{a} and {b}");
        }
    }

    #[test]
    fn any_start_leads_to_the_same_weights() {
        let design = design(&[1.0; 200]);
        let from_zero = fitted(&design, 0.03, None);
        let near = fitted(&design, 0.3, None);
        let without_ties = Weights { tie_intercept: ABSENT_CLASS_LOGIT, ..near.clone() };
        for start in [near, without_ties, from_zero.clone()] {
            assert_near(&fitted(&design, 0.03, Some(&start)), &from_zero);
        }
    }

    /// There are twice as many pairs as a sample holds.
    #[test]
    fn a_fit_that_starts_from_a_sample_is_that_of_all_pairs() {
        let design = design(&vec![1.0; 2 * MAX_SAMPLE]);
        let without_bounds = solve(&design, 0.03, STOP, &begin(&design, None), &design.columns()).unwrap();
        assert_near(&fitted(&design, 0.03, None), &without_bounds);
    }

    /// A sample of every second pair has only ties.
    #[test]
    fn a_sample_without_preferences_is_not_fitted() {
        let all = design(&vec![1.0; 2 * MAX_SAMPLE]);
        let label = |(row, &label): (usize, &Verdict)| if row.is_multiple_of(2) { Tie } else { label };
        let labels = all.labels.iter().enumerate().map(label).collect();
        fitted(&Design { labels, ..all }, 0.03, None);
    }

    /// Without ties, two classes without an intercept are equivalent to three.
    #[test]
    fn two_verdicts_are_fitted_as_three_are() {
        for pairs in [101, 200] {
            let all = design(&vec![1.0; pairs]);
            let labels = all.labels.iter().map(|&label| if label == Tie { First } else { label }).collect();
            let decided = Design { labels, ..all };
            let start = begin(&decided, None);
            for hypothesis in [vec![0, 1, 2], vec![0, 2]] {
                let free = Columns { hypothesis, pair: vec![0] };
                let start = start.select_columns(&free);
                let two = binary(&decided, 0.02, STOP, &start, &free).unwrap();
                let three = multinomial(&decided, 0.02, STOP, &start, &free).unwrap();
                two.hypothesis.iter().zip(&three.hypothesis).for_each(|(a, b)| assert!((a - b).abs() < 1e-4));
                assert_eq!((two.tie_intercept, three.tie_intercept), (ABSENT_CLASS_LOGIT, ABSENT_CLASS_LOGIT));
            }
        }
    }

    /// Integer weights are equivalent to repeated rows, which linfa supports.
    #[test]
    fn weights_count_as_repeated_rows() {
        let counts = unequal(120);
        let weighted = design(&counts);
        let repeated: Vec<usize> = (0..120).flat_map(|row| std::iter::repeat_n(row, counts[row] as usize)).collect();
        let copied = Design {
            rows: weighted.rows.select(ndarray::Axis(0), &repeated),
            labels: repeated.iter().map(|&row| weighted.labels[row]).collect(),
            weights: vec![1.0 / repeated.len() as f64; repeated.len()],
            ..weighted.clone()
        };
        assert!(!weighted.has_uniform_weights() && copied.has_uniform_weights());
        assert_near(&fitted(&weighted, 0.02, None), &fitted(&copied, 0.02, None));
    }

    /// The least loss within bounds, found by trying every set of weights that are held at 0.
    #[test]
    fn a_fit_stays_within_its_bounds() {
        for weights in [vec![1.0; 200], unequal(200)] {
            let bounded =
                Design { bounds: vec![Bound::AtMostZero, Bound::AtLeastZero, Bound::AtMostZero], ..design(&weights) };
            let found = fitted(&bounded, 0.01, None);
            assert_eq!(found.clone().within(&bounded.bounds), found);
            // The labels follow the first column, so its unbounded weight would be positive.
            assert_eq!(found.hypothesis[0], 0.0);
            let loss = |weights: &Weights| weights.loss_and_gradient(&bounded, 0.01).loss;
            let held = [vec![], vec![1], vec![2], vec![1, 2]].map(|hypothesis| {
                let free = Columns { hypothesis, pair: vec![0] };
                let bounds = vec![Bound::Free; free.hypothesis.len()];
                let part = fitted(&Design { bounds, ..bounded.select_columns(&free) }, 0.01, None);
                part.scatter_columns(&free, (3, 1)).within(&bounded.bounds)
            });
            let least = held.iter().map(loss).fold(f64::INFINITY, f64::min);
            assert!((loss(&found) - least).abs() < 1e-8, "{} and {least}", loss(&found));
        }
    }
}
