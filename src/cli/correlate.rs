//! `tribunal correlate`: how well metrics agree with people.

use std::path::{Path, PathBuf};

use anyhow::Result;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use clap::{Arg, Args};
use tribunal::Error;
use tribunal::evaluation::meta::{TestSettings, TestStatistic};
use tribunal::files::table::TableKind;
use tribunal::files::{Input, Output};
use tribunal::formats::COLUMN;
use tribunal::formats::score_table::{ScoreColumns, ScoreTable};
use tribunal::options::OptionSpec;
use tribunal::report::Terminal;
use tribunal::report::agreements::AgreementReports;
use tribunal::report::paper::{PaperForm, PaperTables};
use tribunal::workflows::{CorrelateSettings, ReportFolder, correlate};

use super::flags::{Declared, OptionArgs, flag, table_kind, whole};
use super::options::{Common, TextOptions, check_files};
use super::tables::TableOption;
use super::terminal::with_options;

/// Correlate metrics with human scores, and test which metrics differ
///
/// The table has a row for each segment of each system. The statistics are those of mt-metrics-eval: Kendall's tau and
/// its WMT variants, pairwise accuracy with ties, Pearson and Spearman over all segments, by system and by segment;
/// pairwise and soft pairwise accuracy of systems. Metrics are sorted and grouped into clusters without significant
/// differences. Segments without a human score are skipped. Scores of metrics where lower is better are negated.
///
/// The test is PERM-BOTH (Deutsch et al. 2021): each round exchanges the standardised scores of two metrics at random,
/// and p is the share of rounds with at least the same difference. It uses at most 50,000 pairs of systems within
/// segments, and stops early where p is clearly small or large. The default statistic, kendall_14 by segment, cannot be
/// raised by ties: pairs that people tie do not count, and a metric's tie counts as a guess. acc23_optimised, which WMT
/// reports since 2023, rewards ties: where it hardly exceeds the share of human ties, p-values are too small.
///
/// The 95% intervals are those of the bootstrap (BCa), over segments, or over systems for statistics of systems.
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  tribunal correlate scores.csv --people score\n  \
    tribunal correlate scores.csv --people da --column system=model,segment=id --metrics comet,ter-,chrf\n  \
    tribunal correlate scores.csv --people score -o agreement.tex\n  \
    tribunal import mqm annotations.tsv --scores -o scores.csv")]
pub struct Correlate {
    /// Scores, .csv, .tsv or .jsonl; `-` for standard input with --format
    table: Input,
    /// Columns of human scores; higher is better. Several ratings of a segment are averaged
    #[arg(long, value_name = "LIST", value_delimiter = ',', required = true)]
    people: Vec<String>,
    /// Correlate within the rows of each value of this column, and average
    #[arg(long, value_name = "COLUMN")]
    by_column: Option<String>,
    /// Columns, `NAME-` if lower is better, or metrics to compute [default: all numeric columns, and the metrics of reports]
    #[arg(long, value_name = "LIST", value_delimiter = ',')]
    metrics: Option<Vec<String>>,
    /// Use only segments that have human scores for every system
    #[arg(long, hide_short_help = true)]
    complete: bool,
    /// Minimum differences of human scores for which `kendall_like` counts a pair
    #[arg(long, hide_short_help = true, value_name = "LIST", value_delimiter = ',', default_value = "1,25", value_parser = threshold)]
    kendall_like: Vec<f64>,
    /// Statistic by which metrics are sorted and tested
    #[arg(long, value_name = "STATISTIC", default_value = TestStatistic::default().name(), value_parser = statistics())]
    test: TestStatistic,
    /// Rounds of the test, and resamples for 95% intervals; 0 for neither
    #[arg(long, value_name = "N", default_value_t = 1000, value_parser = whole::<u16>(0, Some(10_000)))]
    rounds: u16,
    /// Format of the table [default: from the file extension]
    #[arg(long, value_name = "KIND", value_parser = table_kind())]
    format: Option<TableKind>,
    #[command(flatten)]
    columns: OptionArgs<OfScores>,
    #[command(flatten)]
    tables: TableOption,
    /// Write a .csv, .json, .md, .tex or .txt file
    #[arg(long, short, value_name = "FILE", conflicts_with = "printed_tables")]
    output: Option<PathBuf>,
    /// Also write the report into a folder: a page, and its figures as JSON and CSV
    #[arg(long, value_name = "DIR")]
    report: Option<PathBuf>,
    #[command(flatten)]
    texts: TextOptions,
}

