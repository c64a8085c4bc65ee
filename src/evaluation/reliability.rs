//! In: a system's probabilities. Out: bins of pairs with similar confidence. Next: [`breakdown`](super::breakdown),
//! report.

use super::calibration::{BINS, confidence_bin};
use crate::judgments::Probabilities;

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
    let confidences: Vec<f64> = probabilities.iter().map(|given| given.confidence()).collect();
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
