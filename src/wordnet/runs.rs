//! Lists of numbers in the index: runs of three bytes per number.
//!
//! A run is a list of 23-bit numbers, little-endian; bit 23 is set in the last one. A table of runs has one row of
//! three bytes per synset: a run of one number is stored in the row itself (the row *is* the run); a longer run is
//! stored among the tails, and the row holds its position.

use std::borrow::Cow;

/// A part of the index, compiled in or built from a dict folder.
pub(super) type Section = Cow<'static, [u8]>;

/// Bytes per number.
pub(super) const WIDTH: usize = 3;
/// Marks the last number of a run.
const LAST: u32 = 1 << 23;
/// The row of an empty list; no table has that many tails.
pub(super) const NONE: u32 = LAST - 1;

/// The numbers of one list, decoded on demand.
#[derive(Clone, Debug, Default)]
pub(super) struct Run<'a> {
    bytes: &'a [u8],
}

impl<'a> Run<'a> {
    /// The run that begins at number `place` of `section`; empty if there is none.
    pub(super) fn at(section: &'a [u8], place: u64) -> Run<'a> {
        let start = usize::try_from(place).ok().and_then(|place| place.checked_mul(WIDTH));
        let bytes = start.and_then(|start| section.get(start..));
        Run { bytes: bytes.unwrap_or_default() }
    }
}

impl Iterator for Run<'_> {
    type Item = u32;

    fn next(&mut self) -> Option<u32> {
        let (&[low, middle, high], rest) = self.bytes.split_first_chunk::<WIDTH>()?;
        let number = u32::from_le_bytes([low, middle, high, 0]);
        self.bytes = if number & LAST == 0 { rest } else { &[] };
        Some(number & !LAST)
    }
}

/// Appends `numbers`, each below [`NONE`], to `section` as one run.
pub(super) fn push_run(section: &mut Vec<u8>, numbers: &[u32]) {
    for (index, number) in numbers.iter().enumerate() {
        let mark = if index + 1 == numbers.len() { LAST } else { 0 };
        push_number(section, number | mark);
    }
}

fn push_number(section: &mut Vec<u8>, number: u32) {
    section.extend_from_slice(&number.to_le_bytes()[..WIDTH]);
}

/// One list per synset. `heads`: (synsets, 3 bytes); `tails`: the runs of two or more numbers.
#[derive(Clone, Debug, Default)]
pub(super) struct RunTable {
    pub heads: Section,
    pub tails: Section,
}

impl RunTable {
    pub(super) fn push(&mut self, numbers: &[u32]) {
        let (heads, tails) = (self.heads.to_mut(), self.tails.to_mut());
        match numbers {
            [] => push_number(heads, NONE),
            [_] => push_run(heads, numbers),
            _ => {
                let place = u32::try_from(tails.len() / WIDTH).unwrap_or(NONE);
                push_number(heads, place.min(NONE));
                push_run(tails, numbers);
            }
        }
    }

    /// The list of synset `row`; empty for a row that does not exist.
    pub(super) fn get(&self, row: u32) -> Run<'_> {
        let head = Run::at(&self.heads, u64::from(row));
        let Some(&[low, middle, high]) = head.bytes.first_chunk::<WIDTH>() else {
            return Run::default();
        };
        let number = u32::from_le_bytes([low, middle, high, 0]);
        if number & LAST != 0 { head } else { Run::at(&self.tails, u64::from(number)) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_table_returns_the_lists_that_went_in() {
        let lists: [&[u32]; 5] = [&[7], &[], &[0, NONE - 1, 3], &[NONE - 1], &[1, 2]];
        let mut table = RunTable::default();
        lists.iter().for_each(|list| table.push(list));
        for (row, list) in (0..).zip(lists) {
            assert_eq!(table.get(row).collect::<Vec<_>>(), list, "row {row}");
        }
        assert_eq!(table.heads.len(), lists.len() * WIDTH);
    }

    #[test]
    fn places_outside_the_section_are_empty() {
        let mut section = Vec::new();
        push_run(&mut section, &[1, 2]);
        assert_eq!(Run::at(&section, 1).collect::<Vec<_>>(), [2]);
        for place in [2, 3, u64::from(u32::MAX), u64::MAX] {
            assert_eq!(Run::at(&section, place).next(), None, "place {place}");
        }
        assert_eq!(RunTable::default().get(u32::MAX).next(), None);
    }

    #[test]
    fn a_run_without_its_end_stops_with_the_bytes() {
        assert_eq!(Run::at(&[1, 0, 0, 2, 0], 0).collect::<Vec<_>>(), [1]);
    }
}
