//! Text-evaluation metrics that equal their reference implementations to the last digit: BLEU, chrF and TER as sacreBLEU
//! computes them, ROUGE as rouge-score and ROUGE-1.5.5 do, METEOR 1.5, BERTScore, NIST, GLEU and RIBES.
//!
//! Sentences, in three lines; a text may have several references:
//!
//! ```
//! use tribunal_text_metrics::MetricSet;
//!
//! let metrics = MetricSet::named(&["bleu", "chrf", "rougeL"])?;
//! let scores = metrics.segment_scores("the cat sat on the mat", &["the cat is on the mat", "there is a cat"]);
//! assert!((scores[0] - 37.9918).abs() < 1e-4);
//! # Ok::<(), tribunal_text_metrics::Error>(())
//! ```
//!
//! A corpus, on all cores:
//!
//! ```
//! use tribunal_text_metrics::{Corpus, MetricSet, Scope};
//!
//! let hypotheses = ["the cat sat on the mat".to_owned(), "dogs bark at night".to_owned()];
//! let references = [vec!["the cat is on the mat".to_owned()], vec!["dogs bark at night".to_owned()]];
//! let metrics = MetricSet::named(&["bleu"])?;
//! let bleu = Corpus::new(&metrics, &hypotheses, &references, Scope::Whole).scores(&metrics)[0];
//! assert!((bleu - 53.8956).abs() < 1e-4);
//! # Ok::<(), tribunal_text_metrics::Error>(())
//! ```
//!
//! # The way of a text
//!
//! 1. [`options`]: the settings of metrics, each with its check. A [`metrics::Signature`] shows them.
//! 2. [`text`]: a [`Sentence`] is prepared once for all metrics of a set, each of which asks for the views that it needs; what is
//!    known of a word is looked up once, in [`wordnet`]. An [`encoder`] gives each token a vector.
//! 3. [`metrics`]: a [`Metric`] turns the sentences of a segment into [`Statistics`], and statistics, or their sum over a
//!    corpus, into scores. [`REGISTRY`] names every metric in one line. The module of each metric has its formula, its source
//!    and an example.
//!
//! # Cargo features
//!
//! None is on by default.
//!
//! | feature | what it adds |
//! | --- | --- |
//! | `wordnet` | WordNet 3.0, under Princeton's licence (2.8 MB): `synset`, and METEOR of 2005 |
//! | `meteor-data` | METEOR 1.5 for English: its data, under the LGPL 2.1 (6.4 MB), and `wordnet` |
//! | `encoder` | BERTScore and cosine similarity by encoders in Hugging Face's layout, with candle |
//! | `cuda`, `metal` | encoders on a graphics processor |
#![forbid(unsafe_code)]
#![warn(missing_docs)]

pub mod comet;
pub mod encoder;
pub mod error;
pub mod metrics;
pub mod options;
pub mod text;
pub mod wordnet;

pub use error::{Error, Result};
pub use metrics::{Corpus, Metric, MetricSet, REGISTRY, Scope, Statistics};
pub use text::Sentence;
