//! In: the tokens of two texts. Out: their numbers in the common vocabulary. Next: skip-bigrams.

use crate::text::Fingerprint;

/// A text with its tokens numbered by a vocabulary.
pub(super) struct Text {
    /// For each token its number; `None` if it is not in the vocabulary.
    pub tokens: Vec<Option<usize>>,
    /// For each number its positions, ascending.
    pub places: Vec<Vec<usize>>,
    /// The greatest distance between the two tokens of a skip-bigram.
    pub reach: usize,
}

impl Text {
    /// Numbers the tokens of a text by their indices in a sorted vocabulary.
    pub fn new(text: &[Fingerprint], vocabulary: &[Fingerprint], reach: usize) -> Self {
        let tokens: Vec<_> = text.iter().map(|token| vocabulary.binary_search(token).ok()).collect();
        let mut places = vec![Vec::new(); vocabulary.len()];
        for (at, token) in tokens.iter().enumerate() {
            token.iter().for_each(|&token| places[token].push(at));
        }
        Self { tokens, places, reach }
    }

    /// Whether the last token is within reach of the first one.
    pub fn reaches_end(&self) -> bool {
        self.reach + 1 >= self.tokens.len()
    }

    /// The count of the token, without the last token of the text.
    pub fn unigrams(&self, token: usize) -> u64 {
        let places = &self.places[token];
        let is_last = places.last().is_some_and(|&at| at + 1 == self.tokens.len());
        places.len() as u64 - u64::from(is_last)
    }
}

/// Whether a token occurs exactly once in each text.
pub(super) fn once(own: &Text, theirs: &Text, token: usize) -> bool {
    own.places[token].len() == 1 && theirs.places[token].len() == 1
}
