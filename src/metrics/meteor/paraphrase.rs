//! METEOR's paraphrase table, with phrases as fingerprints.
//!
//! The table (`paraphrase-en.gz` in METEOR's `data`, 61 MB) has three lines an entry: a probability, which METEOR does not use, a
//! phrase and its paraphrase. Its 5.3 million entries take 50 MB here and a few seconds to read;
//! [`ParaphraseTable::cached`] keeps them in a file that opens in a tenth of a second.

use std::io::{BufRead, BufReader, Read};
use std::path::Path;

use flate2::read::MultiGzDecoder;
use xxhash_rust::xxh3::xxh3_64;

use super::stages::{MOST_MATCHES, Match};
use crate::error::{Error, Result};
use crate::text::fingerprint::{self, Fingerprint};
use crate::text::{MeteorTokens, Normalization, Tokenizer};

/// Phrases of more words have no place in the table.
const LONGEST: usize = 255;

/// Pairs of phrases that may stand for each other.
#[derive(Debug, Default, PartialEq)]
pub struct ParaphraseTable {
    /// The fingerprint of the file that the table was read from.
    pub(super) source: u64,
    /// The phrases that have paraphrases, ascending.
    pub(super) phrases: Vec<Fingerprint>,
    /// Where the paraphrases of each phrase begin; one more element for the end.
    pub(super) first: Vec<u32>,
    /// The paraphrases of each phrase, in the order of the file.
    pub(super) paraphrases: Vec<Fingerprint>,
    /// The number of words of each paraphrase.
    pub(super) lengths: Vec<u8>,
    /// The most words of a phrase.
    pub(super) longest_phrase: usize,
    /// The most words of a paraphrase.
    pub(super) longest_paraphrase: usize,
    /// Where the phrases with the first 16 bits 0, 1, ... begin.
    buckets: Vec<u32>,
}

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
    /// The file cannot be read, or its number of lines is not three an entry.
    pub fn read(path: &Path) -> Result<Self> {
        let bytes = std::fs::read(path).map_err(|error| Error::io(path, error, "read the paraphrase table"))?;
        Self::parse(&bytes, path)
    }

    /// Parses the bytes of a table; `path` is for messages.
    pub(super) fn parse(bytes: &[u8], path: &Path) -> Result<Self> {
        let plain: Box<dyn Read + '_> =
            if bytes.starts_with(&[0x1f, 0x8b]) { Box::new(MultiGzDecoder::new(bytes)) } else { Box::new(bytes) };
        let mut lines = BufReader::with_capacity(1 << 16, plain);
        let (mut table, mut entries) = (Self { source: xxh3_64(bytes), ..Self::default() }, Vec::new());
        let mut line = Vec::new();
        let mut next = |line: &mut Vec<u8>| -> Result<bool> {
            line.clear();
            let read = lines.read_until(b'\n', line);
            Ok(read.map_err(|error| Error::io(path, error, "read the paraphrase table"))? > 0)
        };
        while next(&mut line)? {
            let complete = next(&mut line)?;
            let (phrase, phrase_length) = phrase(&line);
            if !complete || !next(&mut line)? {
                let place = format!("{}:{}", path.display(), 3 * entries.len() + 1);
                return Err(Error::invalid(place, "three lines an entry", "the end of the file", "get the table anew"));
            }
            let (paraphrase, length) = self::phrase(&line);
            if (1..=LONGEST).contains(&phrase_length) && (1..=LONGEST).contains(&length) {
                table.longest_phrase = table.longest_phrase.max(phrase_length);
                table.longest_paraphrase = table.longest_paraphrase.max(length);
                entries.push(Entry { phrase, number: entries.len() as u32, paraphrase, length: length as u8 });
            }
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

    /// Makes the buckets from the phrases.
    pub(super) fn index(&mut self) {
        self.buckets = vec![0; (1 << 16) + 1];
        for phrase in &self.phrases {
            self.buckets[(phrase >> 48) as usize + 1] += 1;
        }
        let mut sum = 0;
        for bucket in &mut self.buckets {
            sum += *bucket;
            *bucket = sum;
        }
    }

    /// The number of entries.
    pub fn len(&self) -> usize {
        self.paraphrases.len()
    }

    /// True where the table has no entry.
    pub fn is_empty(&self) -> bool {
        self.paraphrases.is_empty()
    }

    /// A number that tells the files of tables apart; fit for signatures.
    pub fn fingerprint(&self) -> u64 {
        self.source
    }

    /// The paraphrases of a phrase with their numbers of words, in the order of the file.
    fn of(&self, phrase: Fingerprint) -> impl Iterator<Item = (Fingerprint, u8)> + '_ {
        let bucket = (phrase >> 48) as usize;
        let start = self.buckets[bucket] as usize;
        let within = &self.phrases[start..self.buckets[bucket + 1] as usize];
        let range = within
            .binary_search(&phrase)
            .map_or(0..0, |at| self.first[start + at] as usize..self.first[start + at + 1] as usize);
        self.paraphrases[range.clone()].iter().copied().zip(self.lengths[range].iter().copied())
    }

    /// All matches of phrases, ordered by the first word in the reference; first those of phrases of the reference with
    /// paraphrases in the hypothesis, then the others. None if there are too many.
    pub(super) fn matches(
        &self,
        hypothesis: &MeteorTokens,
        reference: &MeteorTokens,
        module: u8,
    ) -> Option<Vec<Match>> {
        let mut matches = Vec::new();
        self.find(
            &reference.ids,
            &hypothesis.ids,
            &mut |(reference, reference_length), (hypothesis, hypothesis_length)| {
                matches.push(Match { reference, reference_length, hypothesis, hypothesis_length, module });
                matches.len() <= MOST_MATCHES
            },
        )?;
        self.find(
            &hypothesis.ids,
            &reference.ids,
            &mut |(hypothesis, hypothesis_length), (reference, reference_length)| {
                matches.push(Match { reference, reference_length, hypothesis, hypothesis_length, module });
                matches.len() <= MOST_MATCHES
            },
        )?;
        matches.sort_by_key(|found| found.reference);
        Some(matches)
    }

    /// Calls `found` with place and length of each phrase of `text` and of its paraphrase in `other`, until it says no.
    fn find(
        &self,
        text: &[Fingerprint],
        other: &[Fingerprint],
        found: &mut dyn FnMut((u32, u32), (u32, u32)) -> bool,
    ) -> Option<()> {
        let phrases = Phrases::of(other, self.longest_paraphrase);
        for (start, place) in (0..text.len()).zip(0..) {
            let mut phrase = fingerprint::EMPTY;
            for (&word, length) in text[start..].iter().take(self.longest_phrase).zip(1..) {
                phrase = fingerprint::extend(phrase, word);
                for (paraphrase, words) in self.of(phrase).filter(|entry| phrases.may_have(entry.0)) {
                    for other in phrases.places(paraphrase) {
                        if !found((place, length), (other, u32::from(words))) {
                            return None;
                        }
                    }
                }
            }
        }
        Some(())
    }
}

