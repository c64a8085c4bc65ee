//! What METEOR 1.5 compares of a word and of a text.
//!
//! METEOR 1.5 compares 32-bit hash codes of words, Java's `String.hashCode`, so that `siblings` and `teheran` are the
//! same word. Its synonyms come from WordNet 3.0, but it identifies a synset by its offset in a dict file, regardless
//! of the file: 285 offsets belong to synsets of several parts of speech, so that `noble` and the New Zealand wrens are
//! synonyms, and so are `entity`, `able` and `breathe`. Both are reproduced.

use std::sync::{Arc, LazyLock};

use rustc_hash::FxHashMap as HashMap;

use super::data;
use super::paraphrases::{ParaphraseTable, Phrases};
use super::tokenizer::{Normalization, tokenize};
use crate::text::{CustomView, Lexicon, Stemmer, fingerprint};
use crate::wordnet::WordNet;

/// METEOR's view of a text.
#[derive(Debug, PartialEq)]
pub struct MeteorView {
    /// How the text is normalised.
    pub normalization: Normalization,
    /// The table of the paraphrase module, if there is that module.
    pub paraphrases: Option<Arc<ParaphraseTable>>,
}

/// A text as METEOR 1.5 sees it.
#[derive(Debug)]
pub struct MeteorTokens {
    /// The words.
    pub words: Vec<Arc<MeteorWord>>,
    /// The phrases for the paraphrase module, if there is that module.
    pub(super) phrases: Option<Phrases>,
}

impl CustomView for MeteorView {
    type Output = MeteorTokens;

    fn prepare(&self, text: &str, lexicon: &mut Lexicon) -> MeteorTokens {
        let mut known = lexicon.memory::<Arc<MeteorWord>>();
        // Few texts have more words.
        let most = text.len() / 4;
        let (mut words, mut ids) = (Vec::with_capacity(most), Vec::with_capacity(most));
        tokenize(text, self.normalization, &mut |token| {
            let id = fingerprint::of_token(token);
            ids.push(id);
            words.push(Arc::clone(known.recall(id, |wordnet| Arc::new(MeteorWord::new(token, wordnet)))));
        });
        let phrases = self.paraphrases.as_ref().map(|table| Phrases::new(&ids, Arc::clone(table), lexicon.own()));
        MeteorTokens { words, phrases }
    }
}

/// METEOR 1.5's facts about a word.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct MeteorWord {
    /// The hash code of the word.
    pub key: i32,
    /// The hash code of its Snowball stem.
    pub stem: i32,
    /// The synsets of the word and its base forms, ascending.
    pub synsets: Box<[u32]>,
    /// Whether it is a function word, regardless of case.
    pub function: bool,
    /// The length in UTF-16 units.
    pub length: u32,
}

/// The 93 function words of METEOR 1.5: the most frequent words of a large corpus, punctuation marks among them.
static FUNCTION_WORDS: LazyLock<Vec<&str>> = LazyLock::new(|| {
    let mut words: Vec<&str> = data::FUNCTION_WORDS.lines().collect();
    words.sort_unstable();
    words
});

/// For each lemma, the groups of lemmas that METEOR conflates because their synsets have equal offsets.
static COLLISIONS: LazyLock<HashMap<&str, Vec<u32>>> = LazyLock::new(|| {
    let mut groups: HashMap<&str, Vec<u32>> = HashMap::default();
    for (line, number) in data::COLLISIONS.lines().zip(FIRST_COLLISION..) {
        line.split(' ').for_each(|lemma| groups.entry(lemma).or_default().push(number));
    }
    groups
});

/// The number of the first group of [`COLLISIONS`], above those of all synsets.
const FIRST_COLLISION: u32 = 1 << 31;

/// METEOR's rules from an inflected form to its base form, in the order in which they are tried.
const RULES: [(&str, &str); 20] = [
    ("s", ""),
    ("ses", "s"),
    ("xes", "x"),
    ("zes", "z"),
    ("ches", "ch"),
    ("shes", "sh"),
    ("men", "man"),
    ("ies", "y"),
    ("s", ""),
    ("ies", "y"),
    ("es", "e"),
    ("es", ""),
    ("ed", "e"),
    ("ed", ""),
    ("ing", "e"),
    ("ing", ""),
    ("er", ""),
    ("est", ""),
    ("er", "e"),
    ("est", "e"),
];

