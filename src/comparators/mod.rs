//! Beside stage 5. In: pairs and what people said of them, in folds. Out: what simpler ways of judging reach, out of
//! fold. Next: [`crate::report`].
//!
//! What the ensemble has to be better than, apart from single metrics: learners that see only the words of the two
//! hypotheses and never the reference, and single metrics that may say tie. All of them learn from the folds that the
//! ensemble learns from, and all are symmetric: swapped hypotheses get the swapped verdict.

pub mod naive_bayes;
pub mod phrases;
pub mod texts;
pub mod tie_threshold;
pub mod word_regression;

pub use texts::Texts;
pub use tie_threshold::WithTies;

use rayon::prelude::*;

use crate::judgments::grouping::Groups;
use crate::judgments::{Judgment, Verdict};
use crate::model::Probabilities;

/// Judgments in the folds of a cross-validation.
#[derive(Debug, Clone, PartialEq)]
pub struct Folded<'a> {
    /// The pairs.
    pub pairs: &'a [Judgment],
    /// What people said of each.
    pub labels: Vec<Verdict>,
    /// Which pairs share a reference.
    pub groups: &'a Groups,
    /// The fold of each pair, from 0.
    pub fold_of: Vec<usize>,
    /// The number of folds.
    pub folds: usize,
    /// What folds and orders of training are drawn with.
    pub seed: u64,
}

impl<'a> Folded<'a> {
    /// Splits judgments by [`Groups::folds`], as cross-validation of the ensemble does.
    pub fn of(pairs: &'a [Judgment], groups: &'a Groups, folds: usize, seed: u64) -> Self {
        let labels = pairs.iter().map(|judgment| judgment.label).collect();
        Self { pairs, labels, groups, fold_of: groups.folds(folds, seed), folds, seed }
    }

    /// The rows that are held back in a fold and those that are learned from, in order.
    pub fn split(&self, fold: usize) -> Split {
        let (held_back, training) = (0..self.fold_of.len()).partition(|&row| self.fold_of[row] == fold);
        Split { held_back, training }
    }

    /// Judges every fold by `judge`, which is given the split and answers with one value a row held back; puts the
    /// answers into the order of the pairs.
    fn out_of_fold(&self, judge: impl Fn(&Split) -> Vec<Probabilities> + Sync) -> Vec<Probabilities> {
        let judge_fold = |fold: usize| {
            let split = self.split(fold);
            let judged = judge(&split);
            split.held_back.into_iter().zip(judged).collect::<Vec<_>>()
        };
        let folds: Vec<_> = (0..self.folds).into_par_iter().map(judge_fold).collect();
        let mut all = vec![Probabilities([0.0; 3]); self.fold_of.len()];
        for (row, of_row) in folds.into_iter().flatten() {
            all[row] = of_row;
        }
        all
    }
}

/// The rows of one round of a cross-validation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Split {
    /// The rows to judge.
    pub held_back: Vec<usize>,
    /// The rows to learn from.
    pub training: Vec<usize>,
}

/// What a learner says of every pair, out of fold.
#[derive(Debug, Clone, PartialEq)]
pub struct Learned {
    /// What reports call the learner.
    pub name: &'static str,
    /// One a pair.
    pub probabilities: Vec<Probabilities>,
}

