//! Base forms and synsets of words.
//!
//! With the cargo feature `wordnet`, WordNet 3.0 is compiled into the program as an index of 2.8 MB, which opens in about 10
//! microseconds:
//!
//! ```
//! use tribunal_text_metrics::wordnet::WordNet;
//!
//! let wordnet = WordNet::embedded();
//! assert_eq!(wordnet.version(), "3.0");
//!
//! // A word has base forms, a base form has synsets.
//! let bases = wordnet.base_forms("geese");
//! assert_eq!(bases[0].lemma, "goose");
//! let synset = wordnet.synsets("goose").next().expect("goose is in WordNet");
//! assert_eq!(wordnet.members(synset).collect::<Vec<_>>(), ["goose"]);
//!
//! // Two words are synonyms if they share a synset.
//! let (cars, auto) = (wordnet.word_synsets("cars"), wordnet.word_synsets("auto"));
//! assert!(cars.iter().any(|synset| auto.contains(synset)));
//! ```
//!
//! `examples/build_wordnet_index.rs` makes the index. The database is Princeton University's and comes with its
//! [`LICENSE`].

mod format;
mod index;
mod morphology;

pub use index::{Counts, Synsets, WordNet};
pub use morphology::BaseForm;

/// Whether WordNet is compiled into the program.
pub const HAS_DATA: bool = cfg!(feature = "wordnet");

/// The licence of the embedded WordNet, to be shown with every copy of it.
pub const LICENSE: &str = include_str!("../../data/wordnet/LICENSE");

/// The number of a synset within one [`WordNet`]: nouns first, then verbs, adjectives and adverbs, each in the order of
/// the dict files. Not for storage: other versions of WordNet number their synsets differently.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct SynsetId(pub u32);

/// The number of a lemma within one [`WordNet`], unique per lemma.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct LemmaId(pub u64);

/// The syntactic categories of WordNet.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum PartOfSpeech {
    /// n.
    Noun,
    /// v.
    Verb,
    /// a; includes satellite adjectives, which NLTK calls s.
    Adjective,
    /// r.
    Adverb,
}

impl PartOfSpeech {
    /// All parts of speech, in the order used throughout.
    pub const ALL: [PartOfSpeech; 4] =
        [PartOfSpeech::Noun, PartOfSpeech::Verb, PartOfSpeech::Adjective, PartOfSpeech::Adverb];

    /// WordNet's letter: n, v, a or r.
    pub fn letter(self) -> char {
        match self {
            PartOfSpeech::Noun => 'n',
            PartOfSpeech::Verb => 'v',
            PartOfSpeech::Adjective => 'a',
            PartOfSpeech::Adverb => 'r',
        }
    }

    fn from_letter(letter: char) -> Option<PartOfSpeech> {
        PartOfSpeech::ALL.into_iter().find(|part_of_speech| part_of_speech.letter() == letter)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn letters_name_the_parts_of_speech() {
        for part_of_speech in PartOfSpeech::ALL {
            assert_eq!(PartOfSpeech::from_letter(part_of_speech.letter()), Some(part_of_speech));
        }
        assert_eq!(PartOfSpeech::from_letter('x'), None);
    }
}
