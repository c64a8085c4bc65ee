//! RIBES: do the words of the hypothesis come in the order of the reference?
//!
//! ```
//! use tribunal_text_metrics::MetricSet;
//!
//! let score = MetricSet::named(&["ribes"])?.segment_scores("the cat sat on the mat", &["on the mat sat the cat"])[0];
//! assert!((score - 0.2667).abs() < 1e-4);
//! # Ok::<(), tribunal_text_metrics::Error>(())
//! ```

use fenwick::array::{prefix_sum, update};

use super::metric::{Metric, Statistics, best_of};
use super::signature::Signature;
use crate::text::{Fingerprint, Form, Plan, Sentence, Tokenizer, View, ViewId, overlap};

/// The exponent of precision.
const ALPHA: f64 = 0.25;

/// The exponent of the brevity penalty.
const BETA: f64 = 0.1;

/// Rank-based intuitive bilingual evaluation score.
///
/// tau p^alpha bp^beta, where p = aligned words / |h| (`precision`), bp = min(1, exp(1 - |r|/|h|)) (`brevity_penalty`)
/// and `tau` is the share of the pairs of aligned words that are in the order of the reference: Kendall's tau, rescaled
/// to [0, 1]. A word of h is aligned if it occurs exactly once in both h and r, or else by the shortest run of words
/// that starts or ends with it and occurs exactly once in both. In [0, 1]; 0 if fewer than two words are aligned, hence
/// for a text of one word. With several references, the one with the highest score counts. The score of a corpus is the
/// mean over its segments.
///
/// Isozaki et al. 2010, "Automatic evaluation of translation quality for distant language pairs"; equal to NLTK
/// 3.10.4's `sentence_ribes` and `corpus_ribes`, which reject texts of more than 2000 words. (Older versions of NLTK
/// count fewer pairs.)
#[derive(Debug)]
pub struct Ribes {
    words: ViewId,
}

impl Ribes {
    /// The metric with NLTK's settings, on words separated by white space.
    pub fn new(plan: &mut Plan) -> Self {
        Self { words: plan.add(View::new(Tokenizer::Whitespace, Form::Cased)) }
    }

    fn compare(hypothesis: &[Fingerprint], reference: &[Fingerprint]) -> [f64; 4] {
        if hypothesis.is_empty() {
            return [0.0; 4];
        }
        let aligned = align(hypothesis, reference);
        let length = hypothesis.len() as f64;
        let tau = share_in_order(&aligned, reference.len());
        let precision = aligned.len() as f64 / length;
        let brevity_penalty = (1.0 - reference.len() as f64 / length).exp().min(1.0);
        let score = tau * precision.powf(ALPHA) * brevity_penalty.powf(BETA);
        [score, tau, precision, brevity_penalty]
    }
}

impl Metric for Ribes {
    fn values(&self) -> &[&'static str] {
        &["", "tau", "precision", "brevity_penalty"]
    }

    fn signature(&self) -> Signature {
        Signature::new("RIBES")
            .with("c", "case", "mixed")
            .with("tok", "tok", "none")
            .with("a", "alpha", ALPHA)
            .with("b", "beta", BETA)
            .with("v", "version", "nltk-3.10.4")
    }

    fn statistics(&self, hypothesis: &Sentence, references: &[&Sentence]) -> Statistics {
        let hypothesis = &hypothesis.view(self.words).ids;
        best_of(references, |reference| Self::compare(hypothesis, &reference.view(self.words).ids))
    }
}

/// The positions in the reference of the aligned words of the hypothesis, in the order of the hypothesis.
fn align(hypothesis: &[Fingerprint], reference: &[Fingerprint]) -> Vec<usize> {
    let [hypothesis, reference] = number([hypothesis, reference]);
    let backwards = |words: &[u32]| words.iter().rev().copied().collect::<Vec<_>>();
    let beginning = contexts(&hypothesis, &reference);
    let ending = contexts(&backwards(&hypothesis), &backwards(&reference));
    let align = |at: usize| {
        let right = beginning[at].shortest_unique();
        let left = ending[hypothesis.len() - 1 - at].shortest_unique();
        // A slip of NLTK: in the second half of the text the left context does not extend to the first word.
        let in_reach = |length: usize| length == 1 || length - 1 < at.max(hypothesis.len() + 1 - at);
        match (right, left.filter(|left| in_reach(left.0))) {
            (Some(right), Some(left)) if left.0 < right.0 => Some(reference.len() - 1 - left.1),
            (Some(right), _) => Some(right.1),
            (None, left) => left.map(|left| reference.len() - 1 - left.1),
        }
    };
    (0..hypothesis.len()).filter_map(align).collect()
}

