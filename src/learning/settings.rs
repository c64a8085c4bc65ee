//! In: the user's settings of cross-validation. Out: checked settings. Next: validation.

use serde::{Deserialize, Serialize};

use super::ties::TieRule;
use crate::error::{Error, Result};

/// Settings of cross-validation; [`Self::check`] turns them into settings that it accepts.
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
    /// Ten folds, three inner folds, the likeliest verdict for ties, seed 1.
    fn default() -> Self {
        Self { folds: 10, inner_folds: 3, ties: TieRule::default(), seed: 1 }
    }
}

impl Validation {
    /// The number of folds for the accuracy report; at least 2.
    pub fn folds(self, folds: usize) -> Self {
        Self { folds, ..self }
    }

    /// The number of folds inside a training part, on which the strength of regularisation and the tie factor are
    /// chosen; at least 2.
    pub fn inner_folds(self, inner_folds: usize) -> Self {
        Self { inner_folds, ..self }
    }

    /// When a judge's verdict is a tie.
    pub fn ties(self, ties: TieRule) -> Self {
        Self { ties, ..self }
    }

    /// Seed for the folds.
    pub fn seed(self, seed: u64) -> Self {
        Self { seed, ..self }
    }

    /// Checks every bound.
    ///
    /// # Errors
    /// The first setting that is out of bounds.
    pub fn check(self) -> Result<CheckedValidation> {
        bound(self.folds >= 2, "folds", "2 or more", &self.folds.to_string())?;
        bound(self.inner_folds >= 2, "inner folds", "2 or more", &self.inner_folds.to_string())?;
        self.ties.check()?;
        Ok(CheckedValidation(self))
    }
}

/// Refuses a setting that is out of bounds.
pub(crate) fn bound(holds: bool, setting: &str, expected: &str, found: &str) -> Result<()> {
    if holds { Ok(()) } else { Err(Error::invalid(setting, expected, found, "choose another value")) }
}

/// Settings that have been checked.
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
