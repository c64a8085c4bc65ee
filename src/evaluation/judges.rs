//! What is to be known of an automatic judge before it is trusted: accuracy in each order of the hypotheses, how often it
//! contradicts itself, and what it prefers for no good reason.

use serde::Serialize;

use super::group_sums::{Estimate, GroupSums, kappa, share};
use crate::judgments::grouping::Groups;
use crate::judgments::{ExternalJudge, Pair, Verdict};

/// The statistics of an automatic judge; shares are in [0, 1].
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct JudgeStatistics {
    /// The judge's name.
    pub name: String,
    /// The number of verdicts that are missing, of both orders if there are two.
    pub missing: usize,
    /// The share of pairs on which it agrees with people where the first hypothesis was shown first; a missing verdict
    /// is wrong.
    pub accuracy_12: Estimate,
    /// The same where the second was shown first; `None` if the judge saw only one order.
    pub accuracy_21: Option<Estimate>,
    /// The same of the mean of both orders, a tie where they contradict each other.
    pub accuracy: Estimate,
    /// The share of pairs whose verdict changes when the hypotheses are exchanged, or is missing in one order; `None` as
    /// above.
    pub flips: Option<Estimate>,
    /// The share of verdicts that prefer what was shown first, of all that were asked for: without a bias as large as
    /// that for what was shown second.
    pub first_shown: Option<Estimate>,
    /// The same of the verdicts that prefer a hypothesis: 1/2 without a bias, however often it says tie or nothing.
    pub first_shown_decided: Option<Estimate>,
    /// The share of decided verdicts that prefer the longer of two texts, in characters, minus that of human labels.
    pub longer: Option<Estimate>,
    /// Cohen's kappa of the mean verdict and people, in [-1, 1].
    pub kappa: Option<Estimate>,
}

impl JudgeStatistics {
    /// Measures a judge on pairs with human labels; intervals are by groups. `None` for no pairs.
    pub fn of(judge: &ExternalJudge, pairs: &[&Pair], people: &[Verdict], groups: &Groups) -> Option<Self> {
        let orders =
            || pairs.iter().map(|pair| judge.orders(pair).map(|value| value.map(|value| Verdict::compare(value, 0.0))));
        let accuracy = |verdict: &dyn Fn(usize) -> Option<Verdict>| {
            let mut sums = GroupSums::<2>::default();
            for (row, (&label, &group)) in people.iter().zip(&groups.of_pair).enumerate() {
                sums.add(group, 0, f64::from(u8::from(verdict(row) == Some(label))));
                sums.add(group, 1, 1.0);
            }
            sums.estimate(|[right, all]| share(*right, *all))
        };
        let in_orders: Vec<[Option<Verdict>; 2]> = orders().collect();
        let means: Vec<Option<Verdict>> = pairs.iter().map(|pair| judge.verdict(pair)).collect();
        let both = |estimate: Option<Estimate>| estimate.filter(|_| judge.both_orders);
        let missing = |order: usize| in_orders.iter().filter(|verdicts| verdicts[order].is_none()).count();
        Some(Self {
            name: judge.name.clone(),
            missing: missing(0) + if judge.both_orders { missing(1) } else { 0 },
            accuracy_12: accuracy(&|row| in_orders[row][0])?,
            accuracy_21: both(accuracy(&|row| in_orders[row][1])),
            accuracy: accuracy(&|row| means[row])?,
            flips: both(flips(&in_orders, groups)),
            first_shown: first_shown(&in_orders, judge.both_orders, |_| true, groups),
            first_shown_decided: first_shown(&in_orders, judge.both_orders, is_decided, groups),
            longer: longer(pairs, &means, people, groups),
            kappa: {
                let mut counts = GroupSums::<9>::default();
                for ((verdict, label), &group) in means.iter().zip(people).zip(&groups.of_pair) {
                    verdict.iter().for_each(|verdict| counts.add(group, 3 * label.index() + verdict.index(), 1.0));
                }
                counts.estimate(kappa)
            },
        })
    }
}

fn flips(in_orders: &[[Option<Verdict>; 2]], groups: &Groups) -> Option<Estimate> {
    let mut sums = GroupSums::<2>::default();
    for (verdicts, &group) in in_orders.iter().zip(&groups.of_pair) {
        sums.add(group, 0, f64::from(u8::from(verdicts[0] != verdicts[1])));
        sums.add(group, 1, 1.0);
    }
    sums.estimate(|[flipped, all]| share(*flipped, *all))
}

