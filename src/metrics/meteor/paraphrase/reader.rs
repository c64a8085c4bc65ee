//! From METEOR's file to the table.

use std::io::{BufRead, BufReader, Read};
use std::path::Path;

use flate2::read::MultiGzDecoder;
use xxhash_rust::xxh3::xxh3_64;

use super::ParaphraseTable;
use crate::error::{Error, Result};
use crate::text::fingerprint::{self, Fingerprint};
use crate::text::{Normalization, Tokenizer};

/// Phrases of more words have no place in the table.
const LONGEST: usize = 255;

/// An entry on the way into the table.
struct Entry {
    phrase: Fingerprint,
    number: u32,
    paraphrase: Fingerprint,
    length: u8,
}

impl ParaphraseTable {
    /// Reads a table, compressed with gzip or not.
    ///
    /// # Errors
    /// The file cannot be read, has no entry, or one that is not a number, a phrase and a paraphrase.
    pub fn read(path: &Path) -> Result<Self> {
        Self::parse(&bytes_of(path)?, path)
    }

    /// Parses the bytes of a table; `path` is for messages.
    pub(super) fn parse(bytes: &[u8], path: &Path) -> Result<Self> {
        let plain: Box<dyn Read + '_> =
            if bytes.starts_with(&[0x1f, 0x8b]) { Box::new(MultiGzDecoder::new(bytes)) } else { Box::new(bytes) };
        let mut lines = Lines { path, number: 0, text: Vec::new(), reader: BufReader::with_capacity(1 << 16, plain) };
        let mut table = Self { source: xxh3_64(bytes), ..Self::default() };
        let mut entries: Vec<Entry> = Vec::new();
        while lines.next()? {
            lines.check_probability()?;
            let (phrase, phrase_length) = phrase(lines.expect("the phrase of an entry")?);
            let (paraphrase, length) = self::phrase(lines.expect("the paraphrase of an entry")?);
            if (1..=LONGEST).contains(&phrase_length) && (1..=LONGEST).contains(&length) {
                table.longest_phrase = table.longest_phrase.max(phrase_length);
                table.longest_paraphrase = table.longest_paraphrase.max(length);
                entries.push(Entry { phrase, number: entries.len() as u32, paraphrase, length: length as u8 });
            }
        }
        if entries.is_empty() {
            return Err(lines.invalid("entries of three lines", "none"));
        }
        table.fill(entries);
        Ok(table)
    }

    fn fill(&mut self, mut entries: Vec<Entry>) {
        entries.sort_unstable_by_key(|entry| (entry.phrase, entry.number));
        for (place, entry) in entries.iter().enumerate() {
            if self.phrases.last() != Some(&entry.phrase) {
                self.phrases.push(entry.phrase);
                self.first.push(place as u32);
            }
        }
        self.first.push(entries.len() as u32);
        self.paraphrases = entries.iter().map(|entry| entry.paraphrase).collect();
        self.lengths = entries.iter().map(|entry| entry.length).collect();
        self.index();
    }
}

/// What stands in the file of a table.
pub(super) fn bytes_of(path: &Path) -> Result<Vec<u8>> {
    std::fs::read(path).map_err(|error| Error::io(path, error, "read the paraphrase table"))
}

/// The fingerprint of the words of a line, and their number.
pub(super) fn phrase(line: &[u8]) -> (Fingerprint, usize) {
    let (mut phrase, mut length) = (fingerprint::EMPTY, 0);
    Tokenizer::Meteor(Normalization::None).tokenize(&String::from_utf8_lossy(line), &mut |word| {
        phrase = fingerprint::extend(phrase, fingerprint::of_token(word));
        length += 1;
    });
    (phrase, length)
}

/// The lines of a table, one at a time.
struct Lines<'a> {
    path: &'a Path,
    number: usize,
    text: Vec<u8>,
    reader: BufReader<Box<dyn Read + 'a>>,
}

impl Lines<'_> {
    /// Goes to the next line; false at the end.
    fn next(&mut self) -> Result<bool> {
        self.text.clear();
        self.number += 1;
        let read = self.reader.read_until(b'\n', &mut self.text);
        Ok(read.map_err(|error| Error::io(self.path, error, "read the paraphrase table"))? > 0)
    }

    /// The next line, where there has to be one.
    fn expect(&mut self, what: &str) -> Result<&[u8]> {
        if self.next()? { Ok(&self.text) } else { Err(self.invalid(what, "the end of the file")) }
    }

    /// What METEOR does not look at tells its tables from other files.
    fn check_probability(&self) -> Result<()> {
        let text = String::from_utf8_lossy(&self.text);
        let text = text.trim_end();
        if text.parse::<f64>().is_ok() {
            return Ok(());
        }
        let shown: String = text.chars().take(40).collect();
        Err(self.invalid("the probability of an entry", &format!("{shown:?}")))
    }

    fn invalid(&self, expected: &str, found: &str) -> Error {
        let place = format!("{}:{}", self.path.display(), self.number);
        Error::invalid(place, expected, found, "name a table of METEOR, such as paraphrase-en.gz, or get it anew")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn message(text: &str) -> String {
        ParaphraseTable::parse(text.as_bytes(), Path::new("table")).unwrap_err().to_string()
    }

    #[test]
    fn what_is_no_table_is_refused_where_it_shows() {
        assert!(message("").starts_with("table:1: expected entries of three lines, found none"));
        assert!(message("0.5\na lot\nmuch\nHe came.\n").starts_with("table:4: expected the probability"));
        assert!(message("0.5\na lot\n").starts_with("table:3: expected the paraphrase of an entry, found the end"));
        assert!(message("0.5\n").starts_with("table:2: expected the phrase of an entry, found the end"));
    }

    #[test]
    fn entries_of_a_phrase_stay_in_their_order() {
        let text = b"0.5\na lot\nmuch\n0.2\nbig\nlarge\n0.1\na lot\nvery many things\n";
        let table = ParaphraseTable::parse(text, Path::new("table")).unwrap();
        let found: Vec<_> = table.of(phrase(b"a lot").0).collect();
        assert_eq!(found, [(phrase(b"much").0, 1), (phrase(b"very many things").0, 3)]);
        assert_eq!((table.len(), table.longest_phrase, table.longest_paraphrase), (3, 2, 3));
        assert_eq!(table.of(phrase(b"lot").0).count(), 0);
    }
}
