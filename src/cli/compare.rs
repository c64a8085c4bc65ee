//! `tribunal compare`: ready models, the baseline and every single metric, on the same judgments.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use anyhow::Result;
use clap::Args;
use tribunal::files::Input;
use tribunal::formats::{Reading, are_outputs};
use tribunal::judgments::Judgment;
use tribunal::model::Ties;
use tribunal::report::outputs::OutputReport;
use tribunal::report::{GainPower, ReportParts, sections};
use tribunal::workflows::{
    self, CompareSettings, Engine, NamedModel, OutputSettings, PairFiles, ReportFolder, Sources, compare_outputs,
    read_labelled_outputs, reading_of_outputs, with_learned,
};

use super::flags::points;
use super::gate::{self, Gate};
use super::options::{
    BreakdownOption, Common, ExternalOptions, ReadingOptions, TestOption, TextOptions, check_files, refuse_for_outputs,
};
use super::report_options::ReportOptions;
use super::tables::TableOption;

/// Report the accuracy of models, judges, the baseline and every single metric
///
/// The accuracy of a model on its own training data is inflated, and a warning says so: use the cross-validated accuracy
/// that `train` reports. The row `best-metric` is the best single metric without hindsight: for each of ten folds, the
/// metric and its tie threshold are chosen on the other folds. Where no model can be compared, as the built-in ones need
/// references, the report begins with the most accurate metric or judge, beside the next one. If no human label is a tie,
/// models predict no ties, unless --ties is given.
///
/// Of a table with one `output` a row, judges and metrics are compared by rates, kappa and ROC area (labels pass or fail), or
/// by correlations and bias (numbers).
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  tribunal compare test.pairs --answers test.answers -m dev.json -m other.json\n  \
    tribunal compare test.pairs --answers test.answers -m dev.json -m builtin --against builtin\n  \
    tribunal compare arena.jsonl --annotators ann,bob --judge gpt --by-column model_a\n  \
    tribunal compare outputs.jsonl --judge gpt\n  \
    tribunal compare test.pairs --answers test.answers -m dev.json --report report")]
pub struct Compare {
    /// Pairs, `-` for standard input; may be several files
    #[arg(required = true)]
    pairs: Vec<Input>,
    /// Human labels, one per line, or a table such as `annotate` exports; not needed with the column `label`; one file
    /// per file of pairs
    #[arg(long, short, value_name = "FILE")]
    answers: Vec<Input>,
    /// A trained model, or `builtin` (English), `builtin-any` (other languages); may be repeated [default: built in]
    #[arg(long, short, value_name = "FILE")]
    model: Vec<Input>,
    /// When to predict a tie: `likeliest`; a share of the pairs, such as 0.15; or `threshold=P`, if its probability is at
    /// least P [default: the rule of the model]
    #[arg(long, value_name = "RULE", hide_short_help = true)]
    ties: Option<Ties>,
    /// Compare every row with a model, a metric, `sum`, `majority` or `best-metric` [default: the better of the last two]
    #[arg(long, value_name = "NAME", hide_short_help = true)]
    against: Option<String>,
    /// Also compare every row with every other: differences and p-values
    #[arg(long, hide_short_help = true)]
    matrix: bool,
    #[command(flatten)]
    own: ExternalOptions,
    #[command(flatten)]
    breakdown: BreakdownOption,
    #[command(flatten)]
    test: TestOption,
    /// Report how many more groups a test needs to detect a gain in accuracy of so many points with 80% power [default: 2]
    #[arg(long, value_name = "POINTS", value_parser = points, hide_short_help = true)]
    gain: Option<f64>,
    #[command(flatten)]
    gate: Gate,
    #[command(flatten)]
    tables: TableOption,
    #[command(flatten)]
    report: ReportOptions,
    #[command(flatten)]
    reading: ReadingOptions,
    #[command(flatten)]
    texts: TextOptions,
    /// Print only the summary, without tables
    #[arg(long)]
    brief: bool,
}

