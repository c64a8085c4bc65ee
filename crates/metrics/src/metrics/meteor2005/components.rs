//! The alignment so far, and the possible matches of a stage, in components that share no words.

use std::collections::BTreeMap;
use std::sync::Arc;

use rustc_hash::FxHashMap as HashMap;
use smallvec::{SmallVec, smallvec};

use crate::text::{Fingerprint, Word};
use crate::wordnet::SynsetId;

/// A one-to-one matching between the words of a hypothesis and of a reference.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Alignment {
    /// For each word of the hypothesis, the matched word of the reference.
    pub to_reference: Vec<Option<usize>>,
    /// For each word of the reference, whether it is matched.
    pub covered: Vec<bool>,
}

impl Alignment {
    /// An alignment without matches.
    pub fn new(hypothesis: usize, reference: usize) -> Self {
        Self { to_reference: vec![None; hypothesis], covered: vec![false; reference] }
    }

    /// Adds matches of words of the hypothesis with words of the reference.
    pub fn extend(&mut self, matches: impl IntoIterator<Item = (usize, usize)>) {
        for (hypothesis, reference) in matches {
            self.to_reference[hypothesis] = Some(reference);
            self.covered[reference] = true;
        }
    }

    /// The matches, in the order of the hypothesis.
    pub fn pairs(&self) -> impl DoubleEndedIterator<Item = (usize, usize)> + '_ {
        self.to_reference.iter().enumerate().filter_map(|(hypothesis, reference)| Some((hypothesis, (*reference)?)))
    }

    /// The number of matches.
    pub fn len(&self) -> usize {
        self.pairs().count()
    }

    /// The number of chunks: maximal runs of matches that are adjacent and in the same order in both texts.
    pub fn chunks(&self) -> usize {
        let mut expected = None;
        let mut chunks = 0;
        for &reference in &self.to_reference {
            chunks += usize::from(reference.is_some() && reference != expected);
            expected = reference.map(|at| at + 1);
        }
        chunks
    }

    /// The unmatched words of the hypothesis.
    pub fn free_hypothesis(&self) -> impl Iterator<Item = usize> + '_ {
        (0..self.to_reference.len()).filter(|&at| self.to_reference[at].is_none())
    }

    /// The unmatched words of the reference.
    pub fn free_reference(&self) -> impl Iterator<Item = usize> + '_ {
        (0..self.covered.len()).filter(|&at| !self.covered[at])
    }
}

/// Components with more possible matches than this are matched without a search.
const MAX_EDGES: usize = 1 << 12;

/// Positions of words; seldom more than two.
type Positions = SmallVec<[usize; 2]>;

/// Words of the hypothesis and of the reference that may be matched to each other.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Component {
    /// Words of the hypothesis, ascending; never empty.
    pub hypothesis: Positions,
    /// Words of the reference, ascending; never empty.
    pub reference: Positions,
    /// For each word of the hypothesis, the words that it can be matched to, as ascending indices into `reference`;
    /// `None` if it can be matched to all of them.
    pub partners: Option<Vec<Vec<usize>>>,
}

impl Component {
    /// The number of possible matches.
    pub fn edges(&self) -> usize {
        match &self.partners {
            None => self.hypothesis.len().saturating_mul(self.reference.len()),
            Some(partners) => partners.iter().map(Vec::len).sum(),
        }
    }

    /// The reference words that the hypothesis word with index `word` can be matched to, ascending.
    pub fn partners_of(&self, word: usize) -> Box<dyn DoubleEndedIterator<Item = usize> + '_> {
        match &self.partners {
            None => Box::new(self.reference.iter().copied()),
            Some(partners) => Box::new(partners[word].iter().map(|&partner| self.reference[partner])),
        }
    }

    /// True if no choice is left: equal words in equal numbers have the fewest crossings if matched in order.
    pub fn is_decided(&self) -> bool {
        self.partners.is_none() && self.hypothesis.len() == self.reference.len()
    }

    /// A largest matching, from the end: each word to the last partner that is free, unless that leaves fewer matches.
    pub fn matches_from_the_end(&self) -> Vec<(usize, usize)> {
        let Some(partners) = &self.partners else {
            return self.hypothesis.iter().rev().copied().zip(self.reference.iter().rev().copied()).collect();
        };
        let owners = owners(partners, self.reference.len()).into_iter().enumerate();
        owners.filter_map(|(at, owner)| Some((self.hypothesis[owner?], self.reference[at]))).collect()
    }

    /// The largest number of words that can be matched at once.
    pub fn largest_matching(&self) -> usize {
        match &self.partners {
            None => self.hypothesis.len().min(self.reference.len()),
            Some(partners) => owners(partners, self.reference.len()).into_iter().flatten().count(),
        }
    }
}

