//! In: the choices and judges of cross-validation. Out: an approximate learning curve, in a fraction of the time. Next:
//! report.
//!
//! Every fold keeps its strength and tie factor; training starts from the fold's judge and ends as soon as accuracies
//! can be compared: see [`Learner::approach`].

use super::curve::{CurvePoint, SHARES};
use super::draw::Draw;
use super::folds::Folds;
use super::learner::{Judge, Labelled, Learner};
use super::parallel;
use super::settings::CheckedValidation;
use super::validation::OutOfFold;
use crate::error::Result;
use crate::judgments::Verdict;

/// [`learning_curve`](super::curve::learning_curve) with the earlier choices; the last point has the earlier verdicts.
///
/// A strength was chosen for all rows. Against fewer rows the same prior weighs more, so a part of the rows is learned
/// with a proportionally larger strength. On 7,319 pairs of WMT (`wmt-pairs/train`) accuracies differ by at most 0.18
/// points from those of the full curve, whose intervals are 3.5 points wide.
///
/// # Errors
/// Any error of [`Learner::approach`].
pub fn learning_curve_again<L: Learner>(
    learner: &L,
    data: Labelled<'_, L::Table>,
    folds: &Folds,
    known: &OutOfFold<L::Judge>,
    settings: &CheckedValidation,
) -> Result<Vec<CurvePoint>> {
    let point = |share: f64| {
        let of_fold = |fold: usize| {
            let all = folds.without(&[fold]);
            let drawn = Draw::share(data.groups, &all, share, settings.seed() + fold as u64);
            if share >= 1.0 {
                let verdicts = folds.rows(fold).into_iter().map(|row| known.verdicts[row]).collect();
                return Ok((drawn.groups, verdicts));
            }
            let choice = &known.choices[fold];
            let times = all.len() as f64 / drawn.rows.len().max(1) as f64;
            let judge = learner.approach(data, &drawn.rows, choice.strength * times, Some(&known.judges[fold]))?;
            let verdict = |row| judge.probabilities(data.table, row).verdict_with(choice.tie_factor);
            Ok((drawn.groups, folds.rows(fold).into_iter().map(verdict).collect()))
        };
        let rows = (share * data.len() as f64) as usize;
        let judged: Vec<(usize, Vec<Verdict>)> = parallel::fits(learner, data, rows, folds.count, of_fold)?;
        let groups = judged.iter().map(|(groups, _)| *groups as f64).sum::<f64>() / folds.count as f64;
        let verdicts = folds.gather(judged.into_iter().map(|(_, verdicts)| verdicts).collect());
        Ok(CurvePoint { share, groups, verdicts })
    };
    SHARES.into_iter().map(point).collect()
}