/// Naive Bayes on words and logistic regression on words and phrases.
pub fn learned(folded: &Folded<'_>) -> [Learned; 2] {
    let texts = Texts::of(folded.pairs);
    [
        Learned { name: naive_bayes::NAME, probabilities: naive_bayes::judge(&texts, folded) },
        Learned { name: word_regression::NAME, probabilities: word_regression::judge(&texts, folded) },
    ]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::judgments::Pair;

    /// Every reference has three pairs, in which the hypothesis with "good" is better, and "same" is a tie.
    pub(super) fn judgments(references: usize) -> Vec<Judgment> {
        let lines = |at: usize| {
            let reference = format!("reference {at}");
            let line = |one: &str, other: &str| format!("{one} {} ||| {other} {} ||| {reference}", at % 7, at % 5);
            [
                (line("a good thing", "a bad thing"), Verdict::First),
                (line("so bad it was", "so good it was"), Verdict::Second),
                (
                    line("the same one", "the same two"),
                    if at.is_multiple_of(3) { Verdict::Second } else { Verdict::Tie },
                ),
            ]
        };
        let judgment =
            |(line, label): (String, Verdict)| Judgment { pair: Pair::parse(&line, "example", 1).unwrap(), label };
        (0..references).flat_map(lines).map(judgment).collect()
    }

    pub(super) fn groups(judgments: &[Judgment]) -> Groups {
        Groups::of(judgments.iter().map(|judgment| &judgment.pair))
    }

    #[test]
    fn folds_are_those_of_cross_validation() {
        let judgments = judgments(20);
        let groups = groups(&judgments);
        let folded = Folded::of(&judgments, &groups, 4, 7);
        assert_eq!(folded.fold_of, groups.folds(4, 7));
        let splits: Vec<Split> = (0..4).map(|fold| folded.split(fold)).collect();
        assert_eq!(splits.iter().map(|split| split.held_back.len()).sum::<usize>(), 60);
        for Split { held_back, training } in splits {
            let group = |row: &usize| groups.of_pair[*row];
            assert!(held_back.iter().all(|row| !training.iter().any(|other| group(other) == group(row))));
        }
    }

    #[test]
    fn words_that_decide_are_learned() {
        let judgments = judgments(30);
        let groups = groups(&judgments);
        let folded = Folded::of(&judgments, &groups, 5, 1);
        for Learned { name, probabilities } in learned(&folded) {
            let right = |row: &usize| probabilities[*row].verdict() == judgments[*row].label;
            let decided: Vec<usize> = (0..90).filter(|row| row % 3 < 2).collect();
            assert_eq!(decided.iter().filter(|row| right(row)).count(), 60, "{name}");
        }
    }

    #[test]
    fn swapped_hypotheses_swap_the_probabilities() {
        let judgments = judgments(30);
        let swap = |Judgment { pair, label }: &Judgment| {
            let mut pair = pair.clone();
            pair.hypotheses.swap(0, 1);
            Judgment { pair, label: label.swapped() }
        };
        let swapped: Vec<Judgment> = judgments.iter().map(swap).collect();
        let groups = groups(&judgments);
        let of = |judgments: &[Judgment]| learned(&Folded::of(judgments, &groups, 5, 1));
        for (straight, swapped) in of(&judgments).iter().zip(of(&swapped)) {
            for (one, other) in straight.probabilities.iter().zip(swapped.probabilities) {
                // Words are numbered as they come, so that sums are not in the same order.
                let is_near = |verdict: Verdict| (one.of(verdict) - other.of(verdict.swapped())).abs() < 1e-12;
                assert!(Verdict::ALL.into_iter().all(is_near), "{}: {one:?} and {other:?}", straight.name);
            }
        }
    }

    #[test]
    fn labels_held_back_change_nothing() {
        let judgments = judgments(30);
        let groups = groups(&judgments);
        let before = learned(&Folded::of(&judgments, &groups, 5, 1));
        let fold_of = groups.folds(5, 1);
        let mut flipped = judgments.clone();
        for (judgment, _) in flipped.iter_mut().zip(&fold_of).filter(|&(_, &fold)| fold == 2) {
            judgment.label = judgment.label.swapped();
        }
        let after = learned(&Folded::of(&flipped, &groups, 5, 1));
        for (before, after) in before.iter().zip(&after) {
            let same = |row: usize| before.probabilities[row] == after.probabilities[row];
            assert!((0..90).filter(|&row| fold_of[row] == 2).all(same), "{}", before.name);
            assert!((0..90).filter(|&row| fold_of[row] != 2).any(|row| !same(row)), "{}", before.name);
        }
    }

    #[test]
    fn hypotheses_without_words_and_a_missing_label_are_fine() {
        let judgment = |at: usize| Judgment {
            pair: Pair::parse(&format!("||| ... ||| reference {at}"), "example", 1).unwrap(),
            label: Verdict::First,
        };
        let judgments: Vec<Judgment> = (0..4).map(judgment).collect();
        let groups = groups(&judgments);
        for Learned { name, probabilities } in learned(&Folded::of(&judgments, &groups, 2, 1)) {
            let is_whole = |given: &Probabilities| (given.0.iter().sum::<f64>() - 1.0).abs() < 1e-12;
            assert!(probabilities.iter().all(is_whole), "{name}: {probabilities:?}");
        }
    }
}
