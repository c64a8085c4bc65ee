//! The representations in which the [search](super::search) keeps the costs of its paths and the words that they have
//! used.
//!
//! For ordinary sentences, a cost is one number and the used words are another: [`Small`]. [`Large`] is for all others.

use std::ops::Range;

/// The cost of a path, and its index among the paths. Less is better, in this order: more matched words, fewer chunks,
/// a smaller sum of distances, a smaller index.
pub(super) trait Cost: Copy + Ord {
    /// The change of a cost by a choice.
    type Step: Copy;

    /// The cost of a path without matches.
    const START: Self;

    /// The step for choice number `choice`, which matches `words` words.
    fn step(choice: u32, words: u32) -> Self::Step;

    /// The cost with the matched words added and the number of the choice put into the last bits of the index, which
    /// must be 0.
    fn with_choice(self, step: Self::Step) -> Self;

    /// The cost with one more chunk if `is_one`.
    fn with_chunk(self, is_one: bool) -> Self;

    fn with_distance(self, distance: u64) -> Self;

    /// The same cost with another index.
    fn at(self, place: u32) -> Self;

    fn place(self) -> u32;
}

/// A representation of costs and of sets of used words.
pub(super) trait Room {
    type Cost: Cost;
    /// The words that a path has used.
    type Used: Copy;
    /// A run of adjacent words.
    type Words;

    /// A representation for sets of up to `words` words.
    fn of(words: usize) -> Self;

    /// The empty set.
    fn none(&self) -> Self::Used;

    fn words(range: Range<u32>) -> Self::Words;

    fn are_free(&self, used: Self::Used, words: &Self::Words) -> bool;

    /// Invalidates all sets except those that [`Self::keep`] returns afterwards.
    fn renew(&mut self);

    /// The same set with more words added, valid after [`Self::renew`].
    fn keep(&mut self, used: Self::Used, more: Option<&Self::Words>) -> Self::Used;
}

/// Costs and sets in 64-bit numbers. A cost has 11 bits for matched words, 12 for chunks, 30 for distances and 11 for
/// the index.
#[derive(Debug)]
pub(super) struct Small;

const PLACE_BITS: u32 = 11;
const DISTANCE_BITS: u32 = 30;
const CHUNKS_BITS: u32 = 12;
const MATCHED: u32 = PLACE_BITS + DISTANCE_BITS + CHUNKS_BITS;
/// The longest texts. A path matches at most all words of both, and has at most one chunk per word.
const MOST_WORDS: usize = 1 << 9;
/// The most matches: the sum of their distances fits.
const MOST_MATCHES: usize = 1 << 20;

impl Small {
    /// Whether this representation suffices for texts of at most `words` words with `matches` possible matches, for
    /// sets of `choice` words and for `places` indices.
    pub fn is_enough(words: usize, matches: usize, choice: usize, places: usize) -> bool {
        words <= MOST_WORDS && matches <= MOST_MATCHES && choice <= 64 && places <= 1 << PLACE_BITS
    }
}

impl Cost for u64 {
    type Step = u64;

    const START: Self = (2 * MOST_WORDS as u64) << MATCHED;

    fn step(choice: u32, words: u32) -> u64 {
        // Wraps around here, and back when it is added.
        u64::from(choice).wrapping_sub(u64::from(words) << MATCHED)
    }

    fn with_choice(self, step: u64) -> Self {
        self.wrapping_add(step)
    }

    fn with_chunk(self, is_one: bool) -> Self {
        self + (u64::from(is_one) << (PLACE_BITS + DISTANCE_BITS))
    }

    fn with_distance(self, distance: u64) -> Self {
        self + (distance << PLACE_BITS)
    }

    fn at(self, place: u32) -> Self {
        self >> PLACE_BITS << PLACE_BITS | u64::from(place)
    }

    fn place(self) -> u32 {
        self as u32 & ((1 << PLACE_BITS) - 1)
    }
}

impl Room for Small {
    type Cost = u64;
    /// One bit per word.
    type Used = u64;
    type Words = u64;

    fn of(_: usize) -> Self {
        Self
    }

    fn none(&self) -> u64 {
        0
    }

    fn words(range: Range<u32>) -> u64 {
        range.fold(0, |words, word| words | 1 << word)
    }

    fn are_free(&self, used: u64, words: &u64) -> bool {
        used & words == 0
    }

    fn renew(&mut self) {}

    fn keep(&mut self, used: u64, more: Option<&u64>) -> u64 {
        used | more.unwrap_or(&0)
    }
}

/// Costs and sets without limits.
#[derive(Debug)]
pub(super) struct Large {
    /// One bit per word, `stride` elements per set.
    sets: Vec<u64>,
    /// The sets before the last [`Room::renew`].
    before: Vec<u64>,
    stride: usize,
}

/// Compared field by field, in order.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct LargeCost {
    /// Decreases with each matched word.
    unmatched: u32,
    chunks: u32,
    distance: u64,
    place: u32,
}

impl Cost for LargeCost {
    /// The number of the choice and the number of words.
    type Step = (u32, u32);

    const START: Self = Self { unmatched: u32::MAX / 2, chunks: 0, distance: 0, place: 0 };

    fn step(choice: u32, words: u32) -> (u32, u32) {
        (choice, words)
    }

    fn with_choice(self, (choice, words): (u32, u32)) -> Self {
        Self { unmatched: self.unmatched - words, place: self.place | choice, ..self }
    }

    fn with_chunk(self, is_one: bool) -> Self {
        Self { chunks: self.chunks + u32::from(is_one), ..self }
    }

    fn with_distance(self, distance: u64) -> Self {
        Self { distance: self.distance + distance, ..self }
    }

    fn at(self, place: u32) -> Self {
        Self { place, ..self }
    }

    fn place(self) -> u32 {
        self.place
    }
}

impl Room for Large {
    type Cost = LargeCost;
    /// The index of a set among all sets.
    type Used = u32;
    type Words = Range<usize>;

    fn of(words: usize) -> Self {
        // At least one element, so that empty sets have an index, too.
        let stride = words.div_ceil(64).max(1);
        Self { sets: vec![0; stride], before: Vec::new(), stride }
    }

    fn none(&self) -> u32 {
        0
    }

    fn words(range: Range<u32>) -> Range<usize> {
        range.start as usize..range.end as usize
    }

    fn are_free(&self, used: u32, words: &Range<usize>) -> bool {
        let set = &self.sets[used as usize * self.stride..][..self.stride];
        words.clone().all(|word| set[word / 64] >> (word % 64) & 1 == 0)
    }

    fn renew(&mut self) {
        std::mem::swap(&mut self.sets, &mut self.before);
        self.sets.clear();
    }

    fn keep(&mut self, used: u32, more: Option<&Range<usize>>) -> u32 {
        let start = self.sets.len();
        self.sets.extend_from_slice(&self.before[used as usize * self.stride..][..self.stride]);
        for word in more.cloned().unwrap_or_default() {
            self.sets[start + word / 64] |= 1 << (word % 64);
        }
        (start / self.stride) as u32
    }
}
