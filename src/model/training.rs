//! Stage 5c. In: scaled rows and labels. Out: weights. Next: weights.
//!
//! The only place that knows linfa-logistic.

use linfa::Dataset;
use linfa::traits::Fit;
use linfa_logistic::{MultiFittedLogisticRegression, MultiLogisticRegression};
use ndarray::{Array1, Array2, ArrayView1};

use super::descent::Descent;
use super::design::Design;
use super::settings::CheckedSettings;
use super::weights::Weights;
use crate::error::{Error, Result};
use crate::judgments::Verdict;

/// The logit of a verdict that nobody gave in training: it is never predicted.
const NEVER: f64 = -30.0;

/// A penalty's optimum.
#[derive(Debug, Clone, PartialEq)]
pub struct Fitted {
    /// The weights.
    pub weights: Weights,
    /// The norm of the gradient of the mean penalised loss at the weights: how far from the optimum they are.
    pub gradient: f64,
}

/// Mirrored pairs, ready to be fitted with one penalty after another.
pub struct Trainer<'d> {
    design: &'d Design,
    descent: Descent<'d>,
}

/// Steps of the descent from which the solver starts.
const STEPS: usize = 50;

impl<'d> Trainer<'d> {
    /// Looks at the pairs.
    ///
    /// # Errors
    /// No pair in which one hypothesis is preferred: nothing can be learned.
    pub fn new(design: &'d Design) -> Result<Self> {
        if design.labels.iter().all(|&label| label == Verdict::Tie) {
            return Err(Error::invalid(
                "training",
                "pairs of which one hypothesis is preferred",
                if design.is_empty() { "no pair" } else { "only ties" },
                "add judgments with the labels 1 and -1",
            ));
        }
        Ok(Self { design, descent: Descent::new(design) })
    }

    /// Weights near the minimum: good enough to compare penalties, or to start from.
    pub fn approach(&self, penalty: f64, tolerance: f64, start: Option<&Weights>) -> Weights {
        let start = start.cloned().unwrap_or_else(|| self.origin());
        self.descent.minimise(penalty, tolerance, STEPS, start)
    }

    /// Weights of zero, but for what nobody said.
    fn origin(&self) -> Weights {
        let columns = self.design.hypothesis_columns;
        let zero = Weights::zero(columns, self.design.rows.ncols() - columns);
        if self.has_ties() { zero } else { Weights { tie_intercept: NEVER, ..zero } }
    }

    fn has_ties(&self) -> bool {
        self.design.labels.contains(&Verdict::Tie)
    }

    /// Multinomial logistic regression: the minimum of mean log loss + penalty/2 |W|^2, intercepts free.
    ///
    /// Starts near the minimum, approached from `start`, the optimum of a similar problem. linfa-logistic 0.8.1 does not
    /// tell whether it converged, so the gradient is computed here.
    ///
    /// # Errors
    /// It does not converge within the settings' iterations.
    pub fn fit(&self, penalty: f64, settings: &CheckedSettings, start: Option<&Weights>) -> Result<Fitted> {
        let start = self.approach(penalty, 0.5 * settings.tolerance(), start);
        let (rows, labels) = self.design.mirrored();
        let labels: Array1<usize> = labels.into_iter().map(Verdict::index).collect();
        let count = labels.len() as f64;
        // linfa minimises the sum over rows + alpha/2 |W|^2, and compares its tolerance with the gradient of that.
        let solver = MultiLogisticRegression::default()
            .alpha(penalty * count)
            .gradient_tolerance(settings.tolerance() * count)
            .max_iterations(settings.max_iterations())
            .initial_params(start.to_linfa(self.has_ties()));
        let fitted =
            solver.fit(&Dataset::new(rows, labels)).map_err(|error| failed("a solution", &error.to_string()))?;
        let weights = Weights::from_linfa(&fitted, self.design.hypothesis_columns);
        let gradient = weights.slope(self.design, penalty).gradient.linfa_norm();
        // Making the weights symmetric and leaving the line search early may cost a little; ten times is a failure.
        if gradient > 10.0 * settings.tolerance() {
            return Err(failed(&format!("a gradient below {:.0e}", settings.tolerance()), &format!("{gradient:.1e}")));
        }
        Ok(Fitted { weights, gradient })
    }
}

fn failed(expected: &str, found: &str) -> Error {
    Error::invalid("training", expected, found, "allow more iterations, or a stronger penalty")
}

