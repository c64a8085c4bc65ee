//! Learning. In: a table of pairs with labels, groups and weights. Out: a judge, and verdicts on pairs that training did
//! not see. Next: [`crate::learners`], [`crate::model`].
//!
//! The same for every way of learning: a [`Learner`] fits a table and gives a [`Judge`]; [`cross_validate`] splits by
//! reference, chooses the strength of regularisation and the rule for ties inside each training part, and never asks what
//! kind of learner it has. Which learners there are stands in [`crate::learners`].
//!
//! [`validation`] trains on some folds and judges the others, [`choice`] compares strengths of regularisation, [`ties`]
//! says when to say tie, [`scale`] makes a score from 0 to 100 of a judge's preference, [`curve`] says what more
//! references are worth.

pub mod choice;
pub mod curve;
pub mod folds;
pub mod learner;
pub mod scale;
pub mod settings;
pub mod ties;
pub mod validation;

pub use choice::Choice;
pub use folds::Folds;
pub use learner::{Judge, Labelled, Learner};
pub use scale::ScoreScale;
pub use settings::{CheckedValidation, Validation};
pub use ties::TieRule;
pub use validation::{OutOfFold, Trained, cross_validate, fit, train};
