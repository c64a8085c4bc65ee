//! How a table of paraphrases is kept, in the program and in a file.
//!
//! A phrase is the first bits of its fingerprint; a paraphrase, too, with two bits of its number of words less one behind
//! them. The header says how many. With the 30 and 24 bits of the table in the program, two phrases of two texts are taken for paraphrases that are none with a probability of
//! about 1 in 10 million.
//!
//! Numbers are little-endian. Behind the header are lists of numbers of so many bits each, the first number in the last bits
//! of the first byte; each list begins with a byte.
//!
//! | bytes  | what                                                                           |
//! |--------|--------------------------------------------------------------------------------|
//! | 0..8   | `tribpar\n`                                                                    |
//! | 8..12  | version of this format                                                         |
//! | 12..20 | XXH3 checksum (64 bits) of all bytes after it                                  |
//! | 20..28 | fingerprint of METEOR's file, and of what was taken of it                      |
//! | 28..36 | fingerprint of a phrase, which differs where the program takes words otherwise |
//! | 36..48 | phrases, entries, words of the longest phrase                                  |
//! | 48..50 | bits of a phrase, and how many of them name a bucket                           |
//! | 50..52 | bits of a count, bytes of a paraphrase                                         |
//! | then   | for each bucket, and for the end: its first phrase                             |
//! | then   | the same: its first entry                                                      |
//! | then   | for each phrase: its bits after those of the bucket, ascending                 |
//! | then   | for each phrase: how many entries it has                                       |
//! | then   | for each entry: the paraphrase                                                 |
//! | then   | eight bytes without meaning                                                    |

use std::borrow::Cow;

use xxhash_rust::xxh3::xxh3_64;

use crate::text::fingerprint::Fingerprint;

const MAGIC: [u8; 8] = *b"tribpar\n";
/// Change it whenever the bytes change their meaning.
const FORMAT_VERSION: u32 = 2;
const CHECKED_FROM: usize = 20;
const HEADER_BYTES: usize = 52;
/// A number is read out of eight bytes, in the first of which it may begin with any bit.
const MOST_BITS: u8 = 57;
/// The most bytes of a paraphrase.
pub(super) const MOST_BYTES: u8 = 7;
/// Phrases a bucket, at most on average.
const PHRASES_IN_BUCKET: usize = 16;

/// Pairs of phrases that may stand for each other.
#[derive(Debug, Clone, PartialEq)]
pub struct ParaphraseTable {
    bytes: Cow<'static, [u8]>,
    fingerprint: u64,
    probe: Fingerprint,
    phrases: u32,
    entries: u32,
    longest: u32,
    key_bits: u8,
    bucket_bits: u8,
    /// The first phrases of the buckets, their first entries, phrases, counts.
    lists: [Packed; 4],
    /// The byte where the paraphrases begin.
    paraphrases: usize,
    paraphrase_bytes: u8,
}

/// A phrase of the table, by its entries.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Row {
    /// Its first entry.
    first: usize,
    /// Its entries.
    count: usize,
}

/// What a table is made of.
pub(super) struct Contents {
    /// Of METEOR's file, and of what was taken of it.
    pub fingerprint: u64,
    /// Of a phrase, which differs where the program takes words otherwise.
    pub probe: Fingerprint,
    /// How many bits of a phrase are kept.
    pub key_bits: u8,
    /// How many bytes a paraphrase has.
    pub paraphrase_bytes: u8,
    /// The most words of a phrase.
    pub longest: u32,
    /// The phrases, ascending, each with the [keys](paraphrase_key) of its paraphrases.
    pub phrases: Vec<(u64, Vec<u64>)>,
}

/// Numbers of the same number of bits, one behind the other.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
struct Packed {
    /// The byte where they begin.
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
}

/// Appends numbers of so many bits.
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

/// How many bits hold all numbers up to this one.
fn bits_of(most: usize) -> u8 {
    (usize::BITS - most.leading_zeros()) as u8
}

