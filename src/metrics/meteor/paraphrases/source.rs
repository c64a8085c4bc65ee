//! From METEOR's file to the table.
//!
//! The file has three lines an entry: a probability, which METEOR does not use, a phrase and its paraphrase.

use std::io::{BufRead, Cursor};
use std::path::Path;

use xxhash_rust::xxh3::xxh3_64;

use super::format::{Contents, LONG_BYTES, ParaphraseTable, SHORT_BYTES, paraphrase_key};
use crate::error::{Error, Result, shown};
use crate::files::decompressed;
use crate::files::limits::{self, LONGEST_LINE};
use crate::metrics::meteor::tokenizer::{Normalization, tokenize};
use crate::text::fingerprint::{self, Fingerprint};

/// The most words of a phrase of the short table.
pub const MOST_WORDS: usize = 4;
/// The most words of a phrase of the short table and its paraphrase together.
pub const MOST_WORDS_OF_BOTH: usize = 6;

/// Bytes of a file that is read; METEOR's largest, compressed, has 61 MB.
const LARGEST_FILE: usize = 256 << 20;
/// Entries of a table; METEOR's largest has some millions.
const MOST_ENTRIES: usize = 50_000_000;
/// Phrases of more words have no place in the table.
const LONGEST: usize = 255;
/// Its fingerprint is another one where tokeniser or fingerprints are.
const PROBE: &str = "Mr. O'Neill's  co-op , 5,000 \u{c4}pfel";
/// Bits of a phrase and bytes of a paraphrase in the short table.
const SHORT_SIZES: [u8; 2] = [30, SHORT_BYTES];

/// Which entries of METEOR's file a table has.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Selection {
    /// All, those of a phrase in the order of the file, as METEOR has them.
    All,
    /// Those of short phrases, each once.
    Short,
}

impl Selection {
    fn has(self, phrase: usize, paraphrase: usize) -> bool {
        match self {
            Self::All => (1..=LONGEST).contains(&phrase) && (1..=LONGEST).contains(&paraphrase),
            Self::Short => {
                let is_short = |words: usize| (1..=MOST_WORDS).contains(&words);
                is_short(phrase) && is_short(paraphrase) && phrase + paraphrase <= MOST_WORDS_OF_BOTH
            }
        }
    }

    /// Bits of a phrase and bytes of a paraphrase.
    fn sizes(self) -> [u8; 2] {
        match self {
            Self::All => [64, LONG_BYTES],
            Self::Short => SHORT_SIZES,
        }
    }

    /// The fingerprint of the table, from that of METEOR's file.
    fn fingerprint(self, source: u64) -> u64 {
        let limits = [MOST_WORDS as u8, MOST_WORDS_OF_BOTH as u8];
        match self {
            Self::All => source,
            Self::Short => xxh3_64(&[&source.to_le_bytes()[..], &limits, &SHORT_SIZES].concat()),
        }
    }
}

/// The fingerprint of a phrase, and the key of its paraphrase.
type Entry = (Fingerprint, u64);

/// Entries on the way into the table.
#[derive(Default)]
struct Entries {
    pairs: Vec<Entry>,
    longest: usize,
}

impl ParaphraseTable {
    /// Reads all of a table of METEOR, compressed with gzip or not.
    ///
    /// # Errors
    /// The file cannot be read, has no entry, or one that is not a number, a phrase and a paraphrase.
    pub fn read(path: &Path) -> Result<Self> {
        Self::parse(bytes_of(path)?, path)
    }

    /// Reads the short phrases of a table of METEOR: [`Self::embedded`] is made with it.
    ///
    /// # Errors
    /// Those of [`Self::read`].
    pub fn read_short(path: &Path) -> Result<Self> {
        parse(bytes_of(path)?, path, Selection::Short)
    }

    /// Parses the bytes of a table; `path` is for messages.
    pub(super) fn parse(bytes: Vec<u8>, path: &Path) -> Result<Self> {
        parse(bytes, path, Selection::All)
    }
}

fn parse(bytes: Vec<u8>, path: &Path, selection: Selection) -> Result<ParaphraseTable> {
    let fingerprint = xxh3_64(&bytes);
    let place = path.display().to_string();
    let reader =
        decompressed(Box::new(Cursor::new(bytes)), None).map_err(|error| limits::read_error(&place, &error))?;
    let mut lines = Lines { place, number: 0, text: Vec::new(), reader };
    let (mut entries, [_, paraphrase_bytes]) = (Entries::default(), selection.sizes());
    while lines.next()? {
        lines.check_probability()?;
        let (phrase, words) = phrase(lines.expect("the phrase of an entry")?);
        let (paraphrase, others) = self::phrase(lines.expect("the paraphrase of an entry")?);
        if entries.pairs.len() == MOST_ENTRIES {
            return Err(lines.invalid(&format!("at most {MOST_ENTRIES} entries"), "more"));
        }
        if selection.has(words, others) {
            entries.longest = entries.longest.max(words).max(others);
            entries.pairs.push((phrase, paraphrase_key(paraphrase, others, paraphrase_bytes)));
        }
    }
    if entries.pairs.is_empty() {
        return Err(lines.invalid("entries of three lines", "none"));
    }
    Ok(ParaphraseTable::of(&contents(entries, selection, fingerprint)))
}

