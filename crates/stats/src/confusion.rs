//! Counts of a system's verdicts by human label, and the figures that follow from them.

use serde::Serialize;

use super::meta::PairCounts;
use crate::Verdict;
use crate::ratio;

/// The confusion matrix: how often a system gave each verdict, by human label.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct Confusion {
    /// `counts[label][verdict]`, both in the order of [`Verdict::ALL`].
    pub counts: [[usize; 3]; 3],
}

impl Confusion {
    /// Counts the pairs; both slices have one verdict per pair.
    pub fn new(labels: &[Verdict], system: &[Verdict]) -> Self {
        let mut counts = [[0; 3]; 3];
        for (label, verdict) in labels.iter().zip(system) {
            counts[label.index()][verdict.index()] += 1;
        }
        Self { counts }
    }

    /// The number of pairs.
    pub fn total(&self) -> usize {
        self.counts.iter().flatten().sum()
    }

    /// The share of pairs on which both give the same verdict, in [0, 1]; 0 for no pairs.
    pub fn accuracy(&self) -> f64 {
        let agreed: usize = (0..3).map(|verdict| self.counts[verdict][verdict]).sum();
        ratio(agreed as f64, self.total() as f64)
    }

    /// The accuracy of chance: that of verdicts as frequent as the system's, but independent of the labels. The sum over
    /// verdicts of the share of labels times that of the system's, in [0, 1]; 0 for no pairs. Cohen 1960, "A
    /// Coefficient of Agreement for Nominal Scales".
    pub fn chance(&self) -> f64 {
        let of_labels = |verdict: usize| self.counts[verdict].iter().sum::<usize>() as f64;
        let of_system = |verdict: usize| self.counts.iter().map(|row| row[verdict]).sum::<usize>() as f64;
        let total = self.total() as f64;
        ratio((0..3).map(|verdict| of_labels(verdict) * of_system(verdict)).sum(), total * total)
    }

    /// The shares of pairs that are ties by their labels and by the system, in [0, 1]; 0 for no pairs.
    pub fn tie_shares(&self) -> [f64; 2] {
        let tie = Verdict::Tie.index();
        let of_labels: usize = self.counts[tie].iter().sum();
        let of_system: usize = self.counts.iter().map(|row| row[tie]).sum();
        [of_labels, of_system].map(|ties| ratio(ties as f64, self.total() as f64))
    }

    /// Kendall's tau as WMT computes it since 2014: (concordant - discordant) / decided, where decided pairs are those
    /// where people prefer one hypothesis; ties of the system count in the denominator only. In [-1, 1]; 0 for no
    /// decided pairs. Macháček and Bojar 2014, section 3.2.
    pub fn kendall_tau(&self) -> f64 {
        self.pair_counts().tau_14().unwrap_or(0.0)
    }

    /// The pairs, counted by whether people and the system order their hypotheses alike.
    pub fn pair_counts(&self) -> PairCounts {
        let [
            [both_first, tied_first, wrong_second],
            [tie_first, both_ties, tie_second],
            [wrong_first, tied_second, both_second],
        ] = self.counts.map(|row| row.map(|count| count as u64));
        PairCounts {
            concordant: both_first + both_second,
            discordant: wrong_second + wrong_first,
            people_ties: tie_first + tie_second,
            metric_ties: tied_first + tied_second,
            both_ties,
        }
    }
}

impl<'c> std::iter::Sum<&'c Self> for Confusion {
    fn sum<I: Iterator<Item = &'c Self>>(confusions: I) -> Self {
        let mut sum = Self::default();
        for Self { counts } in confusions {
            let cells = sum.counts.iter_mut().flatten().zip(counts.iter().flatten());
            cells.for_each(|(sum, count)| *sum += count);
        }
        sum
    }
}

/// One value per verdict, in [0, 1]; `None` where it is undefined.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize)]
pub struct PerVerdict {
    /// For verdict 1.
    #[serde(rename = "1")]
    pub first: Option<f64>,
    /// For verdict 0.
    #[serde(rename = "0")]
    pub tie: Option<f64>,
    /// For verdict -1.
    #[serde(rename = "-1")]
    pub second: Option<f64>,
}

impl PerVerdict {
    fn from_fn(value: impl Fn(usize) -> Option<f64>) -> Self {
        let [first, tie, second] = Verdict::ALL.map(|verdict| value(verdict.index()));
        Self { first, tie, second }
    }

    /// The values in the order of [`Verdict::ALL`].
    pub fn values(&self) -> [Option<f64>; 3] {
        [self.first, self.tie, self.second]
    }
}

