//! METEOR's paraphrase table, with phrases as fingerprints.
//!
//! The table (`paraphrase-en.gz` in METEOR's `data`, 61 MB) has three lines an entry: a probability, which METEOR does not use, a
//! phrase and its paraphrase. [`ParaphraseTable::read`] takes seconds for its 5.3 million entries, so that
//! [`ParaphraseTable::cached`] keeps what it read in a file that opens in a fraction of that.

mod cache;
mod reader;

pub use cache::Cached;

use super::stages::{MOST_MATCHES, Match};
use crate::text::MeteorTokens;
use crate::text::fingerprint::{self, Fingerprint};

/// Pairs of phrases that may stand for each other.
#[derive(Debug, Default, PartialEq)]
pub struct ParaphraseTable {
    /// The fingerprint of the file that the table was read from.
    source: u64,
    /// The phrases that have paraphrases, ascending.
    phrases: Vec<Fingerprint>,
    /// Where the paraphrases of each phrase begin; one more element for the end.
    first: Vec<u32>,
    /// The paraphrases of each phrase, in the order of the file.
    paraphrases: Vec<Fingerprint>,
    /// The number of words of each paraphrase.
    lengths: Vec<u8>,
    /// The most words of a phrase.
    longest_phrase: usize,
    /// The most words of a paraphrase.
    longest_paraphrase: usize,
    /// Where the phrases with the first 16 bits 0, 1, ... begin.
    buckets: Vec<u32>,
}

impl ParaphraseTable {
    /// Makes the buckets from the phrases.
    fn index(&mut self) {
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
