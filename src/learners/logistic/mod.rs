//! Multinomial logistic regression: learns a [`LinearModel`] from the features of pairs.
//!
//! Let f(h, r) in R^d be the features of one hypothesis. For a pair, x = f(h1, r) - f(h2, r) changes its sign when the
//! hypotheses are swapped, and t(h1, h2) does not. With classes 1, 0, -1 the logits are
//!
//! ```text
//! z(1) = w.x + u.t + c        z(0) = v.t + b        z(-1) = -w.x + u.t + c
//! ```
//!
//! Swapping the hypotheses thus swaps the verdict and its probabilities exactly, and s(h, r) = w.f(h, r) is a metric of
//! its own. The weights minimise the weighted mean log loss + penalty/2 |W|^2 over pairs and their mirror images;
//! intercepts are not penalised. The weights of scores, precision and recall are at least 0 and those of faults at most
//! 0, see [`Bound`]: what holds for every campaign of judgments need not be learned from each.
//!
//! [`scales`] brings features to a common scale and damps those of long texts, a [`Design`] holds the scaled rows,
//! [`Weights`] are the formula above, `fit` finds them with Newton's method and linfa-logistic, and [`model`] applies them. A
//! [`LabelCurve`] tells which label a single output is expected to have.

pub mod design;
mod fit;
mod label_curve;
pub mod model;
mod newton;
pub mod scales;
pub mod weights;

use serde::{Deserialize, Serialize};

pub use design::{Bound, Columns, Design};
pub use label_curve::{FeatureTerm, LabelCurve, ScoredOutputs};
pub use model::{FamilyShare, LinearModel};
pub use scales::Scale;
pub use weights::{Logits, Weights};

use crate::error::{Error, Result};
use crate::features::Table;
use crate::judgments::Probabilities;
use crate::learning::{Labelled, Learner};
use fit::fit;
use newton::Stop;

/// The name of this learner in reports and model files.
pub const NAME: &str = "logistic-regression";

/// The tolerance for comparing penalties and sets of features, as a multiple of that of a fit.
const SELECTION_TOLERANCE: f64 = 20.0;

/// Settings of the fit, which [`LogisticRegression::new`] checks.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct LogisticSettings {
    /// The L2 penalties to choose from: lambda in mean log loss + lambda/2 |W|^2. At least one, all positive.
    pub penalties: Vec<f64>,
    /// The largest norm of the gradient of the mean loss at which a fit counts as converged; positive.
    pub tolerance: f64,
    /// The most iterations of the solver before a fit fails; at least 1.
    pub max_iterations: u64,
    /// Whether the weights of scores, precision and recall are at least 0 and those of faults at most 0, see [`Bound`].
    pub monotone: bool,
}

impl Default for LogisticSettings {
    /// Penalties from 0.3 to 0.003, tolerance 1e-6, at most 1000 iterations, monotone.
    fn default() -> Self {
        Self { penalties: vec![0.3, 0.1, 0.03, 0.01, 0.003], tolerance: 1e-6, max_iterations: 1000, monotone: true }
    }
}

/// The learner.
#[derive(Debug, Clone)]
pub struct LogisticRegression {
    /// Checked, with the penalties from strong to weak, so that each fit can start where the previous one ended.
    settings: LogisticSettings,
}

impl LogisticRegression {
    /// A learner with these settings.
    ///
    /// # Errors
    /// The first setting that is out of bounds.
    pub fn new(mut settings: LogisticSettings) -> Result<Self> {
        let LogisticSettings { penalties, tolerance, max_iterations, .. } = &settings;
        let positive = |value: &f64| value.is_finite() && *value > 0.0;
        let out_of_bounds = |setting: &str, expected: &str, found: String| {
            Err(Error::invalid(setting, expected, found, "choose another value"))
        };
        if penalties.is_empty() || !penalties.iter().all(positive) {
            return out_of_bounds("penalties", "one or more positive numbers", format!("{penalties:?}"));
        }
        if !positive(tolerance) {
            return out_of_bounds("tolerance", "a positive number", tolerance.to_string());
        }
        if *max_iterations == 0 {
            return out_of_bounds("iterations", "1 or more", max_iterations.to_string());
        }
        settings.penalties.sort_by(|a, b| b.total_cmp(a));
        Ok(Self { settings })
    }

    fn design(&self, data: Labelled<'_, Table>, rows: &[usize], scales: &[Scale]) -> Design {
        let mut design = Design::new(data, rows, scales);
        if !self.settings.monotone {
            design.bounds.fill(Bound::Free);
        }
        design
    }

    fn stop(&self) -> Stop {
        Stop { tolerance: self.settings.tolerance, max_iterations: self.settings.max_iterations, is_final: true }
    }

    /// For models to choose by.
    fn loose_stop(&self) -> Stop {
        Stop { tolerance: SELECTION_TOLERANCE * self.settings.tolerance, is_final: false, ..self.stop() }
    }

