//! Chooses the alignment from the proposed matches.
//!
//! A match is settled at once if no other match covers any of its words. For the rest, a beam search goes through the
//! reference from left to right: at each word a path either takes one of the matches that start there or skips the
//! word, and the best paths survive. The best path has, in this order, more matched words, fewer chunks, and a smaller
//! sum of distances between matched positions; ties keep the order in which the paths were made.
//!
//! Two slips of METEOR's program are reproduced. A word that is matched by a module other than the exact one counts
//! half in the search, but the sum is rounded down each time, so that such matches count nothing (two words of a
//! paraphrase count one). And when a path branches, the distance of a branch is added not to the branch but to its
//! parent, so that all later branches, and the one that skips the word, have it.
//!
//! Time and memory are proportional to the number of paths times the number of words and of proposals. In addition,
//! each path has a set of used words, which is copied at each word with a choice: that is quadratic, and avoided for
//! long texts.

use std::ops::Range;

use super::matches::{Match, Proposals};
use crate::metrics::links::Module;

/// The most sets of 64 words that a path goes through: as for texts of 23,000 words with a choice for each.
const MAX_SETS: usize = 1 << 23;

/// The matches of the best alignment, in the order of the reference; `None` if the texts are too long for the search.
/// `hypothesis` is the number of words of the hypothesis, `beam` the largest number of paths.
pub(super) fn best(proposals: &Proposals, hypothesis: usize, modules: &[Module], beam: usize) -> Option<Vec<Match>> {
    let choices = Choices::new(proposals, hypothesis, modules);
    let words_with_choice = choices.first.windows(2).filter(|range| range[0] < range[1]).count();
    if words_with_choice * choices.stride > MAX_SETS {
        return None;
    }
    let mut chosen = if words_with_choice == 0 { Vec::new() } else { Search::new(&choices, beam).result() };
    let mut matches = Vec::with_capacity(choices.settled.len());
    for (settled, word) in choices.settled.iter().zip(0..) {
        matches.extend(settled.or_else(|| chosen.pop_if(|matched| matched.reference == word)));
    }
    Some(matches)
}

/// The matches that are settled at once, and the candidates to choose from.
struct Choices {
    /// For each word of the reference, the settled match that starts there.
    settled: Vec<Option<Match>>,
    /// The other matches, in the order of the proposals.
    candidates: Vec<Candidate>,
    /// The index of the first candidate of each reference word; one more element for the end.
    first: Vec<usize>,
    /// The number of elements of a set of hypothesis words that candidates cover, each for 64 words.
    stride: usize,
}

/// A match that may be chosen.
struct Candidate {
    matched: Match,
    /// The matched words that it adds.
    gain: u32,
    distance: u64,
    /// Its hypothesis words, numbered among those that candidates cover.
    words: Range<usize>,
}

impl Choices {
    fn new(proposals: &Proposals, hypothesis: usize, modules: &[Module]) -> Self {
        let (mut here, mut there) = (vec![0_u32; hypothesis], vec![0_u32; proposals.first.len() - 1]);
        for matched in &proposals.matches {
            here[matched.in_hypothesis()].iter_mut().for_each(|count| *count += 1);
            there[matched.in_reference()].iter_mut().for_each(|count| *count += 1);
        }
        let is_alone = |matched: &Match| {
            here[matched.in_hypothesis()].iter().all(|&count| count == 1)
                && there[matched.in_reference()].iter().all(|&count| count == 1)
        };
        let mut contested: Vec<&Match> = Vec::with_capacity(proposals.matches.len());
        let mut settled = Vec::with_capacity(there.len());
        let mut first = Vec::with_capacity(proposals.first.len());
        for range in proposals.first.windows(2) {
            first.push(contested.len());
            let matches = &proposals.matches[range[0]..range[1]];
            let only = matches.first().filter(|matched| matches.len() == 1 && is_alone(matched));
            settled.push(only.copied());
            contested.extend(if only.is_none() { matches } else { &[] });
        }
        first.push(contested.len());
        let mut numbers = vec![0; hypothesis];
        contested.iter().for_each(|matched| numbers[matched.in_hypothesis()].fill(1));
        let mut words = 0;
        for number in &mut numbers {
            (*number, words) = (words, words + *number);
        }
        let candidate = |matched: &&Match| {
            let start = numbers[matched.hypothesis as usize];
            Candidate {
                matched: **matched,
                gain: gain(matched, modules),
                distance: u64::from(matched.reference.abs_diff(matched.hypothesis)),
                words: start..start + matched.hypothesis_length as usize,
            }
        };
        let candidates = contested.iter().map(candidate).collect();
        Self { settled, candidates, first, stride: words.div_ceil(64) }
    }
}

