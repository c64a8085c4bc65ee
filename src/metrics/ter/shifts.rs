//! TER, step 2: shifts runs of words of the hypothesis as long as that saves edits.
//!
//! The search is greedy, as in Tercom and sacreBLEU. The candidates are the runs of at most 10 words that also occur in
//! the reference, at most 50 words away, and that contain an error in both texts. The shift that saves most edits is
//! made, and the next round starts. After 1000 candidates for a segment the search stops, without making the best shift
//! of the last round.
//!
//! Moving a run over another one changes the edit distance by at most twice the length of the shorter of the two, and
//! no shift can bring it below the number of words that the texts do not share. So the candidates are tried in the
//! order of what they can save at most; each is evaluated only from the first word that moves to the row where the
//! table continues as before; and a round ends when no remaining candidate can be better. None of this changes the
//! result.

use std::ops::Range;

use super::alignment::{Alignment, Edits, Table, Word};
use super::places::FindPlaces;

/// The longest run that is shifted, in words; Tercom's limit.
const MAX_LENGTH: usize = 10;

/// The greatest distance between the starts of a run in hypothesis and reference, in words; Tercom's limit.
const MAX_DISTANCE: usize = 50;

/// The greatest number of shifts tried for a segment; sacreBLEU's own limit.
const MAX_CANDIDATES: usize = 1000;

/// The initial capacity for candidates, about as many as most rounds have.
const CANDIDATES: usize = 32;

/// A candidate shift, packed into one number so that two are compared at once. The order is Tercom's: more edits saved,
/// the longer run, the earlier start, the earlier target.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Candidate(u128);

impl Candidate {
    /// Bits of a position; no text is that long.
    const PLACE_BITS: u32 = 44;
    const PLACES: u128 = (1 << Self::PLACE_BITS) - 1;
    const LENGTH_BITS: u32 = 8;
    const SAVES: u32 = 2 * Self::PLACE_BITS + Self::LENGTH_BITS;

    /// `saves` is the number of edits that the shift saves, or can save at most.
    fn new(saves: u32, length: usize, start: usize, target: usize) -> Self {
        let place = |place: usize| Self::PLACES - place as u128;
        let run = (length as u128) << Self::PLACE_BITS | place(start);
        Self(u128::from(saves) << Self::SAVES | run << Self::PLACE_BITS | place(target))
    }

    fn with_saves(self, saves: u32) -> Self {
        Self(u128::from(saves) << Self::SAVES | self.0 & ((1 << Self::SAVES) - 1))
    }

    fn length(self) -> usize {
        (self.0 >> (2 * Self::PLACE_BITS)) as usize & ((1 << Self::LENGTH_BITS) - 1)
    }

    fn start(self) -> usize {
        (Self::PLACES - (self.0 >> Self::PLACE_BITS & Self::PLACES)) as usize
    }

    fn target(self) -> usize {
        (Self::PLACES - (self.0 & Self::PLACES)) as usize
    }

    /// The range of words to rotate, and by how many to the left.
    fn rotation(self, words: usize) -> (Range<usize>, usize) {
        let (start, target, length) = (self.start(), self.target(), self.length());
        let end = start + length;
        if target < start {
            (target..end, start - target)
        } else if target > end {
            (start..target, length)
        } else {
            // A target inside the run counts from the run's end.
            (start..(target + length).min(words), length)
        }
    }
}

/// The fewest edits that the greedy search finds between a hypothesis and a reference. `floor` is a lower bound on the
/// edit distance for any order of the hypothesis' words.
pub fn search<T: Table>(mut table: T, words: Vec<Word>, reference: &[Word], floor: u32) -> Edits {
    table.fill(&words, 0);
    search_in(table, words, reference, floor)
}

/// [`search`] with a table that is already filled for the hypothesis.
pub fn search_in<T: Table>(table: T, words: Vec<Word>, reference: &[Word], floor: u32) -> Edits {
    let (trial, candidates) = (Vec::new(), Vec::new());
    Search { table, words, trial, reference, floor, alignment: Alignment::default(), candidates, tried: 0 }.run()
}

struct Search<'a, T> {
    table: T,
    /// The hypothesis after the shifts made so far.
    words: Vec<Word>,
    /// The hypothesis after a trial shift.
    trial: Vec<Word>,
    reference: &'a [Word],
    floor: u32,
    alignment: Alignment,
    candidates: Vec<Candidate>,
    /// The number of candidates in all rounds.
    tried: usize,
}

