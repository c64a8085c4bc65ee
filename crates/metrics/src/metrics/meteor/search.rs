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
//! A word without a choice is passed by all paths: some then end a chunk, which changes the order of the paths. If it
//! follows a choice, both changes are made at once, so that the paths are sorted once.
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
    /// Whether a path that takes it ends a chunk by passing the next word.
    ends_chunk: bool,
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
                ends_chunk: false,
            }
        };
        let candidates = contested.iter().map(candidate).collect();
        let mut choices = Self { settled, candidates, first, stride: words.div_ceil(64) };
        for number in 0..choices.candidates.len() {
            let matched = &choices.candidates[number].matched;
            let ends_chunk = choices.ends_chunk_next(Position::after(matched), matched.reference as usize);
            choices.candidates[number].ends_chunk = ends_chunk;
        }
        choices
    }

    /// Whether there is a word of this number in the reference, without candidates.
    fn passes(&self, word: usize) -> bool {
        word < self.settled.len() && self.first[word] == self.first[word + 1]
    }

    /// Where a path is after passing such a word, and whether it ends a chunk by that; `None` if the last match of the
    /// path goes beyond the word.
    fn pass(&self, position: Position, word: usize) -> Option<(Position, bool)> {
        match &self.settled[word] {
            Some(matched) => Some((Position::after(matched), position.ends_chunk(matched.hypothesis))),
            None if position.next <= word as u32 => Some((Position::after_gap(word as u32), position.ends_chunk(NONE))),
            None => None,
        }
    }

    /// Whether a path that goes on from `word` ends a chunk by passing the next word.
    fn ends_chunk_next(&self, position: Position, word: usize) -> bool {
        self.passes(word + 1) && self.pass(position, word + 1).is_some_and(|(_, ends_chunk)| ends_chunk)
    }
}

/// The matched words that a match adds, each side weighted and rounded down.
fn gain(matched: &Match, modules: &[Module]) -> u32 {
    let weighted =
        |length: u32| if modules[usize::from(matched.module)] == Module::Exact { length } else { length / 2 };
    weighted(matched.hypothesis_length) + weighted(matched.reference_length)
}

/// The cost of a path; less is better. From the highest bits: 28 for the words that are not matched, 20 for chunks, 44
/// for distances, and 36 that decide between equal costs: one for the order after [`Self::passing`], 34 for a number,
/// and one that says whether the path ends a chunk by passing the next word. No sum leaves its bits: a path has at most
/// 2^18 matches, of at most 2 x 255 words, and distances are below 2^26 even in texts of 100 MB.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Cost(u128);

impl Cost {
    const ORDER_BITS: u32 = 36;
    const LATER: u32 = Self::ORDER_BITS - 1;
    const CHUNKS: u32 = Self::ORDER_BITS + 44;
    const WORDS: u32 = Self::CHUNKS + 20;
    const START: Self = Self(1 << 127);

    fn with_words(self, gain: u32) -> Self {
        Self(self.0 - (u128::from(gain) << Self::WORDS))
    }

    fn with_chunk(self, is_one: bool) -> Self {
        Self(self.0 + (u128::from(is_one) << Self::CHUNKS))
    }

    fn with_distance(self, distance: u64) -> Self {
        Self(self.0 + (u128::from(distance) << Self::ORDER_BITS))
    }

    /// The cost with a number, where it had none.
    fn numbered(self, number: usize, ends_chunk_next: bool) -> Self {
        Self(self.0 + (number as u128) * 2 + u128::from(ends_chunk_next))
    }

    fn number(self) -> usize {
        self.0 as usize % (1 << Self::LATER) / 2
    }

    fn without_number(self) -> Self {
        Self(self.0 >> Self::ORDER_BITS << Self::ORDER_BITS)
    }

    /// The cost after passing the next word. Among costs that are equal only then, those that have just ended a chunk
    /// were less before, and remain so.
    fn passing(self) -> Self {
        if self.0 & 1 == 1 { self.with_chunk(true) } else { Self(self.0 + (1 << Self::LATER)) }
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
        let mut word = 0;
        while word < self.choices.settled.len() {
            if self.choices.passes(word) {
                self.pass(word);
                word += 1;
            } else {
                self.branch(word);
                word = self.keep_best(word);
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
        if let Some(common) = self.common {
            // The cost is the same for all paths.
            self.common = self.choices.pass(common, word).map_or(Some(common), |(after, _)| Some(after));
            return;
        }
        let mut are_all_there = true;
        for path in &mut self.paths {
            if let Some((after, ends_chunk)) = self.choices.pass(path.position, word) {
                path.cost = path.cost.with_chunk(ends_chunk);
                path.position = after;
            } else {
                are_all_there = false;
            }
        }
        self.common = are_all_there.then(|| self.paths[0].position);
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
                let ends_chunk_next = self.choices.ends_chunk_next(path.position, word);
                branches.push(cost.numbered(number + candidates.len(), ends_chunk_next));
                continue;
            }
            for (candidate, number) in candidates.iter().zip(number..) {
                let is_used = |word: usize| used[path.used as usize + word / 64] >> (word % 64) & 1 == 1;
                if !candidate.words.clone().any(is_used) {
                    let ends_chunk = path.position.ends_chunk(candidate.matched.hypothesis);
                    let branch = cost.with_chunk(ends_chunk).with_words(candidate.gain);
                    branches.push(branch.numbered(number, candidate.ends_chunk));
                    cost = cost.with_distance(candidate.distance);
                }
            }
            branches.push(cost.with_chunk(path.position.ends_chunk(NONE)).numbered(number + candidates.len(), false));
        }
    }

