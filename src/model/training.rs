//! Stage 5c. In: scaled rows and labels. Out: weights. Next: weights.
//!
//! The only place that knows linfa.

use linfa::DatasetBase;
use linfa::traits::Fit;
use linfa_logistic::MultiLogisticRegression;
use ndarray::{Array1, Array2};

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

/// How exactly a minimum is wanted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Precision {
    /// In double precision, to the settings' tolerance.
    Exact,
    /// In single precision and to ten times the tolerance: good enough to compare penalties, in less than half the time.
    Rough,
}

/// Mirrored pairs, ready to be fitted with one penalty after another.
pub struct Trainer<'d> {
    design: &'d Design,
    rows: Rows,
    labels: Array1<usize>,
}

/// (2 pairs, columns), in the precision that is wanted.
enum Rows {
    Exact(Array2<f64>),
    Rough(Array2<f32>),
}

/// What linfa finds.
struct Solution {
    /// (columns, classes).
    weights: Array2<f64>,
    /// One a class.
    intercepts: Array1<f64>,
    classes: Vec<usize>,
}

/// Lets linfa-logistic fit in one precision; its trait for both is private.
macro_rules! solve {
    ($number:ty, $rows:expr, $labels:expr, $penalty:expr, $tolerance:expr, $settings:expr, $start:expr) => {{
        // linfa minimises the sum over rows + alpha/2 |W|^2, and compares its tolerance with the gradient of that.
        let count = $labels.len() as f64;
        let mut solver = MultiLogisticRegression::<$number>::default()
            .alpha(($penalty * count) as $number)
            .gradient_tolerance(($tolerance * count) as $number)
            .max_iterations($settings.max_iterations());
        if let Some(start) = $start {
            solver = solver.initial_params(start.mapv(|value: f64| value as $number));
        }
        let fitted = solver.fit(&DatasetBase::new($rows.view(), $labels.view()));
        fitted.map(|fitted| Solution {
            weights: fitted.params().mapv(f64::from),
            intercepts: fitted.intercept().mapv(f64::from),
            classes: fitted.classes().to_vec(),
        })
    }};
}

impl<'d> Trainer<'d> {
    /// Mirrors the pairs.
    ///
    /// # Errors
    /// No pair in which one hypothesis is preferred: nothing can be learned.
    pub fn new(design: &'d Design, precision: Precision) -> Result<Self> {
        if design.labels.iter().all(|&label| label == Verdict::Tie) {
            return Err(Error::invalid(
                "training",
                "pairs of which one hypothesis is preferred",
                if design.is_empty() { "no pair" } else { "only ties" },
                "add judgments with the labels 1 and -1",
            ));
        }
        let (rows, labels) = design.mirrored();
        let rows = match precision {
            Precision::Exact => Rows::Exact(rows),
            Precision::Rough => Rows::Rough(rows.mapv(|value| value as f32)),
        };
        Ok(Self { design, rows, labels: labels.into_iter().map(Verdict::index).collect() })
    }

    /// Multinomial logistic regression: the minimum of mean log loss + penalty/2 |W|^2, intercepts free.
    ///
    /// Starts from `start`, the optimum of a similar problem. linfa-logistic 0.8.1 does not tell whether it converged, so
    /// the gradient is computed here.
    ///
    /// # Errors
    /// It does not converge within the settings' iterations.
    pub fn fit(&self, penalty: f64, settings: &CheckedSettings, start: Option<&Weights>) -> Result<Fitted> {
        let start = start.map(|start| start.to_linfa(self.design.labels.contains(&Verdict::Tie)));
        let (solution, tolerance) = match &self.rows {
            Rows::Exact(rows) => {
                let tolerance = settings.tolerance();
                (solve!(f64, rows, self.labels, penalty, tolerance, settings, &start), tolerance)
            }
            Rows::Rough(rows) => {
                let tolerance = 10.0 * settings.tolerance();
                (solve!(f32, rows, self.labels, penalty, tolerance, settings, &start), tolerance)
            }
        };
        let solution = solution.map_err(|error| failed("a solution", &error.to_string()))?;
        let weights = Weights::from_linfa(&solution, self.design.hypothesis_columns);
        let gradient = weights.gradient(self.design, penalty);
        // Making the weights symmetric and leaving the line search early may cost a little; ten times is a failure.
        if gradient > 10.0 * tolerance {
            return Err(failed(&format!("a gradient below {tolerance:.0e}"), &format!("{gradient:.1e}")));
        }
        Ok(Fitted { weights, gradient })
    }
}

fn failed(expected: &str, found: &str) -> Error {
    Error::invalid("training", expected, found, "allow more iterations, or a stronger penalty")
}

impl Weights {
    /// Takes what is symmetric of a fitted model and drops what the solver left of asymmetry.
    fn from_linfa(fitted: &Solution, hypothesis_columns: usize) -> Self {
        let class = |verdict: Verdict| fitted.classes.iter().position(|&class| class == verdict.index());
        let column = |verdict: Verdict| match class(verdict) {
            Some(at) => (fitted.weights.column(at).to_vec(), fitted.intercepts[at]),
            None => (vec![0.0; fitted.weights.nrows()], NEVER),
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

    /// The norm of the gradient, with respect to linfa's parameters, of the mean penalised loss over mirrored pairs.
    ///
    /// At symmetric weights a pair and its mirror image contribute alike, so one pass over the pairs is enough. With
    /// e = p - y for each class: of w and -w half the mean of (e(1) - e(-1)) x, of u half the mean of (e(1) + e(-1)) t,
    /// of v the mean of e(0) t, and of the intercepts likewise; 1 and -1 count twice, once for each class.
    fn gradient(&self, design: &Design, penalty: f64) -> f64 {
        let pairs = design.len() as f64;
        let mut of = Self {
            hypothesis: self.hypothesis.iter().map(|weight| penalty * weight).collect(),
            decided: self.decided.iter().map(|weight| penalty * weight).collect(),
            tie: self.tie.iter().map(|weight| penalty * weight).collect(),
            decided_intercept: 0.0,
            tie_intercept: 0.0,
        };
        for (pair, label) in design.labels.iter().enumerate() {
            let (x, t) = design.split(pair);
            let mut error = self.probabilities(x, t).0.map(|probability| probability / pairs);
            error[label.index()] -= 1.0 / pairs;
            let [first, tie, second] = error;
            of.hypothesis.iter_mut().zip(x).for_each(|(sum, x)| *sum += 0.5 * (first - second) * x);
            of.decided.iter_mut().zip(t).for_each(|(sum, t)| *sum += 0.5 * (first + second) * t);
            of.tie.iter_mut().zip(t).for_each(|(sum, t)| *sum += tie * t);
            of.decided_intercept += 0.5 * (first + second);
            of.tie_intercept += tie;
        }
        let squares = |values: &[f64]| values.iter().map(|value| value * value).sum::<f64>();
        let twice = squares(&of.hypothesis) + squares(&of.decided) + of.decided_intercept.powi(2);
        let tie = if self.tie_intercept == NEVER { 0.0 } else { squares(&of.tie) + of.tie_intercept.powi(2) };
        (2.0 * twice + tie).sqrt()
    }
}
