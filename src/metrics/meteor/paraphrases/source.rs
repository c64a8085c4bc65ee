//! In: METEOR's paraphrase file. Out: the table. Next: [`format`](super::format).
//!
//! The file has three lines per entry: a probability, which METEOR does not use, a phrase, and its paraphrase.

use std::io::{BufRead, Cursor};
use std::path::Path;

use xxhash_rust::xxh3::xxh3_64;

use super::format::{Contents, ParaphraseTable, key};
use super::selection::{self, Entry, FEWEST_PHRASES, MOST_WORDS, MOST_WORDS_OF_BOTH, of_words};
use crate::error::{Error, Result, quoted};
use crate::files::decompressed;
use crate::files::limits::{self, MAX_LINE};
use crate::metrics::meteor::tokenizer::{Normalization, tokenize};
use crate::text::fingerprint::{self, Fingerprint};

/// The largest file that is read, in bytes; METEOR's largest, compressed, has 61 MB.
const LARGEST_FILE: usize = 256 << 20;
/// The most entries of a table; METEOR's largest table has some millions.
const MOST_ENTRIES: usize = 50_000_000;
/// The longest phrase in words; longer ones are left out.
const LONGEST: usize = 255;
/// A phrase whose fingerprint changes if the tokeniser or the fingerprints change.
const PROBE: &str = "Mr. O'Neill's  co-op , 5,000 \u{c4}pfel";

/// The numbers of bits that a table keeps of phrases and of paraphrases.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Bits {
    phrase: u8,
    paraphrase: u8,
}

/// Enough that no two phrases of METEOR's table are confused.
const BITS: Bits = Bits { phrase: 64, paraphrase: 56 };
/// The bits of the embedded table.
const SHORT_BITS: Bits = Bits { phrase: 26, paraphrase: 20 };

/// Entries to be put into a table, each a phrase and its paraphrase.
#[derive(Default)]
struct Entries {
    pairs: Vec<(Fingerprint, Fingerprint)>,
    longest: usize,
}

impl Entries {
    fn push(&mut self, phrase: &[Fingerprint], paraphrase: &[Fingerprint]) {
        self.longest = self.longest.max(phrase.len()).max(paraphrase.len());
        self.pairs.push((of_words(phrase), of_words(paraphrase)));
    }
}

impl ParaphraseTable {
    /// Reads a whole table of METEOR, compressed with gzip or not.
    ///
    /// # Errors
    /// The file cannot be read, has no entries, or has an entry that is not a number, a phrase and a paraphrase.
    pub fn read(path: &Path) -> Result<Self> {
        Self::parse(bytes_of(path)?, path)
    }

    /// Reads the entries of a table of METEOR that [`Self::embedded`] has; that table was built with this function.
    ///
    /// # Errors
    /// Any error of [`Self::read`].
    pub fn read_short(path: &Path) -> Result<Self> {
        parse_short(bytes_of(path)?, path)
    }

    /// Parses the bytes of a table; `path` is for messages. The entries of a phrase keep their order.
    pub(super) fn parse(bytes: Vec<u8>, path: &Path) -> Result<Self> {
        let fingerprint = xxh3_64(&bytes);
        let mut entries = Entries::default();
        let has_place = |words: &[Fingerprint]| (1..=LONGEST).contains(&words.len());
        read_entries(bytes, path, |phrase, paraphrase| {
            if has_place(phrase) && has_place(paraphrase) {
                entries.push(phrase, paraphrase);
            }
        })?;
        Ok(Self::of(&contents(entries, BITS, fingerprint)))
    }
}

fn parse_short(bytes: Vec<u8>, path: &Path) -> Result<ParaphraseTable> {
    let of_file = xxh3_64(&bytes);
    let mut short = Vec::new();
    read_entries(bytes, path, |phrase, paraphrase| short.extend(Entry::short(phrase, paraphrase)))?;
    let mut entries = Entries::default();
    selection::select(short).iter().for_each(|entry| entries.push(&entry.phrase, &entry.paraphrase));
    let choice = [MOST_WORDS as u8, MOST_WORDS_OF_BOTH as u8, FEWEST_PHRASES as u8];
    let bits = [SHORT_BITS.phrase, SHORT_BITS.paraphrase];
    let fingerprint = xxh3_64(&[&of_file.to_le_bytes()[..], &choice, &bits].concat());
    let mut contents = contents(entries, SHORT_BITS, fingerprint);
    for (_, paraphrases) in &mut contents.phrases {
        paraphrases.sort_unstable();
        paraphrases.dedup();
    }
    Ok(ParaphraseTable::of(&contents))
}

