//! METEOR's paraphrase module: phrases of one text that are paraphrases of phrases of the other.
//!
//! METEOR's table (`paraphrase-en.gz` in METEOR's `data`, 61 MB, 5.3 million entries) was built by pivoting over the
//! translations of a phrase (Denkowski and Lavie 2010, "METEOR-NEXT and the METEOR Paraphrase Tables"). One type and
//! one format serve two selections of its entries:
//!
//! - [`ParaphraseTable::read`]: all entries, for METEOR's own values; takes two seconds.
//! - [`ParaphraseTable::embedded`]: two of five entries, compiled into the program; in nine of ten segments of WMT's
//!   pairs the score is the same. No phrase has more than [`MAX_WORDS`] words, or more than [`MAX_WORDS_OF_BOTH`]
//!   together with its paraphrase; a paraphrase of several words is one of at least [`MIN_PHRASES`] phrases; and no
//!   entry is made redundant by a shorter entry and equal words.

mod source;
mod table;

use std::ops::Range;
use std::sync::{Arc, LazyLock};

pub use source::{MAX_WORDS, MAX_WORDS_OF_BOTH, MIN_PHRASES};
pub use table::ParaphraseTable;

use super::data;
use crate::text::fingerprint::{self, Fingerprint};

static EMBEDDED: LazyLock<Arc<ParaphraseTable>> = LazyLock::new(|| {
    // The bytes are compiled in, and a test checks them: no input can reach this panic. Without them METEOR is not
    // available.
    Arc::new(ParaphraseTable::open(data::PARAPHRASES.into()).expect("the table inside the program"))
});

impl ParaphraseTable {
    /// Paraphrases of short phrases, compiled into the program.
    ///
    /// # Panics
    /// In a program without the cargo feature `meteor-data`, where nothing calls this.
    pub fn embedded() -> Arc<Self> {
        Arc::clone(&EMBEDDED)
    }
}

/// The position and the number of words of a phrase.
type Span = (u32, u32);

/// All phrases of a text that are not longer than those of a table, numbered by position, then by length.
#[derive(Debug)]
pub(super) struct Phrases {
    table: Arc<ParaphraseTable>,
    /// The numbers of the phrases, by their keys as paraphrases.
    index: Index,
    /// The numbers of the phrases that the table has, with their entries.
    known: Vec<(u32, Range<usize>)>,
}

impl Phrases {
    /// The phrases of the text with these words.
    pub fn new(text: &[Fingerprint], table: Arc<ParaphraseTable>, recent: &mut Recent) -> Self {
        let mut phrases = Vec::with_capacity(text.len() * table.longest());
        for start in 0..text.len() {
            let mut phrase = fingerprint::EMPTY;
            for (&word, number) in text[start..].iter().take(table.longest()).zip(start * table.longest()..) {
                phrase = fingerprint::extend(phrase, word);
                phrases.push((phrase, number as u32));
            }
        }
        let entry = |&(phrase, number): &(Fingerprint, u32)| Entry::new(table.paraphrase_key(phrase), number);
        let index = Index::new(phrases.iter().map(entry).collect());
        let entries = phrases.iter().map(|&(phrase, number)| (number, recent.entries(phrase, &table)));
        let known = entries.filter(|(_, entries)| !entries.is_empty()).collect();
        Self { table, index, known }
    }

    /// Calls `found` with each phrase that has a paraphrase in the other text, and that paraphrase, until it returns
    /// false; true if it never does.
    pub fn each_paraphrase(&self, other: &Self, mut found: impl FnMut(Span, Span) -> bool) -> bool {
        for (number, entries) in &self.known {
            for key in self.table.paraphrases(entries.clone()) {
                for paraphrase in other.index.get(key) {
                    if !found(self.span(*number), self.span(paraphrase)) {
                        return false;
                    }
                }
            }
        }
        true
    }

    fn span(&self, number: u32) -> Span {
        let longest = self.table.longest() as u32;
        (number / longest, number % longest + 1)
    }
}

/// The entries of the phrases that were looked up last, which the next texts largely share: without it, finding the
/// phrases of a text takes twice as long. Each phrase has one place, where it replaces another one.
#[derive(Debug)]
pub(super) struct Recent(Box<[(u64, Range<u32>)]>);

/// The number of phrases in [`Recent`]; they fit into a processor's cache.
const RECENT: usize = 1 << 12;

impl Default for Recent {
    fn default() -> Self {
        Self(vec![(0, 0..0); RECENT].into())
    }
}

impl Recent {
    /// The entries of a phrase in a table; none if the table does not have it.
    fn entries(&mut self, phrase: Fingerprint, table: &ParaphraseTable) -> Range<usize> {
        let place = &mut self.0[phrase as usize % RECENT];
        let key = phrase ^ table.fingerprint();
        if place.0 != key {
            let entries = table.entries(phrase).unwrap_or_default();
            *place = (key, entries.start as u32..entries.end as u32);
        }
        place.1.start as usize..place.1.end as usize
    }
}

/// An index of the words or phrases of one text: keys, each with a number, in a hash table with chaining.
#[derive(Debug)]
pub(super) struct Index {
    /// For each slot, the number of its first entry, from 1; 0 for none. Sparse, so that most absent keys are recognised
    /// at the first look.
    slots: Vec<u32>,
    entries: Vec<Entry>,
}

/// A key with its number.
#[derive(Debug)]
pub(super) struct Entry {
    key: u64,
    value: u32,
    /// The number of the next entry of its slot, from 1; 0 for none.
    next: u32,
}

impl Entry {
    pub fn new(key: u64, value: u32) -> Self {
        Self { key, value, next: 0 }
    }
}

impl Index {
    pub fn new(entries: Vec<Entry>) -> Self {
        let mut index = Self { slots: vec![0; (8 * entries.len()).next_power_of_two()], entries };
        // From the last entry, since the chains grow at the front.
        for at in (0..index.entries.len()).rev() {
            let slot = index.slot(index.entries[at].key);
            index.entries[at].next = std::mem::replace(&mut index.slots[slot], at as u32 + 1);
        }
        index
    }

    /// The numbers of a key, in the order of the entries.
    pub fn get(&self, key: u64) -> impl Iterator<Item = u32> {
        let entry = |number: u32| self.entries.get((number as usize).wrapping_sub(1));
        let in_slot = std::iter::successors(entry(self.slots[self.slot(key)]), move |found| entry(found.next));
        in_slot.filter(move |found| found.key == key).map(|found| found.value)
    }

    fn slot(&self, key: u64) -> usize {
        // Similar keys are spread out by multiplication. Knuth 1998, section 6.4.
        (key.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 32) as usize & (self.slots.len() - 1)
    }
}
