//! Learning from judgments, whatever the learner: a [`Learner`] fits a table and returns a [`Predictor`];
//! [`cross_validate`] splits by reference, and tunes the strength of regularisation and the rule for ties inside each
//! training part. The learners are in [`crate::learners`].
//!
//! A [`Validation`] holds the settings, [`Folds`] split no group, a [`TieRule`] decides when the verdict is a tie, and a
//! [`ScoreScale`] maps a model's preference to a score from 0 to 100.

pub(crate) mod coverage;
pub(crate) mod folds;
pub(crate) mod learner;
pub(crate) mod scale;
pub(crate) mod ties;
mod tuning;
pub(crate) mod validation;

pub use coverage::{Coverage, confidence_for, coverage};
pub use folds::{Folds, GroupSample, fit_folds, split};
pub use learner::{Labelled, Learner, Predictor};
pub use scale::ScoreScale;
pub use ties::TieRule;
pub use tuning::{MAX_TUNING_PAIRS, TunedHyperparameters};
pub use validation::{
    CURVE_SHARES, CurvePoint, OutOfFold, Phase, Trained, Validation, cross_validate, fit, learning_curve, train,
};
