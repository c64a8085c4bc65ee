//! `tribunal predict`: one verdict per line.

use std::io::{IsTerminal, stderr, stdin};
use std::path::PathBuf;

use anyhow::Result;
use clap::Args;
use tribunal::files::{Input, Output};
use tribunal::formats::{PairReader, Reading, are_outputs, read_output_rows};
use tribunal::model::Ties;
use tribunal::workflows::{
    Engine, NamedModel, PairPredictor, PredictSettings, VerdictForm, predict, predict_outputs, reading_for,
    reading_of_outputs, write_output_predictions,
};

use super::flags::number;
use super::options::{Common, ExternalOptions, PairOptions, TextOptions, check_files, refuse_for_outputs};

/// Predict which hypothesis people would prefer: 1, 0 or -1, one per line
///
/// With --json, or to a file named .jsonl, each line is an object with number, line and id of the pair, the verdict, and
/// the probabilities of 1, 0 and -1; .csv and .tsv are tables of the same. `check` and `evaluate` read all of these.
/// Pairs typed on a terminal are answered one by one.
///
/// The share of ties among human labels differs between campaigns: `--ties 0.15` predicts a tie for 15% of the pairs and
/// makes that the mean probability of a tie; `--ties 0` predicts one only if both hypotheses are equally probable.
///
/// Of a table with one `output` a row, each output gets its score, from 0 to 100, and from a model that was trained on outputs
/// its expected label: the probability that people pass it, with the verdict, or a number on their scale.
#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  tribunal predict test.pairs -o eval.out\n  tribunal predict test.pairs --ties 0.15 --json\n  \
    tribunal predict test.pairs --min-agreement 0.6\n  \
    tribunal predict test.pairs --json --explain\n  \
    tribunal predict outputs.jsonl -m outputs.json --min-agreement 0.6 -o labels.csv\n  \
    tribunal predict test.pairs -m own.json --own bleurt=test.bleurt,metricx-=test.metricx\n  \
    printf 'he goes ||| he go ||| he is going\\n' | tribunal predict -"
)]
pub struct Predict {
    /// Pairs, `-` for standard input
    pairs: Input,
    /// A trained model, or a built-in one: `builtin` for English, `builtin-any` for other languages
    /// [default: by --language]
    #[arg(long, short, value_name = "FILE")]
    model: Option<Input>,
    /// Write the verdicts to this file; .csv, .tsv and .jsonl with probabilities [default: standard output]
    #[arg(long, short, value_name = "FILE")]
    output: Option<PathBuf>,
    /// When to predict a tie: `likeliest`, if it is the most probable verdict; a share of the pairs, such as 0.15; or
    /// `threshold=P`, if its probability is at least P [default: the rule of the model]
    #[arg(long, value_name = "RULE")]
    ties: Option<Ties>,
    /// Leave the least confident pairs undecided: with 0.85, those below the confidence above which 85% of the verdicts
    /// agreed with human labels in cross-validation
    #[arg(long, value_name = "SHARE", value_parser = number, conflicts_with = "ties")]
    min_agreement: Option<f64>,
    /// With --json: add the three most important feature families, each with the hypothesis that it favours, 1 or -1
    #[arg(long, hide_short_help = true)]
    explain: bool,
    #[command(flatten)]
    own: ExternalOptions,
    /// Flush after every verdict (for interactive use)
    #[arg(long, hide_short_help = true)]
    unbuffered: bool,
    #[command(flatten)]
    reading: PairOptions,
    #[command(flatten)]
    texts: TextOptions,
}

impl Predict {
    pub fn run(self, common: &Common) -> Result<()> {
        let signals = self.own.signals()?;
        let inputs = [&self.pairs].into_iter().chain(&self.model).chain(signals.files());
        check_files(inputs, &[self.output.as_deref()])?;
        let engine = self.texts.engine(common)?;
        let form = VerdictForm::for_output(self.output.as_deref(), common.json)?;
        let output = Output::create(self.output.as_deref())?;
        let named = NamedModel::read(self.model.as_ref(), &engine, &self.texts.language)?;
        let reading = Reading { ignores_labels: true, ..self.reading.reading(&self.pairs)? };
        if are_outputs(&self.pairs, &reading)? {
            named.check_signals_of_outputs(&signals)?;
            let reading = reading_of_outputs(std::slice::from_ref(&named), signals, reading)?;
            return self.of_outputs(&named, &reading, output, form, &engine, common);
        }
        named.check_signals(&signals)?;
        let reading = reading_for(std::slice::from_ref(&named), signals, reading)?;
        // Flush each line when the input is a terminal, unless verdicts depend on the lines to come.
        let is_typed = self.pairs == Input::Stdin && stdin().is_terminal();
        let is_answered = is_typed && !self.ties.is_some_and(Ties::needs_all_pairs);
        let settings = PredictSettings {
            ties: self.ties,
            min_agreement: self.min_agreement,
            form,
            explain: self.explain,
            unbuffered: self.unbuffered || is_answered,
        };
        let [first, ties, second] = common.with_context(&engine, |context| {
            let judge = PairPredictor::new(context.engine(), named.model, &named.source_name)?;
            predict(context, &judge, PairReader::open(&self.pairs, reading)?, output, settings)
        })?;
        if stderr().is_terminal() {
            let tie = if ties == 1 { "tie" } else { "ties" };
            common.note(&format!("{first} first, {second} second, {ties} {tie}"));
        }
        Ok(())
    }

    /// Predicts the labels of single outputs.
    fn of_outputs(
        &self,
        named: &NamedModel,
        reading: &Reading,
        output: Output,
        form: VerdictForm,
        engine: &Engine,
        common: &Common,
    ) -> Result<()> {
        refuse_for_outputs(&[
            (self.ties.is_some(), "ties"),
            (self.explain, "explain"),
            (self.unbuffered, "unbuffered"),
        ])?;
        common.with_context(engine, |context| {
            let outputs = read_output_rows(&self.pairs, reading)?;
            let place = self.pairs.to_string();
            let predictions = predict_outputs(context, named, outputs, &place, self.min_agreement)?;
            write_output_predictions(&predictions, output, form)
        })?;
        Ok(())
    }
}
