//! Finds the largest matching with the fewest crossings.
//!
//! Two matches cross if their words are in different order in the two texts. The words of the hypothesis are decided
//! from the last to the first; a state holds the choices so far. If two states have taken the same candidates of the
//! remaining words, and equally many slots between them, they have the same future, and only the better one is kept; a
//! state that cannot beat a known alignment is dropped. The search is exact as long as at most [`WIDEST`] states are
//! alive, as in ordinary sentences; beyond that it is a beam search.

use std::collections::hash_map::Entry;

use rustc_hash::FxHashMap as HashMap;
use smallvec::SmallVec;

use super::alignment::Alignment;
use super::choices::{Candidate, Choice, Choices};
use super::components::Component;
use crate::text::fingerprint::{self, Fingerprint};

/// The beam width of the first pass, whose result is the bound for the second.
const NARROW: usize = 16;
/// The greatest beam width of the second pass.
const WIDEST: usize = 4_096;
/// The approximate number of candidates that the second pass may examine.
const BUDGET: usize = 1 << 22;

/// Which alignment is taken if several have the fewest crossings. Remaining ties are decided as with [`Ties::Latest`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Ties {
    /// The one with the fewest chunks.
    Chunks,
    /// The one that matches each word of the hypothesis, from the last to the first, to the latest word of the
    /// reference, as in NLTK.
    Latest,
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
pub(super) fn fewest(alignment: &Alignment, components: &[Component], ties: Ties) -> Vec<(usize, usize)> {
    let choices = Choices::new(alignment, components);
    let Some(first) = run(&choices, ties, NARROW, u32::MAX) else {
        return components.iter().flat_map(Component::matches_from_the_end).collect();
    };
    if first.exact {
        return first.pairs;
    }
    let width = (BUDGET / choices.size().max(1)).clamp(NARROW, WIDEST);
    match run(&choices, ties, width, first.crossings) {
        Some(second) if (second.crossings, first.links) <= (first.crossings, second.links) => second.pairs,
        _ => first.pairs,
    }
}

/// Decides all words with at most `width` states of at most `bound` crossings; `None` if no state survives.
fn run(choices: &Choices<'_>, ties: Ties, width: usize, bound: u32) -> Option<Outcome> {
    let mut states = vec![State {
        taken: SmallVec::from_elem(0, choices.slots.div_ceil(64)),
        crossings: 0,
        links: 0,
        bound: 0,
        previous: None,
        history: 0,
    }];
    let mut history: Vec<(usize, Option<usize>)> = vec![(0, None)];
    let mut exact = true;
    for at in 0..choices.words.len() {
        states = advance(&states, at, choices, ties, bound);
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

fn trace(mut at: usize, history: &[(usize, Option<usize>)], choices: &Choices<'_>) -> Vec<(usize, usize)> {
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
fn advance(states: &[State], at: usize, choices: &Choices<'_>, ties: Ties, bound: u32) -> Vec<State> {
    let word = &choices.words[at];
    let next = choices.words.get(at + 1);
    let adjacent = next.is_some_and(|next| next.hypothesis + 1 == word.hypothesis);
    let to_come = choices.slots_from(at + 1);
    let mut children: Vec<State> = Vec::new();
    let mut known: HashMap<Fingerprint, usize> = HashMap::default();
    let mut beaten = Vec::new();
    for state in states {
        each_child(state, at, choices, ties, &mut |child| {
            if child.crossings > bound {
                return;
            }
            match known.entry(future(&child, &to_come, adjacent)) {
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
    children.iter_mut().for_each(|child| child.bound = child.crossings + least_to_come(child, at + 1, choices));
    children
}

/// Matches the word to each candidate, the latest first, or leaves it out, as long as a largest matching remains
/// possible.
fn each_child(state: &State, at: usize, choices: &Choices<'_>, ties: Ties, emit: &mut dyn FnMut(State)) {
    let word = &choices.words[at];
    let previous = at.checked_sub(1).map(|before| choices.words[before].hypothesis);
    let neighbour = if previous == Some(word.hypothesis + 1) { state.previous } else { None };
    let own = choices.slots_of(word.component).iter().zip(&state.taken);
    let taken: u32 = own.map(|(slots, taken)| (slots & taken).count_ones()).sum();
    let needed = choices.largest[word.component] - taken as usize;
    let open = open_candidates(state, word, needed, choices.is_complete(word.component));
    for candidate in open.filter(|candidate| !state.has(candidate.slot)) {
        let mut child = state.clone();
        child.taken[candidate.slot / 64] |= 1 << (candidate.slot % 64);
        child.crossings += candidate.crossings + state.taken_before(candidate.slot);
        if ties == Ties::Chunks {
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
            let start = all.iter().rposition(|candidate| state.has(candidate.slot)).map_or(0, |last| last + 1);
            start..(all.len() + 1 - needed).max(start)
        }
    };
    all[range].iter()
}

/// A fingerprint of everything that the rest of the search depends on: the slots that the remaining words can take, and
/// the numbers of taken slots between them.
fn future(state: &State, to_come: &[usize], adjacent: bool) -> Fingerprint {
    let mut before = 0;
    let mut key = fingerprint::EMPTY;
    for &slot in to_come {
        let count = state.taken_before(slot);
        key = fingerprint::extend(key, u64::from((count - before) << 1 | u32::from(state.has(slot))));
        before = count;
    }
    let previous = state.previous.filter(|_| adjacent);
    previous.map_or(key, |reference| fingerprint::extend(key, reference as u64))
}

/// A lower bound on the crossings that the words from `at` on add.
fn least_to_come(state: &State, at: usize, choices: &Choices<'_>) -> u32 {
    let least = |word: &Choice| {
        let free = word.candidates.iter().filter(|candidate| !state.has(candidate.slot));
        free.map(|candidate| candidate.crossings + state.taken_before(candidate.slot)).min().unwrap_or(0)
    };
    choices.words[at..].iter().filter(|word| word.must_be_matched).map(least).sum()
}
