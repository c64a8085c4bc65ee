//! Stage 2c. ROUGE-1.5.5's stems (its option -m): WordNet's exceptions, then Porter's algorithm. Next: lexicon.

use super::porter::{self, Variant};
use crate::wordnet::{PartOfSpeech, WordNet};

/// Exceptions of WordNet 3.0 that were none in WordNet 2.0, with which ROUGE comes.
const NEWER: [&str; 5] = ["cognosenti", "halfpence", "lisente", "morses", "staretsy"];

/// The stem of a lower-case word. Words of up to three letters stay as they are.
pub fn stem(word: &str) -> String {
    if word.chars().nth(3).is_none() {
        return word.to_owned();
    }
    let exception = if NEWER.contains(&word) { None } else { exception(word) };
    exception.unwrap_or_else(|| porter::stem(word, Variant::Rouge155))
}

/// ROUGE's list gives a word one base form: that of the last file to have one, of adj, adv, noun and verb.
fn exception(word: &str) -> Option<String> {
    let order = |part_of_speech| match part_of_speech {
        PartOfSpeech::Verb => 0,
        PartOfSpeech::Noun => 1,
        PartOfSpeech::Adverb => 2,
        PartOfSpeech::Adjective => 3,
    };
    // The first of equals: a line of a file may give several base forms.
    let base = WordNet::embedded().exceptions(word).min_by_key(|base| order(base.part_of_speech))?;
    Some(base.lemma.into_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn exceptions_come_before_rules() {
        // ROUGE-1.5.5.pl -n 1 -m finds one word against the other.
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
        // What ROUGE-1.5.5's own rules give.
        for (word, expected) in [("apportionmenter", "apport"), ("aboments", "abom"), ("absurdityying", "absurdityi")] {
            assert_eq!(stem(word), expected);
        }
    }
}
