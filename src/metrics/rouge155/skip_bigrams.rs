//! In: two texts. Out: how many skip-bigrams they share. Next: ROUGE-S.

use super::numbered::Text;
use super::{repeated, sweep};
use crate::text::Fingerprint;

/// Which pairs of tokens count.
#[derive(Debug, Clone, Copy)]
pub struct SkipBigrams {
    /// The largest number of tokens between the two; `None` for no limit.
    pub gap: Option<usize>,
    /// Whether single tokens count, too; as in ROUGE-1.5.5, without the last token of a text.
    pub unigrams: bool,
}

impl SkipBigrams {
    /// The greatest distance between the two tokens in a text of this length.
    fn reach(self, length: usize) -> usize {
        let farthest = length.saturating_sub(1);
        self.gap.map_or(farthest, |gap| gap.saturating_add(1).min(farthest))
    }

    /// The number of skip-bigrams of a text of n tokens: n d - d (d + 1) / 2 with d = min(gap + 1, n - 1), plus n - 1
    /// if single tokens count; 0 for fewer than two tokens.
    pub fn total(self, length: usize) -> u64 {
        let (length, reach) = (length as u64, self.reach(length) as u64);
        let unigrams = if self.unigrams { length.saturating_sub(1) } else { 0 };
        // With each further distance, one token fewer has a follower.
        length * reach - reach * (reach + 1) / 2 + unigrams
    }

    /// Clipped matches: the sum over skip-bigrams g of min(h(g), r(g)).
    ///
    /// For every token that occurs in both texts, the skip-bigrams that start with it are counted: O((|h| + |r|) g)
    /// steps for a gap g, and never more than O((|h| + |r|) v) for v distinct tokens. Without a limit to the gap, v
    /// only includes tokens that are repeated in a text, and the others take O((|h| + |r|) log |r|). Memory: O(|h| +
    /// |r|).
    pub fn hits(self, hypothesis: &[Fingerprint], reference: &[Fingerprint]) -> u64 {
        let vocabulary = common(hypothesis, reference);
        let own = Text::new(hypothesis, &vocabulary, self.reach(hypothesis.len()));
        let theirs = Text::new(reference, &vocabulary, self.reach(reference.len()));
        let single = |token: usize| own.unigrams(token).min(theirs.unigrams(token));
        let unigrams = if self.unigrams { (0..vocabulary.len()).map(single).sum() } else { 0 };
        if own.reaches_end() && theirs.reaches_end() {
            unigrams + sweep::hits(&own, &theirs) + repeated::hits(&own, &theirs)
        } else {
            unigrams + by_first_token(&own, &theirs)
        }
    }
}

/// Clipped matches of skip-bigrams, by their first token.
fn by_first_token(own: &Text, theirs: &Text) -> u64 {
    let vocabulary = own.places.len();
    let (mut own_row, mut their_row) = (Row::new(vocabulary), Row::new(vocabulary));
    let mut hits = 0;
    for first in 0..vocabulary {
        count_followers(own, first, &mut own_row);
        count_followers(theirs, first, &mut their_row);
        hits += own_row.matches(&their_row);
        own_row.clear();
        their_row.clear();
    }
    hits
}

/// The distinct tokens that occur in both texts, sorted.
fn common(a: &[Fingerprint], b: &[Fingerprint]) -> Vec<Fingerprint> {
    let different = |tokens: &[Fingerprint]| {
        let mut tokens = tokens.to_vec();
        tokens.sort_unstable();
        tokens.dedup();
        tokens
    };
    let (mut a, b) = (different(a), different(b));
    a.retain(|token| b.binary_search(token).is_ok());
    a
}

/// Counts the tokens that follow each position of `first` within reach.
fn count_followers(text: &Text, first: usize, row: &mut Row) {
    let places = &text.places[first];
    if places.len().saturating_mul(text.reach) <= text.tokens.len() {
        for &place in places {
            let end = (place + 1 + text.reach).min(text.tokens.len());
            text.tokens[place + 1..end].iter().flatten().for_each(|&token| row.add(token, 1));
        }
        return;
    }
    // The positions within reach of a token form a window that moves along with the token.
    let (mut from, mut to) = (0, 0);
    let start = places.first().map_or(text.tokens.len(), |place| place + 1);
    for (at, token) in text.tokens.iter().enumerate().skip(start) {
        while places.get(to).is_some_and(|&place| place < at) {
            to += 1;
        }
        while from < to && places[from] + text.reach < at {
            from += 1;
        }
        token.iter().for_each(|&token| row.add(token, (to - from) as u64));
    }
}

