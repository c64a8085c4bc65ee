//! Stage 5a. In: what a user wants of training. Out: settings that can train. Next: training.

use serde::{Deserialize, Serialize};

use super::ties::TieRule;
use crate::error::{Error, Result};

/// What can be chosen; [`Self::check`] turns it into settings that can train.
///
/// ```
/// use tribunal::model::TrainSettings;
///
/// assert!(TrainSettings::default().folds(5).check().is_ok());
/// assert!(TrainSettings::default().folds(1).check().is_err());
/// ```
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct TrainSettings {
    folds: usize,
    inner_folds: usize,
    penalties: Vec<f64>,
    ties: TieRule,
    tolerance: f64,
    max_iterations: u64,
    seed: u64,
}

impl Default for TrainSettings {
    /// Ten folds, three inner folds, penalties from 0.3 to 0.003, ties where they are likeliest, tolerance 1e-4, seed 1.
    fn default() -> Self {
        Self {
            folds: 10,
            inner_folds: 3,
            penalties: vec![0.3, 0.1, 0.03, 0.01, 0.003],
            ties: TieRule::default(),
            tolerance: 1e-4,
            max_iterations: 1000,
            seed: 1,
        }
    }
}

impl TrainSettings {
    /// The folds of the accuracy report; at least 2.
    pub fn folds(self, folds: usize) -> Self {
        Self { folds, ..self }
    }

    /// The folds inside a training part by which the penalty and the tie rule are chosen; at least 2.
    pub fn inner_folds(self, inner_folds: usize) -> Self {
        Self { inner_folds, ..self }
    }

    /// The strengths of the L2 penalty to choose from: lambda in mean log loss + lambda/2 |W|^2. Positive, at least one.
    pub fn penalties(self, penalties: Vec<f64>) -> Self {
        Self { penalties, ..self }
    }

    /// When a model says tie.
    pub fn ties(self, ties: TieRule) -> Self {
        Self { ties, ..self }
    }

    /// The largest norm of the gradient of the mean loss at which training counts as converged; positive.
    pub fn tolerance(self, tolerance: f64) -> Self {
        Self { tolerance, ..self }
    }

    /// The most steps of the solver before training fails; at least 1.
    pub fn max_iterations(self, max_iterations: u64) -> Self {
        Self { max_iterations, ..self }
    }

    /// What folds are drawn with.
    pub fn seed(self, seed: u64) -> Self {
        Self { seed, ..self }
    }

    /// Checks every bound.
    ///
    /// # Errors
    /// The first setting that is out of its bounds.
    pub fn check(mut self) -> Result<CheckedSettings> {
        let bound = |holds: bool, setting: &str, expected: &str, found: String| {
            if holds { Ok(()) } else { Err(Error::invalid(setting, expected, found, "choose another value")) }
        };
        bound(self.folds >= 2, "folds", "2 or more", self.folds.to_string())?;
        bound(self.inner_folds >= 2, "inner folds", "2 or more", self.inner_folds.to_string())?;
        let positive = |value: f64| value.is_finite() && value > 0.0;
        let all_positive = !self.penalties.is_empty() && self.penalties.iter().all(|&penalty| positive(penalty));
        bound(all_positive, "penalties", "one or more positive numbers", format!("{:?}", self.penalties))?;
        self.ties.check()?;
        bound(positive(self.tolerance), "tolerance", "a positive number", self.tolerance.to_string())?;
        bound(self.max_iterations >= 1, "iterations", "1 or more", self.max_iterations.to_string())?;
        // From strong to weak, each fit can start where the one before it ended.
        self.penalties.sort_by(|a, b| b.total_cmp(a));
        Ok(CheckedSettings(self))
    }
}

/// Settings within their bounds, with which training can begin.
#[derive(Debug, Clone, PartialEq)]
pub struct CheckedSettings(TrainSettings);

impl CheckedSettings {
    /// The settings, for the model file.
    pub fn settings(&self) -> &TrainSettings {
        &self.0
    }

    /// See [`TrainSettings::folds`].
    pub fn folds(&self) -> usize {
        self.0.folds
    }

    /// See [`TrainSettings::inner_folds`].
    pub fn inner_folds(&self) -> usize {
        self.0.inner_folds
    }

    /// See [`TrainSettings::penalties`]; from strong to weak.
    pub fn penalties(&self) -> &[f64] {
        &self.0.penalties
    }

    /// See [`TrainSettings::ties`].
    pub fn ties(&self) -> TieRule {
        self.0.ties
    }

    /// See [`TrainSettings::tolerance`].
    pub fn tolerance(&self) -> f64 {
        self.0.tolerance
    }

    /// See [`TrainSettings::max_iterations`].
    pub fn max_iterations(&self) -> u64 {
        self.0.max_iterations
    }

    /// See [`TrainSettings::seed`].
    pub fn seed(&self) -> u64 {
        self.0.seed
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_bound_is_checked() {
        let start = TrainSettings::default;
        for (settings, place) in [
            (start().folds(1), "folds"),
            (start().inner_folds(1), "inner folds"),
            (start().penalties(vec![]), "penalties"),
            (start().penalties(vec![1.0, 0.0]), "penalties"),
            (start().penalties(vec![f64::NAN]), "penalties"),
            (start().ties(TieRule::Share(1.5)), "ties"),
            (start().tolerance(0.0), "tolerance"),
            (start().tolerance(f64::INFINITY), "tolerance"),
            (start().max_iterations(0), "iterations"),
        ] {
            let message = settings.check().unwrap_err().to_string();
            assert!(message.starts_with(&format!("{place}: ")), "{message}");
        }
        assert!(start().check().is_ok());
    }

    #[test]
    fn penalties_go_from_strong_to_weak() {
        let checked = TrainSettings::default().penalties(vec![0.1, 10.0, 1.0]).check().unwrap();
        assert_eq!(checked.penalties(), [10.0, 1.0, 0.1]);
    }
}
