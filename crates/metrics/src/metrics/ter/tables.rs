//! The table of edit distances, twice: [`BeamTable`] within sacreBLEU's beam for texts of any length, and [`BitTable`]
//! for references of up to 128 words where the beam cannot matter. Without the second one, the TER of the sample takes
//! 3.7 times as many instructions. Where the beam matters, it tells which rotations cannot bring the distance down.
//!
//! The beam: only the cells within 25 columns of the diagonal are computed, and in the last row all cells to its end.
//! Cells outside the beam count as unreachable, so that the distance between long, very different texts can exceed the
//! edit distance. The beam is part of the definition of the score.
//!
//! The bits: neighbouring cells of the table differ by at most one, so a row is two sets of columns: those where the
//! distance rises and those where it falls. A dozen operations give the next row. Myers 1999, "A fast bit-vector
//! algorithm for approximate string matching based on dynamic programming"; Hyyrö 2003, "A bit-vector algorithm for
//! computing Levenshtein and Damerau edit distances", section 2.

use std::ops::Range;

use num_traits::{PrimInt, Unsigned, WrappingAdd};

/// A word of either text, as the number of the equal distinct word of the reference. These numbers are smaller than the
/// length of the reference; any greater number is a word that the reference lacks.
pub type Word = u32;

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

/// The edit distances between all prefixes of a hypothesis (rows) and all prefixes of a reference (columns).
pub trait Table {
    /// Computes the table for a hypothesis. Its first `kept` words and its length must be those of the previous call.
    fn fill(&mut self, words: &[Word], kept: usize);

    /// The edit distance between the whole texts.
    fn distance(&self) -> u32;

    /// An upper bound on how far the distance exceeds the edit distance, for which the triangle inequality holds.
    fn excess(&self) -> u32;

    /// The last edit on the optimal path to a row and column, not both 0. Among equally good paths it prefers a match
    /// or a substitution, then a deletion.
    fn last_edit(&self, row: usize, column: usize) -> Edit;

    /// The edit distance for the words of the table where `rotated` is rotated left by `to_end` words, or any number
    /// that is not below [`Self::distance`] if it is not. The table is left unchanged.
    fn distance_of(&mut self, words: &[Word], rotated: Range<usize>, to_end: usize) -> u32;
}

/// The longest reference that fits into a set of columns, with one bit per word.
pub const CAPACITY: usize = u128::BITS as usize;

/// A set of columns, one bit each: 64 for most references, and 128.
pub trait Columns: PrimInt + WrappingAdd + Unsigned {}

impl Columns for u64 {}
impl Columns for u128 {}

/// A row of the table; bit c - 1 is column c.
#[derive(Debug, Clone, Copy)]
struct BitRow<C> {
    /// Where the row's word equals the column's.
    equal: C,
    /// Where the distance is that of the column to the left, plus 1.
    rises: C,
    /// Where the distance is that of the column to the left, minus 1.
    falls: C,
    /// Where the distance is that of the column to the left in the row above.
    diagonal: C,
    /// Where the distance is that of the row above, plus 1.
    below: C,
}

/// The edit distances between a hypothesis and a reference of at least one word, and as many as there are bits.
#[derive(Debug)]
pub struct BitTable<C> {
    /// For each word of the reference, the columns where it occurs.
    columns_of: [C; CAPACITY],
    /// A bit mask of all columns of the reference.
    columns: C,
    /// Empty until the table is filled.
    rows: Vec<BitRow<C>>,
}

impl<C: Columns> BitTable<C> {
    /// An empty table for a reference. Its words must be numbers below its length.
    pub fn new(reference: &[Word]) -> Self {
        let last = C::one() << (reference.len() - 1);
        let mut columns_of = [C::zero(); CAPACITY];
        for (column, &word) in reference.iter().enumerate() {
            columns_of[word as usize] = columns_of[word as usize] | C::one() << column;
        }
        Self { columns_of, columns: last | (last - C::one()), rows: Vec::new() }
    }

    fn next(&self, above: &BitRow<C>, word: Word) -> BitRow<C> {
        let equal = self.columns_of.get(word as usize).copied().unwrap_or(C::zero());
        let diagonal = ((equal & above.rises).wrapping_add(&above.rises) ^ above.rises) | equal | above.falls;
        let below = above.falls | !(diagonal | above.rises);
        let over = diagonal & above.rises;
        // Column 0 increases by one from row to row.
        let (below_left, over_left) = (below << 1 | C::one(), over << 1);
        let rises = over_left | !(diagonal | below_left);
        BitRow { equal, rises, falls: diagonal & below_left, diagonal, below }
    }

