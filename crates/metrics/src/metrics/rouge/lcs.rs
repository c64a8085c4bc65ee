//! Longest common subsequences, with one bit per cell of the textbook table.

use rustc_hash::FxHashMap;
use smallvec::SmallVec;

use crate::text::Fingerprint;
use crate::text::overlap::{self, Places};

/// The largest table that is computed as a whole, in cells: two texts of 131,072 tokens.
const MAX_CELLS: usize = 1 << 34;

/// The number of 64-bit words of a table stored at once, 8 MB; larger tables are stored in parts.
pub const MAX_STORED: usize = 1 << 20;

/// The length of a longest common subsequence of two texts, in O(|a| |b| / 64) steps and O(|a|) memory. Texts with a
/// table of more than 2^34 cells are split into [pieces]; the sum of the pieces' lengths is then a lower bound.
pub fn length(a: &[Fingerprint], b: &[Fingerprint]) -> usize {
    pieces(a, b, MAX_CELLS).map(|(a, b)| whole_length(a, b)).sum()
}

fn whole_length(a: &[Fingerprint], b: &[Fingerprint]) -> usize {
    let (long, short) = if a.len() < b.len() { (b, a) } else { (a, b) };
    if short.len() <= overlap::CAPACITY {
        return short_length(long, short);
    }
    let table = Table::new(a);
    let mut column = table.start();
    table.advance(&mut column, b, |_| ());
    column.iter().map(|bits| bits.count_zeros() as usize).sum()
}

/// The algorithm of [`Table`] with a column of one 64-bit word. Without it, `score --metrics rougeL` takes 1.3 times as
/// many instructions on the sample.
fn short_length(long: &[Fingerprint], short: &[Fingerprint]) -> usize {
    let places = Places::new(short);
    let column = long.iter().fold(u64::MAX, |bits, &token| {
        let matched = places.get(token);
        bits.wrapping_add(bits & matched) | (bits & !matched)
    });
    column.count_zeros() as usize
}

/// Splits two texts into the same number of pieces, each text into pieces of equal length, so that the tables of the
/// pairs of pieces have at most about `cells` cells in total and the time for very long texts is linear in their
/// length. Equal texts have equal pieces.
pub fn pieces<'t, T>(a: &'t [T], b: &'t [T], cells: usize) -> impl Iterator<Item = (&'t [T], &'t [T])> {
    let count = a.len().saturating_mul(b.len()).div_ceil(cells).max(1);
    let [of_a, of_b] = [a, b].map(|text| text.len().div_ceil(count).max(1));
    let part = |text: &'t [T], length: usize, at: usize| {
        &text[(at * length).min(text.len())..((at + 1) * length).min(text.len())]
    };
    (0..count).map(move |at| (part(a, of_a, at), part(b, of_b, at)))
}

/// The textbook table of lengths L, where L(i, j) is the length of the longest common subsequence of the first i tokens
/// of a sentence and the first j tokens of another. It is computed column by column, with one bit per cell, which is 0
/// where L(i, j) > L(i - 1, j). Hyyrö 2004, "Bit-parallel LCS-length computation revisited", section 3.
pub struct Table<'a> {
    sentence: &'a [Fingerprint],
    /// The rows of each token: the 64-bit words of a column that are not 0, each with its place, ascending.
    rows: FxHashMap<Fingerprint, SmallVec<[(usize, u64); 2]>>,
}

impl<'a> Table<'a> {
    /// The table of a sentence.
    pub fn new(sentence: &'a [Fingerprint]) -> Self {
        let mut rows: FxHashMap<Fingerprint, SmallVec<[(usize, u64); 2]>> = FxHashMap::default();
        for (at, &token) in sentence.iter().enumerate() {
            let (block, row) = (at / 64, 1 << (at % 64));
            let rows = rows.entry(token).or_default();
            match rows.last_mut().filter(|last| last.0 == block) {
                Some((_, bits)) => *bits |= row,
                None => rows.push((block, row)),
            }
        }
        Self { sentence, rows }
    }

    /// The column before the first token of another text.
    pub fn start(&self) -> Vec<u64> {
        vec![u64::MAX; self.blocks()]
    }

    /// The number of 64-bit words of a column.
    fn blocks(&self) -> usize {
        self.sentence.len().div_ceil(64)
    }

