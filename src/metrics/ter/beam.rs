//! TER, step 1b: the table within sacreBLEU's beam, for texts of any length.
//!
//! Only the cells within 25 columns of the diagonal are computed, and in the last row all cells to its end. Cells
//! outside the beam count as unreachable, so that the distance between long, very different texts can exceed the edit
//! distance. The beam is part of the definition of the score.

use std::ops::Range;

use super::alignment::{Edit, Table, Word};
use super::places::Places;

/// The half-width of the beam in columns, as in Tercom.
const REACH: f64 = 25.0;

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
        let diagonal = (row as f64 * self.slope).floor() as usize;
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
struct Row<'a> {
    start: usize,
    cells: &'a [u32],
}

impl Row<'_> {
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

    /// The difference between each cell and the other row's, if it is the same for all cells.
    fn lead_over(&self, other: &Row) -> Option<i32> {
        let lead = |(mine, theirs): (&u32, &u32)| mine.wrapping_sub(*theirs).cast_signed();
        let mut leads = self.cells.iter().zip(other.cells).map(lead);
        let first = leads.next()?;
        leads.all(|lead| lead == first).then_some(first)
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
}

impl<'a> BeamTable<'a> {
    /// An empty table.
    pub fn new(beam: Beam, reference: &'a [Word]) -> Self {
        let cells: Vec<u32> = (0..=reference.len() as u32).collect();
        let offsets = vec![0, cells.len()];
        Self { beam, reference, words: Vec::new(), cells, offsets, trial: Default::default() }
    }

    fn row(&self, row: usize) -> Row<'_> {
        let cells = &self.cells[self.offsets[row]..self.offsets[row + 1]];
        Row { start: self.beam.range(row).start, cells }
    }
}

impl Table for BeamTable<'_> {
    // A path by way of a third text may leave the beam.
    const IS_METRIC: bool = false;

    type Places = Places;

    fn places(&self) -> Places {
        Places::of(self.reference)
    }

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
    }

    fn distance(&self) -> u32 {
        self.cells[self.cells.len() - 1]
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

    fn distance_of(&mut self, words: &[Word], changed: Range<usize>) -> u32 {
        let [mut cells, mut next] = std::mem::take(&mut self.trial);
        cells.clear();
        cells.extend_from_slice(self.row(changed.start).cells);
        let mut distance = None;
        for (at, &word) in words.iter().enumerate().skip(changed.start) {
            let row = Row { start: self.beam.range(at).start, cells: &cells };
            if at >= changed.end
                && let Some(lead) = row.lead_over(&self.row(at))
            {
                distance = Some(self.distance().saturating_add_signed(lead));
                break;
            }
            next.clear();
            row.next(self.beam.range(at + 1), self.reference, word, &mut next);
            std::mem::swap(&mut cells, &mut next);
        }
        let distance = distance.unwrap_or_else(|| cells[cells.len() - 1]);
        self.trial = [cells, next];
        distance
    }
}

#[cfg(test)]
mod tests {
    use super::super::bits::BitTable;
    use super::*;

    fn distance(words: &[Word], reference: &[Word]) -> u32 {
        let mut table = BeamTable::new(Beam::new(words.len(), reference.len()), reference);
        table.fill(words, 0);
        table.distance()
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
        assert_eq!(distance(&reference, &[700]), 999);
    }

    #[test]
    fn both_tables_agree_where_the_beam_cannot_matter() {
        let mut state = 1_u32;
        let mut random = |below: u32| {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            (state >> 16) % below
        };
        for _ in 0..300 {
            let mut reference: Vec<Word> = (0..4 + random(20)).map(|_| random(4)).collect();
            reference[0] = 0;
            let mut words: Vec<Word> = (0..random(30)).map(|_| random(6)).collect();
            let mut bits = BitTable::new(&reference);
            let mut beam = BeamTable::new(Beam::new(words.len(), reference.len()), &reference);
            bits.fill(&words, 0);
            beam.fill(&words, 0);
            assert_eq!(bits.distance(), beam.distance());
            for (row, column) in
                (0..=words.len()).flat_map(|row| (0..=reference.len()).map(move |column| (row, column)))
            {
                if row + column > 0 {
                    assert_eq!(bits.last_edit(row, column), beam.last_edit(row, column));
                }
            }
            let first = random(words.len() as u32 + 1) as usize;
            let last = first + random((words.len() - first) as u32 + 1) as usize;
            words[first..last].reverse();
            let tried = bits.distance_of(&words, first..last);
            assert_eq!(tried, beam.distance_of(&words, first..last));
            beam.fill(&words, first);
            assert_eq!(tried, beam.distance());
        }
    }
}
