//! In: what a user wants of cross-validation. Out: settings within their bounds. Next: validation.

use serde::{Deserialize, Serialize};

use super::ties::TieRule;
use crate::error::{Error, Result};

/// What can be chosen; [`Self::check`] turns it into settings that cross-validation takes.
///
/// ```
/// use tribunal::learning::Validation;
///
/// assert!(Validation::default().folds(5).check().is_ok());
/// assert!(Validation::default().folds(1).check().is_err());
/// ```
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Validation {
    folds: usize,
    inner_folds: usize,
    ties: TieRule,
    seed: u64,
}

impl Default for Validation {
    /// Ten folds, three inner folds, ties where they are likeliest, seed 1.
    fn default() -> Self {
        Self { folds: 10, inner_folds: 3, ties: TieRule::default(), seed: 1 }
    }
}

impl Validation {
    /// The folds of the accuracy report; at least 2.
    pub fn folds(self, folds: usize) -> Self {
        Self { folds, ..self }
    }

    /// The folds inside a training part by which the strength of regularisation and the tie rule are chosen; at least
    /// 2.
    pub fn inner_folds(self, inner_folds: usize) -> Self {
        Self { inner_folds, ..self }
    }

    /// When a judge says tie.
    pub fn ties(self, ties: TieRule) -> Self {
        Self { ties, ..self }
    }

    /// What folds are drawn with.
    pub fn seed(self, seed: u64) -> Self {
        Self { seed, ..self }
    }

    /// Checks every bound.
    ///
    /// # Errors
    /// The first setting that is out of its bounds.
    pub fn check(self) -> Result<CheckedValidation> {
        bound(self.folds >= 2, "folds", "2 or more", &self.folds.to_string())?;
        bound(self.inner_folds >= 2, "inner folds", "2 or more", &self.inner_folds.to_string())?;
        self.ties.check()?;
        Ok(CheckedValidation(self))
    }
}

/// The complaint about a setting that is out of its bounds.
pub(crate) fn bound(holds: bool, setting: &str, expected: &str, found: &str) -> Result<()> {
    if holds { Ok(()) } else { Err(Error::invalid(setting, expected, found, "choose another value")) }
}

/// Settings within their bounds.
#[derive(Debug, Clone, PartialEq)]
pub struct CheckedValidation(Validation);

impl CheckedValidation {
    /// The settings, for the model file.
    pub fn settings(&self) -> &Validation {
        &self.0
    }

    /// See [`Validation::folds`].
    pub fn folds(&self) -> usize {
        self.0.folds
    }

    /// See [`Validation::inner_folds`].
    pub fn inner_folds(&self) -> usize {
        self.0.inner_folds
    }

    /// See [`Validation::ties`].
    pub fn ties(&self) -> TieRule {
        self.0.ties
    }

    /// See [`Validation::seed`].
    pub fn seed(&self) -> u64 {
        self.0.seed
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_bound_is_checked() {
        let start = Validation::default;
        for (settings, place) in [
            (start().folds(1), "folds"),
            (start().inner_folds(1), "inner folds"),
            (start().ties(TieRule::Share(1.5)), "ties"),
        ] {
            let message = settings.check().unwrap_err().to_string();
            assert!(message.starts_with(&format!("{place}: ")), "{message}");
        }
        assert!(start().check().is_ok());
    }
}