impl Compare {
    pub fn run(self, common: &Common) -> Result<()> {
        self.breakdown.check(&self.pairs)?;
        let engine = self.texts.engine(common)?;
        let models = NamedModel::read_all(&self.model, &engine, &self.texts.language)?;
        let signals = self.reading.signals(&self.own)?;
        let inputs = || self.pairs.iter().chain(&self.answers).chain(signals.files());
        let folder = self.report.folder()?;
        let files: BTreeSet<PathBuf> =
            folder.iter().flat_map(|folder| [folder.files(), folder.files_of_outputs()]).flatten().collect();
        let outputs: Vec<Option<&Path>> = files.iter().map(|path| Some(path.as_path())).collect();
        check_files(inputs().chain(&self.model), &outputs)?;
        let reading = self.reading.reading(&self.pairs, !self.answers.is_empty())?;
        let reading = Reading { by_column: self.breakdown.column(), ..reading };
        if let [one] = self.pairs.as_slice()
            && are_outputs(one, &reading)?
        {
            let reading = reading_of_outputs(&models, signals, reading)?;
            return self.of_outputs(one, &reading, models, &engine, &folder, common);
        }
        let needed = with_learned(&models, signals.clone())?;
        let files = PairFiles { pairs: self.pairs.clone(), answers: self.answers.clone(), signals: needed, reading };
        let mut report = common.with_context(&engine, |context| {
            let Sources { sources, accounts, unlabelled } = files.sources(context, &[])?;
            let names: Vec<String> = self.pairs.iter().map(Input::to_string).collect();
            let counts = sources.iter().map(|source| (source.name.clone(), source.judgments.len())).collect();
            let judgments: Vec<Judgment> = sources.into_iter().flat_map(|source| source.judgments).collect();
            let settings = CompareSettings {
                ties: self.ties,
                signals: signals.clone(),
                source_name: names.join(" + "),
                files: counts,
                by_column: self.breakdown.column(),
                epsilon: self.test.epsilon(judgments.iter().map(|judgment| &judgment.pair))?,
                against: self.against.clone(),
                matrix: self.matrix || self.gate.compares(),
                gain: self.gain.map_or(GainPower::GAIN, |points| points / 100.0),
                unlabelled,
                language: self.texts.language.clone(),
                seed: common.seed(),
                details: self.report.details(inputs(), accounts, common),
            };
            workflows::compare(context, models, &judgments, &settings)
        })?;
        report.requirements = self.gate.decide(&report)?;
        self.tables.check(&sections::of_report(&report))?;
        self.report.write(&folder, &report, common)?;
        report.keep(ReportParts { matrix: self.matrix, ablation: false, curve: false });
        let requirements = report.requirements.clone();
        self.tables.print_report(common, report, self.brief)?;
        gate::close(&requirements, common)
    }

    /// Compares judges and metrics with the labels of single outputs.
    fn of_outputs(
        &self,
        outputs: &Input,
        reading: &Reading,
        models: Vec<NamedModel>,
        engine: &Engine,
        folder: &Option<ReportFolder>,
        common: &Common,
    ) -> Result<()> {
        refuse_for_outputs(&[
            (self.against.is_some(), "against"),
            (self.matrix, "matrix"),
            (self.ties.is_some(), "ties"),
            (self.gain.is_some(), "gain"),
            (self.answers.len() > 1, "answers"),
        ])?;
        let settings = OutputSettings {
            models,
            language: self.texts.language.clone(),
            epsilon: self.test.given(),
            seed: common.seed(),
            by_column: self.breakdown.column(),
        };
        let mut report = common.with_context(engine, |context| {
            let read = read_labelled_outputs(context, outputs, self.answers.first(), reading)?;
            compare_outputs(context, &outputs.name(), read, &settings)
        })?;
        report.requirements = self.gate.decide(&report)?;
        self.tables.check(&report.sections())?;
        self.report.write_outputs(folder, &report, common)?;
        self.tables.show(common, &report, OutputReport::sections, |terminal| report.to_text(terminal, self.brief))?;
        gate::close(&report.requirements, common)
    }
}
