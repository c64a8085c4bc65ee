//! Detects reversed labels: people then seem to prefer the hypothesis that is less like the reference.
//!
//! The overlap of words with the reference is about the simplest metric there is, and it agrees with people. Where it
//! agrees significantly less often than chance, the labels are probably reversed. Judgments of one reference are not
//! independent, so each reference counts once: for or against agreement, according to the majority of its pairs.

use std::collections::HashMap;

use serde::Serialize;
use xxhash_rust::xxh3::{xxh3_64, xxh3_64_with_seed};

use super::{Judgment, Pair, Verdict};
use crate::evaluation::sign_test;
use crate::text::Tokenizer;

/// Significance level of the sign test.
const LEVEL: f64 = 0.001;

/// How often the preferred hypothesis is the one that shares more words with the reference.
#[derive(Debug, Clone, Default, Serialize)]
pub struct SharedWords {
    /// Pairs whose preferred hypothesis shares more words with the reference than the other.
    pub preferred_shares_more: usize,
    /// Pairs whose preferred hypothesis shares fewer.
    pub preferred_shares_fewer: usize,
    /// For each reference, by hash: the first count minus the second.
    #[serde(skip)]
    of_references: HashMap<u64, i64>,
    /// The overlaps of hypotheses, by hash: most hypotheses occur in several pairs.
    #[serde(skip)]
    known: HashMap<u64, f64>,
}

/// The most overlaps that are cached.
const MAX_CACHED_OVERLAPS: usize = 1 << 16;

impl SharedWords {
    /// Counts all judgments.
    pub fn new(judgments: &[Judgment]) -> Self {
        let mut counts = Self::default();
        judgments.iter().for_each(|judgment| counts.add(&judgment.pair, judgment.label));
        counts
    }

    /// Counts a pair, unless people or the overlap tie.
    pub fn add(&mut self, pair: &Pair, label: Verdict) {
        let (Some(reference), true) = (pair.references.first(), label != Verdict::Tie) else { return };
        let seed = xxh3_64(reference.as_bytes());
        if self.known.len() >= MAX_CACHED_OVERLAPS {
            self.known.clear();
        }
        let mut known = |text: &String| {
            let place = self.known.entry(xxh3_64_with_seed(text.as_bytes(), seed));
            *place.or_insert_with(|| overlap(text, reference))
        };
        let [first, second] = pair.hypotheses.each_ref().map(&mut known);
        if first == second {
            return;
        }
        let agrees = label == Verdict::compare(first, second);
        let count = if agrees { &mut self.preferred_shares_more } else { &mut self.preferred_shares_fewer };
        *count += 1;
        *self.of_references.entry(seed).or_default() += if agrees { 1 } else { -1 };
    }

    /// A warning if overlap agrees with people less often than chance: one-sided sign test over references.
    pub fn warning(&self) -> Option<String> {
        let against = self.of_references.values().filter(|&&sum| sum < 0).count();
        let decided = self.of_references.values().filter(|&&sum| sum != 0).count();
        let is_reversed = 2 * against > decided && sign_test(against, decided - against) / 2.0 < LEVEL;
        let pairs = self.preferred_shares_more + self.preferred_shares_fewer;
        is_reversed.then(|| {
            format!(
                "in {} of {pairs} pairs the preferred hypothesis shares fewer words with the reference than \
                 the other: significantly less agreement than by chance (p < {LEVEL}, sign test over {decided} \
                 references). Labels or ranks look reversed: --labels 1=-1,0=0,-1=1 reverses labels; adding or \
                 omitting --lowest-is-best reverses ranks and scores",
                self.preferred_shares_fewer
            )
        })
    }
}

/// F1 of lower-cased words, with clipped counts, in [0, 1]; 0 if both texts are empty.
pub(crate) fn overlap(hypothesis: &str, reference: &str) -> f64 {
    let mut left: HashMap<String, usize> = HashMap::new();
    let (mut shared, mut all) = (0, 0);
    Tokenizer::Words.tokenize(reference, &mut |word| {
        *left.entry(word.to_lowercase()).or_default() += 1;
        all += 1;
    });
    Tokenizer::Words.tokenize(hypothesis, &mut |word| {
        all += 1;
        if let Some(count @ 1..) = left.get_mut(&word.to_lowercase()) {
            *count -= 1;
            shared += 1;
        }
    });
    if all == 0 { 0.0 } else { 2.0 * f64::from(shared) / f64::from(all) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn counted(label: Verdict, references: usize, pairs: usize) -> SharedWords {
        let mut counts = SharedWords::default();
        for at in 0..references {
            let pair = Pair::parse(&format!("the cat sat {at} ||| a dog ||| the cat sat down {at}"), "x", 1).unwrap();
            (0..pairs).for_each(|_| counts.add(&pair, label));
        }
        counts
    }

    #[test]
    fn shared_words_count_once_for_each_time_that_both_have_them() {
        assert_eq!(overlap("The cat!", "the cat"), 1.0);
        assert_eq!(overlap("the the the", "the cat the"), 2.0 * 2.0 / 6.0);
        assert_eq!(overlap("a", "b"), 0.0);
        assert_eq!(overlap("", ""), 0.0);
    }

    #[test]
    fn references_count_and_not_their_pairs() {
        assert!(counted(Verdict::Second, 10, 1).warning().is_some());
        assert!(counted(Verdict::Second, 9, 100).warning().is_none());
        assert!(counted(Verdict::First, 1000, 1).warning().is_none());
        assert!(counted(Verdict::Tie, 1000, 1).warning().is_none());
    }
}
