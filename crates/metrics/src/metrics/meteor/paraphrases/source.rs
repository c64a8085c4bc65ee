//! Reads METEOR's paraphrase file, and selects the entries of the embedded table.
//!
//! The file has three lines per entry: a probability, which METEOR does not use, a phrase, and its paraphrase.

use std::fs::File;
use std::io::{BufRead, BufReader, Read, Take};
use std::path::Path;

use flate2::bufread::MultiGzDecoder;
use rustc_hash::{FxHashMap as HashMap, FxHashSet as HashSet};
use smallvec::SmallVec;
use xxhash_rust::xxh3::xxh3_64;

use super::table::{Contents, ParaphraseTable, prefix};
use crate::error::{Error, Result, quoted};
use crate::metrics::meteor::tokenizer::{Normalization, tokenize};
use crate::text::fingerprint::{self, Fingerprint};

/// The largest file that is read, in bytes; METEOR's largest, compressed, has 61 MB.
const MAX_FILE_BYTES: u64 = 256 << 20;
/// The longest line in bytes.
const MAX_LINE: u64 = 8 << 20;
/// Data may be decompressed up to this many bytes ...
const MIN_DECOMPRESSED: u64 = 8 << 20;
/// ... and up to this many times the compressed ones.
const MAX_RATIO: u64 = 100;
/// The first bytes of a file compressed with gzip.
const GZIP: &[u8] = &[0x1f, 0x8b];
/// The most entries of a table; METEOR's largest table has some millions.
const MAX_ENTRIES: usize = 50_000_000;
/// The longest phrase of a whole table in words; longer ones are left out.
const MAX_WORDS_OF_ALL: usize = 255;

/// The most words of a phrase in the embedded table.
pub const MAX_WORDS: usize = 4;
/// The most words of a phrase and its paraphrase together in the embedded table.
pub const MAX_WORDS_OF_BOTH: usize = 6;
/// The fewest phrases that share a paraphrase of several words in the embedded table.
pub const MIN_PHRASES: u32 = 2;

/// A phrase whose fingerprint changes if the tokeniser or the fingerprints change.
const PROBE: &str = "Mr. O'Neill's  co-op , 5,000 \u{c4}pfel";

impl ParaphraseTable {
    /// Reads a whole table of METEOR, compressed with gzip or not. The entries of a phrase keep their order.
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
        Self::parse_short(bytes_of(path)?, path)
    }

    /// The whole table in the bytes of METEOR's file; `path` is for messages.
    fn parse(bytes: Vec<u8>, path: &Path) -> Result<Self> {
        // Enough bits that no two phrases of METEOR's table are confused.
        let (key_bits, paraphrase_bits) = (64, 56);
        let fingerprint = xxh3_64(&bytes);
        let (mut entries, mut longest) = (Vec::new(), 0);
        let has_place = |words: &[Fingerprint]| (1..=MAX_WORDS_OF_ALL).contains(&words.len());
        read_entries(&bytes, path, |phrase, paraphrase| {
            if has_place(phrase) && has_place(paraphrase) {
                longest = longest.max(phrase.len()).max(paraphrase.len());
                entries.push((prefix(of_words(phrase), key_bits), prefix(of_words(paraphrase), paraphrase_bits)));
            }
        })?;
        entries.sort_by_key(|entry| entry.0);
        let longest = longest as u32;
        Ok(Self::new(&Contents { fingerprint, probe: probe(), key_bits, paraphrase_bits, longest, entries }))
    }

    /// The short entries in the bytes of METEOR's file.
    fn parse_short(bytes: Vec<u8>, path: &Path) -> Result<Self> {
        let (key_bits, paraphrase_bits) = (26, 20);
        let of_file = xxh3_64(&bytes);
        let choice = [MAX_WORDS as u8, MAX_WORDS_OF_BOTH as u8, MIN_PHRASES as u8, key_bits, paraphrase_bits];
        let fingerprint = xxh3_64(&[&of_file.to_le_bytes()[..], &choice].concat());
        let mut short = Vec::new();
        read_entries(&bytes, path, |phrase, paraphrase| short.extend(Entry::short(phrase, paraphrase)))?;
        let short = select(short);
        let longest = short.iter().map(|entry| entry.phrase.len().max(entry.paraphrase.len())).max();
        let keys = |entry: &Entry| {
            let (phrase, paraphrase) = entry.fingerprints();
            (prefix(phrase, key_bits), prefix(paraphrase, paraphrase_bits))
        };
        let mut entries: Vec<_> = short.iter().map(keys).collect();
        entries.sort_unstable();
        entries.dedup();
        let longest = longest.unwrap_or(0) as u32;
        Ok(Self::new(&Contents { fingerprint, probe: probe(), key_bits, paraphrase_bits, longest, entries }))
    }
}

