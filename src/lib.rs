//! Tribunal trains an ensemble of text-evaluation metrics on human judgments.
//!
//! Given a reference and two hypotheses, the ensemble predicts which hypothesis people prefer, or a tie. Its accuracy
//! is reported together with that of single metrics and of a baseline, the sum of three simple metrics.
//!
//! Start with [`workflows`]: each is one call, and the command line does nothing else. A [`workflows::PairPredictor`] gives
//! verdicts with the built-in model or with one that you trained:
//!
//! ```
//! use tribunal::judgments::{Pair, Verdict};
//! use tribunal::model::builtin;
//! use tribunal::workflows::{Engine, PairPredictor};
//!
//! let line = "The minister has not resigned . ||| Minister the not of resigned ! ||| The minister did not resign.";
//! let pair = Pair::parse(line, "example", 1)?;
//!
//! let judge = PairPredictor::new(&Engine::new(), builtin::model()?, builtin::NAME)?;
//! let judged = judge.judge(&[pair]);
//! assert_eq!(judged[0].verdict, Verdict::First);
//! # Ok::<(), tribunal::Error>(())
//! ```
//!
//! # The data flow
//!
//! Each stage is a module, and two of them are crates of their own: [`tribunal_text_metrics`], which knows texts and no
//! pairs, and [`tribunal_stats`], which knows labels, numbers and groups. The arrows show the data; a stage may import what
//! `tests/it/layout.rs` lists:
//!
//! ```text
//! files  ->  judgments  ->  text  ->  metrics  ->  features  ->  learning  ->  evaluation  ->  report
//! bytes      pairs,         tokens,   one value    one row per   a judge:      accuracy,       terminal,
//! in, out    verdicts,      n-grams   or several   hypothesis    verdicts,     intervals,      JSON,
//!            groups                   per metric                 scores        tests           HTML
//! ```
//!
//! 1. [`files`]: lines and rows of files, compressed or not; outputs that are complete or absent.
//! 2. [`judgments`] and [`formats`]: pairs and their human labels, grouped by reference, so that no split can leak;
//!    the input formats.
//! 3. [`text`], [`wordnet`], [`encoder`] and [`comet`], of `tribunal-text-metrics`: a sentence prepared once for all metrics; stems,
//!    synonyms and synsets of its words, hidden states of its tokens.
//! 4. [`metrics`], of the same crate: one file per metric and one line per metric in the registry, which holds all that
//!    other stages need.
//! 5. [`features`]: columns with names and signatures, one row per hypothesis.
//! 6. [`learning`] and [`learners`]: training and cross-validation, the same for every learner; logistic regression by
//!    linfa-logistic, and two learners that see only words.
//! 7. [`model`]: the model file, which holds everything that a verdict depends on, and the built-in models.
//! 8. [`evaluation`], which is `tribunal-stats`, and [`report`]: accuracy with intervals and tests over references, as text,
//!    JSON or a page.
//! 9. [`workflows`]: train, judge, compare, score, correlate, explain: each is one function that runs these stages. A
//!    [`workflows::Explainer`] explains a model's verdict on a pair.
//!
//! [`options`] are the settings of metrics and formats; [`performance`] reports speed and memory.
//!
//! The cargo feature `cli`, on by default, builds the program and its command line, the module `cli`, which alone prints;
//! users of the library disable it (`default-features = false`). `meteor-data`, also on by default, is METEOR 1.5's data
//! for English, under the LGPL 2.1. `parquet` adds tables in Parquet, `encoder` encoders such as BERT, `ask` the module
//! `ask`, which alone uses a network. The Python package, in the folder `python`, wraps the workflows and the command line
//! and computes nothing of its own.
#![forbid(unsafe_code)]
#![warn(missing_docs)]

// The command line names the library as every other caller does.
#[cfg(feature = "cli")]
extern crate self as tribunal;

#[cfg(feature = "ask")]
pub mod ask;
#[cfg(feature = "cli")]
pub mod cli;
pub mod error;
pub mod features;
pub mod files;
pub mod formats;
pub mod judgments;
pub mod learners;
pub mod learning;
pub mod model;
pub mod report;
pub mod workflows;

#[doc = include_str!("../docs/performance.md")]
pub mod performance {}

pub use error::{Error, Result};
pub use tribunal_stats as evaluation;
pub use tribunal_text_metrics::{comet, encoder, metrics, options, text, wordnet};
