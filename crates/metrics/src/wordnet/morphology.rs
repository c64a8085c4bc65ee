//! From an inflected word to its base forms: WordNet's morphy, as in NLTK.
//!
//! For each part of speech the exception list is consulted first, and the rules only if the word is not in it; only
//! candidates that are lemmas of that part of speech count. Source: morphy(7WN), in the variant of NLTK 3.10.4
//! (`WordNetCorpusReader._morphy`), which tries all rules and does not split collocations.

use std::borrow::Cow;

use super::format::MAX_WORD_BYTES;
use super::{PartOfSpeech, SynsetId, Synsets, WordNet};

/// A lemma that a word may be a form of.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BaseForm<'a> {
    /// Lower-case, spaces as underscores.
    pub lemma: Cow<'a, str>,
    /// The part of speech that the form is read as.
    pub part_of_speech: PartOfSpeech,
}

/// Each rule replaces a suffix by the ending of the base form.
fn rules(part_of_speech: PartOfSpeech) -> &'static [(&'static str, &'static str)] {
    match part_of_speech {
        PartOfSpeech::Noun => &[
            ("s", ""),
            ("ses", "s"),
            ("ves", "f"),
            ("xes", "x"),
            ("zes", "z"),
            ("ches", "ch"),
            ("shes", "sh"),
            ("men", "man"),
            ("ies", "y"),
        ],
        PartOfSpeech::Verb => {
            &[("s", ""), ("ies", "y"), ("es", "e"), ("es", ""), ("ed", "e"), ("ed", ""), ("ing", "e"), ("ing", "")]
        }
        PartOfSpeech::Adjective => &[("er", ""), ("est", ""), ("er", "e"), ("est", "e")],
        PartOfSpeech::Adverb => &[],
    }
}

/// A base form with the synsets of its lemma for all parts of speech, so that the lemma is looked up only once.
struct Analysis<'a> {
    base: BaseForm<'a>,
    senses: Synsets<'a>,
}

impl WordNet {
    /// The lemmas that `word` (lower-case) may be a form of, by part of speech: the word itself if it is a lemma, then
    /// the results of the exception list or the rules. The first one is the result of NLTK's `morphy`. Empty for a word
    /// that WordNet does not know.
    pub fn base_forms<'a>(&'a self, word: &'a str) -> Vec<BaseForm<'a>> {
        self.analyses(word).into_iter().map(|analysis| analysis.base).collect()
    }

    /// The synsets of all base forms of `word` (lower-case), ascending and without duplicates: the set that NLTK's
    /// `wordnet.synsets(word)` lists. Empty for a word that WordNet does not know.
    pub fn word_synsets(&self, word: &str) -> Vec<SynsetId> {
        let mut synsets: Vec<SynsetId> = Vec::new();
        for Analysis { base, senses } in self.analyses(word) {
            synsets.extend(senses.filter(|&synset| self.part_of_speech(synset) == base.part_of_speech));
        }
        synsets.sort_unstable();
        synsets.dedup();
        synsets
    }

    /// The base forms of `word` in the exception lists of all parts of speech, whether or not they are lemmas.
    pub fn exceptions<'a>(&'a self, word: &str) -> impl Iterator<Item = BaseForm<'a>> + use<'a> {
        let place = self.0.exceptions.get(word).and_then(|place| usize::try_from(place).ok());
        let bytes = place.and_then(|place| self.0.base_forms.get(place..)).unwrap_or_default();
        let line = bytes.split(|&byte| byte == b'\n').next().unwrap_or_default();
        line.split(|&byte| byte == b' ').filter_map(|token| {
            let (letter, lemma) = token.split_first()?;
            let part_of_speech = PartOfSpeech::from_letter(char::from(*letter))?;
            Some(BaseForm { lemma: str::from_utf8(lemma).ok()?.into(), part_of_speech })
        })
    }

    fn analyses<'a>(&'a self, word: &'a str) -> Vec<Analysis<'a>> {
        let mut analyses: Vec<Analysis<'a>> = Vec::new();
        if word.len() > MAX_WORD_BYTES {
            return analyses;
        }
        let own_senses = self.synsets(word);
        let exceptions: Vec<BaseForm<'a>> = self.exceptions(word).collect();
        for part_of_speech in PartOfSpeech::ALL {
            let mut add = |lemma: Cow<'a, str>, senses: Synsets<'a>| {
                let base = BaseForm { lemma, part_of_speech };
                let mut parts = senses.clone().map(|synset| self.part_of_speech(synset));
                let is_lemma = parts.any(|part| part == part_of_speech);
                if is_lemma && analyses.iter().all(|other| other.base != base) {
                    analyses.push(Analysis { base, senses });
                }
            };
            add(word.into(), own_senses.clone());
            let listed = exceptions.iter().filter(|base| base.part_of_speech == part_of_speech);
            let candidates: Vec<Cow<'a, str>> = listed.map(|base| base.lemma.clone()).collect();
            let candidates = if candidates.is_empty() { apply_rules(word, part_of_speech) } else { candidates };
            for lemma in candidates {
                let senses = self.synsets(&lemma);
                add(lemma, senses);
            }
        }
        analyses
    }
}

