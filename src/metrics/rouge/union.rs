//! The union of a sentence's longest common subsequences with several others.

use super::lcs::Table;
use crate::text::{Counts, Tokens};

/// Numbers that are kept of a table at once, 8 MB: larger tables are kept in parts.
const KEPT: usize = 1 << 20;

/// The hits of ROUGE-Lsum: for each line of the reference the tokens that belong to its longest common subsequence with
/// any line of the hypothesis; of each word at most as many as the hypothesis has.
///
/// O(|r| |h| / 64) steps for texts of |r| and |h| tokens, and at least one for each pair of lines; the memory is that
/// of [`Table::mark`].
pub fn hits(hypothesis: &Tokens, reference: &Tokens) -> usize {
    let mut found = Vec::new();
    for line in reference.lines() {
        let table = Table::new(line);
        let mut marks = vec![false; line.len()];
        hypothesis.lines().for_each(|other| table.mark(other, &mut marks, KEPT));
        found.extend(line.iter().zip(marks).filter(|(_, marked)| *marked).map(|(&token, _)| token));
    }
    // A token of the reference is marked once at most, so that only the hypothesis' counts can be exceeded.
    Counts::of_ngrams(&found, 1).matches(hypothesis.counts(1)) as usize
}
