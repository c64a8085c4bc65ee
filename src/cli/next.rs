//! `tribunal next`: what to label next.

use std::path::PathBuf;

use anyhow::Result;
use clap::Args;
use tribunal::files::table::TableKind;
use tribunal::files::{Input, Output};
use tribunal::formats::{PairShape, PairWriter, are_outputs, write_outputs};
use tribunal::judgments::output::Outputs;
use tribunal::workflows::{
    NamedModel, NextSettings, PairFiles, next_of_files, next_outputs, read_labelled_outputs, reading_of_outputs,
};

use super::flags::{number, whole};
use super::options::{Common, ExternalOptions, ReadingOptions, TextOptions, check_files};

/// Draw pairs or outputs for labelling: uncertain ones more often, with known probabilities
///
/// Pairs on which the model is uncertain or the judges disagree are more likely to be drawn; the draw is spread over systems,
/// predictions and groups. The column `drawn` holds the probability with which each pair was drawn, `wave` the number of the draw.
/// `rank` weights labels by them, so that they represent all pairs. Pairs with a label follow those that are drawn, with
/// the same columns: labels without them count as a simple random sample, the first wave. If the pairs have references,
/// the default model is the built-in one.
///
/// Of a table with one `output` a row, outputs without any label are drawn; a model must have been trained on outputs, and at
/// least two judges can disagree. The columns of judges and own metrics are written with them.
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  tribunal next arena.jsonl -n 10 --judge gpt,claude -o next.csv\n  \
    tribunal next test.pairs -n 10 -m dev.json --random 0.5 -o next.csv\n  \
    tribunal next outputs.jsonl -n 10 --judge gpt -o next.csv")]
pub struct Next {
    /// Pairs, `-` for standard input, or outputs; those with a label are not drawn
    pairs: Input,
    /// Number of pairs or outputs to draw
    #[arg(long, short = 'n', value_name = "N", default_value = "100", value_parser = whole::<usize>(1, None))]
    count: usize,
    /// Write a .csv, .tsv or .jsonl file [default: standard output, CSV; JSON Lines with --json]
    #[arg(long, short, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Existing labels, one per line, or a table of labelled pairs or outputs, such as the page of `annotate` exports
    #[arg(long, short, value_name = "FILE")]
    answers: Option<Input>,
    /// A trained model, or a built-in one: `builtin` for English, `builtin-any` for other languages
    /// [default: by --language, if there are references]
    #[arg(long, short, value_name = "FILE")]
    model: Option<Input>,
    /// Share of the draw that is uniform, independent of model and judges; 1 for a simple random sample
    #[arg(long, value_name = "SHARE", default_value_t = 0.3, value_parser = number)]
    random: f64,
    #[command(flatten)]
    own: ExternalOptions,
    #[command(flatten)]
    reading: ReadingOptions,
    #[command(flatten)]
    texts: TextOptions,
}

impl Next {
    pub fn run(self, common: &Common) -> Result<()> {
        let signals = self.reading.signals(&self.own)?;
        let inputs = [&self.pairs].into_iter().chain(&self.answers).chain(&self.model);
        let inputs = inputs.chain(signals.files());
        check_files(inputs, &[self.output.as_deref()])?;
        let engine = self.texts.engine(common)?;
        let kind = self.kind(common)?;
        let output = Output::create(self.output.as_deref())?;
        let named =
            self.model.as_ref().map(|file| NamedModel::read(Some(file), &engine, &self.texts.language)).transpose()?;
        let reading = self.reading.reading(std::slice::from_ref(&self.pairs), false)?;
        let settings = NextSettings {
            count: self.count,
            random_share: self.random,
            signals: signals.clone(),
            language: self.texts.language.clone(),
            seed: common.seed(),
        };
        if are_outputs(&self.pairs, &reading)? {
            let reading = reading_of_outputs(named.as_slice(), signals, reading)?;
            let [outputs, drawn] = common.with_context(&engine, |context| {
                let outputs = read_labelled_outputs(context, &self.pairs, self.answers.as_ref(), &reading)?;
                let drawn = next_outputs(context, &self.pairs.name(), &outputs, named.as_ref(), &settings)?;
                Ok([outputs, drawn])
            })?;
            write_outputs(&drawn, output, kind)?;
            let open = |outputs: &Outputs| outputs.rows.iter().filter(|row| row.labels.is_empty()).count();
            common.note(&format!("{} of {} outputs without a label drawn", open(&drawn), open(&outputs)));
            return Ok(());
        }
        let answers = self.answers.into_iter().collect();
        let files = PairFiles { pairs: vec![self.pairs], answers, signals, reading };
        let (pairs, drawn) =
            common.with_context(&engine, |context| next_of_files(context, &files, named.as_ref(), &settings))?;
        let shape = PairShape { is_drawn: true, ..PairShape::of_pairs(&pairs) };
        let mut writer = PairWriter::begin(output, kind, shape, pairs.iter())?;
        drawn.iter().try_for_each(|pair| writer.write(pair))?;
        writer.finish()?;
        let unlabelled = pairs.iter().filter(|pair| pair.label.is_none()).count();
        let count = drawn.iter().filter(|pair| pair.label.is_none()).count();
        common.note(&format!("{count} of {unlabelled} pairs without a label drawn"));
        Ok(())
    }

    /// The kind of table that the name of the output shows.
    fn kind(&self, common: &Common) -> Result<TableKind> {
        let otherwise = if common.json { TableKind::JsonLines } else { TableKind::Csv };
        Ok(TableKind::of_output(self.output.as_deref(), otherwise)?)
    }
}