/// The names of columns.
#[derive(Debug)]
struct OfScores;

impl Declared for OfScores {
    fn flags() -> Vec<(&'static OptionSpec, Arg)> {
        let help = "Column names by role: system, segment (without one, rows are numbered within their system), mt (outputs; \
            hyp is found as well), ref, src, annotator (whose ratings are then not averaged)";
        vec![(&COLUMN, flag(&COLUMN).help(help))]
    }
}

fn statistics() -> impl TypedValueParser<Value = TestStatistic> {
    let names = PossibleValuesParser::new(TestStatistic::ALL.map(TestStatistic::name));
    names.try_map(|name| TestStatistic::named(&name).ok_or("no statistic of that name"))
}

fn threshold(text: &str) -> Result<f64, String> {
    let number = text.trim().parse().ok().filter(|number: &f64| number.is_finite() && *number > 0.0);
    number.ok_or_else(|| "expected a number above 0".to_owned())
}

impl Correlate {
    pub fn run(self, common: &Common) -> Result<()> {
        let folder = self.report.as_deref().map(ReportFolder::new).transpose()?;
        let files = folder.as_ref().map(ReportFolder::files_of_agreements).unwrap_or_default();
        let outputs: Vec<Option<&Path>> = self.output.iter().chain(&files).map(|path| Some(path.as_path())).collect();
        check_files([&self.table], &outputs)?;
        if self.table == Input::Stdin && self.people.len() > 1 {
            let advice = "name a file, or one column at a time";
            let found = format!("the columns {} of standard input", self.people.join(", "));
            return Err(
                Error::invalid("`people`", "a table that can be read again for each column", found, advice).into()
            );
        }
        let output = self.output.as_deref().map(|path| Output::create(Some(path))).transpose()?;
        let form = self.output.as_deref().map(Form::of).transpose()?;
        let engine = self.texts.engine(common)?;
        let default = CorrelateSettings::new("");
        let settings = CorrelateSettings {
            columns: ScoreColumns { options: self.columns.0, by_column: self.by_column, ..default.columns },
            complete: self.complete,
            thresholds: self.kendall_like,
            test: TestSettings {
                statistic: self.test,
                rounds: self.rounds.into(),
                seed: common.seed.unwrap_or(default.test.seed),
            },
            language: self.texts.language,
            ..default
        };
        let settings = match self.metrics {
            Some(names) => settings.with_metrics(names),
            None => settings,
        };
        let mut tables = Vec::new();
        for people in self.people {
            let columns = ScoreColumns { people, ..settings.columns.clone() };
            tables.extend(ScoreTable::read(&self.table, self.format, &columns)?);
        }
        let mut found = common.with_context(&engine, |context| correlate(context, tables, &settings))?;
        for report in &mut found.reports {
            report.notes = report.notes.iter().map(|note| with_options(note)).collect();
        }
        if common.json || form.is_some() {
            found.reports.iter().flat_map(|report| &report.notes).for_each(|note| common.note(note));
        }
        if let Some(folder) = &folder {
            folder.write_agreements(&found, &self.table.name())?;
        }
        let (Some(mut output), Some(form)) = (output, form) else {
            return self.tables.show(common, &found, AgreementReports::sections, |terminal| found.to_text(terminal));
        };
        output.write(form.text(&found)?.as_bytes())?;
        Ok(output.finish()?)
    }
}

/// The form of a file.
enum Form {
    Json,
    Text,
    Paper(PaperForm),
}

impl Form {
    /// By the ending of its name.
    fn of(path: &Path) -> Result<Self> {
        let ending = path.extension().and_then(|ending| ending.to_str()).unwrap_or_default().to_lowercase();
        match (ending.as_str(), PaperForm::of_ending(&ending)) {
            (_, Some(form)) => Ok(Self::Paper(form)),
            ("json", _) => Ok(Self::Json),
            ("txt", _) => Ok(Self::Text),
            _ => {
                let expected = "a name that ends in .csv, .json, .md, .tex or .txt";
                Err(Error::invalid("`output`", expected, path.display().to_string(), "choose one of these").into())
            }
        }
    }

    fn text(&self, found: &AgreementReports) -> Result<String> {
        Ok(match self {
            Self::Json => serde_json::to_string(found)? + "\n",
            Self::Text => found.to_text(Terminal::plain(100)),
            Self::Paper(form) => PaperTables::from(*form).of(&found.sections())?,
        })
    }
}
