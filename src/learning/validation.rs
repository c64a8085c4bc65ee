//! Cross-validation: trains models, and predicts every pair by one that was trained without its reference.

use std::sync::atomic::{AtomicUsize, Ordering};

use serde::{Deserialize, Serialize};

use super::folds::{Folds, GroupSample, fit_folds};
use super::learner::{Labelled, Learner, Predictor};
use super::ties::TieRule;
use super::tuning::{TunedHyperparameters, ValidationScores, tuned};
use crate::error::{Error, Result};
use crate::judgments::{Probabilities, Verdict};

/// Settings of cross-validation.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Validation {
    /// The number of folds for the accuracy report; at least 2.
    pub folds: usize,
    /// When a model's verdict is a tie.
    pub ties: TieRule,
    /// Seed for folds and samples.
    pub seed: u64,
}

impl Default for Validation {
    /// Ten folds, the likeliest verdict for ties, seed 1.
    fn default() -> Self {
        Self { folds: 10, ties: TieRule::default(), seed: 1 }
    }
}

impl Validation {
    /// Checks every bound.
    ///
    /// # Errors
    /// The first setting that is out of bounds.
    pub fn check(&self) -> Result<()> {
        if self.folds < 2 {
            return Err(Error::invalid("folds", "2 or more", self.folds.to_string(), "choose another value"));
        }
        self.ties.check()
    }
}

/// A model with its hyperparameters.
#[derive(Debug, Clone, PartialEq)]
pub struct Trained<J> {
    /// The model.
    pub model: J,
    /// See [`TieRule`].
    pub tie_factor: f64,
    /// The chosen strength of regularisation.
    pub strength: f64,
}

/// Trains on all rows, with hyperparameters tuned on held-out groups.
///
/// # Errors
/// Nothing can be learned, or training does not converge.
pub fn train<L: Learner>(
    learner: &L,
    data: Labelled<'_, L::Table>,
    settings: &Validation,
) -> Result<Trained<L::Predictor>> {
    let all: Vec<usize> = (0..data.len()).collect();
    let scores = ValidationScores::measure(learner, data, &all, settings.ties, settings.seed)?;
    fit(learner, data, &tuned(&[&scores], learner.strengths(), settings.ties))
}

/// Trains on all rows with given hyperparameters.
///
/// # Errors
/// Nothing can be learned, or training does not converge.
pub fn fit<L: Learner>(
    learner: &L,
    data: Labelled<'_, L::Table>,
    tuned: &TunedHyperparameters<L::Predictor>,
) -> Result<Trained<L::Predictor>> {
    let all: Vec<usize> = (0..data.len()).collect();
    let model = learner.fit(data, &all, tuned.strength, tuned.start.as_ref())?;
    Ok(Trained { model, tie_factor: tuned.tie_factor, strength: tuned.strength })
}

/// The result of cross-validation.
#[derive(Debug, Clone, PartialEq)]
pub struct OutOfFold<J> {
    /// The probabilities for every pair, from a model that was trained without its reference.
    pub probabilities: Vec<Probabilities>,
    /// The verdicts of the same models.
    pub verdicts: Vec<Verdict>,
    /// The model of each fold.
    pub models: Vec<J>,
    /// The hyperparameters of each fold, tuned on the other folds.
    pub tuned: Vec<TunedHyperparameters<J>>,
    /// The hyperparameters for all pairs, by the results of all folds.
    pub tuned_on_all: TunedHyperparameters<J>,
}

/// The phases of cross-validation, in order.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Phase {
    /// Tuning strengths and tie factors.
    Tuning,
    /// Judging the folds.
    Judging,
}

/// Trains on all folds but one and predicts that one, for each fold in turn. No group is split. `progress` receives the
/// number of finished folds of each phase.
///
/// # Errors
/// Nothing can be learned without one of the folds, or training does not converge.
pub fn cross_validate<L: Learner>(
    learner: &L,
    data: Labelled<'_, L::Table>,
    folds: &Folds,
    settings: &Validation,
    progress: &(dyn Fn(Phase, usize) + Sync),
) -> Result<OutOfFold<L::Predictor>> {
    let (strengths, ties) = (learner.strengths(), settings.ties);
    let count = FoldCounter::new(Phase::Tuning, progress);
    let validate = |fold: usize| {
        let rows = folds.without(fold);
        data.check_decided(&rows, || format!("the part without fold {} of {}", fold + 1, folds.count))?;
        count.counted(ValidationScores::measure(learner, data, &rows, ties, settings.seed + fold as u64))
    };
    let scores = fit_folds(folds, learner, data, data.len(), validate)?;
    let choices: Vec<_> = scores.iter().map(|scores| tuned(&[scores], strengths, ties)).collect();

    let count = FoldCounter::new(Phase::Judging, progress);
    let model = |fold: usize| {
        let TunedHyperparameters { strength, tie_factor, start } = &choices[fold];
        let model = learner.fit(data, &folds.without(fold), *strength, start.as_ref())?;
        let verdict = |row| {
            let given = model.probabilities(data.table, row);
            (given, given.verdict_with(*tie_factor))
        };
        let judged: Vec<_> = folds.rows(fold).into_iter().map(verdict).collect();
        count.counted(Ok((model, judged)))
    };
    let (models, judged) = fit_folds(folds, learner, data, data.len(), model)?.into_iter().unzip();
    let (probabilities, verdicts) = folds.gather(judged).into_iter().unzip();
    let tuned_on_all = tuned(&scores.iter().collect::<Vec<_>>(), strengths, ties);
    Ok(OutOfFold { probabilities, verdicts, models, tuned: choices, tuned_on_all })
}

