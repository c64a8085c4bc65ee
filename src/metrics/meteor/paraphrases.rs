//! In: two texts. Out: phrases of one that are paraphrases of phrases of the other. Next: `modules`.
//!
//! METEOR's table (`paraphrase-en.gz` in METEOR's `data`, 61 MB, 5.3 million entries) was built by pivoting over the
//! translations of a phrase (Denkowski and Lavie 2010, "METEOR-NEXT and the METEOR Paraphrase Tables"). One type and
//! one format serve two selections of its entries:
//!
//! - [`ParaphraseTable::read`]: all entries, for METEOR's own values. Reading takes seconds, so
//!   [`ParaphraseTable::cached`] stores the table in a file that opens in a fraction of that.
//! - [`ParaphraseTable::embedded`]: two of five entries, compiled into the program; in nine of ten segments of WMT's
//!   pairs the score is the same. No phrase has more than [`MOST_WORDS`] words, or more than [`MOST_WORDS_OF_BOTH`]
//!   together with its paraphrase; a paraphrase of several words is one of at least [`FEWEST_PHRASES`] phrases; and no
//!   entry is made redundant by a shorter entry and equal words.

mod cache;
mod filter;
mod format;
mod phrases;
mod selection;
mod source;

use std::sync::LazyLock;

pub use cache::Cached;
pub use format::ParaphraseTable;
pub(super) use phrases::{Listed, Phrases};
pub use selection::{FEWEST_PHRASES, MOST_WORDS, MOST_WORDS_OF_BOTH};

use super::data;
use super::matches::{MOST_MATCHES, Match};

static EMBEDDED: LazyLock<ParaphraseTable> = LazyLock::new(|| {
    // The bytes are compiled in, and a test checks them: no input can reach this panic. Without them METEOR is not
    // available.
    ParaphraseTable::open(data::PARAPHRASES.into()).expect("the table inside the program")
});

impl ParaphraseTable {
    /// Paraphrases of short phrases, compiled into the program.
    ///
    /// # Panics
    /// In a program without the cargo feature `meteor-data`, where nothing calls this.
    pub fn embedded() -> &'static Self {
        &EMBEDDED
    }

    /// All matches of phrases, ordered by the first word in the reference; for each, first the matches by an entry for
    /// the phrase of the reference, then those by an entry for the phrase of the hypothesis. `None` if there are too
    /// many.
    pub(super) fn matches(&self, hypothesis: &Phrases, reference: &Phrases, module: u8) -> Option<Vec<Match>> {
        self.count_use();
        let mut matches = Vec::new();
        let mut add = |(reference, reference_length), (hypothesis, hypothesis_length)| {
            matches.push(Match { reference, reference_length, hypothesis, hypothesis_length, module });
            matches.len() <= MOST_MATCHES
        };
        self.find(reference, hypothesis, &mut |phrase, paraphrase| add(phrase, paraphrase))?;
        self.find(hypothesis, reference, &mut |phrase, paraphrase| add(paraphrase, phrase))?;
        matches.sort_by_key(|found| found.reference);
        Some(matches)
    }

    /// Calls `found` with the position and length in words of each phrase of a text and of its paraphrases in the
    /// other, until it returns false, in which case the result is `None`.
    fn find(
        &self,
        text: &Phrases,
        other: &Phrases,
        found: &mut dyn FnMut((u32, u32), (u32, u32)) -> bool,
    ) -> Option<()> {
        for (place, row) in text.known() {
            let is_enough = |key| other.places(key).any(|paraphrase| !found(place, paraphrase));
            if self.any_paraphrase(row, is_enough) {
                return None;
            }
        }
        Some(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::fingerprint;

    /// Position and length in the reference, position and length in the hypothesis.
    fn found(hypothesis: &str, reference: &str) -> Vec<[u32; 4]> {
        let table = ParaphraseTable::embedded();
        let phrases =
            |text: &str| Phrases::of(&text.split_whitespace().map(fingerprint::of_token).collect::<Vec<_>>(), table);
        let matches = table.matches(&phrases(hypothesis), &phrases(reference), 3).unwrap();
        let numbers =
            |found: Match| [found.reference, found.reference_length, found.hypothesis, found.hypothesis_length];
        matches.into_iter().map(numbers).collect()
    }

    #[test]
    fn phrases_are_found_with_their_places() {
        // "a lot of" and "much", which the table has in one direction only.
        assert!(found("on much work", "on a lot of work").contains(&[1, 3, 1, 1]));
        assert!(found("on a lot of work", "on much work").contains(&[1, 1, 1, 3]));
        assert!(found("the cat", "an aeroplane").is_empty());
        assert!(found("", "").is_empty());
    }
}