impl<T: Table> Search<'_, T> {
    fn run(mut self) -> Edits {
        let places = self.table.places();
        let mut shifts = 0;
        loop {
            let at_most = self.table.distance().saturating_sub(self.floor);
            if at_most == 0 {
                return Edits { shifts, ..Edits::count(&self.table, self.words.len(), self.reference.len()) };
            }
            self.alignment.read(&self.table, self.words.len(), self.reference.len());
            let Some(best) = self.best_candidate(&places, at_most) else {
                return Edits { shifts, ..self.alignment.edits };
            };
            let (changed, to_end) = best.rotation(self.words.len());
            let kept = changed.start;
            self.words[changed].rotate_left(to_end);
            self.table.fill(&self.words, kept);
            shifts += 1;
        }
    }

    /// The best shift; `at_most` is an upper bound on the edits that any shift saves.
    fn best_candidate(&mut self, places: &T::Places, at_most: u32) -> Option<Candidate> {
        self.candidates.clear();
        self.candidates.reserve(CANDIDATES);
        if !self.collect(places, at_most) {
            return None;
        }
        self.trial.clone_from(&self.words);
        self.candidates.sort_unstable_by(|one, other| other.cmp(one));
        self.candidates.dedup();
        let mut best: Option<Candidate> = None;
        for &candidate in &self.candidates {
            if best.is_some_and(|best| best > candidate) {
                break;
            }
            let (changed, to_end) = candidate.rotation(self.words.len());
            let moved = changed.end - to_end;
            self.trial[changed.start..moved].copy_from_slice(&self.words[changed.start + to_end..changed.end]);
            self.trial[moved..changed.end].copy_from_slice(&self.words[changed.start..changed.start + to_end]);
            let saves = self.table.distance().saturating_sub(self.table.distance_of(&self.trial, changed.clone()));
            self.trial[changed.clone()].copy_from_slice(&self.words[changed]);
            if saves > 0 {
                best = best.max(Some(candidate.with_saves(saves)));
            }
        }
        best
    }

    /// Collects the candidates of this round; false if the limit is reached.
    fn collect(&mut self, places: &T::Places, at_most: u32) -> bool {
        for start in 0..self.words.len() {
            let word = self.words[start];
            if word as usize >= self.reference.len() {
                continue;
            }
            let end = (start + MAX_LENGTH).min(self.words.len());
            let Some(right) = first(&self.alignment.wrong_in_hypothesis[start..end]) else { continue };
            let range = start.saturating_sub(MAX_DISTANCE)..start + MAX_DISTANCE + 1;
            for place in places.within(range, word) {
                if !self.collect_runs([start, place], right, at_most) {
                    return false;
                }
            }
        }
        true
    }

    /// Collects the candidates that start at one word of the hypothesis and an equal word of the reference. `right` is
    /// the number of correct words of the hypothesis before the first wrong one from `start` on.
    fn collect_runs(&mut self, [start, place]: [usize; 2], right: usize, at_most: u32) -> bool {
        let longest = MAX_LENGTH.min(self.words.len() - start).min(self.reference.len() - place);
        let Some(right_in_reference) = first(&self.alignment.wrong_in_reference[place..place + longest]) else {
            return true;
        };
        // The shortest run with an error in both texts. The last words are the least likely to be equal, so they are
        // compared first.
        let shortest = right.max(right_in_reference) + 1;
        let is_equal = |at: usize| self.words[start + at] == self.reference[place + at];
        if shortest > longest || !(1..shortest).rev().all(is_equal) {
            return true;
        }
        for length in shortest..=longest {
            if self.words[start + length - 1] != self.reference[place + length - 1] {
                break;
            }
            let within_itself = (start + 1..=start + length).contains(&self.alignment.ends[place]);
            if !within_itself {
                self.collect_targets([start, place], length, at_most);
                if self.tried >= MAX_CANDIDATES {
                    return false;
                }
            }
        }
        true
    }

    /// Collects the targets of a run: after the words aligned with the word before the run in the reference, or with
    /// one of the run's words.
    fn collect_targets(&mut self, [start, place]: [usize; 2], length: usize, at_most: u32) {
        let mut previous = None;
        for next in place..=place + length {
            let target = if next == 0 { 0 } else { self.alignment.ends[next - 1] };
            if previous == Some(target) {
                continue;
            }
            previous = Some(target);
            self.tried += 1;
            let candidate = Candidate::new(at_most, length, start, target);
            let (changed, to_end) = candidate.rotation(self.words.len());
            let shorter = to_end.min(changed.len() - to_end) as u32;
            let saves = if T::IS_METRIC { at_most.min(2 * shorter) } else { at_most };
            if shorter > 0 {
                self.candidates.push(candidate.with_saves(saves));
            }
        }
    }
}

/// The index of the first true element.
fn first(are: &[bool]) -> Option<usize> {
    are.iter().position(|&is| is)
}

#[cfg(test)]
mod tests {
    use super::super::bits::BitTable;
    use super::super::{edits, number};
    use super::*;
    use proptest::prelude::*;
    use std::cmp::Reverse;

    fn moved(start: usize, length: usize, target: usize) -> Vec<Word> {
        let mut words: Vec<Word> = (0..6).collect();
        let candidate = Candidate::new(0, length, start, target);
        let (changed, to_end) = candidate.rotation(words.len());
        words[changed].rotate_left(to_end);
        words
    }