/// Counts finished folds and reports them, starting with none.
struct FoldCounter<'p> {
    phase: Phase,
    done: AtomicUsize,
    progress: &'p (dyn Fn(Phase, usize) + Sync),
}

impl<'p> FoldCounter<'p> {
    fn new(phase: Phase, progress: &'p (dyn Fn(Phase, usize) + Sync)) -> Self {
        progress(phase, 0);
        Self { phase, done: AtomicUsize::new(0), progress }
    }

    /// Counts one fold, with its result.
    fn counted<R>(&self, result: Result<R>) -> Result<R> {
        (self.progress)(self.phase, self.done.fetch_add(1, Ordering::Relaxed) + 1);
        result
    }
}

/// The result of training on a fraction of the references.
#[derive(Debug, Clone, PartialEq)]
pub struct CurvePoint {
    /// The fraction of each training part's groups.
    pub share: f64,
    /// The mean number of training groups.
    pub groups: f64,
    /// One verdict per pair, out of fold.
    pub verdicts: Vec<Verdict>,
}

/// The fractions of the references in the learning curve.
pub const CURVE_SHARES: [f64; 4] = [0.125, 0.25, 0.5, 1.0];

/// Trains on an eighth, a quarter, a half and all of the groups of every training part, drawn with the seed.
///
/// Every fold keeps its strength and tie factor, and its model is the start. A strength was tuned for all rows: against
/// fewer rows the same prior weighs more, see [`Learner::strength_for_part`]. The last point has the verdicts of
/// `known`. `progress` receives the number of finished points, of [`CURVE_SHARES`].
///
/// # Errors
/// As [`Learner::fit_loosely`].
pub fn learning_curve<L: Learner>(
    learner: &L,
    data: Labelled<'_, L::Table>,
    folds: &Folds,
    known: &OutOfFold<L::Predictor>,
    seed: u64,
    progress: &dyn Fn(usize),
) -> Result<Vec<CurvePoint>> {
    let point = |(done, share): (usize, f64)| {
        let of_fold = |fold: usize| {
            let all = folds.without(fold);
            let sample = GroupSample::share(data.groups, &all, share, seed + fold as u64);
            if share >= 1.0 {
                let verdicts = folds.rows(fold).into_iter().map(|row| known.verdicts[row]).collect();
                return Ok((sample.groups, verdicts));
            }
            let times = all.len() as f64 / sample.rows.len() as f64;
            let (tuned, start) = (&known.tuned[fold], Some(&known.models[fold]));
            let strength = learner.strength_for_part(tuned.strength, times);
            let model = learner.fit_loosely(data, &sample.rows, &[strength], start)?.remove(0);
            let verdict = |row| model.probabilities(data.table, row).verdict_with(tuned.tie_factor);
            Ok((sample.groups, folds.rows(fold).into_iter().map(verdict).collect()))
        };
        let rows = (share * data.len() as f64) as usize;
        let judged: Vec<(usize, Vec<Verdict>)> = fit_folds(folds, learner, data, rows, of_fold)?;
        let groups = judged.iter().map(|(groups, _)| *groups as f64).sum::<f64>() / folds.count as f64;
        let verdicts = folds.gather(judged.into_iter().map(|(_, verdicts)| verdicts).collect());
        progress(done + 1);
        Ok(CurvePoint { share, groups, verdicts })
    };
    // A small part may hold ties alone, from which nothing is learned.
    let has_preferences = |fold: usize, share: f64| {
        let rows = GroupSample::share(data.groups, &folds.without(fold), share, seed + fold as u64).rows;
        rows.into_iter().any(|row| data.labels[row] != Verdict::Tie)
    };
    let can_learn = |(_, share): &(usize, f64)| (0..folds.count).all(|fold| has_preferences(fold, *share));
    CURVE_SHARES.into_iter().enumerate().filter(can_learn).map(point).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_bound_is_checked() {
        let start = Validation::default;
        for (settings, place) in [
            (Validation { folds: 1, ..start() }, "folds"),
            (Validation { ties: TieRule::Share(1.5), ..start() }, "ties"),
        ] {
            let message = settings.check().unwrap_err().to_string();
            assert!(message.starts_with(&format!("{place}: ")), "{message}");
        }
        assert!(start().check().is_ok());
    }
}