/// How often each token follows a given one.
struct Row {
    counts: Vec<u64>,
    /// The tokens whose counts are not 0.
    tokens: Vec<usize>,
}

impl Row {
    fn new(vocabulary: usize) -> Self {
        Self { counts: vec![0; vocabulary], tokens: Vec::new() }
    }

    fn add(&mut self, token: usize, count: u64) {
        if self.counts[token] == 0 && count > 0 {
            self.tokens.push(token);
        }
        self.counts[token] += count;
    }

    fn matches(&self, other: &Self) -> u64 {
        self.tokens.iter().map(|&token| self.counts[token].min(other.counts[token])).sum()
    }

    fn clear(&mut self) {
        self.tokens.drain(..).for_each(|token| self.counts[token] = 0);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::HashMap;

    /// The counts of all pairs, by enumeration.
    fn pairs(kind: SkipBigrams, text: &[u64]) -> HashMap<(u64, Option<u64>), u64> {
        let mut counts = HashMap::new();
        for (at, &first) in text.iter().enumerate() {
            let seconds = text.iter().skip(at + 1).take(kind.gap.map_or(usize::MAX, |gap| gap + 1));
            seconds.for_each(|&second| *counts.entry((first, Some(second))).or_default() += 1);
            if kind.unigrams && at + 1 < text.len() {
                *counts.entry((first, None)).or_default() += 1;
            }
        }
        counts
    }

    /// Clipped matches of all pairs.
    fn clipped(kind: SkipBigrams, h: &[u64], r: &[u64]) -> u64 {
        let (own, theirs) = (pairs(kind, h), pairs(kind, r));
        own.iter().map(|(pair, count)| (*count).min(theirs.get(pair).copied().unwrap_or(0))).sum()
    }

    proptest! {
        #[test]
        fn tokens_of_all_frequencies_are_counted(
            h in prop::collection::vec(0_u64..60, 0..60), r in prop::collection::vec(0_u64..60, 0..60),
            unigrams in any::<bool>(),
        ) {
            let kind = SkipBigrams { gap: None, unigrams };
            prop_assert_eq!(kind.hits(&h, &r), clipped(kind, &h, &r));
        }

        #[test]
        fn rows_count_what_pairs_count(
            h in prop::collection::vec(0_u64..6, 0..40),
            r in prop::collection::vec(2_u64..9, 0..40),
            gap in prop::sample::select(vec![None, None, Some(0), Some(1), Some(4), Some(30), Some(usize::MAX - 1)]),
            unigrams in any::<bool>(),
        ) {
            let kind = SkipBigrams { gap, unigrams };
            prop_assert_eq!(kind.total(h.len()), pairs(kind, &h).values().sum::<u64>());
            prop_assert_eq!(kind.hits(&h, &r), clipped(kind, &h, &r));
        }
    }

    #[test]
    fn by_hand() {
        // Lin 2004, section 5: police killed the gunman; police kill the gunman; the gunman kill police; the gunman
        // police killed.
        let kind = SkipBigrams { gap: None, unigrams: false };
        let reference = [1, 2, 3, 4];
        assert_eq!(kind.total(4), 6);
        let hits = [[1, 5, 3, 4], [3, 4, 5, 1], [3, 4, 1, 2]].map(|text| kind.hits(&text, &reference));
        assert_eq!(hits, [3, 1, 2]);
    }

    #[test]
    fn a_single_token_is_no_unigram() {
        let kind = SkipBigrams { gap: Some(4), unigrams: true };
        assert_eq!((kind.total(0), kind.total(1), kind.total(2)), (0, 0, 2));
        assert_eq!((kind.hits(&[7], &[7]), kind.hits(&[7, 8], &[7, 8])), (0, 2));
    }
}
