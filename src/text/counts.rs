//! In: the fingerprints of a sentence's tokens. Out: how often each n-gram occurs. Next: metrics.

use super::fingerprint::{self, Fingerprint};

/// The n-grams of one order with their counts, ordered by fingerprint.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Counts {
    entries: Vec<(Fingerprint, u32)>,
    total: u32,
}

impl Counts {
    /// Counts the n-grams of `order` consecutive tokens.
    pub fn of_ngrams(tokens: &[Fingerprint], order: usize) -> Self {
        let grams = tokens
            .windows(order)
            .map(|window| window.iter().fold(fingerprint::EMPTY, |gram, &token| fingerprint::extend(gram, token)));
        Self::of(grams.collect())
    }

    /// Counts any items, given by their fingerprints.
    pub fn of(mut items: Vec<Fingerprint>) -> Self {
        items.sort_unstable();
        let total = u32::try_from(items.len()).unwrap_or(u32::MAX);
        let mut entries: Vec<(Fingerprint, u32)> = Vec::with_capacity(items.len());
        for item in items {
            match entries.last_mut() {
                Some((last, count)) if *last == item => *count += 1,
                _ => entries.push((item, 1)),
            }
        }
        Self { entries, total }
    }

    /// The number of n-grams, with repetitions: max(0, tokens - order + 1).
    pub fn total(&self) -> u32 {
        self.total
    }

    /// The distinct n-grams with their counts, ordered by fingerprint.
    pub fn entries(&self) -> &[(Fingerprint, u32)] {
        &self.entries
    }

    /// The count of one n-gram, 0 if it does not occur.
    pub fn get(&self, gram: Fingerprint) -> u32 {
        self.entries.binary_search_by_key(&gram, |entry| entry.0).map_or(0, |at| self.entries[at].1)
    }

    /// Clipped matches: the sum over n-grams g of min(self(g), other(g)).
    pub fn matches(&self, other: &Self) -> u32 {
        self.common(other).map(|(_, mine, theirs)| mine.min(theirs)).sum()
    }

    /// The n-grams that occur in both, each with its count here and there.
    pub fn common<'a>(&'a self, other: &'a Self) -> impl Iterator<Item = (Fingerprint, u32, u32)> + 'a {
        let mut theirs = other.entries.as_slice();
        self.entries.iter().filter_map(move |&(gram, mine)| {
            while let Some((&(head, count), rest)) = theirs.split_first() {
                if head > gram {
                    return None;
                }
                theirs = rest;
                if head == gram {
                    return Some((gram, mine, count));
                }
            }
            None
        })
    }

    /// For every n-gram the larger of its two counts: the clipping limit for several references.
    pub fn maximum(&self, other: &Self) -> Self {
        let mut entries = Vec::with_capacity(self.entries.len() + other.entries.len());
        let (mut a, mut b) = (self.entries.as_slice(), other.entries.as_slice());
        loop {
            match (a.first(), b.first()) {
                (Some(&x), Some(&y)) if x.0 == y.0 => {
                    entries.push((x.0, x.1.max(y.1)));
                    (a, b) = (&a[1..], &b[1..]);
                }
                (Some(&x), Some(&y)) if x.0 < y.0 => {
                    entries.push(x);
                    a = &a[1..];
                }
                (_, Some(&y)) => {
                    entries.push(y);
                    b = &b[1..];
                }
                (Some(&x), None) => {
                    entries.push(x);
                    a = &a[1..];
                }
                (None, None) => break,
            }
        }
        let total = entries.iter().map(|entry| entry.1).sum();
        Self { entries, total }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn unigrams(text: &str) -> Counts {
        Counts::of(text.split(' ').map(fingerprint::of_token).collect())
    }

    #[test]
    fn matches_are_clipped_by_the_smaller_count() {
        let hypothesis = unigrams("the the the the the the the");
        let reference = unigrams("the cat is on the mat");
        assert_eq!(hypothesis.matches(&reference), 2);
        assert_eq!(reference.matches(&hypothesis), 2);
    }

    #[test]
    fn maximum_takes_the_larger_count_of_each() {
        let both = unigrams("a a b").maximum(&unigrams("a b b c"));
        assert_eq!(both.total(), 5);
        assert_eq!(both.get(fingerprint::of_token("a")), 2);
        assert_eq!(both.get(fingerprint::of_token("b")), 2);
        assert_eq!(both.get(fingerprint::of_token("c")), 1);
    }

    #[test]
    fn a_text_shorter_than_the_order_has_no_ngrams() {
        assert_eq!(Counts::of_ngrams(&[1, 2, 3], 4), Counts::default());
        assert_eq!(Counts::of_ngrams(&[], 1).total(), 0);
    }
}
