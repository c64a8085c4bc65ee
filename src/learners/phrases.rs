//! The phrases in which the hypotheses of a pair differ, as sparse rows.

use rustc_hash::FxHashMap;

use super::Texts;
use crate::judgments::grouping::Groups;

/// The number of words in the longest phrase.
pub const LONGEST: usize = 3;

/// A phrase of one or more words, with its count.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Occurrence {
    /// The number of the phrase.
    pub phrase: u32,
    /// Its count in a text, or in the first hypothesis of a pair minus that in the second; not 0.
    pub count: i32,
}

/// The phrases of hypotheses, and those in which the two of each pair differ: sparse matrices with one row per text or
/// per pair.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Phrases {
    /// The phrases of each distinct text, ordered by phrase.
    texts: Vec<Vec<Occurrence>>,
    /// The positions in `texts` of each pair's two hypotheses.
    of_pair: Vec<[usize; 2]>,
    /// The differences of all pairs, ordered by phrase within a pair.
    differences: Vec<Occurrence>,
    /// The end of each pair's differences in `differences`.
    ends: Vec<usize>,
    /// The number of distinct phrases.
    pub count: usize,
}

/// [`Phrases::shared`] keeps a phrase if the pairs of at least this many groups differ in it: what occurs with a single
/// reference does not generalise to others.
pub const GROUPS: u32 = 2;

impl Phrases {
    /// The phrases of 1 to 3 words.
    pub fn new(texts: &Texts) -> Self {
        let (counted, count) = counted(texts);
        Self::of(counted, &texts.of_pair, count)
    }

    /// Only the phrases in which the pairs of at least two groups differ: no others can be learned, whatever is held
    /// out, and in real data these are few.
    pub fn shared(texts: &Texts, groups: &Groups) -> Self {
        let (mut counted, count) = counted(texts);
        let mut differing = Differing::new(count as usize);
        let mut entries = Vec::new();
        for row in groups.rows().into_iter().flatten() {
            let [first, second] = texts.of_pair[row];
            entries.clear();
            subtract(&counted[first], &counted[second], &mut entries);
            differing.count(groups.of_pair[row], &entries);
        }
        let mut next = 0;
        let number = |is_shared: bool| {
            next += u32::from(is_shared);
            is_shared.then(|| next - 1)
        };
        let numbers: Vec<Option<u32>> = differing.shared().into_iter().map(number).collect();
        let renumbered =
            |entry: &Occurrence| numbers[entry.phrase as usize].map(|phrase| Occurrence { phrase, count: entry.count });
        counted.iter_mut().for_each(|text| *text = text.iter().filter_map(renumbered).collect());
        Self::of(counted, &texts.of_pair, next)
    }

    fn of(texts: Vec<Vec<Occurrence>>, of_pair: &[[usize; 2]], count: u32) -> Self {
        let mut all = Self { of_pair: of_pair.to_vec(), count: count as usize, ..Self::default() };
        for &[first, second] in of_pair {
            subtract(&texts[first], &texts[second], &mut all.differences);
            all.ends.push(all.differences.len());
        }
        Self { texts, ..all }
    }

    /// The phrases in which the hypotheses of a pair differ.
    pub fn differences(&self, row: usize) -> &[Occurrence] {
        let start = if row == 0 { 0 } else { self.ends[row - 1] };
        &self.differences[start..self.ends[row]]
    }

    /// The phrases of the two hypotheses of a pair.
    pub fn of_row(&self, row: usize) -> [&[Occurrence]; 2] {
        self.of_pair[row].map(|place| self.texts[place].as_slice())
    }
}

/// The phrases of each text, and the number of distinct phrases.
fn counted(texts: &Texts) -> (Vec<Vec<Occurrence>>, u32) {
    let mut numbering = Numbering::new(texts.vocabulary);
    let counted = texts.words.iter().map(|words| numbering.count(words)).collect();
    (counted, numbering.next)
}

/// For each phrase, the number of groups whose pairs differ in it.
pub struct Differing {
    groups: Vec<u32>,
    /// The last group that was counted.
    last: Vec<usize>,
}

