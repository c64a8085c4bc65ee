//! The format of a paraphrase table, in the program and in a file.
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

use xxhash_rust::xxh3::xxh3_64;

use super::filter::Filter;
use crate::text::fingerprint::Fingerprint;

const MAGIC: [u8; 8] = *b"tribpar\n";
/// To be changed whenever the bytes change their meaning.
const FORMAT_VERSION: u32 = 3;
const CHECKED_FROM: usize = 20;
const HEADER_BYTES: usize = 52;
/// The most bits of a number: it is read from eight bytes, and may start at any bit of the first.
const MOST_BITS: u8 = 57;
/// The largest average number of phrases per bucket.
const PHRASES_IN_BUCKET: usize = 16;

/// A table of phrases and their paraphrases.
#[derive(Debug, Clone, PartialEq)]
pub struct ParaphraseTable {
    bytes: Cow<'static, [u8]>,
    fingerprint: u64,
    probe: Fingerprint,
    entries: u32,
    longest: u32,
    key_bits: u8,
    /// Two numbers per bucket: its first phrase and its first entry.
    buckets: Packed,
    /// The remaining bits of each phrase, then its number of entries.
    rows: Packed,
    count_bits: u8,
    paraphrases: Packed,
    filter: Filter,
}

/// A phrase of the table, given by its entries.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Row {
    /// The index of its first entry.
    first: usize,
    /// The number of its entries.
    count: usize,
}

/// The range of the phrases with the same first bits.
#[derive(Debug, Clone, Copy)]
pub(super) struct Bucket {
    /// The first phrase.
    first: usize,
    /// The first entry of the first phrase.
    entry: usize,
    /// The end of the range: the index after the last phrase.
    end: usize,
}

/// The contents from which a table is laid out.
pub(super) struct Contents {
    /// The fingerprint of METEOR's file and of the selection of its entries.
    pub fingerprint: u64,
    /// The fingerprint of a probe phrase, which detects a change of the tokenisation.
    pub probe: Fingerprint,
    /// The largest number of bits kept of a phrase.
    pub key_bits: u8,
    /// The number of bits kept of a paraphrase, at most [`MOST_BITS`].
    pub paraphrase_bits: u8,
    /// The number of words of the longest phrase.
    pub longest: u32,
    /// The phrases, ascending, each with the [keys](key) of its paraphrases.
    pub phrases: Vec<(Fingerprint, Vec<u64>)>,
}

