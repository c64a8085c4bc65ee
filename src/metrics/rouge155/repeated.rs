//! Skip-bigrams of two tokens that are not unique in both texts, without a limit to the gap.

use super::numbered::{Text, once};

/// The number of first tokens whose skip-bigrams are counted in one pass: their counts fill a cache line.
const AT_ONCE: usize = 8;

/// For each second token, how often it follows each of some first tokens.
type Rows = Vec<[u64; AT_ONCE]>;

/// Clipped matches of these skip-bigrams. O((|h| + |r|) v) steps for v distinct such tokens.
pub(super) fn hits(own: &Text, theirs: &Text) -> u64 {
    let mut vocabulary = 0;
    let mut numbers = vec![None; own.places.len()];
    for (_, number) in numbers.iter_mut().enumerate().filter(|(token, _)| !once(own, theirs, *token)) {
        *number = Some(vocabulary);
        vocabulary += 1;
    }
    let repeated =
        |text: &Text| -> Vec<usize> { text.tokens.iter().flatten().filter_map(|&token| numbers[token]).collect() };
    let (own, theirs) = (repeated(own), repeated(theirs));
    let (mut own_rows, mut their_rows) = (vec![[0; AT_ONCE]; vocabulary], vec![[0; AT_ONCE]; vocabulary]);
    let mut hits = 0;
    for first in (0..vocabulary).step_by(AT_ONCE) {
        count_followers(&own, first, &mut own_rows);
        count_followers(&theirs, first, &mut their_rows);
        hits += own_rows.iter().flatten().zip(their_rows.iter().flatten()).map(|(a, b)| a.min(b)).sum::<u64>();
    }
    hits
}

/// Counts the tokens that follow each of the [`AT_ONCE`] tokens from `first` on.
fn count_followers(text: &[usize], first: usize, rows: &mut Rows) {
    rows.fill([0; AT_ONCE]);
    let mut passed = [0; AT_ONCE];
    for &token in text {
        rows[token].iter_mut().zip(passed).for_each(|(count, passed)| *count += passed);
        if let Some(passed) = token.checked_sub(first).and_then(|at| passed.get_mut(at)) {
            *passed += 1;
        }
    }
}
