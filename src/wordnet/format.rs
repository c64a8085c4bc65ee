//! The header of the index: which WordNet it holds, and where its sections are.
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

use std::ops::Range;

use xxhash_rust::xxh3::xxh3_64;

use crate::error::{Error, Result};

/// To be changed whenever the bytes change their meaning.
pub(super) const FORMAT_VERSION: u32 = 2;
/// The longest lemma in bytes; longer words are not looked up and have no base forms.
pub(super) const LONGEST_WORD: usize = 255;

const MAGIC: [u8; 8] = *b"tribwn\r\n";
const CHECKED_FROM: usize = 20;
const HEADER_BYTES: usize = 76;
const SECTIONS: usize = 6;
const REBUILD: &str = "build it again: cargo run --release --example build_wordnet_index -- \
                       /usr/share/wordnet data/wordnet/wordnet-3.0.idx";

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
        let mut reader = Reader { rest: bytes };
        let magic = reader.take::<8>()?;
        if magic != MAGIC {
            let found = magic.escape_ascii().to_string();
            return Err(invalid_index(format!("to begin with {}", MAGIC.escape_ascii()), found));
        }
        let format = reader.number()?;
        if format != FORMAT_VERSION {
            let found = format!("version {format}");
            return Err(invalid_index(format!("format version {FORMAT_VERSION}"), found));
        }
        let header = Header {
            checksum: u64::from_le_bytes(reader.take()?),
            wordnet_version: text(&reader.take::<16>()?)?,
            synsets: reader.numbers()?,
            lengths: reader.numbers()?,
        };
        let expected = HEADER_BYTES as u64 + header.lengths.iter().map(|&n| u64::from(n)).sum::<u64>();
        if bytes.len() as u64 != expected {
            let found = format!("{} bytes", bytes.len());
            return Err(invalid_index(format!("{expected} bytes"), found));
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

/// The whole file: header and sections.
pub(super) fn write(wordnet_version: &str, synsets: [u32; 4], sections: [&[u8]; SECTIONS]) -> Result<Vec<u8>> {
    let mut body = Vec::new();
    let mut version = [0; 16];
    version.iter_mut().zip(wordnet_version.bytes()).for_each(|(to, from)| *to = from);
    body.extend_from_slice(&version);
    synsets.iter().for_each(|count| body.extend_from_slice(&count.to_le_bytes()));
    for section in sections {
        let length = u32::try_from(section.len())
            .map_err(|_| invalid_index("sections below 4 GiB", format!("{} bytes", section.len())))?;
        body.extend_from_slice(&length.to_le_bytes());
    }
    sections.iter().for_each(|section| body.extend_from_slice(section));

    let checksum = xxh3_64(&body).to_le_bytes();
    Ok([&MAGIC[..], &FORMAT_VERSION.to_le_bytes(), &checksum, &body].concat())
}

fn text(padded: &[u8; 16]) -> Result<String> {
    let end = padded.iter().position(|&byte| byte == 0).unwrap_or(padded.len());
    let text = &padded[..end];
    if text.iter().all(u8::is_ascii_graphic) {
        Ok(text.iter().map(|&byte| char::from(byte)).collect())
    } else {
        Err(invalid_index("a version of WordNet", text.escape_ascii().to_string()))
    }
}

struct Reader<'a> {
    rest: &'a [u8],
}

impl Reader<'_> {
    fn take<const N: usize>(&mut self) -> Result<[u8; N]> {
        let (taken, rest) = self.rest.split_first_chunk::<N>().ok_or_else(|| {
            let found = format!("the end after {} more", self.rest.len());
            invalid_index(format!("a header of {HEADER_BYTES} bytes"), found)
        })?;
        self.rest = rest;
        Ok(*taken)
    }

    fn number(&mut self) -> Result<u32> {
        Ok(u32::from_le_bytes(self.take()?))
    }

    fn numbers<const N: usize>(&mut self) -> Result<[u32; N]> {
        let mut numbers = [0; N];
        for number in &mut numbers {
            *number = self.number()?;
        }
        Ok(numbers)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sample() -> Vec<u8> {
        let sections: [&[u8]; SECTIONS] = [b"a", b"bc", b"", b"d", b"ef", b"g"];
        write("3.0", [1, 2, 3, 4], sections).expect("six short sections")
    }

    #[test]
    fn what_is_written_is_read() {
        let bytes = sample();
        let header = Header::read(&bytes).expect("a whole file");
        assert_eq!((header.wordnet_version.as_str(), header.synsets), ("3.0", [1, 2, 3, 4]));
        assert_eq!(header.sections().map(|range| &bytes[range])[4], b"ef");
        header.verify(&bytes).expect("the same bytes");
    }

    #[test]
    fn a_cut_file_is_refused_wherever_it_is_cut() {
        let bytes = sample();
        for length in 0..bytes.len() {
            assert!(Header::read(&bytes[..length]).is_err(), "{length} bytes");
        }
    }

    #[test]
    fn a_flipped_bit_is_noticed_wherever_it_is() {
        for place in 0..sample().len() {
            let mut bytes = sample();
            bytes[place] ^= 0x10;
            let opened = Header::read(&bytes).and_then(|header| header.verify(&bytes));
            assert!(opened.is_err(), "byte {place}");
        }
    }

    #[test]
    fn another_format_is_refused_with_the_remedy() {
        let mut bytes = sample();
        bytes[8] = 9;
        let message = Header::read(&bytes).expect_err("format 9").to_string();
        for part in ["format version 2", "version 9", "build_wordnet_index"] {
            assert!(message.contains(part), "{message}");
        }
    }
}
