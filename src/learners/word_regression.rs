//! A logistic regression on the words and phrases in which hypotheses differ: what words alone can say.

use rand::SeedableRng;
use rand::seq::SliceRandom;
use rand_chacha::ChaCha8Rng;

use super::phrases::{Occurrence, Phrases};
use crate::error::Result;
use crate::judgments::{Probabilities, Verdict};
use crate::learning::{Labelled, Learner, Predictor};

/// The number of passes over the pairs: few, which keeps weights small as a penalty would (early stopping).
const EPOCHS: usize = 3;

/// AdaGrad's learning rate; between 0.003 and 0.03 it hardly matters on judgments of WMT.
const RATE: f64 = 0.01;

/// The initial value of AdaGrad's sums of squares, which avoids division by zero.
const SMALLEST: f64 = 1e-8;

/// Logistic regression on words and phrases.
///
/// With x the count of each phrase of 1 to 3 words in the first hypothesis minus its count in the second, the logits
/// are
///
/// ```text
/// z(1) = w.x        z(0) = b        z(-1) = -w.x
/// ```
///
/// and w and b minimise the weighted log loss by stochastic gradient descent, one pair per step, with a learning rate
/// per weight: with g the gradient of the pair's loss, G += g^2 and w -= 0.01 g / sqrt(G). Duchi, Hazan and Singer
/// 2011, "Adaptive Subgradient Methods for Online Learning and Stochastic Optimization" (AdaGrad with diagonal
/// matrices). b starts from the log odds of a tie against 1, which fit pairs without any known phrase.
#[derive(Debug, Clone, Copy)]
pub struct WordRegression {
    /// Seed for the order of the pairs.
    pub seed: u64,
}

impl Learner for WordRegression {
    type Table = Phrases;
    type Predictor = Regression;

    fn name(&self) -> &'static str {
        "word-regression"
    }

    /// Early stopping regularises, with a fixed number of epochs.
    fn strengths(&self) -> &[f64] {
        &[1.0]
    }

    fn fit(&self, data: Labelled<'_, Phrases>, rows: &[usize], _: f64, _: Option<&Regression>) -> Result<Regression> {
        let rows = data.with_positive_weight(rows);
        let all: f64 = rows.iter().map(|&row| data.weight(row)).sum();
        let mean = if all > 0.0 { all / rows.len() as f64 } else { 1.0 };
        let is_tie = |row: &&usize| data.labels[**row] == Verdict::Tie;
        let ties = rows.iter().filter(is_tie).map(|&row| data.weight(row) / mean).sum::<f64>();
        // The odds of 0 against 1 or -1, which are equally frequent once pairs are mirrored; smoothed, since either may
        // be absent.
        let odds = (ties + 1.0) / (0.5 * (rows.len() as f64 - ties) + 1.0);
        let mut order = rows;
        order.shuffle(&mut ChaCha8Rng::seed_from_u64(self.seed));
        // Data that is read in every pass is contiguous in memory.
        let (known, phrases) = data.table.shared(&order, &data.groups.of_row);
        let mut learned = Descent { weights: vec![Weight::new(0.0); known.count], tie: Weight::new(odds.ln()) };
        for _ in 0..EPOCHS {
            for (at, &row) in order.iter().enumerate() {
                learned.step(known.row(at), data.labels[row], data.weight(row) / mean);
            }
        }
        Ok(learned.regression(&phrases, data.table.count))
    }
}

/// A parameter that AdaGrad learns.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Weight {
    value: f64,
    /// G: the sum of the squares of its gradients.
    squares: f64,
}

impl Weight {
    fn new(value: f64) -> Self {
        Self { value, squares: SMALLEST }
    }

    fn step(&mut self, gradient: f64) {
        self.squares += gradient * gradient;
        self.value -= RATE * gradient / self.squares.sqrt();
    }
}

/// A regression in training.
#[derive(Debug, Clone, PartialEq)]
struct Descent {
    weights: Vec<Weight>,
    tie: Weight,
}

impl Descent {
    fn step(&mut self, row: &[Occurrence], label: Verdict, weight: f64) {
        let value = |entry: &Occurrence| self.weights[entry.phrase as usize].value * f64::from(entry.count);
        let Probabilities([first, tie, second]) = model(row.iter().map(value).sum(), self.tie.value);
        let error = weight * ((first - second) - f64::from(label.sign()));
        for entry in row {
            self.weights[entry.phrase as usize].step(error * f64::from(entry.count));
        }
        self.tie.step(weight * (tie - f64::from(u8::from(label == Verdict::Tie))));
    }

