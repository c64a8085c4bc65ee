//! Paraphrases of short phrases, which are part of the program.
//!
//! METEOR's paraphrase table (`paraphrase-en.gz`, 61 MB, 5.3 million entries) finds paraphrases by pivoting over the
//! translations of a phrase (Denkowski and Lavie 2010, "METEOR-NEXT and the METEOR Paraphrase Tables"). What is here are
//! its entries with at most [`MOST_WORDS`] words on each side and [`MOST_WORDS_OF_BOTH`] on both, which keep nearly all of
//! its worth for judging at a sixth of its size. Phrases are kept as truncated fingerprints: two that differ are taken
//! for equal with a probability of about 1 in 10 million. All numbers are little-endian:
//!
//! | bytes | what |
//! | --- | --- |
//! | 0..8 | `tribphr\n` |
//! | 8..12 | version of this format |
//! | 12..20 | XXH3 checksum (64 bits) of all bytes after it |
//! | 20..28 | fingerprint of a phrase, which differs where the program takes words otherwise |
//! | 28..36 | phrases, entries |
//! | then | for each value of the first 14 bits of a phrase, and for the end: the first phrase, its first entry (4 bytes each) |
//! | then | for each phrase: its next 16 bits, the number of its paraphrases (2 bytes each) |
//! | then | for each entry: the first 22 bits of the paraphrase, and its words less one (3 bytes) |
//!
//! `examples/build_paraphrases.rs` makes the file.

use std::collections::BTreeMap;
use std::io::{BufRead, BufReader};
use std::path::Path;

use flate2::bufread::MultiGzDecoder;
use xxhash_rust::xxh3::xxh3_64;

use crate::error::{Error, Result};
use crate::text::fingerprint::{self, Fingerprint};
use crate::text::{Normalization, Tokenizer};

/// The most words of a phrase.
pub const MOST_WORDS: usize = 4;
/// The most words of a phrase and its paraphrase together.
pub const MOST_WORDS_OF_BOTH: usize = 6;

const MAGIC: [u8; 8] = *b"tribphr\n";
/// Change it whenever the bytes change their meaning.
const VERSION: u32 = 1;
const HEADER: usize = 36;
const BUCKETS: usize = 1 << 14;
const PHRASES_FROM: usize = HEADER + 8 * (BUCKETS + 1);
/// Its fingerprint is another one where tokeniser or fingerprints are.
const PROBE: &str = "isn't it";

static BYTES: &[u8] = include_bytes!("../../../data/meteor/paraphrases.idx");

/// What a paraphrase is compared by: 22 bits of its fingerprint and its number of words less one.
fn key(phrase: Fingerprint, words: usize) -> u32 {
    ((phrase >> 42) as u32) << 2 | (words as u32 - 1)
}

/// The fingerprint of the table, for signatures.
pub fn fingerprint() -> u64 {
    u64::from_le_bytes(array(BYTES, 12))
}

/// Where a phrase stands in one text and a paraphrase of it in another.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Found {
    /// The place of the first word of the phrase, and its words.
    pub phrase: (u32, u32),
    /// The same of the paraphrase.
    pub paraphrase: (u32, u32),
}

/// Calls `found` for each phrase of `text` of which `other` has a paraphrase, in the order of the text, until it says no.
pub(super) fn find(text: &[Fingerprint], other: &[Fingerprint], found: &mut dyn FnMut(Found) -> bool) -> Option<()> {
    let others = Phrases::of(other);
    for (start, place) in (0..text.len()).zip(0..) {
        let mut phrase = fingerprint::EMPTY;
        for (&word, words) in text[start..].iter().take(MOST_WORDS).zip(1..) {
            phrase = fingerprint::extend(phrase, word);
            for entry in paraphrases(phrase).chunks_exact(3) {
                let key = u32::from_le_bytes([entry[0], entry[1], entry[2], 0]);
                for paraphrase in others.places(key) {
                    if !found(Found { phrase: (place, words), paraphrase }) {
                        return None;
                    }
                }
            }
        }
    }
    Some(())
}

