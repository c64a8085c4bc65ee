//! Word overlap of several kinds: a family of features.
//!
//! ```
//! use tribunal_text_metrics::MetricSet;
//!
//! let metrics = MetricSet::named(&["words"])?;
//! let mut lexicon = metrics.lexicon();
//! let hypothesis = metrics.prepare("the cat sat", &mut lexicon);
//! let reference = metrics.prepare("the cats sat down", &mut lexicon);
//! let names = metrics.members()[0].values().map(|(name, _)| name);
//! let values: Vec<(String, f64)> = names.zip(metrics.values(&hypothesis, &[&reference])).collect();
//! assert!(values.contains(&("words.stem.r1".to_owned(), 0.75)));
//! # Ok::<(), tribunal_text_metrics::Error>(())
//! ```

use super::metric::{Metric, Statistics, f1, ratio};
use super::signature::Signature;
use crate::text::{Fingerprint, Form, Plan, Sentence, Stemmer, Tokenizer, Tokens, View, ViewId, overlap};

/// Precision and recall of word n-grams, of stems, of content words and of function words.
///
/// For every kind of item g, with clipped matches m = sum_g min(h(g), r(g)): precision m/|h|, recall m/|r|, in [0, 1];
/// 0 if there are no items. With several references, each kind takes the reference with the highest F1. Statistics: the
/// values, then 1. For n-grams see Papineni et al. 2002, section 2.1, and Lin 2004, section 2.
#[derive(Debug)]
pub struct Words {
    words: ViewId,
    stems: ViewId,
}

impl Words {
    /// The family; it has no settings.
    pub fn new(plan: &mut Plan) -> Self {
        Self {
            words: plan.add(View::new(Tokenizer::Words, Form::Lower).lexical()),
            stems: plan.add(View::new(Tokenizer::Words, Form::Stem(Stemmer::Snowball))),
        }
    }

    /// For each kind, in the order of [`Metric::values`]: clipped matches, items of the hypothesis, items of the
    /// reference.
    fn kinds(&self, hypothesis: &Sentence, reference: &Sentence) -> [[u32; 3]; 8] {
        let both = [hypothesis, reference];
        let (words, stems) = (both.map(|text| text.view(self.words)), both.map(|text| text.view(self.stems)));
        let [content, function] = [false, true].map(|function| bags(words, function));
        let [one, two, three, four] = ngrams(words);
        let [one_stem, two_stems] = ngrams(stems);
        [one, two, three, four, one_stem, two_stems, content, function]
    }
}

/// The counts for n-grams of the orders 1 to `N`.
fn ngrams<const N: usize>([own, theirs]: [&Tokens; 2]) -> [[u32; 3]; N] {
    let matches: [u32; N] = overlap::matches(&own.ids, &theirs.ids);
    let total = |tokens: &Tokens, order| overlap::total(tokens.len(), order) as u32;
    std::array::from_fn(|at| [matches[at], total(own, at + 1), total(theirs, at + 1)])
}

/// The counts for the function words, or for the others.
fn bags(both: [&Tokens; 2], function: bool) -> [u32; 3] {
    let [own, theirs] = both.map(|tokens| -> Vec<Fingerprint> {
        tokens.words.iter().filter(|word| word.function == function).map(|word| word.id).collect()
    });
    let [matches] = overlap::matches(&own, &theirs);
    [matches, own.len() as u32, theirs.len() as u32]
}

impl Metric for Words {
    fn values(&self) -> &[&'static str] {
        &[
            "p1",
            "r1",
            "p2",
            "r2",
            "p3",
            "r3",
            "p4",
            "r4",
            "stem.p1",
            "stem.r1",
            "stem.p2",
            "stem.r2",
            "content.p",
            "content.r",
            "function.p",
            "function.r",
        ]
    }

    fn signature(&self) -> Signature {
        Signature::new("words").with("tok", "tok", "words").with("c", "case", "lc").with("v", "version", 1)
    }

    fn statistics(&self, hypothesis: &Sentence, references: &[&Sentence]) -> Statistics {
        let values = self.values().len();
        let mut best = vec![0.0; values + 1];
        best[values] = 1.0;
        for reference in references {
            for (kind, counts) in self.kinds(hypothesis, reference).into_iter().enumerate() {
                let [matches, own, theirs] = counts.map(f64::from);
                let (precision, recall) = (ratio(matches, own), ratio(matches, theirs));
                if f1(precision, recall) > f1(best[2 * kind], best[2 * kind + 1]) {
                    (best[2 * kind], best[2 * kind + 1]) = (precision, recall);
                }
            }
        }
        best
    }
}