impl Differing {
    /// Counters for `phrases` phrases.
    pub fn new(phrases: usize) -> Self {
        Self { groups: vec![0; phrases], last: vec![usize::MAX; phrases] }
    }

    /// Counts the differences of a pair; the pairs of a group must come one after the other.
    pub fn count(&mut self, group: usize, differences: &[Occurrence]) {
        for entry in differences {
            let phrase = entry.phrase as usize;
            self.groups[phrase] += u32::from(self.last[phrase] != group);
            self.last[phrase] = group;
        }
    }

    /// For each phrase, whether the pairs of at least [`GROUPS`] groups differ in it.
    pub fn shared(self) -> Vec<bool> {
        self.groups.into_iter().map(|count| count >= GROUPS).collect()
    }
}

/// Numbers phrases: words keep their own numbers, a longer phrase is a known one followed by a word.
struct Numbering {
    longer: FxHashMap<(u32, u32), u32>,
    next: u32,
}

impl Numbering {
    fn new(words: usize) -> Self {
        Self { longer: FxHashMap::default(), next: words as u32 }
    }

    /// The phrases of a text with their counts, ordered by number.
    fn count(&mut self, words: &[u32]) -> Vec<Occurrence> {
        let mut phrases = Vec::with_capacity(words.len() * LONGEST);
        for start in 0..words.len() {
            let mut phrase = words[start];
            phrases.push(phrase);
            for &word in words[start + 1..].iter().take(LONGEST - 1) {
                let next = &mut self.next;
                phrase = *self.longer.entry((phrase, word)).or_insert_with(|| {
                    *next += 1;
                    *next - 1
                });
                phrases.push(phrase);
            }
        }
        phrases.sort_unstable();
        let runs = phrases.chunk_by(|one, other| one == other);
        runs.map(|run| Occurrence { phrase: run[0], count: run.len() as i32 }).collect()
    }
}

/// Appends the differences between the counts of two texts to `entries`; all are ordered by phrase.
fn subtract(mut first: &[Occurrence], mut second: &[Occurrence], entries: &mut Vec<Occurrence>) {
    loop {
        let (one, other) = (first.first(), second.first());
        let Some(phrase) = one.into_iter().chain(other).map(|entry| entry.phrase).min() else { return };
        let take = |from: &mut &[Occurrence], entry: Option<&Occurrence>| match entry {
            Some(entry) if entry.phrase == phrase => {
                *from = &from[1..];
                entry.count
            }
            _ => 0,
        };
        let count = take(&mut first, one) - take(&mut second, other);
        if count != 0 {
            entries.push(Occurrence { phrase, count });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts() -> Texts {
        // "a b a" against "a b", and the reverse; "b" against itself.
        Texts { words: vec![vec![0, 1, 0], vec![0, 1], vec![1]], of_pair: vec![[0, 1], [1, 0], [2, 2]], vocabulary: 2 }
    }

    #[test]
    fn differences_by_hand() {
        let found = Phrases::new(&texts());
        // a = 0, b = 1, a b = 2, a b a = 3, b a = 4.
        let expected = [0, 3, 4].map(|phrase| Occurrence { phrase, count: 1 });
        assert_eq!(found.differences(0), expected);
        assert_eq!(found.differences(1), expected.map(|entry| Occurrence { count: -1, ..entry }));
        assert_eq!(found.differences(2), []);
        assert_eq!(found.count, 5);
    }

    #[test]
    fn phrases_that_one_group_differs_in_are_left_out() {
        let all = Phrases::new(&texts());
        let found = Phrases::shared(&texts(), &Groups { of_pair: vec![0, 1, 2], count: 3 });
        // Left are a, a b a and b a, renumbered.
        assert_eq!(found.count, 3);
        assert_eq!(found.differences(0), [0, 1, 2].map(|phrase| Occurrence { phrase, count: 1 }));
        assert_eq!(found.differences(1).len(), all.differences(1).len());
        assert_eq!(found.of_row(0)[0], [(0, 2), (1, 1), (2, 1)].map(|(phrase, count)| Occurrence { phrase, count }));
        let found = Phrases::shared(&texts(), &Groups { of_pair: vec![0, 0, 1], count: 2 });
        assert_eq!((found.count, found.differences(0)), (0, &[][..]));
    }
}
