//! Automatic judges, such as prompted language models, and their verdicts on pairs.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::{Pair, Verdict};

/// An automatic judge, whose verdicts another program wrote down.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct ExternalJudge {
    /// The user's name for it.
    pub name: String,
    /// Whether it judged pairs twice, the second time with the hypotheses exchanged.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub both_orders: bool,
    /// Whether its numbers are probabilities that the first hypothesis is better, and not from -1 to 1.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub probabilities: bool,
}

/// What an [`ExternalJudge`] wrote of a pair. The values tell which hypothesis of the pair won, whichever was shown
/// first: 1 the first, -1 the second, 0 neither; or they are probabilities.
#[derive(Debug, Clone, PartialEq)]
pub struct JudgeVerdicts {
    /// The judge's name, shared by all pairs.
    pub name: Arc<str>,
    /// The value where the first hypothesis was shown first, and where it was shown second; `None` if it is missing.
    pub orders: [Option<f64>; 2],
    /// Whether a value was written so that it cannot be a probability: as a word, or as a number outside of 0 to 1.
    pub is_signed: bool,
    /// Whether the hypotheses of the pair have changed places since.
    pub is_swapped: bool,
}

impl ExternalJudge {
    /// The judge with this name, as its verdicts on pairs show it: it gives probabilities if some of its numbers are
    /// strictly between 0 and 1, and all of them from 0 to 1.
    pub fn seen_in<'p>(name: &str, pairs: impl Iterator<Item = &'p Pair>) -> Self {
        let (mut both_orders, mut has_fractions, mut has_others) = (false, false, false);
        for verdicts in pairs.filter_map(|pair| pair.verdicts_of(name)) {
            both_orders |= verdicts.orders[1].is_some();
            has_others |= verdicts.is_signed;
            for value in verdicts.orders.into_iter().flatten() {
                has_fractions |= value > 0.0 && value < 1.0;
                has_others |= value < 0.0;
            }
        }
        Self { name: name.to_owned(), both_orders, probabilities: has_fractions && !has_others }
    }

    /// A name that cannot clash with that of a metric: `judge.bleu`.
    pub fn qualified_name(&self) -> String {
        format!("judge.{}", self.name)
    }

    /// Its verdicts on a pair, from 1 (the first hypothesis won) to -1 (the second did): where the first was shown
    /// first, and where it was shown second. `None` if one is missing.
    pub fn orders(&self, pair: &Pair) -> [Option<f64>; 2] {
        let Some(verdicts) = pair.verdicts_of(&self.name) else { return [None; 2] };
        let [shown_first, shown_second] = verdicts.orders.map(|value| {
            let value = value.map(|value| if self.probabilities { 2.0 * value - 1.0 } else { value });
            value.map(|value| if verdicts.is_swapped { 0.0 - value } else { value })
        });
        if verdicts.is_swapped { [shown_second, shown_first] } else { [shown_first, shown_second] }
    }

    /// The mean of its verdicts on a pair, in [-1, 1]; `None` if there is none.
    pub fn mean(&self, pair: &Pair) -> Option<f64> {
        match self.orders(pair) {
            [Some(shown_first), Some(shown_second)] => Some((shown_first + shown_second) / 2.0),
            [one, other] => one.or(other),
        }
    }

    /// The verdict of [`Self::mean`]: a tie only where it is 0.
    pub fn verdict(&self, pair: &Pair) -> Option<Verdict> {
        self.mean(pair).map(|mean| Verdict::compare(mean, 0.0))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pair(orders: [Option<f64>; 2]) -> Pair {
        let verdicts = vec![JudgeVerdicts { name: "j".into(), orders, is_signed: false, is_swapped: false }];
        Pair { verdicts, ..Pair::new(["a".into(), "b".into()], Vec::new()) }
    }

    fn judge(pairs: &[Pair]) -> ExternalJudge {
        ExternalJudge::seen_in("j", pairs.iter())
    }

    #[test]
    fn known_verdicts_are_averaged() {
        let pairs = [pair([Some(1.0), Some(-1.0)]), pair([None, Some(-0.5)]), pair([None, None])];
        let judge = judge(&pairs);
        assert!(judge.both_orders && !judge.probabilities);
        assert_eq!(pairs.each_ref().map(|pair| judge.mean(pair)), [Some(0.0), Some(-0.5), None]);
        assert_eq!(judge.verdict(&pairs[0]), Some(Verdict::Tie));
    }

    #[test]
    fn probabilities_are_known_by_their_range() {
        let pairs = [pair([Some(0.75), None]), pair([Some(0.0), None])];
        let judge = judge(&pairs);
        assert_eq!((judge.probabilities, judge.both_orders), (true, false));
        assert_eq!(pairs.each_ref().map(|pair| judge.mean(pair)), [Some(0.5), Some(-1.0)]);
        assert_eq!(judge.mean(&pairs[0].clone().swapped()), Some(-0.5));
    }

    #[test]
    fn exchanged_hypotheses_exchange_orders_and_winners() {
        let pair = pair([Some(1.0), Some(0.0)]);
        let judge = judge(std::slice::from_ref(&pair));
        assert_eq!(judge.orders(&pair.clone().swapped()), [Some(0.0), Some(-1.0)]);
        assert_eq!(pair.clone().swapped().swapped(), pair);
    }
}
