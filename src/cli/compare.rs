//! `tribunal compare`: ready models, the baseline and every single metric, on the same judgments.

use std::path::{Path, PathBuf};

use anyhow::Result;
use clap::Args;
use tribunal::files::Input;
use tribunal::model::Ties;
use tribunal::report::people::EPSILON;
use tribunal::report::{GainPower, ReportParts};
use tribunal::workflows::{self, CompareSettings, NamedModel, ReportFolder, reading_for};

use super::flags::{above_0, number};
use super::help::GENERAL;
use super::options::{Common, ExternalOptions, ReadingOptions, TextOptions};
use super::report_options::ReportOptions;

/// Report the accuracy of trained models, the baseline and every single metric
///
/// On judgments that a model was trained on its accuracy is inflated, and a warning says so: use the cross-validated
/// figures that `train` prints. The row `best-metric` is the best single metric without hindsight: for each of ten
/// folds the metric and the tie threshold are chosen on the other folds. If no judgment is a tie, models predict none
/// unless --ties says otherwise.
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  tribunal compare test.pairs --answers test.answers -m dev.json -m other.json\n  \
    tribunal compare test.pairs --answers test.answers -m dev.json -m builtin --against builtin\n  \
    tribunal compare test.pairs --answers test.answers --matrix\n  \
    tribunal compare arena.jsonl --annotators ann,bob,eve --judge gpt,claude\n  \
    tribunal compare test.pairs --answers test.answers -m dev.json --report report")]
pub struct Compare {
    /// Pairs, `-` for standard input
    pairs: Input,
    /// Human labels, one per line; not needed for a table with the column `label`
    #[arg(long, short, value_name = "FILE")]
    answers: Option<Input>,
    /// A trained model, or a built-in one: `builtin` for English, `builtin-any` for other languages; may be repeated
    /// [default: the built-in one]
    #[arg(long, short, value_name = "FILE")]
    model: Vec<Input>,
    /// When to predict a tie: `likeliest`, if it is the most probable verdict; a share of the pairs, such as 0.15; or
    /// `threshold=P`, if its probability is at least P [default: the rule of the model]
    #[arg(long, value_name = "RULE", hide_short_help = true)]
    ties: Option<Ties>,
    /// Compare every row with this one: a model, a metric, `sum`, `majority` or `best-metric` [default: the more
    /// accurate of best-metric and majority]
    #[arg(long, value_name = "NAME", hide_short_help = true)]
    against: Option<String>,
    /// Also compare every row with every other: differences and p-values
    #[arg(long, hide_short_help = true)]
    matrix: bool,
    #[command(flatten)]
    own: ExternalOptions,
    /// How much worse than an annotator a system may be in the alternative annotator test
    #[arg(long, value_name = "X", default_value_t = EPSILON, value_parser = number, help_heading = GENERAL, hide_short_help = true)]
    epsilon: f64,
    /// Tell how many more groups would show a gain in accuracy of so many points, at a power of 80%
    #[arg(long, value_name = "POINTS", default_value_t = 100.0 * GainPower::GAIN, value_parser = above_0, hide_short_help = true)]
    gain: f64,
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
        let engine = self.texts.engine()?;
        let models = NamedModel::read_all(&self.model, &engine, &self.texts.language)?;
        let pairs = std::slice::from_ref(&self.pairs);
        let (own, judges) = (self.own.metrics()?, self.own.judges()?);
        let inputs = || pairs.iter().chain(&self.answers).chain(own.files()).chain(judges.files());
        let folder = self.report.folder()?;
        let files: Vec<PathBuf> = folder.iter().flat_map(ReportFolder::files).collect();
        let outputs: Vec<Option<&Path>> = files.iter().map(|path| Some(path.as_path())).collect();
        self.texts.wordnet.check_files(inputs().chain(&self.model), &outputs)?;
        let reading = self.reading.reading(pairs, self.answers.is_some())?;
        let named = own.metrics();
        let reading = reading_for(&models, (own.clone(), judges.clone()), reading)?;
        let (judgments, account) = common.judgments(&self.pairs, &reading, self.answers.as_ref())?;
        let details = self.report.details(inputs(), account.into_iter().collect(), common);
        let has_references = judgments.iter().any(|judgment| !judgment.pair.references.is_empty());
        let models = if has_references || !self.model.is_empty() {
            models
        } else {
            common.note(
                "The built-in model needs references, which these pairs have not: only the other rows are compared.",
            );
            Vec::new()
        };
        let settings = CompareSettings {
            ties: self.ties,
            own: named,
            judges: judges.names().map(str::to_owned).collect(),
            source_name: self.pairs.to_string(),
            epsilon: self.epsilon,
            against: self.against,
            matrix: self.matrix,
            gain: self.gain / 100.0,
            language: self.texts.language,
            seed: common.seed(),
            details,
        };
        let mut report =
            common.with_context(&engine, |context| workflows::compare(context, models, &judgments, &settings))?;
        self.report.write(&folder, &report, common)?;
        report.keep(ReportParts { matrix: self.matrix, ablation: false, curve: false });
        common.print_report(report, self.brief)
    }
}
