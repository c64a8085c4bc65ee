//! Adds the matches of one stage: the largest matching, with the fewest crossings.
//!
//! Two matches cross if their words are in different order in the two texts. The words of the hypothesis are decided
//! from the last to the first; a state holds the choices so far. If two states have taken the same candidates of the
//! remaining words, and equally many slots between them, they have the same future, and only the better one is kept; a
//! state that cannot beat a known alignment is dropped, by a bound that solves what is left of each component on its
//! own. The search is exact as long as at most [`MAX_WIDTH`] states are alive, as in ordinary sentences; beyond that it
//! is a beam search.

use std::cmp::Reverse;
use std::collections::hash_map::Entry;

use rustc_hash::FxHashMap as HashMap;
use smallvec::SmallVec;

use super::Variant;
use super::components::{Alignment, Component, owners};
use crate::text::fingerprint::{self, Fingerprint};

/// Components are matched without a search if words times possible matches would exceed this.
const MAX_SEARCH: usize = 1 << 18;
/// Components are matched without a search if possible matches times earlier matches would exceed this.
const MAX_COMPARISONS: usize = 1 << 24;
/// The beam width of the first pass, whose result is the bound for the second.
const NARROW: usize = 16;
/// The greatest beam width of the second pass.
const MAX_WIDTH: usize = 4_096;
/// The approximate number of candidates that the second pass may examine.
const MAX_CANDIDATES: usize = 1 << 22;

/// Choices are checked to leave a largest matching possible in components with at most so many possible matches.
const MAX_CHECKED: usize = 64;

/// Adds the matches of one stage: as many as possible, with the fewest crossings.
pub(super) fn add(alignment: &mut Alignment, components: Vec<Component>, variant: Variant) {
    let (decided, mut open): (Vec<_>, Vec<_>) = components.into_iter().partition(Component::is_decided);
    alignment.extend(decided.iter().flat_map(Component::matches_from_the_end));
    open.sort_by_key(|component| (component.edges(), component.hypothesis[0]));
    let matched = alignment.len();
    let (mut words, mut edges) = (0, 0_usize);
    let is_affordable = |component: &&Component| {
        words += component.hypothesis.len();
        edges = edges.saturating_add(component.edges());
        edges.saturating_mul(words) <= MAX_SEARCH && edges.saturating_mul(matched) <= MAX_COMPARISONS
    };
    let large = open.split_off(open.iter().take_while(is_affordable).count());
    alignment.extend(large.iter().flat_map(Component::matches_from_the_end));
    if !open.is_empty() {
        let fewest = fewest(alignment, &open, variant);
        alignment.extend(fewest);
    }
}

/// One bit per slot; one 64-bit word is nearly always enough.
type Bits = SmallVec<[u64; 1]>;

/// The choices so far.
#[derive(Debug, Clone)]
struct State {
    /// The taken slots, one bit each.
    taken: Bits,
    crossings: u32,
    /// The number of adjacent pairs of matches in the same chunk; 0 where they do not matter.
    links: u32,
    /// The crossings so far plus a lower bound on those to come.
    bound: u32,
    /// The reference word of the word decided last.
    previous: Option<usize>,
    /// The index of the choices in the history; before the new choice is recorded, that of the parent state.
    history: usize,
}

impl State {
    fn has(&self, slot: usize) -> bool {
        self.taken[slot / 64] >> (slot % 64) & 1 == 1
    }

    /// The number of taken slots before `slot`.
    fn taken_before(&self, slot: usize) -> u32 {
        let whole: u32 = self.taken[..slot / 64].iter().map(|bits| bits.count_ones()).sum();
        whole + (self.taken[slot / 64] & ((1 << (slot % 64)) - 1)).count_ones()
    }

    /// Fewer crossings, then more links.
    fn is_better_than(&self, other: &Self) -> bool {
        (self.crossings, other.links) < (other.crossings, self.links)
    }
}

/// A finished search.
struct Outcome {
    pairs: Vec<(usize, usize)>,
    crossings: u32,
    links: u32,
    exact: bool,
}

