//! What is to be known of an automatic judge before it is trusted: accuracy in each order of the hypotheses, how often it
//! contradicts itself, and what it prefers for no good reason.

use serde::Serialize;

use super::by_order::{VerdictsByOrder, mean};
use super::group_sums::{Estimate, GroupSums, Statistic, kappa, mean_statistic, share};
use crate::judgments::grouping::Groups;
use crate::judgments::{ExternalJudge, Pair, Scale, Verdict};

/// The statistics of an automatic judge; shares are in [0, 1]. Missing verdicts are skipped, see [`VerdictsByOrder`].
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct JudgeStatistics {
    /// The judge's name.
    pub name: String,
    /// The scale of its numbers.
    pub scale: Scale,
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
    /// The share of verdicts that prefer what was shown first: without a bias as large as that for what was shown second.
    pub first_shown: Option<Estimate>,
    /// The same of the verdicts that prefer a hypothesis: 1/2 without a bias, however often it says tie.
    pub first_shown_decided: Option<Estimate>,
    /// The share of labels 1 among those of the pairs with a verdict.
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
    /// Measures a judge on pairs with human labels; intervals are by groups. `None` for no verdicts.
    pub fn new(judge: &ExternalJudge, pairs: &[&Pair], labels: &[Verdict], groups: &Groups) -> Option<Self> {
        let verdicts = VerdictsByOrder::of_judge(judge, pairs);
        let (counts, in_both) = (counts(&verdicts, labels, groups), in_both(&verdicts, labels, groups));
        let in_order = |order: usize| counts.estimate(|counts| accuracy(&of_order(counts, order)));
        let both = |estimate: Option<Estimate>| estimate.filter(|_| judge.both_orders);
        Some(Self {
            name: judge.name.clone(),
            scale: judge.scale,
            missing: verdicts.orders().iter().flatten().filter(|verdict| verdict.is_none()).count(),
            coverage: verdicts.coverage(),
            accuracy: counts.estimate(|counts| mean_over_orders(counts, accuracy))?,
            accuracy_12: both(in_order(0)),
            accuracy_21: both(in_order(1)),
            consistency: in_both.estimate(|[equal, _, all]| share(*equal, *all)),
            both_orders_right: in_both.estimate(|[_, right, all]| share(*right, *all)),
            labels_first: {
                let total = counts.total();
                let first = (0..18).filter(|at| at % 9 / 3 == Verdict::First.index()).map(|at| total[at]).sum::<f64>();
                first / total.iter().sum::<f64>()
            },
            first_shown: first_shown(judge, pairs, |_| true, groups),
            first_shown_decided: first_shown(judge, pairs, |verdict| verdict != Verdict::Tie, groups),
            longer: longer(pairs, &verdicts, labels, groups),
            chance: mean(&verdicts.confusions(labels), |confusion| Some(confusion.chance())).unwrap_or(0.0),
            kappa: counts.estimate(|counts| mean_over_orders(counts, kappa)),
        })
    }
}

