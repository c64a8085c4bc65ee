//! In: by how much a metric prefers one hypothesis. Out: how often people agree if small differences are ties. Next:
//! report.

use serde::Serialize;

use crate::judgments::Verdict;
use crate::learning::Folds;
use crate::metrics::ratio;

/// What a metric reaches if it may say tie.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct WithTies {
    /// The share of pairs on which it agrees with people, out of fold.
    pub accuracy: f64,
    /// The median over folds of the largest difference that is a tie.
    pub threshold: f64,
}

impl WithTies {
    /// Judges each fold with the threshold that is best for the others: 0 where |s1 - s2| <= delta, the sign of s1 - s2
    /// elsewhere. `differences` has s1 - s2 of every pair; delta is 0 or one of their sizes, of equally good ones the
    /// least.
    pub fn of(differences: &[f64], labels: &[Verdict], folds: &Folds) -> Self {
        let steps = Step::all(differences, labels, &folds.of_row);
        let thresholds: Vec<f64> = (0..folds.count).map(|fold| best(&steps, fold)).collect();
        let is_right = |row: &usize| {
            let threshold = thresholds[folds.of_row[*row]];
            verdict(differences[*row], threshold) == labels[*row]
        };
        let right = (0..differences.len()).filter(is_right).count();
        Self { accuracy: ratio(right as f64, differences.len() as f64), threshold: median(thresholds) }
    }
}

fn verdict(difference: f64, threshold: f64) -> Verdict {
    if difference.abs() <= threshold { Verdict::Tie } else { Verdict::compare(difference, 0.0) }
}

/// What happens when a threshold reaches a pair.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Step {
    /// |s1 - s2|.
    size: f64,
    /// 1 if the pair is judged rightly from here on, -1 if it was before, 0 if it is as right or wrong as before.
    gain: i64,
    fold: usize,
}

impl Step {
    /// The steps of all pairs, from the smallest difference to the largest.
    fn all(differences: &[f64], labels: &[Verdict], fold_of: &[usize]) -> Vec<Self> {
        let step = |((&difference, &label), &fold): ((&f64, &Verdict), &usize)| {
            let right = |threshold| i64::from(verdict(difference, threshold) == label);
            Self { size: difference.abs(), gain: right(f64::INFINITY) - right(0.0), fold }
        };
        let mut steps: Vec<Self> = differences.iter().zip(labels).zip(fold_of).map(step).collect();
        steps.sort_by(|one, other| one.size.total_cmp(&other.size));
        steps
    }
}

/// The threshold that judges most pairs rightly outside of a fold.
fn best(steps: &[Step], fold: usize) -> f64 {
    let (mut gain, mut most, mut threshold) = (0, 0, 0.0);
    let mut training = steps.iter().filter(|step| step.fold != fold).peekable();
    while let Some(step) = training.next() {
        gain += step.gain;
        // Equal differences become ties together.
        let is_last = training.peek().is_none_or(|next| next.size > step.size);
        if is_last && gain > most {
            (most, threshold) = (gain, step.size);
        }
    }
    threshold
}

/// The middle value; of an even number the mean of the two in the middle; 0 of none.
fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    let middle = |at: usize| values.get(at).copied().unwrap_or(0.0);
    0.5 * (middle(values.len().saturating_sub(1) / 2) + middle(values.len() / 2))
}

#[cfg(test)]
mod tests {
    use super::*;
    use Verdict::{First, Second, Tie};

    fn with_ties(differences: &[f64], labels: &[Verdict], fold_of: &[usize]) -> WithTies {
        let count = 1 + fold_of.iter().max().unwrap();
        WithTies::of(differences, labels, &Folds { of_row: fold_of.to_vec(), count })
    }

    #[test]
    fn by_hand() {
        // Fold 0 learns from fold 1, where 0.2 makes a tie of two ties and of one pair that was right; fold 1 learns
        // from fold 0, where 0.1 is best.
        let differences = [0.1, -0.3, 0.5, 0.1, 0.2, -0.2, 0.4];
        let labels = [Tie, Second, First, First, Tie, Tie, First];
        let fold_of = [0, 0, 0, 1, 1, 1, 1];
        let found = with_ties(&differences, &labels, &fold_of);
        assert!((found.threshold - 0.15).abs() < 1e-15);
        // Fold 0 is all right; in fold 1 the pair of 0.1 becomes a tie, those of 0.2 and -0.2 do not.
        assert_eq!(found.accuracy, 4.0 / 7.0);
    }

    #[test]
    fn equal_differences_become_ties_together() {
        // Two of 0.2 are a tie and one is not: a tie gains one. The one of 0.3 would lose what it gains.
        let steps = |labels: &[Verdict]| Step::all(&[0.2, 0.2, -0.2, 0.3], labels, &[0, 0, 0, 0]);
        assert_eq!(best(&steps(&[Tie, First, Tie, First]), 1), 0.2);
        assert_eq!(best(&steps(&[Tie, First, Second, First]), 1), 0.0);
        assert_eq!(best(&steps(&[Tie, First, Second, Tie]), 1), 0.0);
        assert_eq!(best(&steps(&[Tie, Tie, Second, Tie]), 1), 0.3);
    }

    #[test]
    fn equal_scores_are_a_tie_without_any_gain() {
        assert_eq!(with_ties(&[0.0, 0.0], &[Tie, Tie], &[0, 1]), WithTies { accuracy: 1.0, threshold: 0.0 });
        assert_eq!(with_ties(&[0.0, 0.0], &[First, Tie], &[0, 1]), WithTies { accuracy: 0.5, threshold: 0.0 });
    }

    #[test]
    fn the_fold_held_back_has_no_say() {
        let differences = [0.1, -0.3, 0.5, 0.1, 0.2, -0.2, 0.4];
        let fold_of = [0, 0, 0, 1, 1, 1, 1];
        let threshold = |labels: &[Verdict]| best(&Step::all(&differences, labels, &fold_of), 0);
        let before = threshold(&[Tie, Second, First, First, Tie, Tie, First]);
        assert_eq!(before, threshold(&[First, Tie, Tie, First, Tie, Tie, First]));
        assert_ne!(before, threshold(&[Tie, Second, First, First, Second, First, First]));
    }

    #[test]
    fn swapped_hypotheses_change_nothing() {
        let differences = [0.1, -0.3, 0.5, 0.1, 0.2, -0.2, 0.4];
        let labels = [Tie, Second, First, First, Tie, Tie, First];
        let fold_of = [0, 0, 0, 1, 1, 1, 1];
        let swapped = with_ties(&differences.map(|difference| -difference), &labels.map(Verdict::swapped), &fold_of);
        assert_eq!(swapped, with_ties(&differences, &labels, &fold_of));
    }

    #[test]
    fn the_median_is_in_the_middle() {
        assert_eq!(median(vec![3.0, 1.0, 2.0]), 2.0);
        assert_eq!(median(vec![4.0, 1.0, 2.0, 3.0]), 2.5);
        assert_eq!(median(vec![]), 0.0);
    }
}
