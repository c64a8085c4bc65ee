//! Learning. In: a table of pairs with labels, groups and weights. Out: a judge, and out-of-fold verdicts. Next:
//! [`crate::learners`], [`crate::model`].
//!
//! This module is independent of the kind of learner. A [`Learner`] fits a table and returns a [`Judge`];
//! [`cross_validate`] splits by reference, and chooses the strength of regularisation and the rule for ties inside each
//! training part. The learners are in [`crate::learners`].
//!
//! A [`Validation`] holds the settings, [`Folds`] split no group, a [`Choice`] is made on held-out rows, a [`TieRule`]
//! decides when the verdict is a tie, and a [`ScoreScale`] maps a judge's preference to a score from 0 to 100.

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
