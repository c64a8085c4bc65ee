//! In: scaled rows and labels. Out: weights near the minimum, for one penalty after another. Next: solver.
//!
//! Many fits on the same rows share their curvature. With p = p(1) - p(-1) and s = p(1) + p(-1), the second derivatives
//! of the mean loss are mean((s - p^2) x x') for w and mean(s (1 - s) t t') [1 -1; -1 1] for u and v (intercepts as
//! columns of 1). Both factors hardly differ between pairs, so their means times the Gram matrices approximate the
//! Hessian well. The Gram matrices are computed once, for every penalty. Each step then costs one pass over the rows,
//! and few steps are needed. linfa's L-BFGS takes several passes over rows and mirror images per step, and starts from
//! the result.

use linfa_linalg::cholesky::InverseCInplace;
use ndarray::{Array1, Array2, Axis, Slice};

use super::bounds::Bound;
use super::columns::Columns;
use super::design::Design;
use super::weights::{Fitted, Slope, Weights};

/// Keeps the matrices positive definite where columns are constant, and where both intercepts can grow equally.
const RIDGE: f64 = 1e-9;

/// The most pairs that the Gram matrices are computed from.
const MOST_PAIRS: usize = 40_000;

/// Only weights at most this far from a bound may be held by it.
const NEAR: f64 = 0.01;

/// How often a step that increases the loss is halved.
const HALVINGS: usize = 20;

/// Pairs, with the Gram matrices of their columns.
pub struct Descent<'d> {
    design: &'d Design,
    /// Weighted mean of x x': (features of a hypothesis, features of a hypothesis).
    x: Array2<f64>,
    /// Weighted mean of t t', with a last column of 1 in t: (features of a pair + 1, features of a pair + 1).
    t: Array2<f64>,
}

impl<'d> Descent<'d> {
    /// Computes the Gram matrices; of many pairs, from an evenly spaced subset: they only determine the size of steps.
    pub fn new(design: &'d Design) -> Self {
        let step = design.len().div_ceil(MOST_PAIRS).max(1);
        let rows = design.rows.slice_axis(Axis(0), Slice::new(0, None, step as isize));
        let (x, t) = rows.split_at(Axis(1), design.hypothesis_columns);
        let pair_columns = t.ncols();
        let t = Array2::from_shape_fn((rows.nrows(), pair_columns + 1), |(pair, column)| {
            if column < pair_columns { t[[pair, column]] } else { 1.0 }
        });
        let weights: Array1<f64> = design.weights.iter().step_by(step).copied().collect();
        let weights = (&weights / weights.sum()).insert_axis(Axis(1));
        Self { design, x: x.t().dot(&(&x * &weights)), t: t.t().dot(&(&t * &weights)) }
    }

    /// The same for a design with a subset of the columns.
    pub fn narrowed<'n>(&self, design: &'n Design, columns: &Columns) -> Descent<'n> {
        let with_intercept: Vec<usize> = columns.pair.iter().copied().chain([self.t.nrows() - 1]).collect();
        let part = |gram: &Array2<f64>, columns: &[usize]| gram.select(Axis(0), columns).select(Axis(1), columns);
        Descent { design, x: part(&self.x, &columns.hypothesis), t: part(&self.t, &with_intercept) }
    }

    /// The descent from `start`, which comes first; it ends when no step reduces the loss.
    ///
    /// Projected Newton steps: weights that are pushed against a bound, at or near it, take a scaled gradient step
    /// each, the others a joint Newton step, and all stop at their bounds. Bertsekas 1982, "Projected Newton Methods
    /// for Optimization Problems with Simple Constraints", section 2.
    pub fn path(&self, penalty: f64, start: Weights, bounds: &[Bound]) -> impl Iterator<Item = Fitted> {
        let start = start.within(bounds);
        let curvature = self.curvature(&start, penalty);
        let first = start.slope(self.design, penalty);
        let mut inverses: Option<Inverses> = None;
        let next = move |(weights, slope): &(Weights, Slope)| {
            let near = slope.norm(weights, bounds).min(NEAR);
            let moving = weights.moving(&slope.gradient, bounds, near);
            if inverses.as_ref().is_none_or(|known| known.moving != moving) {
                inverses = curvature.inverses(moving);
            }
            self.next(weights, slope, inverses.as_ref()?, Problem { penalty, bounds })
        };
        let way = std::iter::successors(Some((start, first)), next);
        way.map(|(weights, slope)| Fitted::at(weights, &slope, bounds))
    }

    /// The next weights, whose loss is not higher; `None` if no halved step reaches any.
    fn next(&self, at: &Weights, slope: &Slope, inverses: &Inverses, of: Problem<'_>) -> Option<(Weights, Slope)> {
        let step = inverses.step(&slope.gradient);
        let mut share = 1.0;
        (0..HALVINGS).find_map(|_| {
            let next = at.less(&step, share).within(of.bounds);
            share *= 0.5;
            let next_slope = next.slope(self.design, of.penalty);
            (next_slope.loss <= slope.loss).then_some((next, next_slope))
        })
    }

    /// The second derivatives at some weights.
    fn curvature(&self, at: &Weights, penalty: f64) -> Curvature {
        let (mut x_factor, mut t_factor) = (0.0, 0.0);
        for (pair, weight) in self.design.weights.iter().enumerate() {
            let (x, t) = self.design.split(pair);
            let [first, tie, second] = at.probabilities(x, t).0;
            x_factor += weight * (first + second - (first - second).powi(2));
            t_factor += weight * tie * (first + second);
        }
        let ridge = 2.0 * penalty + RIDGE;
        let mut x = &self.x * x_factor;
        x.diag_mut().mapv_inplace(|value| value + ridge);
        Curvature { x, t: self.design.has_ties().then(|| self.of_ties(penalty, t_factor)) }
    }

    /// Second derivatives by u, c, v and b.
    fn of_ties(&self, penalty: f64, factor: f64) -> Array2<f64> {
        let size = self.t.nrows();
        Array2::from_shape_fn((2 * size, 2 * size), |(row, column)| {
            let sign = if (row < size) == (column < size) { factor } else { -factor };
            let ridge = match (row == column, row % size == size - 1) {
                (false, _) => 0.0,
                (true, true) => RIDGE,
                (true, false) => {
                    if row < size {
                        2.0 * penalty
                    } else {
                        penalty
                    }
                }
            };
            sign * self.t[[row % size, column % size]] + ridge
        })
    }
}

