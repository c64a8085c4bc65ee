use rustc_hash::FxHashMap;

use crate::judgments::Pair;
use crate::text::{Fingerprint, Tokenizer, fingerprint};

/// The hypotheses of pairs; every distinct text is tokenised once.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Texts {
    /// The lower-cased words of each distinct text, in order, as numbers from 0 to `vocabulary` - 1.
    pub words: Vec<Vec<u32>>,
    /// The positions in `words` of each pair's two hypotheses.
    pub of_pair: Vec<[usize; 2]>,
    /// The number of distinct words.
    pub vocabulary: usize,
}

impl Texts {
    /// The hypotheses of all pairs.
    pub fn new<'a>(pairs: impl Iterator<Item = &'a Pair>) -> Self {
        let mut numbers: FxHashMap<Fingerprint, u32> = FxHashMap::default();
        let mut places: FxHashMap<&str, usize> = FxHashMap::default();
        let mut words = Vec::new();
        let mut place = |text| {
            *places.entry(text).or_insert_with(|| {
                words.push(numbered(text, &mut numbers));
                words.len() - 1
            })
        };
        let of_pair = pairs.map(|pair| pair.hypotheses.each_ref().map(|text| place(text.as_str())));
        let of_pair = of_pair.collect();
        Self { words, of_pair, vocabulary: numbers.len() }
    }

    /// The words of the two hypotheses of a pair.
    pub fn of_row(&self, row: usize) -> [&[u32]; 2] {
        self.of_pair[row].map(|place| self.words[place].as_slice())
    }
}

/// The words of a text; a new word gets the next number.
fn numbered(text: &str, numbers: &mut FxHashMap<Fingerprint, u32>) -> Vec<u32> {
    let mut words = Vec::new();
    Tokenizer::Words.tokenize(text, &mut |token| {
        let id = fingerprint::of_lower(token, fingerprint::of_token(token));
        let next = numbers.len() as u32;
        words.push(*numbers.entry(id).or_insert(next));
    });
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_numbered_and_texts_are_cut_once() {
        let pairs = ["The cat . ||| a CAT ||| r", "a CAT ||| the cat , the ||| r"];
        let texts = Texts::new(pairs.map(|line| Pair::parse(line, "x", 1).unwrap()).iter());
        assert_eq!(texts.words, [vec![0, 1], vec![2, 1], vec![0, 1, 0]]);
        assert_eq!(texts.of_pair, [[0, 1], [1, 2]]);
        assert_eq!(texts.vocabulary, 3);
        assert_eq!(texts.of_row(1), [[2, 1].as_slice(), &[0, 1, 0]]);
    }
}
