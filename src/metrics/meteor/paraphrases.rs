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
use super::matches::{Entry, Index, MAX_MATCHES, Match};
use super::words::MeteorTokens;
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

/// All matches of phrases, ordered by the first word in the reference; for each, first the matches by an entry for the
/// phrase of the reference, then those by an entry for the phrase of the hypothesis. `None` if there are too many.
pub(super) fn matches(hypothesis: &MeteorTokens, reference: &MeteorTokens, module: u8) -> Option<Vec<Match>> {
    let mut matches = Vec::new();
    if let (Some(hypothesis), Some(reference)) = (&hypothesis.phrases, &reference.phrases) {
        let mut add = |(reference, reference_length), (hypothesis, hypothesis_length)| {
            matches.push(Match { reference, reference_length, hypothesis, hypothesis_length, module });
            matches.len() <= MAX_MATCHES
        };
        let is_whole = reference.each_paraphrase(hypothesis, &mut |phrase, paraphrase| add(phrase, paraphrase))
            && hypothesis.each_paraphrase(reference, &mut |phrase, paraphrase| add(paraphrase, phrase));
        if !is_whole {
            return None;
        }
    }
    matches.sort_by_key(|found| found.reference);
    Some(matches)
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
    pub fn new(text: &[Fingerprint], table: Arc<ParaphraseTable>) -> Self {
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
        let known = phrases.iter().filter_map(|&(phrase, number)| Some((number, table.entries(phrase)?))).collect();
        Self { table, index, known }
    }

    /// Calls `found` with each phrase that has a paraphrase in the other text, and that paraphrase, until it returns
    /// false; true if it never does.
    fn each_paraphrase(&self, other: &Self, found: &mut dyn FnMut(Span, Span) -> bool) -> bool {
        self.known.iter().all(|(number, entries)| {
            let mut paraphrases = self.table.paraphrases(entries.clone()).flat_map(|key| other.index.get(key));
            paraphrases.all(|paraphrase| found(self.span(*number), self.span(paraphrase)))
        })
    }

    fn span(&self, number: u32) -> Span {
        let longest = self.table.longest() as u32;
        (number / longest, number % longest + 1)
    }
}

#[cfg(test)]
mod tests {
    use super::super::tokenizer::Normalization;
    use super::super::words::MeteorView;
    use super::*;
    use crate::text::{CustomView, Lexicon};
    use crate::wordnet::WordNet;

    /// Position and length in the reference, position and length in the hypothesis.
    fn found(hypothesis: &str, reference: &str) -> Vec<[u32; 4]> {
        let view = MeteorView { normalization: Normalization::Words, paraphrases: Some(ParaphraseTable::embedded()) };
        let mut lexicon = Lexicon::new(WordNet::embedded());
        let [hypothesis, reference] = [hypothesis, reference].map(|text| view.prepare(text, &mut lexicon));
        let numbers =
            |found: Match| [found.reference, found.reference_length, found.hypothesis, found.hypothesis_length];
        matches(&hypothesis, &reference, 3).unwrap().into_iter().map(numbers).collect()
    }

    #[test]
    fn phrases_are_found_with_their_positions() {
        // "a lot of" and "much", which the table has in one direction only.
        assert!(found("on much work", "on a lot of work").contains(&[1, 3, 1, 1]));
        assert!(found("on a lot of work", "on much work").contains(&[1, 1, 1, 3]));
        assert!(found("the cat", "an aeroplane").is_empty());
        assert!(found("", "").is_empty());
    }
}
