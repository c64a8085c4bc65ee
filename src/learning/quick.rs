//! In: what cross-validation chose and learned. Out: what other features or fewer references would give, in a fraction
//! of the time. Next: report.
//!
//! Strength and tie factor of every fold stay what they were, and learning starts from the fold's judge and ends as soon
//! as accuracies can be compared: see [`Learner::approach`]. What another choice of the strength would mend is not seen.

use super::curve::{CurvePoint, SHARES};
use super::draw::Draw;
use super::folds::Folds;
use super::learner::{Judge, Labelled, Learner};
use super::parallel;
use super::settings::CheckedValidation;
use super::validation::OutOfFold;
use crate::error::Result;
use crate::judgments::{Probabilities, Verdict};

/// Cross-validates anew, on other features, with what was chosen before; `start` makes of a judge that was learned
/// before one to start from.
///
/// # Errors
/// What [`Learner::approach`] reports.
pub fn cross_validate_again<L: Learner>(
    learner: &L,
    data: Labelled<'_, L::Table>,
    folds: &Folds,
    known: &OutOfFold<L::Judge>,
    start: &(dyn Fn(&L::Judge) -> L::Judge + Sync),
) -> Result<OutOfFold<L::Judge>> {
    let of_fold = |fold: usize| {
        let choice = &known.choices[fold];
        let start = start(&known.judges[fold]);
        let judge = learner.approach(data, &folds.without(&[fold]), choice.strength, Some(&start))?;
        let judged = judged(&judge, data.table, &folds.rows(fold), choice.tie_factor);
        Ok((judge, judged))
    };
    let (judges, judged) = parallel::fits(learner, data, data.len(), folds.count, of_fold)?.into_iter().unzip();
    let (probabilities, verdicts) = folds.gather(judged).into_iter().unzip();
    Ok(OutOfFold { probabilities, verdicts, judges, choices: known.choices.clone(), choice: known.choice.clone() })
}

/// The points of [`learning_curve`](super::curve::learning_curve) with what was chosen before; the last is what was
/// judged before.
///
/// A strength was chosen for all rows: against fewer, the same prior weighs more, so that a part of the rows is learned
/// with a strength that is larger in proportion.
///
/// # Errors
/// What [`Learner::approach`] reports.
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
            let judged = judged(&judge, data.table, &folds.rows(fold), choice.tie_factor);
            Ok((drawn.groups, judged.into_iter().map(|(_, verdict)| verdict).collect()))
        };
        let rows = (share * data.len() as f64) as usize;
        let judged: Vec<(usize, Vec<Verdict>)> = parallel::fits(learner, data, rows, folds.count, of_fold)?;
        let groups = judged.iter().map(|(groups, _)| *groups as f64).sum::<f64>() / folds.count as f64;
        let verdicts = folds.gather(judged.into_iter().map(|(_, verdicts)| verdicts).collect());
        Ok(CurvePoint { share, groups, verdicts })
    };
    SHARES.into_iter().map(point).collect()
}

fn judged<T: ?Sized>(
    judge: &impl Judge<T>,
    table: &T,
    rows: &[usize],
    tie_factor: f64,
) -> Vec<(Probabilities, Verdict)> {
    let of_row = |&row: &usize| {
        let given = judge.probabilities(table, row);
        (given, given.verdict_with(tie_factor))
    };
    rows.iter().map(of_row).collect()
}
