//! TER, step 2: moves runs of words of the hypothesis as long as that saves edits.
//!
//! Greedy, as in Tercom and sacreBLEU: of all runs of at most 10 words that also stand in the reference, at most 50
//! words away, and that are wrong in both places, the move that saves most is made; then all is looked at again. After
//! 1000 tried moves of a segment it stops, and then the best move of the last round is not made.
//!
//! A move of a run over another changes an edit distance at most by twice the length of the shorter of the two, and
//! moves cannot bring it below the number of words that the texts do not share. So the moves are tried in the order of
//! what they can save, only from the first word that moves to where the table runs on as before, and no further than
//! until nothing better can follow. All of that changes no result.

use std::cmp::Reverse;
use std::ops::Range;

use super::alignment::{Alignment, Edits, Table, Word};
use super::places::Places;

/// The longest run that is moved, in words; Tercom's limit.
const MAX_LENGTH: usize = 10;

/// How far from each other a run may begin in hypothesis and reference, in words; Tercom's limit.
const MAX_DISTANCE: usize = 50;

/// How many moves are tried for a segment; sacreBLEU's own limit.
const MAX_CANDIDATES: usize = 1000;

/// A move that may be worth it. The order is Tercom's: what it saves, the longer run, the one that begins earlier, the
/// earlier place to move to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Candidate {
    /// How many edits it saves, or can save at best.
    saves: u32,
    length: usize,
    start: Reverse<usize>,
    target: Reverse<usize>,
}

impl Candidate {
    /// The words that change places, and how many of them, at the beginning, go to the end.
    fn rotation(&self, words: usize) -> (Range<usize>, usize) {
        let (start, target, end) = (self.start.0, self.target.0, self.start.0 + self.length);
        if target < start {
            (target..end, start - target)
        } else if target > end {
            (start..target, self.length)
        } else {
            // A target inside the run counts from the run's end.
            (start..(target + self.length).min(words), self.length)
        }
    }
}

/// The fewest edits that the greedy search finds between a hypothesis and a reference. `floor` is a lower bound of the
/// edit distance that holds for any order of the hypothesis' words.
pub fn search<T: Table>(table: T, words: Vec<Word>, reference: &[Word], floor: u32) -> Edits {
    Search { table, words, reference, floor, alignment: Alignment::default(), candidates: Vec::new(), tried: 0 }.run()
}

struct Search<'a, T> {
    table: T,
    /// The hypothesis as it stands now.
    words: Vec<Word>,
    reference: &'a [Word],
    floor: u32,
    alignment: Alignment,
    candidates: Vec<Candidate>,
    /// Candidates of all rounds.
    tried: usize,
}

