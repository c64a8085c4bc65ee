//! All matches that the modules propose.

use super::bits;
use super::builtin;
use super::parameters::Module;
use super::paraphrase::ParaphraseTable;
use crate::text::{MeteorTokens, overlap};

/// Words of the reference that may stand for words of the hypothesis.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Match {
    /// The place of the first word in the reference.
    pub reference: u32,
    /// How many words of the reference.
    pub reference_length: u32,
    /// The place of the first word in the hypothesis.
    pub hypothesis: u32,
    /// How many words of the hypothesis.
    pub hypothesis_length: u32,
    /// The place of the module that proposes it among the modules chosen.
    pub module: u8,
}

impl Match {
    /// One word each.
    pub(super) fn of_words(reference: u32, hypothesis: u32, module: u8) -> Self {
        Self { reference, reference_length: 1, hypothesis, hypothesis_length: 1, module }
    }

    /// Place and number of words of a phrase of the reference, and of one of the hypothesis.
    fn of_phrases(reference: (u32, u32), hypothesis: (u32, u32), module: u8) -> Self {
        let ((reference, reference_length), (hypothesis, hypothesis_length)) = (reference, hypothesis);
        Self { reference, reference_length, hypothesis, hypothesis_length, module }
    }

    /// The places in the reference.
    pub(super) fn in_reference(&self) -> std::ops::Range<usize> {
        self.reference as usize..(self.reference + self.reference_length) as usize
    }

    /// The places in the hypothesis.
    pub(super) fn in_hypothesis(&self) -> std::ops::Range<usize> {
        self.hypothesis as usize..(self.hypothesis + self.hypothesis_length) as usize
    }
}

/// More possible matches than this are not listed.
pub(super) const MOST_MATCHES: usize = 1 << 22;

/// Every match that a module proposes, ordered by the first word in the reference, then module, then the first word in the
/// hypothesis; of paraphrases first those that the table has for a phrase of the reference, in its order.
#[derive(Debug, Default)]
pub(super) struct Proposals {
    /// The matches.
    pub matches: Vec<Match>,
    /// Where those of each word of the reference begin; one more element for the end.
    pub first: Vec<usize>,
}

/// What the modules compare.
pub(super) struct Texts<'a> {
    pub hypothesis: &'a MeteorTokens,
    pub reference: &'a MeteorTokens,
}

impl Proposals {
    /// Lists the matches of all modules; None if there are more than [`MOST_MATCHES`].
    ///
    /// Where all words are equal only the first module is asked, be it the exact one or not.
    pub fn of(
        hypothesis: &MeteorTokens,
        reference: &MeteorTokens,
        modules: &[Module],
        table: Option<&ParaphraseTable>,
    ) -> Option<Self> {
        let modules = if hypothesis.keys == reference.keys { &modules[..modules.len().min(1)] } else { modules };
        if hypothesis.len() > overlap::CAPACITY {
            return Self::listed(hypothesis, reference, modules, table);
        }
        let texts = Texts { hypothesis, reference };
        let paraphrases = modules.iter().zip(0..).find(|(module, _)| **module == Module::Paraphrase);
        let paraphrases = paraphrases.map_or(Some(Vec::new()), |(_, number)| texts.paraphrases(table, number))?;
        let proposals = bits::proposals(hypothesis, reference, modules, &paraphrases);
        (proposals.matches.len() <= MOST_MATCHES).then_some(proposals)
    }

    /// The same for texts of any length and for all modules.
    pub(super) fn listed(
        hypothesis: &MeteorTokens,
        reference: &MeteorTokens,
        modules: &[Module],
        table: Option<&ParaphraseTable>,
    ) -> Option<Self> {
        let texts = Texts { hypothesis, reference };
        let mut found: [Vec<Match>; 4] = Default::default();
        for ((module, number), found) in modules.iter().zip(0..).zip(&mut found) {
            *found = match module {
                Module::Exact => texts.exact(number),
                Module::Stem => texts.stems(number),
                Module::Synonym => texts.synonyms(number),
                Module::Paraphrase => texts.paraphrases(table, number),
            }?;
        }
        (found.iter().map(Vec::len).sum::<usize>() <= MOST_MATCHES).then(|| Self::merge(&found, reference.len()))
    }

    fn merge(found: &[Vec<Match>; 4], words: usize) -> Self {
        let mut proposals = Self { matches: Vec::new(), first: Vec::with_capacity(words + 1) };
        let mut rest = found.each_ref().map(Vec::as_slice);
        for place in 0..words {
            proposals.first.push(proposals.matches.len());
            for matches in &mut rest {
                let count = matches.iter().take_while(|found| found.reference as usize == place).count();
                let (here, after) = matches.split_at(count);
                proposals.matches.extend_from_slice(here);
                *matches = after;
            }
        }
        proposals.first.push(proposals.matches.len());
        proposals
    }
}