/// How often each verdict was given for each label, `counts[9 * order + 3 * label + verdict]`.
fn counts(verdicts: &VerdictsByOrder, labels: &[Verdict], groups: &Groups) -> GroupSums<18> {
    let mut counts = GroupSums::default();
    for (order, verdicts) in verdicts.orders().iter().enumerate() {
        for ((verdict, label), &group) in verdicts.iter().zip(labels).zip(&groups.of_pair) {
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
        of_pair.iter().enumerate().for_each(|(at, &is)| sums.add(groups.of_pair[row], at, f64::from(u8::from(is))));
    }
    sums
}

/// The share of what was shown first among the verdicts that are counted, the mean over both orders.
fn first_shown(
    judge: &ExternalJudge,
    pairs: &[&Pair],
    is_counted: fn(Verdict) -> bool,
    groups: &Groups,
) -> Option<Estimate> {
    let shown_first = if judge.both_orders { &[Verdict::First, Verdict::Second][..] } else { &[Verdict::First] };
    // Of each order: verdicts for what was shown first, verdicts.
    let mut sums = GroupSums::<4>::default();
    for (pair, &group) in pairs.iter().zip(&groups.of_pair) {
        for (order, (value, &shown_first)) in judge.orders(pair).into_iter().zip(shown_first).enumerate() {
            let verdict = value.map(|value| Verdict::compare(value, 0.0)).filter(|&verdict| is_counted(verdict));
            let Some(verdict) = verdict else { continue };
            sums.add(group, 2 * order, f64::from(u8::from(verdict == shown_first)));
            sums.add(group, 2 * order + 1, 1.0);
        }
    }
    sums.mean([0, 1], [2, 3]).or_else(|| sums.estimate(|sums| share(sums[0] + sums[2], sums[1] + sums[3])))
}

/// How much more often the longer text is preferred than in human labels.
fn longer(pairs: &[&Pair], verdicts: &VerdictsByOrder, labels: &[Verdict], groups: &Groups) -> Option<Estimate> {
    // Of the judge and then of the human labels: preferences for the longer text, preferences.
    let mut sums = GroupSums::<4>::default();
    for (row, (pair, &group)) in pairs.iter().zip(&groups.of_pair).enumerate() {
        let [first, second] = pair.hypotheses.each_ref().map(|text| text.chars().count() as f64);
        let longer = Verdict::compare(first, second);
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
    use crate::judgments::JudgeVerdicts;
    use Verdict::{First, Second};

    #[test]
    fn a_judge_that_prefers_what_is_shown_first_is_found() {
        let pair = |number: usize| {
            let orders = [Some(1.0), Some(-1.0)];
            let verdicts = vec![JudgeVerdicts { name: "j".into(), orders, scale: Scale::Signed, has_words: false }];
            Pair { verdicts, ..Pair::new([format!("a{number}"), format!("longer b{number}")], Vec::new()) }
        };
        let pairs: Vec<Pair> = (0..40).map(pair).collect();
        let labels: Vec<Verdict> = (0..40).map(|number| if number % 4 == 0 { Second } else { First }).collect();
        let (judge, groups) = (ExternalJudge::seen_in("j", pairs.iter()), Groups::new(pairs.iter()));
        let found = JudgeStatistics::new(&judge, &pairs.iter().collect::<Vec<_>>(), &labels, &groups).unwrap();
        assert_eq!((found.accuracy_12.unwrap().value, found.accuracy_21.unwrap().value), (0.75, 0.25));
        assert_eq!((found.consistency.unwrap().value, found.first_shown.unwrap().value), (0.0, 1.0));
        assert_eq!((found.accuracy.value, found.both_orders_right.unwrap().value), (0.5, 0.0));
        assert_eq!((found.missing, found.coverage, found.chance), (0, 1.0, 0.5));
    }

    #[test]
    fn ties_are_no_preference_for_what_is_shown_second() {
        let pair = |number: usize| {
            let value = [0.0, 1.0, 0.0, -1.0][number % 4];
            let orders = [Some(value), Some(value)];
            let verdicts = vec![JudgeVerdicts { name: "j".into(), orders, scale: Scale::Signed, has_words: false }];
            Pair { verdicts, ..Pair::new([format!("a{number}"), format!("b{number}")], Vec::new()) }
        };
        let pairs: Vec<Pair> = (0..40).map(pair).collect();
        let (judge, groups) = (ExternalJudge::seen_in("j", pairs.iter()), Groups::new(pairs.iter()));
        let found = JudgeStatistics::new(&judge, &pairs.iter().collect::<Vec<_>>(), &[First; 40], &groups).unwrap();
        assert_eq!((found.first_shown.unwrap().value, found.first_shown_decided.unwrap().value), (0.25, 0.5));
    }
}
