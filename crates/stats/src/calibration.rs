//! How well a system's probabilities are calibrated, in figures and in bins of similar confidence.

use serde::Serialize;

use crate::{Probabilities, Verdict};

/// The number of bins of equal width, as in Guo et al. 2017.
const BINS: usize = 15;

/// The bin of a confidence.
fn confidence_bin(confidence: f64) -> usize {
    ((confidence * BINS as f64) as usize).min(BINS - 1)
}

/// Calibration and proper scores of a system's probabilities.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Calibration {
    /// Expected calibration error: the mean over pairs of |accuracy - confidence| of the pair's bin, where confidence
    /// is the largest probability and bins have a width of 1/15; in [0, 1], 0 is best. Guo et al. 2017, "On Calibration
    /// of Modern Neural Networks", section 2.
    pub expected_calibration_error: f64,
    /// The mean over pairs of sum_v (p(v) - y(v))^2, where y is 1 for the human label and 0 for the others; in [0, 2],
    /// 0 is best. Brier 1950, "Verification of Forecasts Expressed in Terms of Probability".
    pub brier: f64,
    /// The mean of -ln p of the human label; 0 is best, and ln 3 = 1.0986 is that of uniform probabilities.
    pub log_loss: f64,
}

/// The sums of confidence and of correct verdicts in a bin.
#[derive(Debug, Clone, Copy, Default)]
struct Bin {
    confidence: f64,
    correct: f64,
}

impl Calibration {
    /// Compares probabilities with human labels of the same pairs; all values are 0 for no pairs.
    pub fn new(labels: &[Verdict], probabilities: &[Probabilities]) -> Self {
        let count = labels.len().max(1) as f64;
        let mut bins = [Bin::default(); BINS];
        let (mut brier, mut log_loss) = (0.0, 0.0);
        for (&label, given) in labels.iter().zip(probabilities) {
            let confidence = given.confidence();
            let bin = &mut bins[confidence_bin(confidence)];
            bin.confidence += confidence;
            bin.correct += f64::from(u8::from(given.verdict() == label));
            let error = |verdict: &Verdict| given.probability(*verdict) - f64::from(u8::from(*verdict == label));
            brier += Verdict::ALL.iter().map(|verdict| error(verdict).powi(2)).sum::<f64>();
            log_loss -= given.probability(label).max(f64::MIN_POSITIVE).ln();
        }
        let gap: f64 = bins.iter().map(|bin| (bin.correct - bin.confidence).abs()).sum();
        Self { expected_calibration_error: gap / count, brier: brier / count, log_loss: log_loss / count }
    }
}

/// How far predicted shares, such as probabilities of a pass, are from labels from 0 to 1.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct ShareCalibration {
    /// The mean over outputs of |mean label - mean prediction| of the output's bin, of 15 bins of equal width; in [0, 1],
    /// 0 is best. Naeini et al. 2015, "Obtaining Well Calibrated Probabilities Using Bayesian Binning", section 4.
    pub expected_calibration_error: f64,
    /// The mean of (prediction - label)^2; in [0, 1], 0 is best. Of labels 0 and 1, half of Brier's 1950 score, as
    /// scikit-learn has it.
    pub brier: f64,
}

impl ShareCalibration {
    /// Compares predictions with labels of the same outputs; all values are 0 for none.
    ///
    /// ```
    /// use tribunal_stats::ShareCalibration;
    ///
    /// let found = ShareCalibration::new(&[1.0, 0.0, 1.0, 1.0], &[0.8, 0.8, 0.8, 0.8]);
    /// assert!((found.expected_calibration_error - 0.05).abs() < 1e-12);
    /// assert!((found.brier - (3.0 * 0.04 + 0.64) / 4.0).abs() < 1e-12);
    /// ```
    pub fn new(labels: &[f64], predicted: &[f64]) -> Self {
        let count = labels.len().max(1) as f64;
        let gap = |bin: &ConfidenceBin| bin.rows.iter().map(|&row| labels[row] - predicted[row]).sum::<f64>().abs();
        let squares = labels.iter().zip(predicted).map(|(label, share)| (share - label).powi(2));
        Self {
            expected_calibration_error: share_bins(predicted, 0).iter().map(gap).sum::<f64>() / count,
            brier: squares.sum::<f64>() / count,
        }
    }
}

/// A bin of pairs with similar confidence, the largest of the three probabilities.
#[derive(Debug, Clone, PartialEq)]
pub struct ConfidenceBin {
    /// The lower edge, included.
    pub from: f64,
    /// The upper edge, excluded; a confidence of 1 is in the last bin.
    pub to: f64,
    /// Indices of the pairs, ascending.
    pub rows: Vec<usize>,
    /// Their mean confidence.
    pub confidence: f64,
}

/// The bins of width 1/15 over which [`Calibration`](super::Calibration) computes the expected calibration error, as in
/// Guo et al. 2017, section 2. A bin with fewer than `least` pairs is merged with the next ones, the last with the one
/// below, because proportions of a few pairs are too noisy. Empty bins are left out.
pub fn confidence_bins(probabilities: &[Probabilities], least: usize) -> Vec<ConfidenceBin> {
    share_bins(&probabilities.iter().map(|given| given.confidence()).collect::<Vec<f64>>(), least)
}

