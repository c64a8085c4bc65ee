//! TER, step 2: shifts runs of words of the hypothesis as long as that saves edits.
//!
//! The search is greedy, as in Tercom and sacreBLEU. The candidates are the runs of at most 10 words that also occur in
//! the reference, at most 50 words away, and that contain an error in both texts. The shift that saves most edits is
//! made, and the next round starts. After 1000 candidates for a segment the search stops, without making the best shift
//! of the last round.
//!
//! Moving a run over another one changes the edit distance by at most twice the length of the shorter of the two, and
//! no shift can bring it below the number of words that the texts do not share; within the beam, a shift can also save
//! what the beam has cost. So the candidates are tried in the order of what they can save at most; each is evaluated
//! only from the first word that moves to the row where the table continues as before; and a round ends when no
//! remaining candidate can be better. None of this changes the result.

use std::cmp::Reverse;
use std::ops::Range;

use super::tables::{Edit, Table, Word};

/// The longest run that is shifted, in words; Tercom's limit.
const MAX_LENGTH: usize = 10;

/// The greatest distance between the starts of a run in hypothesis and reference, in words; Tercom's limit.
const MAX_DISTANCE: usize = 50;

/// The greatest number of shifts tried for a segment; sacreBLEU's own limit.
const MAX_CANDIDATES: usize = 1000;

/// The initial capacity for candidates, about as many as most rounds have.
const CANDIDATES: usize = 32;

/// The edit counts between a hypothesis and a reference.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Edits {
    /// Words missing from the hypothesis.
    pub insertions: u32,
    /// Words superfluous in the hypothesis.
    pub deletions: u32,
    /// Words replaced by others.
    pub substitutions: u32,
    /// Runs of words shifted beforehand.
    pub shifts: u32,
}

impl Edits {
    /// The number of edits of all kinds, which have equal cost.
    pub fn total(&self) -> u32 {
        self.insertions + self.deletions + self.substitutions + self.shifts
    }

    #[inline]
    fn add(&mut self, edit: Edit) {
        match edit {
            Edit::Match => {}
            Edit::Insertion => self.insertions += 1,
            Edit::Deletion => self.deletions += 1,
            Edit::Substitution => self.substitutions += 1,
        }
    }
}

/// A candidate shift. The order is Tercom's: more edits saved, the longer run, the earlier start, the earlier target.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Candidate {
    /// The number of edits that the shift saves, or can save at most.
    saves: u32,
    length: u32,
    start: Reverse<u32>,
    target: Reverse<u32>,
}

impl Candidate {
    fn new(saves: u32, length: usize, start: usize, target: usize) -> Self {
        Self { saves, length: length as u32, start: Reverse(start as u32), target: Reverse(target as u32) }
    }

    /// The range of words to rotate, and by how many to the left.
    fn rotation(self, words: usize) -> (Range<usize>, usize) {
        let [start, target, length] = [self.start.0, self.target.0, self.length].map(|position| position as usize);
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

/// The fewest edits that the greedy search finds between a hypothesis and a reference. The table is filled for the
/// hypothesis; `floor` is a lower bound on the edit distance for any order of its words.
pub fn search<T: Table>(table: T, words: Vec<Word>, reference: &[Word], floor: u32) -> Edits {
    Search { table, words, reference, floor, alignment: Alignment::default(), candidates: Vec::new(), tried: 0 }.run()
}

/// The positions of each word of a reference.
#[derive(Debug)]
struct Positions {
    /// The start of each word's positions in `all`, and the end of the last one's.
    first: Vec<usize>,
    /// All positions, grouped by word, ascending within each word.
    all: Vec<usize>,
}

impl Positions {
    fn new(reference: &[Word]) -> Self {
        let mut first = vec![0; reference.len() + 2];
        reference.iter().for_each(|&word| first[word as usize + 2] += 1);
        (2..first.len()).for_each(|at| first[at] += first[at - 1]);
        let mut all = vec![0; reference.len()];
        for (position, &word) in reference.iter().enumerate() {
            // Ends up at the start of the next word's positions.
            let next = &mut first[word as usize + 1];
            all[*next] = position;
            *next += 1;
        }
        Self { first, all }
    }

    /// The positions of a word of the reference within a range, ascending.
    fn within(&self, range: Range<usize>, word: Word) -> impl Iterator<Item = usize> + use<'_> {
        let positions = &self.all[self.first[word as usize]..self.first[word as usize + 1]];
        let positions = &positions[positions.partition_point(|&position| position < range.start)..];
        positions.iter().copied().take_while(move |&position| position < range.end)
    }
}

struct Search<'a, T> {
    table: T,
    /// The hypothesis after the shifts made so far.
    words: Vec<Word>,
    reference: &'a [Word],
    floor: u32,
    alignment: Alignment,
    candidates: Vec<Candidate>,
    /// The number of candidates in all rounds.
    tried: usize,
}