/// Calls `add` with the words of each phrase and of its paraphrase.
fn read_entries(bytes: Vec<u8>, path: &Path, mut add: impl FnMut(&[Fingerprint], &[Fingerprint])) -> Result<()> {
    let place = path.display().to_string();
    let reader =
        decompressed(Box::new(Cursor::new(bytes)), None).map_err(|error| limits::read_error(&place, &error))?;
    let mut lines = Lines { place, number: 0, text: Vec::new(), reader };
    let (mut phrase, mut paraphrase, mut count) = (Vec::new(), Vec::new(), 0);
    while lines.next()? {
        lines.check_probability()?;
        words(lines.expect("the phrase of an entry")?, &mut phrase);
        words(lines.expect("the paraphrase of an entry")?, &mut paraphrase);
        if count == MOST_ENTRIES {
            return Err(lines.invalid(&format!("at most {MOST_ENTRIES} entries"), "more"));
        }
        count += 1;
        add(&phrase, &paraphrase);
    }
    if count == 0 { Err(lines.invalid("entries of three lines", "none")) } else { Ok(()) }
}

fn contents(mut entries: Entries, bits: Bits, fingerprint: u64) -> Contents {
    let phrase = |pair: &(Fingerprint, Fingerprint)| key(pair.0, bits.phrase);
    // A stable sort keeps the order of the file among the entries of a phrase.
    entries.pairs.sort_by_key(phrase);
    let of_phrase = |pairs: &[(Fingerprint, Fingerprint)]| {
        (pairs[0].0, pairs.iter().map(|pair| key(pair.1, bits.paraphrase)).collect())
    };
    Contents {
        fingerprint,
        probe: probe(),
        key_bits: bits.phrase,
        paraphrase_bits: bits.paraphrase,
        longest: entries.longest as u32,
        phrases: entries.pairs.chunk_by(|one, other| phrase(one) == phrase(other)).map(of_phrase).collect(),
    }
}

/// The fingerprint of a phrase that exercises the tokeniser.
pub(super) fn probe() -> Fingerprint {
    phrase(PROBE)
}

/// The fingerprint of a phrase.
fn phrase(text: &str) -> Fingerprint {
    let mut found = Vec::new();
    words(text.as_bytes(), &mut found);
    of_words(&found)
}

/// The bytes of the file of a table.
pub(super) fn bytes_of(path: &Path) -> Result<Vec<u8>> {
    limits::read_file(path, LARGEST_FILE, "read the paraphrase table")
}

/// The words of a line.
fn words(line: &[u8], words: &mut Vec<Fingerprint>) {
    words.clear();
    let mut add = |word: &str| words.push(fingerprint::of_token(word));
    tokenize(&String::from_utf8_lossy(line), Normalization::None, &mut add);
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
        if read <= MAX_LINE {
            return Ok(read > 0);
        }
        Err(limits::too_long(&format!("{}:{}", self.place, self.number), "a line of at most", MAX_LINE))
    }

    /// The next line, which must exist.
    fn expect(&mut self, what: &str) -> Result<&[u8]> {
        if self.next()? { Ok(&self.text) } else { Err(self.invalid(what, "the end of the file")) }
    }

    /// Checks the probability, which METEOR ignores, to tell its tables from other files.
    fn check_probability(&self) -> Result<()> {
        let text = String::from_utf8_lossy(&self.text);
        let text = text.trim_end();
        if text.parse::<f64>().is_ok() {
            return Ok(());
        }
        Err(self.invalid("the probability of an entry", &quoted(text)))
    }

    fn invalid(&self, expected: &str, found: &str) -> Error {
        let place = format!("{}:{}", self.place, self.number);
        Error::invalid(
            place,
            expected,
            found,
            "name one of METEOR's tables, such as paraphrase-en.gz, or download it again",
        )
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
        let row = table.row(phrase(text)).expect("a phrase of the table");
        table.paraphrases(row)
    }

    fn key(table: &ParaphraseTable, text: &str) -> u64 {
        table.paraphrase_key(phrase(text))
    }

    #[test]
    fn entries_of_a_phrase_stay_in_their_order() {
        let table = ParaphraseTable::parse(TEXT.into(), Path::new("table")).unwrap();
        let [much, more] = ["much", "very many more things"].map(|text| key(&table, text));
        assert_eq!(paraphrases(&table, "a lot"), [much, more, much]);
        assert_eq!((table.len(), table.longest()), (4, 4));
        assert!(table.row(phrase("lot")).is_none());
    }

    #[test]
    fn the_short_table_has_each_entry_of_short_phrases_once() {
        let table = parse_short(TEXT.into(), Path::new("table")).unwrap();
        assert_eq!(paraphrases(&table, "a lot"), [key(&table, "much")]);
        assert_eq!((table.len(), table.longest()), (2, 2));
        let longer = TEXT.replace("a lot", "a very large lot");
        let table = parse_short(longer.into(), Path::new("table")).unwrap();
        assert_eq!(paraphrases(&table, "a very large lot"), [key(&table, "much")]);
    }

    #[test]
    fn the_table_in_the_program_is_sound() {
        let table = ParaphraseTable::embedded();
        assert!(table.is_sound(probe()));
        assert_eq!(table.longest(), MOST_WORDS);
        assert!(table.len() > 2_000_000);
    }
}