impl Weights {
    /// Takes what is symmetric of a fitted model and drops what the solver left of asymmetry.
    fn from_linfa(fitted: &MultiFittedLogisticRegression<f64, usize>, hypothesis_columns: usize) -> Self {
        let class = |verdict: Verdict| fitted.classes().iter().position(|&class| class == verdict.index());
        let column = |verdict: Verdict| match class(verdict) {
            Some(at) => (fitted.params().column(at).to_vec(), fitted.intercept()[at]),
            None => (vec![0.0; fitted.params().nrows()], NEVER),
        };
        let (first, first_intercept) = column(Verdict::First);
        let (tie, tie_intercept) = column(Verdict::Tie);
        let (second, second_intercept) = column(Verdict::Second);
        let half = |sign: f64| move |(a, b): (&f64, &f64)| 0.5 * (a + sign * b);
        let (x, t) = (..hypothesis_columns, hypothesis_columns..);
        Self {
            hypothesis: first[x].iter().zip(&second[x]).map(half(-1.0)).collect(),
            decided: first[t.clone()].iter().zip(&second[t.clone()]).map(half(1.0)).collect(),
            tie: tie[t].to_vec(),
            decided_intercept: 0.5 * (first_intercept + second_intercept),
            tie_intercept,
        }
    }

    /// The parameters as linfa has them: (columns + 1, classes), the intercepts in the last row.
    fn to_linfa(&self, has_ties: bool) -> Array2<f64> {
        let column = |sign: f64| {
            let x = self.hypothesis.iter().map(move |weight| sign * weight);
            x.chain(self.decided.iter().copied()).chain([self.decided_intercept])
        };
        let x = self.hypothesis.iter().map(|_| 0.0);
        let tie = x.chain(self.tie.iter().copied()).chain([self.tie_intercept]);
        let mut columns = vec![column(1.0).collect::<Vec<_>>()];
        columns.extend(has_ties.then(|| tie.collect()));
        columns.push(column(-1.0).collect());
        Array2::from_shape_fn((columns[0].len(), columns.len()), |(row, class)| columns[class][row])
    }

    /// The mean penalised loss over mirrored pairs, and its gradient with respect to linfa's parameters.
    ///
    /// At symmetric weights a pair and its mirror image contribute alike, so one pass over the pairs is enough. With
    /// e = p - y for each class: of w and -w half the mean of (e(1) - e(-1)) x, of u half the mean of (e(1) + e(-1)) t,
    /// of v the mean of e(0) t, and of the intercepts likewise.
    pub(super) fn slope(&self, design: &Design, penalty: f64) -> Slope {
        let pairs = design.len() as f64;
        let mut of = Self {
            hypothesis: self.hypothesis.iter().map(|weight| penalty * weight).collect(),
            decided: self.decided.iter().map(|weight| penalty * weight).collect(),
            tie: self.tie.iter().map(|weight| penalty * weight).collect(),
            decided_intercept: 0.0,
            tie_intercept: 0.0,
        };
        let squares = |values: &[f64]| values.iter().map(|value| value * value).sum::<f64>();
        let norms = 2.0 * squares(&self.hypothesis) + 2.0 * squares(&self.decided) + squares(&self.tie);
        let mut loss = 0.5 * penalty * norms;
        for (pair, label) in design.labels.iter().enumerate() {
            let (x, t) = design.split(pair);
            let given = self.probabilities(x, t);
            loss -= given.of(*label).max(f64::MIN_POSITIVE).ln() / pairs;
            let mut error = given.0.map(|probability| probability / pairs);
            error[label.index()] -= 1.0 / pairs;
            let [first, tie, second] = error;
            add(&mut of.hypothesis, 0.5 * (first - second), x);
            add(&mut of.decided, 0.5 * (first + second), t);
            add(&mut of.tie, tie, t);
            of.decided_intercept += 0.5 * (first + second);
            of.tie_intercept += tie;
        }
        Slope { loss, gradient: of }
    }

    /// As a gradient: its norm over linfa's parameters, among which all but those of a tie stand twice. The tie's do not
    /// count where nobody said tie.
    pub(super) fn linfa_norm(&self) -> f64 {
        let squares = |values: &[f64]| values.iter().map(|value| value * value).sum::<f64>();
        let twice = squares(&self.hypothesis) + squares(&self.decided) + self.decided_intercept.powi(2);
        (2.0 * twice + squares(&self.tie) + self.tie_intercept.powi(2)).sqrt()
    }

    /// These weights less a share of others.
    pub(super) fn less(&self, step: &Self, share: f64) -> Self {
        let less = |own: &[f64], step: &[f64]| own.iter().zip(step).map(|(own, step)| own - share * step).collect();
        Self {
            hypothesis: less(&self.hypothesis, &step.hypothesis),
            decided: less(&self.decided, &step.decided),
            tie: less(&self.tie, &step.tie),
            decided_intercept: self.decided_intercept - share * step.decided_intercept,
            tie_intercept: self.tie_intercept - share * step.tie_intercept,
        }
    }
}

/// Where the loss stands, and where it rises.
pub(super) struct Slope {
    pub(super) loss: f64,
    pub(super) gradient: Weights,
}

fn add(sums: &mut [f64], factor: f64, values: ArrayView1<'_, f64>) {
    sums.iter_mut().zip(values).for_each(|(sum, value)| *sum += factor * value);
}
