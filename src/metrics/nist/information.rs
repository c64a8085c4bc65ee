//! The information of an n-gram: higher the rarer its last word is after the words before it.

use std::collections::HashMap;

use crate::text::{Fingerprint, Tokens};

/// The references in which n-grams are counted.
#[derive(Debug)]
pub enum Information {
    /// The references of the current segment.
    Segment,
    /// All references of a corpus.
    Corpus(Occurrences),
}

impl Information {
    /// The number of words: the count of the empty n-gram.
    pub fn words(&self, references: &[&Tokens]) -> u64 {
        match self {
            Self::Segment => references.iter().map(|reference| reference.len() as u64).sum(),
            Self::Corpus(occurrences) => occurrences.words,
        }
    }

    /// The count of an n-gram that occurs in one of the segment's references.
    pub fn occurrences(&self, references: &[&Tokens], order: usize, gram: Fingerprint) -> u64 {
        match self {
            Self::Segment => references.iter().map(|reference| u64::from(reference.counts(order).get(gram))).sum(),
            Self::Corpus(occurrences) => occurrences.ngrams.get(&gram).copied().unwrap_or(0),
        }
    }
}

/// The n-gram counts of a corpus' references. Memory: about 25 bytes per distinct n-gram.
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

/// The information in bits of an n-gram that occurs `occurrences` times, and `before` times without its last word:
/// log2(before / occurrences), or 0 if either count is 0. Doddington 2002, equation 2.
pub fn bits(before: u64, occurrences: u64) -> f64 {
    if before == 0 || occurrences == 0 {
        return 0.0;
    }
    // A quotient of natural logarithms, as in both reference implementations.
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
