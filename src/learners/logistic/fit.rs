//! The fit: weights within their bounds that minimise the loss. The only module that knows linfa-logistic, and argmin,
//! which fits where pairs have different weights: linfa-logistic 0.8.1 minimises with argmin, too, but weighs no rows.

use std::f64::consts::FRAC_1_SQRT_2;

use argmin::core::{CostFunction, Error as SolverError, Executor, Gradient, IterState, State};
use argmin::solver::linesearch::MoreThuenteLineSearch;
use argmin::solver::quasinewton::LBFGS;
use linfa::Dataset;
use linfa::traits::Fit;
use linfa_logistic::{LogisticRegression as BinaryRegression, MultiLogisticRegression};
use ndarray::{Array1, Array2};

use super::design::{Bound, Columns, Design};
use super::weights::{ABSENT_CLASS_LOGIT, Weights};
use crate::error::{self, Error};
use crate::judgments::Verdict;

/// The most fits; after each, weights may be held at their bounds or released.
const MAX_ROUNDS: usize = 30;

/// More pairs are fitted from the weights of a sample: it tells which weights stay at their bounds.
const MAX_SAMPLE: usize = 40_000;

/// The tolerance of the fit of a sample, as a multiple of that of the fit.
const SAMPLE_TOLERANCE: f64 = 20.0;

/// The tolerance of the first rounds, as a multiple of that of the fit: they find which weights leave their bounds.
const LOOSE_TOLERANCE: f64 = 10.0;

/// The solver's tolerance as a part of the fit's, so that its result is below that in spite of rounding.
const SOLVER_TOLERANCE: f64 = 0.9;

/// The number of steps that L-BFGS remembers, as in linfa-logistic.
const MEMORY: usize = 10;

/// When a fit ends.
#[derive(Debug, Clone, Copy)]
pub(super) struct Stop {
    /// The largest norm of the gradient of the mean loss.
    pub(super) tolerance: f64,
    /// The most iterations of the solver in each round.
    pub(super) max_iterations: u64,
}

/// Weights, and how far they are from the optimum.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Fitted {
    pub(super) weights: Weights,
    /// The norm of the gradient of the mean penalised loss, without the weights that are held by their bounds.
    pub(super) gradient: f64,
}

/// Logistic regression with bounds: the minimum of mean log loss + penalty/2 |W|^2, intercepts free.
///
/// linfa-logistic knows no bounds. At a bounded minimum some weights are held at 0, and the others minimise the loss
/// without the columns of those. So linfa-logistic fits, from `start`, the columns whose weights can move. Those that
/// leave their bounds are then held at 0; once none does, held ones are released where the gradient points inward, until
/// there are none. From a given start, weights at their bounds are held at first; many pairs start from the fit of a
/// sample. linfa-logistic 0.8.1 does not report whether it converged, so the gradient is computed here.
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
            Some(fit(&sample, penalty, Stop { tolerance, ..stop }, start)?.weights)
        }
        _ => None,
    };
    let start = of_sample.as_ref().or(start);
    let mut at = begin(design, start).within(&design.bounds);
    let (mut gradient, mut free) = gradient_within_bounds(design, penalty, &at);
    if start.is_some() {
        free.hypothesis.retain(|&column| at.hypothesis[column] != 0.0 || design.bounds[column] == Bound::Free);
    }
    for _ in 0..MAX_ROUNDS {
        if gradient <= stop.tolerance {
            break;
        }
        let loose = LOOSE_TOLERANCE * stop.tolerance;
        let tolerance = if gradient > loose { loose } else { stop.tolerance };
        let solution = solve(design, penalty, Stop { tolerance, ..stop }, &at, &free)?;
        at = solution.clone().within(&design.bounds);
        if at == solution {
            (gradient, free) = gradient_within_bounds(design, penalty, &at);
        } else {
            free.hypothesis.retain(|&column| at.hypothesis[column] == solution.hypothesis[column]);
        }
    }
    // Symmetrising the weights and ending the line search early may cost a little; more than tenfold is a failure.
    if gradient > 10.0 * stop.tolerance {
        return Err(failed(&format!("a gradient below {:.0e}", stop.tolerance), &format!("{gradient:.1e}")));
    }
    Ok(Fitted { weights: at, gradient })
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

/// The norm of the gradient without the weights that are held by their bounds, which is 0 at the minimum; and the
/// columns whose weights are not held.
fn gradient_within_bounds(design: &Design, penalty: f64, at: &Weights) -> (f64, Columns) {
    let gradient = at.loss_and_gradient(design, penalty).gradient;
    let mut free = design.columns();
    free.hypothesis.retain(|&column| !design.bounds[column].holds(at.hypothesis[column], gradient.hypothesis[column]));
    // Without ties in training, p(0) is practically 0, and so are the gradients of a tie.
    let classes = gradient.select_columns(&free).to_classes(true);
    (classes.iter().map(|value| value * value).sum::<f64>().sqrt(), free)
}

/// Minimises the loss without the columns that are not `free`, whose weights are 0.
fn solve(design: &Design, penalty: f64, stop: Stop, start: &Weights, free: &Columns) -> error::Result<Weights> {
    let stop = Stop { tolerance: SOLVER_TOLERANCE * stop.tolerance, ..stop };
    let start = start.select_columns(free);
    let solution = if !design.has_uniform_weights() {
        weighted(design, penalty, stop, &start, free)
    } else if design.has_ties() || design.len() < 2 {
        multinomial(design, penalty, stop, &start, free)
    } else {
        binary(design, penalty, stop, &start, free)
    };
    let size = (design.hypothesis_columns, design.rows.ncols() - design.hypothesis_columns);
    Ok(solution.map_err(|error| failed("a solution", &error.to_string()))?.scatter_columns(free, size))
}