    /// Whether two rows of the same number are equal in all columns: they are in column 0.
    fn are_equal(&self, row: &BitRow<C>, other: &BitRow<C>) -> bool {
        (row.rises ^ other.rises | row.falls ^ other.falls) & self.columns == C::zero()
    }

    /// The distance in the last column: column 0 has the number of the row.
    fn last_column(&self, number: usize, row: &BitRow<C>) -> u32 {
        number as u32 + (row.rises & self.columns).count_ones() - (row.falls & self.columns).count_ones()
    }
}

impl<C: Columns> Table for BitTable<C> {
    fn fill(&mut self, words: &[Word], kept: usize) {
        self.rows.truncate(kept + 1);
        self.rows.reserve(words.len() + 1 - self.rows.len());
        if self.rows.is_empty() {
            let none = C::zero();
            self.rows.push(BitRow { equal: none, rises: !none, falls: none, diagonal: none, below: none });
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
        let last = self.rows.len() - 1;
        self.last_column(last, &self.rows[last])
    }

    fn excess(&self) -> u32 {
        0
    }

    fn last_edit(&self, row: usize, column: usize) -> Edit {
        if row == 0 {
            return Edit::Insertion;
        } else if column == 0 {
            return Edit::Deletion;
        }
        let (row, column) = (&self.rows[row], C::one() << (column - 1));
        if row.equal & column != C::zero() {
            Edit::Match
        } else if row.diagonal & column == C::zero() {
            Edit::Substitution
        } else if row.below & column != C::zero() {
            Edit::Deletion
        } else {
            Edit::Insertion
        }
    }

    fn distance_of(&mut self, words: &[Word], Range { start, end }: Range<usize>, to_end: usize) -> u32 {
        let mut row = self.rows[start];
        for &word in &words[start + to_end..end] {
            row = self.next(&row, word);
        }
        for &word in &words[start..start + to_end] {
            row = self.next(&row, word);
        }
        for (&word, as_before) in words[end..].iter().zip(&self.rows[end..]) {
            if self.are_equal(&row, as_before) {
                return self.distance();
            }
            row = self.next(&row, word);
        }
        self.last_column(words.len(), &row)
    }
}

/// The half-width of the beam in columns, as in Tercom.
const REACH: f64 = 25.0;

/// The longest reference for which the edit distance is computed without the beam, which takes as long as trying 20
/// candidates.
const MAX_WITHOUT_BEAM: usize = 1000;

/// A distance greater than any real one, which can be incremented without overflow.
const OUT_OF_REACH: u32 = u32::MAX / 2;

/// The cells that are computed.
#[derive(Debug, Clone, Copy)]
pub struct Beam {
    rows: usize,
    columns: usize,
    /// The columns that the diagonal advances per row.
    slope: f64,
    reach: usize,
}

impl Beam {
    /// The beam for a hypothesis and a reference of these lengths in words.
    pub fn new(rows: usize, columns: usize) -> Self {
        let slope = if rows == 0 { 1.0 } else { columns as f64 / rows as f64 };
        // A steep diagonal must not jump out of the beam from one row to the next.
        let reach = if slope / 2.0 > REACH { (slope / 2.0 + REACH).ceil() } else { REACH };
        Self { rows, columns, slope, reach: reach as usize }
    }

    /// The columns computed in a row.
    fn range(&self, row: usize) -> Range<usize> {
        if row == 0 {
            return 0..self.columns + 1;
        }
        let diagonal = (row as f64 * self.slope) as usize;
        let end = if row == self.rows { self.columns + 1 } else { (diagonal + self.reach).min(self.columns + 1) };
        diagonal.saturating_sub(self.reach)..end
    }

    /// Whether a path of this many edits could leave the beam. If not, the beam affects neither this distance and its
    /// optimal paths nor any smaller distance.
    pub fn can_matter(&self, distance: u32) -> bool {
        if self.columns < self.reach {
            return false;
        }
        let within_distance = |row: usize, outside: Range<usize>| {
            !outside.is_empty()
                && self.edits_through(row, row.clamp(outside.start, outside.end - 1)) <= distance as usize
        };
        (1..=self.rows).any(|row| {
            let inside = self.range(row);
            within_distance(row, 0..inside.start) || within_distance(row, inside.end..self.columns + 1)
        })
    }

    /// A lower bound on the edits of a path through a cell: every surplus word on one side is an edit. Within a range
    /// of columns it is least at the one nearest to `row`.
    fn edits_through(&self, row: usize, column: usize) -> usize {
        column.abs_diff(row) + (self.columns - column).abs_diff(self.rows - row)
    }
}

/// The computed part of one row.
#[derive(Debug, Clone, Copy)]
struct BeamRow<'a> {
    start: usize,
    cells: &'a [u32],
}

