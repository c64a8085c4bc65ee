//! Stage 2d. In: a word. Out: all that is known of it, looked up once. Next: [`super::Sentence`].

use std::any::{Any, TypeId};
use std::ops::{Deref, DerefMut};
use std::sync::{Arc, Mutex};

use rustc_hash::FxHashMap;

use super::fingerprint::{self, Fingerprint};
use super::function_words;
use super::stem::Stemmer;
use crate::wordnet::{LemmaId, SynsetId, WordNet};

/// Distinct words kept before the memory starts afresh: bounds the memory of an endless stream.
const CAPACITY: usize = 1 << 16;

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
    /// The number of the word among the lemmas of WordNet, if it is one.
    pub lemma: Option<LemmaId>,
    /// The lemmas of its synsets, without the word itself, ordered by number.
    pub synonyms: Box<[LemmaId]>,
    /// Whether it is one of the English function words, a list of its own.
    pub function: bool,
}

/// Looks words up and remembers them. Each thread has its own; what it answers depends on the word alone.
#[derive(Debug)]
pub struct Lexicon {
    wordnet: WordNet,
    /// By the fingerprint of the word in the case in which it came, as are the others.
    words: FxHashMap<Fingerprint, Arc<Word>>,
    stems: FxHashMap<(Stemmer, Fingerprint), Fingerprint>,
    /// By the type of what is known: a map from the fingerprint of a word to that.
    memories: FxHashMap<TypeId, Box<dyn Any + Send>>,
}

impl Lexicon {
    /// An empty memory over one WordNet.
    pub fn new(wordnet: &WordNet) -> Self {
        let wordnet = wordnet.clone();
        Self { wordnet, words: FxHashMap::default(), stems: FxHashMap::default(), memories: FxHashMap::default() }
    }

    /// All that is known of a word, in whatever case it is given; `id` is its fingerprint as it is given.
    pub fn word(&mut self, word: &str, id: Fingerprint) -> Arc<Word> {
        if let Some(known) = self.words.get(&id) {
            return Arc::clone(known);
        }
        if self.words.len() >= CAPACITY {
            self.words.clear();
        }
        let lower = word.to_lowercase();
        let looked_up = if lower == word { Arc::new(self.look_up(lower, id)) } else { self.lower_word(&lower) };
        self.words.insert(id, Arc::clone(&looked_up));
        looked_up
    }

    fn lower_word(&mut self, lower: &str) -> Arc<Word> {
        self.word(lower, fingerprint::of_token(lower))
    }

    /// `id` is the fingerprint of the lower-case word.
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
            function: function_words::contains(&lower),
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

    /// The fingerprint of a word's stem, in whatever case the word is given; `id` is its fingerprint as it is given.
    pub fn stem(&mut self, word: &str, id: Fingerprint, stemmer: Stemmer) -> Fingerprint {
        if let Some(&known) = self.stems.get(&(stemmer, id)) {
            return known;
        }
        if self.stems.len() == CAPACITY {
            self.stems.clear();
        }
        let stem = fingerprint::of_token(&stemmer.stem(&word.to_lowercase()));
        self.stems.insert((stemmer, id), stem);
        stem
    }

    /// The memory for facts of one type, which a metric alone needs; the type is its key.
    pub fn memory<F: Send + 'static>(&mut self) -> Memory<'_, F> {
        let kept = self.memories.entry(TypeId::of::<F>());
        let kept = kept.or_insert_with(|| Box::new(FxHashMap::<Fingerprint, F>::default()));
        // The key is the type, so that there is never another one.
        Memory { wordnet: &self.wordnet, facts: kept.downcast_mut().expect("the type of its key") }
    }
}

/// What a metric knows of words, looked up once a word.
#[derive(Debug)]
pub struct Memory<'l, F> {
    wordnet: &'l WordNet,
    facts: &'l mut FxHashMap<Fingerprint, F>,
}

impl<F> Memory<'_, F> {
    /// What is known of the word with that fingerprint, looked up where it is not known yet.
    pub fn recall(&mut self, id: Fingerprint, look_up: impl FnOnce(&WordNet) -> F) -> &F {
        if self.facts.len() == CAPACITY && !self.facts.contains_key(&id) {
            self.facts.clear();
        }
        self.facts.entry(id).or_insert_with(|| look_up(self.wordnet))
    }
}

/// Lexicons of one WordNet for as many threads as there are: what one thread gives back the next one goes on with, so
/// that words stay known from one batch of texts to the next. Clones share them.
#[derive(Debug, Clone)]
pub struct Lexicons {
    wordnet: WordNet,
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
    /// None yet.
    pub fn new(wordnet: &WordNet) -> Self {
        Self { wordnet: wordnet.clone(), idle: Arc::default() }
    }

    /// The WordNet that words are looked up in.
    pub fn wordnet(&self) -> &WordNet {
        &self.wordnet
    }

    /// A lexicon that nobody else has at the moment.
    pub fn borrow(&self) -> Borrowed<'_> {
        let known = self.idle.lock().ok().and_then(|mut idle| idle.pop());
        Borrowed { lexicon: known.unwrap_or_else(|| Lexicon::new(&self.wordnet)), home: self }
    }
}

/// A [`Lexicon`] that goes back to its [`Lexicons`] when it is dropped.
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
    use crate::wordnet::share_synset;

    fn word_of(lexicon: &mut Lexicon, word: &str) -> Arc<Word> {
        lexicon.word(word, fingerprint::of_token(word))
    }

    #[test]
    fn synonyms_are_found_over_base_forms() {
        let mut lexicon = Lexicon::new(WordNet::embedded());
        let [cars, automobile, cat] = ["cars", "automobile", "cat"].map(|word| word_of(&mut lexicon, word));
        assert!(share_synset(&cars.synsets, &automobile.synsets));
        assert!(!share_synset(&cars.synsets, &cat.synsets));
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
