//! How much of an output occurs in its context, such as retrieved passages or the document that it summarises: metrics
//! without a reference. They compare words, or meanings by an encoder, and do not know whether a claim is true: a wrong
//! number in a copied sentence hardly changes them, and a paraphrase may lower them.
//!
//! ```
//! use tribunal_text_metrics::metrics::grounding;
//! use tribunal_text_metrics::text::Lexicon;
//! use tribunal_text_metrics::wordnet::WordNet;
//!
//! let context = ["The old bridge was closed on Monday.".to_owned()];
//! let mut lexicon = Lexicon::new(WordNet::embedded());
//! let [words, bigrams, sentences] = grounding::overlap("The bridge closes on Friday.", &context, &mut lexicon);
//! // Of bridge, closes and Friday, the context has the stems of two; of four pairs of neighbours it has one, `close on`.
//! assert_eq!((words, bigrams, sentences), (Some(2.0 / 3.0), Some(0.25), Some(0.0)));
//! ```

use std::sync::Arc;

use rustc_hash::FxHashSet;

use super::bertscore::cosine;
use crate::encoder::Encoder;
use crate::text::punctuation::split_sentences;
use crate::text::{Fingerprint, Lexicon, Tokenizer, Word, fingerprint};

/// The names of the values: those of [`overlap`], then [`SIMILARITY`].
pub const NAMES: [&str; 4] = ["grounding", "grounding-bigrams", "grounding-sentences", SIMILARITY];

/// The name of [`similarity`].
pub const SIMILARITY: &str = "grounding-similarity";

/// The least number of content words of a sentence that counts: others are numbers of lists, or ends of abbreviations.
const MIN_CONTENT: usize = 2;

/// The share of a sentence's content words that its support has.
const SUPPORT: f64 = 0.75;

/// How much of an output occurs in the texts of its context, each a share in [0, 1].
///
/// Words are compared by their Snowball stems, in sentences that end at final marks and at line ends. Content words are
/// all but English function words.
///
/// - `grounding`: the share of the output's content words, repetitions included, that the context has: the coverage of
///   Grusky et al. 2018 ("Newsroom"), section 4, by single content words in place of fragments.
/// - `grounding-bigrams`: the share of two neighbouring words of a sentence that are also neighbours in a sentence of the
///   context: 1 minus the share of novel bigrams of See et al. 2017.
/// - `grounding-sentences`: the share of sentences of at least two content words of which three quarters occur in one
///   sentence of a text of the context or in two successive ones.
///
/// All are `None` if the output has no content word, or the context no sentence; the last two also if there is nothing to
/// count.
pub fn overlap(output: &str, context: &[String], lexicon: &mut Lexicon) -> [Option<f64>; 3] {
    let output = sentences(output, lexicon);
    let (mut words, mut bigrams, mut windows) = (FxHashSet::default(), FxHashSet::default(), Vec::new());
    for text in context {
        let text = sentences(text, lexicon);
        for (at, sentence) in text.iter().enumerate() {
            words.extend(stems(sentence));
            bigrams.extend(sentence.windows(2).map(two_stems));
            let next = text.get(at + 1).into_iter().flat_map(|next| stems(next));
            windows.push(stems(sentence).chain(next).collect::<FxHashSet<Fingerprint>>());
        }
    }
    let content: Vec<Vec<Fingerprint>> = output.iter().map(|sentence| content(sentence)).collect();
    if windows.is_empty() || content.iter().all(Vec::is_empty) {
        return [None; 3];
    }
    let is_supported = |sentence: &Vec<Fingerprint>| {
        let count = |window: &FxHashSet<Fingerprint>| sentence.iter().filter(|stem| window.contains(stem)).count();
        windows.iter().any(|window| count(window) as f64 >= SUPPORT * sentence.len() as f64)
    };
    [
        share(content.iter().flatten().map(|stem| words.contains(stem))),
        share(output.iter().flat_map(|sentence| sentence.windows(2)).map(|two| bigrams.contains(&two_stems(two)))),
        share(content.iter().filter(|sentence| sentence.len() >= MIN_CONTENT).map(is_supported)),
    ]
}