/// The entries of a phrase, three bytes each.
fn paraphrases(phrase: Fingerprint) -> &'static [u8] {
    let (bucket, rest) = ((phrase >> 50) as usize, (phrase >> 34) as u16);
    let at = HEADER + 8 * bucket;
    let (first, mut entry, end) = (number(at), number(at + 4), number(at + 8));
    let phrases = &BYTES[PHRASES_FROM + 4 * first..PHRASES_FROM + 4 * end];
    let (phrases, _) = phrases.as_chunks::<4>();
    let Some(place) = place_of(rest, phrases) else { return &[] };
    let count = |phrase: &[u8; 4]| usize::from(u16::from_le_bytes([phrase[2], phrase[3]]));
    entry += phrases[..place].iter().map(count).sum::<usize>();
    let entries = PHRASES_FROM + 4 * number(28);
    &BYTES[entries + 3 * entry..entries + 3 * (entry + count(&phrases[place]))]
}

/// Where a phrase stands among those of its bucket, which are ordered.
///
/// Their bits are those of a hash: the search begins where the phrase would be if they were evenly spread, which is a few
/// phrases from where it is.
fn place_of(rest: u16, phrases: &[[u8; 4]]) -> Option<usize> {
    let of = |phrase: &[u8; 4]| u16::from_le_bytes([phrase[0], phrase[1]]);
    let guess = (usize::from(rest) * phrases.len()) >> 16;
    if phrases.get(guess).is_none_or(|phrase| of(phrase) > rest) {
        return (0..guess).rev().find(|&at| of(&phrases[at]) <= rest).filter(|&at| of(&phrases[at]) == rest);
    }
    (guess..phrases.len()).find(|&at| of(&phrases[at]) >= rest).filter(|&at| of(&phrases[at]) == rest)
}

fn number(at: usize) -> usize {
    u32::from_le_bytes(array(BYTES, at)) as usize
}

fn array<const N: usize>(bytes: &[u8], at: usize) -> [u8; N] {
    let mut array = [0; N];
    array.copy_from_slice(&bytes[at..at + N]);
    array
}

/// All phrases of a text, in a hash table with a list a slot.
struct Phrases {
    /// The number of the first phrase of each slot; 0 for none.
    slots: Vec<u32>,
    /// Of these the first one has the number 1.
    phrases: Vec<Phrase>,
}

struct Phrase {
    key: u32,
    place: u32,
    /// The number of the next phrase of its slot; 0 for none.
    next: u32,
}

impl Phrases {
    fn of(text: &[Fingerprint]) -> Self {
        let most = text.len() * MOST_WORDS;
        // Few of them in use, so that most keys are known to be of no phrase at the first look.
        let mut all = Self { slots: vec![0; (4 * most).next_power_of_two()], phrases: Vec::with_capacity(most) };
        // From the last, since lists grow at the front.
        for start in (0..text.len()).rev() {
            let mut phrase = fingerprint::EMPTY;
            for (&word, words) in text[start..].iter().take(MOST_WORDS).zip(1..) {
                phrase = fingerprint::extend(phrase, word);
                let key = key(phrase, words);
                let slot = all.slot(key);
                all.phrases.push(Phrase { key, place: start as u32, next: all.slots[slot] });
                all.slots[slot] = all.phrases.len() as u32;
            }
        }
        all
    }

    fn slot(&self, key: u32) -> usize {
        (key >> 2) as usize & (self.slots.len() - 1)
    }

    /// Place and number of words of each phrase with that key, ascending.
    fn places(&self, key: u32) -> impl Iterator<Item = (u32, u32)> + '_ {
        let known = |number: u32| self.phrases.get((number as usize).wrapping_sub(1));
        let in_slot = std::iter::successors(known(self.slots[self.slot(key)]), move |phrase| known(phrase.next));
        in_slot.filter(move |phrase| phrase.key == key).map(|phrase| (phrase.place, (phrase.key & 3) + 1))
    }
}

/// Makes the file of METEOR's table, compressed with gzip.
///
/// # Errors
/// The table cannot be read, or its number of lines is not three an entry.
pub fn build(table: &Path) -> Result<Vec<u8>> {
    let read = |error| Error::io(table, error, "read the paraphrase table");
    let bytes = std::fs::read(table).map_err(read)?;
    let mut lines = BufReader::new(MultiGzDecoder::new(bytes.as_slice())).split(b'\n');
    let mut phrases: BTreeMap<u32, Vec<u32>> = BTreeMap::new();
    while let Some(probability) = lines.next() {
        probability.map_err(read)?;
        let (Some(phrase), Some(paraphrase)) = (lines.next(), lines.next()) else {
            let (expected, found) = ("three lines an entry", "the end of the file");
            return Err(Error::invalid(table.display().to_string(), expected, found, "get the table anew"));
        };
        let (phrase, words) = phrase_of(&phrase.map_err(read)?);
        let (paraphrase, others) = phrase_of(&paraphrase.map_err(read)?);
        let fits = |words: usize| (1..=MOST_WORDS).contains(&words);
        if fits(words) && fits(others) && words + others <= MOST_WORDS_OF_BOTH {
            phrases.entry((phrase >> 34) as u32).or_default().push(key(paraphrase, others));
        }
    }
    Ok(encode(phrases))
}

