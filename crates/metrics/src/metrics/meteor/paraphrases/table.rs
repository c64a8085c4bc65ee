//! The format of a paraphrase table, in the program and in memory.
//!
//! Phrases and paraphrases are stored as prefixes of their fingerprints; the header gives the numbers of bits. With the
//! 26 and 20 bits of the embedded table, false paraphrases are rare enough: with more bits, the score of one segment in
//! 250 of WMT's pairs changes.
//!
//! Numbers are little-endian. The header is followed by lists of numbers of a fixed number of bits, the first number in
//! the lowest bits of the first byte; each list starts at a byte.
//!
//! | bytes  | contents                                                                       |
//! |--------|--------------------------------------------------------------------------------|
//! | 0..8   | `tribpar\n`                                                                    |
//! | 8..12  | version of this format                                                         |
//! | 12..20 | XXH3 checksum (64 bits) of all bytes after it                                  |
//! | 20..28 | fingerprint of METEOR's file and of the selection of its entries               |
//! | 28..36 | fingerprint of a probe phrase, which detects a change of the tokenisation      |
//! | 36..48 | number of phrases, number of entries, words of the longest phrase              |
//! | 48..50 | bits of a phrase, and how many of them select the bucket                       |
//! | 50..52 | bits of a count, bits of a paraphrase                                          |
//! | then   | for each bucket, and for the end: its first phrase, its first entry            |
//! | then   | for each phrase, ascending: its remaining bits, then its number of entries     |
//! | then   | for each entry: the paraphrase                                                 |
//! | then   | eight bytes of padding                                                         |

use std::borrow::Cow;
use std::ops::Range;

use xxhash_rust::xxh3::xxh3_64;

use crate::text::fingerprint::Fingerprint;

const MAGIC: [u8; 8] = *b"tribpar\n";
/// To be changed whenever the bytes change their meaning.
const FORMAT_VERSION: u32 = 3;
const HEADER_BYTES: usize = 52;
/// The largest number of bits of a number: it is read from eight bytes, and may start at any bit of the first.
const MAX_BITS: u8 = 57;
/// The largest average number of phrases per bucket.
const PHRASES_IN_BUCKET: usize = 16;

/// A table of phrases and their paraphrases. Tables are equal if they hold the same selection of the same file.
#[derive(Debug)]
pub struct ParaphraseTable {
    bytes: Cow<'static, [u8]>,
    fingerprint: u64,
    /// The number of words of the longest phrase.
    longest: usize,
    key_bits: u8,
    count_bits: u8,
    /// Two numbers per bucket: its first phrase and its first entry.
    buckets: Packed,
    /// The remaining bits of each phrase, then its number of entries.
    rows: Packed,
    paraphrases: Packed,
}

impl PartialEq for ParaphraseTable {
    fn eq(&self, other: &Self) -> bool {
        self.fingerprint == other.fingerprint
    }
}

/// The contents from which a table is laid out.
pub(super) struct Contents {
    /// The fingerprint of METEOR's file and of the selection of its entries.
    pub fingerprint: u64,
    /// The fingerprint of a probe phrase, which detects a change of the tokenisation.
    pub probe: Fingerprint,
    /// The largest number of bits kept of a phrase.
    pub key_bits: u8,
    /// The number of bits kept of a paraphrase, at most [`MAX_BITS`].
    pub paraphrase_bits: u8,
    /// The number of words of the longest phrase.
    pub longest: u32,
    /// Phrases with their paraphrases, as prefixes of these numbers of bits; ascending by phrase.
    pub entries: Vec<(u64, u64)>,
}

/// A list of numbers of a fixed number of bits, without gaps.
#[derive(Debug, Clone, Copy)]
struct Packed {
    /// The byte where the list starts.
    start: usize,
    bits: u8,
}

impl Packed {
    #[inline]
    fn get(self, bytes: &[u8], at: usize) -> u64 {
        let bit = at * usize::from(self.bits);
        let start = self.start + bit / 8;
        let Some(eight) = bytes.get(start..).and_then(<[u8]>::first_chunk) else { return 0 };
        u64::from_le_bytes(*eight) >> (bit % 8) & ((1 << self.bits) - 1)
    }

    /// The byte after `count` numbers.
    fn end(self, count: usize) -> usize {
        self.start + (count * usize::from(self.bits)).div_ceil(8)
    }
}

/// Appends numbers of `bits` bits each.
fn pack(bytes: &mut Vec<u8>, bits: u8, numbers: impl Iterator<Item = u64>) {
    let (mut waiting, mut filled) = (0_u64, 0);
    for number in numbers {
        waiting |= number << filled;
        filled += u32::from(bits);
        while filled >= 8 {
            bytes.push(waiting as u8);
            (waiting, filled) = (waiting >> 8, filled - 8);
        }
    }
    if filled > 0 {
        bytes.push(waiting as u8);
    }
}

