//! Features of a pair: the similarity of its two hypotheses, regardless of their order.
//!
//! These values do not tell which hypothesis is better, but they help predict whether people see a difference at all.

use super::column::{Column, DISTANCE};
use crate::metrics::{Member, MetricSet, f1, ratio};
use crate::text::{CharacterView, CustomViewId, Form, Plan, Sentence, Tokenizer, View, ViewId, overlap};

const SIGNATURE: &str = "pair|version:2";

/// Computes the pair features t(h1, h2).
#[derive(Debug, Clone, Copy)]
pub struct PairFeatures {
    words: ViewId,
    characters: CustomViewId<CharacterView>,
}

impl PairFeatures {
    /// Adds the views of the hypotheses that it needs to the plan.
    pub fn new(plan: &mut Plan) -> Self {
        Self {
            words: plan.add(View::new(Tokenizer::Words, Form::Lower)),
            characters: plan.add_custom(CharacterView { whitespace: false, lowercase: false }),
        }
    }

    /// The columns: the similarities of the texts, then the distance between the scores of each single metric.
    pub fn columns(metric_set: &MetricSet) -> Vec<Column> {
        let texts = ["same", "words", "bigrams", "characters", "length"];
        let distances = metric_set
            .members()
            .iter()
            .filter(|member| has_distance(member))
            .flat_map(|member| member.values().take(1))
            .map(|(name, signature)| Column::similarity(format!("{DISTANCE}{name}"), signature.to_string()));
        texts
            .iter()
            .map(|name| Column::similarity(format!("pair.{name}"), SIGNATURE.to_owned()))
            .chain(distances)
            .collect()
    }

    /// All values of a pair, in the order of [`Self::columns`]; `metrics` holds the set's values of each
    /// hypothesis.
    pub fn values(
        &self,
        first: &Sentence,
        second: &Sentence,
        metric_set: &MetricSet,
        metrics: [&[f64]; 2],
    ) -> Vec<f64> {
        let mut values = self.of_texts(first, second).to_vec();
        let mut at = 0;
        for member in metric_set.members() {
            if has_distance(member) {
                values.push((metrics[0][at] - metrics[1][at]).abs());
            }
            at += member.metric.values().len();
        }
        values
    }

    /// The similarity of two texts, each value in [0, 1]: whether all words are equal; F1 of words; F1 of word bigrams;
    /// F1 of character 4-grams; |len1 - len2| / max(len1, len2) in words. Where neither text has such n-grams, F1 of
    /// words takes their place; it is 1 if both texts are empty.
    fn of_texts(&self, first: &Sentence, second: &Sentence) -> [f64; 5] {
        let (a, b) = (first.view(self.words), second.view(self.words));
        let longest = a.len().max(b.len()) as f64;
        let [words, bigrams] = overlap::matches(&a.ids, &b.ids);
        let ngrams = |order| [a, b].map(|tokens| overlap::total(tokens.len(), order));
        let characters = [first, second].map(|sentence| sentence.custom(&self.characters));
        let words = shared(words, ngrams(1), 1.0);
        [
            f64::from(u8::from(a.ids == b.ids)),
            words,
            shared(bigrams, ngrams(2), words),
            shared(characters[0].matches(characters[1])[3], characters.map(|grams| grams.total(4)), words),
            ratio(a.len().abs_diff(b.len()) as f64, longest),
        ]
    }
}

/// Whether the distance between a metric's scores is a feature: if it is both reported and learned from.
fn has_distance(member: &Member) -> bool {
    member.entry.is_reported && member.entry.gives_features()
}

/// F1 of two bags of n-grams with these sizes: 2 m / (|a| + |b|); `of_empty` if both are empty.
fn shared(matches: u32, [a, b]: [usize; 2], of_empty: f64) -> f64 {
    if a == 0 && b == 0 {
        return of_empty;
    }
    let matches = f64::from(matches);
    f1(ratio(matches, a as f64), ratio(matches, b as f64))
}