/// The same bins of any shares from 0 to 1.
pub fn share_bins(confidences: &[f64], least: usize) -> Vec<ConfidenceBin> {
    let mut of_bin = vec![Vec::new(); BINS];
    confidences.iter().enumerate().for_each(|(row, &confidence)| of_bin[confidence_bin(confidence)].push(row));
    let edge = |bin: usize| bin as f64 / BINS as f64;
    let mut joined: Vec<(usize, usize, Vec<usize>)> = Vec::new();
    for (bin, rows) in of_bin.into_iter().enumerate().filter(|(_, rows)| !rows.is_empty()) {
        match joined.last_mut() {
            Some((_, to, known)) if known.len() < least => {
                known.extend(rows);
                *to = bin + 1;
            }
            _ => joined.push((bin, bin + 1, rows)),
        }
    }
    if let Some((from, to, rows)) = joined.pop_if(|(_, _, rows)| rows.len() < least) {
        match joined.last_mut() {
            None => joined.push((from, to, rows)),
            Some((_, end, below)) => {
                below.extend(rows);
                *end = to;
            }
        }
    }
    let bin = |(from, to, mut rows): (usize, usize, Vec<usize>)| {
        rows.sort_unstable();
        let confidence = rows.iter().map(|&row| confidences[row]).sum::<f64>() / rows.len().max(1) as f64;
        ConfidenceBin { from: edge(from), to: edge(to), rows, confidence }
    };
    joined.into_iter().map(bin).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use Verdict::{First, Second, Tie};

    #[test]
    fn certain_and_right_is_perfect() {
        let sure = [Probabilities([1.0, 0.0, 0.0]), Probabilities([0.0, 0.0, 1.0])];
        let perfect = Calibration { expected_calibration_error: 0.0, brier: 0.0, log_loss: 0.0 };
        assert_eq!(Calibration::new(&[First, Second], &sure), perfect);
        assert_eq!(Calibration::new(&[], &[]), perfect);
    }

    #[test]
    fn by_hand() {
        // Both are in the bin of 0.6, one right and one wrong: |1 - 1.2| / 2 = 0.1.
        let given = [Probabilities([0.6, 0.1, 0.3]), Probabilities([0.6, 0.1, 0.3])];
        let found = Calibration::new(&[First, Tie], &given);
        assert!((found.expected_calibration_error - 0.1).abs() < 1e-12);
        assert!((found.brier - (0.16 + 0.01 + 0.09 + 0.36 + 0.81 + 0.09) / 2.0).abs() < 1e-12);
        assert!((found.log_loss - (-(0.6_f64.ln()) - 0.1_f64.ln()) / 2.0).abs() < 1e-12);
    }

    #[test]
    fn certain_and_wrong_stays_finite() {
        assert!(Calibration::new(&[Tie], &[Probabilities([1.0, 0.0, 0.0])]).log_loss.is_finite());
    }

    fn bins(confidences: &[f64], least: usize) -> Vec<(f64, f64, Vec<usize>)> {
        let given: Vec<Probabilities> =
            confidences.iter().map(|&first| Probabilities([first, 1.0 - first, 0.0])).collect();
        confidence_bins(&given, least).into_iter().map(|bin| (bin.from, bin.to, bin.rows)).collect()
    }

    #[test]
    fn pairs_fall_into_bins_of_their_confidence() {
        // Of 15 bins, 0.55 is in the ninth, 0.61 in the tenth and 1 in the last; 0.4 has a confidence of 0.6.
        let found = bins(&[0.55, 1.0, 0.61, 0.4], 1);
        let at = |bin: usize| bin as f64 / 15.0;
        assert_eq!(found, [(at(8), at(9), vec![0]), (at(9), at(10), vec![2, 3]), (at(14), at(15), vec![1])]);
    }

    #[test]
    fn a_bin_of_few_pairs_is_joined_with_its_neighbour() {
        let at = |bin: usize| bin as f64 / 15.0;
        // The single pair below 0.6 is merged upwards, the one in the last bin downwards.
        let found = bins(&[0.55, 0.61, 0.62, 0.63, 0.99], 3);
        assert_eq!(found, [(at(8), 1.0, vec![0, 1, 2, 3, 4])]);
        let found = bins(&[0.55, 0.61, 0.62, 0.68, 0.69, 0.99], 2);
        assert_eq!(found, [(at(8), at(10), vec![0, 1, 2]), (at(10), 1.0, vec![3, 4, 5])]);
    }

    #[test]
    fn few_pairs_are_one_bin_and_none_are_none() {
        assert_eq!(bins(&[0.7, 0.9], 50).len(), 1);
        assert_eq!(bins(&[0.7, 0.9], 50)[0].2, [0, 1]);
        assert_eq!(bins(&[], 50), []);
        let mean = confidence_bins(&[Probabilities([0.7, 0.2, 0.1]), Probabilities([0.0, 0.8, 0.2])], 9)[0].confidence;
        assert!((mean - 0.75).abs() < 1e-15);
    }
}