    /// Advances the column from before the tokens of `part` to after them; `emit` receives the column after each token.
    fn advance(&self, column: &mut [u64], part: &[Fingerprint], mut emit: impl FnMut(&[u64])) {
        for token in part {
            let mut matches = self.rows.get(token).into_iter().flatten().peekable();
            let first = matches.peek().map_or(column.len(), |&&(block, _)| block);
            let mut carry = false;
            for (block, bits) in column.iter_mut().enumerate().skip(first) {
                if matches.peek().is_none() && !carry {
                    break;
                }
                let matched = matches.next_if(|rows| rows.0 == block).map_or(0, |rows| rows.1);
                let (sum, over) = bits.overflowing_add(*bits & matched);
                let (sum, over_again) = sum.overflowing_add(u64::from(carry));
                carry = over || over_again;
                // Bits beyond the last token never match and stay 1.
                *bits = sum | (*bits & !matched);
            }
            emit(column);
        }
    }

    /// Marks the tokens of one longest common subsequence with `other`, the one that rouge-score chooses. Backwards
    /// from the end of the table, equal tokens are taken; where tokens differ, the sentence drops a token, unless that
    /// lowers L, in which case `other` does.
    ///
    /// A table of more than `max_stored` 64-bit words is computed twice, so that for l and k tokens only O(l sqrt(k)) bits
    /// are stored: first the columns where its parts start, then each part, from the last to the first. If texts have
    /// more than 2^34 cells, the tokens for their [pieces] are marked.
    pub fn mark(&self, other: &[Fingerprint], marks: &mut [bool], max_stored: usize) {
        if self.sentence.len().saturating_mul(other.len()) > MAX_CELLS {
            let mut left = marks;
            for (own, other) in pieces(self.sentence, other, MAX_CELLS) {
                let (marks, rest) = left.split_at_mut(own.len());
                Table::new(own).mark(other, marks, max_stored);
                left = rest;
            }
            return;
        }
        let part =
            if self.blocks().saturating_mul(other.len()) <= max_stored { other.len() } else { other.len().isqrt() };
        let parts: Vec<&[Fingerprint]> = other.chunks(part.max(1)).collect();
        let mut starts = vec![self.start()];
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

    /// Traces back through a part of the table from row `left`; returns the row in which the trace leaves the part.
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
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// The table of lengths as numbers. Wagner and Fischer 1974.
    fn lengths(a: &[u64], b: &[u64]) -> Vec<Vec<usize>> {
        let mut table = vec![vec![0; b.len() + 1]; a.len() + 1];
        for (i, x) in a.iter().enumerate() {
            for (j, y) in b.iter().enumerate() {
                table[i + 1][j + 1] = if x == y { table[i][j] + 1 } else { table[i][j + 1].max(table[i + 1][j]) };
            }
        }
        table
    }

    fn marks_by_numbers(sentence: &[u64], other: &[u64]) -> Vec<bool> {
        let lengths = lengths(sentence, other);
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

    fn tokens() -> impl Strategy<Value = Vec<u64>> {
        prop_oneof![prop::collection::vec(0_u64..6, 0..200), prop::collection::vec(0_u64..100, 0..200)]
    }

    #[test]
    fn equal_texts_have_equal_pieces() {
        let text: Vec<u64> = (0..1000).collect();
        let lengths: usize = pieces(&text, &text, 10_000).map(|(a, b)| whole_length(a, b)).sum();
        assert_eq!(lengths, 1000);
        let (all, none): (Vec<u64>, Vec<u64>) = ((0..10).collect(), Vec::new());
        assert_eq!(pieces(&all, &none, 3).map(|(a, _)| a.len()).sum::<usize>(), 10);
        assert_eq!(pieces(&all, &all[..3], 7).map(|(_, b)| b.len()).sum::<usize>(), 3);
    }

    proptest! {
        #[test]
        fn the_length_is_the_tables(a in tokens(), b in tokens()) {
            prop_assert_eq!(length(&a, &b), lengths(&a, &b)[a.len()][b.len()]);
        }

        #[test]
        fn bits_mark_what_numbers_mark(a in tokens(), b in tokens(), kept in prop::sample::select(vec![0, usize::MAX])) {
            let mut marks = vec![false; a.len()];
            Table::new(&a).mark(&b, &mut marks, kept);
            prop_assert_eq!(marks, marks_by_numbers(&a, &b));
        }
    }
}
