//! In: a system's probabilities. Out: how well they are calibrated. Next: report.

use serde::Serialize;

use crate::judgments::Probabilities;
use crate::judgments::Verdict;

/// The number of bins of equal width, as in Guo et al. 2017.
pub(super) const BINS: usize = 15;

/// The bin of a confidence.
pub(super) fn confidence_bin(confidence: f64) -> usize {
    ((confidence * BINS as f64) as usize).min(BINS - 1)
}

/// Calibration and proper scores of a system's probabilities.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Calibration {
    /// Expected calibration error: the mean over pairs of |accuracy - confidence| of the pair's bin, where confidence
    /// is the largest probability and bins have a width of 1/15; in [0, 1], 0 is best. Guo et al. 2017, "On Calibration
    /// of Modern Neural Networks", section 2.
    pub expected_calibration_error: f64,
    /// The mean over pairs of sum_v (p(v) - y(v))^2, where y is 1 for people's verdict and 0 for the others; in [0, 2],
    /// 0 is best. Brier 1950, "Verification of Forecasts Expressed in Terms of Probability".
    pub brier: f64,
    /// The mean of -ln p of people's verdict; 0 is best, and ln 3 = 1.0986 is that of uniform probabilities.
    pub log_loss: f64,
}

/// The sums of confidence and of correct verdicts in a bin.
#[derive(Debug, Clone, Copy, Default)]
struct Bin {
    confidence: f64,
    correct: f64,
}

impl Calibration {
    /// Compares probabilities with people's verdicts on the same pairs; all values are 0 for no pairs.
    pub fn of(people: &[Verdict], probabilities: &[Probabilities]) -> Self {
        let count = people.len().max(1) as f64;
        let mut bins = [Bin::default(); BINS];
        let (mut brier, mut log_loss) = (0.0, 0.0);
        for (&label, given) in people.iter().zip(probabilities) {
            let confidence = given.confidence();
            let bin = &mut bins[confidence_bin(confidence)];
            bin.confidence += confidence;
            bin.correct += f64::from(u8::from(given.verdict() == label));
            let error = |verdict: &Verdict| given.of(*verdict) - f64::from(u8::from(*verdict == label));
            brier += Verdict::ALL.iter().map(|verdict| error(verdict).powi(2)).sum::<f64>();
            log_loss -= given.of(label).max(f64::MIN_POSITIVE).ln();
        }
        let gap: f64 = bins.iter().map(|bin| (bin.correct - bin.confidence).abs()).sum();
        Self { expected_calibration_error: gap / count, brier: brier / count, log_loss: log_loss / count }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use Verdict::{First, Second, Tie};

    #[test]
    fn certain_and_right_is_perfect() {
        let sure = [Probabilities([1.0, 0.0, 0.0]), Probabilities([0.0, 0.0, 1.0])];
        let perfect = Calibration { expected_calibration_error: 0.0, brier: 0.0, log_loss: 0.0 };
        assert_eq!(Calibration::of(&[First, Second], &sure), perfect);
        assert_eq!(Calibration::of(&[], &[]), perfect);
    }

    #[test]
    fn by_hand() {
        // Both are in the bin of 0.6, one right and one wrong: |1 - 1.2| / 2 = 0.1.
        let given = [Probabilities([0.6, 0.1, 0.3]), Probabilities([0.6, 0.1, 0.3])];
        let found = Calibration::of(&[First, Tie], &given);
        assert!((found.expected_calibration_error - 0.1).abs() < 1e-12);
        assert!((found.brier - (0.16 + 0.01 + 0.09 + 0.36 + 0.81 + 0.09) / 2.0).abs() < 1e-12);
        assert!((found.log_loss - (-(0.6_f64.ln()) - 0.1_f64.ln()) / 2.0).abs() < 1e-12);
    }

    #[test]
    fn certain_and_wrong_stays_finite() {
        assert!(Calibration::of(&[Tie], &[Probabilities([1.0, 0.0, 0.0])]).log_loss.is_finite());
    }
}
