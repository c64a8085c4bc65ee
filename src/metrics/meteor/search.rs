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

use super::matches::{Match, Proposals};
use super::open::Open;
use super::room::{Cost, Large, Room, Small};

const NONE: u32 = u32::MAX;

/// The most sets of 64 words that a path goes through: as for texts of 23,000 words with a choice for each.
const MOST_SETS: usize = 1 << 23;

#[derive(Debug, Clone, Copy)]
struct Path<C, U> {
    cost: C,
    /// The hypothesis words that the path has used.
    used: U,
    /// The index of its last choice in the history.
    history: u32,
    position: Position,
}

/// Where a path continues.
#[derive(Debug, Clone, Copy)]
struct Position {
    /// The position in the reference.
    next: u32,
    /// The position in the hypothesis after the last match, if that match ends right where the path continues.
    end: u32,
}

/// A match that may be chosen.
struct Candidate<R: Room> {
    matched: Match,
    /// Its number among the candidates of its reference word, and the matched words that it adds.
    step: <R::Cost as Cost>::Step,
    distance: u64,
    /// Its hypothesis words, numbered among those that candidates cover.
    words: R::Words,
}

#[derive(Debug)]
struct Choice {
    candidate: u32,
    before: u32,
}

/// The initial capacity for paths.
const USUAL_PATHS: usize = 40;

/// The beam, and the candidates that it chooses from.
struct Search<'a, R: Room> {
    open: &'a Open,
    candidates: Vec<Candidate<R>>,
    beam: usize,
    room: R,
    /// Where all paths continue, if that is the same for all; the positions of the paths are then out of date.
    common: Option<Position>,
    /// The paths, the best first.
    paths: Vec<Path<R::Cost, R::Used>>,
    spare: Vec<Path<R::Cost, R::Used>>,
    costs: Vec<R::Cost>,
    history: Vec<Choice>,
}

/// The matches of the best alignment, in the order of the reference; `None` if the texts are too long for the search.
///
/// `weights` holds the weight of a matched word for each module.
pub(super) fn best(proposals: &Proposals, hypothesis: usize, weights: &[f64], beam: usize) -> Option<Vec<Match>> {
    let open = Open::of(proposals, hypothesis);
    if open.places() * open.choice.div_ceil(64) > MOST_SETS {
        return None;
    }
    if open.choice == 0 {
        return Some(open.fixed.into_iter().flatten().collect());
    }
    let most_places = beam.saturating_mul(1 << choice_bits(open.most_candidates()));
    let (words, matches) = (hypothesis.max(open.fixed.len()), proposals.matches.len());
    Some(if Small::is_enough(words, matches, open.choice, most_places) {
        Search::<Small>::new(proposals, &open, weights, beam).result()
    } else {
        Search::<Large>::new(proposals, &open, weights, beam).result()
    })
}

impl<'a, R: Room> Search<'a, R> {
    fn new(proposals: &Proposals, open: &'a Open, weights: &[f64], beam: usize) -> Self {
        let room = R::of(open.choice);
        let candidate = |(at, found): (usize, &Match)| {
            let first = open.numbers[found.hypothesis as usize];
            let choice = at - open.first[found.reference as usize];
            Candidate {
                matched: *found,
                step: R::Cost::step(choice as u32, gain(found, weights)),
                distance: u64::from(found.reference.abs_diff(found.hypothesis)),
                words: R::words(first..first + found.hypothesis_length),
            }
        };
        let start = Position { next: 0, end: NONE };
        let most = open.first.last().copied().unwrap_or(0);
        let mut candidates = Vec::with_capacity(most);
        candidates.extend(open.candidates(proposals).enumerate().map(candidate));
        Self {
            open,
            candidates,
            beam,
            paths: vec![Path { cost: R::Cost::START, used: room.none(), history: NONE, position: start }],
            room,
            common: Some(start),
            spare: Vec::with_capacity(USUAL_PATHS),
            costs: Vec::with_capacity(4 * USUAL_PATHS),
            history: Vec::with_capacity(USUAL_PATHS),
        }
    }