fn contents(mut entries: Entries, selection: Selection, source: u64) -> Contents {
    let [key_bits, paraphrase_bytes] = selection.sizes();
    let key = |phrase: Fingerprint| phrase >> (64 - key_bits) << (64 - key_bits);
    // Keeps the order of the file among the entries of a phrase.
    entries.pairs.sort_by_key(|pair| key(pair.0));
    let paraphrases = |pairs: &[Entry]| {
        let mut paraphrases: Vec<u64> = pairs.iter().map(|pair| pair.1).collect();
        if selection == Selection::Short {
            paraphrases.sort_unstable();
            paraphrases.dedup();
        }
        (key(pairs[0].0), paraphrases)
    };
    let same_phrase = |one: &Entry, other: &Entry| key(one.0) == key(other.0);
    Contents {
        fingerprint: selection.fingerprint(source),
        probe: probe(),
        key_bits,
        paraphrase_bytes,
        longest: entries.longest as u32,
        phrases: entries.pairs.chunk_by(same_phrase).map(paraphrases).collect(),
    }
}

/// The fingerprint of a phrase that has all that a phrase may have.
pub(super) fn probe() -> Fingerprint {
    phrase(PROBE.as_bytes()).0
}

/// What stands in the file of a table.
pub(super) fn bytes_of(path: &Path) -> Result<Vec<u8>> {
    limits::read_file(path, LARGEST_FILE, "read the paraphrase table")
}

/// The fingerprint of the words of a line, and their number.
fn phrase(line: &[u8]) -> (Fingerprint, usize) {
    let (mut phrase, mut length) = (fingerprint::EMPTY, 0);
    tokenize(&String::from_utf8_lossy(line), Normalization::None, &mut |word| {
        phrase = fingerprint::extend(phrase, fingerprint::of_token(word));
        length += 1;
    });
    (phrase, length)
}

/// The lines of a table, one at a time.
struct Lines {
    place: String,
    number: usize,
    text: Vec<u8>,
    reader: Box<dyn BufRead + Send>,
}

impl Lines {
    /// Goes to the next line; false at the end.
    fn next(&mut self) -> Result<bool> {
        self.text.clear();
        self.number += 1;
        let read = limits::read_line(&mut self.reader, &mut self.text);
        let read = read.map_err(|error| limits::read_error(&self.place, &error))?;
        if read <= LONGEST_LINE {
            return Ok(read > 0);
        }
        Err(limits::too_long(&format!("{}:{}", self.place, self.number), "a line of at most", LONGEST_LINE))
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
        Err(self.invalid("the probability of an entry", &shown(text)))
    }

    fn invalid(&self, expected: &str, found: &str) -> Error {
        let place = format!("{}:{}", self.place, self.number);
        Error::invalid(place, expected, found, "name a table of METEOR, such as paraphrase-en.gz, or get it anew")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn message(text: &str) -> String {
        ParaphraseTable::parse(text.into(), Path::new("table")).unwrap_err().to_string()
    }

    #[test]
    fn what_is_no_table_is_refused_where_it_shows() {
        assert!(message("").starts_with("table:1: expected entries of three lines, found none"));
        assert!(message("0.5\na lot\nmuch\nHe came.\n").starts_with("table:4: expected the probability"));
        assert!(message("0.5\na lot\n").starts_with("table:3: expected the paraphrase of an entry, found the end"));
        assert!(message("0.5\n").starts_with("table:2: expected the phrase of an entry, found the end"));
    }

    const TEXT: &str = "0.5\na lot\nmuch\n0.2\nbig\nlarge\n0.1\na lot\nvery many more things\n0.1\na lot\nmuch\n";

    fn paraphrases(table: &ParaphraseTable, text: &str) -> Vec<u64> {
        let row = table.row(phrase(text.as_bytes()).0).expect("a phrase of the table");
        table.paraphrases(row)
    }

    fn key(table: &ParaphraseTable, text: &str) -> u64 {
        let (phrase, words) = phrase(text.as_bytes());
        table.paraphrase_key(phrase, words)
    }

    #[test]
    fn entries_of_a_phrase_stay_in_their_order() {
        let table = parse(TEXT.into(), Path::new("table"), Selection::All).unwrap();
        let [much, more] = ["much", "very many more things"].map(|text| key(&table, text));
        assert_eq!(paraphrases(&table, "a lot"), [much, more, much]);
        assert_eq!((table.len(), table.longest()), (4, 4));
        assert!(table.row(phrase(b"lot").0).is_none());
    }

    #[test]
    fn the_short_table_has_each_entry_of_short_phrases_once() {
        let table = parse(TEXT.into(), Path::new("table"), Selection::Short).unwrap();
        let mut expected = ["much", "very many more things"].map(|text| key(&table, text));
        expected.sort_unstable();
        assert_eq!(paraphrases(&table, "a lot"), expected);
        let longer = TEXT.replace("a lot", "a very large lot");
        let table = parse(longer.into(), Path::new("table"), Selection::Short).unwrap();
        assert_eq!(paraphrases(&table, "a very large lot"), [key(&table, "much")]);
    }

    #[test]
    fn the_table_in_the_program_is_sound() {
        let table = ParaphraseTable::embedded();
        assert!(table.is_sound(probe()));
        assert_eq!(table.longest(), MOST_WORDS);
        assert!(table.len() > 3_000_000);
    }
}
