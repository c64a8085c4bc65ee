//! In: the entries of METEOR's file. Out: those of the embedded table. Next: [`format`](super::format).

use rustc_hash::{FxHashMap as HashMap, FxHashSet as HashSet};
use smallvec::SmallVec;

use crate::text::fingerprint::{self, Fingerprint};

/// The most words of a phrase in the embedded table.
pub const MOST_WORDS: usize = 4;
/// The most words of a phrase and its paraphrase together in the embedded table.
pub const MOST_WORDS_OF_BOTH: usize = 6;
/// The fewest phrases that share a paraphrase of several words in the embedded table.
pub const FEWEST_PHRASES: u32 = 2;

/// The words of a phrase.
pub(super) type Words = SmallVec<[Fingerprint; MOST_WORDS]>;

/// A phrase and its paraphrase.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Entry {
    pub phrase: Words,
    pub paraphrase: Words,
}

impl Entry {
    /// The entry, if both sides are short.
    pub(super) fn short(phrase: &[Fingerprint], paraphrase: &[Fingerprint]) -> Option<Self> {
        let has_place = |words: &[Fingerprint]| (1..=MOST_WORDS).contains(&words.len());
        let is_short =
            has_place(phrase) && has_place(paraphrase) && phrase.len() + paraphrase.len() <= MOST_WORDS_OF_BOTH;
        is_short.then(|| Self { phrase: phrase.into(), paraphrase: paraphrase.into() })
    }

    fn fingerprints(&self) -> (Fingerprint, Fingerprint) {
        (of_words(&self.phrase), of_words(&self.paraphrase))
    }

    /// Whether the entry consists of another entry and equal words before or after both sides, and the search for the
    /// alignment gains more from those than from this entry.
    fn is_composed(&self, entries: &HashSet<(Fingerprint, Fingerprint)>) -> bool {
        let (phrase, paraphrase) = (&self.phrase, &self.paraphrase);
        let are_equal = |(one, other): &(&Fingerprint, &Fingerprint)| one == other;
        let before = phrase.iter().zip(paraphrase).take_while(are_equal).count();
        let behind = phrase.iter().rev().zip(paraphrase.iter().rev()).take_while(are_equal).count();
        // Both sides must keep at least one word.
        let most = phrase.len().min(paraphrase.len()) - 1;
        let shared = (0..=before).flat_map(|start| (0..=behind).map(move |end| (start, end)));
        shared.filter(|&(start, end)| (1..=most).contains(&(start + end))).any(|(start, end)| {
            let other = |words: &Words| words[start..words.len() - end].into();
            let other = Self { phrase: other(phrase), paraphrase: other(paraphrase) };
            other.gain() + 2 * (start + end) > self.gain() && entries.contains(&other.fingerprints())
        })
    }

    /// What a match adds to the search's count: half of the words of each side, rounded down. An equal word adds one on
    /// each side.
    fn gain(&self) -> usize {
        self.phrase.len() / 2 + self.paraphrase.len() / 2
    }
}

/// The short entries that are worth their space, without duplicates. Left out are
///
/// - paraphrases of several words that are shared by fewer than [`FEWEST_PHRASES`] phrases: a quarter of all entries,
///   which account for one match in a hundred on WMT's texts;
/// - entries from which the search gains less than from a shorter entry and the equal words next to it: "the large
///   house" for "the big house", if "large" is a paraphrase of "big".
pub(super) fn select(mut entries: Vec<Entry>) -> Vec<Entry> {
    let mut known = HashSet::default();
    entries.retain(|entry| known.insert(entry.fingerprints()));
    let mut phrases: HashMap<Fingerprint, u32> = HashMap::default();
    known.iter().for_each(|entry| *phrases.entry(entry.1).or_default() += 1);
    entries.retain(|entry| entry.paraphrase.len() == 1 || phrases[&of_words(&entry.paraphrase)] >= FEWEST_PHRASES);
    let frequent = entries.iter().map(Entry::fingerprints).collect();
    entries.retain(|entry| !entry.is_composed(&frequent));
    entries
}

/// The fingerprint of a phrase.
pub(super) fn of_words(words: &[Fingerprint]) -> Fingerprint {
    words.iter().fold(fingerprint::EMPTY, |phrase, &word| fingerprint::extend(phrase, word))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The entries that are selected, from lines such as `a lot = much`.
    fn selected(lines: &[&str]) -> Vec<String> {
        let words = |text: &str| text.split_whitespace().map(fingerprint::of_token).collect::<Vec<_>>();
        let entry = |line: &&str| {
            let (phrase, paraphrase) = line.split_once('=').unwrap();
            Entry::short(&words(phrase), &words(paraphrase))
        };
        let chosen = select(lines.iter().filter_map(entry).collect());
        let is_chosen = |line: &&&str| entry(line).is_some_and(|entry| chosen.contains(&entry));
        assert!(chosen.len() <= lines.len());
        lines.iter().filter(is_chosen).map(|line| (*line).to_owned()).collect()
    }

    #[test]
    fn long_entries_are_left_out() {
        assert_eq!(selected(&["a b c d e = f", "a b c d = f", "f = a b c d e", "a b c d = f g h"]), ["a b c d = f"]);
    }

    #[test]
    fn paraphrases_of_one_phrase_are_left_out_unless_they_are_words() {
        let lines = ["a b = c d", "a b = e f", "g h = e f", "a b = i"];
        assert_eq!(selected(&lines), ["a b = e f", "g h = e f", "a b = i"]);
    }

    #[test]
    fn what_a_shorter_entry_and_equal_words_do_is_left_out() {
        // With three words per side, one equal word counts as much as the whole paraphrase, and there is another match
        // besides.
        let whole = ["the big house = the large house", "a big house = the large house"];
        assert_eq!(selected(&whole), whole);
        let with_core = [whole[0], whole[1], "big = large"];
        assert_eq!(selected(&with_core), [whole[1], "big = large"]);
        // With two words per side it only counts the same.
        let pairs = ["big house = large house", "tall house = large house", "big = large"];
        assert_eq!(selected(&pairs), pairs);
    }

    #[test]
    fn an_entry_comes_once() {
        assert_eq!(select(["a", "a"].map(|_| Entry::short(&[1], &[2]).unwrap()).to_vec()).len(), 1);
    }
}
