//! How near two synsets are on the paths of their hypernyms.

use std::collections::BTreeMap;

use super::{PartOfSpeech, SynsetId, WordNet};

/// A synset and all above it, with their distances: keep it to compare one synset with many.
#[derive(Clone, Debug)]
pub struct Ancestors {
    /// Hypernym -> number of steps up to it; the synset itself is at 0.
    distances: BTreeMap<SynsetId, u32>,
    /// One step above the farthest hypernym: a root for the parts of speech that have none in common.
    root: u32,
    is_noun: bool,
}

impl Ancestors {
    /// Path similarity: 1 / (1 + d), in (0, 1]; d is the number of steps on the shortest way from one
    /// synset up to a common hypernym and down to the other. `None` for two nouns that have none in
    /// common; all others meet at a root above every taxonomy. Rada et al. 1989, "Development and
    /// application of a metric on semantic nets"; the root as in NLTK 3.10.4,
    /// `Synset.path_similarity`.
    pub fn path_similarity(&self, other: &Ancestors) -> Option<f64> {
        let common = self.distances.iter().filter_map(|(synset, up)| {
            let down = other.distances.get(synset)?;
            Some(up + down)
        });
        let has_root = !(self.is_noun && other.is_noun);
        let through_root = has_root.then_some(self.root + other.root);
        let distance = common.chain(through_root).min()?;
        Some(1.0 / (1.0 + f64::from(distance)))
    }
}

impl WordNet {
    /// The synset and everything above it.
    pub fn ancestors(&self, synset: SynsetId) -> Ancestors {
        let mut distances = BTreeMap::from([(synset, 0)]);
        let mut level = vec![synset];
        let mut distance = 0;
        while !level.is_empty() {
            distance += 1;
            let above: Vec<SynsetId> = level.iter().flat_map(|&synset| self.hypernyms(synset)).collect();
            level.clear();
            for synset in above {
                // Princeton's own 3.0 has a cycle, restrain.v.01 and inhibit.v.04; Debian's has none.
                distances.entry(synset).or_insert_with(|| {
                    level.push(synset);
                    distance
                });
            }
        }
        let is_noun = self.part_of_speech(synset) == PartOfSpeech::Noun;
        Ancestors { distances, root: distance, is_noun }
    }

    /// [`Ancestors::path_similarity`] of two synsets; 1 for a synset and itself.
    pub fn path_similarity(&self, one: SynsetId, other: SynsetId) -> Option<f64> {
        self.ancestors(one).path_similarity(&self.ancestors(other))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::wordnet::sample::SampleDict;

    fn first(wordnet: &WordNet, lemma: &str, part_of_speech: PartOfSpeech) -> SynsetId {
        wordnet.synsets_of(lemma, part_of_speech).next().expect(lemma)
    }

    #[test]
    fn path_similarity_is_nltks() {
        use PartOfSpeech::{Adjective, Noun, Verb};
        let wordnet = WordNet::embedded();
        // NLTK 3.10.4 with wordnet-base 1:3.0-37: wn.synset("dog.n.01").path_similarity(
        // wn.synset("cat.n.01")), and so on; 1 + the number of steps.
        for (one, part, other, other_part, steps) in [
            ("dog", Noun, "cat", Noun, 5.0),
            ("dog", Noun, "dog", Noun, 1.0),
            ("paris", Noun, "london", Noun, 3.0),
            ("chef", Noun, "fireman", Noun, 16.0),
            ("hit", Verb, "slap", Verb, 7.0),
            ("breathe", Verb, "walk", Verb, 4.0),
            ("good", Adjective, "bad", Adjective, 3.0),
            ("dog", Noun, "walk", Verb, 12.0),
        ] {
            let (one, other) = (first(wordnet, one, part), first(wordnet, other, other_part));
            assert_eq!(wordnet.path_similarity(one, other), Some(1.0 / steps));
            assert_eq!(wordnet.path_similarity(other, one), Some(1.0 / steps));
        }
    }

    #[test]
    fn a_cycle_ends() {
        let sample = SampleDict::new();
        let wordnet = WordNet::from_dict(sample.folder()).expect("the sample");
        let restrain = first(&wordnet, "restrain", PartOfSpeech::Verb);
        let inhibit = first(&wordnet, "inhibit", PartOfSpeech::Verb);
        assert_eq!(wordnet.path_similarity(restrain, inhibit), Some(0.5));
    }

    #[test]
    fn nouns_without_a_common_hypernym_are_not_comparable() {
        let sample = SampleDict::new();
        sample.write(
            "data.noun",
            b"00000101 03 n 01 entity 0 000 | a\n\
              00000102 05 n 02 goose 0 web-footed_bird 0 000 | b\n\
              00000103 15 n 01 paris 0 000 | c\n",
        );
        let wordnet = WordNet::from_dict(sample.folder()).expect("the sample");
        let goose = first(&wordnet, "goose", PartOfSpeech::Noun);
        let paris = first(&wordnet, "paris", PartOfSpeech::Noun);
        assert_eq!(wordnet.path_similarity(goose, paris), None);
        assert_eq!(wordnet.path_similarity(goose, goose), Some(1.0));
    }
}
