//! `tribunal score`: metric scores of systems, of whole texts or of segments.

use std::io::IsTerminal;
use std::path::PathBuf;

use anyhow::{Result, bail};
use clap::Args;
use serde::Serialize;
use tribunal::files::table::TableKind;
use tribunal::files::{Input, Output};
use tribunal::formats::Signals;
use tribunal::metrics::meteor::PARAPHRASES;
use tribunal::metrics::{Entry, REGISTRY, find};
use tribunal::report::paper::PaperForm;
use tribunal::workflows::NamedModel;
use tribunal::workflows::score::{
    DEFAULT_METRICS, MetricChoice, PairedTest, ScoreFiles, ScoreForm, ScoreWriting, SystemComparison, SystemOrder,
    score_files, write_scores, write_segments,
};

use super::flags::{OfMetrics, OptionArgs, whole};
use super::gate::{self, Gate};
use super::options::{Common, TextOptions, check_files};
use super::tables::TableOption;
use super::terminal::write;

/// How systems are compared.
const COMPARING: &str = "Comparing systems";

/// Compute metrics of one or several systems, for whole texts or segment by segment
///
/// By default, metrics equal their reference implementations. A terminal gets a rounded table; files and pipes get all
/// digits, tab-separated. Texts have one segment per line; an empty line in a second reference file is no reference.
/// A model's score is roughly a percentile: 70 means better than about 70% of the training translations. A cluster ends
/// before a system that is significantly worse than one of its members.
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  tribunal score system1.txt system2.txt -r reference.txt --paired-bs\n  \
    tribunal score system*.txt -r reference.txt --clusters --sort -o scores.csv\n  \
    tribunal score system.txt -r ref1.txt ref2.txt --metrics chrf --segments\n  \
    tribunal score system1.txt system2.txt -r reference.txt -m dev.json --own bleurt=1.bleurt,2.bleurt")]
pub struct ScoreSystems {
    /// System outputs, one segment per line
    #[arg(value_name = "HYP", required_unless_present = "list_metrics")]
    systems: Vec<Input>,
    /// Reference files; several are alternatives; goes after HYP; comet-qe needs none
    #[arg(long, short, value_name = "REF", num_args = 1..)]
    references: Vec<Input>,
    /// File of what the systems translate, for COMET
    #[arg(long, value_name = "SRC", hide_short_help = true)]
    src: Option<Input>,
    /// Metrics, comma-separated; `ensemble`: the built-in model
    #[arg(long, value_name = "LIST", value_delimiter = ',', default_value = DEFAULT_METRICS)]
    metrics: Vec<String>,
    /// Also score with this trained model; may be repeated
    #[arg(long, short, value_name = "FILE")]
    model: Vec<Input>,
    /// Your own metrics that the model was trained with: a file per system, in that order, one number per line
    #[arg(
        long, value_name = "NAME=FILE", value_delimiter = ',', num_args = 1.., requires = "model",
        hide_short_help = true
    )]
    own: Vec<String>,
    /// List all metrics, with ranges and directions
    #[arg(long)]
    list_metrics: bool,
    /// One row per segment instead of one per system
    #[arg(long, conflicts_with_all = ["confidence", "paired_bs", "paired_ar", "clusters", "sort", "require", "printed_tables"])]
    segments: bool,
    /// 95% confidence intervals, by bootstrap over segments
    #[arg(long, help_heading = COMPARING, hide_short_help = true)]
    confidence: bool,
    /// Paired bootstrap against the first, with intervals
    #[arg(long, conflicts_with = "paired_ar", help_heading = COMPARING)]
    paired_bs: bool,
    /// Paired approximate randomisation against the first
    #[arg(long, help_heading = COMPARING, hide_short_help = true)]
    paired_ar: bool,
    /// Rank the systems by each metric, in clusters without significant differences [default test: --paired-bs]
    #[arg(long, help_heading = COMPARING)]
    clusters: bool,
    /// Print the best system first, by this metric or the first; goes after HYP
    #[arg(long, value_name = "METRIC", num_args = 0..=1, help_heading = COMPARING)]
    sort: Option<Option<String>>,
    /// Resampling rounds [default: bootstrap 1000, randomisation 10000]
    #[arg(
        long, value_name = "N", value_parser = whole::<u32>(1, Some(1_000_000)),
        help_heading = COMPARING, hide_short_help = true
    )]
    rounds: Option<u32>,
    #[command(flatten)]
    gate: Gate,
    #[command(flatten)]
    tables: TableOption,
    /// Write a .tsv, .csv, .json, .tex or .md file, with signatures
    #[arg(long, short, value_name = "FILE", conflicts_with = "printed_tables")]
    output: Option<PathBuf>,
    #[command(flatten)]
    options: OptionArgs<OfMetrics>,
    #[command(flatten)]
    texts: TextOptions,
}

