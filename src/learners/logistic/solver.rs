//! In: scaled rows and labels. Out: the weights with the least loss. Next: judge.
//!
//! The only module that knows linfa-logistic. Where pairs have different weights, [`super::weighted`] fits instead:
//! linfa-logistic 0.8.1 does not support sample weights.

use std::f64::consts::FRAC_1_SQRT_2;

use linfa::Dataset;
use linfa::traits::Fit;
use linfa_logistic::{
    LogisticRegression as BinaryLogisticRegression, MultiFittedLogisticRegression, MultiLogisticRegression,
};
use ndarray::{Array1, Array2};

use super::columns::Columns;
use super::descent::Descent;
use super::design::Design;
use super::settings::CheckedLogistic;
use super::weighted;
use super::weights::{Fitted, Weights};
use crate::error::{Error, Result};
use crate::judgments::Verdict;

/// The logit of a verdict that is absent from the training labels: it is never predicted.
pub(super) const NEVER: f64 = -30.0;

/// linfa-logistic starts from weights whose gradient is at least this multiple of the tolerance. From further away it
/// takes several times as many passes over the rows.
const START: f64 = 5.0;

/// The most steps of the descent.
const STEPS: usize = 50;

/// The most fits; after each, further weights may be held at their bounds.
const ROUNDS: usize = 10;

/// Mirrored pairs, ready to be fitted with one penalty after another.
pub struct Trainer<'d> {
    design: &'d Design,
    descent: Descent<'d>,
}

impl<'d> Trainer<'d> {
    /// Prepares the fits on these pairs.
    ///
    /// # Errors
    /// There is no pair with a preferred hypothesis: nothing can be learned.
    pub fn new(design: &'d Design) -> Result<Self> {
        if design.labels.iter().all(|&label| label == Verdict::Tie) {
            return Err(Error::invalid(
                "training",
                "pairs with a preferred hypothesis",
                if design.is_empty() { "no pair" } else { "only ties" },
                "add judgments with the labels 1 and -1",
            ));
        }
        Ok(Self { design, descent: Descent::new(design) })
    }

