//! In: nothing. Out: the type of a match, and of all matches that the modules propose. Next: the modules that find
//! them.

use std::ops::Range;

/// A possible match between words of the reference and of the hypothesis.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Match {
    /// The position of the first word in the reference.
    pub reference: u32,
    /// The number of words in the reference.
    pub reference_length: u32,
    /// The position of the first word in the hypothesis.
    pub hypothesis: u32,
    /// The number of words in the hypothesis.
    pub hypothesis_length: u32,
    /// The index of the module that proposes it among the chosen modules.
    pub module: u8,
}

impl Match {
    /// A match of single words.
    pub(super) fn of_words(reference: u32, hypothesis: u32, module: u8) -> Self {
        Self { reference, reference_length: 1, hypothesis, hypothesis_length: 1, module }
    }

    /// The positions in the reference.
    pub(super) fn in_reference(&self) -> Range<usize> {
        self.reference as usize..(self.reference + self.reference_length) as usize
    }

    /// The positions in the hypothesis.
    pub(super) fn in_hypothesis(&self) -> Range<usize> {
        self.hypothesis as usize..(self.hypothesis + self.hypothesis_length) as usize
    }
}

/// The largest number of possible matches that are listed, as for 512 equal words in both texts: the search then takes
/// about 100 ms and 20 MB.
pub(super) const MOST_MATCHES: usize = 1 << 18;

/// All matches that the modules propose, ordered by the first word in the reference, then by module, then by the first
/// word in the hypothesis; among paraphrases, those that the table lists for a phrase of the reference come first, in
/// the table's order.
#[derive(Debug, Default, PartialEq)]
pub(super) struct Proposals {
    /// The matches.
    pub matches: Vec<Match>,
    /// The index of the first match of each reference word; one more element for the end.
    pub first: Vec<usize>,
}
