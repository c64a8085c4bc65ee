//! Weighted longest common subsequences, where consecutive tokens count more.

use rustc_hash::FxHashMap;

use crate::metrics::rouge::lcs::pieces;
use crate::text::{Fingerprint, Tokens};

/// The largest table that is computed as a whole, in cells, for each of which the traceback needs one bit: 16 MB.
const MAX_CELLS: usize = 1 << 27;

/// The exponent of [`weight`].
pub const EXPONENT: f64 = 1.2;

/// f(k) = k^1.2, the weight of a run of k tokens. Lin 2004, section 4.
pub fn weight(length: f64) -> f64 {
    length.powf(EXPONENT)
}

/// The k whose weight is `weight`.
pub fn inverse(weight: f64) -> f64 {
    weight.powf(1.0 / EXPONENT)
}

/// The total weight of the runs that the lines of the hypothesis have in common with each line of the reference.
///
/// Two tokens of a reference line are in one run if they are adjacent and each belongs to the weighted longest
/// common subsequence with some line of the hypothesis. A token counts as often as it occurs in the hypothesis. As
/// in ROUGE-1.5.5, a run whose last token does not count has no weight, and passes its counted tokens on to the
/// next run of the line.
///
/// O(|r| |h|) steps for texts of |r| and |h| tokens. For lines with more than 2^27 cells, 11,585 tokens each, only the
/// subsequences of their [pieces] count.
pub fn hits(hypothesis: &Tokens, reference: &Tokens) -> f64 {
    let mut left: FxHashMap<Fingerprint, usize> = FxHashMap::default();
    hypothesis.ids.iter().for_each(|&token| *left.entry(token).or_default() += 1);
    let longest = hypothesis.lines().map(<[_]>::len).max().unwrap_or(0);
    let weights: Vec<f64> = (0..=longest).map(|length| weight(length as f64)).collect();
    let mut hits = 0.0;
    for line in reference.lines() {
        let mut marks = vec![false; line.len()];
        for other in hypothesis.lines() {
            let mut marks = marks.as_mut_slice();
            for (part, other) in pieces(line, other, MAX_CELLS) {
                let (of_part, rest) = marks.split_at_mut(part.len());
                mark(part, other, &weights, of_part);
                marks = rest;
            }
        }
        let mut run = 0;
        for (at, token) in line.iter().enumerate().filter(|(at, _)| marks[*at]) {
            if let Some(left @ 1..) = left.get_mut(token) {
                *left -= 1;
                run += 1;
                if marks.get(at + 1) != Some(&true) {
                    hits += weight(run as f64);
                    run = 0;
                }
            }
        }
    }
    hits
}

/// Marks the tokens of `sentence` in the weighted longest common subsequence with `other` that the algorithm of Lin 2004,
/// section 4, finds: equal tokens always extend it, although that is not always the heaviest choice; of two choices of
/// equal weight, the one without the last token of the sentence is taken. `weights`: f(k) for every k up to the length of
/// the longest possible run.
fn mark(sentence: &[Fingerprint], other: &[Fingerprint], weights: &[f64], marks: &mut [bool]) {
    // The row of the table before the current token: for each prefix of the other text, the weight of the subsequence and
    // the length of the run at its end.
    let (mut values, mut runs) = (vec![0.0; other.len() + 1], vec![0; other.len() + 1]);
    // The cells that keep the value of the row before, where the traceback drops a token of the sentence.
    let blocks = other.len().div_ceil(64);
    let mut drops = vec![0_u64; blocks * sentence.len()];
    for (row, token) in sentence.iter().enumerate() {
        let (mut value_before, mut run_before) = (0.0, 0);
        for (at, other) in other.iter().enumerate() {
            let (above, run_above) = (values[at + 1], runs[at + 1]);
            if token == other {
                values[at + 1] = value_before + weights[run_before + 1] - weights[run_before];
                runs[at + 1] = run_before + 1;
            } else {
                runs[at + 1] = 0;
                if above >= values[at] {
                    drops[row * blocks + at / 64] |= 1 << (at % 64);
                } else {
                    values[at + 1] = values[at];
                }
            }
            (value_before, run_before) = (above, run_above);
        }
    }
    let (mut row, mut column) = (sentence.len(), other.len());
    while row > 0 && column > 0 {
        let (above, left) = (row - 1, column - 1);
        if sentence[above] == other[left] {
            marks[above] = true;
            (row, column) = (above, left);
        } else if drops[above * blocks + left / 64] >> (left % 64) & 1 == 1 {
            row = above;
        } else {
            column = left;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn marks(sentence: &[u64], other: &[u64]) -> Vec<bool> {
        let mut marks = vec![false; sentence.len()];
        let weights: Vec<f64> = (0..=other.len()).map(|length| weight(length as f64)).collect();
        mark(sentence, other, &weights, &mut marks);
        marks
    }

    #[test]
    fn consecutive_tokens_are_preferred() {
        // The run of two on the right has priority over the path that keeps the 3 between.
        assert_eq!(marks(&[1, 2, 7, 1], &[1, 8, 1, 2]), [true, true, false, false]);
        // Equal tokens extend the subsequence, although the run of four would weigh more.
        assert_eq!(marks(&[1, 2, 3, 4, 9, 4], &[1, 2, 3, 4]), [true, true, true, false, false, true]);
        assert_eq!(marks(&[], &[1]), [false; 0]);
        assert_eq!(marks(&[1], &[]), [false]);
    }

    #[test]
    fn the_inverse_undoes_the_weight() {
        assert_eq!((weight(0.0), weight(1.0), inverse(0.0)), (0.0, 1.0, 0.0));
        assert!((inverse(weight(7.0)) - 7.0).abs() < 1e-12);
    }
}
