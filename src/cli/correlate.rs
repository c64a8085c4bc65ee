//! `tribunal correlate`: how well metrics agree with people.

use anyhow::Result;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use clap::{Arg, Args};
use tribunal::evaluation::meta::{TestSettings, TestStatistic};
use tribunal::files::Input;
use tribunal::files::table::TableKind;
use tribunal::formats::COLUMN;
use tribunal::formats::score_table::{ScoreColumns, ScoreTable};
use tribunal::options::OptionSpec;
use tribunal::report::agreement::AgreementReport;
use tribunal::workflows::{CorrelateSettings, correlate};

use super::flags::{Declared, OptionArgs, flag, table_kind, whole};
use super::options::{Common, TextOptions};
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
    tribunal import mqm annotations.tsv --scores -o scores.csv")]
pub struct Correlate {
    /// Scores, .csv, .tsv or .jsonl; `-` for standard input with --format
    table: Input,
    /// Column of human scores; higher is better. Several ratings of a segment are averaged
    #[arg(long, value_name = "COLUMN")]
    people: String,
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
    #[command(flatten)]
    texts: TextOptions,
}

/// The names of columns.
#[derive(Debug)]
struct OfScores;

impl Declared for OfScores {
    fn flags() -> Vec<(&'static OptionSpec, Arg)> {
        let help = "Column names by role: system, segment (without one, rows are numbered within their system), mt (outputs; \
            hyp is found as well), ref, annotator (whose ratings are then not averaged)";
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
        let engine = self.texts.engine()?;
        let default = CorrelateSettings::new(&self.people);
        let settings = CorrelateSettings {
            columns: ScoreColumns { options: self.columns.0, ..default.columns },
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
        let table = ScoreTable::read(&self.table, self.format, &settings.columns)?;
        let mut report = common.with_context(&engine, |context| correlate(context, table, &settings))?;
        report.notes = report.notes.iter().map(|note| with_options(note)).collect();
        if common.json {
            report.notes.iter().for_each(|note| common.note(note));
        }
        self.tables.show(common, &report, AgreementReport::sections, |terminal| report.to_text(terminal))
    }
}
