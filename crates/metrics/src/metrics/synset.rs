//! A WordNet synset score.
//!
//! ```
//! use tribunal_text_metrics::MetricSet;
//!
//! // Cars and automobiles share a synset.
//! let score = MetricSet::named(&["synset"])?.segment_scores("fast cars", &["a fast automobile"])[0];
//! assert!((score - 0.8).abs() < 1e-12);
//! # Ok::<(), tribunal_text_metrics::Error>(())
//! ```

use std::sync::Arc;

use rustc_hash::FxHashSet;
use smallvec::SmallVec;

use super::metric::{Metric, Statistics, best_of, f1, ratio};
use super::signature::Signature;
use crate::text::{Fingerprint, Form, Plan, Sentence, Tokenizer, Tokens, View, ViewId, Word};
use crate::wordnet::SynsetId;

/// The share of words with a counterpart of the same meaning in the other text.
///
/// A word is covered if the other text has a word with the same Snowball stem or with a shared synset (of their base
/// forms). Precision: covered words of h / |h|; recall: covered words of r / |r|; the score is their F1. In [0, 1]; 0
/// for empty text. With several references, the one with the highest score counts. Statistics: the values, then 1. The
/// idea is from Banerjee and Lavie 2005 (METEOR, section 2.2), but without alignment: one word may cover many.
#[derive(Debug)]
pub struct Synset {
    words: ViewId,
}

impl Synset {
    /// The metric; it has no settings.
    pub fn new(plan: &mut Plan) -> Self {
        Self { words: plan.add(View::new(Tokenizer::Words, Form::Lower).lexical()) }
    }
}

/// A Bloom filter with one hash: the synsets that some words may have, with occasional false positives.
struct Sketch([u64; SKETCH / 64]);

/// The bits of a [`Sketch`]: about twenty for each synset of a sentence.
const SKETCH: usize = 1 << 12;

impl Sketch {
    fn new(words: &[Arc<Word>]) -> Self {
        let mut sketch = Self([0; SKETCH / 64]);
        for synset in words.iter().flat_map(|word| &word.synsets) {
            let bit = Self::bit(*synset);
            sketch.0[bit / 64] |= 1 << (bit % 64);
        }
        sketch
    }

    fn may_have(&self, synset: SynsetId) -> bool {
        let bit = Self::bit(synset);
        self.0[bit / 64] >> (bit % 64) & 1 == 1
    }

    /// Neighbouring synsets have related meanings; multiplication spreads them out. Knuth 1998, section 6.4.
    fn bit(synset: SynsetId) -> usize {
        (synset.0.wrapping_mul(0x9e37_79b1) >> 20) as usize % SKETCH
    }
}

/// The longest text that is searched word by word, which is faster for short texts than to build sets; in a longer one
/// the search would cost the product of the lengths.
const MAX_SEARCHED: usize = 256;

/// The share of the words of one text that the other covers.
fn covered(one: &Tokens, other: &Tokens) -> f64 {
    let count = if other.len() > MAX_SEARCHED { covered_by_sets(one, other) } else { covered_by_search(one, other) };
    ratio(count as f64, one.len() as f64)
}

fn covered_by_search(one: &Tokens, other: &Tokens) -> usize {
    let stems: SmallVec<[Fingerprint; 64]> = other.words.iter().map(|word| word.stem).collect();
    let mut sketch = None;
    let is_covered = |word: &&Arc<Word>| {
        stems.contains(&word.stem)
            || !word.synsets.is_empty() && {
                let sketch = sketch.get_or_insert_with(|| Sketch::new(&other.words));
                word.synsets.iter().any(|&synset| sketch.may_have(synset) && has(&other.words, synset))
            }
    };
    one.words.iter().filter(is_covered).count()
}

fn has(words: &[Arc<Word>], synset: SynsetId) -> bool {
    words.iter().any(|word| word.synsets.binary_search(&synset).is_ok())
}

fn covered_by_sets(one: &Tokens, other: &Tokens) -> usize {
    let stems: FxHashSet<Fingerprint> = other.words.iter().map(|word| word.stem).collect();
    let synsets: FxHashSet<SynsetId> = other.words.iter().flat_map(|word| &word.synsets).copied().collect();
    let is_covered =
        |word: &&Arc<Word>| stems.contains(&word.stem) || word.synsets.iter().any(|synset| synsets.contains(synset));
    one.words.iter().filter(is_covered).count()
}

impl Metric for Synset {
    fn values(&self) -> &[&'static str] {
        &["", "precision", "recall"]
    }

    fn signature(&self) -> Signature {
        Signature::new("synset").with("tok", "tok", "words").with("st", "stemmer", "snowball").with("v", "version", 1)
    }

    fn statistics(&self, hypothesis: &Sentence, references: &[&Sentence]) -> Statistics {
        let own = hypothesis.view(self.words);
        best_of(references, |reference| {
            let theirs = reference.view(self.words);
            let (precision, recall) = (covered(own, theirs), covered(theirs, own));
            [f1(precision, recall), precision, recall]
        })
    }
}

#[cfg(test)]
mod tests {
    use super::MAX_SEARCHED;
    use crate::metrics::tests;

    fn values(hypothesis: &str, reference: &str) -> Vec<f64> {
        tests::values("synset", hypothesis, &[reference])
    }

    #[test]
    fn by_hand() {
        // autos/cars share a synset, sold/selling share a stem; "they" and "new" have no counterpart.
        let found = values("They sold autos", "selling new cars");
        assert_eq!(found, [2.0 / 3.0, 2.0 / 3.0, 2.0 / 3.0]);
    }

    #[test]
    fn long_texts_have_the_values_of_short_ones() {
        let (hypothesis, reference) = ("They sold autos, did n't they? ", "selling new cars they can't ");
        let long = |text: &str| text.repeat(MAX_SEARCHED);
        assert_eq!(values(&long(hypothesis), &long(reference)), values(hypothesis, reference));
    }
}
