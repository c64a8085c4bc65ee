//! In: two texts. Out: phrases of one that are paraphrases of phrases of the other. Next: `modules`.
//!
//! METEOR's table (`paraphrase-en.gz` in METEOR's `data`, 61 MB, 5.3 million entries) finds paraphrases by pivoting
//! over the translations of a phrase (Denkowski and Lavie 2010, "METEOR-NEXT and the METEOR Paraphrase Tables"). There
//! is one type of table and one format for two choices of its entries:
//!
//! - [`ParaphraseTable::read`]: all entries, for METEOR's own values. Reading takes seconds, so that
//!   [`ParaphraseTable::cached`] keeps the table in a file that opens in a fraction of that.
//! - [`ParaphraseTable::embedded`]: two of five entries, which are part of the program; in nine of ten segments of
//!   WMT's pairs the score is the same. No phrase has more than [`MOST_WORDS`] words, and with its paraphrase
//!   [`MOST_WORDS_OF_BOTH`]; a paraphrase of several words stands for [`FEWEST_PHRASES`] phrases or more; and no entry
//!   is one that shorter entries and equal words make superfluous.

mod cache;
mod filter;
mod format;
mod selection;
mod source;

use std::sync::LazyLock;

pub use cache::Cached;
pub use format::ParaphraseTable;
pub use selection::{FEWEST_PHRASES, MOST_WORDS, MOST_WORDS_OF_BOTH};
use smallvec::SmallVec;

use self::format::{Bucket, Row};
use super::data;
use super::matches::{MOST_MATCHES, Match};
use crate::text::fingerprint::{self, Fingerprint};

static EMBEDDED: LazyLock<ParaphraseTable> = LazyLock::new(|| {
    // The bytes are part of the program, and a test checks them: no input can reach this panic. Without them METEOR is
    // refused.
    ParaphraseTable::open(data::PARAPHRASES.into()).expect("the table inside the program")
});

impl ParaphraseTable {
    /// Paraphrases of short phrases, which are part of the program.
    ///
    /// # Panics
    /// In a program without the cargo feature `meteor-data`, in which nothing asks for them.
    pub fn embedded() -> &'static Self {
        &EMBEDDED
    }

    /// All matches of phrases, ordered by the first word in the reference; first those of phrases of the reference with
    /// paraphrases in the hypothesis, then the others. None if there are too many.
    pub(super) fn matches(
        &self,
        hypothesis: &[Fingerprint],
        reference: &[Fingerprint],
        module: u8,
    ) -> Option<Vec<Match>> {
        self.count_use();
        let mut matches = Vec::new();
        let mut add = |(reference, reference_length), (hypothesis, hypothesis_length)| {
            matches.push(Match { reference, reference_length, hypothesis, hypothesis_length, module });
            matches.len() <= MOST_MATCHES
        };
        let [hypothesis, reference] = [hypothesis, reference].map(|text| Phrases::of(text, self));
        self.find(&reference, &hypothesis, &mut |phrase, paraphrase| add(phrase, paraphrase))?;
        self.find(&hypothesis, &reference, &mut |phrase, paraphrase| add(paraphrase, phrase))?;
        matches.sort_by_key(|found| found.reference);
        Some(matches)
    }

    /// Calls `found` with place and words of each phrase of a text and of its paraphrases in the other, until it says
    /// no.
    fn find(
        &self,
        text: &Phrases,
        other: &Phrases,
        found: &mut dyn FnMut((u32, u32), (u32, u32)) -> bool,
    ) -> Option<()> {
        // The table is large, and each look into it waits for the memory. Looks that do not need each other's answers
        // wait together.
        let candidates = text.phrases.iter().filter(|phrase| self.may_have(phrase.fingerprint));
        let candidates: SmallVec<[&Phrase; USUAL]> = candidates.collect();
        let buckets: SmallVec<[Bucket; USUAL]> =
            candidates.iter().map(|phrase| self.bucket(phrase.fingerprint)).collect();
        let rows = candidates.iter().zip(&buckets).map(|(phrase, bucket)| self.row_in(*bucket, phrase.fingerprint));
        let rows: SmallVec<[Option<Row>; USUAL]> = rows.collect();
        for (phrase, &row) in candidates.iter().zip(&rows) {
            let Some(row) = row else { continue };
            let place = (phrase.place, phrase.words);
            let is_enough = |key| other.places(key).any(|paraphrase| !found(place, paraphrase));
            if self.any_paraphrase(row, is_enough) {
                return None;
            }
        }
        Some(())
    }
}

