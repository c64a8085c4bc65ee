//! Beside stage 5. In: the words of the hypotheses. Out: in which phrases the two of a pair differ. Next: word
//! regression.

use rustc_hash::FxHashMap;

use super::Texts;

/// The words of the longest phrase.
pub const LONGEST: usize = 3;

/// A phrase of one or more words that one hypothesis has more often than the other.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Difference {
    /// The number of the phrase.
    pub phrase: u32,
    /// Its count in the first hypothesis minus that in the second; not 0.
    pub count: i32,
}

/// The differences of pairs: a sparse matrix, a row a pair.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Differences {
    /// The differences of all rows, ordered by phrase within a row.
    entries: Vec<Difference>,
    /// Where the entries of each row end.
    ends: Vec<usize>,
    /// The number of distinct phrases.
    pub phrases: usize,
}

impl Differences {
    /// The phrases of 1 to [`LONGEST`] words in which the hypotheses of each pair differ.
    pub fn of(texts: &Texts) -> Self {
        let mut numbering = Numbering::new(texts.vocabulary);
        let counts: Vec<Vec<Difference>> = texts.words.iter().map(|words| numbering.count(words)).collect();
        let mut all = Self { phrases: numbering.next as usize, ..Self::default() };
        for &[first, second] in &texts.of_pair {
            subtract(&counts[first], &counts[second], &mut all.entries);
            all.ends.push(all.entries.len());
        }
        all
    }

    /// The differences of one pair.
    pub fn row(&self, row: usize) -> &[Difference] {
        let start = if row == 0 { 0 } else { self.ends[row - 1] };
        &self.entries[start..self.ends[row]]
    }

    /// Only the phrases for which `is_kept`, numbered anew in the same order.
    pub fn filter(&self, is_kept: &[bool]) -> Self {
        let mut next = 0;
        let number = |&kept: &bool| {
            let number = kept.then_some(next);
            next += u32::from(kept);
            number
        };
        let numbers: Vec<Option<u32>> = is_kept.iter().map(number).collect();
        let mut kept = Self { phrases: next as usize, ..Self::default() };
        for row in 0..self.ends.len() {
            let renamed = |&Difference { phrase, count }: &Difference| {
                numbers[phrase as usize].map(|phrase| Difference { phrase, count })
            };
            kept.entries.extend(self.row(row).iter().filter_map(renamed));
            kept.ends.push(kept.entries.len());
        }
        kept
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
    fn count(&mut self, words: &[u32]) -> Vec<Difference> {
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
        runs.map(|run| Difference { phrase: run[0], count: run.len() as i32 }).collect()
    }
}

/// Adds to `entries` where the counts of two texts, ordered by phrase, differ.
fn subtract(mut first: &[Difference], mut second: &[Difference], entries: &mut Vec<Difference>) {
    loop {
        let (one, other) = (first.first(), second.first());
        let Some(phrase) = one.into_iter().chain(other).map(|entry| entry.phrase).min() else { return };
        let take = |from: &mut &[Difference], entry: Option<&Difference>| match entry {
            Some(entry) if entry.phrase == phrase => {
                *from = &from[1..];
                entry.count
            }
            _ => 0,
        };
        let count = take(&mut first, one) - take(&mut second, other);
        if count != 0 {
            entries.push(Difference { phrase, count });
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
        let found = Differences::of(&texts());
        // a = 0, b = 1, a b = 2, a b a = 3, b a = 4.
        let expected = [0, 3, 4].map(|phrase| Difference { phrase, count: 1 });
        assert_eq!(found.row(0), expected);
        assert_eq!(found.row(1), expected.map(|entry| Difference { count: -1, ..entry }));
        assert_eq!(found.row(2), []);
        assert_eq!(found.phrases, 5);
    }

    #[test]
    fn kept_phrases_are_numbered_anew() {
        let found = Differences::of(&texts()).filter(&[false, true, true, true, false]);
        assert_eq!(found.row(0), [Difference { phrase: 2, count: 1 }]);
        assert_eq!((found.row(2), found.phrases), ([].as_slice(), 3));
    }
}