/// The matched words that a match adds, each side weighted and rounded down.
fn gain(matched: &Match, modules: &[Module]) -> u32 {
    let weighted =
        |length: u32| if modules[usize::from(matched.module)] == Module::Exact { length } else { length / 2 };
    weighted(matched.hypothesis_length) + weighted(matched.reference_length)
}

/// The cost of a path; less is better. From the highest bits: 28 for the words that are not matched, 20 for chunks, 44
/// for distances, and 36 for a number that decides between equal costs. No sum leaves its bits: a path has at most 2^18
/// matches, of at most 2 x 255 words, and distances are below 2^26 even in texts of 100 MB.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Cost(u128);

impl Cost {
    const NUMBER_BITS: u32 = 36;
    const CHUNKS: u32 = Self::NUMBER_BITS + 44;
    const WORDS: u32 = Self::CHUNKS + 20;
    const START: Self = Self(1 << 127);

    fn with_words(self, gain: u32) -> Self {
        Self(self.0 - (u128::from(gain) << Self::WORDS))
    }

    fn with_chunk(self, is_one: bool) -> Self {
        Self(self.0 + (u128::from(is_one) << Self::CHUNKS))
    }

    fn with_distance(self, distance: u64) -> Self {
        Self(self.0 + (u128::from(distance) << Self::NUMBER_BITS))
    }

    /// A cost of number 0 with another number.
    fn numbered(self, number: usize) -> Self {
        Self(self.0 + number as u128)
    }

    fn number(self) -> usize {
        self.0 as usize & ((1 << Self::NUMBER_BITS) - 1)
    }

    fn without_number(self) -> Self {
        Self(self.0 >> Self::NUMBER_BITS << Self::NUMBER_BITS)
    }
}

/// The usual number of paths, and of choices in the history.
const USUAL_PATHS: usize = 40;

/// No position.
const NONE: u32 = u32::MAX;

/// Where a path continues.
#[derive(Debug, Clone, Copy)]
struct Position {
    /// The position in the reference.
    next: u32,
    /// The position in the hypothesis after the last match, if that match ends right where the path continues, or
    /// [`NONE`].
    end: u32,
}

impl Position {
    fn after(matched: &Match) -> Self {
        Self { next: matched.reference + matched.reference_length, end: matched.hypothesis + matched.hypothesis_length }
    }

    fn after_gap(word: u32) -> Self {
        Self { next: word + 1, end: NONE }
    }

    /// Whether continuing with a match that starts at `begin` in the hypothesis ends a chunk; [`NONE`] for continuing
    /// without a match.
    fn ends_chunk(&self, begin: u32) -> bool {
        (self.end != NONE) & (self.end != begin)
    }
}

#[derive(Debug, Clone, Copy)]
struct Path {
    cost: Cost,
    /// Where the set of its hypothesis words begins in [`Search::used`].
    used: u32,
    /// The number of its last choice in the history, from 1; 0 for none.
    history: u32,
    position: Position,
}

/// The beam, and the choices of its paths.
struct Search<'a> {
    choices: &'a Choices,
    beam: usize,
    /// The paths, the best first.
    paths: Vec<Path>,
    /// Where all paths continue, if that is the same for all; the positions of the paths are then out of date.
    common: Option<Position>,
    /// The sets of hypothesis words that the paths have used, one bit per word.
    used: Vec<u64>,
    /// Candidates that paths have taken, each with the number of the choice before it.
    history: Vec<(u32, u32)>,
    branches: Vec<Cost>,
    /// The paths and their sets before the last choice, kept for their memory.
    before: (Vec<Path>, Vec<u64>),
}

impl<'a> Search<'a> {
    fn new(choices: &'a Choices, beam: usize) -> Self {
        let position = Position { next: 0, end: NONE };
        let mut paths = Vec::with_capacity(USUAL_PATHS);
        paths.push(Path { cost: Cost::START, used: 0, history: 0, position });
        let mut used = Vec::with_capacity(USUAL_PATHS * choices.stride);
        used.resize(choices.stride, 0);
        Self {
            choices,
            beam,
            before: (Vec::with_capacity(paths.capacity()), Vec::with_capacity(used.capacity())),
            paths,
            common: Some(position),
            used,
            history: Vec::with_capacity(2 * USUAL_PATHS),
            branches: Vec::with_capacity(4 * USUAL_PATHS),
        }
    }

    /// Runs the search and returns the candidates of the best path, in reverse order.
    fn result(mut self) -> Vec<Match> {
        for word in 0..self.choices.settled.len() {
            if self.choices.first[word] < self.choices.first[word + 1] {
                self.branch(word);
                self.keep_best(word);
            } else {
                self.pass(word);
            }
        }
        let ends_chunk = |path: &Path| self.common.unwrap_or(path.position).ends_chunk(NONE);
        let best = self.paths.iter().min_by_key(|path| path.cost.with_chunk(ends_chunk(path)));
        let mut matches = Vec::with_capacity(self.choices.settled.len());
        let mut at = best.map_or(0, |path| path.history);
        while at > 0 {
            let (candidate, before) = self.history[at as usize - 1];
            matches.push(self.choices.candidates[candidate as usize].matched);
            at = before;
        }
        matches
    }

