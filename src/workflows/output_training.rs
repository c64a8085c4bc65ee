//! `train` on single outputs: from pairs of outputs of a prompt, and then the score of one output calibrated to its label.

use super::context::Context;
use super::details::model_origin;
use super::grounding::with_grounding;
use super::output_comparison::{OutputSettings, of_training};
use super::train::{Trained, train_and};
use super::training::{Source, TrainSettings};
use crate::error::{Error, Result, pluralized};
use crate::formats::Signals;
use crate::judgments::output::{Criterion, Outputs};
use crate::judgments::{Pair, Verdict};
use crate::report::people::EPSILON;
use crate::report::{ENSEMBLE, Report};

/// As [`train_outputs`] on the [weighted mean](Outputs::weighted_mean) of several criteria; the report has those on each
/// criterion alone, too.
///
/// # Errors
/// As for [`train_outputs`] on any criterion.
pub fn train_criteria(
    context: Context<'_>,
    name: &str,
    criteria: &[Criterion],
    settings: &TrainSettings,
) -> Result<Trained> {
    let alone = TrainSettings { details: None, ablation: false, curve: false, ..settings.clone() };
    let mut reports = Vec::new();
    for Criterion { name: column, outputs, .. } in criteria {
        let report = train_outputs(context, &format!("{name}, {column}"), outputs.clone(), &alone)?.report.outputs;
        reports.extend(report.map(|report| (column.clone(), report)));
    }
    let parts: Vec<String> = criteria.iter().map(|one| format!("{} x {}", one.weight, one.name)).collect();
    let note = format!("labels are the weighted mean of {}, each scaled to 0 to 1", parts.join(" + "));
    let mean = Outputs { notes: vec![note], ..Outputs::weighted_mean(criteria) };
    let trained = train_outputs(context, name, mean, settings)?;
    Ok(Trained { report: Report { criteria: reports, ..trained.report }, ..trained })
}

/// Trains the ensemble on every two outputs of a prompt that an annotator labelled, with the columns beside them as
/// features, and calibrates its score of a single output. All figures are out of fold: scores are those of models that
/// were trained without the prompt, and calibrated on other prompts.
///
/// # Errors
/// No two outputs of a prompt have different labels; as for [`train`](super::train()).
pub fn train_outputs(context: Context<'_>, name: &str, outputs: Outputs, settings: &TrainSettings) -> Result<Trained> {
    let outputs = &with_grounding(context, outputs);
    let judgments = outputs.judgments();
    if !judgments.iter().any(|judgment| judgment.label != Verdict::Tie) {
        let (expected, pairs) = ("two outputs of a prompt with different labels of an annotator", judgments.len());
        let found = if pairs == 0 { "none".to_owned() } else { format!("{}, all alike", pluralized(pairs, "pair")) };
        let advice = "label several outputs of each prompt, and name the columns: `column` prompt=NAME,label=NAME";
        return Err(Error::invalid(name, expected, found, advice));
    }
    outputs.notes.iter().for_each(|note| context.note(format!("{name}: {note}")));
    context.note(format!("{name}: {} of outputs of the same prompt", pluralized(judgments.len(), "pair")));
    let signals = outputs.metrics().iter().try_fold(Signals::default(), Signals::with_learned_metric)?;
    let settings = TrainSettings { signals, ..settings.clone() };
    let source = Source { name: name.to_owned(), judgments, weight: 1.0 };
    let alone: Vec<Pair> = outputs.doubled().collect();
    let (mut trained, scored) =
        train_and(context, &[source], &settings, |held_out| held_out.scored(&alone.iter().collect::<Vec<_>>(), name))?;
    let language = settings.features.language().clone();
    let epsilon = (settings.epsilon != EPSILON).then_some(settings.epsilon);
    let of_outputs = OutputSettings {
        models: Vec::new(),
        language,
        epsilon,
        seed: settings.validation.seed,
        by_column: settings.by_column.clone(),
    };
    let (report, calibration) = of_training(context, name, outputs, &scored, &of_outputs)?;
    trained.model.outputs = Some(calibration);
    trained.report = Report { outputs: Some(report), ..trained.report };
    if let Some(details) = &mut trained.report.details {
        details.provenance.models = vec![model_origin(ENSEMBLE, &trained.model)?];
    }
    Ok(trained)
}
