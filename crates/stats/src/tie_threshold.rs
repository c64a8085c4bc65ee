//! A metric's agreement with human judgments if small differences of its scores count as ties.

use std::cmp::Reverse;

use serde::Serialize;

use super::Folds;
use super::by_order::VerdictsByOrder;
use crate::Verdict;
use crate::ratio;

/// The accuracy of a metric that may predict ties.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct WithTies {
    /// The share of pairs on which it agrees with human labels, out of fold, in [0, 1].
    pub accuracy: f64,
    /// The median over folds of the tie threshold, the largest |s1 - s2| that counts as a tie.
    pub threshold: f64,
}

/// A metric's verdicts, each fold judged with the tie threshold delta tuned on the other folds: 0 where |s1 - s2| <=
/// delta, else the sign of s1 - s2. Delta is 0 or one of the observed |s1 - s2|, with which no more pairs become ties
/// than human labels tie, up to equal differences, and not all of them; the smallest of equally good ones.
#[derive(Debug, Clone, PartialEq)]
pub struct Thresholded {
    /// The verdicts, of a judge in each order.
    pub verdicts: VerdictsByOrder,
    /// Their accuracy, and the threshold.
    pub summary: WithTies,
    /// For each fold, the share of verdicts on the other folds that are right with its threshold.
    right_elsewhere: Vec<f64>,
}

impl Thresholded {
    /// Tunes the thresholds of a metric. `differences`: s1 - s2 of every pair, in the order of `labels`.
    pub fn new(differences: &[f64], labels: &[Verdict], folds: &Folds) -> Self {
        Self::of_orders(&[differences.iter().copied().map(Some).collect()], labels, folds)
    }

    /// Tunes those of a judge that may have seen both orders of the hypotheses: a verdict of each order counts as a pair
    /// of a metric does, and a missing one not at all. `orders`: (orders, pairs).
    pub fn of_orders(orders: &[Vec<Option<f64>>], labels: &[Verdict], folds: &Folds) -> Self {
        let given = |values: &Vec<Option<f64>>| {
            let rows = values.iter().enumerate().filter_map(|(row, value)| Some((row, (*value)?)));
            rows.collect::<Vec<_>>()
        };
        let given: Vec<(usize, f64)> = orders.iter().flat_map(given).collect();
        let differences: Vec<f64> = given.iter().map(|&(_, difference)| difference).collect();
        let labels_of: Vec<Verdict> = given.iter().map(|&(row, _)| labels[row]).collect();
        let fold_of: Vec<usize> = given.iter().map(|&(row, _)| folds.of_row[row]).collect();
        let steps = Step::all(&differences, &labels_of, &fold_of);
        let chosen: Vec<Threshold> = (0..folds.count).map(|fold| best(&steps, fold)).collect();
        let judge = |values: &Vec<Option<f64>>| {
            let judged = values.iter().zip(&folds.of_row);
            judged.map(|(value, &fold)| value.map(|value| verdict(value, chosen[fold].size))).collect()
        };
        let verdicts = VerdictsByOrder::new(orders.iter().map(judge).collect());
        let elsewhere = |(fold, threshold): (usize, &Threshold)| {
            // A single fold has no other folds to choose a metric on, so it is chosen with hindsight.
            let rows = (0..given.len()).filter(|&at| folds.count == 1 || fold_of[at] != fold);
            let right = rows.clone().filter(|&at| verdict(differences[at], 0.0) == labels_of[at]).count();
            ratio((right + threshold.gain) as f64, rows.count() as f64)
        };
        let right_elsewhere = chosen.iter().enumerate().map(elsewhere).collect();
        let threshold = median(chosen.iter().map(|threshold| threshold.size).collect());
        let summary = WithTies { accuracy: verdicts.accuracy(labels), threshold };
        Self { verdicts, summary, right_elsewhere }
    }
}

/// The best single metric, chosen out of fold: each fold is judged by the metric and tie threshold that are most
/// accurate on the other folds.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BestMetric {
    /// The verdicts, in both orders if a judge that saw both is chosen for a fold.
    pub verdicts: VerdictsByOrder,
    /// For each fold, the index of the chosen metric among the candidates.
    pub of_fold: Vec<usize>,
}