impl Texts<'_> {
    fn exact(&self, module: u8) -> Option<Vec<Match>> {
        self.equal(&self.hypothesis.by_key(), &self.reference.keys, |_, _| true, module)
    }

    fn stems(&self, module: u8) -> Option<Vec<Match>> {
        self.equal(&self.hypothesis.by_stem(), &self.reference.stems, |texts, pair| !texts.are_equal(pair), module)
    }

    fn paraphrases(&self, table: Option<&ParaphraseTable>, module: u8) -> Option<Vec<Match>> {
        match table {
            Some(table) => table.matches(self.hypothesis, self.reference, module),
            None => self.short_paraphrases(module),
        }
    }

    /// Ordered as those of a [`ParaphraseTable`].
    pub(super) fn short_paraphrases(&self, module: u8) -> Option<Vec<Match>> {
        let mut matches = Vec::new();
        builtin::find(&self.reference.ids, &self.hypothesis.ids, &mut |found| {
            matches.push(Match::of_phrases(found.phrase, found.paraphrase, module));
            matches.len() <= MOST_MATCHES
        })?;
        builtin::find(&self.hypothesis.ids, &self.reference.ids, &mut |found| {
            matches.push(Match::of_phrases(found.paraphrase, found.phrase, module));
            matches.len() <= MOST_MATCHES
        })?;
        matches.sort_by_key(|found| found.reference);
        Some(matches)
    }

    fn are_equal(&self, (reference, hypothesis): (u32, u32)) -> bool {
        self.reference.keys[reference as usize] == self.hypothesis.keys[hypothesis as usize]
    }

    /// `sorted` has the keys of the hypothesis with their places.
    fn equal(
        &self,
        sorted: &[(i32, u32)],
        keys: &[i32],
        wanted: impl Fn(&Self, (u32, u32)) -> bool,
        module: u8,
    ) -> Option<Vec<Match>> {
        let mut matches = Vec::new();
        for (&key, reference) in keys.iter().zip(0..) {
            let start = sorted.partition_point(|entry| entry.0 < key);
            let equal = sorted[start..].iter().take_while(|entry| entry.0 == key).map(|entry| (reference, entry.1));
            matches
                .extend(equal.filter(|&pair| wanted(self, pair)).map(|pair| Match::of_words(pair.0, pair.1, module)));
            if matches.len() > MOST_MATCHES {
                return None;
            }
        }
        Some(matches)
    }

    /// Different words that share a synset.
    fn synonyms(&self, module: u8) -> Option<Vec<Match>> {
        let mut pairs: Vec<(u32, u32)> = Vec::new();
        let by_synset = self.hypothesis.by_synset();
        let mut rest = by_synset.as_slice();
        for (synset, reference) in self.reference.by_synset() {
            rest = &rest[rest.iter().take_while(|entry| entry.0 < synset).count()..];
            let sharing = rest.iter().take_while(|entry| entry.0 == synset).map(|entry| (reference, entry.1));
            pairs.extend(sharing.filter(|&pair| !self.are_equal(pair)));
            if pairs.len() > MOST_MATCHES {
                return None;
            }
        }
        pairs.sort_unstable();
        pairs.dedup();
        Some(pairs.into_iter().map(|(reference, hypothesis)| Match::of_words(reference, hypothesis, module)).collect())
    }
}

/// For texts with more than [`MOST_MATCHES`] possible matches: equal words are matched in their order, then words with
/// equal stems.
pub(super) fn in_order(hypothesis: &MeteorTokens, reference: &MeteorTokens, modules: &[Module]) -> Vec<Match> {
    let mut used = (vec![false; hypothesis.len()], vec![false; reference.len()]);
    let mut matches = Vec::new();
    for (module, number) in modules.iter().zip(0..) {
        let (sorted, other) = match module {
            Module::Exact => (hypothesis.by_key(), reference.by_key()),
            Module::Stem => (hypothesis.by_stem(), reference.by_stem()),
            Module::Synonym | Module::Paraphrase => continue,
        };
        let mut rest = sorted.iter().filter(|entry| !used.0[entry.1 as usize]).peekable();
        let mut pairs = Vec::new();
        for &(key, place) in other.iter().filter(|entry| !used.1[entry.1 as usize]) {
            while rest.next_if(|entry| entry.0 < key).is_some() {}
            pairs.extend(rest.next_if(|entry| entry.0 == key).map(|entry| (place, entry.1)));
        }
        for (reference, hypothesis) in pairs {
            (used.0[hypothesis as usize], used.1[reference as usize]) = (true, true);
            matches.push(Match::of_words(reference, hypothesis, number));
        }
    }
    matches.sort_unstable_by_key(|found| found.reference);
    matches
}