/// Phrases to have room for.
const USUAL: usize = 64;

/// All phrases of a text, in a hash table with a list a slot.
struct Phrases {
    /// The number of the first phrase of each slot, from 1; 0 for none.
    slots: Vec<u32>,
    /// From the first word to the last, the shorter ones first.
    phrases: Vec<Phrase>,
    /// How far to the right the first bits of a fingerprint go to become a key.
    shift: u32,
}

struct Phrase {
    fingerprint: Fingerprint,
    place: u32,
    words: u32,
    /// The number of the next phrase of its slot; 0 for none.
    next: u32,
}

impl Phrases {
    fn of(text: &[Fingerprint], table: &ParaphraseTable) -> Self {
        let most = text.len() * table.longest();
        // Few of them in use, so that most keys are known to be of no phrase at the first look.
        let slots = vec![0; (4 * most).next_power_of_two()];
        let mut all = Self { slots, phrases: Vec::with_capacity(most), shift: table.paraphrase_shift() };
        for (start, place) in (0..text.len()).zip(0..) {
            let mut fingerprint = fingerprint::EMPTY;
            for (&word, words) in text[start..].iter().take(table.longest()).zip(1..) {
                fingerprint = fingerprint::extend(fingerprint, word);
                all.phrases.push(Phrase { fingerprint, place, words, next: 0 });
            }
        }
        // From the last place, since lists grow at the front. Of phrases at one place the longest is first.
        let mut end = all.phrases.len();
        for words in (0..text.len()).rev().map(|start| table.longest().min(text.len() - start)) {
            for number in end - words..end {
                let slot = all.slot(all.key(&all.phrases[number]));
                all.phrases[number].next = all.slots[slot];
                all.slots[slot] = number as u32 + 1;
            }
            end -= words;
        }
        all
    }

    fn key(&self, phrase: &Phrase) -> u64 {
        phrase.fingerprint >> self.shift
    }

    fn slot(&self, key: u64) -> usize {
        key as usize & (self.slots.len() - 1)
    }

    /// Place and number of words of each phrase with that key, in order of the place.
    fn places(&self, key: u64) -> impl Iterator<Item = (u32, u32)> + '_ {
        let known = |number: u32| self.phrases.get((number as usize).wrapping_sub(1));
        let in_slot = std::iter::successors(known(self.slots[self.slot(key)]), move |phrase| known(phrase.next));
        in_slot.filter(move |phrase| self.key(phrase) == key).map(|phrase| (phrase.place, phrase.words))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Reference place and words, hypothesis place and words.
    fn found(hypothesis: &str, reference: &str) -> Vec<[u32; 4]> {
        let ids = |text: &str| text.split_whitespace().map(fingerprint::of_token).collect::<Vec<_>>();
        let matches = ParaphraseTable::embedded().matches(&ids(hypothesis), &ids(reference), 3).unwrap();
        let numbers =
            |found: Match| [found.reference, found.reference_length, found.hypothesis, found.hypothesis_length];
        matches.into_iter().map(numbers).collect()
    }

    #[test]
    fn phrases_are_found_with_their_places() {
        // "a lot of" and "much"; the table has it in one direction.
        assert!(found("on much work", "on a lot of work").contains(&[1, 3, 1, 1]));
        assert!(found("on a lot of work", "on much work").contains(&[1, 1, 1, 3]));
        assert!(found("the cat", "an aeroplane").is_empty());
        assert!(found("", "").is_empty());
    }
}
