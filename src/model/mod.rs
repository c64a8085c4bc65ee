//! Stage 5. In: rows of features and what people said. Out: a [`Model`] that gives verdicts and scores. Next:
//! [`crate::evaluation`].
//!
//! Let f(h, r) in R^d be the features of one hypothesis. For a pair, x = f(h1, r) - f(h2, r) changes sign when the
//! hypotheses change places, and t(h1, h2) does not. With classes 1, 0, -1 the logits are
//!
//! ```text
//! z(1) = w.x + u.t + c        z(0) = v.t + b        z(-1) = -w.x + u.t + c
//! ```
//!
//! so that swapping the hypotheses swaps the verdict and its probabilities, exactly, and s(h, r) = w.f(h, r) is a metric
//! of its own, [`metric`]. [`settings`] are what can be chosen, [`training`] is the only place that knows linfa, [`penalty`]
//! compares penalties, [`validation`] trains on some folds and judges the others, [`ties`] says when to say tie, [`weights`]
//! is the formula above, [`mod@file`] keeps it, [`studies`] say what features and judgments are worth.

pub mod builtin;
pub mod checksum;
mod descent;
pub mod design;
pub mod file;
pub mod metric;
pub mod penalty;
pub mod settings;
pub mod studies;
pub mod ties;
pub mod training;
pub mod validation;
pub mod weights;

pub use file::{Model, Training};
pub use metric::{LearnedMetric, ScoreScale};
pub use settings::{CheckedSettings, TrainSettings};
pub use ties::TieRule;
pub use weights::{Probabilities, Weights};
