//! In: training data. Out: the verdicts that fewer references would give. Next: report.

use super::draw::Draw;
use super::folds::Folds;
use super::learner::{Judge, Labelled, Learner};
use super::parallel;
use super::settings::CheckedValidation;
use super::validation;
use crate::error::Result;
use crate::judgments::Verdict;

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
pub(super) const SHARES: [f64; 4] = [0.125, 0.25, 0.5, 1.0];

/// The number of points of a learning curve.
pub const POINTS: usize = SHARES.len();

/// Cross-validates with an eighth, a quarter, a half and all of the groups in every training part, drawn with the seed.
/// `progress` receives the number of finished points, of [`POINTS`].
///
/// # Errors
/// Any error of [`validation::train`].
pub fn learning_curve<L: Learner>(
    learner: &L,
    data: Labelled<'_, L::Table>,
    folds: &Folds,
    settings: &CheckedValidation,
    progress: &(dyn Fn(usize) + Sync),
) -> Result<Vec<CurvePoint>> {
    let point = |(done, share): (usize, f64)| {
        let of_fold = |fold: usize| -> Result<(usize, Vec<Verdict>)> {
            let drawn = Draw::share(data.groups, &folds.without(&[fold]), share, settings.seed() + fold as u64);
            let trained = validation::train(learner, data, &drawn.rows, settings)?;
            let judge = |row| trained.judge.probabilities(data.table, row).verdict_with(trained.tie_factor);
            Ok((drawn.groups, folds.rows(fold).into_iter().map(judge).collect()))
        };
        let rows = (share * data.len() as f64) as usize;
        let judged = parallel::fits(learner, data, rows, folds.count, of_fold)?;
        let groups = judged.iter().map(|(groups, _)| *groups as f64).sum::<f64>() / folds.count as f64;
        let verdicts = folds.gather(judged.into_iter().map(|(_, verdicts)| verdicts).collect());
        progress(done + 1);
        Ok(CurvePoint { share, groups, verdicts })
    };
    SHARES.into_iter().enumerate().map(point).collect()
}
