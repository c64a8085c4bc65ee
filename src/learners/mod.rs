//! [`logistic`] is the learner of the ensemble. The two other learners see only the words of the hypotheses and never
//! the reference: accuracy beyond theirs cannot come from the words that good systems happen to use. All are
//! antisymmetric: swapped hypotheses get the swapped verdict.

pub mod logistic;
pub(crate) mod naive_bayes;
pub(crate) mod phrases;
pub(crate) mod texts;
pub(crate) mod word_regression;

pub use logistic::LogisticRegression;
pub use naive_bayes::NaiveBayes;
pub use phrases::Phrases;
pub use texts::Texts;
pub use word_regression::WordRegression;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::judgments::grouping;
    use crate::judgments::{Pair, Probabilities, Verdict};
    use crate::learning::{Labelled, Learner, Validation, cross_validate, split};

    /// Every reference has three pairs: in two, the hypothesis with "good" is better; the third, with "same", is a tie
    /// for two references out of three.
    fn judged(references: usize) -> (Vec<Pair>, Vec<Verdict>) {
        let lines = |at: usize| {
            let reference = format!("reference {at}");
            let line = |one: &str, other: &str| format!("{one} {} ||| {other} {} ||| {reference}", at % 7, at % 5);
            let last = if at.is_multiple_of(3) { Verdict::Second } else { Verdict::Tie };
            [
                (line("a good thing", "a bad thing"), Verdict::First),
                (line("so bad it was", "so good it was"), Verdict::Second),
                (line("the same one", "the same two"), last),
            ]
        };
        let pair = |(line, label): (String, Verdict)| (Pair::parse(&line, "example", 1).unwrap(), label);
        (0..references).flat_map(lines).map(pair).unzip()
    }

    /// The out-of-fold probabilities of both learners of words.
    fn learned(pairs: &[Pair], labels: &[Verdict], folds: usize) -> [(&'static str, Vec<Probabilities>); 2] {
        let texts = Texts::new(pairs.iter());
        let phrases = Phrases::new(&texts, &grouping::groups(pairs.iter()));
        let (bayes, regression) = (NaiveBayes, WordRegression { seed: 1 });
        [
            (bayes.name(), out_of_fold(&bayes, &texts, (pairs, labels), folds)),
            (regression.name(), out_of_fold(&regression, &phrases, (pairs, labels), folds)),
        ]
    }

    fn out_of_fold<L: Learner>(
        learner: &L,
        table: &L::Table,
        (pairs, labels): (&[Pair], &[Verdict]),
        folds: usize,
    ) -> Vec<Probabilities> {
        let groups = grouping::groups(pairs.iter());
        let data = Labelled { table, labels, groups: &groups, weights: &[] };
        let settings = Validation { folds, ..Validation::default() };
        let folds = split(&groups, folds, 1).unwrap();
        cross_validate(learner, data, &folds, &settings, &|_, _| ()).unwrap().probabilities
    }

    #[test]
    fn words_that_decide_are_learned() {
        let (pairs, labels) = judged(30);
        for (name, probabilities) in learned(&pairs, &labels, 5) {
            let decided: Vec<usize> = (0..90).filter(|row| row % 3 < 2).collect();
            let right = decided.iter().filter(|&&row| probabilities[row].verdict() == labels[row]).count();
            assert_eq!(right, 60, "{name}");
        }
    }

    #[test]
    fn swapped_hypotheses_swap_the_probabilities() {
        let (pairs, labels) = judged(30);
        let swap = |pair: &Pair| {
            let mut pair = pair.clone();
            pair.hypotheses.swap(0, 1);
            pair
        };
        let swapped: Vec<Pair> = pairs.iter().map(swap).collect();
        let swapped_labels: Vec<Verdict> = labels.iter().map(|label| label.swapped()).collect();
        let both = learned(&pairs, &labels, 5).into_iter().zip(learned(&swapped, &swapped_labels, 5));
        for ((name, straight), (_, swapped)) in both {
            for (one, other) in straight.iter().zip(swapped) {
                // Words are numbered in order of occurrence, so sums are not computed in the same order.
                let is_near =
                    |verdict: Verdict| (one.probability(verdict) - other.probability(verdict.swapped())).abs() < 1e-12;
                assert!(Verdict::ALL.into_iter().all(is_near), "{name}: {one:?} and {other:?}");
            }
        }
    }

    #[test]
    fn labels_held_out_change_nothing() {
        let (pairs, labels) = judged(30);
        let fold_of = grouping::groups(pairs.iter()).folds(5, 1);
        let flip = |(label, &fold): (&Verdict, &usize)| if fold == 2 { label.swapped() } else { *label };
        let flipped: Vec<Verdict> = labels.iter().zip(&fold_of).map(flip).collect();
        for ((name, before), (_, after)) in learned(&pairs, &labels, 5).iter().zip(learned(&pairs, &flipped, 5)) {
            let same = |row: usize| before[row] == after[row];
            assert!((0..90).filter(|&row| fold_of[row] == 2).all(same), "{name}");
            assert!((0..90).filter(|&row| fold_of[row] != 2).any(|row| !same(row)), "{name}");
        }
    }

    #[test]
    fn hypotheses_without_words_and_a_missing_label_are_fine() {
        let pairs: Vec<Pair> =
            (0..4).map(|at| Pair::parse(&format!("||| ... ||| reference {at}"), "example", 1).unwrap()).collect();
        for (name, probabilities) in learned(&pairs, &[Verdict::First; 4], 2) {
            let is_whole = |given: &Probabilities| (given.0.iter().sum::<f64>() - 1.0).abs() < 1e-12;
            assert!(probabilities.iter().all(is_whole), "{name}: {probabilities:?}");
        }
    }
}