/// The penalty and bounds of a minimisation.
#[derive(Clone, Copy)]
struct Problem<'b> {
    penalty: f64,
    bounds: &'b [Bound],
}

/// Second derivatives by w, and by u, c, v and b if there are ties.
struct Curvature {
    x: Array2<f64>,
    t: Option<Array2<f64>>,
}

impl Curvature {
    /// `None` if a matrix is not positive definite, which the ridge prevents.
    fn inverses(&self, moving: Vec<usize>) -> Option<Inverses> {
        let t = match &self.t {
            Some(t) => Some(t.clone().invc_inplace().ok()?),
            None => None,
        };
        let x = self.x.select(Axis(0), &moving).select(Axis(1), &moving).invc_inplace().ok()?;
        Some(Inverses { moving, x, diagonal: self.x.diag().to_vec(), t })
    }
}

/// The inverse second derivatives, by which gradients are multiplied.
struct Inverses {
    /// The columns of x whose weights move together.
    moving: Vec<usize>,
    x: Array2<f64>,
    /// The second derivative by each weight, for those that move alone.
    diagonal: Vec<f64>,
    /// Of u, c, v and b; `None` without ties, where they stay as they are.
    t: Option<Array2<f64>>,
}

impl Inverses {
    /// The Newton step. `gradient` is with respect to linfa's parameters, which hold w, u and c twice.
    fn step(&self, gradient: &Weights) -> Weights {
        let moving: Array1<f64> = self.moving.iter().map(|&column| 2.0 * gradient.hypothesis[column]).collect();
        let mut step = Weights::zero(gradient.hypothesis.len(), gradient.tie.len());
        let alone = gradient.hypothesis.iter().zip(&self.diagonal).map(|(gradient, second)| 2.0 * gradient / second);
        step.hypothesis = alone.collect();
        for (&column, value) in self.moving.iter().zip(self.x.dot(&moving)) {
            step.hypothesis[column] = value;
        }
        if let Some(inverse) = &self.t {
            let decided = gradient.decided.iter().chain([&gradient.decided_intercept]).map(|value| 2.0 * value);
            let tie = gradient.tie.iter().copied().chain([gradient.tie_intercept]);
            let t = inverse.dot(&decided.chain(tie).collect::<Array1<f64>>()).to_vec();
            let (decided, tie) = t.split_at(gradient.tie.len() + 1);
            (step.decided, step.decided_intercept) =
                (decided[..decided.len() - 1].to_vec(), decided[decided.len() - 1]);
            (step.tie, step.tie_intercept) = (tie[..tie.len() - 1].to_vec(), tie[tie.len() - 1]);
        }
        step
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::judgments::Verdict;
    use crate::learners::logistic::solver::Trainer;

    fn design(labels: [Verdict; 6]) -> Design {
        let rows = [
            [0.5, -0.2, 1.0],
            [1.1, 0.3, -1.0],
            [-0.7, 0.1, 0.2],
            [-0.2, -0.9, 0.4],
            [0.3, 0.8, -0.3],
            [0.1, 0.1, -0.3],
        ];
        let rows = Array2::from_shape_fn((6, 3), |(row, column)| rows[row][column]);
        let bounds = vec![Bound::Free; 2];
        Design { rows, hypothesis_columns: 2, bounds, labels: labels.to_vec(), weights: vec![1.0 / 6.0; 6] }
    }

    #[test]
    fn the_gradient_vanishes() {
        use Verdict::{First, Second, Tie};
        for labels in [[First, First, Second, Tie, First, Second], [First, First, Second, Second, First, Second]] {
            let design = design(labels);
            let trainer = Trainer::new(&design).unwrap();
            for penalty in [1.0, 0.1, 0.01] {
                let found = trainer.approach(penalty, 1e-6, None);
                let slope = found.weights.slope(&design, penalty);
                let norm = slope.norm(&found.weights, &design.bounds);
                assert!(norm < 1e-6, "{norm}");
                let origin = trainer.approach(penalty, f64::INFINITY, None);
                assert!(slope.loss < origin.weights.slope(&design, penalty).loss);
            }
        }
    }

    #[test]
    fn the_gradient_is_the_slope_of_the_loss() {
        use Verdict::{First, Second, Tie};
        let design = design([First, First, Second, Tie, First, Tie]);
        let weights = Trainer::new(&design).unwrap().approach(0.1, 0.05, None).weights;
        let slope = weights.slope(&design, 0.1);
        let mut beside = weights.clone();
        beside.hypothesis[0] += 1e-6;
        // w occurs twice among linfa's parameters.
        let expected = (beside.slope(&design, 0.1).loss - slope.loss) / 1e-6;
        assert!((2.0 * slope.gradient.hypothesis[0] - expected).abs() < 1e-5);
        let mut beside = weights.clone();
        beside.tie[0] += 1e-6;
        let expected = (beside.slope(&design, 0.1).loss - slope.loss) / 1e-6;
        assert!((slope.gradient.tie[0] - expected).abs() < 1e-5);
    }
}