impl BestMetric {
    /// Chooses among metrics whose thresholds come from the same folds; ties go to the first. `None` without metrics.
    /// Where one fold holds all pairs, the metric that is best on them is chosen, with a threshold of 0.
    pub fn new(metrics: &[&Thresholded], folds: &Folds) -> Option<Self> {
        let best = |fold: usize| {
            let right = |at: &usize| metrics[*at].right_elsewhere[fold];
            (0..metrics.len()).rev().max_by(|one, other| right(one).total_cmp(&right(other)))
        };
        let of_fold = (0..folds.count).map(best).collect::<Option<Vec<usize>>>()?;
        let orders_of = |metric: usize| metrics[metric].verdicts.orders();
        let orders = of_fold.iter().map(|&metric| orders_of(metric).len()).max().unwrap_or(1);
        let judge = |order: usize, row: usize| {
            let orders = orders_of(of_fold[folds.of_row[row]]);
            orders[order.min(orders.len() - 1)][row]
        };
        let in_order = |order: usize| (0..folds.of_row.len()).map(|row| judge(order, row)).collect();
        Some(Self { verdicts: VerdictsByOrder::new((0..orders).map(in_order).collect()), of_fold })
    }

    /// The metric chosen for most folds, and for how many; ties go to the first metric.
    pub fn most_chosen(&self) -> Option<(usize, usize)> {
        let folds_of = |at: usize| self.of_fold.iter().filter(|&&chosen| chosen == at).count();
        self.of_fold.iter().map(|&at| (at, folds_of(at))).max_by_key(|&(at, folds)| (folds, Reverse(at)))
    }
}

fn verdict(difference: f64, threshold: f64) -> Verdict {
    if difference.abs() <= threshold { Verdict::Tie } else { Verdict::compare(difference, 0.0) }
}

/// How raising the threshold to a pair's difference changes its correctness.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Step {
    /// |s1 - s2|.
    size: f64,
    /// 1 if the pair is correct only as a tie, -1 if it is correct only as a preference, else 0.
    gain: i64,
    /// Whether human labels have ties.
    is_tie: bool,
    fold: usize,
}

impl Step {
    /// The steps of all pairs, from the smallest difference to the largest.
    fn all(differences: &[f64], labels: &[Verdict], fold_of: &[usize]) -> Vec<Self> {
        let step = |((&difference, &label), &fold): ((&f64, &Verdict), &usize)| {
            let right = |threshold| i64::from(verdict(difference, threshold) == label);
            Self {
                size: difference.abs(),
                gain: right(f64::INFINITY) - right(0.0),
                is_tie: label == Verdict::Tie,
                fold,
            }
        };
        let mut steps: Vec<Self> = differences.iter().zip(labels).zip(fold_of).map(step).collect();
        steps.sort_by(|one, other| one.size.total_cmp(&other.size));
        steps
    }
}

/// The largest difference that counts as a tie.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Threshold {
    size: f64,
    /// How many more pairs it judges correctly than a threshold of 0.
    gain: usize,
}

/// The threshold that judges most pairs outside a fold correctly.
fn best(steps: &[Step], fold: usize) -> Threshold {
    let (mut gain, mut ties) = (0, 0);
    let mut best = Threshold { size: 0.0, gain: 0 };
    let training: Vec<&Step> = steps.iter().filter(|step| step.fold != fold).collect();
    let ties_of_labels = training.iter().filter(|step| step.is_tie).count();
    // Equal differences become ties together.
    for equal in training.chunk_by(|one, other| one.size == other.size) {
        let before = ties;
        ties += equal.len();
        // Where human labels are often ties, a metric that always says tie would be the most accurate, and say nothing.
        if before >= ties_of_labels || ties == training.len() {
            break;
        }
        gain += equal.iter().map(|step| step.gain).sum::<i64>();
        match usize::try_from(gain) {
            Ok(gain) if gain > best.gain => best = Threshold { size: equal[0].size, gain },
            _ => {}
        }
    }
    best
}

/// The median; 0 for no values.
fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    let middle = |at: usize| values.get(at).copied().unwrap_or(0.0);
    0.5 * (middle(values.len().saturating_sub(1) / 2) + middle(values.len() / 2))
}

#[cfg(test)]
mod tests {
    use super::*;
    use Verdict::{First, Second, Tie};

    fn folds(fold_of: &[usize]) -> Folds {
        Folds { of_row: fold_of.to_vec(), count: 1 + fold_of.iter().max().unwrap() }
    }

    fn given(verdicts: &[Verdict]) -> VerdictsByOrder {
        VerdictsByOrder::new(vec![verdicts.iter().copied().map(Some).collect()])
    }

