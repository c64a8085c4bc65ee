//! What is to be known of an automatic judge before it is trusted: accuracy in each order of the hypotheses, how often it
//! contradicts itself, and what it prefers for no good reason.

use serde::Serialize;

use super::by_order::{VerdictsByOrder, mean};
use super::group_sums::{Estimate, GroupSums, Statistic, kappa, mean_statistic, share};
use crate::Groups;
use crate::Verdict;

/// The statistics of an automatic judge; shares are in [0, 1]. Missing verdicts are skipped, see [`VerdictsByOrder`].
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct JudgeStatistics {
    /// The number of verdicts that are missing, of both orders if there are two.
    pub missing: usize,
    /// The share of verdicts that are there.
    pub coverage: f64,
    /// The share of verdicts that are the human label; of both orders, the mean of the two shares.
    pub accuracy: Estimate,
    /// The same where the first hypothesis was shown first; `None` if the judge saw only one order.
    pub accuracy_12: Option<Estimate>,
    /// The same where the second was shown first; `None` as above.
    pub accuracy_21: Option<Estimate>,
    /// The share of pairs with the same verdict in both orders; `None` as above.
    pub consistency: Option<Estimate>,
    /// The share of pairs with the human label in both orders; `None` as above.
    pub both_orders_right: Option<Estimate>,
    /// The share of pairs with the human label among those with the same verdict in both orders: the accuracy where the judge
    /// agrees with itself; `None` as above, and where it never does.
    pub consistent_accuracy: Option<Estimate>,
    /// The share of verdicts that prefer what was shown first: without a bias as large as that for what was shown second.
    pub first_shown: Option<Estimate>,
    /// The same of the verdicts that prefer a hypothesis: 1/2 without a bias, however often it says tie.
    pub first_shown_decided: Option<Estimate>,
    /// The share of labels 1 among those of the pairs with a verdict that prefer a hypothesis; NaN without any.
    #[serde(skip)]
    pub labels_first: f64,
    /// The share of decided verdicts that prefer the longer of two texts, in characters, minus that of human labels.
    pub longer: Option<Estimate>,
    /// The accuracy of verdicts as frequent as the judge's that do not depend on the labels; the mean over the orders.
    pub chance: f64,
    /// Cohen's kappa of verdicts and human labels, in [-1, 1]; the mean over the orders.
    pub kappa: Option<Estimate>,
}

impl JudgeStatistics {
    /// Whether it was asked in both orders of the hypotheses.
    pub fn saw_both_orders(&self) -> bool {
        self.accuracy_12.is_some() || self.accuracy_21.is_some()
    }
}

impl JudgeStatistics {
    /// Measures a judge on pairs with human labels; intervals are by groups. `longer` is the verdict that prefers the longer
    /// hypothesis of each pair, a tie where neither is. `None` for no verdicts.
    /// ```
    /// use tribunal_stats::Verdict::{First, Second};
    /// use tribunal_stats::{Groups, JudgeStatistics, VerdictsByOrder};
    ///
    /// // Whatever is shown first wins.
    /// let verdicts = VerdictsByOrder::new(vec![vec![Some(First); 4], vec![Some(Second); 4]]);
    /// let labels = [First, Second, First, Second];
    /// let judge = JudgeStatistics::new(&verdicts, &[First; 4], &labels, &Groups::numbered(0..4)).unwrap();
    /// assert_eq!((judge.accuracy.value, judge.first_shown.unwrap().value), (0.5, 1.0));
    /// ```
    pub fn new(verdicts: &VerdictsByOrder, longer: &[Verdict], labels: &[Verdict], groups: &Groups) -> Option<Self> {
        let (counts, in_both) = (counts(verdicts, labels, groups), in_both(verdicts, labels, groups));
        let in_order = |order: usize| counts.estimate(|counts| accuracy(&of_order(counts, order)));
        let both = |estimate: Option<Estimate>| estimate.filter(|_| verdicts.orders().len() == 2);
        Some(Self {
            missing: verdicts.orders().iter().flatten().filter(|verdict| verdict.is_none()).count(),
            coverage: verdicts.coverage(),
            accuracy: counts.estimate(|counts| mean_over_orders(counts, accuracy))?,
            accuracy_12: both(in_order(0)),
            accuracy_21: both(in_order(1)),
            consistency: in_both.estimate(|[equal, _, all]| share(*equal, *all)),
            both_orders_right: in_both.estimate(|[_, right, all]| share(*right, *all)),
            consistent_accuracy: in_both.estimate(|[equal, right, _]| share(*right, *equal)),
            labels_first: {
                let total = counts.total();
                let of =
                    |label: Verdict| (0..18).filter(|at| at % 9 / 3 == label.index()).map(|at| total[at]).sum::<f64>();
                of(Verdict::First) / (of(Verdict::First) + of(Verdict::Second))
            },
            first_shown: first_shown(verdicts, |_| true, groups),
            first_shown_decided: first_shown(verdicts, |verdict| verdict != Verdict::Tie, groups),
            longer: prefers_longer(longer, verdicts, labels, groups),
            chance: mean(&verdicts.confusions(labels), |confusion| Some(confusion.chance())).unwrap_or(0.0),
            kappa: counts.estimate(|counts| mean_over_orders(counts, kappa)),
        })
    }
}

/// How often each verdict was given for each label, `counts[9 * order + 3 * label + verdict]`.
fn counts(verdicts: &VerdictsByOrder, labels: &[Verdict], groups: &Groups) -> GroupSums<18> {
    let mut counts = GroupSums::default();
    for (order, verdicts) in verdicts.orders().iter().enumerate() {
        for ((verdict, label), &group) in verdicts.iter().zip(labels).zip(&groups.of_row) {
            let at = |verdict: &Verdict| 9 * order + 3 * label.index() + verdict.index();
            verdict.iter().for_each(|verdict| counts.add(group, at(verdict), 1.0));
        }
    }
    counts
}