/// A largest matching: for each of `others` partners, the word that it is matched to. Later words come first.
pub(super) fn owners(partners: &[Vec<usize>], others: usize) -> Vec<Option<usize>> {
    let mut owners = vec![None; others];
    for word in (0..partners.len()).rev() {
        augment(word, partners, &mut owners, &mut vec![false; others]);
    }
    owners
}

/// Finds a partner for `word`, the last one if possible, moving other words to other partners where needed: an
/// augmenting path. Kuhn 1955.
fn augment(word: usize, partners: &[Vec<usize>], owner: &mut [Option<usize>], seen: &mut [bool]) -> bool {
    for &partner in partners[word].iter().rev() {
        if std::mem::replace(&mut seen[partner], true) {
            continue;
        }
        if owner[partner].is_none_or(|other| augment(other, partners, owner, seen)) {
            owner[partner] = Some(word);
            return true;
        }
    }
    false
}

/// The components of unmatched words with equal keys (the words themselves, or their stems).
pub(super) fn equal(alignment: &Alignment, hypothesis: &[Fingerprint], reference: &[Fingerprint]) -> Vec<Component> {
    let mut components: BTreeMap<Fingerprint, Component> = BTreeMap::new();
    for at in alignment.free_hypothesis() {
        components.entry(hypothesis[at]).or_default().hypothesis.push(at);
    }
    for at in alignment.free_reference() {
        if let Some(component) = components.get_mut(&reference[at]) {
            component.reference.push(at);
        }
    }
    components.into_values().filter(|component| !component.reference.is_empty()).collect()
}

/// The components of unmatched words, where a hypothesis word can match a reference word if one of its synsets is among
/// those that `synsets` lists for the reference word.
pub(super) fn synonymous(
    alignment: &Alignment,
    hypothesis: &[Arc<Word>],
    reference: &[Arc<Word>],
    synsets: fn(&Word) -> &[SynsetId],
) -> Vec<Component> {
    let words = DistinctWords::new(alignment.free_hypothesis(), hypothesis);
    let names = DistinctWords::new(alignment.free_reference(), reference);
    let partners = partners(&words, &names, synsets);
    gather(&partners, names.positions.len())
        .into_iter()
        .flat_map(|members| component(&members, &words, &names, &partners))
        .collect()
}

/// The distinct words of a sentence, each with its positions.
struct DistinctWords<'a> {
    words: Vec<&'a Word>,
    positions: Vec<Vec<usize>>,
}

impl<'a> DistinctWords<'a> {
    /// The distinct words among the free positions, without those that have no synsets.
    fn new(free: impl Iterator<Item = usize>, sentence: &'a [Arc<Word>]) -> Self {
        let mut distinct = Self { words: Vec::new(), positions: Vec::new() };
        let mut known: HashMap<Fingerprint, usize> = HashMap::default();
        for at in free.filter(|&at| !sentence[at].synsets.is_empty()) {
            let number = *known.entry(sentence[at].id).or_insert_with(|| {
                distinct.words.push(&sentence[at]);
                distinct.positions.push(Vec::new());
                distinct.words.len() - 1
            });
            distinct.positions[number].push(at);
        }
        distinct
    }
}

