//! Learning. In: a table of pairs with labels, groups and weights. Out: a judge, and verdicts on pairs that training
//! did not see. Next: [`crate::learners`], [`crate::model`].
//!
//! The same for every way of learning: a [`Learner`] fits a table and gives a [`Judge`]; [`cross_validate`] splits by
//! reference, chooses the strength of regularisation and the rule for ties inside each training part, and never asks
//! what kind of learner it has. Which learners there are stands in [`crate::learners`].
//!
//! [`Validation`] are its settings, [`Folds`] split no group, a [`Choice`] is made on rows that training did not see, a
//! [`TieRule`] says when to say tie, and a [`ScoreScale`] makes a score from 0 to 100 of a judge's preference.

pub(crate) mod choice;
pub(crate) mod curve;
pub(crate) mod draw;
pub(crate) mod folds;
pub(crate) mod learner;
pub(crate) mod parallel;
pub(crate) mod quick;
pub(crate) mod scale;
pub(crate) mod settings;
mod split;
pub(crate) mod ties;
pub(crate) mod validation;

pub use choice::{Choice, MOST_PAIRS};
pub use curve::CurvePoint;
pub(crate) use draw::Draw;
pub use folds::Folds;
pub use learner::{Judge, Labelled, Learner};
pub use scale::ScoreScale;
pub use settings::{CheckedValidation, Validation};
pub use ties::TieRule;
pub use validation::{OutOfFold, Phase, Trained, cross_validate, fit, train};
