//! In: a segment of text. Out: its words with all that METEOR 1.5 compares of them. Next: the modules.

use super::paraphrases::Listed;
use super::tokenizer::{Normalization, tokenize};
use super::words::MeteorWord;
use crate::text::fingerprint::{self, Fingerprint};
use crate::text::{CustomView, Lexicon};

/// A sentence as METEOR 1.5 sees it: one element a word in each list, but for the synsets.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct MeteorTokens {
    /// Fingerprints of the words.
    pub ids: Vec<Fingerprint>,
    /// Hash codes of the words.
    pub keys: Vec<i32>,
    /// Hash codes of the stems.
    pub stems: Vec<i32>,
    /// Which are function words.
    pub functions: Vec<bool>,
    /// Lengths in UTF-16 units.
    pub lengths: Vec<u32>,
    /// The synsets of all words, one word after the other.
    synsets: Vec<u32>,
    /// Where those of each word end.
    synset_ends: Vec<usize>,
    /// Its phrases.
    pub(super) listed: Listed,
}

/// METEOR's view of a text, by what is done to the text first.
impl CustomView for Normalization {
    type Output = MeteorTokens;

    fn prepare(&self, text: &str, lexicon: &mut Lexicon) -> MeteorTokens {
        MeteorTokens::of(text, *self, lexicon)
    }
}

impl MeteorTokens {
    /// Cuts the text into words and looks them up.
    pub fn of(text: &str, normalization: Normalization, lexicon: &mut Lexicon) -> Self {
        let mut known = lexicon.memory::<MeteorWord>();
        let mut tokens = Self::default();
        // Seldom has a text more words.
        let words = text.len() / 4;
        tokens.ids.reserve(words);
        tokens.keys.reserve(words);
        tokens.stems.reserve(words);
        tokens.functions.reserve(words);
        tokens.lengths.reserve(words);
        tokens.synset_ends.reserve(words);
        tokens.synsets.reserve(8 * words);
        tokenize(text, normalization, &mut |token| {
            let id = fingerprint::of_token(token);
            let word = known.recall(id, |wordnet| MeteorWord::of(token, wordnet));
            tokens.ids.push(id);
            tokens.keys.push(word.key);
            tokens.stems.push(word.stem);
            tokens.functions.push(word.function);
            tokens.lengths.push(word.length);
            tokens.synsets.extend(word.synsets.iter());
            tokens.synset_ends.push(tokens.synsets.len());
        });
        tokens
    }

    /// The number of words.
    pub fn len(&self) -> usize {
        self.ids.len()
    }

    /// The synsets of the word at a place, ascending.
    pub fn synsets(&self, place: usize) -> &[u32] {
        let start = place.checked_sub(1).map_or(0, |before| self.synset_ends[before]);
        &self.synsets[start..self.synset_ends[place]]
    }

    /// Every key with the place of its word, ordered by key, then place.
    pub fn by_key(&self) -> Vec<(i32, u32)> {
        sorted(self.keys.iter().copied().zip(0..))
    }

    /// Every stem with the place of its word, ordered by stem, then place.
    pub fn by_stem(&self) -> Vec<(i32, u32)> {
        sorted(self.stems.iter().copied().zip(0..))
    }

    /// Every synset of every word with the place of the word, ordered by synset, then place.
    pub fn by_synset(&self) -> Vec<(u32, u32)> {
        let of_word = |(place, number)| self.synsets(place).iter().map(move |&synset| (synset, number));
        sorted((0..self.len()).zip(0..).flat_map(of_word))
    }

    /// All synsets, one word after the other.
    pub fn all_synsets(&self) -> &[u32] {
        &self.synsets
    }

    /// True where the sentence has no word.
    pub fn is_empty(&self) -> bool {
        self.ids.is_empty()
    }
}

fn sorted<K: Ord>(entries: impl Iterator<Item = (K, u32)>) -> Vec<(K, u32)> {
    let mut sorted: Vec<(K, u32)> = entries.collect();
    sorted.sort_unstable();
    sorted
}
