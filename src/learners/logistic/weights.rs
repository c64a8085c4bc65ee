//! In: scaled features of a pair. Out: the probability of each verdict, and the slope of the loss. Next: judge, solver.

use ndarray::{ArrayView1, ArrayViewMut1};
use serde::{Deserialize, Serialize};

use super::bounds::Bound;
use super::columns::Columns;
use super::design::Design;
use crate::judgments::Probabilities;

/// What training finds: a weight for each scaled feature.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Weights {
    /// w: how much a feature of a hypothesis speaks for it.
    pub hypothesis: Vec<f64>,
    /// u: how much a feature of a pair speaks for a difference.
    pub decided: Vec<f64>,
    /// v: how much a feature of a pair speaks for a tie.
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

    /// Takes what is symmetric of the parameters of the classes 1, 0 and -1, x before t with the intercept beside them,
    /// and drops what a solver left of asymmetry.
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

    /// What the logits for scaled features x and t of one pair are made of.
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

    /// The weighted mean penalised loss over mirrored pairs, and its gradient with respect to linfa's parameters.
    ///
    /// At symmetric weights a pair and its mirror image contribute alike, so one pass over the pairs is enough. With
    /// e = p - y for each class: of w and -w half the mean of (e(1) - e(-1)) x, of u half the mean of (e(1) + e(-1)) t,
    /// of v the mean of e(0) t, and of the intercepts likewise.
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

    /// As a gradient: its norm over linfa's parameters, among which all but those of a tie stand twice. The tie's do
    /// not count where nobody said tie.
    fn linfa_norm(&self) -> f64 {
        let twice = squares(&self.hypothesis) + squares(&self.decided) + self.decided_intercept.powi(2);
        (2.0 * twice + squares(&self.tie) + self.tie_intercept.powi(2)).sqrt()
    }

    /// The columns of x whose weights can go downhill within their bounds, without those that are at most `near` to a
    /// bound to which the way leads.
    pub(super) fn moving(&self, gradient: &Self, bounds: &[Bound], near: f64) -> Vec<usize> {
        let weights = self.hypothesis.iter().zip(&gradient.hypothesis).zip(bounds);
        let moves = weights.map(|((&weight, &gradient), bound)| !bound.holds(weight, gradient, near));
        moves.enumerate().filter_map(|(column, moves)| moves.then_some(column)).collect()
    }

    /// The same within their bounds.
    pub(super) fn within(mut self, bounds: &[Bound]) -> Self {
        self.hypothesis.iter_mut().zip(bounds).for_each(|(weight, bound)| *weight = bound.nearest(*weight));
        self
    }

    /// Those of some columns of x, and all others.
    pub(super) fn only(&self, columns: &[usize]) -> Self {
        Self { hypothesis: columns.iter().map(|&column| self.hypothesis[column]).collect(), ..self.clone() }
    }

    /// The opposite of [`Self::only`]: 0 for the columns that are not among them, of so many.
    pub(super) fn among(self, columns: &[usize], count: usize) -> Self {
        let mut hypothesis = vec![0.0; count];
        columns.iter().zip(&self.hypothesis).for_each(|(&column, &weight)| hypothesis[column] = weight);
        Self { hypothesis, ..self }
    }

    /// Those of some columns.
    pub(super) fn narrowed(&self, columns: &Columns) -> Self {
        let part = |weights: &[f64], columns: &[usize]| columns.iter().map(|&column| weights[column]).collect();
        Self {
            hypothesis: part(&self.hypothesis, &columns.hypothesis),
            decided: part(&self.decided, &columns.pair),
            tie: part(&self.tie, &columns.pair),
            ..*self
        }
    }

    /// The opposite of [`Self::narrowed`]: 0 for the columns that are not among them, of so many of x and of t.
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

/// What the logits of a pair are made of: z(1) = decided + preference, z(0) = tie, z(-1) = decided - preference.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Logits {
    /// w.x: above 0 for the first hypothesis.
    pub preference: f64,
    /// u.t + c.
    pub decided: f64,
    /// v.t + b.
    pub tie: f64,
}

impl Logits {
    /// z of 1, 0 and -1.
    pub fn all(self) -> [f64; 3] {
        [self.decided + self.preference, self.tie, self.decided - self.preference]
    }

    /// Their softmax.
    pub fn probabilities(self) -> Probabilities {
        let [first, tie, second] = self.all();
        Probabilities::softmax(first, tie, second)
    }
}

/// Weights, and how far from the optimum they are.
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
    /// Weights and the slope there.
    pub(super) fn at(weights: Weights, slope: &Slope, bounds: &[Bound]) -> Self {
        let moving = weights.moving(&slope.gradient, bounds, 0.0);
        Self { gradient: slope.norm(&weights, bounds), moving, weights }
    }
}

/// Where the loss stands, and where it rises.
pub(super) struct Slope {
    pub(super) loss: f64,
    pub(super) gradient: Weights,
}

impl Slope {
    /// The norm of the gradient with respect to linfa's parameters, without those that are held by their bounds: 0 at
    /// the minimum.
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
    // Several sums at once, which a sum in the order of the values cannot be.
    ArrayView1::from(weights).dot(&values)
}