/// The matches within the components that have, together with those of the alignment, the fewest crossings.
fn fewest(alignment: &Alignment, components: &[Component], variant: Variant) -> Vec<(usize, usize)> {
    let choices = Choices::new(alignment, components);
    let Some(first) = run(&choices, variant, NARROW, u32::MAX) else {
        return components.iter().flat_map(Component::matches_from_the_end).collect();
    };
    if first.exact {
        return first.pairs;
    }
    let width = (MAX_CANDIDATES / choices.size().max(1)).clamp(NARROW, MAX_WIDTH);
    match run(&choices, variant, width, first.crossings) {
        Some(second) if (second.crossings, first.links) <= (first.crossings, second.links) => second.pairs,
        _ => first.pairs,
    }
}

/// Decides all words with at most `width` states of at most `bound` crossings; `None` if no state survives.
fn run(choices: &Choices, variant: Variant, width: usize, bound: u32) -> Option<Outcome> {
    let mut states =
        vec![State { taken: choices.no_slots.clone(), crossings: 0, links: 0, bound: 0, previous: None, history: 0 }];
    let mut history: Vec<(usize, Option<usize>)> = vec![(0, None)];
    let mut exact = true;
    for at in 0..choices.words.len() {
        states = advance(&states, at, choices, variant, bound);
        states.retain(|state| state.bound <= bound);
        if states.len() > width {
            exact = false;
            keep_best(&mut states, width);
        }
        for state in &mut states {
            history.push((state.history, state.previous));
            state.history = history.len() - 1;
        }
    }
    let best = states.iter().reduce(|best, state| if state.is_better_than(best) { state } else { best })?;
    let pairs = trace(best.history, &history, choices);
    Some(Outcome { pairs, crossings: best.crossings, links: best.links, exact })
}

/// Keeps the `width` best states, in their order.
fn keep_best(states: &mut Vec<State>, width: usize) {
    let mut order: Vec<usize> = (0..states.len()).collect();
    order.sort_by_key(|&at| (states[at].bound, u32::MAX - states[at].links, at));
    let mut kept = vec![false; states.len()];
    order[..width].iter().for_each(|&at| kept[at] = true);
    retain(states, kept);
}

fn retain(states: &mut Vec<State>, kept: Vec<bool>) {
    let mut kept = kept.into_iter();
    states.retain(|_| kept.next().unwrap_or(false));
}

fn trace(mut at: usize, history: &[(usize, Option<usize>)], choices: &Choices) -> Vec<(usize, usize)> {
    let mut pairs = Vec::new();
    for word in choices.words.iter().rev() {
        let (before, reference) = history[at];
        pairs.extend(reference.map(|reference| (word.hypothesis, reference)));
        at = before;
    }
    pairs
}

/// All states with at most `bound` crossings after one more word is decided; of those with the same future, the best
/// one, the earliest of equals.
fn advance(states: &[State], at: usize, choices: &Choices, variant: Variant, bound: u32) -> Vec<State> {
    let word = &choices.words[at];
    let next = choices.words.get(at + 1);
    let adjacent = next.is_some_and(|next| next.hypothesis + 1 == word.hypothesis);
    let to_come = choices.slots_from(at + 1);
    let mut children: Vec<State> = Vec::new();
    let mut known: HashMap<Fingerprint, usize> = HashMap::default();
    let mut beaten = Vec::new();
    for state in states {
        each_child(state, at, choices, variant, &mut |child| {
            if child.crossings > bound {
                return;
            }
            match known.entry(future(&child, choices, &to_come, adjacent)) {
                Entry::Vacant(entry) => {
                    entry.insert(children.len());
                    children.push(child);
                }
                Entry::Occupied(mut entry) if child.is_better_than(&children[*entry.get()]) => {
                    beaten.push(entry.insert(children.len()));
                    children.push(child);
                }
                Entry::Occupied(_) => {}
            }
        });
    }
    let mut kept = vec![true; children.len()];
    beaten.into_iter().for_each(|child| kept[child] = false);
    retain(&mut children, kept);
    children.retain(|child| choices.can_complete(word.group, at + 1, child));
    children.iter_mut().for_each(|child| child.bound = child.crossings + choices.min_crossings_from(at + 1, child));
    children
}

