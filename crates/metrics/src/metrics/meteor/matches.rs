//! The possible matches between two texts: what METEOR's modules propose, before the [search](super::search) chooses.

use std::collections::VecDeque;
use std::ops::Range;

use rustc_hash::FxHashMap as HashMap;

use super::paraphrases::{Entry, Index};
use super::words::{MeteorTokens, MeteorWord};
use crate::metrics::links::Module;

/// A possible match between words of the reference and of the hypothesis.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Match {
    /// The position of the first word in the reference.
    pub reference: u32,
    /// The number of words in the reference.
    pub reference_length: u32,
    /// The position of the first word in the hypothesis.
    pub hypothesis: u32,
    /// The number of words in the hypothesis.
    pub hypothesis_length: u32,
    /// The index of the module that proposes it among the chosen modules.
    pub module: u8,
}

impl Match {
    /// A match of single words.
    pub fn of_words(reference: u32, hypothesis: u32, module: u8) -> Self {
        Self { reference, reference_length: 1, hypothesis, hypothesis_length: 1, module }
    }

    /// The positions in the reference.
    pub fn in_reference(&self) -> Range<usize> {
        self.reference as usize..(self.reference + self.reference_length) as usize
    }

    /// The positions in the hypothesis.
    pub fn in_hypothesis(&self) -> Range<usize> {
        self.hypothesis as usize..(self.hypothesis + self.hypothesis_length) as usize
    }
}

/// The largest number of possible matches that are listed, as for 512 equal words in both texts: the search then takes
/// about 100 ms and 20 MB.
pub(super) const MAX_MATCHES: usize = 1 << 18;

/// All matches that the modules propose, ordered by the first word in the reference, then by module, then by the first
/// word in the hypothesis; among paraphrases, those that the table lists for a phrase of the reference come first, in
/// the table's order.
#[derive(Debug, Default, PartialEq)]
pub(super) struct Proposals {
    /// The matches.
    pub matches: Vec<Match>,
    /// The index of the first match of each reference word; one more element for the end.
    pub first: Vec<usize>,
}

impl Proposals {
    /// The matches of all modules; `None` if there are more than [`MAX_MATCHES`].
    ///
    /// If the two texts are equal, only the first module is used, whichever it is.
    pub fn new(hypothesis: &MeteorTokens, reference: &MeteorTokens, modules: &[Module]) -> Option<Self> {
        let modules = if are_equal(hypothesis, reference) { &modules[..modules.len().min(1)] } else { modules };
        let paraphrases = match modules.iter().zip(0..).find(|(module, _)| **module == Module::Paraphrase) {
            Some((_, number)) => paraphrase_matches(hypothesis, reference, number)?,
            None => Vec::new(),
        };
        let mut paraphrases = paraphrases.into_iter().peekable();
        let index = index(hypothesis, modules);
        let mut proposals =
            Self { matches: Vec::with_capacity(64), first: Vec::with_capacity(reference.words.len() + 1) };
        let Self { matches, first } = &mut proposals;
        let mut positions: Vec<u32> = Vec::new();
        for (word, reference) in reference.words.iter().zip(0..) {
            first.push(matches.len());
            let differs = |position: &u32| hypothesis.words[*position as usize].key != word.key;
            for (module, number) in modules.iter().zip(0..) {
                let of_word = |hypothesis| Match::of_words(reference, hypothesis, number);
                match module {
                    Module::Exact => matches.extend(index.get(key_of(word)).map(of_word)),
                    Module::Stem => matches.extend(index.get(stem_of(word)).filter(differs).map(of_word)),
                    Module::Synonym => {
                        for &synset in &word.synsets {
                            positions.extend(index.get(u64::from(synset)).filter(differs));
                        }
                        if !positions.is_empty() {
                            positions.sort_unstable();
                            positions.dedup();
                            matches.extend(positions.drain(..).map(of_word));
                        }
                    }
                    Module::Paraphrase => {
                        while let Some(matched) = paraphrases.next_if(|matched| matched.reference == reference) {
                            matches.push(matched);
                        }
                    }
                }
            }
            if matches.len() > MAX_MATCHES {
                return None;
            }
        }
        first.push(matches.len());
        Some(proposals)
    }
}

/// All matches of phrases, ordered by the first word in the reference; for each, first the matches by an entry for the
/// phrase of the reference, then those by an entry for the phrase of the hypothesis. `None` if there are too many.
fn paraphrase_matches(hypothesis: &MeteorTokens, reference: &MeteorTokens, module: u8) -> Option<Vec<Match>> {
    let mut matches = Vec::new();
    if let (Some(hypothesis), Some(reference)) = (&hypothesis.phrases, &reference.phrases) {
        let mut add = |(reference, reference_length), (hypothesis, hypothesis_length)| {
            matches.push(Match { reference, reference_length, hypothesis, hypothesis_length, module });
            matches.len() <= MAX_MATCHES
        };
        let is_whole = reference.each_paraphrase(hypothesis, &mut add)
            && hypothesis.each_paraphrase(reference, |phrase, paraphrase| add(paraphrase, phrase));
        if !is_whole {
            return None;
        }
    }
    matches.sort_by_key(|matched| matched.reference);
    Some(matches)
}

fn are_equal(one: &MeteorTokens, other: &MeteorTokens) -> bool {
    one.words.iter().map(|word| word.key).eq(other.words.iter().map(|word| word.key))
}

