//! TER, step 1: aligns the words of the hypothesis with those of the reference.

use std::ops::Range;

use super::places::FindPlaces;
pub use super::places::Word;

/// A word-level edit that turns the hypothesis into the reference.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Edit {
    /// None: the words are equal.
    Match,
    /// A word of the hypothesis is replaced by one of the reference.
    Substitution,
    /// A word of the reference is inserted into the hypothesis.
    Insertion,
    /// A word of the hypothesis is deleted.
    Deletion,
}

/// The edit counts between a hypothesis and a reference.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Edits {
    /// Words missing from the hypothesis.
    pub insertions: u32,
    /// Words superfluous in the hypothesis.
    pub deletions: u32,
    /// Words replaced by others.
    pub substitutions: u32,
    /// Runs of words shifted beforehand.
    pub shifts: u32,
}

impl Edits {
    /// The number of edits of all kinds, which have equal cost.
    pub fn total(&self) -> u32 {
        self.insertions + self.deletions + self.substitutions + self.shifts
    }
}

/// The edit distances between all prefixes of a hypothesis (rows) and all prefixes of a reference (columns).
pub trait Table {
    /// Whether the distances obey the triangle inequality, as edit distances do.
    const IS_METRIC: bool;

    /// The index of the positions of the reference's words.
    type Places: FindPlaces;

    /// The positions of the reference's words.
    fn places(&self) -> Self::Places;

    /// Computes the table for a hypothesis. Its first `kept` words and its length must be those of the previous call.
    fn fill(&mut self, words: &[Word], kept: usize);

    /// The edit distance between the whole texts.
    fn distance(&self) -> u32;

    /// The last edit on the optimal path to a row and column, not both 0. Among equally good paths it prefers a match
    /// or a substitution, then a deletion.
    fn last_edit(&self, row: usize, column: usize) -> Edit;

    /// The edit distance for words that differ from those of the table at most in `changed`. The table is left
    /// unchanged.
    fn distance_of(&mut self, words: &[Word], changed: Range<usize>) -> u32;
}

/// The optimal path through a [`Table`], word by word.
#[derive(Debug, Default)]
pub struct Alignment {
    /// For each word of the reference, the number of hypothesis words up to and including the one aligned with it; for
    /// an inserted word, up to the insertion point.
    pub ends: Vec<usize>,
    /// For each word of the hypothesis, whether it is deleted or substituted.
    pub wrong_in_hypothesis: Vec<bool>,
    /// For each word of the reference, whether it is inserted or substituted.
    pub wrong_in_reference: Vec<bool>,
    /// The edit counts, without shifts.
    pub edits: Edits,
}

impl Edits {
    /// The edit counts on the optimal path through a filled table with these rows and columns, without shifts.
    pub fn count(table: &impl Table, rows: usize, columns: usize) -> Self {
        let mut counts = Counts::default();
        walk(table, [rows, columns], |edit, _| counts.add(edit));
        counts.edits()
    }
}

impl Alignment {
    /// Reads the optimal path from a filled table with these rows and columns.
    pub fn read(&mut self, table: &impl Table, rows: usize, columns: usize) {
        self.ends.resize(columns, 0);
        self.wrong_in_hypothesis.resize(rows, false);
        self.wrong_in_reference.resize(columns, false);
        let mut counts = Counts::default();
        walk(table, [rows, columns], |edit, [row, column]| {
            counts.add(edit);
            if edit != Edit::Deletion {
                self.ends[column - 1] = row;
                self.wrong_in_reference[column - 1] = edit != Edit::Match;
            }
            if edit != Edit::Insertion {
                self.wrong_in_hypothesis[row - 1] = edit != Edit::Match;
            }
        });
        self.edits = counts.edits();
    }
}

/// Traces the optimal path back from a row and column, and passes each edit to `visit` with the row and column where it
/// ends.
#[inline]
fn walk(table: &impl Table, [mut row, mut column]: [usize; 2], mut visit: impl FnMut(Edit, [usize; 2])) {
    while row > 0 || column > 0 {
        let edit = table.last_edit(row, column);
        visit(edit, [row, column]);
        row -= usize::from(edit != Edit::Insertion);
        column -= usize::from(edit != Edit::Deletion);
    }
}

/// The number of edits of each kind.
#[derive(Default)]
struct Counts([u32; 4]);

impl Counts {
    #[inline]
    fn add(&mut self, edit: Edit) {
        self.0[edit as usize] += 1;
    }

    fn edits(&self) -> Edits {
        let of = |edit: Edit| self.0[edit as usize];
        Edits {
            insertions: of(Edit::Insertion),
            deletions: of(Edit::Deletion),
            substitutions: of(Edit::Substitution),
            shifts: 0,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::bits::BitTable;
    use super::*;

    #[test]
    fn by_hand() {
        // 9 is deleted, 0 and 1 match, 2 is inserted, 3 and 4 match.
        let words = [9, 0, 1, 3, 4];
        let mut table = BitTable::new(&[0, 1, 2, 3, 4]);
        table.fill(&words, 0);
        let mut alignment = Alignment::default();
        alignment.read(&table, 5, 5);
        assert_eq!(table.distance(), 2);
        assert_eq!(alignment.edits, Edits { insertions: 1, deletions: 1, ..Edits::default() });
        assert_eq!(Edits::count(&table, 5, 5), alignment.edits);
        assert_eq!(alignment.ends, [2, 3, 3, 4, 5]);
        assert_eq!(alignment.wrong_in_hypothesis, [true, false, false, false, false]);
        assert_eq!(alignment.wrong_in_reference, [false, false, true, false, false]);
    }

    #[test]
    fn a_substitution_goes_before_an_insertion_and_a_deletion() {
        let mut table = BitTable::new(&[0, 1]);
        table.fill(&[9], 0);
        assert_eq!(table.last_edit(1, 2), Edit::Substitution);
        assert_eq!(table.last_edit(0, 1), Edit::Insertion);
        assert_eq!(table.last_edit(1, 0), Edit::Deletion);
    }
}
