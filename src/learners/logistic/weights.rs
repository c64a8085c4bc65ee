//! In: scaled features of a pair. Out: the probability of each verdict, and the gradient of the loss. Next: judge,
//! solver.

use ndarray::{ArrayView1, ArrayViewMut1};
use serde::{Deserialize, Serialize};

use super::bounds::Bound;
use super::columns::Columns;
use super::design::Design;
use crate::judgments::Probabilities;

/// The parameters of the model: a weight for each scaled feature, and the intercepts.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Weights {
    /// w: how strongly each hypothesis feature counts for its hypothesis.
    pub hypothesis: Vec<f64>,
    /// u: how strongly each pair feature counts for a preference, either way.
    pub decided: Vec<f64>,
    /// v: how strongly each pair feature counts for a tie.
    pub tie: Vec<f64>,
    /// c, the intercept of 1 and of -1.
    pub decided_intercept: f64,
    /// b, the intercept of 0.
    pub tie_intercept: f64,
}

impl Weights {
    /// All weights zero.
    pub fn zero(hypothesis: usize, pair: usize) -> Self {
        Self {
            hypothesis: vec![0.0; hypothesis],
            decided: vec![0.0; pair],
            tie: vec![0.0; pair],
            decided_intercept: 0.0,
            tie_intercept: 0.0,
        }
    }

    /// The symmetric part of the parameters of the classes 1, 0 and -1 (weights of x, then of t; and the intercept);
    /// any asymmetry that a solver left is dropped.
    pub(super) fn symmetric(of_verdicts: [(&[f64], f64); 3], hypothesis_columns: usize) -> Self {
        let [(first, first_intercept), (tie, tie_intercept), (second, second_intercept)] = of_verdicts;
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

    /// The components of the logits for scaled features x and t of one pair.
    pub fn logits(&self, x: ArrayView1<'_, f64>, t: ArrayView1<'_, f64>) -> Logits {
        Logits {
            preference: dot(&self.hypothesis, x),
            decided: dot(&self.decided, t) + self.decided_intercept,
            tie: dot(&self.tie, t) + self.tie_intercept,
        }
    }

    /// The probabilities for scaled features x and t of one pair.
    pub fn probabilities(&self, x: ArrayView1<'_, f64>, t: ArrayView1<'_, f64>) -> Probabilities {
        self.logits(x, t).probabilities()
    }

    /// The weighted mean penalised loss over pairs and their mirror images, and its gradient with respect to linfa's
    /// parameters.
    ///
    /// At symmetric weights a pair and its mirror image contribute equally, so one pass over the pairs is enough. With
    /// e = p - y for each class, the gradient is: for w half the mean of (e(1) - e(-1)) x (for -w its negative), for u
    /// half the mean of (e(1) + e(-1)) t, for v the mean of e(0) t, and for the intercepts likewise; the penalty adds
    /// `penalty` times the weight.
    pub(super) fn slope(&self, design: &Design, penalty: f64) -> Slope {
        let mut of = Self {
            hypothesis: self.hypothesis.iter().map(|weight| penalty * weight).collect(),
            decided: self.decided.iter().map(|weight| penalty * weight).collect(),
            tie: self.tie.iter().map(|weight| penalty * weight).collect(),
            decided_intercept: 0.0,
            tie_intercept: 0.0,
        };
        let norms = 2.0 * squares(&self.hypothesis) + 2.0 * squares(&self.decided) + squares(&self.tie);
        let mut loss = 0.5 * penalty * norms;
        for (pair, (label, weight)) in design.labels.iter().zip(&design.weights).enumerate() {
            let (x, t) = design.split(pair);
            let given = self.probabilities(x, t);
            loss += weight * given.log_loss(*label);
            let mut error = given.0.map(|probability| weight * probability);
            error[label.index()] -= weight;
            let [first, tie, second] = error;
            add(&mut of.hypothesis, 0.5 * (first - second), x);
            add(&mut of.decided, 0.5 * (first + second), t);
            add(&mut of.tie, tie, t);
            of.decided_intercept += 0.5 * (first + second);
            of.tie_intercept += tie;
        }
        Slope { loss, gradient: of }
    }

    /// Its norm as a gradient over linfa's parameters, which hold all but those of ties twice. Without ties in
    /// training, p(0) is practically 0, and so are the gradients of a tie.
    fn linfa_norm(&self) -> f64 {
        let twice = squares(&self.hypothesis) + squares(&self.decided) + self.decided_intercept.powi(2);
        (2.0 * twice + squares(&self.tie) + self.tie_intercept.powi(2)).sqrt()
    }

    /// The columns of x whose weights can descend within their bounds; excludes weights at most `near` from a bound
    /// that descent pushes them against.
    pub(super) fn moving(&self, gradient: &Self, bounds: &[Bound], near: f64) -> Vec<usize> {
        let weights = self.hypothesis.iter().zip(&gradient.hypothesis).zip(bounds);
        let moves = weights.map(|((&weight, &gradient), bound)| !bound.holds(weight, gradient, near));
        moves.enumerate().filter_map(|(column, moves)| moves.then_some(column)).collect()
    }

    /// The same, with each weight moved to the nearest value within its bound.
    pub(super) fn within(mut self, bounds: &[Bound]) -> Self {
        self.hypothesis.iter_mut().zip(bounds).for_each(|(weight, bound)| *weight = bound.nearest(*weight));
        self
    }

    /// The same, with the weights of a subset of the columns of x and all others.
    pub(super) fn only(&self, columns: &[usize]) -> Self {
        Self { hypothesis: columns.iter().map(|&column| self.hypothesis[column]).collect(), ..self.clone() }
    }

    /// The inverse of [`Self::only`]: the weights of all other columns, of `count`, are 0.
    pub(super) fn among(self, columns: &[usize], count: usize) -> Self {
        let mut hypothesis = vec![0.0; count];
        columns.iter().zip(&self.hypothesis).for_each(|(&column, &weight)| hypothesis[column] = weight);
        Self { hypothesis, ..self }
    }

    /// The same, with a subset of the columns.
    pub(super) fn narrowed(&self, columns: &Columns) -> Self {
        let part = |weights: &[f64], columns: &[usize]| columns.iter().map(|&column| weights[column]).collect();
        Self {
            hypothesis: part(&self.hypothesis, &columns.hypothesis),
            decided: part(&self.decided, &columns.pair),
            tie: part(&self.tie, &columns.pair),
            ..*self
        }
    }

    /// The inverse of [`Self::narrowed`]: the weights of all other columns are 0; the sizes are those of x and of t.
    pub(super) fn spread(&self, columns: &Columns, (hypothesis, pair): (usize, usize)) -> Self {
        let spread = |weights: &[f64], columns: &[usize], count: usize| {
            let mut all = vec![0.0; count];
            columns.iter().zip(weights).for_each(|(&column, &weight)| all[column] = weight);
            all
        };
        Self {
            hypothesis: spread(&self.hypothesis, &columns.hypothesis, hypothesis),
            decided: spread(&self.decided, &columns.pair, pair),
            tie: spread(&self.tie, &columns.pair, pair),
            ..*self
        }
    }

    /// These weights minus `share` times others.
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

/// The components of a pair's logits: z(1) = decided + preference, z(0) = tie, z(-1) = decided - preference.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Logits {
    /// w.x: positive if the first hypothesis is preferred.
    pub preference: f64,
    /// u.t + c.
    pub decided: f64,
    /// v.t + b.
    pub tie: f64,
}

impl Logits {
    /// The logits of 1, 0 and -1.
    pub fn all(self) -> [f64; 3] {
        [self.decided + self.preference, self.tie, self.decided - self.preference]
    }

