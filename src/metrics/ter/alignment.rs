//! TER, step 1: which word of the hypothesis stands for which of the reference.

use std::ops::Range;

use super::places::FindPlaces;
pub use super::places::Word;

/// What is done to a word to make the hypothesis the reference.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Edit {
    /// Nothing: the words are equal.
    Match,
    /// A word of the hypothesis becomes one of the reference.
    Substitution,
    /// A word of the reference is put in, for the hypothesis lacks it.
    Insertion,
    /// A word of the hypothesis is taken out.
    Deletion,
}

/// The numbers of edits between a hypothesis and a reference.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Edits {
    /// Words that the hypothesis lacks.
    pub insertions: u32,
    /// Words that the hypothesis has too many.
    pub deletions: u32,
    /// Words that stand for others.
    pub substitutions: u32,
    /// Runs of words that were moved before.
    pub shifts: u32,
}

impl Edits {
    /// The number of edits of all kinds, which cost the same.
    pub fn total(&self) -> u32 {
        self.insertions + self.deletions + self.substitutions + self.shifts
    }
}

/// The edit distances between all beginnings of a hypothesis (rows) and all beginnings of a reference (columns).
pub trait Table {
    /// Whether the distances obey the triangle inequality, as edit distances do.
    const IS_METRIC: bool;

    /// Finds the places of the reference's words.
    type Places: FindPlaces;

    /// The places of the reference's words.
    fn places(&self) -> Self::Places;

    /// Computes the table for a hypothesis. Its first `kept` words are those of the call before, its length is the
    /// same.
    fn fill(&mut self, words: &[Word], kept: usize);

    /// The edit distance between the whole texts.
    fn distance(&self) -> u32;

    /// The last edit on the best way to that row and column, not both 0. Of equally good ways it takes the one that
    /// ends with a match or a substitution, else the one that ends with a deletion.
    fn last_edit(&self, row: usize, column: usize) -> Edit;

    /// The edit distance for words that differ from those of the table at most in `changed`. The table stays as it is.
    fn distance_of(&mut self, words: &[Word], changed: Range<usize>) -> u32;
}

/// What the best way through a [`Table`] says of each word.
#[derive(Debug, Default)]
pub struct Alignment {
    /// For each word of the reference, how many words of the hypothesis come up to the end of the one that stands for
    /// it; a word that is lacking belongs to the one before.
    pub ends: Vec<usize>,
    /// Whether a word of the hypothesis is to be taken out or to become another.
    pub wrong_in_hypothesis: Vec<bool>,
    /// Whether a word of the reference is lacking or another stands for it.
    pub wrong_in_reference: Vec<bool>,
    /// The numbers of edits; no shifts.
    pub edits: Edits,
}

impl Edits {
    /// Those on the best way through a filled table of that many rows and columns; no shifts.
    pub fn count(table: &impl Table, rows: usize, columns: usize) -> Self {
        let mut counts = Counts::default();
        walk(table, [rows, columns], |edit, _| counts.add(edit));
        counts.edits()
    }
}

impl Alignment {
    /// Follows the best way through a filled table of that many rows and columns, from its end.
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

/// Follows the best way through a filled table back from a row and column, and tells each edit with the row and column
/// that it leads to.
#[inline]
fn walk(table: &impl Table, [mut row, mut column]: [usize; 2], mut visit: impl FnMut(Edit, [usize; 2])) {
    while row > 0 || column > 0 {
        let edit = table.last_edit(row, column);
        visit(edit, [row, column]);
        row -= usize::from(edit != Edit::Insertion);
        column -= usize::from(edit != Edit::Deletion);
    }
}

/// How many edits there are of each kind.
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
        // 9 is taken out, 0 and 1 stay, 2 is lacking, 3 and 4 stay.
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
