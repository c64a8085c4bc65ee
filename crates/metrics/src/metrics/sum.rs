//! The summed-metric baseline: three simple metrics, whose sum is the system to beat.
//!
//! Text is tokenised and lower-cased, and punctuation is dropped; h and r are lists of words. With several references,
//! each metric takes its highest value.
//!
//! ```
//! use tribunal_text_metrics::MetricSet;
//!
//! let metrics = MetricSet::named(&["sum.meteor", "sum.synset", "sum.bleu"])?;
//! let sum: f64 = metrics.segment_scores("the cat sat on the mat", &["on the mat sat the cat"]).iter().sum();
//! assert!((sum - 8.5081).abs() < 1e-4);
//! # Ok::<(), tribunal_text_metrics::Error>(())
//! ```

use std::sync::Arc;

use rustc_hash::FxHashSet as HashSet;

use super::entry::Built;
use super::metric::{Metric, Statistics, best_of};
use super::signature::Signature;
use crate::options::Options;
use crate::text::{Form, Plan, Sentence, Tokenizer, Tokens, View, ViewId, Word, overlap};

/// A metric of the baseline. Statistics: the highest value over the references, then 1.
#[derive(Debug)]
struct Summand {
    words: ViewId,
    /// The value for a hypothesis and a reference.
    value: fn(&Tokens, &Tokens) -> f64,
    signature: Signature,
}

impl Summand {
    fn built(plan: &mut Plan, value: fn(&Tokens, &Tokens) -> f64, signature: Signature) -> Built {
        let words = plan.add(View::new(Tokenizer::Words, Form::Lower).lexical());
        Ok(Box::new(Self { words, value, signature }))
    }
}

impl Metric for Summand {
    fn values(&self) -> &[&'static str] {
        &[""]
    }

    fn signature(&self) -> Signature {
        self.signature.clone()
    }

    fn statistics(&self, hypothesis: &Sentence, references: &[&Sentence]) -> Statistics {
        let hypothesis = hypothesis.view(self.words);
        best_of(references, |reference| [(self.value)(hypothesis, reference.view(self.words))])
    }
}

/// [`simple_meteor`].
pub(super) fn build_meteor(_: &Options, plan: &mut Plan) -> Built {
    Summand::built(plan, simple_meteor, Signature::new("sum.meteor").with("a", "alpha", ALPHA))
}

/// [`synset_score`].
pub(super) fn build_synset(_: &Options, plan: &mut Plan) -> Built {
    Summand::built(plan, synset_score, Signature::new("sum.synset").with("st", "stemmer", "snowball"))
}

/// [`smoothed_bleu`].
pub(super) fn build_bleu(_: &Options, plan: &mut Plan) -> Built {
    let signature = Signature::new("sum.bleu").with("n", "order", 4).with("s", "smooth", "add-1");
    Summand::built(plan, smoothed_bleu, signature)
}

/// The weight of precision in simple METEOR.
const ALPHA: f64 = 0.9;

/// Simple METEOR.
///
/// With m the number of words of h that occur in r, P = m/|h|, R = m/|r|, F = P R / (a P + (1 - a) R) with a = 0.9, and
/// k the number of words of r that do not occur in h: F (1 - 0.5 k/m). Repeated words count each time. 0 if m = 0;
/// negative if more than two words of r are missing for each match.
fn simple_meteor(hypothesis: &Tokens, reference: &Tokens) -> f64 {
    let in_hypothesis: HashSet<_> = hypothesis.ids.iter().collect();
    let in_reference: HashSet<_> = reference.ids.iter().collect();
    let matched = hypothesis.ids.iter().filter(|word| in_reference.contains(word)).count() as f64;
    let missing = reference.ids.iter().filter(|word| !in_hypothesis.contains(word)).count() as f64;
    if matched == 0.0 {
        return 0.0;
    }
    let precision = matched / hypothesis.len() as f64;
    let recall = matched / reference.len() as f64;
    let f = precision * recall / (ALPHA * precision + (1.0 - ALPHA) * recall);
    f * (1.0 - 0.5 * missing / matched)
}

