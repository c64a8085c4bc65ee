//! The ablation of feature families and the learning curve, in the report. A page always has a curve.

use std::sync::atomic::{AtomicUsize, Ordering};

use super::context::Context;
use super::training::{CrossValidated, Data};
use crate::error::Result;
use crate::features::{Schema, Table, choice};
use crate::judgments::Probabilities;
use crate::learners::LogisticRegression;
use crate::learners::logistic::{Columns, LinearModel, Split, WarmStart};
use crate::learning::{CURVE_SHARES, Folds, Labelled, OutOfFold, fit_folds, learning_curve};
use crate::report::studies::{AblationRow, CurveRow};
use crate::report::{Report, System};

/// Adds the studies that were requested, or that a page has, to the report.
pub(super) fn add(
    context: Context<'_>,
    mut report: Report,
    data: &Data<'_>,
    learner: &LogisticRegression,
    cross_validated: &CrossValidated<'_>,
) -> Result<Report> {
    let CrossValidated { folds, settings, ensemble } = *cross_validated;
    let seed = settings.validation.seed;
    if let Some(everything) = &data.everything {
        let study = Ablation { context, schemas: [data.all_features(), &data.schema], learner };
        report.ablation = study.rows(data.labelled().with_table(everything), folds, ensemble)?;
    }
    if settings.curve || settings.details.is_some() {
        let step = context.progress("computing the learning curve", CURVE_SHARES.len());
        let points = learning_curve(learner, data.labelled(), folds, ensemble, seed, &step)?;
        let row = |point| CurveRow::new(point, &data.labels, &data.groups);
        report.learning_curve = points.iter().map(row).collect();
    }
    Ok(report)
}

/// The study of what each family of features is worth.
struct Ablation<'a> {
    context: Context<'a>,
    /// All features, and those of the ensemble.
    schemas: [&'a Schema; 2],
    learner: &'a LogisticRegression,
}

impl Ablation<'_> {
    /// Judges without each family of the ensemble's features, and with each metric that is not among them, with the
    /// penalty and the tie factor chosen for the ensemble in each fold. `data` has all features.
    fn rows(
        &self,
        data: Labelled<'_, Table>,
        folds: &Folds,
        ensemble: &OutOfFold<LinearModel>,
    ) -> Result<Vec<AblationRow>> {
        let [all, chosen] = self.schemas;
        let (names, schemas): (Vec<String>, Vec<Schema>) = choice::variants(all, chosen).into_iter().unzip();
        let subsets: Vec<Columns> = schemas.iter().map(|schema| Columns::new(all, schema)).collect();
        let known = Columns::new(all, chosen);
        let step = self.context.progress("computing the ablation", folds.count);
        let done = AtomicUsize::new(0);
        let of_fold = |fold: usize| {
            let (training, held_out) = (folds.without(fold), folds.rows(fold));
            let split = Split { training: &training, held_out: &held_out };
            let start = WarmStart { model: &ensemble.models[fold], columns: &known };
            let judged = self.learner.fit_subsets(data, split, ensemble.tuned[fold].strength, start, &subsets);
            step(done.fetch_add(1, Ordering::Relaxed) + 1);
            judged
        };
        let of_folds = fit_folds(folds, self.learner, data, data.len(), of_fold)?;
        let of_subset = |(at, name): (usize, String)| {
            let given = folds.gather(of_folds.iter().map(|judged| judged[at].clone()).collect());
            let verdict =
                |(given, &fold): (&Probabilities, &usize)| given.verdict_with(ensemble.tuned[fold].tie_factor);
            System::of_probabilities(name, given.iter().zip(&folds.of_row).map(verdict).collect(), given)
        };
        let others: Vec<System> = names.into_iter().enumerate().map(of_subset).collect();
        Ok(AblationRow::all(&others, ensemble, data.labels, data.groups))
    }
}
