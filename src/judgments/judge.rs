//! Automatic judges, such as prompted language models, and their verdicts on a pair.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::Verdict;

/// An automatic judge whose verdicts another program wrote down.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct ExternalJudge {
    /// The user's name for it.
    pub name: String,
    /// Whether it judged each pair twice, the second time with the hypotheses exchanged.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub both_orders: bool,
}

/// What an [`ExternalJudge`] says of a pair. A verdict is a number from -1 to 1: 1 where the first hypothesis of the pair
/// won, -1 where the second did, whichever was shown first; 0 for a tie.
#[derive(Debug, Clone, PartialEq)]
pub struct JudgeVerdicts {
    /// The judge's name, shared by all pairs.
    pub name: Arc<str>,
    /// The verdict where the first hypothesis was shown first, and where it was shown second; `None` if it is missing.
    pub orders: [Option<f64>; 2],
}

impl JudgeVerdicts {
    /// The mean of the known verdicts, in [-1, 1]; `None` if there is none.
    pub fn mean(&self) -> Option<f64> {
        match self.orders {
            [Some(shown_first), Some(shown_second)] => Some((shown_first + shown_second) / 2.0),
            [one, other] => one.or(other),
        }
    }

    /// The verdict of the mean: a tie only where it is 0.
    pub fn verdict(&self) -> Option<Verdict> {
        self.mean().map(|mean| Verdict::compare(mean, 0.0))
    }

    /// The same verdicts for the hypotheses in the other order.
    pub fn swapped(&self) -> Self {
        let [shown_first, shown_second] = self.orders.map(|verdict| verdict.map(|value| 0.0 - value));
        Self { name: Arc::clone(&self.name), orders: [shown_second, shown_first] }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn verdicts(orders: [Option<f64>; 2]) -> JudgeVerdicts {
        JudgeVerdicts { name: "j".into(), orders }
    }

    #[test]
    fn known_verdicts_are_averaged() {
        assert_eq!(verdicts([Some(1.0), Some(-1.0)]).verdict(), Some(Verdict::Tie));
        assert_eq!(verdicts([None, Some(-0.5)]).verdict(), Some(Verdict::Second));
        assert_eq!(verdicts([None, None]).mean(), None);
    }

    #[test]
    fn exchanged_hypotheses_exchange_orders_and_winners() {
        let straight = verdicts([Some(1.0), Some(0.0)]);
        assert_eq!(straight.swapped(), verdicts([Some(0.0), Some(-1.0)]));
        assert_eq!(straight.swapped().mean(), Some(-0.5));
    }
}