/// Matches the word to each candidate, the latest first, or leaves it out, as long as a largest matching remains
/// possible.
fn each_child(state: &State, at: usize, choices: &Choices, variant: Variant, emit: &mut dyn FnMut(State)) {
    let word = &choices.words[at];
    let previous = at.checked_sub(1).map(|before| choices.words[before].hypothesis);
    let neighbour = if previous == Some(word.hypothesis + 1) { state.previous } else { None };
    let group = &choices.groups[word.group];
    let needed = group.largest - group.taken(state);
    let open = open_candidates(state, word, needed, group.is_complete);
    for candidate in open.filter(|candidate| !state.has(candidate.slot)) {
        let mut child = state.clone();
        child.taken[candidate.slot / 64] |= 1 << (candidate.slot % 64);
        child.crossings += candidate.crossings + state.taken_before(candidate.slot);
        if variant == Variant::Published {
            child.links += candidate.links + u32::from(neighbour == Some(candidate.reference + 1));
        }
        child.previous = Some(candidate.reference);
        emit(child);
    }
    if word.waiting >= needed {
        emit(State { previous: None, ..state.clone() });
    }
}

/// The candidates worth trying. If every word can be matched to every other, matching in order has the fewest
/// crossings.
fn open_candidates<'a>(
    state: &State,
    word: &'a Choice,
    needed: usize,
    complete: bool,
) -> impl Iterator<Item = &'a Candidate> {
    let all = &word.candidates;
    let range = match (needed, complete) {
        (0, _) => 0..0,
        (_, false) => 0..all.len(),
        (_, true) => {
            let start = first_open(state, word);
            start..(all.len() + 1 - needed).max(start)
        }
    };
    all[range].iter()
}

/// The index of the first candidate of a word of a complete group that keeps the matches in order.
fn first_open(state: &State, word: &Choice) -> usize {
    word.candidates.iter().rposition(|candidate| state.has(candidate.slot)).map_or(0, |last| last + 1)
}

/// A fingerprint of everything that the rest of the search depends on: the slots that the remaining words can take, the
/// numbers of taken slots between them, and where these do not tell it, how many matches each component still needs.
fn future(state: &State, choices: &Choices, to_come: &[usize], adjacent: bool) -> Fingerprint {
    let mut before = 0;
    let mut key = fingerprint::EMPTY;
    for &slot in to_come {
        let count = state.taken_before(slot);
        key = fingerprint::extend(key, u64::from((count - before) << 1 | u32::from(state.has(slot))));
        before = count;
    }
    for group in choices.groups.iter().filter(|group| !group.is_complete) {
        key = fingerprint::extend(key, group.taken(state) as u64);
    }
    let previous = state.previous.filter(|_| adjacent);
    previous.map_or(key, |reference| fingerprint::extend(key, reference as u64))
}

/// A word of the hypothesis with a choice of matches.
struct Choice {
    /// Its position in the hypothesis.
    hypothesis: usize,
    /// The index of its group.
    group: usize,
    /// The number of words of its component that are decided after it.
    waiting: usize,
    /// Its candidates, the latest in the reference first.
    candidates: Vec<Candidate>,
}

/// A word of the reference that a [`Choice`] may be matched to.
struct Candidate {
    /// Its position in the reference.
    reference: usize,
    /// Its number among all candidates, in the order of the reference.
    slot: usize,
    /// The number of settled matches that this match crosses.
    crossings: u32,
    /// The number of settled matches next to it in the same chunk, 0 to 2.
    links: u32,
}

/// What is the same for all words of a component.
struct Group {
    /// The size of the largest matching.
    largest: usize,
    /// True if every word can be matched to every other.
    is_complete: bool,
    /// Whether each choice is checked to leave a largest matching possible.
    is_checked: bool,
    /// The slots, one bit each.
    slots: Bits,
}

impl Group {
    /// The number of its slots that are taken.
    fn taken(&self, state: &State) -> usize {
        let taken = self.slots.iter().zip(&state.taken).map(|(slots, taken)| (slots & taken).count_ones());
        taken.sum::<u32>() as usize
    }
}

/// All choices of a stage.
struct Choices {
    /// The words, from the last one of the hypothesis to the first.
    words: Vec<Choice>,
    groups: Vec<Group>,
    /// A set without slots.
    no_slots: Bits,
}

