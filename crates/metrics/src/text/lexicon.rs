//! All that is known about a word, looked up once.

use std::any::{Any, TypeId};
use std::ops::{Deref, DerefMut};
use std::sync::{Arc, Mutex};

use rustc_hash::FxHashMap;

use super::english;
use super::fingerprint::{self, Fingerprint};
use super::models::Models;
use super::stem::Stemmer;
use crate::wordnet::{LemmaId, SynsetId, WordNet};

/// The largest number of words in a cache; a full cache is cleared, which bounds the memory for an endless stream.
const MAX_CACHED: usize = 1 << 16;

/// What is known about a word, regardless of case.
#[derive(Debug, Clone, PartialEq)]
pub struct Word {
    /// The word in lower case.
    pub text: Box<str>,
    /// The fingerprint of the lower-case word.
    pub id: Fingerprint,
    /// The fingerprint of its Snowball stem.
    pub stem: Fingerprint,
    /// The synsets of the word and its base forms, of all parts of speech, ascending.
    pub synsets: Box<[SynsetId]>,
    /// The synsets that contain the word itself, ascending.
    pub named: Box<[SynsetId]>,
    /// The word's number among the lemmas of WordNet, if it is one.
    pub lemma: Option<LemmaId>,
    /// The lemmas of its synsets without the word itself, ascending.
    pub synonyms: Box<[LemmaId]>,
    /// Whether it is an English function word.
    pub function: bool,
}

/// Looks words up and caches the results. Each thread has its own; the results depend on the word alone.
#[derive(Debug)]
pub struct Lexicon {
    wordnet: WordNet,
    /// Keyed, as are the other maps, by the fingerprint of the word as written.
    words: FxHashMap<Fingerprint, Arc<Word>>,
    stems: FxHashMap<(Stemmer, Fingerprint), Fingerprint>,
    /// What only one metric needs, by its type.
    memories: FxHashMap<TypeId, Box<dyn Any + Send>>,
}

impl Lexicon {
    /// A lexicon over one WordNet, with nothing cached.
    pub fn new(wordnet: &WordNet) -> Self {
        let wordnet = wordnet.clone();
        Self { wordnet, words: FxHashMap::default(), stems: FxHashMap::default(), memories: FxHashMap::default() }
    }

    /// All that is known about a word, given in any case; `id` is the fingerprint of the word as given.
    pub fn word(&mut self, word: &str, id: Fingerprint) -> Arc<Word> {
        if let Some(known) = self.words.get(&id) {
            return Arc::clone(known);
        }
        if self.words.len() >= MAX_CACHED {
            self.words.clear();
        }
        let lower = word.to_lowercase();
        let looked_up = if lower == word {
            Arc::new(self.look_up(lower, id))
        } else {
            self.word(&lower, fingerprint::of_token(&lower))
        };
        self.words.insert(id, Arc::clone(&looked_up));
        looked_up
    }

    /// Looks up a lower-case word; `id` is its fingerprint.
    fn look_up(&mut self, lower: String, id: Fingerprint) -> Word {
        let synsets = self.wordnet.word_synsets(&lower);
        let lemma = self.wordnet.lemma_id(&lower);
        Word {
            id,
            stem: self.stem(&lower, id, Stemmer::Snowball),
            named: self.named(&lower),
            lemma,
            synonyms: self.synonyms(lemma, &synsets),
            synsets: synsets.into(),
            function: english::is_function_word(&lower),
            text: lower.into(),
        }
    }

    fn named(&self, word: &str) -> Box<[SynsetId]> {
        let mut synsets: Vec<SynsetId> = self.wordnet.synsets(word).collect();
        synsets.sort_unstable();
        synsets.into()
    }

    fn synonyms(&self, lemma: Option<LemmaId>, synsets: &[SynsetId]) -> Box<[LemmaId]> {
        let members = synsets.iter().flat_map(|&synset| self.wordnet.member_ids(synset));
        let mut synonyms: Vec<LemmaId> = members.filter(|&member| Some(member) != lemma).collect();
        synonyms.sort_unstable();
        synonyms.dedup();
        synonyms.into()
    }

    /// The fingerprint of the word's stem; the word may be in any case, and `id` is its fingerprint as given.
    pub fn stem(&mut self, word: &str, id: Fingerprint, stemmer: Stemmer) -> Fingerprint {
        if let Some(&known) = self.stems.get(&(stemmer, id)) {
            return known;
        }
        if self.stems.len() == MAX_CACHED {
            self.stems.clear();
        }
        let stem = fingerprint::of_token(&stemmer.stem(&word.to_lowercase()));
        self.stems.insert((stemmer, id), stem);
        stem
    }

    /// The cache for facts of one type, which only one metric needs; the type is the key.
    pub fn memory<F: Send + 'static>(&mut self) -> Memory<'_, F> {
        Memory { wordnet: &self.wordnet, facts: of_type(&mut self.memories) }
    }

