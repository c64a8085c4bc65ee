//! Where the words of a reference stand.

use super::alignment::Word;

/// The places of each word of a reference, whose words are numbered from 0 without gaps.
#[derive(Debug)]
pub struct Places {
    /// Where those of each word begin in `places`; one more element for the end.
    first: Vec<usize>,
    /// All places, those of one word after the other, each word's ascending.
    places: Vec<usize>,
}

impl Places {
    /// The places of all words.
    pub fn of(reference: &[Word]) -> Self {
        let words = reference.iter().max().map_or(0, |&last| last as usize + 1);
        let mut first = vec![0; words + 2];
        reference.iter().for_each(|&word| first[word as usize + 2] += 1);
        (2..first.len()).for_each(|at| first[at] += first[at - 1]);
        let mut places = vec![0; reference.len()];
        for (place, &word) in reference.iter().enumerate() {
            // Counts up to where the next word's begin.
            let next = &mut first[word as usize + 1];
            places[*next] = place;
            *next += 1;
        }
        first.pop();
        Self { first, places }
    }

    /// The places of a word from `start` on, ascending; none of a word that the reference lacks.
    pub fn from(&self, start: usize, word: Word) -> &[usize] {
        let Some(&end) = self.first.get(word as usize + 1) else { return &[] };
        let places = &self.places[self.first[word as usize]..end];
        &places[places.partition_point(|&place| place < start)..]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

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