impl Choices {
    /// The choices that the components leave open, given the matches of the alignment.
    fn new(alignment: &Alignment, components: &[Component]) -> Self {
        let mut positions: Vec<usize> = components.iter().flat_map(|component| component.reference.to_vec()).collect();
        positions.sort_unstable();
        let slot = |reference: usize| positions.partition_point(|&position| position < reference);
        let no_slots = Bits::from_elem(0, positions.len().div_ceil(64));
        let settled: Vec<(usize, usize)> = alignment.pairs().collect();
        let (mut words, mut groups) = (Vec::new(), Vec::new());
        for (group, component) in components.iter().enumerate() {
            for (waiting, &hypothesis) in component.hypothesis.iter().enumerate() {
                let candidate = |reference: usize| Candidate {
                    reference,
                    slot: slot(reference),
                    crossings: crossings(hypothesis, reference, &settled),
                    links: links(hypothesis, reference, alignment),
                };
                let candidates = component.partners_of(waiting).rev().map(candidate).collect();
                words.push(Choice { hypothesis, group, waiting, candidates });
            }
            let is_complete = component.partners.is_none();
            let mut slots = no_slots.clone();
            component
                .reference
                .iter()
                .for_each(|&reference| slots[slot(reference) / 64] |= 1 << (slot(reference) % 64));
            let is_checked = !is_complete && component.edges() <= MAX_CHECKED;
            groups.push(Group { largest: component.largest_matching(), is_complete, is_checked, slots });
        }
        words.sort_by_key(|word| Reverse(word.hypothesis));
        Self { words, groups, no_slots }
    }

    /// Words times possible matches: the cost of a search per state.
    fn size(&self) -> usize {
        self.words.len() * self.words.iter().map(|word| word.candidates.len()).sum::<usize>()
    }

    /// The slots that the words from `at` on can take, ascending.
    fn slots_from(&self, at: usize) -> Vec<usize> {
        let candidates = self.words[at..].iter().flat_map(|word| &word.candidates);
        let mut slots: Vec<usize> = candidates.map(|candidate| candidate.slot).collect();
        slots.sort_unstable();
        slots.dedup();
        slots
    }

    /// Whether the words from `at` on can still make the matches that a component needs; assumed of large ones.
    fn can_complete(&self, number: usize, at: usize, state: &State) -> bool {
        let group = &self.groups[number];
        let needed = group.largest - group.taken(state);
        if !group.is_checked || needed == 0 {
            return true;
        }
        let free = |word: &Choice| -> Vec<usize> {
            word.candidates.iter().map(|candidate| candidate.slot).filter(|&slot| !state.has(slot)).collect()
        };
        let partners: Vec<Vec<usize>> = self.words[at..].iter().filter(|word| word.group == number).map(free).collect();
        owners(&partners, 64 * self.no_slots.len()).into_iter().flatten().count() >= needed
    }

    /// A lower bound on the crossings that the words from `at` on add: with what is settled and taken, group by group,
    /// but not among each other.
    fn min_crossings_from(&self, at: usize, state: &State) -> u32 {
        let groups = self.groups.iter().enumerate().filter(|(_, group)| group.is_complete);
        groups.map(|(number, group)| self.min_crossings_of(number, group, at, state)).sum()
    }

    /// The fewest crossings, with what is settled and taken, of the matches that a complete group still needs: they are
    /// in the order of its words, hence in that of its candidates, and use all words or all candidates that are left.
    fn min_crossings_of(&self, number: usize, group: &Group, at: usize, state: &State) -> u32 {
        let words: SmallVec<[&Choice; 16]> = self.words[at..].iter().filter(|word| word.group == number).collect();
        let needed = group.largest - group.taken(state);
        let Some(first) = words.first().filter(|_| needed > 0) else { return 0 };
        let start = first_open(state, first);
        let before: SmallVec<[u32; 16]> =
            first.candidates[start..].iter().map(|candidate| state.taken_before(candidate.slot)).collect();
        let crossings =
            |word: usize, candidate: usize| words[word].candidates[start + candidate].crossings + before[candidate];
        let uses_all_words = needed == words.len();
        let free = if uses_all_words { before.len() } else { words.len() };
        // least[n]: the fewest crossings of the matches so far with the first n of the other side.
        let mut least: SmallVec<[u32; 17]> = SmallVec::from_elem(0, free + 1);
        for step in 0..needed {
            let mut diagonal = std::mem::replace(&mut least[step], IMPOSSIBLE);
            for other in step..=free - needed + step {
                let (word, candidate) = if uses_all_words { (step, other) } else { (other, step) };
                let matched = diagonal + crossings(word, candidate);
                let best = matched.min(least[other]);
                diagonal = std::mem::replace(&mut least[other + 1], best);
            }
        }
        least[free]
    }
}