    /// Moves all paths past one word of the reference.
    fn step(&mut self, place: usize) {
        if self.open.first[place] < self.open.first[place + 1] {
            self.branch(place);
            return self.keep_best(place);
        }
        let fixed = &self.open.fixed[place];
        let after = fixed.as_ref().map_or(Position::after_gap(place as u32), Position::after);
        if let Some(common) = &mut self.common {
            // The cost is the same for all paths.
            if fixed.is_some() || common.next <= place as u32 {
                *common = after;
            }
            return;
        }
        let begin = fixed.map_or(NONE, |found| found.hypothesis);
        let mut are_all_there = true;
        for path in &mut self.paths {
            if fixed.is_none() && path.position.next > place as u32 {
                are_all_there = false;
                continue;
            }
            path.cost = path.cost.with_chunk(path.position.ends_chunk(begin));
            path.position = after;
        }
        self.common = are_all_there.then_some(after);
        self.sort();
    }

    /// Lists the costs of every path with each candidate that is free for it, and without any.
    ///
    /// The index of a cost combines the number of the path, in the higher bits, with the number of the candidate in the
    /// lower [`choice_bits`].
    fn branch(&mut self, place: usize) {
        let candidates = &self.candidates[self.open.first[place]..self.open.first[place + 1]];
        let bits = choice_bits(candidates.len());
        let left_out = R::Cost::step(candidates.len() as u32, 0);
        let Self { paths, costs, room, common, .. } = self;
        costs.resize(paths.len() * (candidates.len() + 1), R::Cost::START);
        let listed = &mut costs[..];
        let mut children = 0;
        for (path, number) in paths.iter_mut().zip(0..) {
            path.position = common.unwrap_or(path.position);
            let (mut cost, position, used) = (path.cost.at(number << bits), path.position, path.used);
            if position.next > place as u32 {
                listed[children] = cost;
                children += 1;
                continue;
            }
            for candidate in candidates {
                let ends_chunk = position.ends_chunk(candidate.matched.hypothesis);
                let is_free = room.are_free(used, &candidate.words);
                listed[children] = cost.with_chunk(ends_chunk).with_choice(candidate.step);
                children += usize::from(is_free);
                cost = cost.with_distance(if is_free { candidate.distance } else { 0 });
            }
            listed[children] = cost.with_chunk(position.ends_chunk(NONE)).with_choice(left_out);
            children += 1;
        }
        costs.truncate(children);
    }

    /// Makes the best branches the new paths.
    fn keep_best(&mut self, place: usize) {
        if self.costs.len() > self.beam {
            self.costs.select_nth_unstable(self.beam);
            self.costs.truncate(self.beam);
        }
        self.costs.sort_unstable();
        let first = self.open.first[place];
        let candidates = &self.candidates[first..self.open.first[place + 1]];
        let bits = choice_bits(candidates.len());
        self.room.renew();
        self.spare.clear();
        for cost in &self.costs {
            let (number, choice) = (cost.place() >> bits, (cost.place() & ((1 << bits) - 1)) as usize);
            let before = &self.paths[number as usize];
            let mut path = Path { cost: *cost, ..*before };
            let taken = candidates.get(choice).filter(|_| before.position.next <= place as u32);
            path.used = self.room.keep(path.used, taken.map(|candidate| &candidate.words));
            if let Some(candidate) = taken {
                self.history.push(Choice { candidate: (first + choice) as u32, before: path.history });
                path.history = self.history.len() as u32 - 1;
                path.position = Position::after(&candidate.matched);
            } else if before.position.next <= place as u32 {
                path.position = Position::after_gap(place as u32);
            }
            self.spare.push(path);
        }
        std::mem::swap(&mut self.paths, &mut self.spare);
        self.common = None;
    }

    /// Sorts the paths by cost, keeping the order of ties.
    fn sort(&mut self) {
        self.costs.clear();
        self.costs.extend(self.paths.iter().zip(0..).map(|(path, place)| path.cost.at(place)));
        if !self.costs.is_sorted() {
            self.costs.sort_unstable();
            self.spare.clear();
            self.spare.extend(self.costs.iter().map(|cost| self.paths[cost.place() as usize]));
            std::mem::swap(&mut self.paths, &mut self.spare);
        }
    }

