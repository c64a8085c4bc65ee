//! Overlap of words, seen in several ways: a family of features.

use super::{Metric, Signature, Statistics, f1, ratio};
use crate::text::{Counts, Form, Plan, Sentence, Stemmer, Tokenizer, View, ViewId};

/// Precision and recall of word n-grams, of stems, and of content and function words apart.
///
/// For every kind of item g, with clipped matches m = sum_g min(h(g), r(g)): precision m/|h|, recall m/|r|, in [0, 1];
/// 0 where there are no items. With several references each kind takes the reference that gives it the highest F1.
/// Precision and recall of n-grams: Papineni et al. 2002, section 2.1, and Lin 2004, section 2.
#[derive(Debug)]
pub struct Words {
    words: ViewId,
    stems: ViewId,
}

impl Words {
    /// The family; it has no settings.
    pub fn new(plan: &mut Plan) -> Self {
        Self {
            words: plan.add(View::new(Tokenizer::Words, Form::Lower).ngrams(4).lexical()),
            stems: plan.add(View::new(Tokenizer::Words, Form::Stem(Stemmer::Snowball)).ngrams(2)),
        }
    }

    /// What is counted, in the order of [`Metric::values`].
    fn kinds(&self, sentence: &Sentence) -> [Counts; 8] {
        let (words, stems) = (sentence.view(self.words), sentence.view(self.stems));
        let of_kind = |function: bool| {
            Counts::of(words.words.iter().filter(|word| word.function == function).map(|word| word.id).collect())
        };
        let ngrams = |order: usize| words.counts(order).clone();
        let stem_ngrams = |order: usize| stems.counts(order).clone();
        [ngrams(1), ngrams(2), ngrams(3), ngrams(4), stem_ngrams(1), stem_ngrams(2), of_kind(false), of_kind(true)]
    }
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
        let own = self.kinds(hypothesis);
        let mut best = vec![0.0; 2 * own.len() + 1];
        best[2 * own.len()] = 1.0;
        for reference in references {
            for (kind, theirs) in self.kinds(reference).iter().enumerate() {
                let matches = f64::from(own[kind].matches(theirs));
                let precision = ratio(matches, f64::from(own[kind].total()));
                let recall = ratio(matches, f64::from(theirs.total()));
                if f1(precision, recall) > f1(best[2 * kind], best[2 * kind + 1]) {
                    (best[2 * kind], best[2 * kind + 1]) = (precision, recall);
                }
            }
        }
        best
    }

    fn segment(&self, statistics: &[f64]) -> Vec<f64> {
        let (count, values) = statistics.split_last().unwrap_or((&0.0, &[]));
        values.iter().map(|value| ratio(*value, *count)).collect()
    }
}