/// A list of numbers of a fixed number of bits, without gaps.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
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
        let Some(eight) = bytes.get(start..start + 8) else { return 0 };
        let mut number = [0; 8];
        number.copy_from_slice(eight);
        u64::from_le_bytes(number) >> (bit % 8) & ((1 << self.bits) - 1)
    }

    /// The byte after `count` numbers.
    fn end(self, count: usize) -> Option<usize> {
        self.start.checked_add(count.checked_mul(usize::from(self.bits))?.div_ceil(8))
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
    pub(super) fn of(contents: &Contents) -> Self {
        let Contents { fingerprint, probe, paraphrase_bits, longest, phrases, .. } = contents;
        let counts = || phrases.iter().map(|phrase| phrase.1.len());
        let entries: usize = counts().sum();
        let bucket_bits = bits_of(phrases.len() / PHRASES_IN_BUCKET);
        let count_bits = bits_of(counts().max().unwrap_or(0));
        // The remaining bits of a phrase and its count share one number.
        let key_bits = contents.key_bits.min(MOST_BITS + bucket_bits - count_bits);
        let rest_bits = key_bits - bucket_bits;
        let key = |phrase: Fingerprint| key(phrase, key_bits);
        let mut first = vec![0_u64; 2];
        let (mut phrase, mut entry) = (0, 0);
        for bucket in 0..1_u64 << bucket_bits {
            while let Some((_, paraphrases)) = phrases.get(phrase).filter(|phrase| key(phrase.0) >> rest_bits == bucket)
            {
                (phrase, entry) = (phrase + 1, entry + paraphrases.len());
            }
            first.extend([phrase as u64, entry as u64]);
        }
        let mut body: Vec<u8> = [*fingerprint, *probe].iter().flat_map(|number| number.to_le_bytes()).collect();
        body.extend([phrases.len() as u32, entries as u32, *longest].iter().flat_map(|number| number.to_le_bytes()));
        body.extend([key_bits, bucket_bits, count_bits, *paraphrase_bits]);
        pack(&mut body, bits_of(entries.max(phrases.len())), first.into_iter());
        let row = |(phrase, paraphrases): &(Fingerprint, Vec<u64>)| {
            (key(*phrase) & ((1 << rest_bits) - 1)) << count_bits | paraphrases.len() as u64
        };
        pack(&mut body, rest_bits + count_bits, phrases.iter().map(row));
        pack(&mut body, *paraphrase_bits, phrases.iter().flat_map(|phrase| phrase.1.iter().copied()));
        body.extend([0; 8]);
        let bytes = [&MAGIC[..], &FORMAT_VERSION.to_le_bytes(), &xxh3_64(&body).to_le_bytes(), &body].concat();
        Self::open(bytes.into()).expect("what was just laid out")
    }

    /// The table in these bytes, without comparing the checksum; `None` if the format or length is wrong.
    pub(super) fn open(bytes: Cow<'static, [u8]>) -> Option<Self> {
        let header: &[u8; HEADER_BYTES] = bytes.first_chunk()?;
        if header[..8] != MAGIC || short(header, 8) != FORMAT_VERSION {
            return None;
        }
        let (fingerprint, probe) = (long(header, 20), long(header, 28));
        let [phrases, entries, longest] = [36, 40, 44].map(|at| short(header, at));
        let [.., key_bits, bucket_bits, count_bits, paraphrase_bits] = *header;
        let rest_bits = key_bits.checked_sub(bucket_bits)?;
        let bucket_count = 1_usize.checked_shl(u32::from(bucket_bits)).filter(|_| bucket_bits < 32)? + 1;
        let buckets = Packed { start: HEADER_BYTES, bits: bits_of(entries.max(phrases) as usize) };
        let rows = Packed { start: buckets.end(2 * bucket_count)?, bits: rest_bits.checked_add(count_bits)? };
        let paraphrases = Packed { start: rows.end(phrases as usize)?, bits: paraphrase_bits };
        let end = paraphrases.end(entries as usize)?;
        let has_keys = (1..=64).contains(&key_bits) && (1..=MOST_BITS).contains(&paraphrase_bits);
        let is_whole = has_keys && rows.bits <= MOST_BITS && bytes.len() == end + 8;
        is_whole.then_some(Self {
            bytes,
            fingerprint,
            probe,
            entries,
            longest,
            key_bits,
            buckets,
            rows,
            count_bits,
            paraphrases,
            filter: Filter::default(),
        })
    }

    /// Whether the checksum matches the bytes, and the table was built with the same tokenisation as this program's.
    pub(super) fn is_sound(&self, probe: Fingerprint) -> bool {
        self.probe == probe && long(&self.bytes, 12) == xxh3_64(&self.bytes[CHECKED_FROM..])
    }

    /// The same table with a different fingerprint.
    #[cfg(test)]
    pub(super) fn with_fingerprint(&self, fingerprint: u64) -> Self {
        let mut bytes = self.bytes.to_vec();
        bytes[20..28].copy_from_slice(&fingerprint.to_le_bytes());
        let checksum = xxh3_64(&bytes[CHECKED_FROM..]).to_le_bytes();
        bytes[12..20].copy_from_slice(&checksum);
        Self::open(bytes.into()).expect("a table as before")
    }

    /// The paraphrases of a phrase, in the order of the table.
    #[cfg(test)]
    pub(super) fn paraphrases(&self, row: Row) -> Vec<u64> {
        let mut all = Vec::new();
        self.any_paraphrase(row, |key| {
            all.push(key);
            false
        });
        all
    }

    /// The table in its stored form.
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// The number of entries.
    pub fn len(&self) -> usize {
        self.entries as usize
    }

    /// True if the table has no entries.
    pub fn is_empty(&self) -> bool {
        self.entries == 0
    }

    /// A fingerprint of the contents, independent of the path, for use in signatures.
    pub fn fingerprint(&self) -> u64 {
        self.fingerprint
    }

    /// The number of words of the longest phrase.
    pub(super) fn longest(&self) -> usize {
        self.longest as usize
    }

    /// Counts a use for the filter; to be called once per pair of texts, before their phrases are looked up.
    pub(super) fn count_use(&self) {
        self.filter.count_use(|| self.phrase_keys());
    }

    /// The number of bits of a phrase's key, and the keys of all phrases.
    fn phrase_keys(&self) -> (u8, impl ExactSizeIterator<Item = u64> + '_) {
        let bytes: &[u8] = &self.bytes;
        let rest_bits = self.rows.bits - self.count_bits;
        let last = (1_u64 << (self.key_bits - rest_bits)) - 1;
        let first_of = |bucket: u64| self.buckets.get(bytes, 2 * bucket as usize);
        let (mut bucket, mut end) = (0, first_of(1));
        let key = move |place| {
            while bucket < last && end <= place as u64 {
                bucket += 1;
                end = first_of(bucket + 1);
            }
            bucket << rest_bits | self.rows.get(bytes, place) >> self.count_bits
        };
        let phrases = short(bytes, 36);
        (self.key_bits, (0..phrases as usize).map(key))
    }

    /// The phrase with this fingerprint, if the table has it.
    #[cfg(test)]
    pub(super) fn row(&self, phrase: Fingerprint) -> Option<Row> {
        self.may_have(phrase).then(|| self.row_in(self.bucket(phrase), phrase))?
    }

    /// False only if the table lacks the phrase with this fingerprint.
    #[inline]
    pub(super) fn may_have(&self, phrase: Fingerprint) -> bool {
        self.filter.may_have(phrase)
    }

    /// The bucket where the phrase with this fingerprint would be.
    #[inline]
    pub(super) fn bucket(&self, phrase: Fingerprint) -> Bucket {
        let rest_bits = self.rows.bits - self.count_bits;
        let bucket = 2 * (key(phrase, self.key_bits) >> rest_bits) as usize;
        let [first, entry, end] = [0, 1, 2].map(|at| self.buckets.get(&self.bytes, bucket + at) as usize);
        Bucket { first, entry, end: end.max(first) }
    }

    /// The phrase with this fingerprint, if its bucket has it.
    #[inline]
    pub(super) fn row_in(&self, bucket: Bucket, phrase: Fingerprint) -> Option<Row> {
        let bytes: &[u8] = &self.bytes;
        let rest_bits = self.rows.bits - self.count_bits;
        let Bucket { first, entry, end } = bucket;
        let place = self.place_of(key(phrase, self.key_bits) & ((1 << rest_bits) - 1), first, end)?;
        let count = |place: usize| (self.rows.get(bytes, place) & ((1 << self.count_bits) - 1)) as usize;
        let before: usize = (first..place).map(count).sum();
        Some(Row { first: entry + before, count: count(place) })
    }

    /// The position of a phrase in its bucket, whose phrases are sorted.
    ///
    /// The bits come from a hash, so the search starts where the phrase would be if the phrases were evenly spread,
    /// which is only a few phrases away.
    #[inline]
    fn place_of(&self, wanted: u64, first: usize, end: usize) -> Option<usize> {
        let bytes: &[u8] = &self.bytes;
        let of = |place: usize| self.rows.get(bytes, place) >> self.count_bits;
        let rest_bits = self.rows.bits - self.count_bits;
        let guess = first + ((u128::from(wanted) * (end - first) as u128) >> rest_bits) as usize;
        if guess < end && of(guess) < wanted {
            return (guess + 1..end).find(|&at| of(at) >= wanted).filter(|&at| of(at) == wanted);
        }
        let from = (guess + 1).min(end);
        (first..from).rev().find(|&at| of(at) <= wanted).filter(|&at| of(at) == wanted)
    }

    /// The [key] of a phrase as a paraphrase of another one.
    #[cfg(test)]
    pub(super) fn paraphrase_key(&self, phrase: Fingerprint) -> u64 {
        phrase >> self.paraphrase_shift()
    }

    /// The right shift that turns a fingerprint into the [key] of a paraphrase.
    pub(super) fn paraphrase_shift(&self) -> u32 {
        64 - u32::from(self.paraphrases.bits)
    }

    /// Whether `wanted` is true for the [key] of any paraphrase of a phrase, in the order of the table.
    #[inline]
    pub(super) fn any_paraphrase(&self, row: Row, mut wanted: impl FnMut(u64) -> bool) -> bool {
        let bytes: &[u8] = &self.bytes;
        (row.first..row.first + row.count).any(|entry| wanted(self.paraphrases.get(bytes, entry)))
    }
}

