//! BERTScore and the cosine of sentence embeddings: the metrics of an encoder.
//!
//! ```no_run
//! use tribunal_text_metrics::encoder::Encoder;
//! use tribunal_text_metrics::metrics::find;
//! use tribunal_text_metrics::options::Options;
//! use tribunal_text_metrics::text::{Lexicons, Models};
//! use tribunal_text_metrics::wordnet::WordNet;
//! use tribunal_text_metrics::{Error, MetricSet};
//!
//! let models = Models { encoder: Some(Encoder::open("all-MiniLM-L6-v2".as_ref())?), ..Models::default() };
//! let mut metrics = MetricSet::new(Lexicons::new(WordNet::embedded()).with_models(models));
//! metrics.add_registered(find("bertscore").expect("registered"), &Options::default())?;
//! let score = metrics.segment_scores("a quick fox", &["a fast fox"])[0];
//! # Ok::<(), Error>(())
//! ```

use ndarray::{Array1, ArrayView2};
use rustc_hash::FxHashMap;

use super::entry::{Built, value};
use super::metric::{Metric, Statistics, best_of, ratio};
use super::signature::Signature;
use crate::encoder::{Encoded, Encoder};
use crate::error::{Error, Result};
use crate::options::{OptionSpec, Options, reads_as};
use crate::text::{CustomViewId, EncodedView, Plan, Sentence};

/// All options of BERTScore.
pub const OPTIONS: &[&OptionSpec] = &[&LAYER, &IDF];

const LAYER: OptionSpec = OptionSpec {
    name: "bertscore-layer",
    value: value("N", None, reads_as::<usize>),
    help: "layer, 0: embeddings [default: last]",
};

const IDF: OptionSpec = OptionSpec::switch("bertscore-idf", "weigh tokens by idf in the references");

/// BERTScore.
///
/// Each token of one text is matched with the token of the other whose hidden state is most similar: `precision` is the
/// mean over the tokens of h of their highest cosine with a token of r, `recall` the same with h and r exchanged, and the
/// score is their F1. Special tokens can be matched but do not count. In [-1, 1], 0 for empty text; with several
/// references, the highest of each value. With inverse document frequencies, means are weighted by log((n + 1) / (d + 1)),
/// where d of all n references of the corpus contain the token.
///
/// Zhang et al. 2020, "BERTScore: Evaluating text generation with BERT", section 3; equal to bert-score 0.3.13, without
/// its rescaling, to the precision of single-precision arithmetic.
#[derive(Debug)]
pub struct BertScore {
    encoder: Encoder,
    layer: usize,
    encoded: CustomViewId<EncodedView>,
    idf: Option<Idf>,
}

/// The weights of tokens.
#[derive(Debug, Clone, Default)]
struct Idf {
    /// The number of references.
    references: usize,
    /// The number of references that have a token.
    having: FxHashMap<u32, usize>,
}

/// Makes BERTScore.
///
/// # Errors
/// There is no encoder, or it does not have the layer.
pub fn build(options: &Options, plan: &mut Plan) -> Built {
    let (encoder, layer) = requested(options, plan, "bertscore")?;
    let encoded = plan.add_encoded(&encoder, layer);
    let idf = options.is_given(&IDF).then(Idf::default);
    Ok(Box::new(BertScore { encoder, layer, encoded, idf }))
}

/// Makes the cosine of sentence embeddings.
///
/// # Errors
/// There is no encoder, or it does not have the layer.
pub fn build_cosine(options: &Options, plan: &mut Plan) -> Built {
    // The layer is BERTScore's: asked for together, both need the text encoded once.
    let (encoder, layer) = requested(options, plan, "cosine")?;
    let encoded = plan.add_encoded(&encoder, layer);
    Ok(Box::new(Cosine { encoder, encoded }))
}

/// The encoder of a plan, and the layer that is asked for.
fn requested(options: &Options, plan: &Plan, metric: &str) -> Result<(Encoder, usize)> {
    let encoder = plan.models().encoder.clone().ok_or_else(|| {
        let advice = "name its folder with `encoder`; 'tribunal encoder' says how to get one";
        Error::invalid(metric, "an encoder", "none", advice)
    })?;
    let layers = encoder.description().layers;
    let layer = options.parse(&LAYER)?.unwrap_or(layers);
    if layer > layers {
        let expected = format!("a layer of {}, 0 to {layers}", encoder.description().name);
        return Err(Error::invalid(LAYER.argument(), expected, layer.to_string(), ""));
    }
    Ok((encoder, layer))
}

