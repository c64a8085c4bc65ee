//! Stemming algorithms.

mod porter;

use rust_stemmers::Algorithm;

use porter::Variant;

use crate::wordnet::{PartOfSpeech, WordNet};

/// The longest word, in bytes, that [`Stemmer::Snowball`] stems: rust-stemmers 1.2 takes quadratic time.
const MAX_STEMMED_BYTES: usize = 1 << 12;

/// A stemming algorithm, by the program it comes from. Every character other than a to z counts as a consonant.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Stemmer {
    /// Snowball's English stemmer ("Porter2", Porter 2001) as of the versions before 3.0: as in snowballstemmer 2.2.0
    /// and METEOR 1.5. (NLTK's port differs on 16 of WordNet's 147,306 lemmas, snowballstemmer 3.1.1 on 171.) Words of
    /// more than 4,096 bytes are left as they are.
    Snowball,
    /// Porter's algorithm as published: Porter 1980, "An algorithm for suffix stripping". NLTK 3.10.4 calls it
    /// `ORIGINAL_ALGORITHM`.
    Porter,
    /// As [`Self::Porter`], with the two rules that Porter's own programs have and the paper lacks. NLTK 3.10.4 calls
    /// it `MARTIN_EXTENSIONS`.
    PorterMartin,
    /// `PorterStemmer` of NLTK 3.10.4 in its default mode, `NLTK_EXTENSIONS`.
    PorterNltk,
    /// rouge-score 0.1.2's stemmer: [`Self::PorterNltk`], for words of more than three letters only.
    RougeScore,
    /// ROUGE-1.5.5's stemmer: for words of more than three letters, WordNet's exceptions, then its own variant of
    /// Porter's algorithm.
    Rouge155,
}

impl Stemmer {
    /// The stem of a lower-case word.
    pub fn stem(self, word: &str) -> String {
        match self {
            Self::Snowball if word.len() > MAX_STEMMED_BYTES => word.to_owned(),
            Self::Snowball => rust_stemmers::Stemmer::create(Algorithm::English).stem(word).into_owned(),
            Self::Porter => porter::stem(word, Variant::Original),
            Self::PorterMartin => porter::stem(word, Variant::Martin),
            Self::PorterNltk => porter::stem(word, Variant::Nltk),
            Self::RougeScore | Self::Rouge155 if word.chars().nth(3).is_none() => word.to_owned(),
            Self::RougeScore => porter::stem(word, Variant::Nltk),
            Self::Rouge155 => rouge155(word),
        }
    }
}

/// Exceptions of WordNet 3.0 that WordNet 2.0, which ROUGE comes with, does not have.
const NEWER: [&str; 5] = ["cognosenti", "halfpence", "lisente", "morses", "staretsy"];

/// ROUGE-1.5.5's stem of a word of more than three letters.
fn rouge155(word: &str) -> String {
    let exception = if NEWER.contains(&word) { None } else { exception(word) };
    exception.unwrap_or_else(|| porter::stem(word, Variant::Rouge155))
}

/// The base form of an exception. ROUGE's list has one per word: that of the last of the files adj, adv, noun and verb
/// that lists the word.
fn exception(word: &str) -> Option<String> {
    let order = |part_of_speech| match part_of_speech {
        PartOfSpeech::Verb => 0,
        PartOfSpeech::Noun => 1,
        PartOfSpeech::Adverb => 2,
        PartOfSpeech::Adjective => 3,
    };
    // `min_by_key` takes the first of equals: a line of a file may list several base forms.
    let base = WordNet::embedded().exceptions(word).min_by_key(|base| order(base.part_of_speech))?;
    Some(base.lemma.into_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    const ALL: [Stemmer; 6] = [
        Stemmer::Snowball,
        Stemmer::Porter,
        Stemmer::PorterMartin,
        Stemmer::PorterNltk,
        Stemmer::RougeScore,
        Stemmer::Rouge155,
    ];

    #[test]
    fn any_text_has_a_stem() {
        for stemmer in ALL {
            assert_eq!(stemmer.stem(""), "");
            for word in ["'s", "\0", "ééd", "😀ing", "中文s"] {
                stemmer.stem(word);
            }
            assert_eq!(stemmer.stem(&"y".repeat(1_000_001)).len(), 1_000_001);
        }
    }

    #[test]
    fn rouge_score_leaves_short_words() {
        assert_eq!(Stemmer::RougeScore.stem("was"), "was");
        assert_eq!(Stemmer::PorterNltk.stem("was"), "wa");
    }

    #[test]
    fn exceptions_come_before_rules() {
        // `ROUGE-1.5.5.pl -n 1 -m` matches each word with its base form.
        for (word, base) in [("better", "well"), ("geese", "goose"), ("axes", "ax"), ("felt", "feel"), ("were", "be")] {
            assert_eq!(Stemmer::Rouge155.stem(word), base);
        }
        assert_eq!(Stemmer::Rouge155.stem("halfpence"), "halfpenc");
    }

    #[test]
    fn short_words_stay() {
        for word in ["", "is", "was", "men", "gas"] {
            assert_eq!(Stemmer::Rouge155.stem(word), word);
        }
    }

    #[test]
    fn step_4_goes_on_after_its_first_suffix() {
        // Stems by ROUGE-1.5.5's own rules.
        for (word, expected) in [("apportionmenter", "apport"), ("aboments", "abom"), ("absurdityying", "absurdityi")] {
            assert_eq!(Stemmer::Rouge155.stem(word), expected);
        }
    }
}