    /// The value of a type that only one metric needs; its default at first.
    pub fn own<T: Default + Send + 'static>(&mut self) -> &mut T {
        of_type(&mut self.memories)
    }
}

fn of_type<T: Default + Send + 'static>(values: &mut FxHashMap<TypeId, Box<dyn Any + Send>>) -> &mut T {
    let value = values.entry(TypeId::of::<T>()).or_insert_with(|| Box::<T>::default());
    // The key is the type, so the downcast cannot fail.
    value.downcast_mut().expect("the type of its key")
}

/// A metric's facts about words, looked up once per word.
#[derive(Debug)]
pub struct Memory<'l, F> {
    wordnet: &'l WordNet,
    facts: &'l mut FxHashMap<Fingerprint, F>,
}

impl<F> Memory<'_, F> {
    /// The fact about the word with this fingerprint; calls `look_up` if it is not cached.
    pub fn recall(&mut self, id: Fingerprint, look_up: impl FnOnce(&WordNet) -> F) -> &F {
        if self.facts.len() == MAX_CACHED && !self.facts.contains_key(&id) {
            self.facts.clear();
        }
        self.facts.entry(id).or_insert_with(|| look_up(self.wordnet))
    }
}

/// A pool of lexicons over one WordNet, one per thread at a time. A lexicon that a thread returns is handed to the next
/// one, so that cached words survive from batch to batch. Clones share the pool.
///
/// It also holds the models that read texts, where there are some.
#[derive(Debug, Clone)]
pub struct Lexicons {
    wordnet: WordNet,
    models: Models,
    idle: Arc<Mutex<Vec<Lexicon>>>,
}

impl From<&WordNet> for Lexicons {
    fn from(wordnet: &WordNet) -> Self {
        Self::new(wordnet)
    }
}

impl From<&Self> for Lexicons {
    fn from(lexicons: &Self) -> Self {
        lexicons.clone()
    }
}

impl Lexicons {
    /// An empty pool.
    pub fn new(wordnet: &WordNet) -> Self {
        Self { wordnet: wordnet.clone(), models: Models::default(), idle: Arc::default() }
    }

    /// The same with models.
    pub fn with_models(self, models: Models) -> Self {
        Self { models, ..self }
    }

    /// The models.
    pub fn models(&self) -> &Models {
        &self.models
    }

    /// The WordNet that words are looked up in.
    pub fn wordnet(&self) -> &WordNet {
        &self.wordnet
    }

    /// Takes an idle lexicon from the pool, or makes a new one.
    pub fn borrow(&self) -> Borrowed<'_> {
        let known = self.idle.lock().ok().and_then(|mut idle| idle.pop());
        Borrowed { lexicon: known.unwrap_or_else(|| Lexicon::new(&self.wordnet)), home: self }
    }
}

/// A [`Lexicon`] that returns to its [`Lexicons`] when dropped.
#[derive(Debug)]
pub struct Borrowed<'l> {
    lexicon: Lexicon,
    home: &'l Lexicons,
}

impl Deref for Borrowed<'_> {
    type Target = Lexicon;

    fn deref(&self) -> &Lexicon {
        &self.lexicon
    }
}

impl DerefMut for Borrowed<'_> {
    fn deref_mut(&mut self) -> &mut Self::Target {
        &mut self.lexicon
    }
}

impl Drop for Borrowed<'_> {
    fn drop(&mut self) {
        let lexicon = std::mem::replace(&mut self.lexicon, Lexicon::new(&self.home.wordnet));
        if let Ok(mut idle) = self.home.idle.lock() {
            idle.push(lexicon);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn word_of(lexicon: &mut Lexicon, word: &str) -> Arc<Word> {
        lexicon.word(word, fingerprint::of_token(word))
    }

    #[test]
    fn facts_of_different_types_are_kept_apart() {
        struct Length(usize);
        struct Named(bool);
        let mut lexicon = Lexicon::new(WordNet::embedded());
        for (word, again) in [("cat", "dog"), ("cat", "cat")] {
            let id = fingerprint::of_token(word);
            assert_eq!(lexicon.memory().recall(id, |_| Length(word.len())).0, 3);
            assert!(lexicon.memory().recall(id, |wordnet| Named(wordnet.contains(again))).0);
        }
        let id = fingerprint::of_token("cat");
        assert_eq!(lexicon.memory().recall(id, |_| Length(9)).0, 3);
    }

    #[test]
    fn a_word_is_known_in_any_case() {
        let mut lexicon = Lexicon::new(WordNet::embedded());
        assert_eq!(word_of(&mut lexicon, "Garden"), word_of(&mut lexicon, "garden"));
        assert!(word_of(&mut lexicon, "The").function);
        assert!(word_of(&mut lexicon, "qwzx").synsets.is_empty());
    }
}
