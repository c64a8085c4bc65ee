//! The formula of the model: from scaled features and weights to the probability of each verdict; its loss and gradient.

use ndarray::{Array2, ArrayView1, ArrayViewMut1};
use serde::{Deserialize, Serialize};

use super::design::{Bound, Columns, Design};
use crate::judgments::Probabilities;

/// The logit of a verdict that is absent from the training labels: it is never predicted.
pub const ABSENT_CLASS_LOGIT: f64 = -30.0;

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

    /// The components of the logits for scaled features x and t of one pair.
    pub fn logits(&self, x: ArrayView1<'_, f64>, t: ArrayView1<'_, f64>) -> Logits {
        Logits {
            preference: dot(&self.hypothesis, x),
            decided: dot(&self.decided, t) + self.decided_intercept,
            tie: dot(&self.tie, t) + self.tie_intercept,
        }
    }

    /// The weighted mean penalised loss over pairs and their mirror images, and its gradient with respect to the
    /// parameters of [`Self::to_classes`].
    ///
    /// At symmetric weights a pair and its mirror image contribute equally, so one pass over the pairs is enough. With
    /// e = p - y for each class, the gradient is: for w half the mean of (e(1) - e(-1)) x (for -w its negative), for u
    /// half the mean of (e(1) + e(-1)) t = -e(0) t, for v the mean of e(0) t, and for the intercepts likewise; the penalty adds
    /// `penalty` times the weight.
    pub(super) fn loss_and_gradient(&self, design: &Design, penalty: f64) -> LossAndGradient {
        let scaled = |weights: &[f64]| weights.iter().map(|weight| penalty * weight).collect::<Vec<f64>>();
        let mut gradient = Self {
            hypothesis: scaled(&self.hypothesis),
            decided: scaled(&self.decided),
            tie: scaled(&self.tie),
            decided_intercept: 0.0,
            tie_intercept: 0.0,
        };
        let norms = 2.0 * squares(&self.hypothesis) + 2.0 * squares(&self.decided) + squares(&self.tie);
        let mut loss = 0.5 * penalty * norms;
        let mut of_tie = vec![0.0; self.tie.len()];
        let mut all = Vec::with_capacity(design.len());
        for (pair, (label, weight)) in design.labels.iter().zip(&design.weights).enumerate() {
            let (x, t) = design.split(pair);
            let given = self.logits(x, t).probabilities();
            loss += weight * given.log_loss(*label);
            all.push(given);
            let mut error = given.0.map(|probability| weight * probability);
            error[label.index()] -= weight;
            let [first, tie, second] = error;
            add(&mut gradient.hypothesis, 0.5 * (first - second), x);
            add(&mut of_tie, tie, t);
            gradient.tie_intercept += tie;
        }
        // The errors of a pair sum to 0.
        gradient.tie.iter_mut().zip(&of_tie).for_each(|(sum, part)| *sum += part);
        gradient.decided.iter_mut().zip(&of_tie).for_each(|(sum, part)| *sum -= 0.5 * part);
        gradient.decided_intercept = -0.5 * gradient.tie_intercept;
        LossAndGradient { loss, gradient, given: all }
    }

    /// Each weight of x moved to the nearest value within its bound.
    pub(super) fn within(mut self, bounds: &[Bound]) -> Self {
        self.hypothesis.iter_mut().zip(bounds).for_each(|(weight, bound)| *weight = bound.nearest(*weight));
        self
    }

    /// The weights of a subset of the columns.
    pub(super) fn select_columns(&self, columns: &Columns) -> Self {
        let part = |weights: &[f64], columns: &[usize]| columns.iter().map(|&column| weights[column]).collect();
        Self {
            hypothesis: part(&self.hypothesis, &columns.hypothesis),
            decided: part(&self.decided, &columns.pair),
            tie: part(&self.tie, &columns.pair),
            ..*self
        }
    }

    /// The inverse of [`Self::select_columns`]: the weights of all other columns are 0; the sizes are those of x and t.
    pub(super) fn scatter_columns(&self, columns: &Columns, (hypothesis, pair): (usize, usize)) -> Self {
        let scatter = |weights: &[f64], columns: &[usize], count: usize| {
            let mut all = vec![0.0; count];
            columns.iter().zip(weights).for_each(|(&column, &weight)| all[column] = weight);
            all
        };
        Self {
            hypothesis: scatter(&self.hypothesis, &columns.hypothesis, hypothesis),
            decided: scatter(&self.decided, &columns.pair, pair),
            tie: scatter(&self.tie, &columns.pair, pair),
            ..*self
        }
    }

    /// The parameters of a regression with a weight for each feature and class: (columns + 1, classes), with the
    /// intercepts in the last row; the classes are 1, 0 (if there are ties) and -1.
    pub fn to_classes(&self, has_ties: bool) -> Array2<f64> {
        let preferred = |sign: f64| {
            let x = self.hypothesis.iter().map(|weight| sign * weight);
            x.chain(self.decided.iter().copied()).chain([self.decided_intercept]).collect::<Vec<f64>>()
        };
        let mut classes = vec![preferred(1.0)];
        if has_ties {
            let x = self.hypothesis.iter().map(|_| 0.0);
            classes.push(x.chain(self.tie.iter().copied()).chain([self.tie_intercept]).collect());
        }
        classes.push(preferred(-1.0));
        Array2::from_shape_fn((classes[0].len(), classes.len()), |(row, class)| classes[class][row])
    }

    /// The inverse of [`Self::to_classes`], where `hypothesis` columns are those of x: the symmetric part of the
    /// parameters; any asymmetry that a solver left is dropped.
    pub fn from_classes(classes: &Array2<f64>, hypothesis: usize) -> Self {
        let last = classes.nrows() - 1;
        let (first, second) = (classes.column(0), classes.column(classes.ncols() - 1));
        let decided = |row: usize| 0.5 * (first[row] + second[row]);
        let has_ties = classes.ncols() == 3;
        Self {
            hypothesis: (0..hypothesis).map(|row| 0.5 * (first[row] - second[row])).collect(),
            decided: (hypothesis..last).map(decided).collect(),
            tie: (hypothesis..last).map(|row| if has_ties { classes[[row, 1]] } else { 0.0 }).collect(),
            decided_intercept: decided(last),
            tie_intercept: if has_ties { classes[[last, 1]] } else { ABSENT_CLASS_LOGIT },
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

/// The loss and its gradient at some weights.
pub(super) struct LossAndGradient {
    pub(super) loss: f64,
    pub(super) gradient: Weights,
    /// The probabilities of each pair.
    pub(super) given: Vec<Probabilities>,
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