/// The bytes of the file of a table.
fn bytes_of(path: &Path) -> Result<Vec<u8>> {
    let cannot = |error| Error::io(path, error, "read the paraphrase table");
    let mut bytes = Vec::new();
    File::open(path).map_err(cannot)?.take(MAX_FILE_BYTES + 1).read_to_end(&mut bytes).map_err(cannot)?;
    if bytes.len() as u64 <= MAX_FILE_BYTES {
        return Ok(bytes);
    }
    let (expected, advice) =
        (format!("a file of at most {} MiB", MAX_FILE_BYTES >> 20), "check that the right file was named");
    Err(Error::invalid(path.display().to_string(), expected, "a larger one", advice))
}

/// The fingerprint of a phrase that exercises the tokeniser.
pub(super) fn probe() -> Fingerprint {
    let mut words = Vec::new();
    split(PROBE.as_bytes(), &mut words);
    of_words(&words)
}

/// The fingerprint of a phrase.
fn of_words(words: &[Fingerprint]) -> Fingerprint {
    words.iter().fold(fingerprint::EMPTY, |phrase, &word| fingerprint::extend(phrase, word))
}

/// The words of a line.
fn split(line: &[u8], words: &mut Vec<Fingerprint>) {
    words.clear();
    let mut add = |word: &str| words.push(fingerprint::of_token(word));
    tokenize(&String::from_utf8_lossy(line), Normalization::None, &mut add);
}

/// Calls `add` with the words of each phrase and of its paraphrase.
fn read_entries(bytes: &[u8], path: &Path, add: impl FnMut(&[Fingerprint], &[Fingerprint])) -> Result<()> {
    let (compressed, most) = (bytes.len() as u64, MIN_DECOMPRESSED.max(MAX_RATIO * bytes.len() as u64));
    let decoder: Box<dyn Read> = match bytes.starts_with(GZIP) {
        true => Box::new(MultiGzDecoder::new(bytes)),
        false => Box::new(bytes),
    };
    let mut lines = Lines { path, number: 0, text: Vec::new(), reader: BufReader::new(decoder.take(most)) };
    let read = read_lines(&mut lines, add);
    if lines.reader.get_ref().limit() > 0 {
        return read;
    }
    let expected = format!("at most {} MiB of decompressed data", most >> 20);
    let found = format!("more, {} times the compressed data", most / compressed.max(1));
    Err(Error::invalid(path.display().to_string(), expected, found, "if the file is intact, decompress it first"))
}

/// The entries of a table, as for [`read_entries`].
fn read_lines(lines: &mut Lines<'_>, mut add: impl FnMut(&[Fingerprint], &[Fingerprint])) -> Result<()> {
    let (mut phrase, mut paraphrase, mut count) = (Vec::new(), Vec::new(), 0);
    while lines.next()? {
        // METEOR ignores the probability. Here it tells tables from other files.
        let probability = String::from_utf8_lossy(&lines.text);
        if probability.trim_end().parse::<f64>().is_err() {
            return Err(lines.invalid("the probability of an entry", &quoted(probability.trim_end())));
        }
        split(lines.expect("the phrase of an entry")?, &mut phrase);
        split(lines.expect("the paraphrase of an entry")?, &mut paraphrase);
        if count == MAX_ENTRIES {
            return Err(lines.invalid(&format!("at most {MAX_ENTRIES} entries"), "more"));
        }
        count += 1;
        add(&phrase, &paraphrase);
    }
    if count == 0 { Err(lines.invalid("entries of three lines", "none")) } else { Ok(()) }
}

