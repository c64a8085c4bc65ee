//! In: the data of a training. Out: what families of features and more references are worth, in the report.
//!
//! With a page both are made, quickly where nobody asks for them: what they find then is a point or so away from what
//! the full studies find.

use super::event::{Listener, progress};
use super::training::{Data, Studied};
use crate::error::Result;
use crate::features::{Schema, Table, choice};
use crate::learners::LogisticRegression;
use crate::learners::logistic::LinearJudge;
use crate::learning::curve::{POINTS, learning_curve};
use crate::learning::quick::{cross_validate_again, learning_curve_again};
use crate::learning::{OutOfFold, cross_validate};
use crate::report::Report;
use crate::report::details::{Studies, StudyKind};
use crate::report::studies::{AblationRow, CurveRow};

/// Adds the studies that are asked for; for a page both, quickly unless they are asked for.
pub(super) fn add(
    mut report: Report,
    data: &Data<'_>,
    learner: &LogisticRegression,
    studied: &Studied<'_>,
    listener: Listener<'_>,
) -> Result<Report> {
    let settings = studied.settings;
    let kind = |is_asked_for: bool| if is_asked_for { StudyKind::Full } else { StudyKind::Quick };
    let (of_families, of_references) = (kind(settings.ablation), kind(settings.curve));
    if let Some(everything) = &data.everything {
        report.ablation = Ablation { data, everything, learner, studied, kind: of_families }.rows(listener)?;
    }
    if settings.curve || settings.details.is_some() {
        let step = progress(listener, "learning from less", POINTS);
        let points = match of_references {
            StudyKind::Full => learning_curve(learner, data.labelled(), studied.folds, studied.validation, &step)?,
            StudyKind::Quick => {
                let known = studied.ensemble;
                learning_curve_again(learner, data.labelled(), studied.folds, known, studied.validation)?
            }
        };
        step(POINTS);
        let row = |point| CurveRow::of(point, &data.labels, &data.groups, studied.validation.seed());
        report.learning_curve = points.iter().map(row).collect();
    }
    if let Some(details) = &mut report.details {
        details.studies = Some(Studies::new(of_families, of_references));
    }
    Ok(report)
}

/// Cross-validation without each family of the chosen features, and with each metric that was not chosen.
struct Ablation<'a> {
    data: &'a Data<'a>,
    /// All features.
    everything: &'a Table,
    learner: &'a LogisticRegression,
    studied: &'a Studied<'a>,
    kind: StudyKind,
}

impl Ablation<'_> {
    fn rows(&self, listener: Listener<'_>) -> Result<Vec<AblationRow>> {
        let (all, chosen) = (self.data.all_features(), &self.data.schema);
        let variants = choice::variants(all, chosen);
        let step = progress(listener, "leaving features out", variants.len());
        let row = |(done, (name, schema)): (usize, (String, Schema))| {
            let out_of_fold = self.judged(&schema)?;
            step(done + 1);
            let (ensemble, seed) = (self.studied.ensemble, self.studied.validation.seed());
            Ok(AblationRow::new(name, &out_of_fold, ensemble, self.data.labelled(), seed))
        };
        variants.into_iter().enumerate().map(row).collect()
    }

    fn judged(&self, schema: &Schema) -> Result<OutOfFold<LinearJudge>> {
        let table = self.everything.narrowed(self.data.all_features(), schema);
        let data = self.data.labelled().with_table(&table);
        let Studied { folds, validation, ensemble, .. } = self.studied;
        match self.kind {
            StudyKind::Full => cross_validate(self.learner, data, folds, validation, &|_, _| ()),
            StudyKind::Quick => {
                let start = |judge: &LinearJudge| judge.as_start(&self.data.schema, schema);
                cross_validate_again(self.learner, data, folds, ensemble, &start)
            }
        }
    }
}
