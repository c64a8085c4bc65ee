//! In: a lower-case word. Out: its stem in ROUGE-1.5.5 (option -m): WordNet's exceptions, then Porter's algorithm.
//! Next: lexicon.

use super::porter::{self, Variant};
use crate::wordnet::{PartOfSpeech, WordNet};

/// Exceptions of WordNet 3.0 that WordNet 2.0, which ROUGE comes with, does not have.
const NEWER: [&str; 5] = ["cognosenti", "halfpence", "lisente", "morses", "staretsy"];

/// The stem of a lower-case word. Words of up to three letters are left as they are.
pub fn stem(word: &str) -> String {
    if word.chars().nth(3).is_none() {
        return word.to_owned();
    }
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

    #[test]
    fn exceptions_come_before_rules() {
        // `ROUGE-1.5.5.pl -n 1 -m` matches each word with its base form.
        for (word, base) in [("better", "well"), ("geese", "goose"), ("axes", "ax"), ("felt", "feel"), ("were", "be")] {
            assert_eq!(stem(word), base);
        }
        assert_eq!(stem("halfpence"), "halfpenc");
    }

    #[test]
    fn short_words_stay() {
        for word in ["", "is", "was", "men", "gas"] {
            assert_eq!(stem(word), word);
        }
    }

    #[test]
    fn step_4_goes_on_after_its_first_suffix() {
        // Stems by ROUGE-1.5.5's own rules.
        for (word, expected) in [("apportionmenter", "apport"), ("aboments", "abom"), ("absurdityying", "absurdityi")] {
            assert_eq!(stem(word), expected);
        }
    }
}
