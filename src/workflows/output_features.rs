//! `features` on single outputs: one row per output, with the features of its text and the signals beside it.

use ndarray::Array2;

use super::context::{Context, MAX_PAIRS};
use super::features::{FeatureTable, shaped};
use super::grounding::with_grounding;
use super::warnings;
use crate::error::Result;
use crate::features::{Choice, Column, ColumnValue, Extractor};
use crate::files::Output;
use crate::files::table::{Cell, CellKind, RowWriter, TableKind};
use crate::judgments::Pair;
use crate::judgments::output::Outputs;

/// The features of single outputs: a column for each feature of a hypothesis and for each signal, in the user's
/// orientation. A missing value of a signal is not a number. Errors refer to the outputs as `place`.
///
/// # Errors
/// An unknown feature; some outputs have references, others none.
pub fn output_feature_table(
    context: Context<'_>,
    outputs: Outputs,
    choice: &Choice,
    place: &str,
) -> Result<FeatureTable> {
    features_of(context, &prepared(context, outputs, choice), choice, place)
}

/// The outputs with the values that are computed from their contexts.
fn prepared(context: Context<'_>, outputs: Outputs, choice: &Choice) -> Outputs {
    if choice.is_only_external() { outputs } else { with_grounding(context, outputs) }
}

fn features_of(context: Context<'_>, outputs: &Outputs, choice: &Choice, place: &str) -> Result<FeatureTable> {
    let pairs: Vec<Pair> = outputs.doubled().collect();
    let has_references = pairs.iter().any(|pair| !pair.references.is_empty());
    let choice = choice.clone().with_external(outputs.metrics().into_iter().map(Into::into));
    let all = Extractor::of_pairs(context.engine().lexicons(), has_references)?;
    let schema = choice.select(all.schema())?.filtered(Column::compares);
    let extractor = Extractor::for_schema(context.engine().lexicons(), &schema, "features")?;
    schema.check(pairs.iter(), place)?;
    warnings::warn_language(context, &schema, &pairs);
    if !has_references {
        warnings::warn_comet(context, &schema, warnings::WITHOUT_REFERENCES);
    }
    let mut values = Vec::with_capacity(pairs.len() * schema.columns.len());
    let tell = context.progress("computing features", pairs.len());
    for (done, batch) in (1..).zip(pairs.chunks(MAX_PAIRS)) {
        let table = extractor.extract(batch.iter(), &|_, _| ());
        for row in 0..batch.len() {
            values.extend(schema.columns.iter().zip(table.values(row)).map(|(column, value)| match value {
                ColumnValue::Metric([one, _]) | ColumnValue::External([one, _]) => column.as_given(one),
                ColumnValue::Similarity(value) => value,
            }));
        }
        tell(pairs.len().min(done * MAX_PAIRS));
    }
    let names: Vec<String> = schema.columns.iter().map(|column| column.name.clone()).collect();
    let values: Array2<f64> = shaped(values, (pairs.len(), names.len()))?;
    Ok(FeatureTable { names, values })
}

/// Writes the feature table of outputs: line, id, system and group of the output and its label, where known, then the features.
///
/// # Errors
/// As for [`output_feature_table`]; the table cannot be written.
pub fn write_output_features(
    context: Context<'_>,
    outputs: Outputs,
    choice: &Choice,
    place: &str,
    output: Output,
    kind: TableKind,
) -> Result<()> {
    let outputs = prepared(context, outputs, choice);
    outputs.notes.iter().for_each(|note| context.note(format!("{place}: {note}")));
    let table = features_of(context, &outputs, choice, place)?;
    let known = [("line", CellKind::Integer), ("id", CellKind::Text), ("system", CellKind::Text)];
    let known = known.into_iter().chain([("group", CellKind::Text), ("label", CellKind::Number)]);
    let columns: Vec<(&str, CellKind)> =
        known.chain(table.names.iter().map(|name| (name.as_str(), CellKind::Number))).collect();
    let mut writer = RowWriter::begin(output, kind, &columns)?;
    for (row, values) in outputs.rows.iter().zip(table.values.rows()) {
        let mut cells = vec![
            Cell::Integer(i64::try_from(row.line).unwrap_or(i64::MAX)),
            row.id.as_deref().map_or(Cell::Empty, Cell::Text),
            row.system.as_deref().map_or(Cell::Empty, Cell::Text),
            row.group.as_deref().map_or(Cell::Empty, Cell::Text),
            row.label(outputs.marks).map_or(Cell::Empty, Cell::Number),
        ];
        cells.extend(values.iter().map(|value| if value.is_nan() { Cell::Empty } else { Cell::Number(*value) }));
        writer.write(&cells)?;
    }
    writer.finish()
}