    /// Runs the search and returns the matches of the best path.
    fn result(mut self) -> Vec<Match> {
        (0..self.open.fixed.len()).for_each(|place| self.step(place));
        if self.common.is_none() {
            self.paths.iter_mut().for_each(|path| path.cost = path.cost.with_chunk(path.position.ends_chunk(NONE)));
            self.sort();
        }
        let mut chosen = Vec::with_capacity(self.open.fixed.len());
        let mut at = self.paths.first().map_or(NONE, |best| best.history);
        while at != NONE {
            let choice = &self.history[at as usize];
            chosen.push(self.candidates[choice.candidate as usize].matched);
            at = choice.before;
        }
        // Both lists are in the order of the reference; the chosen matches are reversed.
        let mut matches = Vec::with_capacity(self.open.fixed.len());
        for (found, place) in self.open.fixed.iter().zip(0..) {
            matches.extend(found.or_else(|| chosen.pop_if(|found| found.reference == place)));
        }
        matches
    }
}

impl Position {
    fn after(found: &Match) -> Self {
        Self { next: found.reference + found.reference_length, end: found.hypothesis + found.hypothesis_length }
    }

    fn after_gap(place: u32) -> Self {
        Self { next: place + 1, end: NONE }
    }

    /// Whether continuing with a match that starts at `begin` in the hypothesis ends a chunk; `NONE` for continuing
    /// without a match.
    fn ends_chunk(&self, begin: u32) -> bool {
        (self.end != NONE) & (self.end != begin)
    }
}

/// The number of bits for the number of a candidate, or of the choice to skip the word.
fn choice_bits(candidates: usize) -> u32 {
    usize::BITS - candidates.leading_zeros()
}

/// The matched words that a match adds, each side weighted and rounded down.
fn gain(found: &Match, weights: &[f64]) -> u32 {
    let weight = weights[usize::from(found.module)];
    let rounded = |length: u32| (f64::from(length) * weight) as u32;
    rounded(found.hypothesis_length) + rounded(found.reference_length)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// Proposals of up to two words per side.
    fn proposals(matches: &[(u32, u32, u32, u32)], words: u32) -> Proposals {
        let mut proposals = Proposals::default();
        for place in 0..words {
            proposals.first.push(proposals.matches.len());
            for &(_, reference_length, hypothesis, hypothesis_length) in matches.iter().filter(|found| found.0 == place)
            {
                let (reference_length, hypothesis_length) =
                    (reference_length.min(words - place), hypothesis_length.min(words - hypothesis));
                let module = u8::from(reference_length + hypothesis_length > 2);
                proposals.matches.push(Match {
                    reference: place,
                    reference_length,
                    hypothesis,
                    hypothesis_length,
                    module,
                });
            }
        }
        proposals.first.push(proposals.matches.len());
        proposals
    }

    proptest! {
        #[test]
        fn the_room_makes_no_difference(
            matches in prop::collection::vec((0_u32..12, 1_u32..3, 0_u32..12, 1_u32..3), 0..40), beam in 1_usize..8,
        ) {
            let proposals = proposals(&matches, 12);
            let open = Open::of(&proposals, 12);
            let small = Search::<Small>::new(&proposals, &open, &[1.0, 0.5], beam).result();
            let large = Search::<Large>::new(&proposals, &open, &[1.0, 0.5], beam).result();
            prop_assert_eq!(small, large);
        }
    }

    #[test]
    fn texts_in_which_all_words_repeat_are_searched_up_to_a_length() {
        // Each word of the reference can match either of two words of the hypothesis.
        let is_searched = |words: u32| {
            let mut proposals = Proposals::default();
            for place in 0..words {
                proposals.first.push(proposals.matches.len());
                proposals.matches.extend([place & !1, place | 1].map(|other| Match::of_words(place, other, 0)));
            }
            proposals.first.push(proposals.matches.len());
            best(&proposals, words as usize, &[1.0], 1).is_some()
        };
        assert!(is_searched(20_000));
        assert!(!is_searched(24_000));
    }
}
