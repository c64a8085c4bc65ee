//! In: a hypothesis and its references. Out: their word alignment. Next: explainer.

use crate::error::Result;
use crate::metrics::MetricSet;
use crate::metrics::links::Alignment;
use crate::metrics::meteor::{HAS_DATA, Meteor};
use crate::report::explanation::AlignedTexts;
use crate::text::{Lexicons, Sentence, Tokenizer};

/// Aligns texts as METEOR 1.5 does with all of its modules; for other languages than English, or without METEOR's data,
/// by equal words only.
#[derive(Debug)]
pub(super) struct Aligner {
    metric_set: MetricSet,
    words: Words,
}

/// The definition of a word.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Words {
    /// METEOR's tokens for English, which include punctuation marks.
    Meteor,
    /// The tokens of [`Tokenizer::Words`], in lower case.
    Any,
}

impl Aligner {
    /// # Errors
    /// None that a user can cause.
    pub fn new(lexicons: &Lexicons, is_english: bool) -> Result<Self> {
        let words = if is_english && HAS_DATA { Words::Meteor } else { Words::Any };
        let mut metric_set = MetricSet::new(lexicons);
        metric_set.add("alignment", |plan| {
            Ok(Box::new(match words {
                Words::Meteor => Meteor::all_modules(plan),
                Words::Any => Meteor::of_equal_words(plan),
            }))
        })?;
        Ok(Self { metric_set, words })
    }

    /// Aligns a hypothesis with the reference that suits it best; `None` without references.
    pub fn align(&self, hypothesis: &str, references: &[String]) -> Option<AlignedTexts> {
        let aligned = self.links(hypothesis, references)?;
        Some(AlignedTexts::new(hypothesis, references.get(aligned.reference)?, &aligned))
    }

    fn links(&self, hypothesis: &str, references: &[String]) -> Option<Alignment> {
        let metric = &self.metric_set.members().first()?.metric;
        let mut lexicon = self.metric_set.lexicon();
        let mut prepare = |text: &str| match self.words {
            Words::Meteor => self.metric_set.prepare(text, &mut lexicon),
            Words::Any => self.metric_set.prepare(&words_of(text), &mut lexicon),
        };
        let hypothesis_sentence = prepare(hypothesis);
        let prepared: Vec<Sentence> = references.iter().map(|reference| prepare(reference)).collect();
        let mut found = metric.links(&hypothesis_sentence, &prepared.iter().collect::<Vec<_>>())?;
        if self.words == Words::Any {
            found.hypothesis_words = Tokenizer::Words.spans(hypothesis);
            found.reference_words = Tokenizer::Words.spans(references.get(found.reference)?);
        }
        Some(found)
    }
}

/// The words of a text in lower case, separated by spaces, so that METEOR sees one word for each span.
fn words_of(text: &str) -> String {
    let mut words: Vec<String> = Vec::new();
    Tokenizer::Words.tokenize(text, &mut |word| words.push(word.to_lowercase()));
    words.join(" ")
}
