//! TER, step 1a: the table for references of up to 64 words, with each row in a few machine words.
//!
//! Neighbouring cells of the table differ by at most one, so a row is two sets of columns: those where the distance
//! rises and those where it falls. A dozen operations give the next row. Myers 1999, "A fast bit-vector algorithm for
//! approximate string matching based on dynamic programming"; Hyyrö 2003, "A bit-vector algorithm for computing
//! Levenshtein and Damerau edit distances", section 2.

use std::ops::Range;

use super::alignment::{Edit, Table, Word};
use super::places::PlaceBits;

/// The longest reference that fits, with one bit per word.
pub const CAPACITY: usize = u64::BITS as usize;

/// A row of the table; bit c - 1 is column c.
#[derive(Debug, Clone, Copy)]
struct Row {
    /// Where the row's word equals the column's.
    equal: u64,
    /// Where the distance is that of the column to the left, plus 1.
    rises: u64,
    /// Where the distance is that of the column to the left, minus 1.
    falls: u64,
    /// Where the distance is that of the column to the left in the row above.
    diagonal: u64,
    /// Where the distance is that of the row above, plus 1.
    below: u64,
    /// The distance in the last column.
    distance: u32,
}

/// The edit distances between a hypothesis and a reference of 1 to [`CAPACITY`] words.
#[derive(Debug)]
pub struct BitTable {
    /// For each word of the reference, the columns where it occurs.
    columns_of: PlaceBits,
    /// Bit masks of all columns of the reference, and of the last one.
    columns: u64,
    last: u64,
    /// Empty until the table is filled.
    rows: Vec<Row>,
}

impl BitTable {
    /// An empty table for a reference. Its words must be numbers below its length.
    pub fn new(reference: &[Word]) -> Self {
        let last = 1 << (reference.len() - 1);
        Self { columns_of: PlaceBits::of(reference), columns: last | (last - 1), last, rows: Vec::new() }
    }

    fn next(&self, above: &Row, word: Word) -> Row {
        let equal = self.columns_of.get(word);
        let diagonal = ((equal & above.rises).wrapping_add(above.rises) ^ above.rises) | equal | above.falls;
        let below = above.falls | !(diagonal | above.rises);
        let over = diagonal & above.rises;
        let distance = above.distance + u32::from(below & self.last != 0) - u32::from(over & self.last != 0);
        // Column 0 increases by one from row to row.
        let (below_left, over_left) = (below << 1 | 1, over << 1);
        let rises = over_left | !(diagonal | below_left);
        Row { equal, rises, falls: diagonal & below_left, diagonal, below, distance }
    }

    /// Whether all following rows of the two differ by one constant.
    fn runs_on_as(&self, row: &Row, other: &Row) -> bool {
        (row.rises ^ other.rises | row.falls ^ other.falls) & self.columns == 0
    }
}

impl Table for BitTable {
    const IS_METRIC: bool = true;

    type Places = PlaceBits;

    fn places(&self) -> PlaceBits {
        self.columns_of
    }

    fn fill(&mut self, words: &[Word], kept: usize) {
        self.rows.truncate(kept + 1);
        self.rows.reserve(words.len() + 1 - self.rows.len());
        if self.rows.is_empty() {
            let distance = self.columns.count_ones();
            self.rows.push(Row { equal: 0, rises: !0, falls: 0, diagonal: 0, below: 0, distance });
        }
        let mut row = self.rows[kept];
        // Taken out because `next` borrows the table.
        let mut rows = std::mem::take(&mut self.rows);
        rows.extend(words[kept..].iter().map(|&word| {
            row = self.next(&row, word);
            row
        }));
        self.rows = rows;
    }

    fn distance(&self) -> u32 {
        self.rows[self.rows.len() - 1].distance
    }

    fn last_edit(&self, row: usize, column: usize) -> Edit {
        if row == 0 {
            return Edit::Insertion;
        } else if column == 0 {
            return Edit::Deletion;
        }
        let (row, column) = (&self.rows[row], 1 << (column - 1));
        if row.equal & column != 0 {
            Edit::Match
        } else if row.diagonal & column == 0 {
            Edit::Substitution
        } else if row.below & column != 0 {
            Edit::Deletion
        } else {
            Edit::Insertion
        }
    }

    fn distance_of(&mut self, words: &[Word], changed: Range<usize>) -> u32 {
        let mut row = self.rows[changed.start];
        for &word in &words[changed.clone()] {
            row = self.next(&row, word);
        }
        for (&word, as_before) in words[changed.end..].iter().zip(&self.rows[changed.end..]) {
            if self.runs_on_as(&row, as_before) {
                return self.distance() + row.distance - as_before.distance;
            }
            row = self.next(&row, word);
        }
        row.distance
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn distance(words: &[Word], reference: &[Word]) -> u32 {
        let mut table = BitTable::new(reference);
        table.fill(words, 0);
        table.distance()
    }

    #[test]
    fn by_hand() {
        assert_eq!(distance(&[], &[0, 1, 2]), 3);
        assert_eq!(distance(&[5, 5, 5, 5], &[0, 1]), 4);
        assert_eq!(distance(&[0, 3, 1, 2], &[0, 1, 2]), 1);
        assert_eq!(distance(&[1, 0], &[0, 1]), 2);
    }

    #[test]
    fn a_reference_may_fill_all_bits() {
        let reference: Vec<Word> = (0..64).collect();
        assert_eq!(distance(&reference, &reference), 0);
        assert_eq!(distance(&reference[1..], &reference), 1);
        assert_eq!(distance(&[99; 64], &reference), 64);
    }
}