impl BeamRow<'_> {
    fn cell(&self, column: usize) -> u32 {
        column.checked_sub(self.start).and_then(|at| self.cells.get(at)).copied().unwrap_or(OUT_OF_REACH)
    }

    /// Appends the next row, that of `word`, to `cells`.
    fn next(&self, range: Range<usize>, reference: &[Word], word: Word, cells: &mut Vec<u32>) {
        let mut corner = if range.start == 0 { OUT_OF_REACH } else { self.cell(range.start - 1) };
        let mut left = OUT_OF_REACH;
        for column in range {
            let above = self.cell(column);
            let differs = column == 0 || reference[column - 1] != word;
            left = (corner + u32::from(differs)).min(above + 1).min(left + 1);
            corner = above;
            cells.push(left);
        }
    }
}

/// The edit distances between a hypothesis and a reference within the beam. Memory: 4 bytes per cell, about 50 cells
/// per row.
#[derive(Debug)]
pub struct BeamTable<'a> {
    beam: Beam,
    reference: &'a [Word],
    words: Vec<Word>,
    /// The computed cells of all rows, row by row.
    cells: Vec<u32>,
    /// The start of each row in `cells`, and the end of the last one.
    offsets: Vec<usize>,
    /// Buffers for two rows of a trial hypothesis.
    trial: [Vec<u32>; 2],
    /// The distances without a beam, for a reference that fits.
    bits: Option<BitTable<u128>>,
    excess: u32,
}

/// The edit distance without a beam.
fn edit_distance(words: &[Word], reference: &[Word]) -> u32 {
    let mut cells: Vec<u32> = (0..=reference.len() as u32).collect();
    let mut next = Vec::with_capacity(cells.len());
    for &word in words {
        next.clear();
        BeamRow { start: 0, cells: &cells }.next(0..cells.len(), reference, word, &mut next);
        std::mem::swap(&mut cells, &mut next);
    }
    cells[reference.len()]
}

impl<'a> BeamTable<'a> {
    /// An empty table.
    pub fn new(beam: Beam, reference: &'a [Word]) -> Self {
        let cells: Vec<u32> = (0..=reference.len() as u32).collect();
        let offsets = vec![0, cells.len()];
        let bits = (reference.len() <= CAPACITY).then(|| BitTable::new(reference));
        let (words, trial, excess) = Default::default();
        Self { beam, reference, words, cells, offsets, trial, bits, excess }
    }

    fn row(&self, row: usize) -> BeamRow<'_> {
        let cells = &self.cells[self.offsets[row]..self.offsets[row + 1]];
        BeamRow { start: self.beam.range(row).start, cells }
    }
}

