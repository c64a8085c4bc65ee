//! In: a confusion matrix. Out: precision, recall and F1 of each verdict. Next: report.

use serde::Serialize;

use super::confusion::Confusion;
use crate::judgments::Verdict;

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
    fn of(value: impl Fn(usize) -> Option<f64>) -> Self {
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
    /// Of the pairs where the system says the verdict, the share where people do; `None` where it never does.
    pub precision: PerVerdict,
    /// Of the pairs where people say the verdict, the share where the system does; `None` where they never do.
    pub recall: PerVerdict,
    /// 2 TP / (2 TP + FP + FN), the harmonic mean of precision and recall; `None` where neither says the verdict. Van
    /// Rijsbergen 1979, "Information Retrieval", chapter 7.
    pub f1: PerVerdict,
    /// The mean recall over the verdicts that people give; `None` for no pairs. Brodersen et al. 2010, "The Balanced
    /// Accuracy and Its Posterior Distribution", section II.
    pub balanced_accuracy: Option<f64>,
}

impl Classes {
    /// Computes all of them from a confusion matrix.
    pub fn of(Confusion { counts }: &Confusion) -> Self {
        let right = |verdict: usize| counts[verdict][verdict];
        let of_people = |verdict: usize| counts[verdict].iter().sum::<usize>();
        let of_system = |verdict: usize| counts.iter().map(|row| row[verdict]).sum::<usize>();
        let decided = [Verdict::First, Verdict::Second].map(Verdict::index);
        let recall = PerVerdict::of(|verdict| share(right(verdict), of_people(verdict)));
        let recalls: Vec<f64> = recall.values().into_iter().flatten().collect();
        Self {
            decided_accuracy: share(decided.map(right).iter().sum(), decided.map(of_people).iter().sum()),
            precision: PerVerdict::of(|verdict| share(right(verdict), of_system(verdict))),
            recall,
            f1: PerVerdict::of(|verdict| share(2 * right(verdict), of_people(verdict) + of_system(verdict))),
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

    #[test]
    fn by_hand() {
        // People say 1 five times, 0 twice, -1 three times; the system 6, 1 and 3 times.
        let classes = Classes::of(&Confusion { counts: [[4, 0, 1], [1, 1, 0], [1, 0, 2]] });
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
        let classes = Classes::of(&Confusion { counts: [[0, 0, 0], [1, 3, 0], [0, 0, 0]] });
        assert_eq!(classes.decided_accuracy, None);
        assert_eq!(classes.precision.values(), [Some(0.0), Some(1.0), None]);
        assert_eq!(classes.recall.values(), [None, Some(0.75), None]);
        assert_eq!(classes.f1.values(), [Some(0.0), Some(6.0 / 7.0), None]);
        assert_eq!(classes.balanced_accuracy, Some(0.75));
        assert_eq!(Classes::of(&Confusion::default()).balanced_accuracy, None);
    }
}
