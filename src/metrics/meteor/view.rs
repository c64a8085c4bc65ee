//! In: a segment of text. Out: its words with everything that METEOR 1.5 compares. Next: the modules.

use super::paraphrases::Listed;
use super::tokenizer::{Normalization, tokenize};
use super::words::MeteorWord;
use crate::text::fingerprint::{self, Fingerprint};
use crate::text::{CustomView, Lexicon};

/// A sentence as METEOR 1.5 sees it: one element per word in each list, except for the synsets.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct MeteorTokens {
    /// Fingerprints of the words.
    pub ids: Vec<Fingerprint>,
    /// Hash codes of the words.
    pub keys: Vec<i32>,
    /// Hash codes of the stems.
    pub stems: Vec<i32>,
    /// Whether each word is a function word.
    pub functions: Vec<bool>,
    /// Lengths in UTF-16 units.
    pub lengths: Vec<u32>,
    /// The synsets of all words, word by word.
    synsets: Vec<u32>,
    /// The end of each word's synsets.
    synset_ends: Vec<usize>,
    /// The phrases, for the paraphrase module.
    pub(super) listed: Listed,
}

/// METEOR's view of a text with this normalisation.
impl CustomView for Normalization {
    type Output = MeteorTokens;

    fn prepare(&self, text: &str, lexicon: &mut Lexicon) -> MeteorTokens {
        MeteorTokens::of(text, *self, lexicon)
    }
}

impl MeteorTokens {
    /// Splits the text into words and looks them up.
    pub fn of(text: &str, normalization: Normalization, lexicon: &mut Lexicon) -> Self {
        let mut known = lexicon.memory::<MeteorWord>();
        let mut tokens = Self::default();
        // Few texts have more words.
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

    /// The synsets of the word at a position, ascending.
    pub fn synsets(&self, place: usize) -> &[u32] {
        let start = place.checked_sub(1).map_or(0, |before| self.synset_ends[before]);
        &self.synsets[start..self.synset_ends[place]]
    }

    /// Every key with the position of its word, ordered by key, then position.
    pub fn by_key(&self) -> Vec<(i32, u32)> {
        sorted(self.keys.iter().copied().zip(0..))
    }

    /// Every stem with the position of its word, ordered by stem, then position.
    pub fn by_stem(&self) -> Vec<(i32, u32)> {
        sorted(self.stems.iter().copied().zip(0..))
    }

    /// Every synset of every word with the position of the word, ordered by synset, then position.
    pub fn by_synset(&self) -> Vec<(u32, u32)> {
        let of_word = |(place, number)| self.synsets(place).iter().map(move |&synset| (synset, number));
        sorted((0..self.len()).zip(0..).flat_map(of_word))
    }

    /// All synsets, word by word.
    pub fn all_synsets(&self) -> &[u32] {
        &self.synsets
    }

    /// True if the sentence has no words.
    pub fn is_empty(&self) -> bool {
        self.ids.is_empty()
    }
}

fn sorted<K: Ord>(entries: impl Iterator<Item = (K, u32)>) -> Vec<(K, u32)> {
    let mut sorted: Vec<(K, u32)> = entries.collect();
    sorted.sort_unstable();
    sorted
}
