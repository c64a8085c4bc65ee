//! Beside stage 5. In: in which words and phrases the hypotheses of a pair differ. Out: what logistic regression makes
//! of them. Next: report.

use rand::SeedableRng;
use rand::seq::SliceRandom;
use rand_chacha::ChaCha8Rng;

use super::phrases::{Difference, Differences};
use super::{Folded, Split, Texts};
use crate::judgments::Verdict;
use crate::model::Probabilities;

/// What reports call it.
pub const NAME: &str = "word-regression";

/// A phrase is learned if the pairs of as many references differ in it: one of a single sentence tells nothing of
/// others.
const REFERENCES: u32 = 2;

/// Times that training goes through the pairs: few, which keeps weights small as a penalty would (early stopping).
const EPOCHS: usize = 3;

/// AdaGrad's rate; between 0.003 and 0.03 it hardly matters on judgments of WMT.
const RATE: f64 = 0.01;

/// What AdaGrad's sums of squares begin with, so that no division is by zero.
const SMALLEST: f64 = 1e-8;

/// Judges every pair by what was learned from the other folds.
///
/// With x the count of each phrase of 1 to 3 words in the first hypothesis minus that in the second, the logits are
///
/// ```text
/// z(1) = w.x        z(0) = b        z(-1) = -w.x
/// ```
///
/// and w and b minimise the log loss by stochastic gradient descent, a pair a step, in which each weight has a rate of
/// its own: with g the gradient of the pair's loss, G += g^2 and w -= 0.01 g / sqrt(G). Duchi, Hazan and Singer 2011,
/// "Adaptive Subgradient Methods for Online Learning and Stochastic Optimization" (AdaGrad with diagonal matrices). b
/// begins with what fits pairs without any known phrase. The order of the pairs is drawn with the seed of the folds.
pub fn judge(texts: &Texts, folded: &Folded<'_>) -> Vec<Probabilities> {
    let group_of = &folded.groups.of_pair;
    let rows: Vec<usize> = (0..folded.labels.len()).collect();
    let all = Differences::of(texts);
    // What two references of all do not share, no two of the training part do: most phrases are done with at once.
    let all = all.filter(&shared(&all, &rows, group_of));
    folded.out_of_fold(|Split { held_back, training }| {
        let known = all.filter(&shared(&all, training, group_of));
        let learned = Regression::train(&known, &folded.labels, training, folded.seed);
        held_back.iter().map(|&row| learned.probabilities(known.row(row))).collect()
    })
}

/// For each phrase whether rows of enough references differ in it.
fn shared(differences: &Differences, rows: &[usize], group_of: &[usize]) -> Vec<bool> {
    let mut rows = rows.to_vec();
    rows.sort_by_key(|&row| group_of[row]);
    let mut references = vec![0; differences.phrases];
    let mut last = vec![usize::MAX; differences.phrases];
    for row in rows {
        for entry in differences.row(row) {
            let phrase = entry.phrase as usize;
            references[phrase] += u32::from(last[phrase] != group_of[row]);
            last[phrase] = group_of[row];
        }
    }
    references.into_iter().map(|count| count >= REFERENCES).collect()
}

/// A number that AdaGrad learns.
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

/// A logistic regression that is antisymmetric in the hypotheses.
#[derive(Debug, Clone, PartialEq)]
struct Regression {
    /// w: one a phrase.
    weights: Vec<Weight>,
    /// b.
    tie: Weight,
}

impl Regression {
    fn train(differences: &Differences, labels: &[Verdict], rows: &[usize], seed: u64) -> Self {
        let ties = rows.iter().filter(|&&row| labels[row] == Verdict::Tie).count() as f64;
        // The odds of 0 to 1 and to -1, which are equally frequent with mirrored pairs; smoothed, as either may be
        // missing.
        let odds = (ties + 1.0) / (0.5 * (rows.len() as f64 - ties) + 1.0);
        let mut learned = Self { weights: vec![Weight::new(0.0); differences.phrases], tie: Weight::new(odds.ln()) };
        let mut order = rows.to_vec();
        order.shuffle(&mut ChaCha8Rng::seed_from_u64(seed));
        for _ in 0..EPOCHS {
            order.iter().for_each(|&row| learned.step(differences.row(row), labels[row]));
        }
        learned
    }