impl<T: Table> Search<'_, T> {
    fn run(mut self) -> Edits {
        let (mut shifts, mut positions) = (0, None);
        loop {
            self.alignment.read(&self.table, self.words.len(), self.reference.len());
            let edits = Edits { shifts, ..self.alignment.edits };
            let at_most = self.table.distance().saturating_sub(self.floor);
            if at_most == 0 {
                return edits;
            }
            let positions = positions.get_or_insert_with(|| Positions::new(self.reference));
            let Some(best) = self.best_candidate(positions, at_most) else { return edits };
            let (changed, to_end) = best.rotation(self.words.len());
            let kept = changed.start;
            self.words[changed].rotate_left(to_end);
            self.table.fill(&self.words, kept);
            shifts += 1;
        }
    }

    /// The best shift; `at_most` is an upper bound on the edits that any shift saves.
    fn best_candidate(&mut self, positions: &Positions, at_most: u32) -> Option<Candidate> {
        self.candidates.clear();
        self.candidates.reserve(CANDIDATES);
        if !self.collect(positions, at_most) {
            return None;
        }
        self.candidates.sort_unstable_by(|one, other| other.cmp(one));
        self.candidates.dedup();
        let distance = self.table.distance();
        let mut best: Option<Candidate> = None;
        for &candidate in &self.candidates {
            if best.is_some_and(|best| best > candidate) {
                break;
            }
            let (rotated, to_end) = candidate.rotation(self.words.len());
            let saves = distance.saturating_sub(self.table.distance_of(&self.words, rotated, to_end));
            if saves > 0 {
                best = best.max(Some(Candidate { saves, ..candidate }));
            }
        }
        best
    }

    /// Collects the candidates of this round; false if the limit is reached.
    fn collect(&mut self, positions: &Positions, at_most: u32) -> bool {
        for start in 0..self.words.len() {
            let word = self.words[start];
            if word as usize >= self.reference.len() {
                continue;
            }
            let end = (start + MAX_LENGTH).min(self.words.len());
            let Some(right) = first(&self.alignment.wrong_in_hypothesis[start..end]) else { continue };
            let range = start.saturating_sub(MAX_DISTANCE)..start + MAX_DISTANCE + 1;
            for position in positions.within(range, word) {
                if !self.collect_runs([start, position], right, at_most) {
                    return false;
                }
            }
        }
        true
    }

    /// Collects the candidates that start at one word of the hypothesis and an equal word of the reference. `right` is
    /// the number of correct words of the hypothesis before the first wrong one from `start` on.
    fn collect_runs(&mut self, [start, position]: [usize; 2], right: usize, at_most: u32) -> bool {
        let longest = MAX_LENGTH.min(self.words.len() - start).min(self.reference.len() - position);
        let Some(right_in_reference) = first(&self.alignment.wrong_in_reference[position..position + longest]) else {
            return true;
        };
        // The shortest run with an error in both texts. The last words are the least likely to be equal, so they are
        // compared first.
        let shortest = right.max(right_in_reference) + 1;
        let is_equal = |at: usize| self.words[start + at] == self.reference[position + at];
        if shortest > longest || !(1..shortest).rev().all(is_equal) {
            return true;
        }
        for length in shortest..=longest {
            if self.words[start + length - 1] != self.reference[position + length - 1] {
                break;
            }
            let within_itself = (start + 1..=start + length).contains(&self.alignment.ends[position]);
            if !within_itself {
                self.collect_targets([start, position], length, at_most);
                if self.tried >= MAX_CANDIDATES {
                    return false;
                }
            }
        }
        true
    }

    /// Collects the targets of a run: after the words aligned with the word before the run in the reference, or with
    /// one of the run's words.
    fn collect_targets(&mut self, [start, position]: [usize; 2], length: usize, at_most: u32) {
        let mut previous = None;
        for next in position..=position + length {
            let target = if next == 0 { 0 } else { self.alignment.ends[next - 1] };
            if previous == Some(target) {
                continue;
            }
            previous = Some(target);
            self.tried += 1;
            let candidate = Candidate::new(at_most, length, start, target);
            let (changed, to_end) = candidate.rotation(self.words.len());
            let shorter = to_end.min(changed.len() - to_end) as u32;
            let saves = at_most.min(2 * shorter + self.table.excess());
            if shorter > 0 {
                self.candidates.push(Candidate { saves, ..candidate });
            }
        }
    }
}