    fn with_ties(differences: &[f64], labels: &[Verdict], fold_of: &[usize]) -> WithTies {
        Thresholded::new(differences, labels, &folds(fold_of)).summary
    }

    #[test]
    fn by_hand() {
        // Fold 0 is tuned on fold 1, where a threshold of 0.2 gains two ties and loses one pair; fold 1 is tuned on
        // fold 0, where 0.1 is best.
        let differences = [0.1, -0.3, 0.5, 0.1, 0.2, -0.2, 0.4];
        let labels = [Tie, Second, First, First, Tie, Tie, First];
        let fold_of = [0, 0, 0, 1, 1, 1, 1];
        let found = with_ties(&differences, &labels, &fold_of);
        assert!((found.threshold - 0.15).abs() < 1e-15);
        // Fold 0 is entirely correct; in fold 1 the pair of 0.1 wrongly becomes a tie, and those of 0.2 and -0.2 do
        // not.
        assert_eq!(found.accuracy, 4.0 / 7.0);
    }

    #[test]
    fn equal_differences_become_ties_together() {
        // Of the three pairs at 0.2 two are ties: a threshold of 0.2 gains one net. The pair at 0.3 would lose it
        // again.
        let steps = |labels: &[Verdict]| Step::all(&[0.2, 0.2, -0.2, 0.3], labels, &[0, 0, 0, 0]);
        assert_eq!(best(&steps(&[Tie, First, Tie, First]), 1).size, 0.2);
        assert_eq!(best(&steps(&[Tie, First, Second, First]), 1).size, 0.0);
        assert_eq!(best(&steps(&[Tie, First, Second, Tie]), 1).size, 0.0);
        // At most as many ties as the human labels have, and never only ties.
        assert_eq!(best(&steps(&[Tie, Tie, Second, Tie]), 1).size, 0.2);
        assert_eq!(best(&steps(&[Tie, Tie, Tie, Tie]), 1).size, 0.2);
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
        let threshold = |labels: &[Verdict]| best(&Step::all(&differences, labels, &fold_of), 0).size;
        let before = threshold(&[Tie, Second, First, First, Tie, Tie, First]);
        assert_eq!(before, threshold(&[First, Tie, Tie, First, Tie, Tie, First]));
        assert_ne!(before, threshold(&[Tie, Second, First, First, Second, First, First]));
    }

    #[test]
    fn the_best_metric_is_chosen_without_a_look_at_the_fold() {
        // The first metric is right on fold 0, the second on fold 1: each fold is judged by the metric that is wrong on
        // it.
        let labels = [First, Second, First, Second];
        let folds = folds(&[0, 0, 1, 1]);
        let metrics = [[1.0, -1.0, -1.0, 1.0], [-1.0, 1.0, 1.0, -1.0]];
        let metrics = metrics.map(|differences| Thresholded::new(&differences, &labels, &folds));
        let best = BestMetric::new(&metrics.each_ref(), &folds).unwrap();
        assert_eq!((best.of_fold.as_slice(), best.most_chosen()), ([1, 0].as_slice(), Some((0, 1))));
        assert_eq!(best.verdicts, given(&labels.map(Verdict::swapped)));
        assert_eq!(BestMetric::new(&[], &folds), None);
    }

    #[test]
    fn the_best_metric_has_its_threshold() {
        // Without ties each metric is right on two pairs of each fold; with its threshold the second is always right.
        let labels = [First, Second, Tie, First, Second, Tie];
        let folds = folds(&[0, 0, 0, 1, 1, 1]);
        let metrics = [[1.0, -1.0, 1.0, 1.0, -1.0, 1.0], [1.0, -1.0, 0.1, 1.0, -1.0, 0.1]];
        let metrics = metrics.map(|differences| Thresholded::new(&differences, &labels, &folds));
        let best = BestMetric::new(&metrics.each_ref(), &folds).unwrap();
        assert_eq!((best.verdicts, best.of_fold), (given(&labels), vec![1, 1]));
    }

    #[test]
    fn one_fold_has_no_threshold_and_the_metric_that_is_best_on_it() {
        let labels = [First, Tie];
        let metrics =
            [[-1.0, 0.1], [1.0, 0.1]].map(|differences| Thresholded::new(&differences, &labels, &folds(&[0, 0])));
        let best = BestMetric::new(&metrics.each_ref(), &folds(&[0, 0])).unwrap();
        assert_eq!((best.verdicts, best.of_fold), (given(&[First, First]), vec![1]));
    }
}