    /// The same for a design with a subset of the columns, whose curvature is a part of this one's.
    pub fn narrowed<'n>(&self, design: &'n Design, columns: &Columns) -> Trainer<'n> {
        Trainer { design, descent: self.descent.narrowed(design, columns) }
    }

    /// Weights near the minimum, good enough to compare penalties.
    pub fn approach(&self, penalty: f64, tolerance: f64, start: Option<&Weights>) -> Fitted {
        let mut way = self.way(penalty, tolerance, start);
        way.pop().unwrap_or_else(|| self.fitted(self.origin(), penalty))
    }

    /// Multinomial logistic regression: the minimum of mean log loss + penalty/2 |W|^2, intercepts free.
    ///
    /// linfa-logistic does not support bounds. At a bounded minimum some weights are held at 0, and the others minimise
    /// the loss without the features of those. A descent from `start`, the optimum of a similar problem, finds which
    /// weights are held; linfa-logistic fits the others. If one of these leaves its bounds, it is held as well.
    ///
    /// linfa-logistic starts from a point on the path of that descent at which the gradient is still several times the
    /// tolerance, so that the minimum is linfa-logistic's result. linfa-logistic 0.8.1 does not report whether it
    /// converged, so the gradient is computed here.
    ///
    /// # Errors
    /// It does not converge within the settings' iterations.
    pub fn fit(&self, penalty: f64, settings: &CheckedLogistic, start: Option<&Weights>) -> Result<Fitted> {
        let least = START * settings.tolerance();
        let mut way = self.way(penalty, settings.tolerance(), start);
        let begin = self.last_above(penalty, least, &way);
        let begin = begin.or_else(|| self.last_above(penalty, least, &self.way(penalty, least, None)));
        let begin = begin.unwrap_or_else(|| self.origin());
        let mut found = way.pop().unwrap_or_else(|| self.fitted(self.origin(), penalty));
        for _ in 0..ROUNDS {
            let free = self.fit_some(penalty, settings, &begin, &found.moving)?;
            let within = free.clone().within(&self.design.bounds);
            let is_within = within == free;
            found = self.fitted(within, penalty);
            if is_within {
                break;
            }
        }
        check_converged(found.gradient, settings)?;
        Ok(found)
    }

    /// The descent to the first weights with a gradient below the tolerance, from `start`, or from the origin if there
    /// is no `start` or its descent fails: weights from training without ties have no slope by which to learn them.
    fn way(&self, penalty: f64, tolerance: f64, start: Option<&Weights>) -> Vec<Fitted> {
        let is_near = |at: &Fitted| at.gradient < tolerance;
        let from = |start: Weights| {
            let mut way = Vec::new();
            for at in self.descent.path(penalty, start, &self.design.bounds).take(STEPS) {
                way.push(at);
                if way.last().is_some_and(is_near) {
                    break;
                }
            }
            way
        };
        let way = start.map(|start| from(start.clone())).filter(|way| way.last().is_some_and(is_near));
        way.unwrap_or_else(|| from(self.origin()))
    }

    /// The last weights on a path whose gradient is at least `least`; on the step that crosses it, the furthest of a
    /// few points.
    fn last_above(&self, penalty: f64, least: f64, way: &[Fitted]) -> Option<Weights> {
        let last = way.iter().rposition(|at| at.gradient >= least)?;
        let from = &way[last].weights;
        let Some(to) = way.get(last + 1) else { return Some(from.clone()) };
        let step = from.less(&to.weights, 1.0);
        let part = |share: &f64| from.less(&step, *share);
        let is_above = |at: &Weights| self.fitted(at.clone(), penalty).gradient >= least;
        Some([0.95, 0.9, 0.8, 0.6].iter().map(part).find(is_above).unwrap_or_else(|| from.clone()))
    }

    /// Minimises the loss without the columns of x that are held at 0.
    fn fit_some(&self, penalty: f64, settings: &CheckedLogistic, start: &Weights, free: &[usize]) -> Result<Weights> {
        if self.design.counts_all_alike() {
            return self.solve(penalty, settings, start, free);
        }
        weighted::solve(self.design, penalty, settings, start, free).map_err(|reason| failed("a solution", &reason))
    }

    /// Fits with linfa-logistic.
    fn solve(&self, penalty: f64, settings: &CheckedLogistic, start: &Weights, free: &[usize]) -> Result<Weights> {
        if self.design.has_ties() || self.design.len() < 2 {
            self.solve_three(penalty, settings, start, free)
        } else {
            self.solve_two(penalty, settings, start, free)
        }
    }

    /// Without ties: p(1) = sigma(2 w.x), a binary logistic regression with weights b = 2w and no intercept, for which
    /// |W|^2 = 2 |w|^2 = |b|^2 / 2. A pair and its mirror image have the same loss, so one of the two is enough.
    fn solve_two(&self, penalty: f64, settings: &CheckedLogistic, start: &Weights, free: &[usize]) -> Result<Weights> {
        let (rows, labels) = self.design.alternating(free);
        let count = labels.len() as f64;
        let initial = start.only(free).hypothesis.iter().map(|weight| 2.0 * weight).collect::<Array1<f64>>();
        let solver = BinaryLogisticRegression::default()
            .with_intercept(false)
            .alpha(0.5 * penalty * count)
            .gradient_tolerance(settings.tolerance() * count * FRAC_1_SQRT_2)
            .max_iterations(settings.max_iterations())
            .initial_params(initial);
        let fitted = solver.fit(&Dataset::new(rows, labels)).map_err(unsolved)?;
        let hypothesis = fitted.params().iter().map(|weight| 0.5 * weight).collect();
        let found = Weights { hypothesis, ..self.origin() };
        Ok(found.among(free, self.design.hypothesis_columns))
    }

    /// With ties: three verdicts, on pairs and their mirror images.
    fn solve_three(
        &self,
        penalty: f64,
        settings: &CheckedLogistic,
        start: &Weights,
        free: &[usize],
    ) -> Result<Weights> {
        let (rows, labels) = self.design.mirrored(free);
        let labels: Array1<usize> = labels.into_iter().map(Verdict::index).collect();
        let count = labels.len() as f64;
        // linfa minimises sum over rows + alpha/2 |W|^2, and compares its tolerance with the gradient of that.
        let solver = MultiLogisticRegression::default()
            .alpha(penalty * count)
            .gradient_tolerance(settings.tolerance() * count)
            .max_iterations(settings.max_iterations())
            .initial_params(start.only(free).to_linfa(self.design.has_ties()));
        let fitted = solver.fit(&Dataset::new(rows, labels)).map_err(unsolved)?;
        Ok(Weights::from_linfa(&fitted, free.len()).among(free, self.design.hypothesis_columns))
    }

    /// All weights zero; without ties, the intercept of a tie is [`NEVER`].
    fn origin(&self) -> Weights {
        let columns = self.design.hypothesis_columns;
        let zero = Weights::zero(columns, self.design.rows.ncols() - columns);
        if self.design.has_ties() { zero } else { Weights { tie_intercept: NEVER, ..zero } }
    }

    fn fitted(&self, weights: Weights, penalty: f64) -> Fitted {
        let slope = weights.slope(self.design, penalty);
        Fitted::at(weights, &slope, &self.design.bounds)
    }
}

/// Symmetrising the weights and ending the line search early may cost a little; more than tenfold is a failure.
pub(super) fn check_converged(gradient: f64, settings: &CheckedLogistic) -> Result<()> {
    if gradient <= 10.0 * settings.tolerance() {
        return Ok(());
    }
    let expected = format!("a gradient below {:.0e}", settings.tolerance());
    Err(failed(&expected, &format!("{gradient:.1e}")))
}