impl<T: Table> Search<'_, T> {
    fn run(mut self) -> Edits {
        let places = Places::of(self.reference);
        let (mut shifts, mut kept) = (0, 0);
        loop {
            self.table.fill(&self.words, kept);
            self.alignment.read(&self.table, self.words.len(), self.reference.len());
            let Some(best) = self.best_candidate(&places) else { break };
            let (changed, to_end) = best.rotation(self.words.len());
            kept = changed.start;
            self.words[changed].rotate_left(to_end);
            shifts += 1;
        }
        Edits { shifts, ..self.alignment.edits }
    }

    fn best_candidate(&mut self, places: &Places) -> Option<Candidate> {
        let at_most = self.table.distance().saturating_sub(self.floor);
        self.candidates.clear();
        if at_most == 0 || !self.collect(places, at_most) {
            return None;
        }
        self.candidates.sort_unstable_by_key(|&candidate| Reverse(candidate));
        self.candidates.dedup();
        let mut best: Option<Candidate> = None;
        for candidate in &self.candidates {
            if best.is_some_and(|best| best > *candidate) {
                break;
            }
            let (changed, to_end) = candidate.rotation(self.words.len());
            self.words[changed.clone()].rotate_left(to_end);
            let saves = self.table.distance().saturating_sub(self.table.distance_of(&self.words, changed.clone()));
            self.words[changed].rotate_right(to_end);
            if saves > 0 {
                best = best.max(Some(Candidate { saves, ..*candidate }));
            }
        }
        best
    }

    /// Finds this round's candidates; false when the limit is reached.
    fn collect(&mut self, places: &Places, at_most: u32) -> bool {
        for start in 0..self.words.len() {
            let from = start.saturating_sub(MAX_DISTANCE);
            for &place in places.from(from, self.words[start]) {
                if place > start + MAX_DISTANCE {
                    break;
                }
                if !self.collect_runs(start, place, at_most) {
                    return false;
                }
            }
        }
        true
    }

    /// The candidates that begin with one word of the hypothesis and one, equal, of the reference.
    fn collect_runs(&mut self, start: usize, place: usize, at_most: u32) -> bool {
        let (mut wrong_in_hypothesis, mut wrong_in_reference) = (false, false);
        let longest = MAX_LENGTH.min(self.words.len() - start).min(self.reference.len() - place);
        for length in 1..=longest {
            let (last, last_place) = (start + length - 1, place + length - 1);
            if self.words[last] != self.reference[last_place] {
                break;
            }
            wrong_in_hypothesis |= self.alignment.wrong_in_hypothesis[last];
            wrong_in_reference |= self.alignment.wrong_in_reference[last_place];
            let within_itself = (start + 1..=start + length).contains(&self.alignment.ends[place]);
            if wrong_in_hypothesis && wrong_in_reference && !within_itself {
                self.collect_targets(start, place, length, at_most);
                if self.tried >= MAX_CANDIDATES {
                    return false;
                }
            }
        }
        true
    }

    /// The places to which a run can go: after whatever stands for the word before the run in the reference, or for one
    /// of the run's words.
    fn collect_targets(&mut self, start: usize, place: usize, length: usize, at_most: u32) {
        let mut previous = None;
        for next in place..=place + length {
            let target = if next == 0 { 0 } else { self.alignment.ends[next - 1] };
            if previous == Some(target) {
                continue;
            }
            previous = Some(target);
            self.tried += 1;
            let mut candidate = Candidate { saves: at_most, length, start: Reverse(start), target: Reverse(target) };
            let (changed, to_end) = candidate.rotation(self.words.len());
            let shorter = to_end.min(changed.len() - to_end) as u32;
            if T::IS_METRIC {
                candidate.saves = at_most.min(2 * shorter);
            }
            if shorter > 0 {
                self.candidates.push(candidate);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::bits::BitTable;
    use super::*;

    fn moved(start: usize, length: usize, target: usize) -> Vec<Word> {
        let mut words: Vec<Word> = (0..6).collect();
        let candidate = Candidate { saves: 0, length, start: Reverse(start), target: Reverse(target) };
        let (changed, to_end) = candidate.rotation(words.len());
        words[changed].rotate_left(to_end);
        words
    }

    #[test]
    fn a_run_moves_to_its_target() {
        assert_eq!(moved(2, 2, 0), [2, 3, 0, 1, 4, 5]);
        assert_eq!(moved(1, 2, 6), [0, 3, 4, 5, 1, 2]);
        assert_eq!(moved(1, 2, 5), [0, 3, 4, 1, 2, 5]);
        // Inside itself: as many words further on.
        assert_eq!(moved(1, 2, 2), [0, 3, 1, 2, 4, 5]);
        assert_eq!(moved(1, 2, 3), [0, 3, 4, 1, 2, 5]);
        assert_eq!(moved(1, 2, 1), [0, 1, 2, 3, 4, 5]);
        assert_eq!(moved(3, 2, 5), [0, 1, 2, 5, 3, 4]);
    }

    #[test]
    fn better_candidates_come_last_in_order() {
        let candidate =
            |saves, length, start, target| Candidate { saves, length, start: Reverse(start), target: Reverse(target) };
        let best = candidate(2, 3, 1, 4);
        for worse in [candidate(1, 9, 0, 0), candidate(2, 2, 0, 0), candidate(2, 3, 2, 0), candidate(2, 3, 1, 5)] {
            assert!(best > worse);
        }
    }

    #[test]
    fn swapped_halves_take_one_move() {
        let words = vec![3, 4, 5, 0, 1, 2];
        let reference: Vec<Word> = (0..6).collect();
        let found = search(BitTable::new(&reference), words, &reference, 0);
        assert_eq!(found, Edits { shifts: 1, ..Edits::default() });
    }

    #[test]
    fn a_round_that_reaches_the_limit_moves_nothing() {
        // Moving the first word to the end would help, but with one candidate left the limit is reached.
        let mut words = vec![0; 30];
        words.insert(0, 1);
        let mut reference = vec![0; 31];
        reference.push(1);
        let mut search = Search {
            table: BitTable::new(&reference),
            words,
            reference: &reference,
            floor: 0,
            alignment: Alignment::default(),
            candidates: Vec::new(),
            tried: MAX_CANDIDATES - 1,
        };
        search.table.fill(&search.words, 0);
        search.alignment.read(&search.table, 31, 32);
        let places = Places::of(&reference);
        assert_eq!(search.best_candidate(&places), None);
        search.tried = 0;
        assert!(search.best_candidate(&places).is_some());
    }
}
