//! In: the words of a text. Out: its phrases, and which of them a table has. Next: the matches with another text.

use std::sync::{Arc, OnceLock};

use super::format::{Bucket, ParaphraseTable, Row};
use crate::text::fingerprint::{self, Fingerprint};

/// A cache of the phrases of a text, listed for one table. It does not affect whether two texts are equal.
#[derive(Debug, Clone, Default)]
pub struct Listed(OnceLock<Arc<Phrases>>);

impl PartialEq for Listed {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

impl Eq for Listed {}

impl Listed {
    /// The phrases of the text with these words. They are listed only once, unless several tables are used.
    pub fn for_table(&self, words: &[Fingerprint], table: &ParaphraseTable) -> Arc<Phrases> {
        let list = || Arc::new(Phrases::of(words, table));
        let listed = self.0.get_or_init(list);
        if listed.table == table.fingerprint() { Arc::clone(listed) } else { list() }
    }
}

/// All phrases of a text, in a hash table with chaining, with the rows of those that a table has.
#[derive(Debug)]
pub struct Phrases {
    /// For each slot, the number of its first phrase, from 1; 0 for none.
    slots: Vec<u32>,
    /// The phrases by their first word; for each word, shorter ones first.
    phrases: Vec<Phrase>,
    /// The right shift that turns a fingerprint into a key.
    shift: u32,
    /// The fingerprint of the table.
    table: u64,
    /// The phrases that the table has: their indices and rows.
    rows: Vec<(u32, Row)>,
}

#[derive(Debug)]
struct Phrase {
    fingerprint: Fingerprint,
    place: u32,
    words: u32,
    /// The number of the next phrase in its slot; 0 for none.
    next: u32,
}

impl Phrases {
    pub(super) fn of(text: &[Fingerprint], table: &ParaphraseTable) -> Self {
        let most = text.len() * table.longest();
        // Sparse, so that most absent keys are recognised at the first look.
        let slots = vec![0; (4 * most).next_power_of_two()];
        let (phrases, shift) = (Vec::with_capacity(most), table.paraphrase_shift());
        let mut all = Self { slots, phrases, shift, table: table.fingerprint(), rows: Vec::new() };
        for (start, place) in (0..text.len()).zip(0..) {
            let mut fingerprint = fingerprint::EMPTY;
            for (&word, words) in text[start..].iter().take(table.longest()).zip(1..) {
                fingerprint = fingerprint::extend(fingerprint, word);
                all.phrases.push(Phrase { fingerprint, place, words, next: 0 });
            }
        }
        // From the last position, since the chains grow at the front. Among phrases at one position the longest comes
        // first.
        let mut end = all.phrases.len();
        for words in (0..text.len()).rev().map(|start| table.longest().min(text.len() - start)) {
            for number in end - words..end {
                let slot = all.slot(all.key(&all.phrases[number]));
                all.phrases[number].next = all.slots[slot];
                all.slots[slot] = number as u32 + 1;
            }
            end -= words;
        }
        all.rows = rows(&all.phrases, table);
        all
    }

    /// Position and length in words of each phrase that the table has, with its row.
    pub(super) fn known(&self) -> impl Iterator<Item = ((u32, u32), Row)> + '_ {
        self.rows.iter().map(|&(number, row)| {
            let Phrase { place, words, .. } = self.phrases[number as usize];
            ((place, words), row)
        })
    }

    fn key(&self, phrase: &Phrase) -> u64 {
        phrase.fingerprint >> self.shift
    }

    fn slot(&self, key: u64) -> usize {
        key as usize & (self.slots.len() - 1)
    }

    /// Position and length in words of each phrase with this key, in order of position.
    pub(super) fn places(&self, key: u64) -> impl Iterator<Item = (u32, u32)> + '_ {
        let known = |number: u32| self.phrases.get((number as usize).wrapping_sub(1));
        let in_slot = std::iter::successors(known(self.slots[self.slot(key)]), move |phrase| known(phrase.next));
        in_slot.filter(move |phrase| self.key(phrase) == key).map(|phrase| (phrase.place, phrase.words))
    }
}

/// The phrases that a table has.
///
/// The table is large, so each look-up waits for memory; independent look-ups are grouped so that their waits overlap.
fn rows(phrases: &[Phrase], table: &ParaphraseTable) -> Vec<(u32, Row)> {
    let candidates = phrases.iter().zip(0..).filter(|(phrase, _)| table.may_have(phrase.fingerprint));
    let candidates: Vec<(Fingerprint, u32)> = candidates.map(|(phrase, number)| (phrase.fingerprint, number)).collect();
    let buckets: Vec<Bucket> = candidates.iter().map(|&(phrase, _)| table.bucket(phrase)).collect();
    let found = candidates.iter().zip(buckets);
    found.filter_map(|(&(phrase, number), bucket)| Some((number, table.row_in(bucket, phrase)?))).collect()
}
