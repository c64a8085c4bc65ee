//! Tribunal trains a panel of text-evaluation metrics to judge like people do.
//!
//! Given a reference and two hypotheses it says which one people would prefer: the first, the second, or neither. It
//! learns that from human judgments, and says how much better it is than adding the metrics up.
//!
//! Start with [`workflows`]: each is one call, and the command line does nothing else. A [`workflows::PairJudge`] gives
//! verdicts with the model inside the program, or with one of your own:
//!
//! ```
//! use tribunal::judgments::{Pair, Verdict};
//! use tribunal::model::builtin;
//! use tribunal::workflows::{Engine, PairJudge};
//!
//! let line = "The minister has not resigned . ||| Minister the not of resigned ! ||| The minister did not resign.";
//! let pair = Pair::parse(line, "example", 1)?;
//!
//! let judge = PairJudge::new(&Engine::new(), builtin::model()?, builtin::NAME)?;
//! let judged = judge.judge(&[pair]);
//! assert_eq!(judged[0].verdict, Verdict::First);
//! # Ok::<(), tribunal::Error>(())
//! ```
//!
//! # The way of the data
//!
//! A module a stage, each of which knows only the stages before it:
//!
//! ```text
//! files  ->  judgments  ->  text  ->  metrics  ->  features  ->  learning  ->  evaluation  ->  report
//! bytes      pairs,         tokens,   one value    one row per   a judge:      accuracy,       terminal,
//! in, out    verdicts,      n-grams   or several   hypothesis    verdicts,     intervals,      JSON,
//!            groups                   per metric                 scores        tests           HTML
//! ```
//!
//! 1. [`files`]: lines and rows of files, compressed or not; outputs that are whole or absent.
//! 2. [`judgments`] and [`formats`]: pairs and what people said of them, grouped by reference, so that no split can
//!    leak; the formats that people keep them in.
//! 3. [`text`] and [`wordnet`]: a sentence prepared once for all metrics; what is known of its words.
//! 4. [`metrics`]: one file a metric, one line each in the registry, which says all that others need to know of it.
//! 5. [`features`]: named and signed columns, one row a hypothesis.
//! 6. [`learning`] and [`learners`]: one way to learn and to cross-validate; logistic regression by linfa-logistic, and
//!    two learners that see only words.
//! 7. [`model`]: the file that holds all that a verdict depends on, and the models inside the program.
//! 8. [`evaluation`] and [`report`]: accuracy with intervals and tests over references, as a table, as JSON or as a page.
//! 9. [`workflows`]: train, judge, compare, score, correlate, explain: each one function that strings these stages
//!    together. A [`workflows::Explainer`] says why a model judges a pair as it does.
//!
//! What a metric or a format can be asked for stands in [`options`]. How fast all of it is, and why, stands in
//! [`performance`].
//!
//! The cargo feature `cli`, on by default, builds the program; a library user does without it
//! (`default-features = false`). `meteor-data`, also on by default, is what METEOR 1.5 knows of English, under the
//! LGPL 2.1. `parquet` adds tables in Parquet. The Python package, in the folder `python`, wraps the workflows and computes
//! nothing of its own.
#![forbid(unsafe_code)]
#![warn(missing_docs)]

pub mod error;
pub mod evaluation;
pub mod features;
pub mod files;
pub mod formats;
pub mod judgments;
pub mod learners;
pub mod learning;
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