fn unsolved(error: linfa_logistic::error::Error) -> Error {
    failed("a solution", &error.to_string())
}

fn failed(expected: &str, found: &str) -> Error {
    Error::invalid("training", expected, found, "allow more iterations, or a stronger penalty")
}

impl Weights {
    /// The symmetric part of a fitted model's parameters; any asymmetry that the solver left is dropped.
    fn from_linfa(fitted: &MultiFittedLogisticRegression<f64, usize>, hypothesis_columns: usize) -> Self {
        let class = |verdict: Verdict| fitted.classes().iter().position(|&class| class == verdict.index());
        let column = |verdict: Verdict| match class(verdict) {
            Some(at) => (fitted.params().column(at).to_vec(), fitted.intercept()[at]),
            None => (vec![0.0; fitted.params().nrows()], NEVER),
        };
        let of_verdicts = Verdict::ALL.map(column);
        Self::symmetric(of_verdicts.each_ref().map(|(values, at)| (values.as_slice(), *at)), hypothesis_columns)
    }

    /// The parameters in linfa's form: (columns + 1, classes), with the intercepts in the last row.
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
    use crate::learners::logistic::bounds::Bound;
    use Verdict::{First, Second, Tie};

    /// The columns of x in these designs.
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

    /// Without linfa's part the result would be the start, which [`Trainer::fit`] would refuse.
    #[test]
    fn linfa_does_the_fitting() {
        let design = design(&[1.0; 200]);
        let trainer = Trainer::new(&design).unwrap();
        for near in [None, Some(trainer.approach(0.01, 1e-9, None).weights)] {
            let way = |start: Option<&Weights>| trainer.last_above(0.01, START * 1e-6, &trainer.way(0.01, 1e-6, start));
            let start = way(near.as_ref()).or_else(|| way(None)).unwrap();
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

    /// Weights that were learned without ties are no useful start for data with ties.
    #[test]
    fn a_start_without_ties_is_as_good_as_none() {
        let some = design(&[1.0; 200]);
        let none = Weights { tie_intercept: NEVER, ..Trainer::new(&some).unwrap().approach(0.02, 1e-6, None).weights };
        let found = Trainer::new(&some).unwrap().fit(0.02, &settings(), Some(&none)).unwrap();
        assert!(found.gradient < 1e-5, "{}", found.gradient);
    }

    /// Without ties, two classes without an intercept are equivalent to three.
    #[test]
    fn two_verdicts_are_fitted_as_three_are() {
        for pairs in [101, 200] {
            let all = design(&vec![1.0; pairs]);
            let labels = all.labels.iter().map(|&label| if label == Tie { First } else { label }).collect();
            let decided = Design { labels, ..all };
            let trainer = Trainer::new(&decided).unwrap();
            let tight = LogisticSettings::default().tolerance(1e-8).check().unwrap();
            for free in [vec![0, 1, 2], vec![0, 2]] {
                let two = trainer.solve_two(0.02, &tight, &trainer.origin(), &free).unwrap();
                let three = trainer.solve_three(0.02, &tight, &trainer.origin(), &free).unwrap();
                for (a, b) in two.hypothesis.iter().zip(&three.hypothesis) {
                    assert!((a - b).abs() < 1e-6, "{a} and {b}");
                }
                assert_eq!((two.tie_intercept, three.tie_intercept), (NEVER, NEVER));
            }
        }
    }

    /// Integer weights are equivalent to repeated rows, which linfa supports.
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

    /// The least loss within bounds, found by trying every set of weights that are held at 0.
    #[test]
    fn a_fit_stays_within_its_bounds() {
        for counts in [vec![1.0; 200], (0..200).map(|row| f64::from(row % 3) + 1.0).collect()] {
            let bounded =
                Design { bounds: vec![Bound::AtMostZero, Bound::AtLeastZero, Bound::AtMostZero], ..design(&counts) };
            let fitted = Trainer::new(&bounded).unwrap().fit(0.01, &settings(), None).unwrap();
            assert!(fitted.gradient < 1e-5, "{}", fitted.gradient);
            let weights = &fitted.weights.hypothesis;
            assert!(weights.iter().zip(&bounded.bounds).all(|(&weight, bound)| bound.nearest(weight) == weight));
            // The labels follow the first column, so its unbounded weight would be positive.
            assert_eq!(weights[0], 0.0);
            let loss = |weights: &Weights| weights.slope(&bounded, 0.01).loss;
            let trainer = Trainer::new(&bounded).unwrap();
            let held = [vec![], vec![1], vec![2], vec![1, 2]].map(|free| {
                trainer.fit_some(0.01, &settings(), &trainer.origin(), &free).unwrap().within(&bounded.bounds)
            });
            let least = held.iter().map(loss).fold(f64::INFINITY, f64::min);
            assert!((loss(&fitted.weights) - least).abs() < 1e-8, "{} and {least}", loss(&fitted.weights));
        }
    }
}
