//! In: nothing. Out: what a match is, and the matches that all modules propose. Next: the modules that find them.

use std::ops::Range;

/// Words of the reference that may stand for words of the hypothesis.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Match {
    /// The place of the first word in the reference.
    pub reference: u32,
    /// How many words of the reference.
    pub reference_length: u32,
    /// The place of the first word in the hypothesis.
    pub hypothesis: u32,
    /// How many words of the hypothesis.
    pub hypothesis_length: u32,
    /// The place of the module that proposes it among the modules chosen.
    pub module: u8,
}

impl Match {
    /// One word each.
    pub(super) fn of_words(reference: u32, hypothesis: u32, module: u8) -> Self {
        Self { reference, reference_length: 1, hypothesis, hypothesis_length: 1, module }
    }

    /// The places in the reference.
    pub(super) fn in_reference(&self) -> Range<usize> {
        self.reference as usize..(self.reference + self.reference_length) as usize
    }

    /// The places in the hypothesis.
    pub(super) fn in_hypothesis(&self) -> Range<usize> {
        self.hypothesis as usize..(self.hypothesis + self.hypothesis_length) as usize
    }
}

/// More possible matches than this, 512 equal words on both sides, are not listed: the search takes about 100 ms and 20
/// MB for so many.
pub(super) const MOST_MATCHES: usize = 1 << 18;

/// Every match that a module proposes, ordered by the first word in the reference, then module, then the first word in
/// the hypothesis; of paraphrases first those that the table has for a phrase of the reference, in its order.
#[derive(Debug, Default, PartialEq)]
pub(super) struct Proposals {
    /// The matches.
    pub matches: Vec<Match>,
    /// Where those of each word of the reference begin; one more element for the end.
    pub first: Vec<usize>,
}
