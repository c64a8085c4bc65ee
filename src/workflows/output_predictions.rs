//! `predict` on single outputs: the score of each, and the label that it is expected to have.

use serde::Serialize;

use super::context::Context;
use super::grounding::with_grounding;
use super::judge::{NamedModel, OnLeak};
use super::output_scores::scores_of;
use super::predict::VerdictForm;
use crate::error::{Error, Result, pluralized};
use crate::files::Output;
use crate::files::table::{Cell, CellKind, RowWriter, TableKind};
use crate::judgments::output::{Marks, Output as Answer, Outputs};
use crate::learning::confidence_for;

/// What a model says of an output.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct OutputPrediction {
    /// Its line in the file, or row of a frame.
    pub line: usize,
    /// Its name.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub id: Option<String>,
    /// The system that wrote it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub system: Option<String>,
    /// The score of the output, from 0 to 100.
    pub score: f64,
    /// Whether it passes; `None` where it is left to people, or the model knows no labels that pass or fail.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub verdict: Option<&'static str>,
    /// The expected label: the probability of a pass, or a number on the scale of the labels that the model learned from;
    /// `None` if it knows none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub expected: Option<f64>,
}

/// The predictions of a model for outputs in their order; with `min_agreement`, outputs stay undecided whose verdicts agreed
/// with people less often than this out of fold. Errors refer to the outputs as `place`.
///
/// # Errors
/// An output lacks what the model needs; it knows no labels that pass or fail where an agreement is asked for.
pub fn predict_outputs(
    context: Context<'_>,
    named: &NamedModel,
    outputs: Outputs,
    place: &str,
    min_agreement: Option<f64>,
) -> Result<Vec<OutputPrediction>> {
    let NamedModel { model, source_name, .. } = named;
    let learned = model.outputs.as_ref();
    let is_verdict = learned.is_some_and(|learned| learned.marks == Marks::PassFail);
    let least = match (min_agreement, learned.filter(|_| is_verdict)) {
        (None, _) => 0.0,
        (Some(wanted), Some(learned)) => confidence_for(&learned.coverage, wanted, source_name, "outputs")?,
        (Some(_), None) => {
            let advice = "omit `min_agreement`, or train on such labels";
            return Err(Error::invalid(source_name, "a model of labels that pass or fail", "another one", advice));
        }
    };
    // What has no context is told with the grounding.
    let named_signals = outputs.signals.len();
    let outputs = &with_grounding(context, outputs);
    outputs.notes.iter().for_each(|note| context.note(format!("{place}: {note}")));
    for (at, signal) in outputs.signals[..named_signals].iter().enumerate() {
        let missing = outputs.rows.iter().filter(|row| row.values[at].is_none()).count();
        if missing == outputs.rows.len() {
            context.warn(format!("{place}: no value of {}, so that it counts for nothing", signal.name));
        } else if missing > 0 {
            let count = pluralized(outputs.rows.len(), "output");
            context.note(format!(
                "{place}: {missing} of {count} without a value of {}, which counts for nothing there",
                signal.name
            ));
        }
    }
    if learned.is_none() {
        context
            .note(format!("{source_name}: learned from pairs only, so that there are scores and no expected labels."));
    }
    let scored = scores_of(context, named, outputs, place, OnLeak::Warn)?;
    let expected = learned.map(|learned| learned.labels(&scored));
    let prediction = |(row, (output, s)): (usize, (&Answer, &f64))| {
        let expected = expected.as_ref().map(|expected| expected[row]);
        let pass = expected.filter(|_| is_verdict);
        OutputPrediction {
            line: output.line,
            id: output.id.clone(),
            system: output.system.clone(),
            score: model.score.score(*s),
            verdict: pass
                .filter(|pass| pass.max(1.0 - pass) >= least)
                .map(|pass| if pass > 0.5 { "pass" } else { "fail" }),
            expected,
        }
    };
    let predictions: Vec<OutputPrediction> =
        outputs.rows.iter().zip(&scored.scores).enumerate().map(prediction).collect();
    let undecided = predictions.iter().filter(|one| one.verdict.is_none()).count();
    if min_agreement.is_some() {
        context.note(format!(
            "{undecided} of {} outputs undecided: their verdicts have a probability below {least:.3}.",
            predictions.len()
        ));
    }
    Ok(predictions)
}

/// Writes predictions: a row each, as objects or as a table, which is tab-separated where the form names none.
///
/// # Errors
/// They cannot be written.
pub fn write_output_predictions(predictions: &[OutputPrediction], mut output: Output, form: VerdictForm) -> Result<()> {
    let kind = match form {
        VerdictForm::Objects => {
            for one in predictions {
                let text = serde_json::to_string(one).map_err(|error| {
                    Error::invalid("predictions", "finite numbers", error.to_string(), "report this as a bug")
                })?;
                output.write((text + "\n").as_bytes())?;
            }
            return output.finish();
        }
        VerdictForm::Plain => TableKind::Tsv,
        VerdictForm::Table(kind) => kind,
    };
    let columns = [
        ("line", CellKind::Integer),
        ("id", CellKind::Text),
        ("system", CellKind::Text),
        ("score", CellKind::Number),
        ("verdict", CellKind::Text),
        ("expected", CellKind::Number),
    ];
    let mut rows = RowWriter::begin(output, kind, &columns)?;
    for OutputPrediction { line, id, system, score, verdict, expected } in predictions {
        rows.write(&[
            Cell::Integer(i64::try_from(*line).unwrap_or(i64::MAX)),
            id.as_deref().map_or(Cell::Empty, Cell::Text),
            system.as_deref().map_or(Cell::Empty, Cell::Text),
            Cell::Number(*score),
            verdict.map_or(Cell::Empty, Cell::Text),
            expected.map_or(Cell::Empty, Cell::Number),
        ])?;
    }
    rows.finish()
}