    fn step(&mut self, row: &[Difference], label: Verdict) {
        let Probabilities([first, tie, second]) = self.probabilities(row);
        let error = (first - second) - f64::from(label.sign());
        for entry in row {
            self.weights[entry.phrase as usize].step(error * f64::from(entry.count));
        }
        self.tie.step(tie - f64::from(u8::from(label == Verdict::Tie)));
    }

    fn probabilities(&self, row: &[Difference]) -> Probabilities {
        let value = |entry: &Difference| self.weights[entry.phrase as usize].value * f64::from(entry.count);
        let preference: f64 = row.iter().map(value).sum();
        Probabilities::softmax(preference, self.tie.value, -preference)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use Verdict::{First, Second, Tie};

    /// Words a = 0, b = 1, c = 2, each a text of its own.
    fn differences(of_pair: &[[usize; 2]]) -> Differences {
        Differences::of(&Texts { words: vec![vec![0], vec![1], vec![2]], of_pair: of_pair.to_vec(), vocabulary: 3 })
    }

    #[test]
    fn a_step_by_hand() {
        let differences = differences(&[[0, 1]]);
        let mut learned = Regression { weights: vec![Weight::new(0.0); 3], tie: Weight::new(0.0) };
        learned.step(differences.row(0), First);
        // All logits are 0, all probabilities 1/3: the error of 1 is -1, the gradient of b is 1/3, and the first step
        // of a weight is its rate.
        for (weight, expected) in learned.weights.iter().zip([RATE, -RATE, 0.0]) {
            assert!((weight.value - expected).abs() < 1e-9, "{} is not {expected}", weight.value);
        }
        assert!((learned.tie.value + RATE).abs() < 1e-9);
        learned.step(differences.row(0), First);
        // Now w.x = 0.02 and b = -0.01; G is 1 and the square of the second gradient.
        let [one, tie, other] = [0.02_f64, -0.01, -0.02].map(f64::exp);
        let error = (one - other) / (one + tie + other) - 1.0;
        let expected = RATE - RATE * error / (1.0 + error * error).sqrt();
        assert!((learned.weights[0].value - expected).abs() < 1e-9);
    }

    #[test]
    fn swapped_hypotheses_swap_the_probabilities_to_the_last_bit() {
        let differences = differences(&[[0, 1], [1, 0], [0, 2], [2, 1]]);
        let learned = Regression::train(&differences, &[First, Tie, First, Second], &[0, 2, 3], 1);
        let [first, tie, second] = learned.probabilities(differences.row(0)).0;
        assert_eq!(learned.probabilities(differences.row(1)).0, [second, tie, first]);
        assert_ne!(first, second);
    }

    #[test]
    fn training_goes_down_the_gradient() {
        let differences = differences(&[[0, 1], [1, 0], [0, 1], [2, 2]]);
        let labels = [First, Second, Tie, Tie];
        let rows = [0, 1, 2, 3];
        let loss = |learned: &Regression| -> f64 {
            rows.iter().map(|&row| -learned.probabilities(differences.row(row)).of(labels[row]).ln()).sum()
        };
        let before = Regression { weights: vec![Weight::new(0.0); 3], tie: Weight::new((3.0_f64 / 2.0).ln()) };
        let after = Regression::train(&differences, &labels, &rows, 1);
        assert!(loss(&after) < loss(&before));
        assert_eq!(after, Regression::train(&differences, &labels, &rows, 1));
    }

    #[test]
    fn phrases_of_one_reference_are_left_out() {
        let differences = differences(&[[0, 1], [0, 2], [0, 2], [1, 2]]);
        let group_of = [0, 1, 1, 2];
        assert_eq!(shared(&differences, &[0, 1, 2, 3], &group_of), [true, true, true]);
        assert_eq!(shared(&differences, &[0, 1, 2], &group_of), [true, false, false]);
    }
}
