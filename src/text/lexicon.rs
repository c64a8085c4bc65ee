//! Stage 2d. In: a word. Out: all that is known of it, looked up once. Next: [`super::Sentence`].

use std::collections::HashMap;
use std::sync::Arc;

use super::fingerprint::{self, Fingerprint};
use super::function_words;
use super::meteor::MeteorWord;
use super::stem::Stemmer;
use crate::wordnet::{self, SynsetId, WordNet};

/// Distinct words kept before the memory starts afresh: bounds the memory of an endless stream.
const CAPACITY: usize = 1 << 18;

/// What is known of a word, whatever its case.
#[derive(Debug, Clone, PartialEq)]
pub struct Word {
    /// The word in lower case.
    pub text: Box<str>,
    /// The fingerprint of the lower-case word.
    pub id: Fingerprint,
    /// The fingerprint of its Snowball stem.
    pub stem: Fingerprint,
    /// The synsets of the word and its base forms, all parts of speech, ordered by number.
    pub synsets: Box<[SynsetId]>,
    /// The synsets that name the word itself, ordered by number.
    pub named: Box<[SynsetId]>,
    /// The words that are lemmas of one of those synsets, without the word itself, ordered by fingerprint.
    pub synonyms: Box<[Fingerprint]>,
    /// Whether it is one of the English function words, see [`super::function_words`].
    pub function: bool,
}

impl Word {
    /// True where the two words share a synset of WordNet. Every word of WordNet is its own synonym.
    pub fn is_synonym(&self, other: &Self) -> bool {
        wordnet::share_synset(&self.synsets, &other.synsets)
    }
}

/// Looks words up and remembers them. Each thread has its own; what it answers depends on the word alone.
#[derive(Debug)]
pub struct Lexicon<'w> {
    wordnet: &'w WordNet,
    words: HashMap<Box<str>, Arc<Word>>,
    stems: HashMap<(Stemmer, Box<str>), Fingerprint>,
    meteor: HashMap<Fingerprint, MeteorWord>,
}

impl<'w> Lexicon<'w> {
    /// An empty memory over one WordNet.
    pub fn new(wordnet: &'w WordNet) -> Self {
        Self { wordnet, words: HashMap::new(), stems: HashMap::new(), meteor: HashMap::new() }
    }

    /// All that is known of a word, in whatever case it is given.
    pub fn word(&mut self, word: &str) -> Arc<Word> {
        let lower = word.to_lowercase();
        if let Some(known) = self.words.get(lower.as_str()) {
            return Arc::clone(known);
        }
        if self.words.len() == CAPACITY {
            self.words.clear();
        }
        let synsets = self.wordnet.word_synsets(&lower);
        let looked_up = Arc::new(Word {
            id: fingerprint::of_token(&lower),
            stem: self.stem(&lower, Stemmer::Snowball),
            named: self.named(&lower),
            synonyms: self.synonyms(&lower, &synsets),
            synsets: synsets.into(),
            function: function_words::contains(&lower),
            text: lower.as_str().into(),
        });
        self.words.insert(lower.into(), Arc::clone(&looked_up));
        looked_up
    }

    fn named(&self, word: &str) -> Box<[SynsetId]> {
        let mut synsets: Vec<SynsetId> = self.wordnet.synsets(word).collect();
        synsets.sort_unstable();
        synsets.into()
    }

    fn synonyms(&self, word: &str, synsets: &[SynsetId]) -> Box<[Fingerprint]> {
        let members = synsets.iter().flat_map(|&synset| self.wordnet.members(synset));
        let others = members.map(|lemma| lemma.to_lowercase()).filter(|lemma| lemma != word);
        let mut synonyms: Vec<Fingerprint> = others.map(|lemma| fingerprint::of_token(&lemma)).collect();
        synonyms.sort_unstable();
        synonyms.dedup();
        synonyms.into()
    }

    /// The fingerprint of a word's stem, in whatever case the word is given.
    pub fn stem(&mut self, word: &str, stemmer: Stemmer) -> Fingerprint {
        let key = (stemmer, word.to_lowercase().into_boxed_str());
        if let Some(&known) = self.stems.get(&key) {
            return known;
        }
        if self.stems.len() == CAPACITY {
            self.stems.clear();
        }
        let stem = fingerprint::of_token(&stemmer.stem(&key.1));
        self.stems.insert(key, stem);
        stem
    }

    /// What METEOR 1.5 knows of a word, in the case in which it is; `id` is its fingerprint.
    pub fn meteor_word(&mut self, word: &str, id: Fingerprint) -> &MeteorWord {
        if self.meteor.len() == CAPACITY && !self.meteor.contains_key(&id) {
            self.meteor.clear();
        }
        self.meteor.entry(id).or_insert_with(|| MeteorWord::of(word, self.wordnet))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn synonyms_are_found_over_base_forms() {
        let mut lexicon = Lexicon::new(WordNet::embedded());
        let [cars, automobile, cat] = ["cars", "automobile", "cat"].map(|word| lexicon.word(word));
        assert!(cars.is_synonym(&automobile));
        assert!(!cars.is_synonym(&cat));
        assert!(cat.is_synonym(&cat));
    }

    #[test]
    fn a_word_is_known_in_any_case() {
        let mut lexicon = Lexicon::new(WordNet::embedded());
        assert_eq!(lexicon.word("Garden"), lexicon.word("garden"));
        assert!(lexicon.word("The").function);
        assert!(lexicon.word("qwzx").synsets.is_empty());
    }
}
