//! `features`: the features of pairs, one row per pair, for other programs.

use ndarray::Array2;

use super::context::{Context, Engine, MAX_PAIRS, PairStep};
use super::warnings;
use crate::error::{Error, Result, pluralized};
use crate::features::{Choice, ColumnSource, ColumnValue, Extractor, Schema, Table};
use crate::files::table::{Cell, CellKind, RowWriter, TableKind};
use crate::files::{Input, Output};
use crate::formats::{PairReader, Reading, Signal, SignalSource};
use crate::judgments::{ExternalJudge, Language, Pair, RoundedLabels};

/// Settings of [`write_features`].
#[derive(Debug, Clone)]
pub struct FeatureSettings {
    /// The pairs.
    pub pairs: Input,
    /// Their format.
    pub reading: Reading,
    /// Human judgments, one per line, for the column `label`.
    pub answers: Option<Input>,
    /// The kind of table to write.
    pub kind: TableKind,
    /// The language of the texts; features that need English are left out for any other.
    pub language: Language,
    /// Whether to write own metrics only, see [`Reading::signals`].
    pub only_own: bool,
    /// Whether to write each row as soon as its pair is read.
    pub unbuffered: bool,
}

impl FeatureSettings {
    /// All features for the language, and own metrics.
    fn choice(&self) -> Choice {
        let none: &[String] = &[];
        let source = |SignalSource { signal, .. }: &SignalSource| match signal {
            Signal::Metric(metric) => Some(ColumnSource::from(metric.clone())),
            // Verdicts are on one scale as soon as they are read.
            Signal::Judge { name, scale } => {
                Some(ExternalJudge { name: name.clone(), both_orders: false, scale: scale.scale() }.into())
            }
            Signal::Annotator(_) => None,
        };
        let external = self.reading.signals.iter().filter_map(source);
        let choice = Choice::without(none, self.language.clone()).with_external(external);
        if self.only_own { choice.only_external() } else { choice }
    }
}

/// The features of pairs in memory.
#[derive(Debug, Clone, PartialEq)]
pub struct FeatureTable {
    /// The columns: `h1.F` and `h2.F` for every feature F of a hypothesis; then the features of the pair.
    pub names: Vec<String>,
    /// (pairs, columns). Own metrics keep the user's orientation.
    pub values: Array2<f64>,
}

/// The features of pairs in memory. Errors refer to them as `pairs`.
///
/// # Errors
/// An unknown feature; a pair without a reference, or without a value of an own metric.
pub fn feature_table(context: Context<'_>, pairs: &[Pair], choice: &Choice) -> Result<FeatureTable> {
    let has_references = pairs.iter().any(|pair| !pair.references.is_empty());
    let extractor = extractor(context.engine(), choice, has_references)?;
    let schema = extractor.schema();
    schema.check(pairs.iter(), "pairs")?;
    warnings::warn_language(context, schema, pairs);
    let names = names(schema);
    let mut values = Vec::with_capacity(pairs.len() * names.len());
    let tell = context.progress("computing features", pairs.len());
    for (done, batch) in (1..).zip(pairs.chunks(MAX_PAIRS)) {
        let table = extractor.extract(batch.iter(), &|_, _| ());
        (0..batch.len()).for_each(|row| values.extend(row_values(&table, schema, row)));
        tell(pairs.len().min(done * MAX_PAIRS));
    }
    let values = shaped(values, (pairs.len(), names.len()))?;
    Ok(FeatureTable { names, values })
}

/// The values as a table of this shape.
///
/// # Errors
/// There are more or fewer values than it has cells.
pub(super) fn shaped(values: Vec<f64>, shape: (usize, usize)) -> Result<Array2<f64>> {
    let count = values.len();
    Array2::from_shape_vec(shape, values).map_err(|_| {
        let expected = format!("{} values, {} for each of {}", shape.0 * shape.1, shape.1, pluralized(shape.0, "pair"));
        Error::invalid("features", expected, count.to_string(), "report this as a bug")
    })
}

/// The extractor of the chosen features of pairs with references or without.
fn extractor(engine: &Engine, choice: &Choice, has_references: bool) -> Result<Extractor> {
    let all = Extractor::of_pairs(engine.lexicons(), has_references)?;
    let chosen = choice.select(all.schema())?;
    if chosen.filtered(|column| !column.is_external()) == *all.schema() {
        return Ok(all.with_external(chosen.external().cloned().collect()));
    }
    Extractor::for_schema(engine.lexicons(), &chosen, "features")
}

/// The extractor of all features of pairs, which have references or have none.
///
/// # Errors
/// Some pairs have references, others none; `place` says where the pairs come from.
pub(super) fn extractor_for<'p>(
    engine: &Engine,
    pairs: impl Iterator<Item = &'p Pair> + Clone,
    place: &str,
) -> Result<Extractor> {
    let has_references = pairs.clone().any(|pair| !pair.references.is_empty());
    let extractor = Extractor::of_pairs(engine.lexicons(), has_references)?;
    if has_references {
        extractor.schema().check(pairs, place)?;
    }
    Ok(extractor)
}