    /// The regression over `count` phrases, of which `phrases` were trained.
    fn regression(&self, phrases: &[u32], count: usize) -> Regression {
        let mut weights = vec![0.0; count];
        phrases.iter().zip(&self.weights).for_each(|(&phrase, weight)| weights[phrase as usize] = weight.value);
        Regression { weights, tie: self.tie.value }
    }
}

fn model(preference: f64, tie: f64) -> Probabilities {
    Probabilities::softmax(preference, tie, -preference)
}

/// A logistic regression that is antisymmetric in the hypotheses.
#[derive(Debug, Clone, PartialEq)]
pub struct Regression {
    /// w: one weight per phrase; 0 for phrases that were not trained.
    weights: Vec<f64>,
    /// b.
    tie: f64,
}

impl Regression {
    fn sum(&self, entries: &[Occurrence]) -> f64 {
        entries.iter().map(|entry| self.weights[entry.phrase as usize] * f64::from(entry.count)).sum()
    }
}

impl Predictor<Phrases> for Regression {
    fn probabilities(&self, table: &Phrases, row: usize) -> Probabilities {
        model(self.sum(table.row(row)), self.tie)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::evaluation::Groups;
    use crate::learners::Texts;
    use Verdict::{First, Second, Tie};

    /// Words a = 0, b = 1, c = 2, each a text of its own.
    fn phrases(of_pair: &[[usize; 2]]) -> Phrases {
        let texts = Texts { words: vec![vec![0], vec![1], vec![2]], of_pair: of_pair.to_vec(), vocabulary: 3 };
        Phrases::new(&texts, &Groups { of_row: (0..of_pair.len()).collect(), count: of_pair.len() })
    }

    /// Trains on rows with different references.
    fn train(phrases: &Phrases, labels: &[Verdict], rows: &[usize]) -> Regression {
        let groups = Groups { of_row: (0..labels.len()).collect(), count: labels.len() };
        let data = Labelled { table: phrases, labels, groups: &groups, weights: &[] };
        WordRegression { seed: 1 }.fit(data, rows, 1.0, None).unwrap()
    }

    #[test]
    fn a_step_by_hand() {
        let phrases = phrases(&[[0, 1], [1, 0]]);
        let mut learned = Descent { weights: vec![Weight::new(0.0); 3], tie: Weight::new(0.0) };
        learned.step(phrases.row(0), First, 1.0);
        // All logits are 0, all probabilities 1/3: the error of 1 is -1, the gradient of b is 1/3, and the first step
        // of a weight equals its learning rate.
        for (weight, expected) in learned.weights.iter().zip([RATE, -RATE, 0.0]) {
            assert!((weight.value - expected).abs() < 1e-9, "{} is not {expected}", weight.value);
        }
        assert!((learned.tie.value + RATE).abs() < 1e-9);
        learned.step(phrases.row(0), First, 1.0);
        // Then w.x = 0.02 and b = -0.01; G is 1 plus the square of the second gradient.
        let [one, tie, other] = [0.02_f64, -0.01, -0.02].map(f64::exp);
        let error = (one - other) / (one + tie + other) - 1.0;
        let expected = RATE - RATE * error / (1.0 + error * error).sqrt();
        assert!((learned.weights[0].value - expected).abs() < 1e-9);
    }

    #[test]
    fn swapped_hypotheses_swap_the_probabilities_to_the_last_bit() {
        let phrases = phrases(&[[0, 1], [1, 0], [0, 2], [2, 1]]);
        let learned = train(&phrases, &[First, Tie, First, Second], &[0, 2, 3]);
        let [first, tie, second] = learned.probabilities(&phrases, 0).0;
        assert_eq!(learned.probabilities(&phrases, 1).0, [second, tie, first]);
        assert_ne!(first, second);
    }

    #[test]
    fn training_goes_down_the_gradient() {
        let phrases = phrases(&[[0, 1], [1, 0], [0, 1], [2, 2]]);
        let labels = [First, Second, Tie, Tie];
        let rows = [0, 1, 2, 3];
        let loss = |learned: &Regression| -> f64 {
            rows.iter().map(|&row| learned.probabilities(&phrases, row).log_loss(labels[row])).sum()
        };
        let before = Regression { weights: vec![0.0; 3], tie: (3.0_f64 / 2.0).ln() };
        let after = train(&phrases, &labels, &rows);
        assert!(loss(&after) < loss(&before));
        assert_eq!(after, train(&phrases, &labels, &rows));
    }
}
