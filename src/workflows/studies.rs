//! The ablation of feature families and the learning curve, in the report. A page always has both.

use std::sync::atomic::{AtomicUsize, Ordering};

use super::context::Context;
use super::training::{CrossValidated, Data};
use crate::error::Result;
use crate::features::{Schema, Table, choice};
use crate::judgments::{Probabilities, Verdict};
use crate::learners::LogisticRegression;
use crate::learners::logistic::Columns;
use crate::learning::{CURVE_SHARES, learning_curve};
use crate::report::Report;
use crate::report::studies::{AblationRow, CurveRow, Predictions};

/// Adds the studies that were requested, or that a page has, to the report.
pub(super) fn add(
    context: Context<'_>,
    mut report: Report,
    data: &Data<'_>,
    learner: &LogisticRegression,
    cross_validated: &CrossValidated<'_>,
) -> Result<Report> {
    let CrossValidated { folds, settings, ensemble } = cross_validated;
    let seed = settings.validation.seed;
    if let Some(everything) = &data.everything {
        report.ablation = ablation(context, data, everything, learner, cross_validated)?;
    }
    if settings.curve || settings.details.is_some() {
        let step = context.progress("computing the learning curve", CURVE_SHARES.len());
        let points = learning_curve(learner, data.labelled(), folds, ensemble, seed, &step)?;
        let row = |point| CurveRow::of(point, &data.labels, &data.groups, seed);
        report.learning_curve = points.iter().map(row).collect();
    }
    Ok(report)
}

/// Judges without each family of the chosen features, and with each metric that was not chosen, with the penalty and the
/// tie factor chosen for the ensemble in each fold.
fn ablation(
    context: Context<'_>,
    data: &Data<'_>,
    everything: &Table,
    learner: &LogisticRegression,
    CrossValidated { folds, settings, ensemble }: &CrossValidated<'_>,
) -> Result<Vec<AblationRow>> {
    let all = data.all_features();
    let (names, schemas): (Vec<String>, Vec<Schema>) = choice::variants(all, &data.schema).into_iter().unzip();
    let subsets: Vec<Columns> = schemas.iter().map(|schema| Columns::of(all, schema)).collect();
    let known = Columns::of(all, &data.schema);
    let step = context.progress("computing the ablation", folds.count);
    let done = AtomicUsize::new(0);
    let of_everything = data.labelled().with_table(everything);
    let of_fold = |fold: usize| {
        let (training, held_out) = (folds.without(fold), folds.rows(fold));
        let (judge, strength) = (&ensemble.judges[fold], ensemble.tuned[fold].strength);
        let known = (judge, &known);
        let judged = learner.fit_subsets(of_everything, (&training, &held_out), strength, known, &subsets);
        step(done.fetch_add(1, Ordering::Relaxed) + 1);
        judged
    };
    let of_folds = folds.fits(learner, of_everything, data.labels.len(), of_fold)?;
    let of_subset = |at: usize| -> (Vec<Probabilities>, Vec<Verdict>) {
        let given = folds.gather(of_folds.iter().map(|judged| judged[at].clone()).collect());
        let verdict = |(given, &fold): (&Probabilities, &usize)| given.verdict_with(ensemble.tuned[fold].tie_factor);
        let verdicts = given.iter().zip(&folds.of_row).map(verdict).collect();
        (given, verdicts)
    };
    let judged: Vec<_> = (0..subsets.len()).map(of_subset).collect();
    let predictions = judged.iter().map(|(probabilities, verdicts)| Predictions { verdicts, probabilities });
    let others: Vec<(String, Predictions<'_>)> = names.into_iter().zip(predictions).collect();
    Ok(AblationRow::all(&others, (*ensemble).into(), data.labelled(), settings.validation.seed))
}
