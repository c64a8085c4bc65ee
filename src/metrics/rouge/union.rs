//! The union of a sentence's longest common subsequences with several other sentences.

use super::lcs::Table;
use crate::text::{Counts, Tokens};

/// The number of 64-bit words of a table stored at once, 8 MB; larger tables are stored in parts.
const KEPT: usize = 1 << 20;

/// The hits of ROUGE-Lsum: for each line of the reference, the tokens in its longest common subsequence with any line
/// of the hypothesis; each word counts at most as often as in the hypothesis.
///
/// O(|r| |h| / 64) steps for texts of |r| and |h| tokens, and at least one for each pair of lines; for the memory see
/// [`Table::mark`].
pub fn hits(hypothesis: &Tokens, reference: &Tokens) -> usize {
    let mut found = Vec::new();
    for line in reference.lines() {
        let table = Table::new(line);
        let mut marks = vec![false; line.len()];
        hypothesis.lines().for_each(|other| table.mark(other, &mut marks, KEPT));
        found.extend(line.iter().zip(marks).filter(|(_, marked)| *marked).map(|(&token, _)| token));
    }
    // Each token of the reference is marked at most once, so only the counts of the hypothesis can be exceeded.
    Counts::of_ngrams(&found, 1).matches(hypothesis.counts(1)) as usize
}
