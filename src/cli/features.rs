//! `tribunal features`: what the model sees, as a table for other programs.

use std::path::PathBuf;

use anyhow::Result;
use clap::Args;
use tribunal::features::{Extractor, Schema, Table};
use tribunal::files::table::{Cell, CellKind, RowWriter, TableKind};
use tribunal::files::{Input, Output};
use tribunal::formats::{PairReader, answers};
use tribunal::judgments::{Pair, Verdict};

use super::batches::Batches;
use super::options::Common;

/// Write the feature table, one row per pair
///
/// Columns: line, id and group of the pair and its label where known; `h1.F` and `h2.F` for every feature F of a
/// hypothesis; then the features of the pair.
#[derive(Debug, Args)]
#[command(after_help = "Example:\n  tribunal features dev.pairs --answers dev.answers -o dev.csv")]
pub struct Features {
    /// The pairs, `-` for standard input
    pairs: Input,
    /// Human judgments, one per line: fills the column `label`
    #[arg(long, short, value_name = "FILE")]
    answers: Option<Input>,
    /// Where the table is written: .csv, .tsv or .jsonl [default: standard output; CSV, or JSON Lines with --json]
    #[arg(long, short, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Write each row as soon as its pair is read, for a program that waits for it
    #[arg(long)]
    unbuffered: bool,
}

impl Features {
    pub fn run(self, common: &Common) -> Result<()> {
        let kind = self.kind(common)?;
        let output = Output::create(self.output.as_deref())?;
        let extractor = Extractor::all(&common.wordnet()?)?;
        let labels = self.answers.as_ref().map(answers::read).transpose()?;
        let mut batches = Batches::of(PairReader::open(&self.pairs, common.format())?, self.unbuffered);
        let mut writer = begin(output, kind, extractor.schema())?;
        let (mut rows, mut pending) = (0, None);
        while let Some(batch) = batches.next() {
            let mut pairs = batch?;
            rows += pairs.len();
            if let Some(labels) = labels.as_ref().filter(|labels| labels.len() < rows) {
                let rest = batches.map(|batch| Ok(batch?.len())).sum::<tribunal::Result<usize>>()?;
                return self.check_answers(labels, rows + rest);
            }
            if let Some(labels) = &labels {
                let of_batch = &labels[rows - pairs.len()..];
                pairs.iter_mut().zip(of_batch).for_each(|(pair, &label)| pair.label = Some(label));
            }
            let table = extractor.extract(pairs.iter(), &|_, _| ());
            // Held back until the next rows, or the end, turn out to be as they should.
            if let Some((pairs, table)) = pending.replace((pairs, table)) {
                write(&mut writer, &pairs, &table)?;
            }
            if let Some((pairs, table)) = pending.take_if(|_| self.unbuffered) {
                write(&mut writer, &pairs, &table)?;
                writer.flush()?;
            }
        }
        labels.map_or(Ok(()), |labels| self.check_answers(&labels, rows))?;
        pending.map_or(Ok(()), |(pairs, table)| write(&mut writer, &pairs, &table))?;
        Ok(writer.finish()?)
    }

    /// What the ending says; else JSON Lines where JSON is wanted.
    fn kind(&self, common: &Common) -> Result<TableKind> {
        let output = self.output.as_ref().map(|path| Input::File(path.clone()));
        #[cfg(not(feature = "parquet"))]
        if output.as_ref().is_some_and(|output| output.to_string().to_lowercase().ends_with(".parquet")) {
            let advice = "name a .csv file; this build writes no Parquet";
            return Err(tribunal::Error::invalid("--output", "a .csv file", "a .parquet file", advice).into());
        }
        let otherwise = if common.json { TableKind::JsonLines } else { TableKind::Csv };
        Ok(output.as_ref().and_then(TableKind::of).unwrap_or(otherwise))
    }

    fn check_answers(&self, labels: &[Verdict], pairs: usize) -> Result<()> {
        let Some(answers) = &self.answers else { return Ok(()) };
        Ok(answers::check_count(answers, &self.pairs, labels.len(), pairs)?)
    }
}

fn begin(output: Output, kind: TableKind, schema: &Schema) -> tribunal::Result<RowWriter> {
    let of_side =
        |side: &str| schema.hypothesis.iter().map(move |feature| format!("{side}.{}", feature.name)).collect();
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

fn write(writer: &mut RowWriter, pairs: &[Pair], table: &Table) -> tribunal::Result<()> {
    for (row, pair) in pairs.iter().enumerate() {
        let mut cells = vec![
            Cell::Integer(i64::try_from(pair.line).unwrap_or(i64::MAX)),
            pair.id.as_deref().map_or(Cell::Empty, Cell::Text),
            pair.group.as_deref().map_or(Cell::Empty, Cell::Text),
            pair.label.map_or(Cell::Empty, |label| Cell::Integer(label.sign().into())),
        ];
        for part in [&table.first, &table.second, &table.symmetric] {
            cells.extend(part.row(row).iter().map(|&value| Cell::Number(value)));
        }
        writer.write(&cells)?;
    }
    Ok(())
}
