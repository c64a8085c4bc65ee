//! Which of the proposed matches make up the alignment.
//!
//! A match whose words, on both sides, no other match has is taken at once. For the rest a beam goes through the reference
//! from left to right: at each word a path either takes one of the matches that begin there or leaves the word out, and
//! the best paths go on. The best is, in this order, the one with more matched words, with fewer chunks, with the smaller
//! sum of distances between matched places; equal ones stay in the order in which they were made.
//!
//! Two slips of METEOR's program are kept. A word that is matched by a module other than the exact one counts half in the
//! search, but the sum is rounded down each time, so that such matches count nothing (two words of a paraphrase count one).
//! And where a path branches, the distance of a branch is not added to it but to the path that it came from, so that the
//! branches after it and the one that leaves the word out have it.
//!
//! Time and memory grow with the number of words times the number of paths, and of proposals times the number of paths.

use super::stages::{Match, Proposals};

const NONE: u32 = u32::MAX;

/// How good a path is; less is better.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Cost {
    /// Falls by each matched word.
    unmatched: u32,
    chunks: u32,
    distance: u64,
}

#[derive(Debug, Clone, Copy)]
struct Path {
    cost: Cost,
    /// The place of the reference where it goes on.
    next: u32,
    /// The place in the hypothesis after the last match, if the match ends where the path goes on.
    end: u32,
    /// Its row in the table of used words; of a new branch that of the path that it came from.
    row: u32,
    /// The candidate that it took to branch, or none.
    choice: u32,
    /// Its last choice in the history.
    history: u32,
}

/// A match that may be chosen.
#[derive(Debug)]
struct Candidate {
    matched: Match,
    /// How much it adds to the number of matched words.
    gain: u32,
    distance: u64,
    /// The number of its first word among the words of the hypothesis that may be chosen.
    slot: u32,
}

#[derive(Debug)]
struct Choice {
    candidate: u32,
    before: u32,
}

/// The beam and what it has to choose from.
struct Search {
    candidates: Vec<Candidate>,
    /// Where the candidates of each word of the reference begin; one more element for the end.
    first: Vec<usize>,
    /// For each word of the reference the match that is taken at once and begins there.
    fixed: Vec<Option<Match>>,
    beam: usize,
    paths: Vec<Path>,
    children: Vec<Path>,
    /// Which slots each path has used, a row of `stride` elements a path.
    used: Vec<u64>,
    spare: Vec<u64>,
    stride: usize,
    history: Vec<Choice>,
    /// Whether costs are small enough for [`key`].
    has_keys: bool,
    keys: Vec<u64>,
}

/// The matches of the best alignment, in the order of the reference.
///
/// `weights` has for each module the weight of a word that it matches.
pub(super) fn best(proposals: &Proposals, hypothesis: usize, weights: &[f64], beam: usize) -> Vec<Match> {
    let mut search = Search::new(proposals, hypothesis, weights, beam);
    for place in 0..search.fixed.len() {
        search.step(place);
    }
    search.result()
}

impl Search {
    fn new(proposals: &Proposals, hypothesis: usize, weights: &[f64], beam: usize) -> Self {
        let words = proposals.first.len() - 1;
        let (mut here, mut there) = (vec![0_u32; hypothesis], vec![0_u32; words]);
        for found in &proposals.matches {
            here[found.in_hypothesis()].iter_mut().for_each(|count| *count += 1);
            there[found.in_reference()].iter_mut().for_each(|count| *count += 1);
        }
        let alone = |found: &Match| {
            here[found.in_hypothesis()].iter().all(|&count| count == 1)
                && there[found.in_reference()].iter().all(|&count| count == 1)
        };
        let fixed: Vec<Option<Match>> = proposals
            .first
            .windows(2)
            .map(|range| match &proposals.matches[range[0]..range[1]] {
                [only] if alone(only) => Some(*only),
                _ => None,
            })
            .collect();
        let start = Path {
            cost: Cost { unmatched: UNMATCHED, chunks: 0, distance: 0 },
            next: 0,
            end: NONE,
            row: 0,
            choice: NONE,
            history: NONE,
        };
        let mut search = Self {
            candidates: Vec::new(),
            first: Vec::with_capacity(words + 1),
            fixed,
            beam,
            paths: vec![start],
            children: Vec::new(),
            used: Vec::new(),
            spare: Vec::new(),
            stride: 0,
            history: Vec::new(),
            has_keys: hypothesis.max(words) <= MOST_WORDS && proposals.matches.len() <= MOST_MATCHES,
            keys: Vec::new(),
        };
        search.list_candidates(proposals, &mut here, weights);
        search
    }