/// Maps words to small numbers; equal words have equal numbers.
fn number(texts: [&[Fingerprint]; 2]) -> [Vec<u32>; 2] {
    let distinct = overlap::distinct(&texts.concat());
    // Every word is in the list, so the default is never used.
    let number = |word: &Fingerprint| distinct.binary_search(word).unwrap_or_default() as u32;
    texts.map(|text| text.iter().map(number).collect())
}

/// The share of the pairs of positions that ascend; 0 if there is no pair. All positions are below `end`.
fn share_in_order(positions: &[usize], end: usize) -> f64 {
    if positions.len() < 2 {
        return 0.0;
    }
    let mut before = vec![0_u64; end];
    let mut rising = 0;
    for &position in positions {
        rising += position.checked_sub(1).map_or(0, |lower| prefix_sum(&before, lower));
        update(&mut before, position, 1);
    }
    let pairs = positions.len() as f64 * (positions.len() - 1) as f64 / 2.0;
    let kendall = 2.0 * rising as f64 / pairs - 1.0;
    f64::midpoint(kendall, 1.0)
}

/// The runs that start with one word of the hypothesis.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
struct Context {
    /// The length in words of the longest one that also starts elsewhere in the hypothesis.
    elsewhere: usize,
    /// The length in words of the longest one that occurs in the reference.
    longest: usize,
    /// The position in the reference where that one starts.
    position: usize,
    /// The length in words of the longest one that starts at another position of the reference.
    second: usize,
}

impl Context {
    /// The length of the shortest run that occurs exactly once in the hypothesis and in the reference, and its position
    /// in the reference.
    fn shortest_unique(&self) -> Option<(usize, usize)> {
        let length = self.elsewhere.max(self.second) + 1;
        (length <= self.longest).then_some((length, self.position))
    }

    /// Combines the contexts found in the two directions.
    fn or(self, other: Self) -> Self {
        let (more, less) = if self.longest >= other.longest { (self, other) } else { (other, self) };
        Self { elsewhere: self.elsewhere.max(other.elsewhere), second: more.second.max(less.longest), ..more }
    }

    /// The context of a suffix that shares only `common` words with the previous one.
    fn shorten(self, common: usize) -> Self {
        Self {
            elsewhere: self.elsewhere.min(common),
            longest: self.longest.min(common),
            second: self.second.min(common),
            ..self
        }
    }
}

/// The context of each word of the hypothesis, over a suffix array of both texts: what distinguishes a word from all
/// others is found in O(n log^2 n) for n words, however repetitive they are. Manber and Myers 1993, "Suffix arrays";
/// Kasai et al. 2001, "Linear-time longest-common-prefix computation in suffix arrays". Words are numbers below `u32::MAX - 1`; equal words have equal numbers.
fn contexts(hypothesis: &[u32], reference: &[u32]) -> Vec<Context> {
    // Each text ends with a unique separator, so that no run crosses from one text into the other.
    let text = [hypothesis, &[u32::MAX - 1], reference, &[u32::MAX]].concat();
    let (suffixes, ranks) = suffix_array(&text);
    let common = common_prefixes(&text, &suffixes, &ranks);
    let mut contexts = vec![Context::default(); hypothesis.len()];
    let mut last = Context::default();
    let mut visit = |suffix: usize, common: usize| {
        last = last.shorten(common);
        if let Some(context) = contexts.get_mut(suffix) {
            *context = context.or(last);
            last.elsewhere = usize::MAX;
        } else if suffix > hypothesis.len() {
            let position = suffix - hypothesis.len() - 1;
            last = Context { longest: usize::MAX, position, second: last.longest, ..last };
        }
    };
    for (&suffix, &common) in suffixes.iter().zip(&common) {
        visit(suffix, common);
    }
    for (at, &suffix) in suffixes.iter().enumerate().rev() {
        // No suffix follows the last one.
        visit(suffix, common.get(at + 1).copied().unwrap_or(0));
    }
    contexts
}