    /// Moves all paths past a word of the reference without candidates.
    fn pass(&mut self, word: usize) {
        let settled = &self.choices.settled[word];
        let after = settled.as_ref().map_or(Position::after_gap(word as u32), Position::after);
        let is_there = |position: &Position| settled.is_some() || position.next <= word as u32;
        if let Some(common) = &mut self.common {
            // The cost is the same for all paths.
            if is_there(common) {
                *common = after;
            }
            return;
        }
        let begin = settled.map_or(NONE, |matched| matched.hypothesis);
        let mut are_all_there = true;
        for path in &mut self.paths {
            if is_there(&path.position) {
                path.cost = path.cost.with_chunk(path.position.ends_chunk(begin));
                path.position = after;
            } else {
                are_all_there = false;
            }
        }
        self.common = are_all_there.then_some(after);
        // Mostly sorted; merging the paths that ended a chunk with the others takes more instructions.
        if !self.paths.is_sorted_by_key(|path| path.cost) {
            self.paths.sort_by_key(|path| path.cost);
        }
    }

    /// Lists the costs of every path with each candidate of a word that is free for it, and without any. They are
    /// numbered by path, then by candidate.
    fn branch(&mut self, word: usize) {
        let candidates = &self.choices.candidates[self.choices.first[word]..self.choices.first[word + 1]];
        let Self { branches, used, .. } = self;
        branches.clear();
        branches.reserve(self.paths.len() * (candidates.len() + 1));
        for (path, number) in self.paths.iter_mut().zip((0..).step_by(candidates.len() + 1)) {
            path.position = self.common.unwrap_or(path.position);
            let mut cost = path.cost;
            if path.position.next > word as u32 {
                branches.push(cost.numbered(number + candidates.len()));
                continue;
            }
            for (candidate, number) in candidates.iter().zip(number..) {
                let is_used = |word: usize| used[path.used as usize + word / 64] >> (word % 64) & 1 == 1;
                if !candidate.words.clone().any(is_used) {
                    let ends_chunk = path.position.ends_chunk(candidate.matched.hypothesis);
                    branches.push(cost.with_chunk(ends_chunk).with_words(candidate.gain).numbered(number));
                    cost = cost.with_distance(candidate.distance);
                }
            }
            branches.push(cost.with_chunk(path.position.ends_chunk(NONE)).numbered(number + candidates.len()));
        }
    }

    /// Makes the best branches the new paths.
    fn keep_best(&mut self, word: usize) {
        if self.branches.len() > self.beam {
            self.branches.select_nth_unstable(self.beam);
            self.branches.truncate(self.beam);
        }
        self.branches.sort_unstable();
        let Choices { candidates, first, stride, .. } = self.choices;
        let (first, end) = (first[word], first[word + 1]);
        std::mem::swap(&mut self.paths, &mut self.before.0);
        std::mem::swap(&mut self.used, &mut self.before.1);
        self.paths.clear();
        self.used.clear();
        let width = end - first + 1;
        for cost in &self.branches {
            let (before, choice) = (&self.before.0[cost.number() / width], first + cost.number() % width);
            let start = self.used.len();
            let mut path = Path { cost: cost.without_number(), used: start as u32, ..*before };
            // Nearly always one number, for which a call of memcpy would take longer.
            self.used.extend(self.before.1[before.used as usize..][..*stride].iter().copied());
            if choice < end {
                let candidate = &candidates[choice];
                candidate.words.clone().for_each(|word| self.used[start + word / 64] |= 1 << (word % 64));
                self.history.push((choice as u32, path.history));
                path.history = self.history.len() as u32;
                path.position = Position::after(&candidate.matched);
            } else if path.position.next <= word as u32 {
                path.position = Position::after_gap(word as u32);
            }
            self.paths.push(path);
        }
        self.common = None;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_in_which_all_words_repeat_are_searched_up_to_a_length() {
        // Each word of the reference can match either of two words of the hypothesis.
        let is_searched = |words: u32| {
            let mut proposals = Proposals::default();
            for position in 0..words {
                proposals.first.push(proposals.matches.len());
                proposals
                    .matches
                    .extend([position & !1, position | 1].map(|other| Match::of_words(position, other, 0)));
            }
            proposals.first.push(proposals.matches.len());
            best(&proposals, words as usize, &[Module::Exact], 1).is_some()
        };
        assert!(is_searched(20_000));
        assert!(!is_searched(24_000));
    }
}