    /// `words` becomes the number of each word of the hypothesis among those that candidates have.
    fn list_candidates(&mut self, proposals: &Proposals, words: &mut [u32], weights: &[f64]) {
        words.fill(0);
        for range in
            proposals.first.windows(2).zip(&self.fixed).filter(|(_, fixed)| fixed.is_none()).map(|(range, _)| range)
        {
            for found in &proposals.matches[range[0]..range[1]] {
                words[found.in_hypothesis()].fill(1);
            }
        }
        let mut slots = 0;
        for word in words.iter_mut() {
            (*word, slots) = (slots, slots + *word);
        }
        self.stride = (slots as usize).div_ceil(64);
        self.used = vec![0; self.stride];
        for place in 0..self.fixed.len() {
            self.first.push(self.candidates.len());
            let open =
                if self.fixed[place].is_none() { proposals.first[place]..proposals.first[place + 1] } else { 0..0 };
            self.candidates.extend(proposals.matches[open].iter().map(|found| Candidate {
                matched: *found,
                gain: gain(found, weights),
                distance: u64::from(found.reference.abs_diff(found.hypothesis)),
                slot: words[found.hypothesis as usize],
            }));
        }
        self.first.push(self.candidates.len());
    }

    /// Takes all paths over one word of the reference.
    fn step(&mut self, place: usize) {
        if let Some(found) = self.fixed[place] {
            self.paths.iter_mut().for_each(|path| path.take_fixed(&found));
        } else if self.first[place] == self.first[place + 1] {
            self.paths.iter_mut().for_each(|path| path.leave_out(place as u32));
        } else {
            // Leaves the paths in order.
            return self.branch(place);
        }
        sort(&mut self.paths, &mut self.children, &mut self.keys, self.has_keys, self.beam);
    }

    /// Every path with every candidate that is free for it, then without any.
    fn branch(&mut self, place: usize) {
        self.children.clear();
        for path in &self.paths {
            let mut path = Path { choice: NONE, ..*path };
            if path.next > place as u32 {
                self.children.push(path);
                continue;
            }
            let used = &self.used[path.row as usize * self.stride..][..self.stride];
            for choice in self.first[place]..self.first[place + 1] {
                let candidate = &self.candidates[choice];
                if candidate.slots().all(|slot| used[slot / 64] >> (slot % 64) & 1 == 0) {
                    self.children.push(path.take(candidate, choice as u32));
                    path.cost.distance += candidate.distance;
                }
            }
            path.leave_out(place as u32);
            self.children.push(path);
        }
        self.keep_best();
    }

    /// The best children become the paths.
    fn keep_best(&mut self) {
        // The paths are not needed any more.
        sort(&mut self.children, &mut self.paths, &mut self.keys, self.has_keys, self.beam);
        self.spare.clear();
        for (row, child) in (0..).zip(&mut self.children) {
            let start = self.spare.len();
            self.spare.extend_from_slice(&self.used[child.row as usize * self.stride..][..self.stride]);
            child.row = row;
            if child.choice != NONE {
                for slot in self.candidates[child.choice as usize].slots() {
                    self.spare[start + slot / 64] |= 1 << (slot % 64);
                }
                self.history.push(Choice { candidate: child.choice, before: child.history });
                child.history = self.history.len() as u32 - 1;
            }
        }
        std::mem::swap(&mut self.paths, &mut self.children);
        std::mem::swap(&mut self.used, &mut self.spare);
    }