/// `grounding-similarity`: the mean over the output's sentences of their highest cosine with a sentence of the context, by
/// sentence embeddings as in [`Cosine`](super::bertscore::Cosine); in [-1, 1], `None` if either has no sentence.
pub fn similarity(output: &str, context: &[String], encoder: &Encoder) -> Option<f64> {
    let output = split_sentences(output);
    let context: Vec<&str> = context.iter().flat_map(|text| split_sentences(text)).collect();
    if output.is_empty() || context.is_empty() {
        return None;
    }
    let layer = encoder.description().layers;
    encoder.encode_all(&[output.as_slice(), &context].concat(), layer);
    let encoded = |texts: &[&str]| texts.iter().map(|text| encoder.encode(text, layer)).collect::<Vec<_>>();
    let (output, context) = (encoded(&output), encoded(&context));
    let highest = output.iter().map(|sentence| {
        let cosines = context.iter().map(|other| cosine(&sentence.mean, &other.mean));
        cosines.fold(f64::NEG_INFINITY, f64::max)
    });
    Some(highest.sum::<f64>() / output.len() as f64)
}

/// The words of each sentence that has some.
fn sentences(text: &str, lexicon: &mut Lexicon) -> Vec<Vec<Arc<Word>>> {
    let mut words = |sentence: &str| {
        let mut words = Vec::new();
        let add = &mut |token: &str| words.push(lexicon.word(token, fingerprint::of_token(token)));
        Tokenizer::Words.tokenize(sentence, add);
        words
    };
    split_sentences(text).into_iter().map(&mut words).filter(|words| !words.is_empty()).collect()
}

fn stems(sentence: &[Arc<Word>]) -> impl Iterator<Item = Fingerprint> {
    sentence.iter().map(|word| word.stem)
}

fn content(sentence: &[Arc<Word>]) -> Vec<Fingerprint> {
    sentence.iter().filter(|word| !word.function).map(|word| word.stem).collect()
}

fn two_stems(two: &[Arc<Word>]) -> [Fingerprint; 2] {
    [two[0].stem, two[1].stem]
}

/// The share that is true; `None` of nothing.
fn share(of: impl Iterator<Item = bool>) -> Option<f64> {
    let (some, all) = of.fold((0, 0), |(some, all), is| (some + u32::from(is), all + 1));
    (all > 0).then(|| f64::from(some) / f64::from(all))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::wordnet::WordNet;

    fn of(output: &str, context: &[&str]) -> [Option<f64>; 3] {
        let context: Vec<String> = context.iter().map(|&text| text.to_owned()).collect();
        overlap(output, &context, &mut Lexicon::new(WordNet::embedded()))
    }

    const CONTEXT: [&str; 2] =
        ["The museum opened in 1892. Its garden has old oak trees. Visitors pay nothing.", "Parking costs five euros."];

    #[test]
    fn by_hand() {
        assert_eq!(of(CONTEXT[0], &CONTEXT), [Some(1.0); 3]);
        // Seven content words, of which only `tickets` is new, and seven bigrams, of which only `tickets cost` is.
        let found = of("The museum opens in 1892. Tickets cost five euros.", &CONTEXT);
        assert_eq!(found, [Some(6.0 / 7.0), Some(6.0 / 7.0), Some(1.0)]);
        // Of bridge, river and oak, only oak; no bigram; no sentence of which three quarters are known.
        assert_eq!(of("A bridge by the river. Oak!", &CONTEXT), [Some(1.0 / 3.0), Some(0.0), Some(0.0)]);
    }

    #[test]
    fn a_sentence_is_supported_by_two_successive_ones_of_a_text() {
        assert_eq!(of("The museum has a garden.", &CONTEXT)[2], Some(1.0));
        assert_eq!(of("The museum lets visitors pay.", &CONTEXT)[2], Some(0.0));
        assert_eq!(of("Visitors pay five euros.", &CONTEXT), [Some(1.0), Some(2.0 / 3.0), Some(0.0)]);
        // Three of four words are enough, two of three are not.
        assert_eq!(of("Old oak trees fell.", &CONTEXT)[2], Some(1.0));
        assert_eq!(of("Oak trees fell.", &CONTEXT)[2], Some(0.0));
    }

    #[test]
    fn what_cannot_be_told_is_missing() {
        for (output, context) in [("", &CONTEXT[..]), ("It is.", &CONTEXT), ("The museum.", &[]), ("Oak.", &[" "])] {
            assert_eq!(of(output, context), [None; 3], "{output}");
        }
        // One word has no neighbour, and is no sentence.
        assert_eq!(of("Oak.", &CONTEXT), [Some(1.0), None, None]);
        assert_eq!(of("Beech", &CONTEXT), [Some(0.0), None, None]);
    }

    #[test]
    fn other_scripts_have_content_words_only() {
        assert_eq!(of("河上的桥关闭。", &["河上的旧桥昨天关闭。"]), [Some(1.0), Some(0.6), Some(1.0)]);
    }
}