    /// Fits one penalty after another, each from the weights of the previous one, the first from `start`.
    fn fit_each(
        &self,
        data: Labelled<'_, Table>,
        rows: &[usize],
        penalties: &[f64],
        stop: Stop,
        start: Option<&LinearModel>,
    ) -> Result<Vec<LinearModel>> {
        let rows = data.with_positive_weight(rows);
        let scales = Scale::measure(data, &rows);
        let design = self.design(data, &rows, &scales);
        let mut models: Vec<LinearModel> = Vec::with_capacity(penalties.len());
        for &penalty in penalties {
            let start = models.last().or(start).map(|model| &model.weights);
            let fitted = fit(&design, penalty, stop, start)?;
            models.push(LinearModel { scales: scales.clone(), weights: fitted.weights, gradient: fitted.gradient });
        }
        Ok(models)
    }

    /// For each subset of the columns, the probabilities of the held-out rows by a model of that subset, trained well
    /// enough to be compared. Rows are scaled once. Weights of columns that `start` lacks start from 0.
    ///
    /// # Errors
    /// Nothing can be learned from the rows.
    pub fn fit_subsets(
        &self,
        data: Labelled<'_, Table>,
        split: Split<'_>,
        strength: f64,
        start: WarmStart<'_>,
        subsets: &[Columns],
    ) -> Result<Vec<Vec<Probabilities>>> {
        let training = data.with_positive_weight(split.training);
        let scales = Scale::measure(data, &training);
        let (design, held_out) = (self.design(data, &training, &scales), self.design(data, split.held_out, &scales));
        let size = (design.hypothesis_columns, design.rows.ncols() - design.hypothesis_columns);
        let start = start.model.weights.scatter_columns(start.columns, size);
        let judged = |columns: &Columns| {
            let start = start.select_columns(columns);
            let fitted = fit(&design.select_columns(columns), strength, self.loose_stop(), Some(&start))?;
            let weights = fitted.weights.scatter_columns(columns, size);
            let given = |pair| {
                let (x, t) = held_out.split(pair);
                weights.logits(x, t).probabilities()
            };
            Ok((0..held_out.len()).map(given).collect())
        };
        subsets.iter().map(judged).collect()
    }
}

/// The rows of a table by what they are for.
#[derive(Debug, Clone, Copy)]
pub struct Split<'a> {
    /// Those to learn from.
    pub training: &'a [usize],
    /// Those to predict.
    pub held_out: &'a [usize],
}

/// A model that was learned from the same rows.
#[derive(Debug, Clone, Copy)]
pub struct WarmStart<'a> {
    /// The model.
    pub model: &'a LinearModel,
    /// The columns that it learned from.
    pub columns: &'a Columns,
}

impl Learner for LogisticRegression {
    type Table = Table;
    type Predictor = LinearModel;

    fn name(&self) -> &'static str {
        NAME
    }

    fn strengths(&self) -> &[f64] {
        &self.settings.penalties
    }

    /// The penalty is relative to the mean loss.
    fn strength_for_part(&self, strength: f64, times: f64) -> f64 {
        strength * times
    }

    fn fit(
        &self,
        data: Labelled<'_, Table>,
        rows: &[usize],
        strength: f64,
        start: Option<&LinearModel>,
    ) -> Result<LinearModel> {
        Ok(self.fit_each(data, rows, &[strength], self.stop(), start)?.remove(0))
    }

    fn fit_loosely(
        &self,
        data: Labelled<'_, Table>,
        rows: &[usize],
        strengths: &[f64],
        start: Option<&LinearModel>,
    ) -> Result<Vec<LinearModel>> {
        self.fit_each(data, rows, strengths, self.loose_stop(), start)
    }

    /// Rows are scaled once, and doubled for linfa.
    fn bytes(&self, table: &Table, rows: usize) -> usize {
        3 * size_of::<f64>() * rows * table.model_columns().iter().sum::<usize>()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn settings_are_checked_and_penalties_go_from_strong_to_weak() {
        let start = LogisticSettings::default;
        for (settings, place) in [
            (LogisticSettings { penalties: vec![], ..start() }, "penalties"),
            (LogisticSettings { penalties: vec![1.0, 0.0], ..start() }, "penalties"),
            (LogisticSettings { penalties: vec![f64::NAN], ..start() }, "penalties"),
            (LogisticSettings { tolerance: 0.0, ..start() }, "tolerance"),
            (LogisticSettings { tolerance: f64::INFINITY, ..start() }, "tolerance"),
            (LogisticSettings { max_iterations: 0, ..start() }, "iterations"),
        ] {
            let message = LogisticRegression::new(settings).unwrap_err().to_string();
            assert!(message.starts_with(&format!("{place}: ")), "{message}");
        }
        let learner = LogisticRegression::new(LogisticSettings { penalties: vec![0.1, 10.0, 1.0], ..start() }).unwrap();
        assert_eq!(learner.strengths(), [10.0, 1.0, 0.1]);
    }
}
