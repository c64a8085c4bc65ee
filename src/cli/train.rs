//! `tribunal train`: trains the ensemble and reports its cross-validated accuracy.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::Result;
use clap::Args;
use tribunal::error::Error;
use tribunal::features::Choice;
use tribunal::features::choice;
use tribunal::files::{Input, Output, check_content};
use tribunal::formats::{Reading, Signals, are_outputs, read_criteria};
use tribunal::learning::{TieRule, Validation};
use tribunal::model::{Model, Training};
use tribunal::report::people::EPSILON;
use tribunal::report::{ReportParts, sections};
use tribunal::workflows::{
    self, Engine, PairFiles, ReportFolder, Sources, TrainSettings, Trained, read_labelled_outputs, train_criteria,
    train_outputs,
};

use super::flags::{number, whole};
use super::options::{
    BreakdownOption, Common, ExternalOptions, ReadingOptions, TestOption, TextOptions, check_files, refuse_for_outputs,
};
use super::report_options::ReportOptions;
use super::tables::TableOption;

/// Options of the training itself.
const TRAINING: &str = "Training";

/// Train the ensemble and report its cross-validated accuracy
///
/// Every pair of the report is held out: it is judged by a model that was trained without its reference. The saved model
/// is trained on all pairs.
///
/// PAIRS has one 'hyp1 ||| hyp2 ||| ref' per line, or is a .csv, .tsv or .jsonl table with the columns hyp1, hyp2, ref
/// and label. The labels are 1 (hyp1 is better), 0 (a tie) and -1 (hyp2 is better). Preference data (chosen, rejected),
/// arenas (model_a, winner) and other tables are known by their columns; pairs without references are grouped by prompt. Of
/// a table with one `output` a row and its label (pass or fail, or a number), every two outputs of a prompt are a pair.
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  tribunal train dev.pairs --answers dev.answers -m dev.json\n  \
    tribunal train dev.csv --own bleurt,metricx- -m own.json\n  \
    tribunal train arena.jsonl --annotators ann,bob --judge gpt -m judges.json\n  \
    tribunal train outputs.jsonl --judge gpt -m outputs.json --report report")]
pub struct Train {
    /// Pairs, `-` for standard input; the model is trained on all files together
    #[arg(required = true)]
    pairs: Vec<Input>,
    /// Human labels, one per line, or a table of labelled pairs or outputs; not needed with the column `label`; one file
    /// per file of pairs
    #[arg(long, short, value_name = "FILE")]
    answers: Vec<Input>,
    /// Weight of each file's pairs in training, comma-separated; multiplied by the column `weight` [default: 1 each]
    #[arg(
        long, value_name = "LIST", value_delimiter = ',', value_parser = number,
        help_heading = TRAINING, hide_short_help = true
    )]
    file_weights: Vec<f64>,
    /// Save the model to this file
    #[arg(long, short, value_name = "FILE")]
    model: Option<PathBuf>,
    /// Cross-validation folds
    #[arg(
        long, value_name = "N", default_value_t = 10, value_parser = whole::<usize>(2, None),
        help_heading = TRAINING, hide_short_help = true
    )]
    folds: usize,
    /// When to predict a tie: `likeliest`, if it is the most probable verdict; `accurate`, at the rate with the highest
    /// accuracy on held-out pairs; or a share of the pairs, such as 0.15
    #[arg(
        long, value_name = "RULE", default_value_t = TieRule::default(),
        help_heading = TRAINING, hide_short_help = true
    )]
    ties: TieRule,
    /// Omit the features of these metrics or families, or single features, comma-separated; `none`: use all
    #[arg(
        long, value_name = "LIST", value_delimiter = ',', default_values_t = choice::on_request(),
        help_heading = TRAINING, hide_short_help = true
    )]
    without: Vec<String>,
    /// Columns of labels of outputs, one per criterion, or NAME=WEIGHT: the model learns their mean
    #[arg(
        long, value_name = "LIST", value_delimiter = ',', value_parser = criterion,
        help_heading = TRAINING, hide_short_help = true
    )]
    criteria: Vec<(String, f64)>,
    #[command(flatten)]
    own: ExternalOptions,
    #[command(flatten)]
    test: TestOption,
    #[command(flatten)]
    breakdown: BreakdownOption,
    /// Train on your own metrics and judges only
    #[arg(long, requires = "ExternalOptions", help_heading = TRAINING, hide_short_help = true)]
    only_own: bool,
    /// Also report the accuracy without each feature family, and with each omitted metric
    #[arg(long, help_heading = TRAINING, hide_short_help = true)]
    ablation: bool,
    /// Also report the accuracy by number of references
    #[arg(long, help_heading = TRAINING, hide_short_help = true)]
    curve: bool,
    #[command(flatten)]
    report: ReportOptions,
    #[command(flatten)]
    reading: ReadingOptions,
    #[command(flatten)]
    texts: TextOptions,
    /// Print only the summary, without tables
    #[arg(long)]
    brief: bool,
    #[command(flatten)]
    tables: TableOption,
}

/// Parses `NAME`, or `NAME=WEIGHT` with a weight above 0.
fn criterion(text: &str) -> Result<(String, f64), String> {
    let (name, weight) = match text.rsplit_once('=') {
        Some((name, weight)) => (name, number(weight).unwrap_or(0.0)),
        None => (text, 1.0),
    };
    match !name.is_empty() && weight > 0.0 {
        true => Ok((name.to_owned(), weight)),
        false => Err("write NAME, or NAME=WEIGHT with a weight above 0".to_owned()),
    }
}

