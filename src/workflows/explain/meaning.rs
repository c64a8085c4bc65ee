//! Which words match which by meaning: those whose tokens have the most similar hidden states of an encoder.

use std::collections::BTreeSet;
use std::ops::Range;

use crate::encoder::{Encoded, Encoder};
use crate::report::explanation::MeaningMatch;
use crate::text::Tokenizer;

/// The words of both hypotheses that the reference does not have, each with the word of the first reference that BERTScore
/// matches it with at the encoder's last layer.
pub fn matches(encoder: &Encoder, hypotheses: &[String; 2], references: &[String]) -> Vec<MeaningMatch> {
    let Some(reference) = references.first() else { return Vec::new() };
    let layer = encoder.description().layers;
    let encode = |text: &str| encoder.encode(text, layer);
    let (of_reference, words) = (encode(reference), Words::new(reference));
    let known: BTreeSet<String> = words.all().map(str::to_lowercase).collect();
    let mut meanings = Vec::new();
    for (number, hypothesis) in (1..).zip(hypotheses) {
        let (encoded, own) = (encode(hypothesis), Words::new(hypothesis));
        for (at, word) in own.all().enumerate().filter(|(_, word)| !known.contains(&word.to_lowercase())) {
            if let Some((nearest, similarity)) = closest(&encoded, &own.tokens(at, &encoded), &of_reference, &words) {
                let (word, closest) = (word.to_owned(), nearest.to_owned());
                meanings.push(MeaningMatch { hypothesis: number, word, closest, similarity });
            }
        }
    }
    meanings
}

/// The words of a text and where they are.
struct Words<'t> {
    text: &'t str,
    spans: Vec<Range<usize>>,
}

impl<'t> Words<'t> {
    fn new(text: &'t str) -> Self {
        Self { text, spans: Tokenizer::Words.spans(text) }
    }

    fn all(&self) -> impl Iterator<Item = &'t str> {
        self.spans.iter().map(|span| &self.text[span.clone()])
    }

    /// The tokens of a word.
    fn tokens(&self, word: usize, encoded: &Encoded) -> Vec<usize> {
        let span = &self.spans[word];
        let is_inside = |token: &usize| {
            let place = &encoded.spans[*token];
            !encoded.special[*token] && place.start < span.end && place.end > span.start
        };
        (0..encoded.tokens.len()).filter(is_inside).collect()
    }
}

/// The word with the token that is most similar to one of these tokens, and the mean of their highest similarities.
fn closest<'r>(
    encoded: &Encoded,
    tokens: &[usize],
    of_reference: &Encoded,
    words: &Words<'r>,
) -> Option<(&'r str, f64)> {
    let similarity = |one: usize, other: usize| f64::from(encoded.states.row(one).dot(&of_reference.states.row(other)));
    let best = |one: &usize| {
        let others = (0..of_reference.tokens.len()).filter(|&other| !of_reference.special[other]);
        others.map(|other| (other, similarity(*one, other))).max_by(|a, b| a.1.total_cmp(&b.1))
    };
    let all: Vec<(usize, f64)> = tokens.iter().filter_map(best).collect();
    let (token, _) = *all.iter().max_by(|a, b| a.1.total_cmp(&b.1))?;
    let word = (0..words.spans.len()).find(|&word| words.tokens(word, of_reference).contains(&token))?;
    let mean = all.iter().map(|(_, similarity)| similarity).sum::<f64>() / all.len() as f64;
    Some((words.all().nth(word)?, mean))
}