/// The number of bits that hold all numbers up to `most`.
fn bits_of(most: usize) -> u8 {
    (usize::BITS - most.leading_zeros()) as u8
}

impl ParaphraseTable {
    /// Lays the table out.
    pub(super) fn new(contents: &Contents) -> Self {
        let Contents { fingerprint, probe, paraphrase_bits, longest, entries, .. } = contents;
        let phrases = || entries.chunk_by(|one, other| one.0 == other.0);
        let count = phrases().count();
        let bucket_bits = bits_of(count / PHRASES_IN_BUCKET);
        let count_bits = bits_of(phrases().map(<[_]>::len).max().unwrap_or(0));
        // The remaining bits of a phrase and its count share one number.
        let key_bits = contents.key_bits.min(MAX_BITS + bucket_bits - count_bits);
        let rest_bits = key_bits - bucket_bits;
        let key = |phrase: &[(u64, u64)]| phrase[0].0 >> (contents.key_bits - key_bits);
        let mut buckets = vec![[0_u64; 2]; (1 << bucket_bits) + 1];
        for phrase in phrases() {
            let [phrases, entries] = &mut buckets[(key(phrase) >> rest_bits) as usize + 1];
            (*phrases, *entries) = (*phrases + 1, *entries + phrase.len() as u64);
        }
        for at in 1..buckets.len() {
            let before = buckets[at - 1];
            buckets[at].iter_mut().zip(before).for_each(|(first, before)| *first += before);
        }
        let rows = phrases().map(|phrase| (key(phrase) & ((1 << rest_bits) - 1)) << count_bits | phrase.len() as u64);
        let mut body: Vec<u8> = [*fingerprint, *probe].iter().flat_map(|number| number.to_le_bytes()).collect();
        body.extend([count as u32, entries.len() as u32, *longest].iter().flat_map(|number| number.to_le_bytes()));
        body.extend([key_bits, bucket_bits, count_bits, *paraphrase_bits]);
        pack(&mut body, bits_of(entries.len().max(count)), buckets.into_iter().flatten());
        pack(&mut body, rest_bits + count_bits, rows);
        pack(&mut body, *paraphrase_bits, entries.iter().map(|entry| entry.1));
        body.extend([0; 8]);
        let bytes = [&MAGIC[..], &FORMAT_VERSION.to_le_bytes(), &xxh3_64(&body).to_le_bytes(), &body].concat();
        Self::open(bytes.into()).expect("what was just laid out")
    }

    /// The table in these bytes, without comparing the checksum; `None` if they are no table of this version.
    pub(super) fn open(bytes: Cow<'static, [u8]>) -> Option<Self> {
        let header: &[u8; HEADER_BYTES] = bytes.first_chunk()?;
        if header[..8] != MAGIC || short(header, 8) != FORMAT_VERSION {
            return None;
        }
        let fingerprint = long(header, 20);
        let [phrases, entries, longest] = [36, 40, 44].map(|at| short(header, at) as usize);
        let [.., key_bits, bucket_bits, count_bits, paraphrase_bits] = *header;
        let buckets = Packed { start: HEADER_BYTES, bits: bits_of(entries.max(phrases)) };
        let rows = Packed { start: buckets.end((2 << bucket_bits) + 2), bits: key_bits - bucket_bits + count_bits };
        let paraphrases = Packed { start: rows.end(phrases), bits: paraphrase_bits };
        let is_whole = bytes.len() == paraphrases.end(entries) + 8;
        is_whole.then_some(Self { bytes, fingerprint, longest, key_bits, count_bits, buckets, rows, paraphrases })
    }

    /// The table in its stored form.
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// A fingerprint of the contents, independent of the path, for use in signatures.
    pub fn fingerprint(&self) -> u64 {
        self.fingerprint
    }

    /// The number of words of the longest phrase.
    pub(super) fn longest(&self) -> usize {
        self.longest
    }

    /// The entries of the phrase with this fingerprint, if the table has it.
    #[inline]
    pub(super) fn entries(&self, phrase: Fingerprint) -> Option<Range<usize>> {
        let bytes: &[u8] = &self.bytes;
        let key = prefix(phrase, self.key_bits);
        let rest_bits = self.rows.bits - self.count_bits;
        let bucket = 2 * (key >> rest_bits) as usize;
        let [first, end] = [bucket, bucket + 2].map(|at| self.buckets.get(bytes, at) as usize);
        let row = self.find_row(key & ((1 << rest_bits) - 1), first..end)?;
        let count = |row: usize| (self.rows.get(bytes, row) & ((1 << self.count_bits) - 1)) as usize;
        let start = self.buckets.get(bytes, bucket + 1) as usize + (first..row).map(count).sum::<usize>();
        Some(start..start + count(row))
    }

