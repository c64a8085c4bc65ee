//! The matches that the modules propose, for texts of any length; see `bits` for short ones.

use super::matches::{MOST_MATCHES, Match, Proposals};
use super::view::MeteorTokens;
use crate::metrics::links::Module;

/// The texts that the modules compare.
struct Texts<'a> {
    hypothesis: &'a MeteorTokens,
    reference: &'a MeteorTokens,
}

/// All matches of the modules; `None` if there are more than [`MOST_MATCHES`]. `paraphrases` are the matches of the
/// paraphrase module, ordered by the first word in the reference.
pub(super) fn proposals(
    hypothesis: &MeteorTokens,
    reference: &MeteorTokens,
    modules: &[Module],
    mut paraphrases: Vec<Match>,
) -> Option<Proposals> {
    let texts = Texts { hypothesis, reference };
    let mut found: [Vec<Match>; 4] = Default::default();
    for ((module, number), found) in modules.iter().zip(0..).zip(&mut found) {
        *found = match module {
            Module::Exact => texts.exact(number)?,
            Module::Stem => texts.stems(number)?,
            Module::Synonym => texts.synonyms(number)?,
            Module::Paraphrase => std::mem::take(&mut paraphrases),
        };
    }
    (found.iter().map(Vec::len).sum::<usize>() <= MOST_MATCHES).then(|| merge(&found, reference.len()))
}

fn merge(found: &[Vec<Match>; 4], words: usize) -> Proposals {
    let mut proposals = Proposals { matches: Vec::new(), first: Vec::with_capacity(words + 1) };
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

impl Texts<'_> {
    fn exact(&self, module: u8) -> Option<Vec<Match>> {
        self.equal(&self.hypothesis.by_key(), &self.reference.keys, |_, _| true, module)
    }

    fn stems(&self, module: u8) -> Option<Vec<Match>> {
        self.equal(&self.hypothesis.by_stem(), &self.reference.stems, |texts, pair| !texts.are_equal(pair), module)
    }

    fn are_equal(&self, (reference, hypothesis): (u32, u32)) -> bool {
        self.reference.keys[reference as usize] == self.hypothesis.keys[hypothesis as usize]
    }

    /// Matches words with equal keys. `sorted` holds the keys of the hypothesis with their positions.
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

/// A matching without a search, for texts that are too long for it: equal words are matched in order, then words with
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