/// The positions of the words by all that the modules compare: keys, stems and synsets.
fn index(text: &MeteorTokens, modules: &[Module]) -> Index {
    let has_synonyms = modules.contains(&Module::Synonym);
    let synsets = |word: &MeteorWord| if has_synonyms { word.synsets.len() } else { 0 };
    let mut entries = Vec::with_capacity(text.words.iter().map(|word| 2 + synsets(word)).sum());
    for (word, position) in text.words.iter().zip(0..) {
        entries.push(Entry::new(key_of(word), position));
        entries.push(Entry::new(stem_of(word), position));
        entries.extend(word.synsets[..synsets(word)].iter().map(|&synset| Entry::new(synset.into(), position)));
    }
    Index::new(entries)
}

/// The word's key, other than the stem or synset of any word.
fn key_of(word: &MeteorWord) -> u64 {
    1 << 32 | u64::from(word.key as u32)
}

/// The word's stem, other than the key or synset of any word.
fn stem_of(word: &MeteorWord) -> u64 {
    2 << 32 | u64::from(word.stem as u32)
}

/// A matching without a search, for texts that are too long for it: equal words are matched in order, then words with
/// equal stems.
pub(super) fn in_order(hypothesis: &MeteorTokens, reference: &MeteorTokens, modules: &[Module]) -> Vec<Match> {
    let mut is_used = (vec![false; hypothesis.words.len()], vec![false; reference.words.len()]);
    let mut matches = Vec::new();
    for (module, number) in modules.iter().zip(0..) {
        let key: fn(&MeteorWord) -> i32 = match module {
            Module::Exact => |word| word.key,
            Module::Stem => |word| word.stem,
            Module::Synonym | Module::Paraphrase => continue,
        };
        let mut free: HashMap<i32, VecDeque<u32>> = HashMap::default();
        for (word, position) in hypothesis.words.iter().zip(0..).filter(|(_, at)| !is_used.0[*at as usize]) {
            free.entry(key(word)).or_default().push_back(position);
        }
        for (word, position) in reference.words.iter().zip(0..) {
            if is_used.1[position as usize] {
                continue;
            }
            if let Some(other) = free.get_mut(&key(word)).and_then(VecDeque::pop_front) {
                (is_used.0[other as usize], is_used.1[position as usize]) = (true, true);
                matches.push(Match::of_words(position, other, number));
            }
        }
    }
    matches.sort_unstable_by_key(|matched| matched.reference);
    matches
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::super::paraphrases::ParaphraseTable;
    use super::super::tokenizer::Normalization;
    use super::super::words::MeteorView;
    use super::*;
    use crate::text::{CustomView, Lexicon};
    use crate::wordnet::WordNet;
    use proptest::prelude::*;

    /// The tokens of each text.
    fn tokens<const N: usize>(texts: [&str; N]) -> [MeteorTokens; N] {
        tokens_with(None, texts)
    }

    fn tokens_with<const N: usize>(paraphrases: Option<Arc<ParaphraseTable>>, texts: [&str; N]) -> [MeteorTokens; N] {
        let mut lexicon = Lexicon::new(WordNet::embedded());
        let view = MeteorView { normalization: Normalization::Words, paraphrases };
        texts.map(|text| view.prepare(text, &mut lexicon))
    }

    #[test]
    fn phrases_are_found_with_their_positions() {
        // Position and length in the reference, position and length in the hypothesis.
        let found = |hypothesis: &str, reference: &str| -> Vec<[u32; 4]> {
            let [one, other] = tokens_with(Some(ParaphraseTable::embedded()), [hypothesis, reference]);
            let numbers =
                |found: Match| [found.reference, found.reference_length, found.hypothesis, found.hypothesis_length];
            paraphrase_matches(&one, &other, 3).unwrap().into_iter().map(numbers).collect()
        };
        // "a lot of" and "much", which the table has in one direction only.
        assert!(found("on much work", "on a lot of work").contains(&[1, 3, 1, 1]));
        assert!(found("on a lot of work", "on much work").contains(&[1, 1, 1, 3]));
        assert!(found("the cat", "an aeroplane").is_empty());
        assert!(found("", "").is_empty());
    }

    proptest! {
        #[test]
        fn words_match_where_anything_is_equal(
            words in prop::collection::vec("car|cars|auto|automobile|run|runs|ran|the|[ab]", 0..30), cut in 0_usize..30,
        ) {
            let (one, other) = words.split_at(cut.min(words.len()));
            let [one, other] = tokens([&one.join(" "), &other.join(" ")]);
            let mut expected = Vec::new();
            for (reference, r) in other.words.iter().zip(0..) {
                let mut add = |module: u8, is_match: &dyn Fn(&MeteorWord) -> bool| {
                    let all = one.words.iter().zip(0..).filter(|(word, _)| is_match(word));
                    expected.extend(all.map(|(_, h)| Match::of_words(r, h, module)));
                };
                add(0, &|word| word.key == reference.key);
                if !are_equal(&one, &other) {
                    add(1, &|word| word.key != reference.key && word.stem == reference.stem);
                    let is_shared = |word: &MeteorWord| word.synsets.iter().any(|sense| reference.synsets.contains(sense));
                    add(2, &|word| word.key != reference.key && is_shared(word));
                }
            }
            prop_assert_eq!(Proposals::new(&one, &other, &Module::ALL[..3]).unwrap().matches, expected);
        }
    }

    #[test]
    fn repeated_words_are_not_listed_beyond_the_bound() {
        let are_listed = |[one, other]: [(&str, usize); 2]| {
            let [one, other] = tokens([&one.0.repeat(one.1), &other.0.repeat(other.1)]);
            Proposals::new(&one, &other, &Module::ALL[..3]).is_some()
        };
        assert!(are_listed([("the ", 500), ("the ", 501)]));
        assert!(!are_listed([("the ", 513), ("the ", 514)]));
        assert!(!are_listed([("the ", 60), ("the ", 5_000)]));
        assert!(!are_listed([("car ", 600), ("car auto ", 500)]));
    }
}
