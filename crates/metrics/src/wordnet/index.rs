//! Opens an index and looks up lemmas and synsets in it.
//!
//! Nothing is parsed when an index is opened: the sections stay bytes, and every look-up decodes the few that it needs.
//! All reads are bounds-checked, so an unknown word or number gives an empty result.

use std::borrow::Cow;
use std::fmt;
use std::sync::{Arc, LazyLock};

use fst::Streamer;

use super::format::{Header, Run, RunTable, Section, WIDTH, invalid_index};
use super::{LemmaId, PartOfSpeech, SynsetId};
use crate::error::Result;

/// The index of [`WordNet::embedded`].
#[cfg(feature = "wordnet")]
const EMBEDDED_BYTES: &[u8] = include_bytes!("../../data/wordnet/wordnet-3.0.idx");
#[cfg(not(feature = "wordnet"))]
const EMBEDDED_BYTES: &[u8] = include_bytes!("../../data/wordnet/empty.idx");

static EMBEDDED: LazyLock<WordNet> = LazyLock::new(|| {
    // The bytes are compiled in, and a test opens them: no input can reach this panic.
    WordNet::open(Cow::Borrowed(EMBEDDED_BYTES)).unwrap_or_else(|error| panic!("built-in {error}"))
});

/// The lemmas, synsets and inflections of one version of WordNet. A clone shares the index.
#[derive(Clone)]
pub struct WordNet(pub(super) Arc<Index>);

/// The part of a [`WordNet`] that clones share.
pub(super) struct Index {
    header: Header,
    /// The number of the first synset of each part of speech.
    first: [u32; 4],
    /// Lemma -> position of its run in `senses`.
    lemmas: fst::Map<Section>,
    /// Runs of synsets, each ordered by part of speech, then by sense.
    senses: Section,
    /// Inflected word -> position of its line in `base_forms`.
    pub(super) exceptions: fst::Map<Section>,
    pub(super) base_forms: Section,
    /// Synset -> positions of its lemmas in `senses`.
    members: RunTable,
}

/// The size of a WordNet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Counts {
    /// Distinct words and collocations, regardless of part of speech.
    pub lemmas: usize,
    /// Synsets of all parts of speech.
    pub synsets: usize,
    /// Pairs of a lemma and one of its synsets.
    pub senses: usize,
    /// Distinct inflected words in the exception lists.
    pub exceptions: usize,
}

/// Synsets in stored order, decoded on demand.
#[derive(Clone, Debug)]
pub struct Synsets<'a>(Run<'a>);

impl Iterator for Synsets<'_> {
    type Item = SynsetId;

    fn next(&mut self) -> Option<SynsetId> {
        self.0.next().map(SynsetId)
    }
}

