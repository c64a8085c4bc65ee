//! The positions of the words of a reference.

use std::ops::Range;

/// A word of either text, as the number of the equal distinct word of the reference. These numbers are smaller than the
/// length of the reference; any greater number is a word that the reference lacks.
pub type Word = u32;

/// Finds the positions of a word.
pub trait FindPlaces {
    /// The positions of a word within a range, ascending; none for a word that the reference lacks.
    fn within(&self, range: Range<usize>, word: Word) -> impl Iterator<Item = usize>;
}

/// The positions of each word of a reference.
#[derive(Debug)]
pub struct Places {
    /// The start of each word's positions in `places`, and the end of the last one's.
    first: Vec<usize>,
    /// All positions, grouped by word, ascending within each word.
    places: Vec<usize>,
}

impl Places {
    /// The positions of all words.
    pub fn of(reference: &[Word]) -> Self {
        let words = reference.iter().max().map_or(0, |&last| last as usize + 1);
        let mut first = vec![0; words + 2];
        reference.iter().for_each(|&word| first[word as usize + 2] += 1);
        (2..first.len()).for_each(|at| first[at] += first[at - 1]);
        let mut places = vec![0; reference.len()];
        for (place, &word) in reference.iter().enumerate() {
            // Ends up at the start of the next word's positions.
            let next = &mut first[word as usize + 1];
            places[*next] = place;
            *next += 1;
        }
        first.pop();
        Self { first, places }
    }

    /// The positions of a word from `start` on, ascending; none for a word that the reference lacks.
    pub fn from(&self, start: usize, word: Word) -> &[usize] {
        let Some(&end) = self.first.get(word as usize + 1) else { return &[] };
        let places = &self.places[self.first[word as usize]..end];
        &places[places.partition_point(|&place| place < start)..]
    }
}

impl FindPlaces for Places {
    fn within(&self, range: Range<usize>, word: Word) -> impl Iterator<Item = usize> {
        self.from(range.start, word).iter().copied().take_while(move |&place| place < range.end)
    }
}

/// The positions of the words of a reference of up to 64 words, one bit per position.
#[derive(Debug, Clone, Copy)]
pub struct PlaceBits([u64; u64::BITS as usize]);

impl PlaceBits {
    /// The positions of all words, which must be numbers below the length of the reference.
    pub fn of(reference: &[Word]) -> Self {
        let mut bits = [0; u64::BITS as usize];
        for (place, &word) in reference.iter().enumerate() {
            bits[word as usize] |= 1 << place;
        }
        Self(bits)
    }

    /// The positions of a word, where bit 0 is the first; none for a word that the reference lacks.
    #[inline]
    pub fn get(&self, word: Word) -> u64 {
        self.0.get(word as usize).copied().unwrap_or(0)
    }
}

impl FindPlaces for PlaceBits {
    fn within(&self, range: Range<usize>, word: Word) -> impl Iterator<Item = usize> {
        let from = |place: usize| u64::MAX.checked_shl(place as u32).unwrap_or(0);
        let mut left = self.get(word) & from(range.start) & !from(range.end);
        std::iter::from_fn(move || {
            let first = left.trailing_zeros() as usize;
            left &= left.wrapping_sub(1);
            (first < u64::BITS as usize).then_some(first)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bits_are_the_same_places() {
        let reference: Vec<Word> = (0..64).map(|place| place * place % 7).collect();
        for length in [0, 1, 5, 63, 64] {
            let (bits, places) = (PlaceBits::of(&reference[..length]), Places::of(&reference[..length]));
            for word in (0..8).chain([63, 64, Word::MAX]) {
                for range in [0..0, 0..1, 0..64, 0..200, 3..9, 5..63, 5..64, 63..65, 64..70] {
                    let found = bits.within(range.clone(), word).collect::<Vec<_>>();
                    assert_eq!(found, places.within(range, word).collect::<Vec<_>>());
                }
            }
        }
    }

    #[test]
    fn every_word_has_its_places() {
        let places = Places::of(&[1, 0, 1, 2, 1]);
        assert_eq!(places.from(0, 1), [0, 2, 4]);
        assert_eq!(places.from(1, 1), [2, 4]);
        assert_eq!(places.from(0, 0), [1]);
        assert_eq!(places.from(3, 2), [3]);
        assert_eq!(places.from(2, 0), [0; 0]);
        assert_eq!(places.from(0, 3), [0; 0]);
        assert_eq!(places.from(0, Word::MAX), [0; 0]);
        assert_eq!(Places::of(&[]).from(0, 0), [0; 0]);
    }
}
