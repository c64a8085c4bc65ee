//! In: scaled rows and labels. Out: the weights of least loss. Next: judge.
//!
//! The only place that knows linfa-logistic. Where pairs count differently, [`super::weighted`] fits: linfa-logistic
//! 0.8.1 has no weights of rows.

use linfa::Dataset;
use linfa::traits::Fit;
use linfa_logistic::{MultiFittedLogisticRegression, MultiLogisticRegression};
use ndarray::{Array1, Array2};

use super::bounds::Bound;
use super::descent::Descent;
use super::design::Design;
use super::settings::CheckedLogistic;
use super::weighted;
use super::weights::{Fitted, Weights};
use crate::error::{Error, Result};
use crate::judgments::Verdict;

/// The logit of a verdict that nobody gave in training: it is never predicted.
pub(super) const NEVER: f64 = -30.0;

/// Times the tolerance: the least gradient of the weights from which the solver starts, so that the solver and nothing
/// else finds the optimum.
const START: f64 = 100.0;

/// The same for more than [`MANY`] pairs: a pass over them takes long, and linfa takes two or three for each of a dozen
/// steps that it needs from further away.
const NEAR_START: f64 = 3.0;

/// Up to so many pairs time does not matter.
const MANY: usize = 40_000;

/// Steps of the descent, at most.
const STEPS: usize = 50;

/// Fits after each of which further weights may be held at their bounds, at most.
const ROUNDS: usize = 10;

