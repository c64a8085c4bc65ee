//! A WordNet synset score.

use std::sync::Arc;

use super::build::{Build, Built};
use super::metric::{Metric, Statistics, f1, ratio};
use super::signature::Signature;
use crate::text::{Form, Plan, Sentence, Tokenizer, Tokens, View, ViewId, Word};
use crate::wordnet::SynsetId;

/// The words of one side that mean the same as a word of the other.
///
/// A word is covered if the other side has a word with the same Snowball stem or, over its base forms, a shared synset.
/// Precision: covered words of h / |h|; recall: covered words of r / |r|; the score is their F1. In [0, 1]; 0 for empty
/// text. With several references the one with the highest score counts. The idea is Banerjee and Lavie's 2005 (METEOR,
/// section 2.2), without alignment: a word may cover many.
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

/// The metric; it has no settings.
pub(super) fn build(build: &mut Build<'_>) -> Built {
    Ok(Box::new(Synset::new(build.plan)))
}

/// A set of numbers, of which 0 counts as 1, in an open hash table.
struct Known {
    /// As many as a power of two, at least half of them empty: 0.
    slots: Vec<u64>,
}

impl Known {
    fn of(count: usize, numbers: impl Iterator<Item = u64>) -> Self {
        let mut known = Self { slots: vec![0; (2 * count + 1).next_power_of_two()] };
        for number in numbers {
            let slot = known.slot(number);
            known.slots[slot] = number.max(1);
        }
        known
    }

    fn contains(&self, number: u64) -> bool {
        self.slots[self.slot(number)] != 0
    }

    /// The slot of a number, or the one where it would be.
    fn slot(&self, number: u64) -> usize {
        let last = self.slots.len() - 1;
        let mut slot = (number.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 32) as usize & last;
        while self.slots[slot] != 0 && self.slots[slot] != number.max(1) {
            slot = (slot + 1) & last;
        }
        slot
    }
}

/// The share of words of one side that the other covers.
fn covered(one: &Tokens, other: &Tokens) -> f64 {
    // 0 is a synset, too.
    let number = |synset: &SynsetId| u64::from(synset.0) + 1;
    let stems = Known::of(other.len(), other.words.iter().map(|word| word.stem));
    let senses = other.words.iter().map(|word| word.synsets.len()).sum();
    let synsets = Known::of(senses, other.words.iter().flat_map(|word| word.synsets.iter().map(number)));
    let is_covered = |word: &&Arc<Word>| {
        stems.contains(word.stem) || word.synsets.iter().any(|synset| synsets.contains(number(synset)))
    };
    ratio(one.words.iter().filter(is_covered).count() as f64, one.len() as f64)
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
        let mut best = vec![0.0, 0.0, 0.0, 1.0];
        for reference in references {
            let theirs = reference.view(self.words);
            let (precision, recall) = (covered(own, theirs), covered(theirs, own));
            let score = f1(precision, recall);
            if score > best[0] {
                best = vec![score, precision, recall, 1.0];
            }
        }
        best
    }

    fn segment(&self, statistics: &[f64]) -> Vec<f64> {
        statistics[..3].iter().map(|value| ratio(*value, statistics[3])).collect()
    }
}

#[cfg(test)]
mod tests {
    use crate::metrics::Panel;
    use crate::text::Lexicon;
    use crate::wordnet::WordNet;

    fn values(hypothesis: &str, reference: &str) -> Vec<f64> {
        let panel = Panel::of(&["synset"]).unwrap();
        let mut lexicon = Lexicon::new(WordNet::embedded());
        let [hypothesis, reference] = [hypothesis, reference].map(|text| panel.prepare(text, &mut lexicon));
        panel.values(&hypothesis, &[&reference])
    }

    #[test]
    fn by_hand() {
        // autos/cars share a synset, sold/selling a stem; "they" and "new" have nobody.
        let found = values("They sold autos", "selling new cars");
        assert_eq!(found, [2.0 / 3.0, 2.0 / 3.0, 2.0 / 3.0]);
    }

    #[test]
    fn identical_text_scores_one_and_empty_text_zero() {
        assert_eq!(values("Nobody answered our letter", "nobody answered our letter."), [1.0; 3]);
        assert_eq!(values("", ""), [0.0; 3]);
    }
}