/// linfa-logistic with three verdicts, on pairs and their mirror images.
fn multinomial(
    design: &Design,
    penalty: f64,
    stop: Stop,
    start: &Weights,
    free: &Columns,
) -> Result<Weights, SolverError> {
    let (rows, labels) = design.mirrored(free);
    let labels: Array1<usize> = labels.into_iter().map(Verdict::index).collect();
    let count = labels.len() as f64;
    // linfa minimises sum over rows + alpha/2 |W|^2, and compares its tolerance with the gradient of that.
    let solver = MultiLogisticRegression::default()
        .alpha(penalty * count)
        .gradient_tolerance(stop.tolerance * count)
        .max_iterations(stop.max_iterations)
        .initial_params(start.to_classes(design.has_ties()));
    let fitted = solver.fit(&Dataset::new(rows, labels))?;
    let mut classes = fitted.params().clone();
    classes.push_row(fitted.intercept().view())?;
    Ok(Weights::from_classes(&classes, free.hypothesis.len()))
}

/// linfa-logistic without ties: p(1) = sigma(2 w.x), a binary regression with weights b = 2w and no intercept, for which
/// |W|^2 = 2 |w|^2 = |b|^2 / 2. A pair and its mirror image have the same loss, so one of the two is enough.
fn binary(design: &Design, penalty: f64, stop: Stop, start: &Weights, free: &Columns) -> Result<Weights, SolverError> {
    let (rows, labels) = design.alternating(free);
    let count = labels.len() as f64;
    let solver = BinaryRegression::default()
        .with_intercept(false)
        .alpha(0.5 * penalty * count)
        .gradient_tolerance(stop.tolerance * count * FRAC_1_SQRT_2)
        .max_iterations(stop.max_iterations)
        .initial_params(start.hypothesis.iter().map(|weight| 2.0 * weight).collect::<Array1<f64>>());
    let fitted = solver.fit(&Dataset::new(rows, labels))?;
    Ok(Weights { hypothesis: fitted.params().iter().map(|weight| 0.5 * weight).collect(), ..start.clone() })
}

/// The method and library that linfa-logistic uses, for pairs with different weights: L-BFGS with the line search of
/// Moré and Thuente, from argmin. A test compares it with linfa-logistic on repeated rows.
fn weighted(
    design: &Design,
    penalty: f64,
    stop: Stop,
    start: &Weights,
    free: &Columns,
) -> Result<Weights, SolverError> {
    let design = design.select_columns(free);
    let parameters = start.to_classes(design.has_ties());
    let loss = WeightedLoss { design: &design, penalty, shape: parameters.dim() };
    let line_search = MoreThuenteLineSearch::new().with_c(1e-4, 0.9)?;
    let solver = LBFGS::new(line_search, MEMORY).with_tolerance_grad(stop.tolerance)?;
    let begin = |state: IterState<_, _, (), (), (), f64>| {
        state.param(parameters.flatten().into_owned()).max_iters(stop.max_iterations)
    };
    let result = Executor::new(&loss, solver).configure(begin).run()?;
    let best = result.state().get_best_param().ok_or_else(|| SolverError::msg("none"))?;
    Ok(loss.weights(best))
}

/// The loss as a function of the parameters of [`Weights::to_classes`], in one list.
struct WeightedLoss<'d> {
    design: &'d Design,
    penalty: f64,
    shape: (usize, usize),
}

impl WeightedLoss<'_> {
    fn weights(&self, parameters: &Array1<f64>) -> Weights {
        let classes = Array2::from_shape_fn(self.shape, |(row, class)| parameters[row * self.shape.1 + class]);
        Weights::from_classes(&classes, self.design.hypothesis_columns)
    }
}

impl CostFunction for &WeightedLoss<'_> {
    type Param = Array1<f64>;
    type Output = f64;

    fn cost(&self, parameters: &Array1<f64>) -> Result<f64, SolverError> {
        Ok(self.weights(parameters).loss_and_gradient(self.design, self.penalty).loss)
    }
}

impl Gradient for &WeightedLoss<'_> {
    type Param = Array1<f64>;
    type Gradient = Array1<f64>;

    fn gradient(&self, parameters: &Array1<f64>) -> Result<Array1<f64>, SolverError> {
        let gradient = self.weights(parameters).loss_and_gradient(self.design, self.penalty).gradient;
        Ok(gradient.to_classes(self.shape.1 == 3).flatten().into_owned())
    }
}

fn failed(expected: &str, found: &str) -> Error {
    Error::invalid("training", expected, found, "allow more iterations, or a stronger penalty")
}

#[cfg(test)]
mod tests {
    use super::*;
    use Verdict::{First, Second, Tie};

    const STOP: Stop = Stop { tolerance: 1e-6, max_iterations: 1000 };

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
                solve(&bounded, 0.01, STOP, &begin(&bounded, None), &free).unwrap().within(&bounded.bounds)
            });
            let least = held.iter().map(loss).fold(f64::INFINITY, f64::min);
            assert!((loss(&found) - least).abs() < 1e-8, "{} and {least}", loss(&found));
        }
    }
}
