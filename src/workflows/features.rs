//! In: a file of pairs. Out: a file with what the model sees of them, a row a pair. Next: other programs.

use super::batches::{Batches, Stream};
use super::engine::Engine;
use super::event::{Listener, silent};
use super::language;
use crate::error::Result;
use crate::features::{Choice, Extractor, Schema, Table};
use crate::files::table::{Cell, CellKind, RowWriter, TableKind};
use crate::files::{Input, Output};
use crate::formats::{LabelNames, PairReader, Reading, answers};
use crate::judgments::{Language, OwnMetric, Pair, Verdict};

/// Which features are written, and how.
#[derive(Debug, Clone)]
pub struct FeatureSettings {
    /// The pairs.
    pub pairs: Input,
    /// Their format.
    pub reading: Reading,
    /// Human judgments, one per line, for the column `label`.
    pub answers: Option<Input>,
    /// How the table is written.
    pub kind: TableKind,
    /// The language of the texts: for any but English there are no features that need English.
    pub language: Language,
    /// Own metrics alone, see [`Reading::own`].
    pub only_own: bool,
    /// Each row as soon as its pair is read.
    pub unbuffered: bool,
}

impl FeatureSettings {
    fn extractor(&self, engine: &Engine) -> Result<Extractor> {
        let own: Vec<OwnMetric> = self.reading.own.iter().map(|source| source.metric.clone()).collect();
        let all = Extractor::all(engine.lexicons())?;
        if self.language.is_english() && !self.only_own {
            return Ok(all.with_own(own));
        }
        let none: &[String] = &[];
        let choice = Choice::without(none, self.language.clone()).with_own(own);
        let choice = if self.only_own { choice.only_own() } else { choice };
        Extractor::for_schema(engine.lexicons(), &choice.of(all.schema())?, "features")
    }

    fn check_answers(&self, labels: &[Verdict], pairs: usize) -> Result<()> {
        let Some(answers) = &self.answers else { return Ok(()) };
        answers::check_count(answers, &self.pairs, labels.len(), pairs)
    }
}

/// Writes the feature table, with memory that does not grow with the number of pairs. Columns: line, id and group of
/// the pair and its label where known; `h1.F` and `h2.F` for every feature F of a hypothesis; then the features of the
/// pair.
///
/// # Errors
/// What reading the pairs and writing the table report; another number of answers than of pairs.
pub fn write_features(
    engine: &Engine,
    settings: &FeatureSettings,
    output: Output,
    listener: Listener<'_>,
) -> Result<()> {
    let extractor = settings.extractor(engine)?;
    let names = LabelNames::from_options(&settings.reading.options)?;
    let labels = settings.answers.as_ref().map(|answers| answers::read_named(answers, &names)).transpose()?;
    // Of a pair that somebody waits for there is no progress.
    let hears = if settings.unbuffered { &silent } else { listener };
    let mut stream = Stream::new(hears, "computing features", &settings.pairs);
    let pairs = PairReader::open(&settings.pairs, settings.reading.clone())?;
    let mut batches = Batches::new(pairs, settings.unbuffered);
    let mut writer = begin(output, settings.kind, extractor.schema())?;
    let (mut rows, mut pending) = (0, None);
    while let Some(batch) = batches.next() {
        let mut pairs = batch?;
        if rows == 0 {
            let references = pairs.iter().flat_map(|pair| &pair.references).map(String::as_str);
            language::check_features(extractor.schema(), references, engine.wordnet(), listener);
        }
        rows += pairs.len();
        if let Some(labels) = labels.as_ref().filter(|labels| labels.len() < rows) {
            let rest = batches.map(|batch| Ok(batch?.len())).sum::<Result<usize>>()?;
            return settings.check_answers(labels, rows + rest);
        }
        if let Some(labels) = &labels {
            let of_batch = &labels[rows - pairs.len()..];
            pairs.iter_mut().zip(of_batch).for_each(|(pair, &label)| pair.label = Some(label));
        }
        let table = extractor.extract(pairs.iter(), &stream.batch(pairs.len()));
        stream.advance(pairs.len());
        // Held back until the next rows, or the end, turn out to be as they should.
        if let Some((pairs, table)) = pending.replace((pairs, table)) {
            write(&mut writer, &pairs, &table, extractor.schema())?;
        }
        if let Some((pairs, table)) = pending.take_if(|_| settings.unbuffered) {
            write(&mut writer, &pairs, &table, extractor.schema())?;
            writer.flush()?;
        }
    }
    labels.map_or(Ok(()), |labels| settings.check_answers(&labels, rows))?;
    pending.map_or(Ok(()), |(pairs, table)| write(&mut writer, &pairs, &table, extractor.schema()))?;
    writer.finish()
}

fn begin(output: Output, kind: TableKind, schema: &Schema) -> Result<RowWriter> {
    let of_side = |side: &str| schema.hypothesis_names().iter().map(|name| format!("{side}.{name}")).collect();
    let (first, second): (Vec<String>, Vec<String>) = (of_side("h1"), of_side("h2"));
    let values = first.iter().chain(&second).map(String::as_str).chain(schema.pair.iter().map(|one| one.name.as_str()));
    let known = [("line", CellKind::Integer), ("id", CellKind::Text), ("group", CellKind::Text)];
    let columns: Vec<(&str, CellKind)> = known
        .into_iter()
        .chain([("label", CellKind::Integer)])
        .chain(values.map(|name| (name, CellKind::Number)))
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
        for (features, own) in table.row(row).into_iter().zip(table.own(row)) {
            // As the user has them: what is turned twice is as it was.
            let own = schema.own.iter().zip(own).map(|(metric, &value)| metric.oriented(value));
            cells.extend(features.iter().copied().chain(own).map(Cell::Number));
        }
        cells.extend(table.symmetric.row(row).iter().map(|&value| Cell::Number(value)));
        writer.write(&cells)?;
    }
    Ok(())
}