    /// The matches of the path that is best at the end.
    fn result(mut self) -> Vec<Match> {
        let words = self.fixed.len() as u32;
        self.paths.iter_mut().for_each(|path| path.leave_out(words));
        self.paths.sort_by_key(|path| path.cost);
        let mut matches: Vec<Match> = self.fixed.iter().flatten().copied().collect();
        let mut at = self.paths.first().map_or(NONE, |best| best.history);
        while at != NONE {
            let choice = &self.history[at as usize];
            matches.push(self.candidates[choice.candidate as usize].matched);
            at = choice.before;
        }
        matches.sort_unstable_by_key(|found| found.reference);
        matches
    }
}

/// Puts the paths in the order of their costs, equal ones in the order in which they are, and keeps the first `most`.
/// What stands in `spare` is lost.
fn sort(paths: &mut Vec<Path>, spare: &mut Vec<Path>, keys: &mut Vec<u64>, has_keys: bool, most: usize) {
    if !paths.is_sorted_by_key(|path| path.cost) {
        if has_keys && paths.len() <= MOST_PATHS {
            keys.clear();
            keys.extend(paths.iter().zip(0..).map(|(path, at)| key(path.cost, at)));
            keys.sort_unstable();
            spare.clear();
            spare.extend(keys.iter().take(most).map(|key| paths[*key as usize % MOST_PATHS]));
            std::mem::swap(paths, spare);
        } else {
            paths.sort_by_key(|path| path.cost);
        }
    }
    paths.truncate(most);
}

/// What a path has before it has any match.
const UNMATCHED: u32 = u32::MAX / 2;
/// The longest texts that [`key`] has room for; a path cannot match more than all of them.
const MOST_WORDS: usize = 1 << 9;
/// The most matches; the distances of all of them have room.
const MOST_MATCHES: usize = 1 << 20;
/// The most paths.
const MOST_PATHS: usize = 1 << 11;

/// A cost and a place among paths as one number in the same order: 11 bits, 12, 30 and 11.
fn key(cost: Cost, place: u64) -> u64 {
    let unmatched = u64::from(2 * MOST_WORDS as u32 + cost.unmatched - UNMATCHED);
    unmatched << 53 | u64::from(cost.chunks) << 41 | cost.distance << 11 | place
}

impl Path {
    /// All paths take a fixed match, so that only what it does to their chunks tells them apart.
    fn take_fixed(&mut self, found: &Match) {
        self.cost.chunks += u32::from(self.end != NONE && self.end != found.hypothesis);
        self.next = found.reference + found.reference_length;
        self.end = found.hypothesis + found.hypothesis_length;
    }

    /// Goes on from a word of the reference without a match, unless a match covers the word.
    fn leave_out(&mut self, place: u32) {
        if self.next <= place {
            self.cost.chunks += u32::from(self.end != NONE);
            self.next = place + 1;
            self.end = NONE;
        }
    }

    fn take(&self, candidate: &Candidate, choice: u32) -> Self {
        let mut branch = Self { choice, ..*self };
        branch.take_fixed(&candidate.matched);
        branch.cost.unmatched -= candidate.gain;
        branch
    }
}

impl Candidate {
    fn slots(&self) -> std::ops::Range<usize> {
        self.slot as usize..(self.slot + self.matched.hypothesis_length) as usize
    }
}

/// What a match adds to the number of matched words of both sides, each rounded down.
fn gain(found: &Match, weights: &[f64]) -> u32 {
    let weight = weights[usize::from(found.module)];
    let rounded = |length: u32| (f64::from(length) * weight) as u32;
    rounded(found.hypothesis_length) + rounded(found.reference_length)
}