impl ParaphraseTable {
    /// Lays the table out.
    pub(super) fn of(contents: &Contents) -> Self {
        let Contents { fingerprint, probe, key_bits, paraphrase_bytes, longest, phrases } = contents;
        let counts = || phrases.iter().map(|phrase| phrase.1.len());
        let entries: usize = counts().sum();
        let bucket_bits = bits_of(phrases.len() / PHRASES_IN_BUCKET);
        let count_bits = bits_of(counts().max().unwrap_or(0));
        let rest_bits = key_bits - bucket_bits;
        let mut first = vec![(0_u64, 0_u64)];
        let (mut phrase, mut entry) = (0, 0);
        for bucket in 0..1_u64 << bucket_bits {
            while let Some((_, paraphrases)) = phrases.get(phrase).filter(|phrase| phrase.0 >> rest_bits == bucket) {
                (phrase, entry) = (phrase + 1, entry + paraphrases.len());
            }
            first.push((phrase as u64, entry as u64));
        }
        let mut body: Vec<u8> = [*fingerprint, *probe].iter().flat_map(|number| number.to_le_bytes()).collect();
        body.extend([phrases.len() as u32, entries as u32, *longest].iter().flat_map(|number| number.to_le_bytes()));
        body.extend([*key_bits, bucket_bits, count_bits, *paraphrase_bytes]);
        pack(&mut body, bits_of(phrases.len()), first.iter().map(|first| first.0));
        pack(&mut body, bits_of(entries), first.iter().map(|first| first.1));
        pack(&mut body, rest_bits, phrases.iter().map(|phrase| phrase.0 & ((1 << rest_bits) - 1)));
        pack(&mut body, count_bits, counts().map(|count| count as u64));
        pack(&mut body, 8 * paraphrase_bytes, phrases.iter().flat_map(|phrase| phrase.1.iter().copied()));
        body.extend([0; 8]);
        let bytes = [&MAGIC[..], &FORMAT_VERSION.to_le_bytes(), &xxh3_64(&body).to_le_bytes(), &body].concat();
        Self::open(bytes.into()).expect("what was just laid out")
    }

    /// The table in these bytes, whose checksum is not compared; None if they have another format or length.
    pub(super) fn open(bytes: Cow<'static, [u8]>) -> Option<Self> {
        let header: &[u8; HEADER_BYTES] = bytes.first_chunk()?;
        if header[..8] != MAGIC || short(header, 8) != FORMAT_VERSION {
            return None;
        }
        let (fingerprint, probe) = (long(header, 20), long(header, 28));
        let [phrases, entries, longest] = [36, 40, 44].map(|at| short(header, at));
        let [.., key_bits, bucket_bits, count_bits, paraphrase_bytes] = *header;
        let rest_bits = key_bits.checked_sub(bucket_bits)?;
        let buckets = 1_usize.checked_shl(u32::from(bucket_bits)).filter(|_| bucket_bits < 32)? + 1;
        let mut start = HEADER_BYTES;
        let mut lists = [Packed::default(); 4];
        let sizes = [
            (bits_of(phrases as usize), buckets),
            (bits_of(entries as usize), buckets),
            (rest_bits, phrases as usize),
            (count_bits, phrases as usize),
        ];
        for (list, (bits, count)) in lists.iter_mut().zip(sizes) {
            *list = Packed { start, bits };
            start = start.checked_add(count.checked_mul(usize::from(bits))?.div_ceil(8))?;
        }
        let paraphrases = start;
        start = start.checked_add((entries as usize).checked_mul(usize::from(paraphrase_bytes))?)?;
        let has_key = (1..=64).contains(&key_bits) && (1..=MOST_BYTES).contains(&paraphrase_bytes);
        let is_whole = has_key && bytes.len() == start + 8 && sizes.iter().all(|size| size.0 <= MOST_BITS);
        is_whole.then_some(Self {
            bytes,
            fingerprint,
            probe,
            phrases,
            entries,
            longest,
            key_bits,
            bucket_bits,
            lists,
            paraphrases,
            paraphrase_bytes,
        })
    }

    /// Whether the checksum is that of the bytes, and the program takes words as the one did that made them.
    pub(super) fn is_sound(&self, probe: Fingerprint) -> bool {
        self.probe == probe && long(&self.bytes, 12) == xxh3_64(&self.bytes[CHECKED_FROM..])
    }

    /// The same table under another fingerprint.
    #[cfg(test)]
    pub(super) fn with_fingerprint(&self, fingerprint: u64) -> Self {
        let mut bytes = self.bytes.to_vec();
        bytes[20..28].copy_from_slice(&fingerprint.to_le_bytes());
        let checksum = xxh3_64(&bytes[CHECKED_FROM..]).to_le_bytes();
        bytes[12..20].copy_from_slice(&checksum);
        Self::open(bytes.into()).expect("a table as before")
    }

    /// The table as it is kept.
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// The number of entries.
    pub fn len(&self) -> usize {
        self.entries as usize
    }

    /// True where the table has no entry.
    pub fn is_empty(&self) -> bool {
        self.entries == 0
    }