/// The results of all matching rules, whether or not they are words.
fn apply_rules<'a>(word: &str, part_of_speech: PartOfSpeech) -> Vec<Cow<'a, str>> {
    let replaced = |&(suffix, ending): &(&str, &str)| Some([word.strip_suffix(suffix)?, ending].concat().into());
    rules(part_of_speech).iter().filter_map(replaced).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(bases: impl IntoIterator<Item = BaseForm<'static>>) -> String {
        let shown = bases.into_iter().map(|base| format!("{}:{}", base.part_of_speech.letter(), base.lemma));
        shown.collect::<Vec<_>>().join(" ")
    }

    /// Word, its base forms, and the number of its distinct synsets.
    // NLTK 3.10.4 with wordnet-base 1:3.0-37:
    // [p + ":" + f for p in "nvar" for f in wn._morphy(word, p)], len(set(wn.synsets(word)))
    const GOLDEN: [(&str, &str, usize); 20] = [
        ("dogs", "n:dog v:dog", 8),
        ("churches", "n:church v:church", 5),
        ("aardwolves", "n:aardwolf", 1),
        ("abaci", "n:abacus", 2),
        ("geese", "n:goose", 3),
        ("axes", "n:ax n:axis v:axe v:ax", 9),
        ("better", "n:better v:better a:better a:good a:well r:better r:well", 49),
        ("falling", "v:fall a:falling", 35),
        ("called", "v:call", 28),
        ("kissed", "v:kiss", 2),
        ("men", "n:men n:man", 12),
        ("leaves", "n:leaf n:leave v:leave", 20),
        ("running", "n:running v:run a:running", 52),
        ("saw", "n:saw v:saw v:see", 28),
        ("happiest", "a:happy", 4),
        ("bases", "n:base n:basis v:base", 24),
        ("involucra", "", 0),
        ("hardrock", "", 0),
        ("ing", "", 0),
        ("", "", 0),
    ];

    #[test]
    fn base_forms_and_synsets_are_nltks() {
        for (word, bases, synsets) in GOLDEN {
            assert_eq!(shown(WordNet::embedded().base_forms(word)), bases, "{word}");
            assert_eq!(WordNet::embedded().word_synsets(word).len(), synsets, "{word}");
        }
    }

    #[test]
    fn synsets_of_a_word_ascend() {
        let synsets = WordNet::embedded().word_synsets("bases");
        assert!(synsets.is_sorted_by(|one, other| one < other));
    }

    #[test]
    fn exceptions_need_not_be_lemmas() {
        // grep -hw ^involucra /usr/share/wordnet/noun.exc; and so on, wordnet-base 1:3.0-37.
        let exceptions = |word| shown(WordNet::embedded().exceptions(word));
        assert_eq!(exceptions("involucra"), "n:involucrum");
        assert_eq!(exceptions("better"), "a:good a:well r:well");
        assert_eq!(exceptions("dogs"), "");
    }

    #[test]
    fn words_longer_than_any_lemma_have_no_base_forms() {
        for word in ["s".repeat(MAX_WORD_BYTES), "dogs".repeat(1_000_000), "\u{1f600}es".into()] {
            assert!(WordNet::embedded().base_forms(&word).is_empty());
        }
    }
}