fn encode(mut phrases: BTreeMap<u32, Vec<u32>>) -> Vec<u8> {
    for paraphrases in phrases.values_mut() {
        paraphrases.sort_unstable();
        paraphrases.dedup();
        // The count has 16 bits; no phrase of METEOR's has half as many.
        paraphrases.truncate(usize::from(u16::MAX));
    }
    let entries: usize = phrases.values().map(Vec::len).sum();
    let mut checked = phrase_of(PROBE.as_bytes()).0.to_le_bytes().to_vec();
    checked.extend((phrases.len() as u32).to_le_bytes());
    checked.extend((entries as u32).to_le_bytes());
    let (mut phrase, mut entry) = (0_u32, 0_u32);
    let mut rest = phrases.iter().peekable();
    for bucket in 0..=BUCKETS as u32 {
        checked.extend(phrase.to_le_bytes());
        checked.extend(entry.to_le_bytes());
        while let Some((_, paraphrases)) = rest.next_if(|(phrase, _)| *phrase >> 16 == bucket) {
            (phrase, entry) = (phrase + 1, entry + paraphrases.len() as u32);
        }
    }
    for (phrase, paraphrases) in &phrases {
        checked.extend((*phrase as u16).to_le_bytes());
        checked.extend((paraphrases.len() as u16).to_le_bytes());
    }
    checked.extend(phrases.values().flatten().flat_map(|key| key.to_le_bytes().into_iter().take(3)));
    let mut bytes = MAGIC.to_vec();
    bytes.extend(VERSION.to_le_bytes());
    bytes.extend(xxh3_64(&checked).to_le_bytes());
    bytes.extend(checked);
    bytes
}

/// The fingerprint of the words of a line, and their number.
fn phrase_of(line: &[u8]) -> (Fingerprint, usize) {
    let (mut phrase, mut words) = (fingerprint::EMPTY, 0);
    Tokenizer::Meteor(Normalization::None).tokenize(&String::from_utf8_lossy(line), &mut |word| {
        phrase = fingerprint::extend(phrase, fingerprint::of_token(word));
        words += 1;
    });
    (phrase, words)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ids(text: &str) -> Vec<Fingerprint> {
        text.split(' ').map(fingerprint::of_token).collect()
    }

    fn found(text: &str, other: &str) -> Vec<((u32, u32), (u32, u32))> {
        let mut all = Vec::new();
        find(&ids(text), &ids(other), &mut |found| {
            all.push((found.phrase, found.paraphrase));
            true
        });
        all
    }

    #[test]
    fn the_file_is_whole_and_of_this_version() {
        assert_eq!(BYTES[..8], MAGIC);
        assert_eq!(u32::from_le_bytes(array(BYTES, 8)), VERSION);
        assert_eq!(fingerprint(), xxh3_64(&BYTES[20..]));
        assert_eq!(u64::from_le_bytes(array(BYTES, 20)), phrase_of(PROBE.as_bytes()).0);
        assert_eq!(BYTES.len(), PHRASES_FROM + 4 * number(28) + 3 * number(32));
        let end = HEADER + 8 * BUCKETS;
        assert_eq!((number(end), number(end + 4)), (number(28), number(32)));
    }

    #[test]
    fn phrases_are_found_with_their_places() {
        // "number of days" and "many days".
        assert_eq!(found("on a large number of days", "on many days"), [((3, 3), (1, 2))]);
        assert!(found("the cat", "an aeroplane").is_empty());
        assert!(found("", "").is_empty());
    }

    #[test]
    fn what_is_encoded_is_looked_up() {
        let (cat, felis) = (phrase_of(b"cat"), phrase_of(b"domestic feline"));
        let bytes = encode(BTreeMap::from([((cat.0 >> 34) as u32, vec![key(felis.0, 2), key(felis.0, 2)])]));
        assert_eq!(bytes.len(), PHRASES_FROM + 4 + 3);
        assert_eq!(&bytes[bytes.len() - 3..], &key(felis.0, 2).to_le_bytes()[..3]);
    }
}