/// Words that WordNet's exception lists have twice, with different base forms of one part of speech, each with the base
/// form of the first line. The index keeps the last line, as NLTK does; METEOR uses both.
const TWICE_LISTED: [(&str, &str); 2] = [("offer", "off"), ("involucra", "involucre")];

impl MeteorWord {
    /// Looks up a word, without changing its case.
    pub fn new(word: &str, wordnet: &WordNet) -> Self {
        Self {
            key: hash_code(word),
            stem: hash_code(&Stemmer::Snowball.stem(word)),
            synsets: synsets(word, wordnet),
            function: FUNCTION_WORDS.binary_search(&word.to_lowercase().as_str()).is_ok(),
            length: u32::try_from(word.encode_utf16().count()).unwrap_or(u32::MAX),
        }
    }
}

/// Java's `String.hashCode`.
fn hash_code(text: &str) -> i32 {
    text.encode_utf16().fold(0_i32, |hash, unit| hash.wrapping_mul(31).wrapping_add(i32::from(unit)))
}

/// The synsets of the word itself, and of its base forms: those in the exception list, or else the result of the first
/// rule that leads to a word of WordNet, whatever its part of speech.
fn synsets(word: &str, wordnet: &WordNet) -> Box<[u32]> {
    let mut synsets = Vec::new();
    add_synsets_of(word, wordnet, &mut synsets);
    let mut bases = wordnet.exceptions(word).peekable();
    if bases.peek().is_some() {
        bases.for_each(|base| add_synsets_of(&base.lemma, wordnet, &mut synsets));
        let others = TWICE_LISTED.iter().filter(|listed| listed.0 == word);
        others.for_each(|(_, base)| add_synsets_of(base, wordnet, &mut synsets));
    } else if !word.ends_with("ss") && word.encode_utf16().nth(2).is_some() {
        let candidates =
            RULES.iter().filter_map(|(suffix, ending)| Some([word.strip_suffix(suffix)?, ending].concat()));
        if let Some(base) = candidates.into_iter().find(|base| wordnet.contains(base)) {
            add_synsets_of(&base, wordnet, &mut synsets);
        }
    }
    synsets.sort_unstable();
    synsets.dedup();
    synsets.into()
}

fn add_synsets_of(lemma: &str, wordnet: &WordNet, synsets: &mut Vec<u32>) {
    synsets.extend(wordnet.synsets(lemma).map(|synset| synset.0));
    synsets.extend(COLLISIONS.get(lemma).into_iter().flatten());
}

#[cfg(test)]
mod tests {
    use super::*;

    fn word(text: &str) -> MeteorWord {
        MeteorWord::new(text, WordNet::embedded())
    }

    fn are_synonyms(one: &str, other: &str) -> bool {
        let (one, other) = (word(one), word(other));
        one.synsets.iter().any(|synset| other.synsets.contains(synset))
    }

    #[test]
    fn keys_are_javas() {
        assert_eq!(hash_code(""), 0);
        assert_eq!(hash_code("hello"), 99_162_322);
        assert_eq!(word("Siblings").key, word("Teheran").key);
        assert_eq!(word("walking").stem, word("walked").stem);
    }

    #[test]
    fn synonyms_are_found_over_base_forms() {
        assert!(are_synonyms("cars", "automobile"));
        assert!(are_synonyms("geese", "goose"));
        assert!(are_synonyms("physicians", "doctors"));
        assert!(!are_synonyms("cars", "cat"));
        // Lemmas are in lower case; words are not lower-cased.
        assert!(!are_synonyms("Cars", "automobile"));
    }

    #[test]
    fn synsets_at_the_same_place_of_different_files_are_one() {
        assert!(are_synonyms("entity", "able"));
        assert!(are_synonyms("noble", "xenicidae"));
    }

    #[test]
    fn function_words_in_any_case() {
        assert!(word("The").function && word(",").function && word("'s").function);
        assert!(!word("house").function && !word("").function);
        assert_eq!(word("😀a").length, 3);
    }
}