impl WordNet {
    /// The WordNet 3.0 that is compiled into the program; without the cargo feature `wordnet`, an index without words.
    pub fn embedded() -> &'static WordNet {
        &EMBEDDED
    }

    /// Opens an index, after comparing its checksum.
    pub fn from_bytes(bytes: Cow<'static, [u8]>) -> Result<WordNet> {
        Header::read(&bytes)?.verify(&bytes)?;
        WordNet::open(bytes)
    }

    fn open(bytes: Section) -> Result<WordNet> {
        let header = Header::read(&bytes)?;
        let sections = header.sections().map(|range| match &bytes {
            Cow::Borrowed(bytes) => Cow::Borrowed(&bytes[range]),
            Cow::Owned(bytes) => Cow::Owned(bytes[range].to_vec()),
        });
        let [lemmas, senses, exceptions, base_forms, heads, tails] = sections;
        let members = RunTable { heads, tails };
        let synsets: usize = header.synsets.iter().map(|&count| count as usize).sum();
        if members.heads.len() != synsets.saturating_mul(WIDTH) {
            let found = format!("{} bytes", members.heads.len());
            return Err(invalid_index(format!("a row for each of {synsets} synsets"), found));
        }
        let (lemmas, exceptions) = (string_map(lemmas)?, string_map(exceptions)?);
        let [nouns, verbs, adjectives, _] = header.synsets;
        let first = [0, nouns, nouns + verbs, nouns + verbs + adjectives];
        Ok(WordNet(Arc::new(Index { header, first, lemmas, senses, exceptions, base_forms, members })))
    }

    /// The version of WordNet: `3.0`.
    pub fn version(&self) -> &str {
        &self.0.header.wordnet_version
    }

    /// A checksum of the contents, for use in signatures: different contents have different values.
    pub fn fingerprint(&self) -> u64 {
        self.0.header.checksum
    }

    /// The number of lemmas, synsets, senses and exceptions.
    pub fn counts(&self) -> Counts {
        Counts {
            lemmas: self.0.lemmas.len(),
            synsets: self.0.header.synsets.iter().map(|&count| count as usize).sum(),
            senses: self.0.senses.len() / WIDTH,
            exceptions: self.0.exceptions.len(),
        }
    }

    /// Whether WordNet has `lemma` (lower-case, spaces as underscores).
    pub fn contains(&self, lemma: &str) -> bool {
        self.0.lemmas.contains_key(lemma)
    }

    /// The number of this lemma (lower-case, spaces as underscores), if WordNet has it.
    pub fn lemma_id(&self, lemma: &str) -> Option<LemmaId> {
        self.0.lemmas.get(lemma).map(LemmaId)
    }

    /// The synsets of exactly this lemma (lower-case, spaces as underscores): nouns, verbs, adjectives, then adverbs,
    /// each in the order of senses. Empty for any other text.
    pub fn synsets(&self, lemma: &str) -> Synsets<'_> {
        let place = self.0.lemmas.get(lemma);
        Synsets(place.map(|place| Run::at(&self.0.senses, place)).unwrap_or_default())
    }

    /// The part of speech of a synset of this WordNet.
    pub fn part_of_speech(&self, synset: SynsetId) -> PartOfSpeech {
        let [_, verb, adjective, adverb] = self.0.first;
        match synset.0 {
            number if number < verb => PartOfSpeech::Noun,
            number if number < adjective => PartOfSpeech::Verb,
            number if number < adverb => PartOfSpeech::Adjective,
            _ => PartOfSpeech::Adverb,
        }
    }

    /// The lemmas of a synset, in the order in which WordNet lists them, lower-case.
    pub fn members(&self, synset: SynsetId) -> impl Iterator<Item = String> {
        let places = self.member_ids(synset).map(|lemma| lemma.0);
        places.filter_map(|place| self.0.lemmas.as_fst().get_key(place)).filter_map(utf8)
    }

    /// The numbers of the lemmas of a synset, in the same order; cheaper than [`members`](Self::members), which spells
    /// them out.
    pub fn member_ids(&self, synset: SynsetId) -> impl Iterator<Item = LemmaId> {
        self.0.members.get(synset.0).map(|place| LemmaId(u64::from(place)))
    }

    /// Every lemma, in byte order.
    pub fn lemmas(&self) -> impl Iterator<Item = String> {
        let mut keys = self.0.lemmas.keys();
        std::iter::from_fn(move || keys.next().map(<[u8]>::to_vec)).filter_map(utf8)
    }
}

impl fmt::Debug for WordNet {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("WordNet").field("header", &self.0.header).finish_non_exhaustive()
    }
}

fn string_map(section: Section) -> Result<fst::Map<Section>> {
    fst::Map::new(section).map_err(|error| invalid_index("a map of words made by fst 0.4", error.to_string()))
}

