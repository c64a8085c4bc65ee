//! Stage 4b. In: the two hypotheses of a pair. Out: how alike they are, whichever comes first. Next: extractor.
//!
//! These values say nothing of which hypothesis is better, but much of whether people see a difference at all.

use super::feature::{DISTANCE, Feature};
use crate::metrics::{Member, Panel, f1, ratio};
use crate::text::{CharacterView, CharacterViewId, Form, Plan, Sentence, Tokenizer, View, ViewId, overlap};

const SIGNATURE: &str = "pair|version:2";

/// Computes t(h1, h2).
#[derive(Debug, Clone, Copy)]
pub struct Likeness {
    words: ViewId,
    characters: CharacterViewId,
}

impl Likeness {
    /// Asks the plan for what it needs of the hypotheses.
    pub fn new(plan: &mut Plan) -> Self {
        Self {
            words: plan.add(View::new(Tokenizer::Words, Form::Lower)),
            characters: plan.add_characters(CharacterView { whitespace: false, lowercase: false }),
        }
    }

    /// The columns: the likeness of the texts, then how far apart the scores of each single metric are.
    pub fn features(panel: &Panel) -> Vec<Feature> {
        let feature = |name: String, signature: String| Feature { name, signature };
        let texts = ["same", "words", "bigrams", "characters", "length"];
        let distances = panel
            .members()
            .iter()
            .filter(|member| has_distance(member))
            .flat_map(|member| member.values().take(1))
            .map(|(name, signature)| feature(format!("{DISTANCE}{name}"), signature.to_string()));
        texts.iter().map(|name| feature(format!("pair.{name}"), SIGNATURE.to_owned())).chain(distances).collect()
    }

    /// All values of a pair, in the order of [`Self::features`]; `metrics` are the panel's values of either hypothesis.
    pub fn values(&self, first: &Sentence, second: &Sentence, panel: &Panel, metrics: [&[f64]; 2]) -> Vec<f64> {
        let mut values = self.of_texts(first, second).to_vec();
        let mut at = 0;
        for member in panel.members() {
            if has_distance(member) {
                values.push((metrics[0][at] - metrics[1][at]).abs());
            }
            at += member.metric.values().len();
        }
        values
    }

    /// The likeness of two texts, each in [0, 1]: 1 if all words are the same; F1 of words, of word bigrams, of
    /// character 4-grams, of words where neither text has such n-grams; and |len1 - len2| / max(len1, len2) in words.
    fn of_texts(&self, first: &Sentence, second: &Sentence) -> [f64; 5] {
        let (a, b) = (first.view(self.words), second.view(self.words));
        let longest = a.len().max(b.len()) as f64;
        let [words, bigrams] = overlap::matches(&a.ids, &b.ids);
        let ngrams = |order| [a, b].map(|tokens| overlap::total(tokens.len(), order));
        let characters = [first, second].map(|sentence| sentence.characters(self.characters));
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

/// Whether how far apart the scores of a metric are is a feature: of those that people report and models learn from.
fn has_distance(member: &Member) -> bool {
    member.is_reported() && member.gives_features()
}

/// F1 of two bags of these sizes: 2 m / (|a| + |b|); `of_empty` for two empty bags.
fn shared(matches: u32, [a, b]: [usize; 2], of_empty: f64) -> f64 {
    if a == 0 && b == 0 {
        return of_empty;
    }
    let matches = f64::from(matches);
    f1(ratio(matches, a as f64), ratio(matches, b as f64))
}