/// For each word, its synonyms among the names, ascending.
fn partners(
    words: &DistinctWords<'_>,
    names: &DistinctWords<'_>,
    synsets: fn(&Word) -> &[SynsetId],
) -> Vec<Vec<usize>> {
    let mut named: Vec<(SynsetId, usize)> = Vec::with_capacity(8 * names.words.len());
    for (name, word) in names.words.iter().enumerate() {
        named.extend(synsets(word).iter().map(|&synset| (synset, name)));
    }
    named.sort_unstable();
    let of_synset = |&synset: &SynsetId| {
        let start = named.partition_point(|entry| entry.0 < synset);
        named[start..].iter().take_while(move |entry| entry.0 == synset).map(|entry| entry.1)
    };
    let of_word = |word: &&Word| {
        let mut synonyms: Vec<usize> = word.synsets.iter().flat_map(of_synset).collect();
        synonyms.sort_unstable();
        synonyms.dedup();
        synonyms
    };
    words.words.iter().map(of_word).collect()
}

/// The distinct words of one component.
#[derive(Default)]
struct Members {
    words: Vec<usize>,
    names: Vec<usize>,
}

/// The connected components of the graph of words and names, without words that have no partners.
fn gather(partners: &[Vec<usize>], names: usize) -> Vec<Members> {
    let mut component_of: Vec<usize> = (0..names).collect();
    for group in partners {
        for pair in group.windows(2) {
            let (a, b) = (root(&mut component_of, pair[0]), root(&mut component_of, pair[1]));
            component_of[a.max(b)] = a.min(b);
        }
    }
    let mut components: BTreeMap<usize, Members> = BTreeMap::new();
    for (word, group) in partners.iter().enumerate() {
        if let Some(&name) = group.first() {
            components.entry(root(&mut component_of, name)).or_default().words.push(word);
        }
    }
    for name in 0..names {
        if let Some(members) = components.get_mut(&root(&mut component_of, name)) {
            members.names.push(name);
        }
    }
    components.into_values().collect()
}

/// The representative of a name's component, with path halving. Tarjan 1975.
fn root(component_of: &mut [usize], mut name: usize) -> usize {
    while component_of[name] != name {
        component_of[name] = component_of[component_of[name]];
        name = component_of[name];
    }
    name
}

/// One component; a very large one is returned as single matches, already decided.
fn component(
    members: &Members,
    words: &DistinctWords<'_>,
    names: &DistinctWords<'_>,
    partners: &[Vec<usize>],
) -> Vec<Component> {
    let mut hypothesis: Vec<(usize, usize)> =
        members.words.iter().flat_map(|&word| words.positions[word].iter().map(move |&at| (at, word))).collect();
    hypothesis.sort_unstable();
    let complete = members.words.iter().all(|&word| partners[word].len() == members.names.len());
    let edges_of = |word: usize| partners[word].iter().map(|&name| names.positions[name].len()).sum::<usize>();
    if !complete && hypothesis.iter().map(|&(_, word)| edges_of(word)).sum::<usize>() > MAX_EDGES {
        return decide(&hypothesis, names, partners);
    }
    let mut reference: Positions =
        members.names.iter().flat_map(|&name| names.positions[name].iter().copied()).collect();
    reference.sort_unstable();
    let listed = |&(_, word): &(usize, usize)| {
        let positions = partners[word].iter().flat_map(|&name| names.positions[name].iter());
        let mut indices: Vec<usize> = positions.filter_map(|at| reference.binary_search(at).ok()).collect();
        indices.sort_unstable();
        indices
    };
    let partners = (!complete).then(|| hypothesis.iter().map(listed).collect());
    vec![Component { hypothesis: hypothesis.iter().map(|&(at, _)| at).collect(), reference, partners }]
}

/// Matches from the end: each word to the last of its synonyms that is free.
fn decide(hypothesis: &[(usize, usize)], names: &DistinctWords<'_>, partners: &[Vec<usize>]) -> Vec<Component> {
    let mut free: HashMap<usize, Vec<usize>> = HashMap::default();
    let mut decided = Vec::new();
    for &(at, word) in hypothesis.iter().rev() {
        let last = |name: &usize| free.get(name).unwrap_or(&names.positions[*name]).last().copied();
        let Some((reference, name)) = partners[word].iter().filter_map(|name| Some((last(name)?, *name))).max() else {
            continue;
        };
        free.entry(name).or_insert_with(|| names.positions[name].clone()).pop();
        decided.push(Component { hypothesis: smallvec![at], reference: smallvec![reference], partners: None });
    }
    decided
}
