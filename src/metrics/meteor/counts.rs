//! METEOR 1.5's counts for a hypothesis and a reference, and the score computed from them.

use super::matches::Match;
use super::parameters::Parameters;
use super::view::MeteorTokens;
use crate::metrics::metric::ratio;

/// A number for the hypothesis and one for the reference.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Sides {
    /// The number for the hypothesis.
    pub hypothesis: f64,
    /// The number for the reference.
    pub reference: f64,
}

impl Sides {
    fn sum(self) -> f64 {
        self.hypothesis + self.reference
    }
}

/// Matched words of one module.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Matched {
    /// Content words.
    pub content: Sides,
    /// Function words.
    pub function: Sides,
}

/// The counts of a segment, or their sums over a corpus. In words, or in characters if these are counted instead.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Counts {
    /// All words.
    pub length: Sides,
    /// Function words.
    pub function: Sides,
    /// Matched words of each module.
    pub modules: [Matched; 4],
    /// The number of chunks: maximal runs of matches that are adjacent and in the same order in both texts.
    pub chunks: f64,
    /// Matched words, never characters.
    pub matches: Sides,
    /// `chunks`, but 0 for a segment that matches completely in one chunk; fragmentation is computed from it.
    pub breaks: f64,
}

/// The number of values in [`Counts`].
pub(super) const LENGTH: usize = 24;

/// The values that METEOR 1.5 computes from the counts; 0 where they are undefined.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Score {
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

impl Counts {
    /// Counts the matches, which are ordered by the reference.
    pub(super) fn of(hypothesis: &MeteorTokens, reference: &MeteorTokens, matches: &[Match], characters: bool) -> Self {
        let size =
            |tokens: &MeteorTokens, place: usize| if characters { f64::from(tokens.lengths[place]) } else { 1.0 };
        let sum = |tokens: &MeteorTokens, wanted: &dyn Fn(usize) -> bool| {
            (0..tokens.len()).filter(|&place| wanted(place)).fold(0.0, |sum, place| sum + size(tokens, place))
        };
        let total = |tokens: &MeteorTokens| sum(tokens, &|_| true);
        let function = |tokens: &MeteorTokens| sum(tokens, &|place| tokens.functions[place]);
        let mut counts = Self {
            length: Sides { hypothesis: total(hypothesis), reference: total(reference) },
            function: Sides { hypothesis: function(hypothesis), reference: function(reference) },
            chunks: chunks(matches),
            ..Self::default()
        };
        for found in matches {
            let Matched { content, function } = &mut counts.modules[usize::from(found.module)];
            for place in found.in_hypothesis() {
                let side = if hypothesis.functions[place] { &mut function.hypothesis } else { &mut content.hypothesis };
                *side += size(hypothesis, place);
            }
            for place in found.in_reference() {
                let side = if reference.functions[place] { &mut function.reference } else { &mut content.reference };
                *side += size(reference, place);
            }
            counts.matches.hypothesis += f64::from(found.hypothesis_length);
            counts.matches.reference += f64::from(found.reference_length);
        }
        counts.breaks = if counts.is_whole() { 0.0 } else { counts.chunks };
        counts
    }

    /// True if both texts match completely in one chunk.
    fn is_whole(&self) -> bool {
        let matched = self.modules.iter().fold(Sides::default(), |sum, matched| Sides {
            hypothesis: sum.hypothesis + matched.content.hypothesis + matched.function.hypothesis,
            reference: sum.reference + matched.content.reference + matched.function.reference,
        });
        matched == self.length && self.chunks == 1.0
    }

    /// All values in the order of METEOR's own statistics (`-ssOut`), then [`Self::breaks`].
    pub(super) fn to_statistics(self) -> Vec<f64> {
        let mut numbers = Vec::with_capacity(LENGTH);
        let mut push = |sides: Sides| numbers.extend([sides.hypothesis, sides.reference]);
        push(self.length);
        push(self.function);
        for Matched { content, function } in self.modules {
            push(content);
            push(function);
        }
        numbers.push(self.chunks);
        numbers.extend([self.matches.hypothesis, self.matches.reference, self.breaks]);
        numbers
    }

    /// The inverse of [`Self::to_statistics`]; missing values are 0.
    pub(super) fn of_statistics(statistics: &[f64]) -> Self {
        let number = |at: usize| statistics.get(at).copied().unwrap_or(0.0);
        let sides = |at: usize| Sides { hypothesis: number(at), reference: number(at + 1) };
        Self {
            length: sides(0),
            function: sides(2),
            modules: [4, 8, 12, 16].map(|at| Matched { content: sides(at), function: sides(at + 2) }),
            chunks: number(20),
            matches: sides(21),
            breaks: number(23),
        }
    }

    /// Matched words of module number `module`, summed over both texts.
    pub(super) fn matched_by(&self, module: usize) -> f64 {
        self.modules[module].content.sum() + self.modules[module].function.sum()
    }

    /// The share of content words that are matched, over both texts together.
    pub(super) fn content_share(&self) -> f64 {
        let matched: f64 = self.modules.iter().map(|matched| matched.content.sum()).sum();
        ratio(matched, self.length.sum() - self.function.sum())
    }

    /// The share of function words that are matched, over both texts together.
    pub(super) fn function_share(&self) -> f64 {
        let matched: f64 = self.modules.iter().map(|matched| matched.function.sum()).sum();
        ratio(matched, self.function.sum())
    }

    /// The score; `weights` has one element per module.
    pub(super) fn score(&self, parameters: &Parameters, weights: &[f64]) -> Score {
        let Parameters { alpha, beta, gamma, delta } = *parameters;
        let precision = self.weighted_share(|sides| sides.hypothesis, delta, weights);
        let recall = self.weighted_share(|sides| sides.reference, delta, weights);
        let fmean = 1.0 / ((1.0 - alpha) / precision + alpha / recall);
        let fragmentation = if self.breaks == 0.0 { 0.0 } else { self.breaks / (self.matches.sum() / 2.0) };
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

    fn weighted_share(&self, side: impl Fn(Sides) -> f64, delta: f64, weights: &[f64]) -> f64 {
        let (length, function) = (side(self.length), side(self.function));
        let modules = || self.modules.iter().zip(weights);
        let content = modules().fold(0.0, |sum, (matched, weight)| sum + side(matched.content) * weight * delta);
        let all =
            modules().fold(content, |sum, (matched, weight)| sum + side(matched.function) * weight * (1.0 - delta));
        all / (delta * (length - function) + (1.0 - delta) * function)
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
