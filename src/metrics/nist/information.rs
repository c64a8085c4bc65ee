//! How much an n-gram tells: the rarer its last word is after the words before it, the more.

use std::collections::HashMap;

use crate::text::{Fingerprint, Tokens};

/// Where the n-grams are counted that the information comes from.
#[derive(Debug)]
pub enum Information {
    /// In the references of the segment at hand.
    Segment,
    /// In all references of a corpus.
    Corpus(Occurrences),
}

impl Information {
    /// How many words there are, which is how often the n-gram of no words occurs.
    pub fn words(&self, references: &[&Tokens]) -> u64 {
        match self {
            Self::Segment => references.iter().map(|reference| reference.len() as u64).sum(),
            Self::Corpus(occurrences) => occurrences.words,
        }
    }

    /// How often an n-gram occurs that stands in one of the references of the segment.
    pub fn occurrences(&self, references: &[&Tokens], order: usize, gram: Fingerprint) -> u64 {
        match self {
            Self::Segment => references.iter().map(|reference| u64::from(reference.counts(order).get(gram))).sum(),
            Self::Corpus(occurrences) => occurrences.ngrams.get(&gram).copied().unwrap_or(0),
        }
    }
}

/// The n-grams of a corpus' references. Memory: about 25 bytes for each distinct one.
#[derive(Debug, Default)]
pub struct Occurrences {
    ngrams: HashMap<Fingerprint, u64>,
    words: u64,
}

impl Occurrences {
    /// Adds the n-grams of up to `order` words of a reference.
    pub fn add(&mut self, reference: &Tokens, order: usize) {
        self.words += reference.len() as u64;
        for order in 1..=order {
            for &(gram, count) in reference.counts(order).entries() {
                *self.ngrams.entry(gram).or_default() += u64::from(count);
            }
        }
    }
}

/// The information of an n-gram that occurs `occurrences` times and without its last word `before` times, in bits:
/// log2(before / occurrences), and 0 where it was not counted at all. Doddington 2002, equation 2.
pub fn bits(before: u64, occurrences: u64) -> f64 {
    if before == 0 || occurrences == 0 {
        return 0.0;
    }
    // A quotient of natural logarithms, as both reference implementations have it.
    (before as f64 / occurrences as f64).ln() / std::f64::consts::LN_2
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_rarer_continuation_tells_more() {
        assert_eq!(bits(8, 8), 0.0);
        assert_eq!(bits(8, 1), 3.0);
        assert_eq!(bits(0, 0), 0.0);
        assert_eq!(bits(3, 0), 0.0);
    }
}