/// The optimal path through a [`Table`], word by word.
#[derive(Debug, Default)]
pub struct Alignment {
    /// For each word of the reference, the number of hypothesis words up to and including the one aligned with it; for
    /// an inserted word, up to the insertion point.
    pub ends: Vec<usize>,
    /// For each word of the hypothesis, whether it is deleted or substituted.
    pub wrong_in_hypothesis: Vec<bool>,
    /// For each word of the reference, whether it is inserted or substituted.
    pub wrong_in_reference: Vec<bool>,
    /// The edit counts, without shifts.
    pub edits: Edits,
}

impl Alignment {
    /// Reads the optimal path from a filled table with these rows and columns, from its end.
    pub fn read(&mut self, table: &impl Table, rows: usize, columns: usize) {
        self.ends.resize(columns, 0);
        self.wrong_in_hypothesis.resize(rows, false);
        self.wrong_in_reference.resize(columns, false);
        self.edits = Edits::default();
        let (mut row, mut column) = (rows, columns);
        while row > 0 || column > 0 {
            let edit = table.last_edit(row, column);
            self.edits.add(edit);
            if edit != Edit::Deletion {
                self.ends[column - 1] = row;
                self.wrong_in_reference[column - 1] = edit != Edit::Match;
            }
            if edit != Edit::Insertion {
                self.wrong_in_hypothesis[row - 1] = edit != Edit::Match;
            }
            row -= usize::from(edit != Edit::Insertion);
            column -= usize::from(edit != Edit::Deletion);
        }
    }
}

/// The index of the first true element.
fn first(are: &[bool]) -> Option<usize> {
    are.iter().position(|&is| is)
}

#[cfg(test)]
mod tests {
    use super::super::tables::{Beam, BeamTable, BitTable};
    use super::super::{edits, number};
    use super::*;
    use proptest::prelude::*;

    fn moved(start: usize, length: usize, target: usize) -> Vec<Word> {
        let mut words: Vec<Word> = (0..6).collect();
        let candidate = Candidate::new(0, length, start, target);
        let (changed, to_end) = candidate.rotation(words.len());
        words[changed].rotate_left(to_end);
        words
    }

