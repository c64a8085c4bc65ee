//! The phrases in which the hypotheses of a pair differ, as sparse rows.

use rustc_hash::FxHashMap;

use super::Texts;
use crate::evaluation::Groups;

/// The number of words in the longest phrase.
const MAX_WORDS: usize = 3;

/// A phrase is kept if the pairs of at least this many groups differ in it: what occurs with a single reference does not
/// generalise to others.
const MIN_GROUPS: u32 = 2;

/// A phrase of one or more words, with its count.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Occurrence {
    /// The number of the phrase.
    pub phrase: u32,
    /// Its count in a text, or in the first hypothesis of a pair minus that in the second; not 0.
    pub count: i32,
}

/// The phrases in which the hypotheses of each pair differ: a sparse matrix with one row per pair.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Phrases {
    /// The differences of all pairs, ordered by phrase within a pair.
    entries: Vec<Occurrence>,
    /// The end of each pair's differences in `entries`.
    ends: Vec<usize>,
    /// The number of distinct phrases.
    pub count: usize,
}

impl Phrases {
    /// The phrases of 1 to 3 words in which the pairs of at least two groups differ: no others can be learned, whatever
    /// is held out, and in real data these are few.
    pub fn new(texts: &Texts, groups: &Groups) -> Self {
        let mut numbering = Numbering::new(texts.vocabulary);
        let counted: Vec<Vec<Occurrence>> = texts.words.iter().map(|words| numbering.count(words)).collect();
        let mut all = Self { count: numbering.next as usize, ..Self::default() };
        for &[first, second] in &texts.of_pair {
            subtract(&counted[first], &counted[second], &mut all.entries);
            all.ends.push(all.entries.len());
        }
        let rows: Vec<usize> = (0..texts.of_pair.len()).collect();
        all.shared(&rows, &groups.of_row).0
    }

    /// The phrases in which the hypotheses of a pair differ.
    pub fn row(&self, row: usize) -> &[Occurrence] {
        let start = if row == 0 { 0 } else { self.ends[row - 1] };
        &self.entries[start..self.ends[row]]
    }

    /// These rows with only the phrases in which at least two groups among them differ, renumbered in the same order,
    /// and the former number of each phrase. `group_of` holds the group of every row.
    pub fn shared(&self, rows: &[usize], group_of: &[usize]) -> (Self, Vec<u32>) {
        let mut by_group = rows.to_vec();
        by_group.sort_by_key(|&row| group_of[row]);
        // For each phrase, the number of groups that differ in it, and the last of these.
        let mut groups = vec![(0, usize::MAX); self.count];
        for row in by_group {
            for entry in self.row(row) {
                let (count, last) = &mut groups[entry.phrase as usize];
                *count += u32::from(*last != group_of[row]);
                *last = group_of[row];
            }
        }
        let kept: Vec<u32> =
            (0..).zip(groups).filter(|(_, (count, _))| *count >= MIN_GROUPS).map(|kept| kept.0).collect();
        let mut numbers = vec![None; self.count];
        kept.iter().zip(0..).for_each(|(&phrase, number)| numbers[phrase as usize] = Some(number));
        let renumbered =
            |entry: &Occurrence| Some(Occurrence { phrase: numbers[entry.phrase as usize]?, count: entry.count });
        let mut part = Self { count: kept.len(), ..Self::default() };
        for &row in rows {
            part.entries.extend(self.row(row).iter().filter_map(renumbered));
            part.ends.push(part.entries.len());
        }
        (part, kept)
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
        let mut phrases = Vec::with_capacity(words.len() * MAX_WORDS);
        for start in 0..words.len() {
            let mut phrase = words[start];
            phrases.push(phrase);
            for &word in words[start + 1..].iter().take(MAX_WORDS - 1) {
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

    /// "a b a" against "a b" and the reverse, each with a reference of its own; "c" against "b" with the last one's.
    fn texts() -> Texts {
        let words = vec![vec![0, 1, 0], vec![0, 1], vec![2], vec![1]];
        Texts { words, of_pair: vec![[0, 1], [1, 0], [2, 3]], vocabulary: 3 }
    }

    fn occurrences(phrases: &[(u32, i32)]) -> Vec<Occurrence> {
        phrases.iter().map(|&(phrase, count)| Occurrence { phrase, count }).collect()
    }

    #[test]
    fn phrases_that_two_groups_differ_in_are_kept() {
        // They are a, "a b a" and "b a": b and c differ in one group only, "a b" in none.
        let found = Phrases::new(&texts(), &Groups { of_row: vec![0, 1, 1], count: 2 });
        assert_eq!(found.row(0), occurrences(&[(0, 1), (1, 1), (2, 1)]));
        assert_eq!(found.row(1), occurrences(&[(0, -1), (1, -1), (2, -1)]));
        assert_eq!((found.row(2), found.count), (&[][..], 3));
        let found = Phrases::new(&texts(), &Groups { of_row: vec![0, 0, 1], count: 2 });
        assert_eq!((found.count, found.row(0)), (0, &[][..]));
    }

    #[test]
    fn a_part_has_its_own_numbers() {
        let all = Phrases { entries: occurrences(&[(1, 1), (2, 3), (2, 1), (1, 1)]), ends: vec![2, 3, 4], count: 4 };
        let (part, kept) = all.shared(&[1, 0], &[0, 1, 2]);
        assert_eq!((part.row(0), part.row(1)), (&occurrences(&[(0, 1)])[..], &occurrences(&[(0, 3)])[..]));
        assert_eq!((part.count, kept), (1, vec![2]));
    }
}