/// The lines of a table, one at a time.
struct Lines<'l> {
    path: &'l Path,
    number: usize,
    text: Vec<u8>,
    reader: BufReader<Take<Box<dyn Read + 'l>>>,
}

impl Lines<'_> {
    /// Goes to the next line; false at the end.
    fn next(&mut self) -> Result<bool> {
        self.text.clear();
        self.number += 1;
        let read = (&mut self.reader).take(MAX_LINE + 1).read_until(b'\n', &mut self.text);
        let read = read.map_err(|error| Error::io(self.path, error, "read"))?;
        if read as u64 <= MAX_LINE {
            return Ok(read > 0);
        }
        let advice = "check that this is the right file and that it contains line breaks";
        Err(Error::invalid(self.place(), format!("a line of at most {} MiB", MAX_LINE >> 20), "a longer one", advice))
    }

    /// The next line, which must exist.
    fn expect(&mut self, what: &str) -> Result<&[u8]> {
        if self.next()? { Ok(&self.text) } else { Err(self.invalid(what, "the end of the file")) }
    }

    fn place(&self) -> String {
        format!("{}:{}", self.path.display(), self.number)
    }

    fn invalid(&self, expected: &str, found: &str) -> Error {
        let advice = "name one of METEOR's tables, such as paraphrase-en.gz, or download it again";
        Error::invalid(self.place(), expected, found, advice)
    }
}

/// The words of a phrase.
type Words = SmallVec<[Fingerprint; MAX_WORDS]>;

/// A phrase and its paraphrase.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Entry {
    phrase: Words,
    paraphrase: Words,
}

impl Entry {
    /// The entry, if both sides are short.
    fn short(phrase: &[Fingerprint], paraphrase: &[Fingerprint]) -> Option<Self> {
        let has_place = |words: &[Fingerprint]| (1..=MAX_WORDS).contains(&words.len());
        let is_short =
            has_place(phrase) && has_place(paraphrase) && phrase.len() + paraphrase.len() <= MAX_WORDS_OF_BOTH;
        is_short.then(|| Self { phrase: phrase.into(), paraphrase: paraphrase.into() })
    }

    fn fingerprints(&self) -> (Fingerprint, Fingerprint) {
        (of_words(&self.phrase), of_words(&self.paraphrase))
    }

    /// Whether the entry consists of another entry and equal words before or after both sides, and the search for the
    /// alignment gains more from those than from this entry.
    fn is_composed(&self, entries: &HashSet<(Fingerprint, Fingerprint)>) -> bool {
        let (phrase, paraphrase) = (&self.phrase, &self.paraphrase);
        let are_equal = |(one, other): &(&Fingerprint, &Fingerprint)| one == other;
        let before = phrase.iter().zip(paraphrase).take_while(are_equal).count();
        let behind = phrase.iter().rev().zip(paraphrase.iter().rev()).take_while(are_equal).count();
        // Both sides must keep at least one word.
        let most = phrase.len().min(paraphrase.len()) - 1;
        let shared = (0..=before).flat_map(|start| (0..=behind).map(move |end| (start, end)));
        shared.filter(|&(start, end)| (1..=most).contains(&(start + end))).any(|(start, end)| {
            let other = |words: &Words| words[start..words.len() - end].into();
            let other = Self { phrase: other(phrase), paraphrase: other(paraphrase) };
            other.gain() + 2 * (start + end) > self.gain() && entries.contains(&other.fingerprints())
        })
    }

    /// What a match adds to the search's count: half of the words of each side, rounded down. An equal word adds one on
    /// each side.
    fn gain(&self) -> usize {
        self.phrase.len() / 2 + self.paraphrase.len() / 2
    }
}