/// Synset score.
///
/// 1 if the lengths differ by at most 3, plus 1 for every word of h with a WordNet synonym in r (a different word that
/// is a lemma of one of its synsets, looked up by its base forms), plus 1 for every word of h whose Snowball stem is
/// among the stems of r. In [0, 2|h| + 1]; 1 for two empty texts.
fn synset_score(hypothesis: &Tokens, reference: &Tokens) -> f64 {
    let lemmas: HashSet<_> = reference.words.iter().filter_map(|word| word.lemma).collect();
    let stems: HashSet<_> = reference.words.iter().map(|word| word.stem).collect();
    let close = hypothesis.len().abs_diff(reference.len()) <= 3;
    let has_synonym = |word: &&Arc<Word>| word.synonyms.iter().any(|lemma| lemmas.contains(lemma));
    let synonyms = hypothesis.words.iter().filter(has_synonym).count();
    let stemmed = hypothesis.words.iter().filter(|word| stems.contains(&word.stem)).count();
    f64::from(u8::from(close)) + synonyms as f64 + stemmed as f64
}

/// Smoothed sentence BLEU.
///
/// The geometric mean of p1 and (matches + 1)/(total + 1) for n = 2, 3, 4, with clipped counts, times the brevity
/// penalty exp(1 - |r|/|h|) if h is shorter. In [0, 1]; 0 if h has no 4-gram or r is empty. Lin and Och 2004, "ORANGE",
/// section 3.
fn smoothed_bleu(hypothesis: &Tokens, reference: &Tokens) -> f64 {
    if hypothesis.len() < 4 || reference.is_empty() {
        return 0.0;
    }
    let matches: [u32; 4] = overlap::matches(&hypothesis.ids, &reference.ids);
    let precision = |(order, matches): (usize, u32)| {
        let smoothing = if order == 1 { 0.0 } else { 1.0 };
        (f64::from(matches) + smoothing) / (overlap::total(hypothesis.len(), order) as f64 + smoothing)
    };
    let mean = (1..).zip(matches).map(precision).product::<f64>().powf(0.25);
    let length_ratio = reference.len() as f64 / hypothesis.len() as f64;
    mean * (1.0 - length_ratio).min(0.0).exp()
}

#[cfg(test)]
mod tests {
    use crate::metrics::MetricSet;
    use crate::text::Lexicon;
    use crate::wordnet::WordNet;

    fn scores(hypothesis: &str, references: &[&str]) -> Vec<f64> {
        let metric_set = MetricSet::named(&["sum.meteor", "sum.synset", "sum.bleu"]).unwrap();
        let mut lexicon = Lexicon::new(WordNet::embedded());
        let hypothesis = metric_set.prepare(hypothesis, &mut lexicon);
        let references: Vec<_> = references.iter().map(|text| metric_set.prepare(text, &mut lexicon)).collect();
        metric_set.scores(&hypothesis, &references.iter().collect::<Vec<_>>())
    }

    fn assert_close(found: &[f64], expected: [f64; 3]) {
        crate::metrics::tests::assert_close(found, &expected);
    }

    #[test]
    fn by_hand() {
        // h = a small boat crossed the river, r = the little boat crossed the wide river: m = 4 of 6 and 7 words,
        // "little" and "wide" are missing. P = 4/6, R = 4/7, F = P R / (0.9 P + 0.1 R) = 0.5797; F (1 - 0.5 * 2/4) =
        // 0.4348. Lengths are close: 1; small has the synonym little: 1; boat, crossed, the, river are there as stems:
        // 4. p1 = 4/6, then (2+1)/(5+1), (1+1)/(4+1), (0+1)/(3+1); brevity exp(1 - 7/6).
        let bleu = (4.0 / 6.0 * 3.0 / 6.0 * 2.0 / 5.0 / 4.0_f64).powf(0.25) * (-1.0 / 6.0_f64).exp();
        let f = (4.0 / 6.0) * (4.0 / 7.0) / (0.9 * 4.0 / 6.0 + 0.1 * 4.0 / 7.0);
        let found = scores("A small boat crossed the river.", &["The little boat crossed the wide river!"]);
        assert_close(&found, [f * 0.75, 6.0, bleu]);
    }

    #[test]
    fn the_best_of_several_references_counts() {
        let alone = scores("Prices rose again today", &["prices rose again today"]);
        assert_eq!(scores("Prices rose again today", &["nothing of that", "prices rose again today"]), alone);
    }

    #[test]
    fn too_much_missing_makes_simple_meteor_negative() {
        assert!(scores("boat", &["the little boat crossed the wide river"])[0] < 0.0);
    }
}