impl Table for BeamTable<'_> {
    fn fill(&mut self, words: &[Word], kept: usize) {
        self.words.clear();
        self.words.extend_from_slice(words);
        self.offsets.truncate(kept + 2);
        self.cells.truncate(self.offsets[kept + 1]);
        let mut cells = std::mem::take(&mut self.trial[0]);
        for (at, &word) in words.iter().enumerate().skip(kept) {
            cells.clear();
            self.row(at).next(self.beam.range(at + 1), self.reference, word, &mut cells);
            self.cells.extend_from_slice(&cells);
            self.offsets.push(self.cells.len());
        }
        self.trial[0] = cells;
        let least = match &mut self.bits {
            Some(bits) => {
                bits.fill(words, kept);
                bits.distance()
            }
            None if self.reference.len() <= MAX_WITHOUT_BEAM => edit_distance(words, self.reference),
            None => 0,
        };
        self.excess = self.distance() - least;
    }

    fn distance(&self) -> u32 {
        self.cells[self.cells.len() - 1]
    }

    fn excess(&self) -> u32 {
        self.excess
    }

    fn last_edit(&self, row: usize, column: usize) -> Edit {
        if row == 0 {
            return Edit::Insertion;
        }
        let (own, above) = (self.row(row), self.row(row - 1));
        if column > 0 {
            let equal = self.words[row - 1] == self.reference[column - 1];
            if own.cell(column) == above.cell(column - 1) + u32::from(!equal) {
                return if equal { Edit::Match } else { Edit::Substitution };
            }
        }
        if own.cell(column) == above.cell(column) + 1 { Edit::Deletion } else { Edit::Insertion }
    }

    fn distance_of(&mut self, words: &[Word], Range { start, end }: Range<usize>, to_end: usize) -> u32 {
        let least = self.bits.as_mut().map_or(0, |bits| bits.distance_of(words, start..end, to_end));
        if least >= self.distance() {
            return least;
        }
        let [mut cells, mut next] = std::mem::take(&mut self.trial);
        cells.clear();
        cells.extend_from_slice(self.row(start).cells);
        let rotated = words[start + to_end..end].iter().chain(&words[start..start + to_end]);
        for (&word, at) in rotated.chain(&words[end..]).zip(start..) {
            if at >= end && self.row(at).cells == cells {
                self.trial = [cells, next];
                return self.distance();
            }
            let row = BeamRow { start: self.beam.range(at).start, cells: &cells };
            next.clear();
            row.next(self.beam.range(at + 1), self.reference, word, &mut next);
            std::mem::swap(&mut cells, &mut next);
        }
        let distance = cells[cells.len() - 1];
        self.trial = [cells, next];
        distance
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn filled<T: Table>(mut table: T, words: &[Word]) -> T {
        table.fill(words, 0);
        table
    }

    fn bit_distance<C: Columns>(words: &[Word], reference: &[Word]) -> u32 {
        filled(BitTable::<C>::new(reference), words).distance()
    }

    fn distance(words: &[Word], reference: &[Word]) -> u32 {
        filled(BeamTable::new(Beam::new(words.len(), reference.len()), reference), words).distance()
    }

    #[test]
    fn a_reference_may_fill_all_bits() {
        let reference: Vec<Word> = (0..128).collect();
        for (distance, length) in
            [(bit_distance::<u64> as fn(&[Word], &[Word]) -> u32, 64), (bit_distance::<u128>, 128)]
        {
            let reference = &reference[..length];
            assert_eq!(distance(reference, reference), 0);
            assert_eq!(distance(&reference[1..], reference), 1);
            assert_eq!(distance(&[199; 128], reference), 128);
        }
    }

    #[test]
    fn what_lies_beyond_the_beam_is_not_found() {
        // The same words 20 columns further on take 20 insertions and 20 deletions. 30 columns are outside the beam: 80
        // substitutions.
        let reference: Vec<Word> = (0..80).collect();
        let moved = |by: u32| (by..80 + by).collect::<Vec<Word>>();
        assert_eq!(distance(&moved(20), &reference), 40);
        assert_eq!(distance(&moved(30), &reference), 80);
        assert!(Beam::new(80, 80).can_matter(60));
        assert!(!Beam::new(80, 80).can_matter(49));
    }

    #[test]
    fn short_texts_are_inside_the_beam() {
        assert!(!Beam::new(1000, 24).can_matter(1000));
        assert!(!Beam::new(3, 10).can_matter(10));
    }

    #[test]
    fn a_steep_diagonal_stays_inside_the_beam() {
        let reference: Vec<Word> = (0..1000).collect();
        assert_eq!(distance(&[500], &reference), 999);
        assert_eq!(distance(&[300, 760], &reference), 998);
        assert_eq!(distance(&[], &reference), 1000);
        assert_eq!(distance(&reference, &[0]), 999);
    }

    proptest! {
        #[test]
        fn the_beam_bounds_what_a_rotation_saves(
            length in 60_u32..150, moved in 20_usize..30, ends in [0_usize..150, 0..150], to_end in 0_usize..150,
        ) {
            let reference: Vec<Word> = (0..length).collect();
            let mut words = reference.clone();
            words.rotate_left(moved);
            let [first, last] = ends.map(|end| end.min(words.len()));
            let rotated = first.min(last)..first.max(last);
            let to_end = to_end.min(rotated.len());
            let shorter = to_end.min(rotated.len() - to_end) as u32;
            let mut beam = filled(BeamTable::new(Beam::new(words.len(), reference.len()), &reference), &words);
            prop_assert!(beam.distance() <= beam.distance_of(&words, rotated, to_end) + 2 * shorter + beam.excess());
        }

        #[test]
        fn both_tables_agree_where_the_beam_cannot_matter(
            reference in prop::collection::vec(0_u32..4, 4..24), words in prop::collection::vec(0_u32..6, 0..30),
            ends in [0_usize..30, 0..30], to_end in 0_usize..30,
        ) {
            let mut bits = filled(BitTable::<u64>::new(&reference), &words);
            let mut beam = filled(BeamTable::new(Beam::new(words.len(), reference.len()), &reference), &words);
            prop_assert_eq!(bits.distance(), beam.distance());
            for row in 0..=words.len() {
                for column in usize::from(row == 0)..=reference.len() {
                    prop_assert_eq!(bits.last_edit(row, column), beam.last_edit(row, column));
                }
            }
            let [first, last] = ends.map(|end| end.min(words.len()));
            let rotated = first.min(last)..first.max(last);
            let to_end = to_end.min(rotated.len());
            let tried = bits.distance_of(&words, rotated.clone(), to_end);
            prop_assert_eq!(tried, beam.distance_of(&words, rotated.clone(), to_end));
            let mut moved = words;
            moved[rotated.clone()].rotate_left(to_end);
            beam.fill(&moved, rotated.start);
            prop_assert_eq!(tried, beam.distance());
        }
    }
}