    /// Makes the best branches the new paths, and moves them past the next word if that has no candidates. Returns the
    /// word where they continue.
    fn keep_best(&mut self, word: usize) -> usize {
        let Choices { candidates, first, stride, .. } = self.choices;
        let (first, end) = (first[word], first[word + 1]);
        if end == candidates.len() {
            // This was the last choice. What follows is the same for all paths, except that some end a chunk.
            let least = self.branches.iter().min().copied().unwrap_or(Cost::START);
            self.branches.retain(|cost| *cost < least.with_chunk(true));
        }
        if self.branches.len() > self.beam {
            self.branches.select_nth_unstable(self.beam);
            self.branches.truncate(self.beam);
        }
        let passes = self.choices.passes(word + 1);
        if passes {
            self.branches.iter_mut().for_each(|cost| *cost = cost.passing());
        }
        self.branches.sort_unstable();
        std::mem::swap(&mut self.paths, &mut self.before.0);
        std::mem::swap(&mut self.used, &mut self.before.1);
        self.paths.clear();
        self.used.clear();
        let width = end - first + 1;
        let mut are_all_there = passes;
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
            if passes {
                match self.choices.pass(path.position, word + 1) {
                    Some((after, _)) => path.position = after,
                    None => are_all_there = false,
                }
            }
            self.paths.push(path);
        }
        self.common = are_all_there.then(|| self.paths[0].position);
        word + 1 + usize::from(passes)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// A path of [`simple_best`].
    #[derive(Clone, Default)]
    struct SimplePath {
        gain: u32,
        chunks: u32,
        distance: u64,
        next: u32,
        end: Option<u32>,
        taken: Vec<Match>,
    }

    impl SimplePath {
        /// Goes on to a word, with a match or past it.
        fn go_on(&mut self, word: u32, matched: Option<&Match>) {
            let begin = matched.map(|matched| matched.hypothesis);
            self.chunks += u32::from(self.end.is_some() && self.end != begin);
            self.end = matched.map(|matched| matched.hypothesis + matched.hypothesis_length);
            self.next = matched.map_or(word + 1, |matched| matched.reference + matched.reference_length);
            self.taken.extend(matched);
        }
    }

    fn overlap(one: Range<usize>, other: Range<usize>) -> bool {
        one.start < other.end && other.start < one.end
    }

    /// The search as described: all paths are copied and sorted at each word.
    fn simple_best(proposals: &Proposals, modules: &[Module], beam: usize) -> Vec<Match> {
        let overlaps = |one: &Match, other: &Match| {
            overlap(one.in_hypothesis(), other.in_hypothesis()) || overlap(one.in_reference(), other.in_reference())
        };
        let is_settled =
            |matched: &Match| proposals.matches.iter().filter(|other| overlaps(matched, other)).count() == 1;
        let mut paths = vec![SimplePath::default()];
        for (word, range) in (0..).zip(proposals.first.windows(2)) {
            let matches = &proposals.matches[range[0]..range[1]];
            let mut after = Vec::new();
            for mut path in paths {
                if path.next > word {
                    after.push(path);
                } else if let Some(settled) = matches.iter().find(|matched| is_settled(matched)) {
                    path.go_on(word, Some(settled));
                    after.push(path);
                } else {
                    for matched in matches {
                        if !path.taken.iter().any(|taken| overlap(taken.in_hypothesis(), matched.in_hypothesis())) {
                            let mut branch = path.clone();
                            branch.go_on(word, Some(matched));
                            branch.gain += gain(matched, modules);
                            after.push(branch);
                            path.distance += u64::from(matched.reference.abs_diff(matched.hypothesis));
                        }
                    }
                    path.go_on(word, None);
                    after.push(path);
                }
            }
            after.sort_by_key(|path| (std::cmp::Reverse(path.gain), path.chunks, path.distance));
            after.truncate(beam);
            paths = after;
        }
        paths.iter_mut().for_each(|path| path.go_on(0, None));
        let best = paths.into_iter().min_by_key(|path| (std::cmp::Reverse(path.gain), path.chunks, path.distance));
        best.expect("a path").taken
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(2048))]

        #[test]
        fn it_finds_what_the_simple_search_finds(
            matches in prop::collection::vec((0_u32..9, 1_u32..3, 0_u32..7, 1_u32..3, 0_u8..2), 0..24),
            beam in 1_usize..9,
        ) {
            let mut proposals = Proposals::default();
            for word in 0..10 {
                proposals.first.push(proposals.matches.len());
                for &(reference, reference_length, hypothesis, hypothesis_length, module) in &matches {
                    if reference == word {
                        let matched = Match { reference, reference_length, hypothesis, hypothesis_length, module };
                        proposals.matches.push(matched);
                    }
                }
            }
            proposals.first.push(proposals.matches.len());
            let modules = [Module::Exact, Module::Paraphrase];
            prop_assert_eq!(best(&proposals, 8, &modules, beam), Some(simple_best(&proposals, &modules, beam)));
        }
    }

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