/// Writes the feature table in memory that does not grow with the number of pairs. Columns: line, id, group and label
/// of the pair where known; `h1.F` and `h2.F` for every feature F of a hypothesis; then the features of the pair, and
/// `judge.NAME`, the mean verdict of each judge.
///
/// # Errors
/// The pairs cannot be read or the table cannot be written; the number of answers differs from that of pairs.
pub fn write_features(context: Context<'_>, settings: &FeatureSettings, output: Output) -> Result<()> {
    let input = &settings.pairs;
    let is_open = |source: &&SignalSource| match &source.signal {
        Signal::Judge { scale, .. } => source.file.is_none() && scale.is_open(),
        Signal::Metric(_) | Signal::Annotator(_) => false,
    };
    if let Some(judge) = settings.reading.signals.iter().find(is_open).filter(|_| settings.unbuffered) {
        let expected = "the scale of the judge's numbers, as each row is written before the next is read";
        let advice = format!("declare it, such as `judge` {}:probability, or omit `unbuffered`", judge.signal.name());
        return Err(Error::invalid("`judge`", expected, "none", advice));
    }
    let mut pairs = PairReader::open_with(input, settings.reading.clone(), settings.answers.as_ref())?;
    // The first pair tells whether there are references.
    let first = pairs.next().transpose()?;
    let has_references = first.as_ref().is_none_or(|pair| !pair.references.is_empty());
    let extractor = extractor(context.engine(), &settings.choice(), has_references)?;
    let schema = extractor.schema();
    let mut writer = begin(output, settings.kind, schema)?;
    let step = PairStep { context, name: "computing features", is_unbuffered: settings.unbuffered };
    let (mut is_first, mut rounded) = (true, RoundedLabels::default());
    step.run(
        first.map(Ok).into_iter().chain(pairs.by_ref()),
        |pairs, progress| {
            schema.check(pairs.iter(), &input.to_string())?;
            if std::mem::take(&mut is_first) {
                warnings::warn_language(context, schema, &pairs);
                let judges = schema.judges().map(|judge| ExternalJudge::seen_in(&judge.name, pairs.iter()));
                judges.for_each(|judge| warnings::note_scale(context, &judge));
            }
            pairs.iter().for_each(|pair| rounded.add(pair));
            let table = extractor.extract(pairs.iter(), progress);
            Ok((pairs, table))
        },
        |(pairs, table)| {
            write(&mut writer, &pairs, &table, schema)?;
            if settings.unbuffered { writer.flush() } else { Ok(()) }
        },
    )?;
    pairs.note().into_iter().chain(rounded.note()).for_each(|note| context.note(note));
    writer.finish()
}

/// The names of the feature columns.
fn names(schema: &Schema) -> Vec<String> {
    let of_each = || schema.compared().filter(|column| !column.is_judge());
    let of_side = |side| of_each().map(move |column| format!("{side}.{}", column.name));
    let similarities = schema.columns.iter().filter(|column| !column.compares()).map(|column| column.name.clone());
    let of_judges = schema.judges().map(ExternalJudge::qualified_name);
    of_side("h1").chain(of_side("h2")).chain(similarities).chain(of_judges).collect()
}

/// The features of a pair, in the order of [`names`].
fn row_values(table: &Table, schema: &Schema, row: usize) -> impl Iterator<Item = f64> {
    let [mut first, mut second, mut similarities, mut verdicts] = [const { Vec::new() }; 4];
    for (column, value) in schema.columns.iter().zip(table.values(row)) {
        match value {
            ColumnValue::Similarity(value) => similarities.push(value),
            ColumnValue::External([one, other]) if column.is_judge() => verdicts.push(one - other),
            ColumnValue::Metric([one, other]) | ColumnValue::External([one, other]) => {
                first.push(column.as_given(one));
                second.push(column.as_given(other));
            }
        }
    }
    first.into_iter().chain(second).chain(similarities).chain(verdicts)
}

fn begin(output: Output, kind: TableKind, schema: &Schema) -> Result<RowWriter> {
    let values = names(schema);
    let known = [("line", CellKind::Integer), ("id", CellKind::Text), ("group", CellKind::Text)];
    let columns: Vec<(&str, CellKind)> = known
        .into_iter()
        .chain([("label", CellKind::Integer)])
        .chain(values.iter().map(|name| (name.as_str(), CellKind::Number)))
        .collect();
    RowWriter::begin(output, kind, &columns)
}

fn write(writer: &mut RowWriter, pairs: &[Pair], table: &Table, schema: &Schema) -> Result<()> {
    for (row, pair) in pairs.iter().enumerate() {
        let mut cells = vec![
            Cell::Integer(i64::try_from(pair.line).unwrap_or(i64::MAX)),
            pair.id.as_deref().map_or(Cell::Empty, Cell::Text),
            pair.group.as_deref().map_or(Cell::Empty, Cell::Text),
            pair.label.map_or(Cell::Empty, |label| Cell::Integer(label.sign().into())),
        ];
        let cell = |value: f64| if value.is_nan() { Cell::Empty } else { Cell::Number(value) };
        cells.extend(row_values(table, schema, row).map(cell));
        writer.write(&cells)?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_wrong_number_of_values_is_no_table() {
        assert_eq!(shaped(vec![1.0, 2.0], (1, 2)).unwrap(), ndarray::arr2(&[[1.0, 2.0]]));
        let message = shaped(vec![1.0; 5], (2, 3)).unwrap_err().to_string();
        assert!(message.contains("expected 6 values, 3 for each of 2 pairs, found 5"), "{message}");
    }
}