    #[test]
    fn an_alignment_by_hand() {
        // 9 is deleted, 0 and 1 match, 2 is inserted, 3 and 4 match.
        let words = [9, 0, 1, 3, 4];
        let mut table = BitTable::<u64>::new(&[0, 1, 2, 3, 4]);
        table.fill(&words, 0);
        let mut alignment = Alignment::default();
        alignment.read(&table, 5, 5);
        assert_eq!(table.distance(), 2);
        assert_eq!(alignment.edits, Edits { insertions: 1, deletions: 1, ..Edits::default() });
        assert_eq!(alignment.ends, [2, 3, 3, 4, 5]);
        assert_eq!(alignment.wrong_in_hypothesis, [true, false, false, false, false]);
        assert_eq!(alignment.wrong_in_reference, [false, false, true, false, false]);
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
    fn a_round_that_reaches_the_limit_moves_nothing() {
        // Shifting the first word to the end would help, but with one candidate left the limit is reached.
        let mut words = vec![0; 30];
        words.insert(0, 1);
        let mut reference = vec![0; 31];
        reference.push(1);
        let mut search = Search {
            table: BitTable::<u64>::new(&reference),
            words,
            reference: &reference,
            floor: 0,
            alignment: Alignment::default(),
            candidates: Vec::new(),
            tried: MAX_CANDIDATES - 1,
        };
        search.table.fill(&search.words, 0);
        search.alignment.read(&search.table, 31, 32);
        let positions = Positions::new(&reference);
        assert_eq!(search.best_candidate(&positions, 99), None);
        search.tried = 0;
        assert!(search.best_candidate(&positions, 99).is_some());
    }

    /// The search as described: every candidate is tried with a table of its own.
    fn simple_search<T: Table>(mut words: Vec<Word>, reference: &[Word], empty: impl Fn() -> T) -> Edits {
        let (mut shifts, mut tried) = (0, 0);
        loop {
            let mut table = empty();
            table.fill(&words, 0);
            let mut alignment = Alignment::default();
            alignment.read(&table, words.len(), reference.len());
            let mut best = None;
            let positions =
                (0..words.len()).flat_map(|start| (0..reference.len()).map(move |position| (start, position)));
            for (start, position) in positions.filter(|(start, position)| start.abs_diff(*position) <= MAX_DISTANCE) {
                let longest = MAX_LENGTH.min(words.len() - start).min(reference.len() - position);
                for length in 1..=longest {
                    let (run, run_in_reference) = (start..start + length, position..position + length);
                    if words[run.clone()] != reference[run_in_reference.clone()] {
                        break;
                    }
                    let is_wrong = alignment.wrong_in_hypothesis[run].contains(&true)
                        && alignment.wrong_in_reference[run_in_reference].contains(&true);
                    if !is_wrong || (start + 1..=start + length).contains(&alignment.ends[position]) {
                        continue;
                    }
                    let end = |next: usize| if next == 0 { 0 } else { alignment.ends[next - 1] };
                    let mut targets: Vec<usize> = (position..=position + length).map(end).collect();
                    targets.dedup();
                    tried += targets.len();
                    for target in targets {
                        let (changed, to_end) = Candidate::new(0, length, start, target).rotation(words.len());
                        let mut moved = words.clone();
                        moved[changed].rotate_left(to_end);
                        let mut table_of_moved = empty();
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
        #![proptest_config(ProptestConfig::with_cases(32))]

        #[test]
        fn it_finds_what_the_simple_search_finds_within_the_beam(
            length in 60_u64..150, moved in 22_usize..30, changed in prop::collection::vec(0_usize..60, 0..20),
        ) {
            // The words that moved are about as far away as the beam reaches.
            let reference: Vec<u64> = (0..length).collect();
            let mut hypothesis = reference.clone();
            hypothesis.rotate_left(moved);
            changed.iter().for_each(|&at| hypothesis[at] = 199);
            let (words, columns) = number(&hypothesis, &reference);
            let beam = Beam::new(words.len(), columns.len());
            let simple = simple_search(words, &columns, || BeamTable::new(beam, &columns));
            prop_assert_eq!(edits(&hypothesis, &reference), simple);
        }
    }

    proptest! {
        #[test]
        fn it_finds_what_the_simple_search_finds(
            hypothesis in prop::collection::vec(0_u64..9, 0..24), reference in prop::collection::vec(0_u64..8, 1..24),
        ) {
            let (words, columns) = number(&hypothesis, &reference);
            let simple = simple_search(words, &columns, || BitTable::<u64>::new(&columns));
            prop_assert_eq!(edits(&hypothesis, &reference), simple);
        }
    }
}
