//! The fit without linfa-logistic: Newton's method with bounds, on the pairs without their mirror images.
//!
//! At the minimum v = -2u and b = -2c, since the three classes share a penalty and a constant that is added to all logits has no
//! effect. So the loss is a function of w and of (u, c) alone: d + 1 parameters, where linfa-logistic has three times as many and
//! twice the rows. With p the probabilities of a pair, s = p(1) + p(-1) and e = p(1) - p(-1), its Hessian is the mean of
//!
//! ```text
//! (s - e^2) x x'      3 e p(0) x t'
//!                     9 s p(0) t t'
//! ```
//!
//! plus the penalty, 2 for w and 6 for u. D. P. Bertsekas, "Projected Newton methods for optimization problems with simple
//! constraints" (1982), is the method: weights at a bound that the loss pushes against it are held, the others make Newton's step,
//! which is cut off at their bounds.

use linfa_linalg::cholesky::SolveC;
use ndarray::linalg::general_mat_mul;
use ndarray::{Array1, Array2, Axis};

use super::design::{Columns, Design};
use super::weights::{ABSENT_CLASS_LOGIT, LossAndGradient, Weights};
use crate::judgments::Probabilities;

/// The number of rows of a product of matrices: they stay in the processor's cache.
const BLOCK: usize = 256;

/// A Hessian is used again while each step makes the gradient this much smaller.
const GAIN: f64 = 0.25;

/// The part of the decrease that the gradient promises, with which a step is accepted.
const SUFFICIENT: f64 = 1e-4;

/// The relative error of a loss.
const ROUNDING: f64 = 1e-14;

/// The most times that a step is halved.
const MAX_HALVINGS: usize = 40;

/// Makes the Hessian positive definite where a column is the same for all pairs.
const RIDGE: f64 = 1e-9;

/// When a fit ends.
#[derive(Debug, Clone, Copy)]
pub(super) struct Stop {
    /// The largest norm of the gradient of the mean loss.
    pub(super) tolerance: f64,
    /// The most iterations of either solver.
    pub(super) max_iterations: u64,
    /// Whether linfa-logistic makes the last steps, where pairs have equal weights. A fit to choose by goes without.
    pub(super) is_final: bool,
}

/// Weights, and how far they are from the optimum.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Fitted {
    pub(super) weights: Weights,
    /// The norm of the gradient of the mean penalised loss, without the weights that are held by their bounds.
    pub(super) gradient: f64,
    /// The columns whose weights are not held.
    pub(super) free: Columns,
}

/// Goes from `start`, which is within the bounds, towards the least loss: until `stop`, or until no step makes the loss smaller.
pub(super) fn minimise(design: &Design, penalty: f64, stop: Stop, start: &Weights) -> Fitted {
    let problem = Problem { design, penalty, has_ties: design.has_ties() };
    let mut at = problem.reduced(start);
    let mut found = problem.at(&at);
    let mut hessian: Option<(Vec<usize>, Array2<f64>)> = None;
    for _ in 0..stop.max_iterations {
        if found.norm <= stop.tolerance {
            break;
        }
        let curvature = match hessian.take() {
            Some((free, hessian)) if free == found.free => hessian,
            _ => problem.hessian(&found),
        };
        let Some(next) = problem.step(&at, &found, &curvature) else { break };
        if next.1.norm <= GAIN * found.norm {
            hessian = Some((found.free, curvature));
        }
        (at, found) = next;
    }
    Fitted { weights: problem.weights(&at), gradient: found.norm, free: problem.columns(&found.free) }
}

struct Problem<'d> {
    design: &'d Design,
    penalty: f64,
    has_ties: bool,
}

/// What is known of the loss at some parameters.
struct Found {
    loss: f64,
    gradient: Vec<f64>,
    /// The norm of the gradient of all classes, without the weights that are held.
    norm: f64,
    /// The parameters that can move.
    free: Vec<usize>,
    given: Vec<Probabilities>,
}