    /// The row of a phrase in its bucket, whose phrases are sorted.
    ///
    /// The bits come from a hash, so the search starts where the phrase would be if the phrases were evenly spread,
    /// which is only a few phrases away.
    #[inline]
    fn find_row(&self, wanted: u64, bucket: Range<usize>) -> Option<usize> {
        let key = |row: usize| self.rows.get(&self.bytes, row) >> self.count_bits;
        let rest_bits = self.rows.bits - self.count_bits;
        let mut row = bucket.start + ((u128::from(wanted) * bucket.len() as u128) >> rest_bits) as usize;
        while row > bucket.start && key(row - 1) >= wanted {
            row -= 1;
        }
        while row < bucket.end && key(row) < wanted {
            row += 1;
        }
        (row < bucket.end && key(row) == wanted).then_some(row)
    }

    /// The key of a phrase as a paraphrase of another one.
    pub(super) fn paraphrase_key(&self, phrase: Fingerprint) -> u64 {
        prefix(phrase, self.paraphrases.bits)
    }

    /// The [keys](Self::paraphrase_key) of the paraphrases of these entries.
    #[inline]
    pub(super) fn paraphrases(&self, entries: Range<usize>) -> impl Iterator<Item = u64> {
        entries.map(|entry| self.paraphrases.get(&self.bytes, entry))
    }
}

/// The first `bits` bits of the fingerprint of a phrase; at least one.
#[inline]
pub(super) fn prefix(phrase: Fingerprint, bits: u8) -> u64 {
    phrase >> (64 - u32::from(bits))
}

fn short(bytes: &[u8], at: usize) -> u32 {
    u32::from_le_bytes(array(bytes, at))
}

fn long(bytes: &[u8], at: usize) -> u64 {
    u64::from_le_bytes(array(bytes, at))
}

fn array<const N: usize>(bytes: &[u8], at: usize) -> [u8; N] {
    let mut array = [0; N];
    array.copy_from_slice(&bytes[at..at + N]);
    array
}

#[cfg(test)]
mod tests {
    use super::super::source::probe;
    use super::*;
    use proptest::prelude::*;

    fn table(entries: Vec<(u64, u64)>) -> ParaphraseTable {
        let bits = (12, 13);
        let contents =
            Contents { fingerprint: 1, probe: 2, key_bits: bits.0, paraphrase_bits: bits.1, longest: 3, entries };
        ParaphraseTable::new(&contents)
    }

    proptest! {
        #[test]
        fn packed_numbers_come_back(bits in 1_u8..=57, numbers in prop::collection::vec(0_u64..1 << 57, 0..40)) {
            let numbers: Vec<u64> = numbers.into_iter().map(|number| number & ((1 << bits) - 1)).collect();
            let mut bytes = vec![9; 3];
            pack(&mut bytes, bits, numbers.iter().copied());
            prop_assert_eq!(bytes.len(), 3 + (numbers.len() * usize::from(bits)).div_ceil(8));
            bytes.extend([255; 8]);
            let list = Packed { start: 3, bits };
            let found: Vec<u64> = (0..numbers.len()).map(|at| list.get(&bytes, at)).collect();
            prop_assert_eq!(found, numbers);
        }

        #[test]
        fn every_phrase_is_found_and_no_other(
            mut keys in prop::collection::vec(0_u64..1 << 12, 0..200), wanted in 0_u64..1 << 12,
        ) {
            keys.sort_unstable();
            keys.dedup();
            let of_key = |&key: &u64| (0..1 + key % 4).map(move |number| (key, key + number));
            let entries: Vec<_> = keys.iter().flat_map(of_key).collect();
            let expected: Vec<u64> = entries.iter().filter(|entry| entry.0 == wanted).map(|entry| entry.1).collect();
            let table = table(entries);
            let found = table.entries(wanted << 52 | 5);
            prop_assert_eq!(found.into_iter().flat_map(|range| table.paraphrases(range)).collect::<Vec<_>>(), expected);
        }
    }

    #[test]
    fn the_table_in_the_program_is_sound() {
        let table = ParaphraseTable::embedded();
        assert_eq!(long(table.bytes(), 12), xxh3_64(&table.bytes()[20..]));
        assert_eq!(long(table.bytes(), 28), probe(), "the tokenisation has changed: build the table anew");
        assert_eq!(table.longest(), super::super::MAX_WORDS);
        assert!(short(table.bytes(), 40) > 2_000_000, "entries");
    }
}
