//! In: the data of a training. Out: what families of features and more references are worth, in the report.

use super::event::{Listener, progress};
use super::training::{Data, Studied};
use crate::error::Result;
use crate::features::{Table, choice};
use crate::learners::LogisticRegression;
use crate::learning::cross_validate;
use crate::learning::curve::{POINTS, learning_curve};
use crate::report::Report;
use crate::report::studies::{AblationRow, CurveRow};

/// Adds the studies that are asked for.
pub(super) fn add(
    mut report: Report,
    data: &Data<'_>,
    learner: &LogisticRegression,
    studied: &Studied<'_>,
    listener: Listener<'_>,
) -> Result<Report> {
    if let Some(everything) = &data.everything {
        report.ablation = ablation(data, everything, learner, studied, listener)?;
    }
    if studied.settings.curve {
        let step = progress(listener, "learning from less", POINTS);
        let points = learning_curve(learner, data.labelled(), studied.folds, studied.validation, &step)?;
        let row = |point| CurveRow::of(point, &data.labels, &data.groups, studied.validation.seed());
        report.learning_curve = points.iter().map(row).collect();
    }
    Ok(report)
}

/// Cross-validates once without each family of the chosen features, and once with each metric that was not chosen.
fn ablation(
    data: &Data<'_>,
    everything: &Table,
    learner: &LogisticRegression,
    studied: &Studied<'_>,
    listener: Listener<'_>,
) -> Result<Vec<AblationRow>> {
    let variants = choice::variants(data.all_features(), &data.schema);
    let step = progress(listener, "leaving features out", variants.len());
    let judged = |table: &Table| {
        let data = data.labelled().with_table(table);
        cross_validate(learner, data, studied.folds, studied.validation, &|_, _| ())
    };
    let mut rows = Vec::new();
    for (done, (name, schema)) in variants.into_iter().enumerate() {
        let out_of_fold = judged(&everything.narrowed(data.all_features(), &schema))?;
        rows.push(AblationRow::new(name, &out_of_fold, studied.ensemble, data.labelled(), studied.validation.seed()));
        step(done + 1);
    }
    Ok(rows)
}