impl Problem<'_> {
    /// w, u and c.
    fn reduced(&self, weights: &Weights) -> Vec<f64> {
        let mut all = weights.hypothesis.clone();
        if self.has_ties {
            all.extend(weights.decided.iter().zip(&weights.tie).map(|(decided, tie)| (decided - tie) / 3.0));
            all.push((weights.decided_intercept - weights.tie_intercept) / 3.0);
        }
        all
    }

    /// The inverse of [`Self::reduced`].
    fn weights(&self, at: &[f64]) -> Weights {
        let columns = self.design.hypothesis_columns;
        let (w, u) = at.split_at(columns);
        let mut weights = Weights::zero(columns, self.design.rows.ncols() - columns);
        weights.hypothesis = w.to_vec();
        match u.split_last() {
            None => weights.tie_intercept = ABSENT_CLASS_LOGIT,
            Some((c, u)) => {
                weights.decided = u.to_vec();
                weights.tie = u.iter().map(|u| -2.0 * u).collect();
                (weights.decided_intercept, weights.tie_intercept) = (*c, -2.0 * c);
            }
        }
        weights
    }

    /// The columns of the weights that can move.
    fn columns(&self, free: &[usize]) -> Columns {
        let hypothesis = free.iter().copied().filter(|&column| column < self.design.hypothesis_columns).collect();
        Columns { hypothesis, ..self.design.columns() }
    }

    fn at(&self, at: &[f64]) -> Found {
        let LossAndGradient { loss, gradient, given } = self.weights(at).loss_and_gradient(self.design, self.penalty);
        let bounds = &self.design.bounds;
        let is_held =
            |column: usize| column < bounds.len() && bounds[column].holds(at[column], gradient.hypothesis[column]);
        let free: Vec<usize> = (0..at.len()).filter(|&column| !is_held(column)).collect();
        let mut all: Vec<f64> = gradient.hypothesis.iter().map(|value| 2.0 * value).collect();
        if self.has_ties {
            all.extend(gradient.decided.iter().zip(&gradient.tie).map(|(decided, tie)| 2.0 * (decided - tie)));
            all.push(2.0 * (gradient.decided_intercept - gradient.tie_intercept));
        }
        let squares = free.iter().map(|&column| all[column] * all[column] / self.scale(column)).sum::<f64>();
        Found { loss, gradient: all, norm: squares.sqrt(), free, given }
    }

    /// The square of the gradient of a parameter as a multiple of the sum of those of the classes: 2 for w, which stands for w and
    /// -w; 6 for u, which stands for u, -2u and u. The penalty is this multiple, too.
    fn scale(&self, column: usize) -> f64 {
        if column < self.design.hypothesis_columns { 2.0 } else { 6.0 }
    }

    /// The Hessian of the parameters that can move.
    fn hessian(&self, found: &Found) -> Array2<f64> {
        let last = self.design.rows.ncols();
        let (x, t) = found.free.split_at(found.free.partition_point(|&column| column < self.design.hypothesis_columns));
        let mut of_x = Array2::zeros((x.len(), x.len()));
        let mut of_both = Array2::zeros((x.len(), t.len()));
        let mut of_t = Array2::zeros((t.len(), t.len()));
        let rows = self.design.rows.axis_chunks_iter(Axis(0), BLOCK);
        let given = found.given.chunks(BLOCK).zip(self.design.weights.chunks(BLOCK));
        for (rows, (given, weights)) in rows.zip(given) {
            let value = |row: usize, column: usize| if column < last { rows[[row, column]] } else { 1.0 };
            let part = |columns: &[usize]| {
                Array2::from_shape_fn((rows.nrows(), columns.len()), |(row, at)| value(row, columns[at]))
            };
            let add = |sum: &mut Array2<f64>, one: &Array2<f64>, other: &Array2<f64>, factor: fn([f64; 3]) -> f64| {
                let factors = given.iter().zip(weights).map(|(given, weight)| weight * factor(given.0));
                let factors: Array1<f64> = factors.collect();
                general_mat_mul(1.0, &one.t(), &(other * &factors.insert_axis(Axis(1))), 1.0, sum);
            };
            let (x, t) = (part(x), part(t));
            add(&mut of_x, &x, &x, |[first, _, second]| first + second - (first - second).powi(2));
            add(&mut of_both, &x, &t, |[first, tie, second]| 3.0 * (first - second) * tie);
            add(&mut of_t, &t, &t, |[first, tie, second]| 9.0 * (first + second) * tie);
        }
        Array2::from_shape_fn((found.free.len(), found.free.len()), |(row, column)| {
            let (low, high) = (row.min(column), row.max(column));
            let sum = match (low.checked_sub(x.len()), high.checked_sub(x.len())) {
                (None, None) => of_x[[low, high]],
                (Some(low), Some(high)) => of_t[[low, high]],
                (_, high) => of_both[[low, high.unwrap_or_default()]],
            };
            let is_penalised = row == column && found.free[row] < last;
            sum + if is_penalised { self.penalty * self.scale(found.free[row]) } else { 0.0 }
                + if row == column { RIDGE } else { 0.0 }
        })
    }

    /// Newton's step, halved until the loss decreases; none if it does not.
    fn step(&self, at: &[f64], found: &Found, hessian: &Array2<f64>) -> Option<(Vec<f64>, Found)> {
        let step = self.direction(at, found, hessian)?;
        let mut factor = 1.0;
        for _ in 0..MAX_HALVINGS {
            let mut next = at.to_vec();
            found.free.iter().zip(&step).for_each(|(&column, step)| next[column] += factor * step);
            for (value, bound) in next.iter_mut().zip(&self.design.bounds) {
                *value = bound.nearest(*value);
            }
            let slope: f64 =
                found.free.iter().map(|&column| found.gradient[column] * (next[column] - at[column])).sum();
            let after = self.at(&next);
            if slope < 0.0 && after.loss <= found.loss * (1.0 + ROUNDING) + SUFFICIENT * slope {
                return Some((next, after));
            }
            factor *= 0.5;
        }
        None
    }

    /// Newton's direction of the parameters that can move; 0 for those at a bound that it would push out.
    fn direction(&self, at: &[f64], found: &Found, hessian: &Array2<f64>) -> Option<Vec<f64>> {
        let mut moving: Vec<usize> = (0..found.free.len()).collect();
        loop {
            let mut curvature = hessian.select(Axis(0), &moving).select(Axis(1), &moving);
            let down = Array2::from_shape_fn((moving.len(), 1), |(row, _)| -found.gradient[found.free[moving[row]]]);
            let solved = curvature.solvec(&down).ok()?;
            let is_pushed_out = |column: usize, step: f64| {
                let bound = self.design.bounds.get(column);
                at[column] == 0.0 && bound.is_some_and(|bound| bound.nearest(step) != step)
            };
            let (kept, out): (Vec<usize>, Vec<usize>) =
                (0..moving.len()).partition(|&row| !is_pushed_out(found.free[moving[row]], solved[[row, 0]]));
            if out.is_empty() {
                let mut step = vec![0.0; found.free.len()];
                moving.iter().zip(&solved).for_each(|(&to, value)| step[to] = *value);
                return Some(step);
            }
            moving = kept.into_iter().map(|row| moving[row]).collect();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::judgments::Verdict;
    use crate::learners::logistic::Bound;

    /// Pairs with three columns of x, of which the first decides, and one of t.
    fn design(pairs: usize) -> Design {
        let noise = |row: usize, salt: usize| ((row * 7919 + salt * 104_729) % 1009) as f64 / 504.0 - 1.0;
        let label = |row: usize| match noise(row, 0) + noise(row, 9) {
            sum if sum > 0.3 => Verdict::First,
            sum if sum < -0.3 => Verdict::Second,
            _ => Verdict::Tie,
        };
        let weights: Vec<f64> = (0..pairs).map(|row| 1.0 + (row % 3) as f64).collect();
        let all: f64 = weights.iter().sum();
        Design {
            rows: Array2::from_shape_fn((pairs, 4), |(row, column)| noise(row, column)),
            hypothesis_columns: 3,
            bounds: vec![Bound::Free; 3],
            labels: (0..pairs).map(label).collect(),
            weights: weights.iter().map(|weight| weight / all).collect(),
        }
    }

    #[test]
    fn the_hessian_is_the_change_of_the_gradient() {
        let design = design(600);
        let problem = Problem { design: &design, penalty: 0.1, has_ties: true };
        let at = [0.7, -0.4, 0.2, 0.5, -0.3];
        let hessian = problem.hessian(&problem.at(&at));
        let step = 1e-5;
        for column in 0..at.len() {
            let [less, more] = [-step, step].map(|step| {
                let mut moved = at;
                moved[column] += step;
                problem.at(&moved).gradient
            });
            for row in 0..at.len() {
                let change = (more[row] - less[row]) / (2.0 * step);
                assert!((hessian[[row, column]] - change).abs() < 1e-6, "{row}, {column}: {hessian} and {change}");
            }
        }
    }
}