impl ScoreSystems {
    pub fn run(self, common: &Common) -> Result<()> {
        if self.list_metrics {
            return print_metrics(common);
        }
        let (comparison, writing, rounded) = (self.comparison(common), self.writing(common)?, self.is_rounded(common));
        let own = Signals::parse(&with_names(&self.own), &[])?;
        let files = ScoreFiles { systems: self.systems, source: self.src, references: self.references, own };
        files.check()?;
        self.model.iter().try_for_each(refuse_metric)?;
        let tables = self.options.0.text(&PARAPHRASES).map(|table| Input::File(table.into()));
        let texts = files.texts().chain(files.own.files());
        check_files(texts.chain(&self.model).chain(&tables), &[self.output.as_deref()])?;
        let engine = self.texts.engine(common)?;
        comparison.check(files.systems.len())?;
        let output = Output::create(self.output.as_deref())?;
        let (options, language) = (self.options.0, self.texts.language.clone());
        let models =
            self.model.iter().map(|file| NamedModel::read(Some(file), &engine, &language)).collect::<Result<_, _>>()?;
        let choice = MetricChoice { metrics: self.metrics, models, options, language };
        if self.segments {
            return common.with_context(&engine, |context| {
                write_segments(context, &choice.metric_set(context)?, &files, output, writing)
            });
        }
        let mut scores = common
            .with_context(&engine, |context| score_files(context, &choice.metric_set(context)?, &files, &comparison))?;
        scores.requirements = self.gate.decide(&scores)?;
        if let Some(tables) = self.tables.table.as_ref().filter(|tables| tables.form() != PaperForm::Csv) {
            write(&tables.of(&[scores.section()])?)?;
        } else if rounded {
            common.show(&scores, |terminal| scores.to_text(true, terminal))?;
        } else {
            // A table for people says so itself.
            scores.identical().for_each(|line| common.note(&line));
            write_scores(&scores, output, writing)?;
        }
        gate::close(&scores.requirements, common)
    }

    /// Whether people read the table.
    fn is_rounded(&self, common: &Common) -> bool {
        !self.is_to_file() && !common.json && std::io::stdout().is_terminal()
    }

    fn is_to_file(&self) -> bool {
        self.output.as_deref().is_some_and(|path| path.as_os_str() != "-")
    }

    fn writing(&self, common: &Common) -> Result<ScoreWriting> {
        let form = match &self.tables.table {
            _ if common.json => ScoreForm::Json,
            Some(tables) if tables.form() == PaperForm::Csv => ScoreForm::Table(TableKind::Csv),
            _ => ScoreForm::of_output(self.output.as_deref())?,
        };
        // A first line that is no header would surprise programs that read pipes.
        Ok(ScoreWriting { form, signatures: self.is_to_file() })
    }

    fn comparison(&self, common: &Common) -> SystemComparison {
        let test = match (self.paired_bs, self.paired_ar) {
            (true, _) => Some(PairedTest::Bootstrap),
            (_, true) => Some(PairedTest::Randomisation),
            _ => None,
        };
        let default = SystemComparison::default();
        let seed = common.seed.unwrap_or(default.seed);
        let clusters = self.clusters || (test.is_some() && self.is_rounded(common));
        let order = match &self.sort {
            Some(Some(metric)) => SystemOrder::Metric(metric.clone()),
            // People see clusters as such only if systems stand in their order.
            None if !(clusters && self.is_rounded(common)) => SystemOrder::Given,
            _ => SystemOrder::FirstMetric,
        };
        SystemComparison {
            confidence: self.confidence,
            test,
            rounds: self.rounds,
            seed,
            clusters,
            order,
            differences: self.gate.is_given(),
        }
    }
}

/// The files of several systems, each with the name of its metric: of `bleurt=a`, `b` the second is `bleurt=b`.
fn with_names(texts: &[String]) -> Vec<String> {
    let mut name = String::new();
    let named = |text: &String| match text.split_once('=') {
        None if !name.is_empty() => format!("{name}={text}"),
        Some((given, _)) => {
            given.clone_into(&mut name);
            text.clone()
        }
        None => text.clone(),
    };
    texts.iter().map(named).collect()
}

/// Refuses the name of a metric in place of a model: to sacreBLEU, `-m` means metrics.
fn refuse_metric(model: &Input) -> Result<()> {
    if let Input::File(path) = model
        && !path.exists()
        && path.to_str().is_some_and(|names| names.split(',').all(|name| find(name.trim()).is_some()))
    {
        bail!("--model {model}: expected a file that train wrote, found the name of a metric; write --metrics {model}");
    }
    Ok(())
}

/// A metric as JSON has it.
#[derive(Debug, Serialize)]
struct MetricLine {
    name: &'static str,
    /// None where there is no bound.
    low: Option<f64>,
    high: Option<f64>,
    direction: &'static str,
    summary: &'static str,
    /// The program or paper that its values equal.
    #[serde(skip_serializing_if = "str::is_empty")]
    equals: &'static str,
    options: Vec<&'static str>,
}

impl MetricLine {
    fn new(entry: &Entry) -> Self {
        let bound = |value: f64| value.is_finite().then_some(value);
        Self {
            name: entry.name,
            low: bound(entry.range.0),
            high: bound(entry.range.1),
            direction: entry.direction.word(),
            summary: entry.summary,
            equals: entry.equals,
            options: entry.options.iter().map(|spec| spec.name).collect(),
        }
    }

    fn text(&self) -> String {
        let bound = |value: Option<f64>, open: &str| value.map_or(open.to_owned(), |value| value.to_string());
        let range = format!("{} to {}", bound(self.low, "-inf"), bound(self.high, "inf"));
        let equals = if self.equals.is_empty() { String::new() } else { format!(" ({})", self.equals) };
        format!("{:<15}  {range:<10}  {:<6}  {}{equals}\n", self.name, self.direction, self.summary)
    }
}

/// Prints the registered metrics, one per line.
fn print_metrics(common: &Common) -> Result<()> {
    let lines: Vec<MetricLine> = REGISTRY.iter().map(MetricLine::new).collect();
    common.print(&lines, || lines.iter().map(MetricLine::text).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_belong_to_the_metric_before_them() {
        let texts = ["a=1", "2", "b-=x=y", "z"].map(str::to_owned);
        assert_eq!(with_names(&texts), ["a=1", "a=2", "b-=x=y", "b-=z"]);
        assert_eq!(with_names(&["c".to_owned()]), ["c"]);
    }
}