/// Mirrored pairs, ready to be fitted with one penalty after another.
pub struct Trainer<'d> {
    design: &'d Design,
    descent: Descent<'d>,
}

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

    /// Weights near the minimum, good enough to compare penalties.
    pub fn approach(&self, penalty: f64, tolerance: f64, start: Option<&Weights>) -> Fitted {
        let start = start.cloned().unwrap_or_else(|| self.origin());
        let mut last = None;
        for at in self.descent.path(penalty, start, &self.design.bounds).take(STEPS) {
            let is_near = at.gradient < tolerance;
            last = Some(at);
            if is_near {
                break;
            }
        }
        last.unwrap_or_else(|| self.fitted(self.origin(), penalty))
    }

    /// Multinomial logistic regression: the minimum of mean log loss + penalty/2 |W|^2, intercepts free.
    ///
    /// linfa-logistic knows no bounds of weights. At a minimum within bounds some weights are held at 0, and the others
    /// are where the loss without the features of the former is least: a descent finds which are held, linfa-logistic
    /// fits the others. One that then lies out of its bounds is held, too.
    ///
    /// linfa-logistic starts where a rough descent from `start`, the optimum of a similar problem, has a gradient of
    /// still at least a hundred times the tolerance. linfa-logistic 0.8.1 does not tell whether it converged, so the
    /// gradient is computed here.
    ///
    /// # Errors
    /// It does not converge within the settings' iterations.
    pub fn fit(&self, penalty: f64, settings: &CheckedLogistic, start: Option<&Weights>) -> Result<Fitted> {
        let mut weights = self.approach(penalty, settings.tolerance(), start).weights;
        for _ in 0..ROUNDS {
            let free = self.free(&weights, penalty);
            let found = self.fit_some(penalty, settings, start, &free)?;
            weights = found.clone().within(&self.design.bounds);
            if weights == found {
                break;
            }
        }
        let found = self.fitted(weights, penalty);
        // Making the weights symmetric and leaving the line search early may cost a little; ten times is a failure.
        if found.gradient > 10.0 * settings.tolerance() {
            let expected = format!("a gradient below {:.0e}", settings.tolerance());
            return Err(failed(&expected, &format!("{:.1e}", found.gradient)));
        }
        Ok(found)
    }

    /// The least loss without the columns of x that are held at 0.
    fn fit_some(
        &self,
        penalty: f64,
        settings: &CheckedLogistic,
        start: Option<&Weights>,
        free: &[usize],
    ) -> Result<Weights> {
        let times = if self.design.len() > MANY { NEAR_START } else { START };
        let start = self.rough_start(penalty, times * settings.tolerance(), start, free);
        if self.design.counts_all_alike() {
            return self.solve(penalty, settings, &start, free);
        }
        weighted::solve(self.design, penalty, settings, &start, free).map_err(|reason| failed("a solution", &reason))
    }

    /// The columns of x whose weights are not held at 0 near the minimum.
    fn free(&self, near: &Weights, penalty: f64) -> Vec<usize> {
        let gradient = near.slope(self.design, penalty).gradient;
        near.moving(&gradient, &self.design.bounds)
    }

    /// The furthest weights on the way down, of which only those of some columns of x move, whose gradient is at least
    /// so large: on the last step that begins above it.
    fn rough_start(&self, penalty: f64, least: f64, start: Option<&Weights>, free: &[usize]) -> Weights {
        let mut bounds = vec![Bound::Zero; self.design.hypothesis_columns];
        free.iter().for_each(|&column| bounds[column] = Bound::Free);
        let way = |from: Weights| {
            let mut last: Option<Weights> = None;
            for at in self.descent.path(penalty, from, &bounds).take(STEPS) {
                if at.gradient < least {
                    return last.map(|last| self.last_above(penalty, least, [&last, &at.weights], &bounds));
                }
                last = Some(at.weights);
            }
            last
        };
        let near = start.and_then(|start| way(start.clone()));
        near.or_else(|| way(self.origin())).unwrap_or_else(|| self.origin())
    }

    /// Of a few points of a step, the furthest whose gradient is at least so large; that of the first is.
    fn last_above(&self, penalty: f64, least: f64, [from, to]: [&Weights; 2], bounds: &[Bound]) -> Weights {
        let step = from.less(to, 1.0);
        let part = |share: &f64| from.less(&step, *share);
        let is_above = |at: &Weights| at.slope(self.design, penalty).norm(at, bounds) >= least;
        [0.95, 0.9, 0.8, 0.6].iter().map(part).find(is_above).unwrap_or_else(|| from.clone())
    }

    fn solve(&self, penalty: f64, settings: &CheckedLogistic, start: &Weights, free: &[usize]) -> Result<Weights> {
        let (rows, labels) = self.design.mirrored(free);
        let labels: Array1<usize> = labels.into_iter().map(Verdict::index).collect();
        let count = labels.len() as f64;
        // linfa minimises the sum over rows + alpha/2 |W|^2, and compares its tolerance with the gradient of that.
        let solver = MultiLogisticRegression::default()
            .alpha(penalty * count)
            .gradient_tolerance(settings.tolerance() * count)
            .max_iterations(settings.max_iterations())
            .initial_params(start.only(free).to_linfa(self.design.has_ties()));
        let fitted =
            solver.fit(&Dataset::new(rows, labels)).map_err(|error| failed("a solution", &error.to_string()))?;
        Ok(Weights::from_linfa(&fitted, free.len()).among(free, self.design.hypothesis_columns))
    }

    /// Weights of zero, but for what nobody said.
    fn origin(&self) -> Weights {
        let columns = self.design.hypothesis_columns;
        let zero = Weights::zero(columns, self.design.rows.ncols() - columns);
        if self.design.has_ties() { zero } else { Weights { tie_intercept: NEVER, ..zero } }
    }

    fn fitted(&self, weights: Weights, penalty: f64) -> Fitted {
        let gradient = weights.slope(self.design, penalty).norm(&weights, &self.design.bounds);
        Fitted { weights, gradient }
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
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::learners::logistic::LogisticSettings;
    use Verdict::{First, Second, Tie};

    /// The columns of x of the designs here.
    const ALL: [usize; 3] = [0, 1, 2];

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

    fn settings() -> CheckedLogistic {
        LogisticSettings::default().tolerance(1e-6).check().unwrap()
    }

    /// Without linfa's part the weights would be those of the start, and [`Trainer::fit`] would refuse them.
    #[test]
    fn linfa_does_the_fitting() {
        let design = design(&[1.0; 200]);
        let trainer = Trainer::new(&design).unwrap();
        for near in [None, Some(trainer.approach(0.01, 1e-9, None).weights)] {
            let start = trainer.rough_start(0.01, START * 1e-6, near.as_ref(), &ALL);
            let before = start.slope(&design, 0.01);
            assert!(before.norm(&start, &design.bounds) >= START * 1e-6);
            let fitted = trainer.fit(0.01, &settings(), near.as_ref()).unwrap();
            assert!(fitted.gradient < 1e-5, "{}", fitted.gradient);
            assert!(fitted.weights.slope(&design, 0.01).loss < before.loss);
            assert_ne!(fitted.weights, start);
        }
    }

    #[test]
    fn a_fit_reaches_what_linfa_reaches_from_zero() {
        let design = design(&[1.0; 200]);
        let trainer = Trainer::new(&design).unwrap();
        let loss = |weights: &Weights| weights.slope(&design, 0.03).loss;
        let from_zero = trainer.solve(0.03, &settings(), &trainer.origin(), &ALL).unwrap();
        let fitted = trainer.fit(0.03, &settings(), None).unwrap().weights;
        assert!((loss(&fitted) - loss(&from_zero)).abs() < 1e-9);
    }

    /// Whole weights are what linfa makes of repeated rows.
    #[test]
    fn weights_count_as_repeated_rows() {
        let counts: Vec<f64> = (0..120).map(|row| f64::from(row % 3) + 1.0).collect();
        let weighted = design(&counts);
        let repeated: Vec<usize> = (0..120).flat_map(|row| std::iter::repeat_n(row, counts[row] as usize)).collect();
        let copied = Design {
            rows: weighted.rows.select(ndarray::Axis(0), &repeated),
            labels: repeated.iter().map(|&row| weighted.labels[row]).collect(),
            weights: vec![1.0 / repeated.len() as f64; repeated.len()],
            ..weighted.clone()
        };
        let fit = |design: &Design| Trainer::new(design).unwrap().fit(0.02, &settings(), None).unwrap().weights;
        let (one, other) = (fit(&weighted), fit(&copied));
        let loss = |weights: &Weights| weights.slope(&weighted, 0.02).loss;
        assert!((loss(&one) - loss(&other)).abs() < 1e-9);
        for (a, b) in one.hypothesis.iter().zip(&other.hypothesis) {
            assert!((a - b).abs() < 1e-4, "{a} and {b}");
        }
        assert!(!weighted.counts_all_alike() && copied.counts_all_alike());
    }

    /// The least loss within bounds, found by trying which weights are held at 0.
    #[test]
    fn a_fit_stays_within_its_bounds() {
        for counts in [vec![1.0; 200], (0..200).map(|row| f64::from(row % 3) + 1.0).collect()] {
            let bounded =
                Design { bounds: vec![Bound::AtMostZero, Bound::AtLeastZero, Bound::AtMostZero], ..design(&counts) };
            let fitted = Trainer::new(&bounded).unwrap().fit(0.01, &settings(), None).unwrap();
            assert!(fitted.gradient < 1e-5, "{}", fitted.gradient);
            let weights = &fitted.weights.hypothesis;
            assert!(weights.iter().zip(&bounded.bounds).all(|(&weight, bound)| bound.nearest(weight) == weight));
            // The labels follow the first column, so that its weight would be above 0.
            assert_eq!(weights[0], 0.0);
            let loss = |weights: &Weights| weights.slope(&bounded, 0.01).loss;
            let trainer = Trainer::new(&bounded).unwrap();
            let held = [vec![], vec![1], vec![2], vec![1, 2]]
                .map(|free| trainer.fit_some(0.01, &settings(), None, &free).unwrap().within(&bounded.bounds));
            let least = held.iter().map(loss).fold(f64::INFINITY, f64::min);
            assert!((loss(&fitted.weights) - least).abs() < 1e-8, "{} and {least}", loss(&fitted.weights));
        }
    }
}