/// More crossings than any alignment has, and few enough to add to.
const IMPOSSIBLE: u32 = 1 << 30;

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

#[cfg(test)]
mod tests {
    use super::super::components::equal;
    use super::*;
    use proptest::prelude::*;

    /// All matchings of equal letters, by deciding the words of the hypothesis one by one.
    fn all(hypothesis: &[u64], reference: &[u64], at: usize, alignment: &Alignment, found: &mut Vec<Alignment>) {
        if at == hypothesis.len() {
            found.push(alignment.clone());
            return;
        }
        all(hypothesis, reference, at + 1, alignment, found);
        let is_open = |other: &usize| reference[*other] == hypothesis[at] && !alignment.covered[*other];
        for other in (0..reference.len()).filter(is_open) {
            let mut next = alignment.clone();
            next.extend([(at, other)]);
            all(hypothesis, reference, at + 1, &next, found);
        }
    }

    fn crossings_of(alignment: &Alignment) -> usize {
        let pairs: Vec<_> = alignment.pairs().collect();
        let crosses = |one: &(usize, usize), other: &(usize, usize)| (one.0 < other.0) != (one.1 < other.1);
        (0..pairs.len()).map(|at| pairs[..at].iter().filter(|other| crosses(&pairs[at], other)).count()).sum()
    }

    proptest! {
        #[test]
        fn the_search_finds_what_trying_everything_finds(
            hypothesis in prop::collection::vec(0_u64..4, 0..7),
            reference in prop::collection::vec(0_u64..4, 0..7),
        ) {
            let empty = Alignment::new(hypothesis.len(), reference.len());
            let mut every = Vec::new();
            all(&hypothesis, &reference, 0, &empty, &mut every);
            let largest = every.iter().map(Alignment::len).max().unwrap_or(0);
            every.retain(|alignment| alignment.len() == largest);
            let best = every.iter().map(|alignment| (crossings_of(alignment), alignment.chunks())).min();
            let mut found = empty;
            let components = equal(&found, &hypothesis, &reference);
            add(&mut found, components, Variant::Published);
            prop_assert_eq!(found.len(), largest);
            prop_assert_eq!(Some((crossings_of(&found), found.chunks())), best);
        }

        #[test]
        fn synonyms_are_searched_as_well(
            edges in prop::collection::vec(prop::collection::vec(prop::bool::weighted(0.4), 6), 1..7),
        ) {
            let partners_of = |word: &Vec<bool>| (0..6).filter(|&other| word[other]).collect::<Vec<usize>>();
            let partners: Vec<Vec<usize>> = edges.iter().map(partners_of).collect();
            let empty = Alignment::new(partners.len(), 6);
            let mut every = vec![empty.clone()];
            for (word, partners) in partners.iter().enumerate() {
                let more = |known: &Alignment| {
                    let free = partners.iter().filter(|&&other| !known.covered[other]);
                    let with = |&other: &usize| {
                        let mut next = known.clone();
                        next.extend([(word, other)]);
                        next
                    };
                    free.map(with).collect::<Vec<_>>()
                };
                let added: Vec<Alignment> = every.iter().flat_map(more).collect();
                every.extend(added);
            }
            let key = |alignment: &Alignment| {
                (usize::MAX - alignment.len(), crossings_of(alignment), alignment.chunks())
            };
            let mut found = empty;
            let words: Vec<usize> = (0..partners.len()).filter(|&word| !partners[word].is_empty()).collect();
            let component = Component {
                hypothesis: words.iter().copied().collect(),
                reference: (0..6).collect(),
                partners: Some(words.iter().map(|&word| partners[word].clone()).collect()),
            };
            add(&mut found, if words.is_empty() { Vec::new() } else { vec![component] }, Variant::Published);
            prop_assert_eq!(Some(key(&found)), every.iter().map(key).min());
        }
    }
}
