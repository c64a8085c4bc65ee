//! The union of a sentence's longest common subsequences with several others.

use crate::text::{Counts, Fingerprint, Tokens};

/// Blocks of 64 cells that are kept of a table at once, 8 MB: larger tables are kept in parts.
const KEPT_BLOCKS: usize = 1 << 20;

/// The hits of ROUGE-Lsum: for each line of the reference the tokens that belong to its longest common subsequence with
/// any line of the hypothesis; of each word at most as many as the hypothesis has.
///
/// O(|r| |h| / 64) steps for texts of |r| and |h| tokens, and at least one for each pair of lines; the memory is that of
/// [`mark`](Table::mark).
pub fn hits(hypothesis: &Tokens, reference: &Tokens) -> usize {
    let mut found = Vec::new();
    for line in reference.lines() {
        let table = Table::new(line);
        let mut marks = vec![false; line.len()];
        hypothesis.lines().for_each(|other| table.mark(other, &mut marks, KEPT_BLOCKS));
        found.extend(line.iter().zip(marks).filter(|(_, marked)| *marked).map(|(&token, _)| token));
    }
    // A token of the reference is marked once at most, so that only the hypothesis' counts can be exceeded.
    Counts::of_ngrams(&found, 1).matches(hypothesis.counts(1)) as usize
}

/// Makes the textbook's table of lengths L, where L(i, j) is that of the longest common subsequence of the first i tokens of
/// the sentence and the first j of another: column by column, a bit a cell, which is 0 where L(i, j) > L(i - 1, j). Hyyrö
/// 2004, "Bit-parallel LCS-length computation revisited", section 3.
struct Table<'a> {
    sentence: &'a [Fingerprint],
    /// Where each token stands, ordered by token.
    places: Vec<(Fingerprint, usize)>,
}

impl<'a> Table<'a> {
    fn new(sentence: &'a [Fingerprint]) -> Self {
        let mut places: Vec<_> = sentence.iter().enumerate().map(|(at, &token)| (token, at)).collect();
        places.sort_unstable();
        Self { sentence, places }
    }

    fn blocks(&self) -> usize {
        self.sentence.len().div_ceil(64)
    }

    /// Marks the tokens of one longest common subsequence with `other`, rouge-score's choice of those that there are:
    /// from the end of the table backwards, equal tokens are taken; where they differ, the sentence loses a token unless L
    /// falls then, and else `other` does.
    ///
    /// A table of more than `kept` blocks is made twice, so that for l and k tokens O(l sqrt(k)) bits of it are kept:
    /// first the columns at which parts begin, then each part, from the last to the first.
    fn mark(&self, other: &[Fingerprint], marks: &mut [bool], kept: usize) {
        let part = if self.blocks() * other.len() <= kept { other.len() } else { other.len().isqrt() };
        let parts: Vec<&[Fingerprint]> = other.chunks(part.max(1)).collect();
        let mut starts = vec![vec![u64::MAX; self.blocks()]];
        for part in parts.iter().take(parts.len().saturating_sub(1)) {
            let mut column = starts[starts.len() - 1].clone();
            self.advance(&mut column, part, |_| ());
            starts.push(column);
        }
        let mut left = self.sentence.len();
        for (part, start) in parts.iter().zip(starts).rev() {
            left = self.mark_part(part, start, left, marks);
        }
    }

    /// Goes back through a part of the table whose last row is `left`; the row in which that leaves the part.
    fn mark_part(&self, part: &[Fingerprint], mut start: Vec<u64>, left: usize, marks: &mut [bool]) -> usize {
        let blocks = self.blocks();
        let mut columns = Vec::with_capacity(blocks * part.len());
        self.advance(&mut start, part, |column| columns.extend_from_slice(column));
        let (mut row, mut column) = (left, part.len());
        while row > 0 && column > 0 {
            let at = row - 1;
            if self.sentence[at] == part[column - 1] {
                marks[at] = true;
                (row, column) = (row - 1, column - 1);
            } else if columns[blocks * (column - 1) + at / 64] >> (at % 64) & 1 == 0 {
                column -= 1;
            } else {
                row -= 1;
            }
        }
        row
    }

    /// From the column before the tokens of `part` to the one after them, each shown to `emit`.
    fn advance(&self, column: &mut [u64], part: &[Fingerprint], mut emit: impl FnMut(&[u64])) {
        let mut matches = vec![0_u64; column.len()];
        for &token in part {
            let first = self.places.partition_point(|place| place.0 < token);
            let places = self.places[first..].iter().take_while(|place| place.0 == token);
            places.for_each(|&(_, at)| matches[at / 64] |= 1 << (at % 64));
            let mut carry = false;
            for (bits, matches) in column.iter_mut().zip(&mut matches) {
                let (sum, over) = bits.overflowing_add(*bits & *matches);
                let (sum, over_again) = sum.overflowing_add(u64::from(carry));
                carry = over || over_again;
                *bits = sum | (*bits & !*matches);
                *matches = 0;
            }
            emit(column);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// The same with the whole table and its numbers.
    fn by_numbers(sentence: &[u64], other: &[u64]) -> Vec<bool> {
        let mut lengths = vec![vec![0; other.len() + 1]; sentence.len() + 1];
        for (i, x) in sentence.iter().enumerate() {
            for (j, y) in other.iter().enumerate() {
                let shorter = lengths[i][j + 1].max(lengths[i + 1][j]);
                lengths[i + 1][j + 1] = if x == y { lengths[i][j] + 1 } else { shorter };
            }
        }
        let mut marks = vec![false; sentence.len()];
        let (mut i, mut j) = (sentence.len(), other.len());
        while i > 0 && j > 0 {
            if sentence[i - 1] == other[j - 1] {
                marks[i - 1] = true;
                (i, j) = (i - 1, j - 1);
            } else if lengths[i][j - 1] > lengths[i - 1][j] {
                j -= 1;
            } else {
                i -= 1;
            }
        }
        marks
    }

    proptest! {
        #[test]
        fn bits_say_what_numbers_say(
            sentence in prop::collection::vec(0_u64..5, 0..150),
            other in prop::collection::vec(0_u64..5, 0..150),
            kept in prop::sample::select(vec![0, KEPT_BLOCKS]),
        ) {
            let mut marks = vec![false; sentence.len()];
            Table::new(&sentence).mark(&other, &mut marks, kept);
            prop_assert_eq!(marks, by_numbers(&sentence, &other));
        }
    }
}
