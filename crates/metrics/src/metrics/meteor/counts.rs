//! METEOR 1.5's counts for a hypothesis and a reference, and the score computed from them.

use std::ops::Range;
use std::sync::Arc;

use super::matches::Match;
use super::settings::Parameters;
use super::words::{MeteorTokens, MeteorWord};
use crate::metrics::metric::ratio;

/// The counts of a segment, or their sums over a corpus.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub(super) struct Counts {
    /// Of the hypothesis, then of the reference.
    pub sides: [Side; 2],
    /// The number of chunks: maximal runs of matches that are adjacent and in the same order in both texts.
    pub chunks: f64,
    /// `chunks`, but 0 for a segment that matches completely in one chunk; fragmentation is computed from it.
    pub breaks: f64,
}

/// The counts of one of the two texts. In words, or in characters if these are counted instead.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub(super) struct Side {
    /// All words.
    pub length: f64,
    /// Function words.
    pub function: f64,
    /// Matched content words of each module.
    pub matched_content: [f64; 4],
    /// Matched function words of each module.
    pub matched_function: [f64; 4],
    /// Matched words, never characters.
    pub matches: f64,
}

/// The number of values in [`Counts`].
pub(super) const LENGTH: usize = 24;

/// The values that METEOR 1.5 computes from the counts; 0 where they are undefined.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub(super) struct Score {
    /// Weighted matched words over weighted words of the hypothesis.
    pub precision: f64,
    /// Weighted matched words over weighted words of the reference.
    pub recall: f64,
    /// The weighted harmonic mean of precision and recall.
    pub fmean: f64,
    /// Chunks over matched words.
    pub fragmentation: f64,
    /// The penalty for fragmentation, from 0 to 1.
    pub penalty: f64,
    /// Fmean (1 - penalty).
    pub score: f64,
}

impl Side {
    /// `matched` holds the module and the words of each match.
    fn new(words: &[Arc<MeteorWord>], matched: impl Iterator<Item = (u8, Range<usize>)>, characters: bool) -> Self {
        let size = |word: &MeteorWord| if characters { f64::from(word.length) } else { 1.0 };
        let mut side = Self::default();
        for word in words {
            side.length += size(word);
            side.function += if word.function { size(word) } else { 0.0 };
        }
        for (module, range) in matched {
            side.matches += range.len() as f64;
            for word in &words[range] {
                let counts = if word.function { &mut side.matched_function } else { &mut side.matched_content };
                counts[usize::from(module)] += size(word);
            }
        }
        side
    }

    /// True if all words are matched.
    fn is_whole(&self) -> bool {
        self.matched_content.iter().chain(&self.matched_function).sum::<f64>() == self.length
    }

    /// Precision or recall; `weights` has one element per module.
    fn weighted_share(&self, delta: f64, weights: &[f64]) -> f64 {
        let add = |sum: f64, counts: &[f64; 4], factor: f64| {
            counts.iter().zip(weights).fold(sum, |sum, (count, weight)| sum + count * weight * factor)
        };
        let content = add(0.0, &self.matched_content, delta);
        let all = add(content, &self.matched_function, 1.0 - delta);
        all / (delta * (self.length - self.function) + (1.0 - delta) * self.function)
    }
}

impl Counts {
    /// Counts the matches, which are ordered by the reference.
    pub fn new(hypothesis: &MeteorTokens, reference: &MeteorTokens, matches: &[Match], characters: bool) -> Self {
        let in_hypothesis = matches.iter().map(|matched| (matched.module, matched.in_hypothesis()));
        let in_reference = matches.iter().map(|matched| (matched.module, matched.in_reference()));
        let sides = [
            Side::new(&hypothesis.words, in_hypothesis, characters),
            Side::new(&reference.words, in_reference, characters),
        ];
        let chunks = chunks(matches);
        let is_whole = chunks == 1.0 && sides.iter().all(Side::is_whole);
        Self { sides, chunks, breaks: if is_whole { 0.0 } else { chunks } }
    }

    /// All values in the order of METEOR's own statistics (`-ssOut`), then [`Self::breaks`].
    pub fn to_statistics(self) -> Vec<f64> {
        let mut numbers = vec![0.0; LENGTH];
        for (at, side) in self.sides.iter().enumerate() {
            numbers[at] = side.length;
            numbers[2 + at] = side.function;
            for module in 0..4 {
                numbers[4 + 4 * module + at] = side.matched_content[module];
                numbers[6 + 4 * module + at] = side.matched_function[module];
            }
            numbers[21 + at] = side.matches;
        }
        (numbers[20], numbers[23]) = (self.chunks, self.breaks);
        numbers
    }

    /// The inverse of [`Self::to_statistics`]; missing values are 0.
    pub fn of_statistics(statistics: &[f64]) -> Self {
        let number = |at: usize| statistics.get(at).copied().unwrap_or(0.0);
        let side = |at: usize| Side {
            length: number(at),
            function: number(2 + at),
            matched_content: [4, 8, 12, 16].map(|module| number(module + at)),
            matched_function: [6, 10, 14, 18].map(|module| number(module + at)),
            matches: number(21 + at),
        };
        Self { sides: [side(0), side(1)], chunks: number(20), breaks: number(23) }
    }

    /// A number of both texts together.
    pub fn sum(&self, number: impl Fn(&Side) -> f64) -> f64 {
        number(&self.sides[0]) + number(&self.sides[1])
    }

    /// The share of content words that are matched, over both texts together.
    pub fn content_share(&self) -> f64 {
        let matched = self.sum(|side| side.matched_content.iter().sum());
        ratio(matched, self.sum(|side| side.length) - self.sum(|side| side.function))
    }

    /// The share of function words that are matched, over both texts together.
    pub fn function_share(&self) -> f64 {
        ratio(self.sum(|side| side.matched_function.iter().sum()), self.sum(|side| side.function))
    }

    /// The score; `weights` has one element per module.
    pub fn score(&self, parameters: &Parameters, weights: &[f64]) -> Score {
        let Parameters { alpha, beta, gamma, delta } = *parameters;
        let [precision, recall] = self.sides.each_ref().map(|side| side.weighted_share(delta, weights));
        let fmean = 1.0 / ((1.0 - alpha) / precision + alpha / recall);
        let matches = self.sum(|side| side.matches);
        let fragmentation = if self.breaks == 0.0 { 0.0 } else { self.breaks / (matches / 2.0) };
        let penalty = gamma * fragmentation.powf(beta);
        let finite = |value: f64| if value.is_finite() { value } else { 0.0 };
        Score {
            precision: finite(precision),
            recall: finite(recall),
            fmean: finite(fmean),
            fragmentation,
            penalty,
            score: finite(fmean * (1.0 - penalty)).max(0.0),
        }
    }
}

fn chunks(matches: &[Match]) -> f64 {
    let follows = |pair: &&[Match]| {
        let (before, after) = (&pair[0], &pair[1]);
        before.reference + before.reference_length == after.reference
            && before.hypothesis + before.hypothesis_length == after.hypothesis
    };
    (matches.len() - matches.windows(2).filter(follows).count()) as f64
}
