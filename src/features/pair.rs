//! Stage 4b. In: the two hypotheses of a pair. Out: how alike they are, whichever comes first. Next: extractor.
//!
//! These values say nothing of which hypothesis is better, but much of whether people see a difference at all.

use super::schema::Feature;
use crate::metrics::{Panel, Role, f1, ratio};
use crate::text::{Counts, Form, Plan, Sentence, Tokenizer, View, ViewId};

/// What the names of distances begin with; the metric's name follows.
pub(super) const DISTANCE: &str = "pair.distance.";

const SIGNATURE: &str = "pair|version:1";

/// Computes t(h1, h2).
#[derive(Debug)]
pub struct Likeness {
    words: ViewId,
    characters: ViewId,
}

impl Likeness {
    /// Asks the plan for what it needs of the hypotheses.
    pub fn new(plan: &mut Plan) -> Self {
        Self {
            words: plan.add(View::new(Tokenizer::Words, Form::Lower).ngrams(2)),
            characters: plan.add(View::new(Tokenizer::Characters, Form::Cased).ngrams(4)),
        }
    }

    /// The columns: the likeness of the texts, then how far apart the scores of each single metric are.
    pub fn features(panel: &Panel) -> Vec<Feature> {
        let feature = |name: String, signature: String| Feature { name, signature };
        let texts = ["same", "words", "bigrams", "characters", "length"];
        let distances =
            panel.members().iter().filter(|member| member.entry.role == Role::Single).map(|member| {
                feature(format!("{DISTANCE}{}", member.entry.name), member.metric.signature().to_string())
            });
        texts.iter().map(|name| feature(format!("pair.{name}"), SIGNATURE.to_owned())).chain(distances).collect()
    }

    /// All values of a pair, in the order of [`Self::features`]; `metrics` are the panel's values of either hypothesis.
    pub fn values(&self, first: &Sentence, second: &Sentence, panel: &Panel, metrics: [&[f64]; 2]) -> Vec<f64> {
        let mut values = self.of_texts(first, second).to_vec();
        let mut at = 0;
        for member in panel.members() {
            if member.entry.role == Role::Single {
                values.push((metrics[0][at] - metrics[1][at]).abs());
            }
            at += member.metric.values().len();
        }
        values
    }

    /// The likeness of two texts, each in [0, 1]: 1 if all words are the same; F1 of words, of word bigrams, of
    /// character 4-grams; and |len1 - len2| / max(len1, len2) in words.
    fn of_texts(&self, first: &Sentence, second: &Sentence) -> [f64; 5] {
        let (a, b) = (first.view(self.words), second.view(self.words));
        let longest = a.len().max(b.len()) as f64;
        [
            f64::from(u8::from(a.ids == b.ids)),
            overlap(a.counts(1), b.counts(1)),
            overlap(a.counts(2), b.counts(2)),
            overlap(first.view(self.characters).counts(4), second.view(self.characters).counts(4)),
            ratio(a.len().abs_diff(b.len()) as f64, longest),
        ]
    }
}

/// F1 of two bags: 2 m / (|a| + |b|); 1 for two empty bags.
fn overlap(a: &Counts, b: &Counts) -> f64 {
    if a.total() == 0 && b.total() == 0 {
        return 1.0;
    }
    let matches = f64::from(a.matches(b));
    f1(ratio(matches, f64::from(a.total())), ratio(matches, f64::from(b.total())))
}
