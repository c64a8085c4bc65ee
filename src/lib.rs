//! Tribunal trains a panel of text-evaluation metrics to judge like people do.
//!
//! Given a reference and two hypotheses it says which one people would prefer: the first, the second, or neither. It
//! learns that from human judgments, and says how much better it is than adding the metrics up. The way of the data, a
//! module a stage, each of which knows only the stages before it:
//!
//! ```text
//! judgments  ->  text  ->  metrics  ->  features  ->  model  ->  evaluation  ->  report
//! a file of      tokens,   one value    one row per   weights,   accuracy,      terminal,
//! pairs with     n-grams,  or several   hypothesis,   verdicts   intervals,     JSON
//! answers        words     per metric   then the      and        comparisons
//!                                       difference    scores
//! ```
//!
//! 1. [`judgments`]: pairs and answers from lines or tables, grouped by reference, so that no split can leak.
//! 2. [`text`] and [`wordnet`]: a sentence prepared once for all metrics; what is known of its words.
//! 3. [`metrics`]: one file a metric, one line each in the [registry](metrics::REGISTRY).
//! 4. [`features`]: named and signed columns, one row a hypothesis.
//! 5. [`model`]: logistic regression that is antisymmetric by construction.
//!    Beside it [`comparators`]: what simpler ways of judging reach on the same folds.
//! 6. [`evaluation`]: accuracy, with intervals and tests over references.
//! 7. [`report`]: the accuracy report.
//!
//! How fast that is, and why, stands in [`performance`].
//!
//! From sentences to a verdict, with the model inside the program:
//!
//! ```
//! use tribunal::judgments::{Pair, Verdict};
//! use tribunal::model::builtin;
//! use tribunal::wordnet::WordNet;
//!
//! let line = "The minister has not resigned . ||| Minister the not of resigned ! ||| The minister did not resign.";
//! let pair = Pair::parse(line, "example", 1)?;
//!
//! let model = builtin::model()?;
//! let extractor = model.extractor(WordNet::embedded(), builtin::NAME)?;
//! let table = extractor.extract([&pair].into_iter(), &|_, _| ());
//! let probabilities = model.judge(&table)[0];
//! assert_eq!(probabilities.verdict(), Verdict::First);
//! # Ok::<(), tribunal::Error>(())
//! ```
#![forbid(unsafe_code)]
#![warn(missing_docs)]

pub mod comparators;
pub mod error;
pub mod evaluation;
pub mod features;
pub mod files;
pub mod formats;
pub mod judgments;
pub mod metrics;
pub mod model;
pub mod options;
pub mod report;
pub mod text;
pub mod wordnet;
pub mod workflows;

#[doc = include_str!("../docs/performance.md")]
pub mod performance {}

pub use error::{Error, Result};