fn is_decided(verdict: Option<Verdict>) -> bool {
    verdict.is_some_and(|verdict| verdict != Verdict::Tie)
}

/// The share of what was shown first among the verdicts that `counts`, the mean over both orders.
fn first_shown(
    in_orders: &[[Option<Verdict>; 2]],
    both_orders: bool,
    counts: fn(Option<Verdict>) -> bool,
    groups: &Groups,
) -> Option<Estimate> {
    let shown_first = if both_orders { &[Verdict::First, Verdict::Second][..] } else { &[Verdict::First] };
    // Of each order: verdicts for what was shown first, verdicts.
    let mut sums = GroupSums::<4>::default();
    for (verdicts, &group) in in_orders.iter().zip(&groups.of_pair) {
        let shown = verdicts.iter().zip(shown_first).enumerate();
        for (order, (&verdict, &shown_first)) in shown.filter(|(_, (verdict, _))| counts(**verdict)) {
            sums.add(group, 2 * order, f64::from(u8::from(verdict == Some(shown_first))));
            sums.add(group, 2 * order + 1, 1.0);
        }
    }
    sums.mean([0, 1], [2, 3]).or_else(|| sums.estimate(|sums| share(sums[0] + sums[2], sums[1] + sums[3])))
}

fn longer(pairs: &[&Pair], verdicts: &[Option<Verdict>], people: &[Verdict], groups: &Groups) -> Option<Estimate> {
    // Of the judge and then of people: preferences for the longer text, preferences.
    let mut sums = GroupSums::<4>::default();
    for (row, (pair, &group)) in pairs.iter().zip(&groups.of_pair).enumerate() {
        let [first, second] = pair.hypotheses.each_ref().map(|text| text.chars().count() as f64);
        let longer = Verdict::compare(first, second);
        if longer == Verdict::Tie {
            continue;
        }
        for (of, verdict) in [(0, verdicts[row]), (2, Some(people[row]))] {
            if let Some(verdict) = verdict.filter(|&verdict| verdict != Verdict::Tie) {
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
            let verdicts = vec![JudgeVerdicts { name: "j".into(), orders, is_signed: false, is_swapped: false }];
            Pair { verdicts, ..Pair::new([format!("a{number}"), format!("longer b{number}")], Vec::new()) }
        };
        let pairs: Vec<Pair> = (0..40).map(pair).collect();
        let people: Vec<Verdict> = (0..40).map(|number| if number % 4 == 0 { Second } else { First }).collect();
        let (judge, groups) = (ExternalJudge::seen_in("j", pairs.iter()), Groups::of(pairs.iter()));
        let found = JudgeStatistics::of(&judge, &pairs.iter().collect::<Vec<_>>(), &people, &groups).unwrap();
        assert_eq!((found.accuracy_12.value, found.accuracy_21.unwrap().value), (0.75, 0.25));
        assert_eq!((found.flips.unwrap().value, found.first_shown.unwrap().value), (1.0, 1.0));
        assert_eq!((found.accuracy.value, found.longer, found.missing), (0.0, None, 0));
    }

    #[test]
    fn ties_are_no_preference_for_what_is_shown_second() {
        let pair = |number: usize| {
            let value = [0.0, 1.0, 0.0, -1.0][number % 4];
            let orders = [Some(value), Some(value)];
            let verdicts = vec![JudgeVerdicts { name: "j".into(), orders, is_signed: false, is_swapped: false }];
            Pair { verdicts, ..Pair::new([format!("a{number}"), format!("b{number}")], Vec::new()) }
        };
        let pairs: Vec<Pair> = (0..40).map(pair).collect();
        let (judge, groups) = (ExternalJudge::seen_in("j", pairs.iter()), Groups::of(pairs.iter()));
        let found = JudgeStatistics::of(&judge, &pairs.iter().collect::<Vec<_>>(), &[First; 40], &groups).unwrap();
        assert_eq!((found.first_shown.unwrap().value, found.first_shown_decided.unwrap().value), (0.25, 0.5));
    }
}
