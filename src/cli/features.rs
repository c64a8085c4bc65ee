//! `tribunal features`: what the model sees, as a table for other programs.

use std::path::PathBuf;

use anyhow::Result;
use clap::Args;
use tribunal::Error;
use tribunal::features::{Extractor, Schema, Table};
use tribunal::files::{Input, Output};
use tribunal::formats::{PairReader, answers};
use tribunal::judgments::{Pair, Verdict};

use super::batches::Batches;
use super::options::Common;

/// Write the feature table as CSV, a row a pair
///
/// Columns: line, id and group of the pair and its label where known; `h1.F` and `h2.F` for every feature F of a
/// hypothesis; then the features of the pair.
#[derive(Debug, Args)]
#[command(after_help = "Example:\n  tribunal features dev.pairs --answers dev.answers -o dev.csv")]
pub struct Features {
    /// The pairs, `-` for standard input
    pairs: Input,
    /// What people said, a line a pair: fills the column `label`
    #[arg(long, short, value_name = "FILE")]
    answers: Option<Input>,
    /// Where the table is written [default: standard output]
    #[arg(long, short, value_name = "FILE.csv")]
    output: Option<PathBuf>,
    /// Give each row as soon as its pair is read, for a program that waits for it
    #[arg(long)]
    unbuffered: bool,
}

impl Features {
    pub fn run(self, common: &Common) -> Result<()> {
        refuse_parquet(self.output.as_ref())?;
        let mut output = Output::create(self.output.as_deref())?;
        let extractor = Extractor::all(&common.wordnet()?)?;
        let labels = self.answers.as_ref().map(answers::read).transpose()?;
        let mut batches = Batches::of(PairReader::open(&self.pairs, common.format())?, self.unbuffered);
        let (mut rows, mut pending) = (0, Vec::new());
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
            // Held back until the next rows, or the end, turn out to be as they should.
            output.write(&pending)?;
            pending = if rows == pairs.len() { header(extractor.schema())? } else { Vec::new() };
            pending.extend(records(&pairs, &extractor.extract(pairs.iter(), &|_, _| ()))?);
            if self.unbuffered {
                output.write(&std::mem::take(&mut pending))?;
                output.flush()?;
            }
        }
        labels.map_or(Ok(()), |labels| self.check_answers(&labels, rows))?;
        output.write(&pending)?;
        Ok(output.finish()?)
    }

    fn check_answers(&self, labels: &[Verdict], pairs: usize) -> Result<()> {
        let Some(answers) = &self.answers else { return Ok(()) };
        Ok(answers::check_count(answers, &self.pairs, labels.len(), pairs)?)
    }
}

fn refuse_parquet(output: Option<&PathBuf>) -> Result<()> {
    if output.is_some_and(|path| path.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("parquet"))) {
        let advice = "name a .csv file; this build writes no Parquet";
        return Err(Error::invalid("--output", "a .csv file", "a .parquet file", advice).into());
    }
    Ok(())
}

fn header(schema: &Schema) -> Result<Vec<u8>> {
    let mut writer = csv::Writer::from_writer(Vec::new());
    let of_side =
        |side: &str| schema.hypothesis.iter().map(move |feature| format!("{side}.{}", feature.name)).collect();
    let (first, second): (Vec<String>, Vec<String>) = (of_side("h1"), of_side("h2"));
    let names = ["line", "id", "group", "label"].map(str::to_owned).into_iter().chain(first).chain(second);
    writer.write_record(names.chain(schema.pair.iter().map(|feature| feature.name.clone())))?;
    Ok(writer.into_inner()?)
}

fn records(pairs: &[Pair], table: &Table) -> Result<Vec<u8>> {
    let mut writer = csv::Writer::from_writer(Vec::new());
    for (row, pair) in pairs.iter().enumerate() {
        let text = |text: &Option<String>| text.clone().unwrap_or_default();
        let label = pair.label.map(|label: Verdict| label.to_string()).unwrap_or_default();
        let values = table.first.row(row).into_iter().chain(table.second.row(row)).chain(table.symmetric.row(row));
        let fields = [pair.line.to_string(), text(&pair.id), text(&pair.group), label];
        writer.write_record(fields.into_iter().chain(values.map(f64::to_string)))?;
    }
    Ok(writer.into_inner()?)
}