/// All phrases of a text.
struct Phrases {
    /// With their places, ordered by phrase, then place.
    sorted: Vec<(Fingerprint, u32)>,
    /// One bit for each phrase, by its last bits.
    bits: [u64; 64],
}

impl Phrases {
    fn of(text: &[Fingerprint], longest: usize) -> Self {
        let mut phrases = Self { sorted: Vec::with_capacity(text.len() * longest), bits: [0; 64] };
        for (start, place) in (0..text.len()).zip(0..) {
            let mut phrase = fingerprint::EMPTY;
            for &word in text[start..].iter().take(longest) {
                phrase = fingerprint::extend(phrase, word);
                phrases.sorted.push((phrase, place));
                phrases.bits[(phrase >> 6 & 63) as usize] |= 1 << (phrase & 63);
            }
        }
        phrases.sorted.sort_unstable();
        phrases
    }

    fn may_have(&self, phrase: Fingerprint) -> bool {
        self.bits[(phrase >> 6 & 63) as usize] >> (phrase & 63) & 1 == 1
    }

    fn places(&self, phrase: Fingerprint) -> impl Iterator<Item = u32> + '_ {
        let start = self.sorted.partition_point(|entry| entry.0 < phrase);
        self.sorted[start..].iter().take_while(move |entry| entry.0 == phrase).map(|entry| entry.1)
    }
}

/// The fingerprint of the words of a line, and their number.
fn phrase(line: &[u8]) -> (Fingerprint, usize) {
    let (mut phrase, mut length) = (fingerprint::EMPTY, 0);
    Tokenizer::Meteor(Normalization::None).tokenize(&String::from_utf8_lossy(line), &mut |word| {
        phrase = fingerprint::extend(phrase, fingerprint::of_token(word));
        length += 1;
    });
    (phrase, length)
}