impl Train {
    pub fn run(self, common: &Common) -> Result<()> {
        // First of all, so that an hour of training is not lost to a wrong folder.
        self.breakdown.check(&self.pairs)?;
        let signals = self.reading.signals(&self.own)?;
        let inputs = || self.pairs.iter().chain(&self.answers).chain(signals.files());
        let folder = self.report.folder()?;
        let files: BTreeSet<PathBuf> =
            folder.iter().flat_map(|folder| [folder.files(), folder.files_of_outputs()]).flatten().collect();
        let outputs: Vec<Option<&Path>> = self.model.iter().chain(&files).map(|path| Some(path.as_path())).collect();
        check_files(inputs(), &outputs)?;
        self.model.iter().try_for_each(|model| check_content(model, "a model", &["json"]))?;
        let engine = self.texts.engine(common)?;
        let is_replaced = self.model.as_ref().is_some_and(|path| path.is_file());
        let output = self.model.as_deref().map(|path| Output::create(Some(path))).transpose()?;
        let reading = self.reading.reading(&self.pairs, !self.answers.is_empty())?;
        let reading = Reading { by_column: self.breakdown.column(), ..reading };
        if let [one] = self.pairs.as_slice()
            && are_outputs(one, &reading)?
        {
            let reading = Reading { signals: signals.of_file(0, 1)?, ..reading };
            let trained = self.of_outputs(one, &reading, &engine, common)?;
            return self.finish(trained, output, is_replaced, &folder, common);
        }
        if !self.criteria.is_empty() {
            let (expected, advice) = ("outputs, one a row", "omit it, as it has no effect");
            return Err(Error::invalid("`criteria`", expected, "pairs", advice).into());
        }
        let (pairs, answers) = (self.pairs.clone(), self.answers.clone());
        let files = PairFiles { pairs, answers, signals: signals.clone(), reading };
        let trained = common.with_context(&engine, |context| {
            let Sources { sources, accounts, .. } = files.sources(context, &self.file_weights)?;
            let pairs = sources.iter().flat_map(|source| &source.judgments).map(|judgment| &judgment.pair);
            let settings = TrainSettings {
                epsilon: self.test.epsilon(pairs)?,
                details: self.report.details(inputs(), accounts, common),
                ..self.settings(signals.clone(), common)
            };
            workflows::train(context, &sources, &settings)
        })?;
        self.finish(trained, output, is_replaced, &folder, common)
    }

    /// Trains on single outputs.
    fn of_outputs(&self, outputs: &Input, reading: &Reading, engine: &Engine, common: &Common) -> Result<Trained> {
        let (has_criteria, answers) = (!self.criteria.is_empty(), self.answers.first());
        refuse_for_outputs(&[(self.answers.len() > 1, "answers"), (!self.file_weights.is_empty(), "file_weights")])?;
        if let (Some(answers), true) = (answers, has_criteria) {
            let (expected, advice) = ("labels in the columns of the criteria", "omit it, as it has no effect");
            return Err(Error::invalid("`answers`", expected, answers.to_string(), advice).into());
        }
        common.with_context(engine, |context| {
            let details = self.report.details([outputs], Vec::new(), common);
            let epsilon = self.test.given().unwrap_or(EPSILON);
            let settings = TrainSettings { details, epsilon, ..self.settings(Signals::default(), common) };
            if !has_criteria {
                let read = read_labelled_outputs(context, outputs, answers, reading)?;
                return train_outputs(context, &outputs.name(), read, &settings);
            }
            let criteria = read_criteria(outputs, reading, &self.criteria)?;
            train_criteria(context, &outputs.name(), &criteria, &settings)
        })
    }

    /// Saves the model, writes the report and prints it.
    fn finish(
        &self,
        mut trained: Trained,
        output: Option<Output>,
        is_replaced: bool,
        folder: &Option<ReportFolder>,
        common: &Common,
    ) -> Result<()> {
        self.tables.check(&sections::of_report(&trained.report))?;
        match output {
            Some(output) => {
                trained.model.write(output)?;
                self.tell_of_model(&trained.model, is_replaced, common);
            }
            None => common.note("Model not saved; use -m FILE."),
        }
        self.report.write(folder, &trained.report, common)?;
        trained.report.keep(ReportParts { matrix: false, ablation: self.ablation, curve: self.curve });
        self.tables.print_report(common, trained.report, self.brief)
    }

    fn tell_of_model(&self, model: &Model, is_replaced: bool, common: &Common) {
        let Some(path) = self.model.as_ref().filter(|path| path.as_os_str() != "-") else { return };
        let bytes = fs::metadata(path).map_or(0, |file| file.len());
        let Training { pairs, groups, references, .. } = &model.training;
        let is_by_reference = !references.is_empty() && model.schema.needs_references();
        let unit = if is_by_reference { "references" } else { "groups" };
        let replaced = if is_replaced { "; replaced the old file" } else { "" };
        common.note(&format!("{}: saved ({pairs} pairs, {groups} {unit}, {bytes} bytes){replaced}", path.display()));
    }

    fn settings(&self, signals: Signals, common: &Common) -> TrainSettings {
        let none: &[String] = &[];
        let without = if self.without == ["none"] { none } else { &self.without };
        let features = Choice::without(without, self.texts.language.clone());
        TrainSettings {
            validation: Validation { folds: self.folds, ties: self.ties, seed: common.seed() },
            features: if self.only_own { features.only_external() } else { features },
            signals,
            by_column: self.breakdown.column(),
            ablation: self.ablation,
            curve: self.curve,
            ..TrainSettings::default()
        }
    }
}
