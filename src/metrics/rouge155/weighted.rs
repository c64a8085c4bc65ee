//! Weighted longest common subsequences, where consecutive tokens count more.

use rustc_hash::FxHashMap;

use crate::metrics::rouge::lcs::pieces;
use crate::text::{Fingerprint, Tokens};

/// The largest traceback table stored at once, in cells (8 MB); larger tables are stored in parts.
const MAX_STORED: usize = 1 << 26;

/// The largest table computed as a whole, in cells.
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
/// O(|r| |h|) steps for texts of |r| and |h| tokens; for the memory see [`Search::mark`]. For lines with more than
/// 2^27 cells, 11,585 tokens each, only the subsequences of their [pieces] count.
pub fn hits(hypothesis: &Tokens, reference: &Tokens) -> f64 {
    let mut left: FxHashMap<Fingerprint, usize> = FxHashMap::default();
    hypothesis.ids.iter().for_each(|&token| *left.entry(token).or_default() += 1);
    let longest = hypothesis.lines().map(<[_]>::len).max().unwrap_or(0);
    let search = Search { weights: (0..=longest).map(|length| weight(length as f64)).collect() };
    let mut hits = 0.0;
    for line in reference.lines() {
        let mut marks = vec![false; line.len()];
        for other in hypothesis.lines() {
            let mut left = marks.as_mut_slice();
            for (part, other) in pieces(line, other, MAX_CELLS) {
                let (marks, rest) = left.split_at_mut(part.len());
                search.mark(part, other, marks, MAX_STORED);
                left = rest;
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

/// Finds weighted longest common subsequences.
struct Search {
    /// f(k) for every k up to the length of the longest possible run.
    weights: Vec<f64>,
}

/// A row of the table: for each prefix of the other text, the weight of the subsequence and the length of the run at
/// its end.
#[derive(Clone)]
struct Row {
    values: Vec<f64>,
    runs: Vec<usize>,
}

/// The cells where the traceback goes up, one bit each.
struct Ways {
    bits: Vec<u64>,
    blocks: usize,
}

impl Search {
    /// Marks the tokens of `sentence` in the weighted longest common subsequence with `other` that the algorithm of Lin
    /// 2004, section 4, finds: equal tokens always extend it, although that is not always the heaviest choice; of two
    /// choices of equal weight, the one without the last token of the sentence is taken.
    ///
    /// A table of more than `max_stored` cells is computed twice, so that for l and k tokens only O(k sqrt(l)) of it is
    /// stored: first the rows where its parts start, then each part, from the last to the first.
    fn mark(&self, sentence: &[Fingerprint], other: &[Fingerprint], marks: &mut [bool], max_stored: usize) {
        let length = sentence.len();
        let part = if length.saturating_mul(other.len()) <= max_stored { length } else { length.isqrt() };
        let parts: Vec<&[Fingerprint]> = sentence.chunks(part.max(1)).collect();
        let mut starts = vec![Row { values: vec![0.0; other.len() + 1], runs: vec![0; other.len() + 1] }];
        for part in parts.iter().take(parts.len().saturating_sub(1)) {
            let mut row = starts[starts.len() - 1].clone();
            part.iter().for_each(|&token| self.advance(&mut row, token, other, |_| ()));
            starts.push(row);
        }
        let mut column = other.len();
        for ((part, start), marks) in parts.iter().zip(starts).zip(marks.chunks_mut(part.max(1))).rev() {
            column = self.mark_part(part, other, (start, column), marks);
        }
    }

    /// Traces back through a part of the table, given by the row before it, from its last row and a column; returns the
    /// column in which the trace leaves the part.
    fn mark_part(
        &self,
        part: &[Fingerprint],
        other: &[Fingerprint],
        (mut start, mut column): (Row, usize),
        marks: &mut [bool],
    ) -> usize {
        let blocks = other.len().div_ceil(64);
        let mut ways = Ways { bits: vec![0; blocks * part.len()], blocks };
        for (row, &token) in part.iter().enumerate() {
            self.advance(&mut start, token, other, |at| ways.set(row, at));
        }
        let mut row = part.len();
        while row > 0 && column > 0 {
            if part[row - 1] == other[column - 1] {
                marks[row - 1] = true;
                (row, column) = (row - 1, column - 1);
            } else if ways.get(row - 1, column - 1) {
                row -= 1;
            } else {
                column -= 1;
            }
        }
        column
    }

    /// Advances the row from before `token` to after it; `goes_up` is called with the cells that keep the value of the
    /// row before.
    fn advance(&self, row: &mut Row, token: Fingerprint, other: &[Fingerprint], mut goes_up: impl FnMut(usize)) {
        let (mut value_before, mut run_before) = (row.values[0], row.runs[0]);
        for (at, &other) in other.iter().enumerate() {
            let (above, run_above) = (row.values[at + 1], row.runs[at + 1]);
            if token == other {
                row.values[at + 1] = value_before + self.weights[run_before + 1] - self.weights[run_before];
                row.runs[at + 1] = run_before + 1;
            } else {
                row.runs[at + 1] = 0;
                if above >= row.values[at] {
                    goes_up(at);
                } else {
                    row.values[at + 1] = row.values[at];
                }
            }
            (value_before, run_before) = (above, run_above);
        }
    }
}

impl Ways {
    fn set(&mut self, row: usize, column: usize) {
        self.bits[row * self.blocks + column / 64] |= 1 << (column % 64);
    }

    fn get(&self, row: usize, column: usize) -> bool {
        self.bits[row * self.blocks + column / 64] >> (column % 64) & 1 == 1
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn marks(sentence: &[u64], other: &[u64], max_stored: usize) -> Vec<bool> {
        let mut marks = vec![false; sentence.len()];
        let search = Search { weights: (0..=other.len()).map(|length| weight(length as f64)).collect() };
        search.mark(sentence, other, &mut marks, max_stored);
        marks
    }

    proptest! {
        #[test]
        fn parts_change_nothing(a in prop::collection::vec(0_u64..4, 0..90), b in prop::collection::vec(0_u64..4, 0..90)) {
            prop_assert_eq!(marks(&a, &b, 0), marks(&a, &b, MAX_STORED));
        }
    }

    #[test]
    fn consecutive_tokens_are_preferred() {
        // The run of two on the right has priority over the path that keeps the 3 between.
        assert_eq!(marks(&[1, 2, 7, 1], &[1, 8, 1, 2], MAX_STORED), [true, true, false, false]);
        // Equal tokens extend the subsequence, although the run of four would weigh more.
        assert_eq!(marks(&[1, 2, 3, 4, 9, 4], &[1, 2, 3, 4], MAX_STORED), [true, true, true, false, false, true]);
        assert_eq!(marks(&[], &[1], MAX_STORED), [false; 0]);
        assert_eq!(marks(&[1], &[], MAX_STORED), [false]);
    }

    #[test]
    fn the_inverse_undoes_the_weight() {
        assert_eq!((weight(0.0), weight(1.0), inverse(0.0)), (0.0, 1.0, 0.0));
        assert!((inverse(weight(7.0)) - 7.0).abs() < 1e-12);
    }
}
