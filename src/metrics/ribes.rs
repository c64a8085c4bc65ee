//! RIBES: do the words of the hypothesis come in the order of the reference?

mod contexts;

use self::contexts::contexts;
use super::entry::{Build, Built};
use super::metric::{Metric, Statistics, best_of};
use super::signature::Signature;
use crate::text::fenwick::Fenwick;
use crate::text::{Fingerprint, Form, Plan, Sentence, Tokenizer, View, ViewId};

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

/// The metric; it has no settings.
pub(super) fn build(build: &mut Build<'_>) -> Built {
    Ok(Box::new(Ribes::new(build.plan)))
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
    let mut distinct = texts.concat();
    distinct.sort_unstable();
    distinct.dedup();
    // Every word is in the list, so the default is never used.
    let number = |word: &Fingerprint| distinct.binary_search(word).unwrap_or_default() as u32;
    texts.map(|text| text.iter().map(number).collect())
}

/// The share of the pairs of positions that ascend; 0 if there is no pair. All positions are below `end`.
fn share_in_order(positions: &[usize], end: usize) -> f64 {
    if positions.len() < 2 {
        return 0.0;
    }
    let mut before = Fenwick::new(end);
    let mut rising = 0;
    for &position in positions {
        rising += before.below(position);
        before.add(position);
    }
    let pairs = positions.len() as f64 * (positions.len() - 1) as f64 / 2.0;
    let kendall = 2.0 * rising as f64 / pairs - 1.0;
    f64::midpoint(kendall, 1.0)
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
}
