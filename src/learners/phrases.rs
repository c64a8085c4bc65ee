//! In: the words of the hypotheses. Out: in which phrases the two of a pair differ. Next: word regression.

use rustc_hash::FxHashMap;

use super::Texts;

/// The words of the longest phrase.
pub const LONGEST: usize = 3;

/// A phrase of one or more words, and how often.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Occurrence {
    /// The number of the phrase.
    pub phrase: u32,
    /// Its count in a text, or in the first hypothesis of a pair minus that in the second; not 0.
    pub count: i32,
}

/// The phrases of hypotheses, and in which of them the two of each pair differ: sparse matrices, a row a text or a
/// pair.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Phrases {
    /// The phrases of each distinct text, ordered by phrase.
    texts: Vec<Vec<Occurrence>>,
    /// For each pair the places of its two hypotheses in `texts`.
    of_pair: Vec<[usize; 2]>,
    /// The differences of all pairs, ordered by phrase within a pair.
    differences: Vec<Occurrence>,
    /// Where the differences of each pair end.
    ends: Vec<usize>,
    /// The number of distinct phrases.
    pub count: usize,
}

impl Phrases {
    /// The phrases of 1 to 3 words.
    pub fn new(texts: &Texts) -> Self {
        let mut numbering = Numbering::new(texts.vocabulary);
        let counted: Vec<Vec<Occurrence>> = texts.words.iter().map(|words| numbering.count(words)).collect();
        let mut all = Self { of_pair: texts.of_pair.clone(), count: numbering.next as usize, ..Self::default() };
        for &[first, second] in &texts.of_pair {
            subtract(&counted[first], &counted[second], &mut all.differences);
            all.ends.push(all.differences.len());
        }
        Self { texts: counted, ..all }
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

/// Numbers phrases: words have their own numbers, a longer phrase is a known one with a word behind it.
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

/// Adds to `entries` where the counts of two texts, ordered by phrase, differ.
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
        // "a b a" against "a b", and the other way round; "b" against itself.
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
}
