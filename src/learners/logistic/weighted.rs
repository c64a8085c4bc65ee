//! In: pairs with different weights, and parameters to start from. Out: the parameters with the least weighted loss.
//! Next: solver.
//!
//! linfa-logistic 0.8.1 does not support sample weights, and repeating rows in proportion is exact only for integers.
//! This module minimises the weighted loss with the algorithm and library that linfa-logistic uses: L-BFGS with the
//! line search of Moré and Thuente, from argmin. A test compares it with linfa-logistic on repeated rows.

use argmin::core::{CostFunction, Error, Executor, Gradient, State};
use argmin::solver::linesearch::MoreThuenteLineSearch;
use argmin::solver::quasinewton::LBFGS;
use ndarray::Array1;

use super::design::Design;
use super::settings::CheckedLogistic;
use super::weights::Weights;

/// The number of steps that L-BFGS remembers, as in linfa-logistic.
const MEMORY: usize = 10;

struct WeightedLoss<'d> {
    design: &'d Design,
    penalty: f64,
    /// The columns of x whose weights are fitted; all other weights are 0.
    free: &'d [usize],
}

impl WeightedLoss<'_> {
    fn weights(&self, parameters: &Array1<f64>) -> Weights {
        let columns = self.design.hypothesis_columns;
        let pair = self.design.rows.ncols() - columns;
        let found = Weights::from_parameters(parameters.as_slice().unwrap_or_default(), self.free.len(), pair);
        found.among(self.free, columns)
    }
}

impl CostFunction for WeightedLoss<'_> {
    type Param = Array1<f64>;
    type Output = f64;

    fn cost(&self, parameters: &Array1<f64>) -> Result<f64, Error> {
        Ok(self.weights(parameters).slope(self.design, self.penalty).loss)
    }
}

impl Gradient for WeightedLoss<'_> {
    type Param = Array1<f64>;
    type Gradient = Array1<f64>;

    fn gradient(&self, parameters: &Array1<f64>) -> Result<Array1<f64>, Error> {
        let mut gradient = self.weights(parameters).slope(self.design, self.penalty).gradient;
        // The gradient is with respect to linfa's parameters, which hold w, u and c twice.
        gradient.hypothesis.iter_mut().chain(&mut gradient.decided).for_each(|value| *value *= 2.0);
        gradient.decided_intercept *= 2.0;
        if !self.design.has_ties() {
            gradient.tie_intercept = 0.0;
        }
        Ok(gradient.only(self.free).parameters().into())
    }
}

/// The weights with the least weighted loss, or why there are none.
pub(super) fn solve(
    design: &Design,
    penalty: f64,
    settings: &CheckedLogistic,
    start: &Weights,
    free: &[usize],
) -> Result<Weights, String> {
    let loss = WeightedLoss { design, penalty, free };
    let search = || -> Result<Option<Array1<f64>>, Error> {
        let line_search = MoreThuenteLineSearch::new().with_c(1e-4, 0.9)?;
        let solver = LBFGS::new(line_search, MEMORY).with_tolerance_grad(settings.tolerance())?;
        let begin = |state: argmin::core::IterState<_, _, (), (), (), f64>| {
            state.param(start.only(free).parameters().into()).max_iters(settings.max_iterations())
        };
        let result = Executor::new(loss, solver).configure(begin).run()?;
        Ok(result.state().get_best_param().cloned())
    };
    match search() {
        Ok(Some(found)) => Ok(WeightedLoss { design, penalty, free }.weights(&found)),
        Ok(None) => Err("none".to_owned()),
        Err(error) => Err(error.to_string()),
    }
}

impl Weights {
    /// w, u, v, c and b in one list.
    pub(super) fn parameters(&self) -> Vec<f64> {
        let lists = [&self.hypothesis, &self.decided, &self.tie].into_iter().flatten().copied();
        lists.chain([self.decided_intercept, self.tie_intercept]).collect()
    }

    /// The inverse of [`Self::parameters`], for these numbers of features of a hypothesis and of a pair.
    pub(super) fn from_parameters(parameters: &[f64], hypothesis: usize, pair: usize) -> Self {
        let part = |from: usize, count: usize| parameters[from..from + count].to_vec();
        Self {
            hypothesis: part(0, hypothesis),
            decided: part(hypothesis, pair),
            tie: part(hypothesis + pair, pair),
            decided_intercept: parameters[hypothesis + 2 * pair],
            tie_intercept: parameters[hypothesis + 2 * pair + 1],
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parameters_are_read_back() {
        let weights = Weights {
            hypothesis: vec![1.0, 2.0, 3.0],
            decided: vec![4.0, 5.0],
            tie: vec![6.0, 7.0],
            decided_intercept: 8.0,
            tie_intercept: 9.0,
        };
        assert_eq!(Weights::from_parameters(&weights.parameters(), 3, 2), weights);
    }
}
