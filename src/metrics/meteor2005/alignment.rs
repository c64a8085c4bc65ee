//! Which word of the hypothesis is matched to which word of the reference.

use super::components::Component;
use super::crossings::{self, Ties};

/// Components are matched without a search where words times possible matches would be more than this.
const MAXIMUM_SEARCH: usize = 1 << 18;
/// The same for possible matches times the matches before them.
const MAXIMUM_COMPARISONS: usize = 1 << 24;

/// A one-to-one matching between the words of a hypothesis and of a reference.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Alignment {
    /// For each word of the hypothesis, the word of the reference.
    pub to_reference: Vec<Option<usize>>,
    /// For each word of the reference, whether it is matched.
    pub covered: Vec<bool>,
}

impl Alignment {
    /// No word matched.
    pub fn new(hypothesis: usize, reference: usize) -> Self {
        Self { to_reference: vec![None; hypothesis], covered: vec![false; reference] }
    }

    /// Matches two words.
    pub fn insert(&mut self, hypothesis: usize, reference: usize) {
        self.to_reference[hypothesis] = Some(reference);
        self.covered[reference] = true;
    }

    /// The matches, in the order of the hypothesis.
    pub fn pairs(&self) -> impl DoubleEndedIterator<Item = (usize, usize)> + '_ {
        self.to_reference.iter().enumerate().filter_map(|(hypothesis, reference)| Some((hypothesis, (*reference)?)))
    }

    /// The number of matches.
    pub fn len(&self) -> usize {
        self.pairs().count()
    }

    /// The number of runs of matches that are adjacent and in the same order on both sides.
    pub fn chunks(&self) -> usize {
        let mut expected = None;
        let mut chunks = 0;
        for &reference in &self.to_reference {
            chunks += usize::from(reference.is_some() && reference != expected);
            expected = reference.map(|at| at + 1);
        }
        chunks
    }

    /// Words of the hypothesis that are not matched yet.
    pub fn free_hypothesis(&self) -> impl Iterator<Item = usize> + '_ {
        (0..self.to_reference.len()).filter(|&at| self.to_reference[at].is_none())
    }

    /// Words of the reference that are not matched yet.
    pub fn free_reference(&self) -> impl Iterator<Item = usize> + '_ {
        (0..self.covered.len()).filter(|&at| !self.covered[at])
    }

    /// Adds the matches of one stage: as many as there can be, of these the ones with the fewest crossings.
    pub fn add(&mut self, components: Vec<Component>, ties: Ties) {
        let (decided, mut open): (Vec<_>, Vec<_>) = components.into_iter().partition(Component::is_decided);
        self.add_from_the_end(&decided);
        if open.is_empty() {
            return;
        }
        open.sort_by_key(|component| (component.edges(), component.hypothesis[0]));
        let matched = self.len();
        let (mut words, mut edges) = (0, 0_usize);
        let is_affordable = |component: &&Component| {
            words += component.hypothesis.len();
            edges = edges.saturating_add(component.edges());
            edges.saturating_mul(words) <= MAXIMUM_SEARCH && edges.saturating_mul(matched) <= MAXIMUM_COMPARISONS
        };
        let affordable = open.iter().take_while(is_affordable).count();
        let large = open.split_off(affordable);
        self.add_from_the_end(&large);
        for (hypothesis, reference) in crossings::fewest(self, &open, ties) {
            self.insert(hypothesis, reference);
        }
    }

    fn add_from_the_end(&mut self, components: &[Component]) {
        for component in components {
            if component.partners.is_some() {
                component.matches_from_the_end().into_iter().for_each(|pair| self.insert(pair.0, pair.1));
            } else {
                let places = component.hypothesis.iter().rev().zip(component.reference.iter().rev());
                places.for_each(|pair| self.insert(*pair.0, *pair.1));
            }
        }
    }
}