/// The suffixes in order, given by their start positions, and the rank of each.
fn suffix_array(text: &[u32]) -> (Vec<usize>, Vec<u32>) {
    let mut suffixes: Vec<usize> = (0..text.len()).collect();
    let mut ranks = text.to_vec();
    let mut length = 1;
    loop {
        // Suffixes are already ordered by their first `length` words; with the rank of the suffix after those, they can
        // be ordered by twice as many.
        let following = |suffix: usize| ranks.get(suffix + length).map_or(0, |&rank| u64::from(rank) + 1);
        let key = |suffix: usize| (ranks[suffix], following(suffix));
        suffixes.sort_unstable_by_key(|&suffix| key(suffix));
        let mut next = vec![0; text.len()];
        for pair in suffixes.windows(2) {
            next[pair[1]] = next[pair[0]] + u32::from(key(pair[0]) != key(pair[1]));
        }
        ranks = next;
        length *= 2;
        if length >= text.len() || suffixes.last().is_none_or(|&last| ranks[last] as usize + 1 == text.len()) {
            return (suffixes, ranks);
        }
    }
}

/// For each suffix, in order, the number of words that it shares with the previous one; 0 for the first.
fn common_prefixes(text: &[u32], suffixes: &[usize], ranks: &[u32]) -> Vec<usize> {
    let mut common = vec![0; text.len()];
    let mut length: usize = 0;
    for (suffix, &rank) in ranks.iter().enumerate() {
        let Some(before) = (rank as usize).checked_sub(1) else {
            length = 0;
            continue;
        };
        let (own, other) = (&text[suffix..], &text[suffixes[before]..]);
        length += own[length..].iter().zip(&other[length..]).take_while(|(a, b)| a == b).count();
        common[rank as usize] = length;
        length = length.saturating_sub(1);
    }
    common
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::metrics::tests::values;
    use crate::text::fingerprint::of_token;

    fn aligned(hypothesis: &str, reference: &str) -> Vec<usize> {
        let [hypothesis, reference] =
            [hypothesis, reference].map(|text| text.split(' ').map(of_token).collect::<Vec<_>>());
        align(&hypothesis, &reference)
    }

    #[test]
    fn context_aligns_repeated_words() {
        // Examples from Isozaki et al. 2010.
        let found = aligned(
            "he read the book because he was interested in world history",
            "he was interested in world history because he read the book",
        );
        assert_eq!(found, [7, 8, 9, 10, 6, 0, 1, 2, 3, 4, 5]);
        assert_eq!(aligned("Bob hit John yesterday", "John hit Bob yesterday"), [2, 1, 0, 3]);
        assert_eq!(aligned("the book was read by the boy", "the boy read the book"), [3, 4, 2, 0, 1]);
    }

    #[test]
    fn by_hand() {
        // 3 of 6 pairs ascend; all words are aligned and the lengths are equal.
        assert_eq!(values("ribes", "Bob hit John yesterday", &["John hit Bob yesterday"]), [0.5, 0.5, 1.0, 1.0]);
        // 2 of 3 words are aligned, in order; the reference has one word more.
        let (precision, brevity): (f64, f64) = (2.0 / 3.0, (-1.0_f64 / 3.0).exp());
        let found = values("ribes", "a b x", &["a y b z"]);
        assert!((found[0] - precision.powf(0.25) * brevity.powf(0.1)).abs() < 1e-12);
        assert_eq!(found[1..], [1.0, precision, brevity]);
    }

    #[test]
    fn a_search_of_all_runs_finds_the_same() {
        let count = |text: &[u32], run: &[u32]| text.windows(run.len()).filter(|window| *window == run).count();
        let mut state = 7_u32;
        let mut random = |below: u32| {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            (state >> 16) % below
        };
        for _ in 0..200 {
            let vocabulary = 1 + random(4);
            let mut text = |longest| (0..random(longest)).map(|_| random(vocabulary)).collect::<Vec<u32>>();
            let (hypothesis, reference) = (text(15), text(15));
            for (at, context) in contexts(&hypothesis, &reference).iter().enumerate() {
                let runs = (at + 1..=hypothesis.len()).map(|end| &hypothesis[at..end]);
                let unique = runs.into_iter().find(|run| count(&hypothesis, run) == 1 && count(&reference, run) == 1);
                let start = |run: &[u32]| reference.windows(run.len()).position(|window| window == run);
                assert_eq!(context.shortest_unique(), unique.map(|run| (run.len(), start(run).unwrap())));
            }
        }
    }
}