fn utf8(bytes: Vec<u8>) -> Option<String> {
    String::from_utf8(bytes).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    const BYTES: &[u8] = include_bytes!("../../data/wordnet/wordnet-3.0.idx");

    /// Words that no WordNet has.
    fn strange_words() -> Vec<String> {
        let words = ["", " ", "\0", "_", "ing", "\u{1f600}", "\u{1f600}s", "dog\0", "\u{301}es"];
        let long = ["x".repeat(100_000), "s".repeat(300), "dog_".repeat(5_000)];
        words.into_iter().map(str::to_owned).chain(long).collect()
    }

    #[test]
    fn the_embedded_index_is_whole() {
        let wordnet = WordNet::from_bytes(Cow::Borrowed(BYTES)).expect("the committed index");
        assert_eq!(wordnet.fingerprint(), WordNet::embedded().fingerprint());
    }

    #[test]
    fn it_holds_as_much_as_the_dict_folder() {
        // Lines of index.*, data.* (distinct lemmas) and *.exc (distinct words) of wordnet-base 1:3.0-37. NLTK 3.10.4:
        // len(set(wn.all_lemma_names())) == 147306.
        let counts = Counts { lemmas: 147_306, synsets: 117_659, senses: 206_941, exceptions: 5_940 };
        assert_eq!(WordNet::embedded().counts(), counts);
        assert_eq!(WordNet::embedded().lemmas().count(), counts.lemmas);
        assert_eq!(WordNet::embedded().version(), "3.0");
    }

    #[test]
    fn every_sense_leads_to_a_synset_with_that_member() {
        let wordnet = WordNet::embedded();
        for lemma in wordnet.lemmas().step_by(23) {
            assert!(wordnet.contains(&lemma) && wordnet.synsets(&lemma).next().is_some());
            for synset in wordnet.synsets(&lemma) {
                assert!(wordnet.members(synset).any(|member| member == lemma), "{lemma}");
            }
        }
    }

    #[test]
    fn synsets_come_by_part_of_speech_and_then_by_sense() {
        let wordnet = WordNet::embedded();
        let parts = wordnet.synsets("well").map(|synset| wordnet.part_of_speech(synset).letter());
        // NLTK 3.10.4: "".join(len(wn._lemma_pos_offset_map["well"].get(p, [])) * p for p in "nvar")
        assert_eq!(parts.collect::<String>(), "nnnnnvaaarrrrrrrrrrrrr");
        let first = wordnet.synsets("dog").next().expect("dog");
        // NLTK 3.10.4: wn.synset("dog.n.01").lemma_names().
        let members: Vec<_> = wordnet.members(first).collect();
        assert_eq!(members, ["dog", "domestic_dog", "canis_familiaris"]);
    }

    #[test]
    fn strange_words_and_numbers_are_empty() {
        let wordnet = WordNet::embedded();
        for word in strange_words() {
            assert!(!wordnet.contains(&word));
            assert_eq!(wordnet.synsets(&word).next(), None);
            assert_eq!(wordnet.exceptions(&word).next(), None);
        }
        for synset in [117_659, 1 << 23, u32::MAX].map(SynsetId) {
            assert_eq!(wordnet.members(synset).next(), None);
            assert_eq!(wordnet.part_of_speech(synset), PartOfSpeech::Adverb);
        }
    }

    #[test]
    fn damaged_bytes_are_refused() {
        for place in (0..80).chain((80..BYTES.len()).step_by(100_003)) {
            let mut bytes = BYTES.to_vec();
            bytes[place] ^= 1;
            assert!(WordNet::from_bytes(Cow::Owned(bytes)).is_err(), "byte {place}");
        }
    }

    #[test]
    fn damaged_lists_mislead_but_never_panic() {
        let [_, senses, _, forms, members, member_tails] = Header::read(BYTES).expect("the index").sections();
        let mut bytes = BYTES.to_vec();
        for list in [senses, forms, members, member_tails] {
            list.step_by(1009).for_each(|place| bytes[place] ^= 0xff);
        }
        let wordnet = WordNet::open(Cow::Owned(bytes)).expect("a whole header");
        let words = WordNet::embedded().lemmas().step_by(7).chain(["geese".to_owned(), "better".to_owned()]);
        for synset in words.flat_map(|word| wordnet.word_synsets(&word)) {
            wordnet.members(synset).for_each(drop);
        }
    }
}
