//! `tribunal features`: what the model sees, as a table for other programs.

use std::path::PathBuf;

use anyhow::Result;
use clap::Args;
use tribunal::Error;
use tribunal::features::{Extractor, Schema, Table};
use tribunal::judgments::{Input, Output, Pair, PairReader, Verdict, answers};

use super::options::Common;
use super::progress;

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
}

impl Features {
    pub fn run(self, common: &Common) -> Result<()> {
        refuse_parquet(self.output.as_ref())?;
        let mut output = Output::create(self.output.as_deref())?;
        let mut pairs = PairReader::open(&self.pairs, common.format())?.collect::<tribunal::Result<Vec<Pair>>>()?;
        if let Some(answers) = &self.answers {
            let labels = answers::read_for(answers, &self.pairs, pairs.len())?;
            pairs.iter_mut().zip(labels).for_each(|(pair, label)| pair.label = Some(label));
        }
        let extractor = Extractor::all(common.wordnet()?);
        let bar = progress::bar(common, "computing features", 1);
        let table = extractor.extract(pairs.iter(), &progress::segments(&bar));
        bar.finish_and_clear();
        output.write(&csv(extractor.schema(), &pairs, &table)?)?;
        Ok(output.finish()?)
    }
}

fn refuse_parquet(output: Option<&PathBuf>) -> Result<()> {
    if output.is_some_and(|path| path.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("parquet"))) {
        let advice = "name a .csv file; this build writes no Parquet";
        return Err(Error::invalid("--output", "a .csv file", "a .parquet file", advice).into());
    }
    Ok(())
}

fn csv(schema: &Schema, pairs: &[Pair], table: &Table) -> Result<Vec<u8>> {
    let mut writer = csv::Writer::from_writer(Vec::new());
    let of_side =
        |side: &str| schema.hypothesis.iter().map(move |feature| format!("{side}.{}", feature.name)).collect();
    let (first, second): (Vec<String>, Vec<String>) = (of_side("h1"), of_side("h2"));
    let names = ["line", "id", "group", "label"].map(str::to_owned).into_iter().chain(first).chain(second);
    writer.write_record(names.chain(schema.pair.iter().map(|feature| feature.name.clone())))?;
    for (row, pair) in pairs.iter().enumerate() {
        let text = |text: &Option<String>| text.clone().unwrap_or_default();
        let label = pair.label.map(|label: Verdict| label.to_string()).unwrap_or_default();
        let values = table.first.row(row).into_iter().chain(table.second.row(row)).chain(table.symmetric.row(row));
        let fields = [pair.line.to_string(), text(&pair.id), text(&pair.group), label];
        writer.write_record(fields.into_iter().chain(values.map(f64::to_string)))?;
    }
    Ok(writer.into_inner()?)
}