fn of_order(counts: &[f64; 18], order: usize) -> [f64; 9] {
    std::array::from_fn(|at| counts[9 * order + at])
}

/// The mean of a figure over the orders in which it is defined.
fn mean_over_orders(counts: &[f64; 18], figure: fn(&[f64; 9]) -> Option<Statistic>) -> Option<Statistic> {
    let figures: Vec<Statistic> = (0..2).filter_map(|order| figure(&of_order(counts, order))).collect();
    mean_statistic(&figures)
}

fn accuracy(counts: &[f64; 9]) -> Option<Statistic> {
    share(counts[0] + counts[4] + counts[8], counts.iter().sum())
}

/// The number of pairs with the same verdict in both orders, with the human label in both, and with both verdicts.
fn in_both(verdicts: &VerdictsByOrder, labels: &[Verdict], groups: &Groups) -> GroupSums<3> {
    let mut sums = GroupSums::default();
    let [one, other] = verdicts.orders() else { return sums };
    for (row, (one, other)) in one.iter().zip(other).enumerate() {
        let (Some(one), Some(other)) = (one, other) else { continue };
        let of_pair = [one == other, one == other && *one == labels[row], true];
        of_pair.iter().enumerate().for_each(|(at, &is)| sums.add(groups.of_row[row], at, f64::from(u8::from(is))));
    }
    sums
}

/// The share of what was shown first among the verdicts that are counted, the mean over both orders.
fn first_shown(verdicts: &VerdictsByOrder, is_counted: fn(Verdict) -> bool, groups: &Groups) -> Option<Estimate> {
    // Of each order: verdicts for what was shown first, verdicts.
    let mut sums = GroupSums::<4>::default();
    let shown_first = [Verdict::First, Verdict::Second];
    for (order, (verdicts, shown_first)) in verdicts.orders().iter().zip(shown_first).enumerate() {
        for (verdict, &group) in verdicts.iter().zip(&groups.of_row) {
            let Some(verdict) = verdict.filter(|&verdict| is_counted(verdict)) else { continue };
            sums.add(group, 2 * order, f64::from(u8::from(verdict == shown_first)));
            sums.add(group, 2 * order + 1, 1.0);
        }
    }
    sums.mean([0, 1], [2, 3]).or_else(|| sums.estimate(|sums| share(sums[0] + sums[2], sums[1] + sums[3])))
}

/// How much more often the longer text is preferred than in human labels.
fn prefers_longer(
    longer: &[Verdict],
    verdicts: &VerdictsByOrder,
    labels: &[Verdict],
    groups: &Groups,
) -> Option<Estimate> {
    // Of the judge and then of the human labels: preferences for the longer text, preferences.
    let mut sums = GroupSums::<4>::default();
    for (row, (&longer, &group)) in longer.iter().zip(&groups.of_row).enumerate() {
        let of_judge = verdicts.orders().iter().filter_map(|verdicts| Some((0, verdicts[row]?)));
        for (of, verdict) in of_judge.chain([(2, labels[row])]) {
            if longer != Verdict::Tie && verdict != Verdict::Tie {
                sums.add(group, of, f64::from(u8::from(verdict == longer)));
                sums.add(group, of + 1, 1.0);
            }
        }
    }
    sums.difference(|sums| share(sums[0], sums[1]), |sums| share(sums[2], sums[3]))
}

#[cfg(test)]
mod tests {
    use super::*;
    use Verdict::{First, Second, Tie};

    /// The statistics on 40 pairs, each a group, of which the second hypothesis is longer.
    fn statistics(orders: Vec<Vec<Verdict>>, labels: &[Verdict]) -> JudgeStatistics {
        let orders = orders.into_iter().map(|verdicts| verdicts.into_iter().map(Some).collect()).collect();
        JudgeStatistics::new(&VerdictsByOrder::new(orders), &[Second; 40], labels, &Groups::numbered(0..40)).unwrap()
    }

    #[test]
    fn a_judge_that_prefers_what_is_shown_first_is_found() {
        let labels: Vec<Verdict> = (0..40).map(|number| if number % 4 == 0 { Second } else { First }).collect();
        let found = statistics(vec![vec![First; 40], vec![Second; 40]], &labels);
        assert_eq!((found.accuracy_12.unwrap().value, found.accuracy_21.unwrap().value), (0.75, 0.25));
        assert_eq!((found.consistency.unwrap().value, found.first_shown.unwrap().value), (0.0, 1.0));
        assert_eq!((found.accuracy.value, found.both_orders_right.unwrap().value), (0.5, 0.0));
        assert_eq!(found.consistent_accuracy, None);
        assert_eq!((found.missing, found.coverage, found.chance), (0, 1.0, 0.5));
        assert_eq!(found.longer.unwrap().value, 0.5 - 0.25);
    }

    #[test]
    fn ties_are_no_preference_for_what_is_shown_second() {
        let verdicts: Vec<Verdict> = (0..40).map(|number| [Tie, First, Tie, Second][number % 4]).collect();
        let mut other = verdicts.clone();
        // Of the 30 pairs on which both orders agree, 10 are right.
        other[..40].iter_mut().step_by(4).for_each(|verdict| *verdict = First);
        let found = statistics(vec![verdicts.clone(), other], &[First; 40]);
        assert_eq!(found.consistent_accuracy.unwrap().value, 10.0 / 30.0);
        let found = statistics(vec![verdicts.clone(), verdicts], &[First; 40]);
        assert_eq!((found.first_shown.unwrap().value, found.first_shown_decided.unwrap().value), (0.25, 0.5));
    }
}
