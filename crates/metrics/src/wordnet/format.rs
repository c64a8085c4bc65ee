//! The bytes of the index: a header, which says what WordNet it holds, and sections of strings and of runs.
//!
//! Numbers are little-endian. The sections follow the header in the order of [`Header::sections`].
//!
//! | bytes  | contents                                                                 |
//! |--------|--------------------------------------------------------------------------|
//! | 0..8   | `tribwn\r\n`: a transfer as text changes the line end, which is detected |
//! | 8..12  | version of this format                                                   |
//! | 12..20 | XXH3 checksum (64 bits) of all bytes after it                            |
//! | 20..36 | version of WordNet, padded with zeros                                    |
//! | 36..52 | synsets of each part of speech: noun, verb, adjective, adverb            |
//! | 52..76 | lengths of the six sections in bytes                                     |
//!
//! A run is a list of 23-bit numbers of three bytes; bit 23 is set in the last one. A table of runs has one row of three
//! bytes per synset: a run of one number is stored in the row itself (the row *is* the run); a longer run is stored
//! among the tails, and the row holds its position; the row of an empty one holds a position beyond them.
//!
//! `examples/build_wordnet_index.rs` writes this.

use std::borrow::Cow;
use std::ops::Range;

use xxhash_rust::xxh3::xxh3_64;

use crate::error::{Error, Result};

/// To be changed whenever the bytes change their meaning.
pub(super) const FORMAT_VERSION: u32 = 2;
/// The longest lemma in bytes; longer words are not looked up and have no base forms.
pub(super) const MAX_WORD_BYTES: usize = 255;

const MAGIC: [u8; 8] = *b"tribwn\r\n";
const CHECKED_FROM: usize = 20;
const VERSION_BYTES: usize = 16;
const HEADER_BYTES: usize = 76;
const SECTIONS: usize = 6;
const REBUILD: &str = "build it again: cargo run --release --package tribunal-text-metrics --example build_wordnet_index -- \
                       /usr/share/wordnet crates/metrics/data/wordnet/wordnet-3.0.idx";

/// The part of the file before the sections.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Header {
    pub wordnet_version: String,
    /// The checksum of everything after it in the file, so that it identifies the contents.
    pub checksum: u64,
    /// The number of synsets of each part of speech, in the order of `PartOfSpeech::ALL`.
    pub synsets: [u32; 4],
    lengths: [u32; SECTIONS],
}

/// An error about the bytes of an index.
pub(super) fn invalid_index(expected: impl Into<String>, found: impl Into<String>) -> Error {
    Error::invalid("WordNet index", expected, found, REBUILD)
}

impl Header {
    /// Reads and checks the header, except for the checksum, which [`Header::verify`] compares.
    pub(super) fn read(bytes: &[u8]) -> Result<Header> {
        let Some(header) = bytes.first_chunk::<HEADER_BYTES>() else {
            return Err(invalid_index(format!("a header of {HEADER_BYTES} bytes"), format!("{} bytes", bytes.len())));
        };
        if header[..MAGIC.len()] != MAGIC {
            let found = header[..MAGIC.len()].escape_ascii().to_string();
            return Err(invalid_index(format!("to begin with {}", MAGIC.escape_ascii()), found));
        }
        let number = |at: usize| u32::from_le_bytes([header[at], header[at + 1], header[at + 2], header[at + 3]]);
        if number(8) != FORMAT_VERSION {
            let found = format!("version {}", number(8));
            return Err(invalid_index(format!("format version {FORMAT_VERSION}"), found));
        }
        let header = Header {
            checksum: u64::from(number(16)) << 32 | u64::from(number(12)),
            wordnet_version: text(&header[CHECKED_FROM..CHECKED_FROM + VERSION_BYTES])?,
            synsets: std::array::from_fn(|at| number(36 + 4 * at)),
            lengths: std::array::from_fn(|at| number(52 + 4 * at)),
        };
        let expected = HEADER_BYTES as u64 + header.lengths.iter().map(|&n| u64::from(n)).sum::<u64>();
        if bytes.len() as u64 != expected {
            return Err(invalid_index(format!("{expected} bytes"), format!("{} bytes", bytes.len())));
        }
        Ok(header)
    }