/// The short entries that are worth their space, without duplicates. Left out are
///
/// - paraphrases of several words that are shared by fewer than [`MIN_PHRASES`] phrases: a quarter of all entries,
///   which account for one match in a hundred on WMT's texts;
/// - entries from which the search gains less than from a shorter entry and the equal words next to it: "the large
///   house" for "the big house", if "large" is a paraphrase of "big".
fn select(mut entries: Vec<Entry>) -> Vec<Entry> {
    let mut known = HashSet::default();
    entries.retain(|entry| known.insert(entry.fingerprints()));
    let mut phrases: HashMap<Fingerprint, u32> = HashMap::default();
    known.iter().for_each(|entry| *phrases.entry(entry.1).or_default() += 1);
    entries.retain(|entry| entry.paraphrase.len() == 1 || phrases[&of_words(&entry.paraphrase)] >= MIN_PHRASES);
    let frequent = entries.iter().map(Entry::fingerprints).collect();
    entries.retain(|entry| !entry.is_composed(&frequent));
    entries
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "0.5\na lot\nmuch\n0.2\nbig\nlarge\n0.1\na lot\nvery many more things\n0.1\na lot\nmuch\n";

    fn words(text: &str) -> Vec<Fingerprint> {
        let mut words = Vec::new();
        split(text.as_bytes(), &mut words);
        words
    }

    /// Whether the table has exactly these paraphrases of a phrase, in this order.
    fn has(table: &ParaphraseTable, phrase: &str, paraphrases: &[&str]) -> bool {
        let found = table.entries(of_words(&words(phrase))).into_iter().flat_map(|entries| table.paraphrases(entries));
        found.eq(paraphrases.iter().map(|text| table.paraphrase_key(of_words(&words(text)))))
    }

    #[test]
    fn what_is_no_table_is_refused_where_it_shows() {
        for (text, expected) in [
            ("", "table:1: expected entries of three lines, found none"),
            ("0.5\na lot\nmuch\nHe came.\n", "table:4: expected the probability"),
            ("0.5\na lot\n", "table:3: expected the paraphrase of an entry, found the end"),
            ("0.5\n", "table:2: expected the phrase of an entry, found the end"),
        ] {
            let message = ParaphraseTable::parse(text.into(), Path::new("table")).unwrap_err().to_string();
            assert!(message.starts_with(expected), "{message}");
        }
    }

    #[test]
    fn a_whole_table_has_all_entries_in_their_order_and_a_short_one_each_short_entry_once() {
        let whole = ParaphraseTable::parse(TEXT.into(), Path::new("table")).unwrap();
        assert!(has(&whole, "a lot", &["much", "very many more things", "much"]) && has(&whole, "lot", &[]));
        let short = ParaphraseTable::parse_short(TEXT.into(), Path::new("table")).unwrap();
        assert!(has(&short, "a lot", &["much"]) && has(&short, "big", &["large"]));
        assert_eq!((whole.longest(), short.longest()), (4, 2));
    }

    /// The entries that are selected, from lines such as `a lot = much`.
    fn selected(lines: &[&str]) -> Vec<String> {
        let entry = |line: &&str| {
            let (phrase, paraphrase) = line.split_once('=').unwrap();
            Entry::short(&words(phrase), &words(paraphrase))
        };
        let chosen = select(lines.iter().filter_map(entry).collect());
        let is_chosen = |line: &&&str| entry(line).is_some_and(|entry| chosen.contains(&entry));
        assert!(chosen.len() <= lines.len());
        lines.iter().filter(is_chosen).map(|line| (*line).to_owned()).collect()
    }

    #[test]
    fn entries_that_are_long_or_rare_or_redundant_are_left_out() {
        assert_eq!(selected(&["a b c d e = f", "a b c d = f", "f = a b c d e", "a b c d = f g h"]), ["a b c d = f"]);
        let lines = ["a b = c d", "a b = e f", "g h = e f", "a b = i"];
        assert_eq!(selected(&lines), ["a b = e f", "g h = e f", "a b = i"]);
        // With three words per side, one equal word counts as much as the whole paraphrase, and there is another match
        // besides.
        let whole = ["the big house = the large house", "a big house = the large house"];
        assert_eq!(selected(&whole), whole);
        let with_core = [whole[0], whole[1], "big = large"];
        assert_eq!(selected(&with_core), [whole[1], "big = large"]);
        // With two words per side it only counts the same.
        let pairs = ["big house = large house", "tall house = large house", "big = large"];
        assert_eq!(selected(&pairs), pairs);
        assert_eq!(select(["a", "a"].map(|_| Entry::short(&[1], &[2]).unwrap()).to_vec()).len(), 1);
    }
}
