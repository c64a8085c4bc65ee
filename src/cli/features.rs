//! `tribunal features`: what the model sees, as a table for other programs.

use std::path::PathBuf;

use anyhow::Result;
use clap::Args;
use tribunal::features::Choice;
use tribunal::files::table::TableKind;
use tribunal::files::{Input, Output};
use tribunal::formats::{Reading, are_outputs, read_output_rows};
use tribunal::workflows::{FeatureSettings, reading_of_outputs, write_features, write_output_features};

use super::options::{Common, ExternalOptions, ReadingOptions, TextOptions, check_files, refuse_for_outputs};

/// Write the feature table, one row per pair or single output
///
/// Columns: line, id, group and label of the pair, if known; `h1.F` and `h2.F` for every feature F of a hypothesis, including
/// your own metrics; then the features of the pair and the verdicts of judges. Features that need English are omitted for
/// other languages.
///
/// Of a table with one `output` a row: line, id, system, group and label of the output, then every feature `F` of its text and the
/// values of judges and your own metrics.
#[derive(Debug, Args)]
#[command(after_help = "Example:\n  tribunal features dev.pairs --answers dev.answers -o dev.csv")]
pub struct Features {
    /// Pairs, `-` for standard input, or single outputs
    pairs: Input,
    /// Human labels, one per line: fills the column `label`
    #[arg(long, short, value_name = "FILE")]
    answers: Option<Input>,
    /// Write a .csv, .tsv or .jsonl file [default: standard output, CSV; JSON Lines with --json]
    #[arg(long, short, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Flush after every row (for interactive use)
    #[arg(long)]
    unbuffered: bool,
    #[command(flatten)]
    own: ExternalOptions,
    /// Write your own metrics and judges only
    #[arg(long, requires = "ExternalOptions")]
    only_own: bool,
    #[command(flatten)]
    reading: ReadingOptions,
    #[command(flatten)]
    texts: TextOptions,
}

impl Features {
    pub fn run(self, common: &Common) -> Result<()> {
        let kind = self.kind(common)?;
        let signals = self.own.signals()?;
        let inputs = [&self.pairs].into_iter().chain(&self.answers).chain(signals.files());
        check_files(inputs, &[self.output.as_deref()])?;
        let engine = self.texts.engine(common)?;
        let output = Output::create(self.output.as_deref())?;
        let Self { pairs, answers, unbuffered, only_own, .. } = self;
        let reading = self.reading.reading(std::slice::from_ref(&pairs), answers.is_some())?;
        let language = self.texts.language;
        if are_outputs(&pairs, &reading)? {
            refuse_for_outputs(&[(unbuffered, "unbuffered"), (answers.is_some(), "answers")])?;
            let reading = reading_of_outputs(&[], signals, reading)?;
            let none: &[String] = &[];
            let choice = Choice::without(none, language);
            let choice = if only_own { choice.only_external() } else { choice };
            return common.with_context(&engine, |context| {
                let outputs = read_output_rows(&pairs, &reading)?;
                write_output_features(context, outputs, &choice, &pairs.to_string(), output, kind)
            });
        }
        let reading = Reading { signals: signals.of_file(0, 1)?, ..reading };
        let settings = FeatureSettings { pairs, reading, answers, kind, language, only_own, unbuffered };
        common.with_context(&engine, |context| write_features(context, &settings, output))
    }

    /// What the ending says; else JSON Lines where JSON is wanted.
    fn kind(&self, common: &Common) -> Result<TableKind> {
        #[cfg(not(feature = "parquet"))]
        if self.output.as_ref().is_some_and(|path| path.to_string_lossy().to_lowercase().ends_with(".parquet")) {
            let advice = "name a .csv file; this build writes no Parquet";
            return Err(tribunal::Error::invalid("`output`", "a .csv file", "a .parquet file", advice).into());
        }
        let otherwise = if common.json { TableKind::JsonLines } else { TableKind::Csv };
        Ok(TableKind::of_output(self.output.as_deref(), otherwise)?)
    }
}