/// The first `bits` bits of the fingerprint of a phrase; at least one.
#[inline]
pub(super) fn key(phrase: Fingerprint, bits: u8) -> u64 {
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
    use super::super::filter;
    use super::*;
    use proptest::prelude::*;

    fn contents(phrases: Vec<(u64, Vec<u64>)>) -> Contents {
        Contents { fingerprint: 1, probe: 2, key_bits: 12, paraphrase_bits: 13, longest: 3, phrases }
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
            let phrases = keys.iter().map(|&key| (key << 52, vec![key; key as usize % 4])).collect();
            let table = ParaphraseTable::of(&contents(phrases));
            let found = table.row(wanted << 52 | 5).map(|row| table.paraphrases(row));
            let is_there = keys.contains(&wanted);
            (0..=filter::FEW_USES).for_each(|_| table.count_use());
            prop_assert_eq!(&table.row(wanted << 52 | 5).map(|row| table.paraphrases(row)), &found);
            prop_assert_eq!(found, is_there.then(|| vec![wanted; wanted as usize % 4]));
        }
    }

    #[test]
    fn a_table_that_misleads_never_panics() {
        let whole = ParaphraseTable::of(&contents((0..100).map(|key| ((key * 40) << 52, vec![7, 8])).collect()));
        for at in HEADER_BYTES..whole.bytes().len() {
            let mut bytes = whole.bytes().to_vec();
            bytes[at] ^= 0xff;
            let table = ParaphraseTable::open(bytes.into()).unwrap();
            assert!(!table.is_sound(2));
            for key in 0..1 << 12 {
                table.row(key << 52).into_iter().for_each(|row| assert!(table.paraphrases(row).len() < 1000));
            }
        }
    }
}
