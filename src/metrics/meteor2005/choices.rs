//! In: the components of a stage. Out: the choices left once words without a choice are matched. Next: `crossings`.

use super::alignment::Alignment;
use super::components::Component;

/// A word of the hypothesis with a choice of matches.
#[derive(Debug)]
pub(super) struct Choice {
    /// Its position in the hypothesis.
    pub hypothesis: usize,
    /// Its component.
    pub component: usize,
    /// The number of words of its component that are decided after it.
    pub waiting: usize,
    /// True if every largest matching includes it.
    pub must_be_matched: bool,
    /// Its candidates, the latest in the reference first.
    pub candidates: Vec<Candidate>,
}

/// A word of the reference that a [`Choice`] may be matched to.
#[derive(Debug)]
pub(super) struct Candidate {
    /// Its position in the reference.
    pub reference: usize,
    /// Its number among all candidates, in the order of the reference.
    pub slot: usize,
    /// The number of settled matches that this match crosses.
    pub crossings: u32,
    /// The number of settled matches next to it in the same chunk, 0 to 2.
    pub links: u32,
}

/// All choices of a stage.
#[derive(Debug)]
pub(super) struct Choices<'a> {
    components: &'a [Component],
    /// The words, from the last one of the hypothesis to the first.
    pub words: Vec<Choice>,
    /// For each component, the size of its largest matching.
    pub largest: Vec<usize>,
    /// For each component, its slots, one bit each.
    of_component: Vec<Vec<u64>>,
    /// The number of distinct candidates.
    pub slots: usize,
}

impl<'a> Choices<'a> {
    /// The choices that the components leave open, given the matches of the alignment.
    pub fn new(alignment: &Alignment, components: &'a [Component]) -> Self {
        let mut places: Vec<usize> =
            components.iter().flat_map(|component| component.reference.iter().copied()).collect();
        places.sort_unstable();
        let settled: Vec<(usize, usize)> = alignment.pairs().collect();
        let mut words = Vec::new();
        for (number, component) in components.iter().enumerate() {
            for (waiting, &hypothesis) in component.hypothesis.iter().enumerate() {
                let candidate = |reference: usize| Candidate {
                    reference,
                    slot: places.partition_point(|&place| place < reference),
                    crossings: crossings(hypothesis, reference, &settled),
                    links: links(hypothesis, reference, alignment),
                };
                let candidates: Vec<Candidate> = component.partners_of(waiting).rev().map(candidate).collect();
                let must_be_matched =
                    component.partners.is_none() && component.hypothesis.len() <= component.reference.len();
                words.push(Choice { hypothesis, component: number, waiting, must_be_matched, candidates });
            }
        }
        words.sort_by_key(|word| std::cmp::Reverse(word.hypothesis));
        let largest = components.iter().map(Component::largest_matching).collect();
        let slots = |component: &Component| {
            let mut bits = vec![0; places.len().div_ceil(64)];
            for &reference in &component.reference {
                let slot = places.partition_point(|&place| place < reference);
                bits[slot / 64] |= 1 << (slot % 64);
            }
            bits
        };
        Self { components, words, largest, of_component: components.iter().map(slots).collect(), slots: places.len() }
    }

    /// Words times possible matches: the cost of a search per state.
    pub fn size(&self) -> usize {
        self.words.len() * self.words.iter().map(|word| word.candidates.len()).sum::<usize>()
    }

    /// True if every word of the component can be matched to every other.
    pub fn is_complete(&self, component: usize) -> bool {
        self.components[component].partners.is_none()
    }

    /// The slots of a component, one bit each.
    pub fn slots_of(&self, component: usize) -> &[u64] {
        &self.of_component[component]
    }

    /// The slots that the words from `at` on can take, ascending.
    pub fn slots_from(&self, at: usize) -> Vec<usize> {
        let candidates = self.words[at..].iter().flat_map(|word| &word.candidates);
        let mut slots: Vec<usize> = candidates.map(|candidate| candidate.slot).collect();
        slots.sort_unstable();
        slots.dedup();
        slots
    }
}

/// The number of settled matches that a new one crosses.
fn crossings(hypothesis: usize, reference: usize, settled: &[(usize, usize)]) -> u32 {
    let crossed = |other: &&(usize, usize)| (other.0 < hypothesis) != (other.1 < reference);
    u32::try_from(settled.iter().filter(crossed).count()).unwrap_or(u32::MAX)
}

/// How many of the two neighbouring words have settled matches that continue the same chunk.
fn links(hypothesis: usize, reference: usize, alignment: &Alignment) -> u32 {
    let after = alignment.to_reference.get(hypothesis + 1).is_some_and(|&next| next == Some(reference + 1));
    let before =
        hypothesis > 0 && alignment.to_reference[hypothesis - 1].is_some_and(|previous| previous + 1 == reference);
    u32::from(after) + u32::from(before)
}
