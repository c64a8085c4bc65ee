//! In: the user's settings of the fit. Out: checked settings. Next: solver.

use serde::{Deserialize, Serialize};

use crate::error::Result;
use crate::learning::settings::bound;

/// Settings of the fit; [`Self::check`] turns them into settings that a learner accepts.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct LogisticSettings {
    penalties: Vec<f64>,
    tolerance: f64,
    max_iterations: u64,
    monotone: bool,
}

impl Default for LogisticSettings {
    /// Penalties from 0.3 to 0.003, tolerance 1e-4, at most 1000 iterations, monotone.
    fn default() -> Self {
        Self { penalties: vec![0.3, 0.1, 0.03, 0.01, 0.003], tolerance: 1e-4, max_iterations: 1000, monotone: true }
    }
}

impl LogisticSettings {
    /// The L2 penalties to choose from: lambda in mean log loss + lambda/2 |W|^2. At least one, all positive.
    pub fn penalties(self, penalties: Vec<f64>) -> Self {
        Self { penalties, ..self }
    }

    /// The largest norm of the gradient of the mean loss at which a fit counts as converged; positive.
    pub fn tolerance(self, tolerance: f64) -> Self {
        Self { tolerance, ..self }
    }

    /// The most iterations of the solver before a fit fails; at least 1.
    pub fn max_iterations(self, max_iterations: u64) -> Self {
        Self { max_iterations, ..self }
    }

    /// Whether the weights of scores, precision and recall are at least 0 and those of faults at most 0, see
    /// [`super::bounds`].
    pub fn monotone(self, monotone: bool) -> Self {
        Self { monotone, ..self }
    }

    /// Checks every bound.
    ///
    /// # Errors
    /// The first setting that is out of bounds.
    pub fn check(mut self) -> Result<CheckedLogistic> {
        let positive = |value: f64| value.is_finite() && value > 0.0;
        let all_positive = !self.penalties.is_empty() && self.penalties.iter().all(|&penalty| positive(penalty));
        bound(all_positive, "penalties", "one or more positive numbers", &format!("{:?}", self.penalties))?;
        bound(positive(self.tolerance), "tolerance", "a positive number", &self.tolerance.to_string())?;
        bound(self.max_iterations >= 1, "iterations", "1 or more", &self.max_iterations.to_string())?;
        // From strong to weak, so that each fit can start where the previous one ended.
        self.penalties.sort_by(|a, b| b.total_cmp(a));
        Ok(CheckedLogistic(self))
    }
}

/// Settings that have been checked.
#[derive(Debug, Clone, PartialEq)]
pub struct CheckedLogistic(LogisticSettings);

impl CheckedLogistic {
    /// The settings, for the model file.
    pub fn settings(&self) -> &LogisticSettings {
        &self.0
    }

    /// See [`LogisticSettings::penalties`]; from strong to weak.
    pub fn penalties(&self) -> &[f64] {
        &self.0.penalties
    }

    /// See [`LogisticSettings::tolerance`].
    pub fn tolerance(&self) -> f64 {
        self.0.tolerance
    }

    /// See [`LogisticSettings::monotone`].
    pub fn is_monotone(&self) -> bool {
        self.0.monotone
    }

    /// See [`LogisticSettings::max_iterations`].
    pub fn max_iterations(&self) -> u64 {
        self.0.max_iterations
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_bound_is_checked() {
        let start = LogisticSettings::default;
        for (settings, place) in [
            (start().penalties(vec![]), "penalties"),
            (start().penalties(vec![1.0, 0.0]), "penalties"),
            (start().penalties(vec![f64::NAN]), "penalties"),
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
        let checked = LogisticSettings::default().penalties(vec![0.1, 10.0, 1.0]).check().unwrap();
        assert_eq!(checked.penalties(), [10.0, 1.0, 0.1]);
    }
}