impl BertScore {
    /// Precision, recall and F1 against one reference.
    fn compare(&self, hypothesis: &Encoded, reference: &Encoded) -> [f64; 3] {
        let is_empty = |encoded: &Encoded| encoded.special.iter().all(|&special| special);
        if is_empty(hypothesis) || is_empty(reference) {
            return [0.0; 3];
        }
        let similarities = hypothesis.states.dot(&reference.states.t());
        let precision = self.mean(hypothesis, similarities.view());
        let recall = self.mean(reference, similarities.t());
        let f1 = ratio(2.0 * precision * recall, precision + recall);
        [f1, precision, recall]
    }

    /// The weighted mean over a text's tokens of their highest similarity, one row each, with a token of the other text.
    fn mean(&self, encoded: &Encoded, similarities: ArrayView2<'_, f32>) -> f64 {
        let (mut sum, mut weights) = (0.0, 0.0);
        for ((row, &token), &is_special) in similarities.rows().into_iter().zip(&encoded.tokens).zip(&encoded.special) {
            let weight = if is_special { 0.0 } else { self.idf.as_ref().map_or(1.0, |idf| idf.weight(token)) };
            let highest = row.iter().copied().fold(f32::NEG_INFINITY, f32::max);
            sum += weight * f64::from(highest.min(1.0));
            weights += weight;
        }
        ratio(sum, weights)
    }
}

impl Idf {
    fn weight(&self, token: u32) -> f64 {
        let having = self.having.get(&token).copied().unwrap_or(0);
        ((self.references + 1) as f64 / (having + 1) as f64).ln()
    }
}

impl Metric for BertScore {
    fn values(&self) -> &[&'static str] {
        &["", "precision", "recall"]
    }

    fn signature(&self) -> Signature {
        let idf = if self.idf.is_some() { "yes" } else { "no" };
        of_encoder("bertscore", &self.encoder)
            .with("l", "layer", self.layer)
            .with("i", "idf", idf)
            .with("v", "version", 1)
    }

    fn statistics(&self, hypothesis: &Sentence, references: &[&Sentence]) -> Statistics {
        let hypothesis = hypothesis.custom(&self.encoded);
        let compared = references.iter().map(|reference| self.compare(hypothesis, reference.custom(&self.encoded)));
        let highest = compared.reduce(|best, other| std::array::from_fn(|at| best[at].max(other[at])));
        highest.unwrap_or_default().into_iter().chain([1.0]).collect()
    }

    fn needs_corpus(&self) -> bool {
        self.idf.is_some()
    }

    fn for_corpus(&self, references: &mut dyn Iterator<Item = Sentence>) -> Option<Box<dyn Metric>> {
        let mut idf = self.idf.clone()?;
        for reference in references {
            let mut tokens = reference.custom(&self.encoded).tokens.clone();
            tokens.sort_unstable();
            tokens.dedup();
            tokens.into_iter().for_each(|token| *idf.having.entry(token).or_default() += 1);
            idf.references += 1;
        }
        let (encoder, encoded) = (self.encoder.clone(), self.encoded.clone());
        Some(Box::new(Self { encoder, layer: self.layer, encoded, idf: Some(idf) }))
    }
}

/// The cosine of the angle between the sentence embeddings of h and r, each the mean of an encoder's last hidden states
/// over all tokens. In [-1, 1]; with several references, the highest.
///
/// Reimers and Gurevych 2019, "Sentence-BERT", section 3; equal to sentence-transformers 5.2.0 with mean pooling.
#[derive(Debug)]
pub struct Cosine {
    encoder: Encoder,
    encoded: CustomViewId<EncodedView>,
}

impl Metric for Cosine {
    fn values(&self) -> &[&'static str] {
        &[""]
    }

    fn signature(&self) -> Signature {
        of_encoder("cosine", &self.encoder).with("p", "pooling", "mean").with("v", "version", 1)
    }

    fn statistics(&self, hypothesis: &Sentence, references: &[&Sentence]) -> Statistics {
        let first = &hypothesis.custom(&self.encoded).mean;
        best_of(references, |reference| [cosine(first, &reference.custom(&self.encoded).mean)])
    }
}

/// The cosine of the angle between two vectors; 0 if one has no length.
pub(super) fn cosine(first: &Array1<f32>, second: &Array1<f32>) -> f64 {
    let lengths = first.dot(first).sqrt() * second.dot(second).sqrt();
    ratio(first.dot(second).into(), lengths.into()).clamp(-1.0, 1.0)
}

fn of_encoder(metric: &str, encoder: &Encoder) -> Signature {
    Signature::new(metric).with("e", "encoder", encoder.description().short_digest())
}
