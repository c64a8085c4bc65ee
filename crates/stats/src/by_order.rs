//! Verdicts that may be missing, and that may have been asked for in both orders of the hypotheses: the one rule by which
//! they count.

use super::confusion::Confusion;
use crate::Verdict;
use crate::ratio;

/// Verdicts on pairs, in one order of the hypotheses or in both. A missing verdict is skipped, never right by chance, and
/// a figure of two orders is the mean of both, as papers on language models as judges report it: Zeng et al. 2024,
/// "Evaluating Large Language Models at Evaluating Instruction Following", section 4.1.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct VerdictsByOrder {
    /// (orders, pairs); each verdict is about the pair as it is, whichever hypothesis was shown first.
    orders: Vec<Vec<Option<Verdict>>>,
}

impl From<&[Verdict]> for VerdictsByOrder {
    /// One verdict on each pair.
    fn from(verdicts: &[Verdict]) -> Self {
        Self::new(vec![verdicts.iter().copied().map(Some).collect()])
    }
}

impl VerdictsByOrder {
    /// `orders`: (orders, pairs), one or two orders.
    pub fn new(orders: Vec<Vec<Option<Verdict>>>) -> Self {
        Self { orders }
    }

    /// The verdicts that numbers stand for, from 1 (the first hypothesis is better) to -1: a tie only where one is 0.
    /// `values`: (orders, pairs).
    pub fn from_values(values: &[Vec<Option<f64>>]) -> Self {
        let verdict = |value: &Option<f64>| value.map(|value| Verdict::compare(value, 0.0));
        Self::new(values.iter().map(|values| values.iter().map(verdict).collect()).collect())
    }

    /// (orders, pairs).
    pub fn orders(&self) -> &[Vec<Option<Verdict>>] {
        &self.orders
    }

    /// The verdicts on some of the pairs.
    pub fn of_rows(&self, rows: &[usize]) -> Self {
        Self::new(self.orders.iter().map(|verdicts| rows.iter().map(|&row| verdicts[row]).collect()).collect())
    }

    /// The share of verdicts that are there, of all that were asked for, in [0, 1].
    pub fn coverage(&self) -> f64 {
        let all: usize = self.orders.iter().map(Vec::len).sum();
        ratio(self.orders.iter().flatten().flatten().count() as f64, all as f64)
    }

    /// The confusion matrix of each order.
    pub fn confusions(&self, labels: &[Verdict]) -> Vec<Confusion> {
        let mut confusions = vec![Confusion::default(); self.orders.len()];
        for (confusion, verdicts) in confusions.iter_mut().zip(&self.orders) {
            for (label, verdict) in labels.iter().zip(verdicts) {
                verdict.iter().for_each(|verdict| confusion.counts[label.index()][verdict.index()] += 1);
            }
        }
        confusions
    }

    /// The mean over the orders of the share of verdicts that are the human label, in [0, 1].
    pub fn accuracy(&self, labels: &[Verdict]) -> f64 {
        mean(&self.confusions(labels), |confusion| Some(confusion.accuracy())).unwrap_or(0.0)
    }
}

/// The mean over orders of a figure; of those with verdicts, for which it is defined.
pub fn mean(confusions: &[Confusion], figure: impl Fn(&Confusion) -> Option<f64>) -> Option<f64> {
    let given = confusions.iter().filter(|confusion| confusion.total() > 0);
    let figures: Vec<f64> = given.filter_map(figure).collect();
    (!figures.is_empty()).then(|| figures.iter().sum::<f64>() / figures.len() as f64)
}

#[cfg(test)]
mod tests {
    use super::*;
    use Verdict::{First, Second, Tie};

    #[test]
    fn missing_verdicts_are_skipped_and_orders_averaged() {
        let labels = [First, First, Second, Tie];
        let orders =
            vec![vec![Some(First), None, Some(Second), None], vec![Some(Second), Some(First), None, Some(Tie)]];
        let verdicts = VerdictsByOrder::new(orders);
        assert_eq!((verdicts.coverage(), verdicts.accuracy(&labels)), (5.0 / 8.0, (1.0 + 2.0 / 3.0) / 2.0));
        assert_eq!(verdicts.of_rows(&[0]).accuracy(&labels[..1]), 0.5);
        let silent = VerdictsByOrder::new(vec![vec![None; 4]]);
        assert_eq!((silent.coverage(), silent.accuracy(&labels)), (0.0, 0.0));
    }
}
