//! Automatic judges, such as prompted language models, and their verdicts on pairs.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::{Pair, Scale, Verdict};

/// An automatic judge, whose verdicts another program wrote down.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(from = "StoredJudge")]
pub struct ExternalJudge {
    /// The user's name for it.
    pub name: String,
    /// Whether it judged pairs twice, the second time with the hypotheses exchanged.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub both_orders: bool,
    /// The scale of its numbers.
    pub scale: Scale,
}

/// A judge in a model file. Files of versions without a scale tell probabilities from other numbers.
#[derive(Deserialize)]
struct StoredJudge {
    name: String,
    #[serde(default)]
    both_orders: bool,
    scale: Option<Scale>,
    #[serde(default)]
    probabilities: bool,
}

impl From<StoredJudge> for ExternalJudge {
    fn from(StoredJudge { name, both_orders, scale, probabilities }: StoredJudge) -> Self {
        let otherwise = if probabilities { Scale::Probability } else { Scale::Signed };
        Self { name, both_orders, scale: scale.unwrap_or(otherwise) }
    }
}

/// What an [`ExternalJudge`] wrote of a pair.
#[derive(Debug, Clone, PartialEq)]
pub struct JudgeVerdicts {
    /// The judge's name, shared by all pairs.
    pub name: Arc<str>,
    /// From 1 (the first hypothesis is better) to -1 (the second is), whichever was shown first: where the first was
    /// shown first, and where it was shown second; `None` if it is missing.
    pub orders: [Option<f64>; 2],
    /// The scale on which the numbers were written.
    pub scale: Scale,
    /// Whether a value was written as a word.
    pub has_words: bool,
}

impl JudgeVerdicts {
    /// The verdicts on the pair with its hypotheses in the other order.
    pub fn swap(&mut self) {
        let [shown_first, shown_second] = self.orders.map(|value| value.map(|value| 0.0 - value));
        self.orders = [shown_second, shown_first];
    }
}

impl ExternalJudge {
    /// The judge with this name, as its verdicts on pairs show it. Where every pair has one verdict, it judged each once, even
    /// if some pairs have their hypotheses in the other order than it saw.
    pub fn seen_in<'p>(name: &str, pairs: impl Iterator<Item = &'p Pair>) -> Self {
        let mut judge = Self { name: name.to_owned(), both_orders: false, scale: Scale::Words };
        for verdicts in pairs.filter_map(|pair| pair.verdicts_of(name)) {
            judge.both_orders |= verdicts.orders.iter().all(Option::is_some);
            judge.scale = verdicts.scale;
        }
        judge
    }

    /// A name that cannot clash with that of a metric: `judge.bleu`.
    pub fn qualified_name(&self) -> String {
        format!("judge.{}", self.name)
    }

    /// Its verdicts on a pair, from 1 (the first hypothesis won) to -1 (the second did): where the first was shown
    /// first, and where it was shown second. `None` if one is missing.
    pub fn orders(&self, pair: &Pair) -> [Option<f64>; 2] {
        pair.verdicts_of(&self.name).map_or([None; 2], |verdicts| verdicts.orders)
    }

    /// The mean of its verdicts on a pair, in [-1, 1]; `None` if there is none.
    pub fn mean(&self, pair: &Pair) -> Option<f64> {
        match self.orders(pair) {
            [Some(shown_first), Some(shown_second)] => Some((shown_first + shown_second) / 2.0),
            [one, other] => one.or(other),
        }
    }

    /// Its verdicts as numbers, see [`Self::orders`]: (orders, pairs), of both orders only if it saw both.
    pub fn values_by_order(&self, pairs: &[&Pair]) -> Vec<Vec<Option<f64>>> {
        if self.both_orders {
            return (0..2).map(|order| pairs.iter().map(|pair| self.orders(pair)[order]).collect()).collect();
        }
        vec![pairs.iter().map(|pair| self.mean(pair)).collect()]
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
        let verdicts = vec![JudgeVerdicts { name: "j".into(), orders, scale: Scale::Signed, has_words: false }];
        Pair { verdicts, ..Pair::new(["a".into(), "b".into()], Vec::new()) }
    }

    fn judge(pairs: &[Pair]) -> ExternalJudge {
        ExternalJudge::seen_in("j", pairs.iter())
    }

    #[test]
    fn known_verdicts_are_averaged() {
        let pairs = [pair([Some(1.0), Some(-1.0)]), pair([None, Some(-0.5)]), pair([None, None])];
        let judge = judge(&pairs);
        assert!(judge.both_orders && judge.scale == Scale::Signed);
        assert_eq!(pairs.each_ref().map(|pair| judge.mean(pair)), [Some(0.0), Some(-0.5), None]);
        assert_eq!(judge.verdict(&pairs[0]), Some(Verdict::Tie));
    }

    #[test]
    fn a_pair_in_the_other_order_was_judged_once() {
        let once = [pair([Some(1.0), None]), pair([Some(1.0), None]).swapped()];
        let judge = judge(&once);
        assert!(!judge.both_orders);
        assert_eq!(judge.values_by_order(&once.each_ref()), [[Some(1.0), Some(-1.0)]]);
    }

    #[test]
    fn exchanged_hypotheses_exchange_orders_and_winners() {
        let pair = pair([Some(1.0), Some(0.0)]);
        let judge = judge(std::slice::from_ref(&pair));
        assert_eq!(judge.orders(&pair.clone().swapped()), [Some(0.0), Some(-1.0)]);
        assert_eq!(pair.clone().swapped().swapped(), pair);
    }

    #[test]
    fn judges_of_earlier_model_files_keep_their_scale() {
        let read = |text: &str| serde_json::from_str::<ExternalJudge>(text).unwrap().scale;
        assert_eq!(read(r#"{"name": "j", "probabilities": true}"#), Scale::Probability);
        assert_eq!(read(r#"{"name": "j"}"#), Scale::Signed);
        let judge = ExternalJudge { name: "j".into(), both_orders: true, scale: Scale::Words };
        let text = serde_json::to_string(&judge).unwrap();
        assert_eq!(text, r#"{"name":"j","both_orders":true,"scale":"words"}"#);
        assert_eq!(serde_json::from_str::<ExternalJudge>(&text).unwrap(), judge);
    }
}