    #[test]
    fn a_run_moves_to_its_target() {
        assert_eq!(moved(2, 2, 0), [2, 3, 0, 1, 4, 5]);
        assert_eq!(moved(1, 2, 6), [0, 3, 4, 5, 1, 2]);
        assert_eq!(moved(1, 2, 5), [0, 3, 4, 1, 2, 5]);
        // A target inside the run counts from the run's end.
        assert_eq!(moved(1, 2, 2), [0, 3, 1, 2, 4, 5]);
        assert_eq!(moved(1, 2, 3), [0, 3, 4, 1, 2, 5]);
        assert_eq!(moved(1, 2, 1), [0, 1, 2, 3, 4, 5]);
        assert_eq!(moved(3, 2, 5), [0, 1, 2, 5, 3, 4]);
    }

    #[test]
    fn better_candidates_come_last_in_order() {
        let candidate = Candidate::new;
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
        // Shifting the first word to the end would help, but with one candidate left the limit is reached.
        let mut words = vec![0; 30];
        words.insert(0, 1);
        let mut reference = vec![0; 31];
        reference.push(1);
        let mut search = Search {
            table: BitTable::new(&reference),
            words,
            trial: Vec::new(),
            reference: &reference,
            floor: 0,
            alignment: Alignment::default(),
            candidates: Vec::new(),
            tried: MAX_CANDIDATES - 1,
        };
        search.table.fill(&search.words, 0);
        search.alignment.read(&search.table, 31, 32);
        let places = search.table.places();
        assert_eq!(search.best_candidate(&places, 99), None);
        search.tried = 0;
        assert!(search.best_candidate(&places, 99).is_some());
    }

    /// The search as described: every candidate is tried with a table of its own.
    fn simple_search(mut words: Vec<Word>, reference: &[Word]) -> Edits {
        let (mut shifts, mut tried) = (0, 0);
        loop {
            let mut table = BitTable::new(reference);
            table.fill(&words, 0);
            let mut alignment = Alignment::default();
            alignment.read(&table, words.len(), reference.len());
            let mut best = None;
            let places = (0..words.len()).flat_map(|start| (0..reference.len()).map(move |place| (start, place)));
            for (start, place) in places.filter(|(start, place)| start.abs_diff(*place) <= MAX_DISTANCE) {
                let longest = MAX_LENGTH.min(words.len() - start).min(reference.len() - place);
                for length in 1..=longest {
                    let (run, run_in_reference) = (start..start + length, place..place + length);
                    if words[run.clone()] != reference[run_in_reference.clone()] {
                        break;
                    }
                    let is_wrong = alignment.wrong_in_hypothesis[run].contains(&true)
                        && alignment.wrong_in_reference[run_in_reference].contains(&true);
                    if !is_wrong || (start + 1..=start + length).contains(&alignment.ends[place]) {
                        continue;
                    }
                    let end = |next: usize| if next == 0 { 0 } else { alignment.ends[next - 1] };
                    let mut targets: Vec<usize> = (place..=place + length).map(end).collect();
                    targets.dedup();
                    tried += targets.len();
                    for target in targets {
                        let (changed, to_end) = Candidate::new(0, length, start, target).rotation(words.len());
                        let mut moved = words.clone();
                        moved[changed].rotate_left(to_end);
                        let mut table_of_moved = BitTable::new(reference);
                        table_of_moved.fill(&moved, 0);
                        let saves = table.distance().saturating_sub(table_of_moved.distance());
                        if saves > 0 {
                            best = best.max(Some(((saves, length, Reverse(start), Reverse(target)), moved)));
                        }
                    }
                    if tried >= MAX_CANDIDATES {
                        return Edits { shifts, ..alignment.edits };
                    }
                }
            }
            let Some((_, moved)) = best else { return Edits { shifts, ..alignment.edits } };
            words = moved;
            shifts += 1;
        }
    }

    proptest! {
        #[test]
        fn it_finds_what_the_simple_search_finds(
            hypothesis in prop::collection::vec(0_u64..9, 0..24), reference in prop::collection::vec(0_u64..8, 1..24),
        ) {
            let (words, columns) = number(&hypothesis, &reference);
            prop_assert_eq!(edits(&hypothesis, &reference), simple_search(words, &columns));
        }

        #[test]
        fn a_candidate_is_what_it_was_made_of(
            saves in any::<u32>(), length in 0_usize..256, start in 0_usize..1 << 44, target in 0_usize..1 << 44,
        ) {
            let candidate = Candidate::new(7, length, start, target).with_saves(saves);
            prop_assert_eq!(candidate, Candidate::new(saves, length, start, target));
            prop_assert_eq!((candidate.length(), candidate.start(), candidate.target()), (length, start, target));
        }
    }
}