    /// Their softmax.
    pub fn probabilities(self) -> Probabilities {
        let [first, tie, second] = self.all();
        Probabilities::softmax(first, tie, second)
    }
}

/// Weights, and how far they are from the optimum.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Fitted {
    /// The weights.
    pub(super) weights: Weights,
    /// The norm of the gradient of the mean penalised loss at the weights.
    pub(super) gradient: f64,
    /// The columns of x whose weights are not held by their bounds.
    pub(super) moving: Vec<usize>,
}

impl Fitted {
    /// Weights with the slope there.
    pub(super) fn at(weights: Weights, slope: &Slope, bounds: &[Bound]) -> Self {
        let moving = weights.moving(&slope.gradient, bounds, 0.0);
        Self { gradient: slope.norm(&weights, bounds), moving, weights }
    }
}

/// The loss and its gradient at some weights.
pub(super) struct Slope {
    pub(super) loss: f64,
    pub(super) gradient: Weights,
}

impl Slope {
    /// The norm of the gradient with respect to linfa's parameters, without the weights that are held by their bounds:
    /// 0 at the minimum.
    pub(super) fn norm(&self, at: &Weights, bounds: &[Bound]) -> f64 {
        let mut gradient = Weights { hypothesis: vec![0.0; bounds.len()], ..self.gradient.clone() };
        for column in at.moving(&self.gradient, bounds, 0.0) {
            gradient.hypothesis[column] = self.gradient.hypothesis[column];
        }
        gradient.linfa_norm()
    }
}

fn add(sums: &mut [f64], factor: f64, values: ArrayView1<'_, f64>) {
    ArrayViewMut1::from(sums).scaled_add(factor, &values);
}

fn squares(values: &[f64]) -> f64 {
    values.iter().map(|value| value * value).sum()
}

fn dot(weights: &[f64], values: ArrayView1<'_, f64>) -> f64 {
    // `ndarray`'s dot product keeps several partial sums at once, which is faster than a strictly sequential sum.
    ArrayView1::from(weights).dot(&values)
}