    /// A number that tells tables apart, from whatever place they were read; fit for signatures.
    pub fn fingerprint(&self) -> u64 {
        self.fingerprint
    }

    /// The most words of a phrase.
    pub(super) fn longest(&self) -> usize {
        self.longest as usize
    }

    /// The phrase of that fingerprint, if the table has it.
    #[inline]
    pub(super) fn row(&self, phrase: Fingerprint) -> Option<Row> {
        let [buckets, bucket_entries, rests, counts] = self.lists;
        let key = phrase >> (64 - self.key_bits);
        let (bucket, wanted) = ((key >> rests.bits) as usize, key & ((1 << rests.bits) - 1));
        let first = buckets.get(&self.bytes, bucket) as usize;
        let end = first.max(buckets.get(&self.bytes, bucket + 1) as usize);
        let number = self.place_of(wanted, first, end)?;
        let count = |number: usize| counts.get(&self.bytes, number) as usize;
        let before: usize = (first..number).map(count).sum();
        let entry = bucket_entries.get(&self.bytes, bucket) as usize;
        Some(Row { first: entry + before, count: count(number) })
    }

    /// Where a phrase stands among those of its bucket, which are ordered.
    ///
    /// Their bits are those of a hash: the search begins where the phrase would be if they were evenly spread, which is a few
    /// phrases from where it is.
    #[inline]
    fn place_of(&self, wanted: u64, first: usize, end: usize) -> Option<usize> {
        let rests = self.lists[2];
        let of = |number: usize| rests.get(&self.bytes, number);
        let guess = first + ((u128::from(wanted) * (end - first) as u128) >> rests.bits) as usize;
        if guess < end && of(guess) < wanted {
            return (guess + 1..end).find(|&at| of(at) >= wanted).filter(|&at| of(at) == wanted);
        }
        let from = (guess + 1).min(end);
        (first..from).rev().find(|&at| of(at) <= wanted).filter(|&at| of(at) == wanted)
    }

    /// What a phrase of so many words is as a paraphrase of another one.
    #[inline]
    pub(super) fn paraphrase_key(&self, phrase: Fingerprint, words: usize) -> u64 {
        paraphrase_key(phrase, words, self.paraphrase_bytes)
    }

    /// The [keys](Self::paraphrase_key) of the paraphrases of a phrase, in the order of the table.
    #[inline]
    pub(super) fn paraphrases(&self, row: Row) -> impl Iterator<Item = u64> {
        let width = usize::from(self.paraphrase_bytes);
        let mask = (1 << (8 * width)) - 1;
        let start = self.paraphrases + row.first * width;
        // Of each paraphrase eight bytes are read, which the end of the file has room for.
        let bytes = self.bytes.get(start..start + row.count * width + 7).unwrap_or_default();
        bytes.windows(8).step_by(width).take(row.count).map(move |eight| u64::from_le_bytes(array(eight, 0)) & mask)
    }
}

/// The first bits of the fingerprint of a phrase, then two bits of its number of words, in so many bytes.
pub(super) fn paraphrase_key(phrase: Fingerprint, words: usize, bytes: u8) -> u64 {
    (phrase >> (66 - 8 * u32::from(bytes))) << 2 | (words as u64 - 1) & 3
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
    use super::*;
    use proptest::prelude::*;

    fn contents(phrases: Vec<(u64, Vec<u64>)>) -> Contents {
        Contents { fingerprint: 1, probe: 2, key_bits: 12, paraphrase_bytes: 2, longest: 3, phrases }
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
            let phrases = keys.iter().map(|&key| (key, vec![key; key as usize % 4])).collect();
            let table = ParaphraseTable::of(&contents(phrases));
            let found = table.row(wanted << 52 | 5).map(|row| table.paraphrases(row).collect::<Vec<_>>());
            let is_there = keys.contains(&wanted);
            prop_assert_eq!(found, is_there.then(|| vec![wanted; wanted as usize % 4]));
        }
    }

    #[test]
    fn a_table_that_misleads_never_panics() {
        let whole = ParaphraseTable::of(&contents((0..100).map(|key| (key * 40, vec![7, 8])).collect()));
        for at in HEADER_BYTES..whole.bytes().len() {
            let mut bytes = whole.bytes().to_vec();
            bytes[at] ^= 0xff;
            let table = ParaphraseTable::open(bytes.into()).unwrap();
            assert!(!table.is_sound(2));
            for key in 0..1 << 12 {
                table.row(key << 52).into_iter().for_each(|row| assert!(table.paraphrases(row).count() < 1000));
            }
        }
    }
}