/// A system's precision, recall and F1 on each verdict, and its accuracy on decided pairs.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Classes {
    /// Accuracy on decided pairs, those where people prefer one hypothesis, in [0, 1]; `None` where all are ties.
    pub decided_accuracy: Option<f64>,
    /// Of the pairs with this verdict of the system, the share with this human label; `None` for no such pairs.
    pub precision: PerVerdict,
    /// Of the pairs with this human label, the share with this verdict of the system; `None` for no such pairs.
    pub recall: PerVerdict,
    /// 2 TP / (2 TP + FP + FN), the harmonic mean of precision and recall; `None` where it is never given. Van
    /// Rijsbergen 1979, "Information Retrieval", chapter 7.
    pub f1: PerVerdict,
    /// The mean recall over the human labels that occur; `None` for no pairs. Brodersen et al. 2010, "The Balanced
    /// Accuracy and Its Posterior Distribution", section II.
    pub balanced_accuracy: Option<f64>,
}

impl Classes {
    /// Computes all of them from a confusion matrix.
    pub fn new(Confusion { counts }: &Confusion) -> Self {
        let right = |verdict: usize| counts[verdict][verdict];
        let of_labels = |verdict: usize| counts[verdict].iter().sum::<usize>();
        let of_system = |verdict: usize| counts.iter().map(|row| row[verdict]).sum::<usize>();
        let decided = [Verdict::First, Verdict::Second].map(Verdict::index);
        let recall = PerVerdict::from_fn(|verdict| share(right(verdict), of_labels(verdict)));
        let recalls: Vec<f64> = recall.values().into_iter().flatten().collect();
        Self {
            decided_accuracy: share(decided.map(right).iter().sum(), decided.map(of_labels).iter().sum()),
            precision: PerVerdict::from_fn(|verdict| share(right(verdict), of_system(verdict))),
            recall,
            f1: PerVerdict::from_fn(|verdict| share(2 * right(verdict), of_labels(verdict) + of_system(verdict))),
            balanced_accuracy: (!recalls.is_empty()).then(|| recalls.iter().sum::<f64>() / recalls.len() as f64),
        }
    }
}

fn share(part: usize, all: usize) -> Option<f64> {
    (all > 0).then(|| part as f64 / all as f64)
}

#[cfg(test)]
mod tests {
    use super::*;
    use Verdict::{First, Second, Tie};

    #[test]
    fn accuracy_and_tau_by_hand() {
        // Of five decided pairs three agree, one disagrees and one is called a tie; the one tie is missed.
        let labels = [First, First, Second, Second, First, Tie];
        let system = [First, First, Second, First, Tie, First];
        let confusion = Confusion::new(&labels, &system);
        assert_eq!(confusion.accuracy(), 0.5);
        assert!((confusion.kendall_tau() - 0.4).abs() < 1e-15);
        assert_eq!(confusion.tie_shares(), [1.0 / 6.0; 2]);
        assert_eq!(confusion.counts[Second.index()], [1, 0, 1]);
    }

    #[test]
    fn nothing_is_zero() {
        assert_eq!(Confusion::new(&[], &[]).accuracy(), 0.0);
        assert_eq!(Confusion::new(&[Tie], &[Tie]).kendall_tau(), 0.0);
    }

    #[test]
    fn classes_by_hand() {
        // People say 1 five times, 0 twice, -1 three times; the system 6, 1 and 3 times.
        let classes = Classes::new(&Confusion { counts: [[4, 0, 1], [1, 1, 0], [1, 0, 2]] });
        assert_eq!(classes.decided_accuracy, Some(6.0 / 8.0));
        assert_eq!(classes.precision.values(), [4.0 / 6.0, 1.0, 2.0 / 3.0].map(Some));
        assert_eq!(classes.recall.values(), [4.0 / 5.0, 1.0 / 2.0, 2.0 / 3.0].map(Some));
        assert_eq!(classes.f1.values(), [8.0 / 11.0, 2.0 / 3.0, 4.0 / 6.0].map(Some));
        let mean = (4.0 / 5.0 + 1.0 / 2.0 + 2.0 / 3.0) / 3.0;
        assert!((classes.balanced_accuracy.unwrap() - mean).abs() < 1e-15);
    }

    #[test]
    fn what_is_never_said_is_undefined_and_never_nan() {
        // Only ties; the system says 1 once.
        let classes = Classes::new(&Confusion { counts: [[0, 0, 0], [1, 3, 0], [0, 0, 0]] });
        assert_eq!(classes.decided_accuracy, None);
        assert_eq!(classes.precision.values(), [Some(0.0), Some(1.0), None]);
        assert_eq!(classes.recall.values(), [None, Some(0.75), None]);
        assert_eq!(classes.f1.values(), [Some(0.0), Some(6.0 / 7.0), None]);
        assert_eq!(classes.balanced_accuracy, Some(0.75));
        assert_eq!(Classes::new(&Confusion::default()).balanced_accuracy, None);
    }
}