    /// The byte ranges of the sections: lemmas, senses, exceptions, base forms, members (heads, tails).
    pub(super) fn sections(&self) -> [Range<usize>; SECTIONS] {
        let mut start = HEADER_BYTES;
        self.lengths.map(|length| {
            let section = start..start + length as usize;
            start = section.end;
            section
        })
    }

    /// Compares the checksum, which reads all bytes.
    pub(super) fn verify(&self, bytes: &[u8]) -> Result<()> {
        match xxh3_64(bytes.get(CHECKED_FROM..).unwrap_or_default()) {
            checksum if checksum == self.checksum => Ok(()),
            other => Err(invalid_index(
                format!("checksum {:016x}", self.checksum),
                format!("{other:016x}: the bytes are damaged"),
            )),
        }
    }
}

fn text(padded: &[u8]) -> Result<String> {
    let text = padded.split(|&byte| byte == 0).next().unwrap_or_default();
    match text.iter().all(u8::is_ascii_graphic) {
        true => Ok(text.iter().map(|&byte| char::from(byte)).collect()),
        false => Err(invalid_index("a version of WordNet", text.escape_ascii().to_string())),
    }
}

/// A part of the index, compiled in or read.
pub(super) type Section = Cow<'static, [u8]>;

/// Bytes per number.
pub(super) const WIDTH: usize = 3;
/// Marks the last number of a run.
const LAST: u32 = 1 << 23;
/// The numbers of one list, decoded on demand.
#[derive(Clone, Debug, Default)]
pub(super) struct Run<'a> {
    bytes: &'a [u8],
}

impl<'a> Run<'a> {
    /// The run that begins at number `position` of `section`; empty if there is none.
    pub(super) fn at(section: &'a [u8], position: u64) -> Run<'a> {
        let start = usize::try_from(position).ok().and_then(|position| position.checked_mul(WIDTH));
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

/// One list per synset. `heads`: (synsets, 3 bytes); `tails`: the runs of two or more numbers.
#[derive(Clone, Debug, Default)]
pub(super) struct RunTable {
    pub heads: Section,
    pub tails: Section,
}

impl RunTable {
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

    const BYTES: &[u8] = include_bytes!("../../data/wordnet/wordnet-3.0.idx");

    #[test]
    fn a_cut_file_is_refused_wherever_it_is_cut() {
        for length in (0..100).chain((100..BYTES.len()).step_by(100_003)) {
            assert!(Header::read(&BYTES[..length]).is_err(), "{length} bytes");
        }
    }

    #[test]
    fn another_format_is_refused_with_the_remedy() {
        let mut bytes = BYTES.to_vec();
        bytes[8] = 9;
        let message = Header::read(&bytes).expect_err("format 9").to_string();
        for part in ["format version 2", "version 9", "build_wordnet_index"] {
            assert!(message.contains(part), "{message}");
        }
    }

    #[test]
    fn a_row_is_its_run_or_leads_to_it() {
        let heads = Cow::Borrowed(&[7, 0, 0x80, 0xff, 0xff, 0x7f, 1, 0, 0][..]);
        let tails = Cow::Borrowed(&[9, 0, 0x80, 1, 0, 0, 2, 0, 0x80][..]);
        let table = RunTable { heads, tails };
        let lists: [&[u32]; 4] = [&[7], &[], &[1, 2], &[]];
        for (row, list) in (0..).zip(lists) {
            assert_eq!(table.get(row).collect::<Vec<_>>(), list, "row {row}");
        }
        assert_eq!(table.get(u32::MAX).next(), None);
    }

    #[test]
    fn a_run_ends_with_its_section() {
        let section = [1, 0, 0, 2, 0, 0x80];
        assert_eq!(Run::at(&section, 1).collect::<Vec<_>>(), [2]);
        for place in [2, 3, u64::from(u32::MAX), u64::MAX] {
            assert_eq!(Run::at(&section, place).next(), None, "place {place}");
        }
        assert_eq!(Run::at(&[1, 0, 0, 2, 0], 0).collect::<Vec<_>>(), [1]);
    }
}
