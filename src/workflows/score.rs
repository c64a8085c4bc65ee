//! `score`: metric scores of systems, of whole texts or segment by segment.
//!
//! ```
//! use tribunal::metrics::MetricSet;
//! use tribunal::workflows::{Context, Engine};
//! use tribunal::workflows::score::{ParallelTexts, SystemComparison, SystemOutput, score_texts};
//!
//! let system = |name: &str, segment: &str| SystemOutput::new(name, vec![segment.to_owned()]);
//! let texts = ParallelTexts {
//!     systems: vec![system("one", "the cat sat on the mat"), system("two", "on the mat sat")],
//!     references: vec![vec!["the cat sat on the mat".to_owned()]],
//!     sources: Vec::new(),
//! };
//! let engine = Engine::new();
//! let context = Context::new(&engine);
//! let scores = score_texts(context, &MetricSet::named(&["chrf", "ter"])?, &texts, &SystemComparison::default())?;
//! assert_eq!(scores.systems[0].scores[0].score, 100.0);
//! # Ok::<(), tribunal::Error>(())
//! ```

mod comparison;
mod segments;
mod texts;

use std::path::Path;

use self::comparison::MetricColumn;
use self::texts::{warn_ranges, with_external};
use super::context::{Context, Engine};
use super::judge::NamedModel;
use super::warnings;
use crate::error::{Error, Result, escaped, joined};
use crate::files::table::{Cell, CellKind, RowWriter, TableKind, ending};
use crate::files::{Input, Output, check_content};
use crate::judgments::Language;
use crate::metrics::{Corpus, Entry, Member, MetricSet, Scope, bleu, check_options, known, of_value};
use crate::model::{LearnedMetric, Model, builtin};
use crate::options::Options;
use crate::report::ENSEMBLE;
use crate::report::paper::{PaperForm, PaperTables};
use crate::report::scores::{Column, Score, ScoreDifference, Scores, SystemScores, Test};
pub use comparison::{PairedTest, SystemComparison, SystemOrder};
pub use segments::{score_segments_of, write_segments};
pub(crate) use texts::sources_of;
pub use texts::{ExternalValues, ParallelTexts, ScoreFiles, SystemOutput};

/// The metrics that are computed where none is named, separated by commas.
pub const DEFAULT_METRICS: &str = "bleu,chrf,ter,rougeL,meteor";

/// The requested metrics.
#[derive(Debug, Clone, Default)]
pub struct MetricChoice {
    /// Names of registered metrics, ignoring case, or [`ENSEMBLE`] for the built-in model, in the order of the columns.
    pub metrics: Vec<String>,
    /// Models, each of which is a metric after the named ones.
    pub models: Vec<NamedModel>,
    /// The options of the metrics.
    pub options: Options,
    /// The language of the texts; the built-in model is chosen for it.
    pub language: Language,
}

impl MetricChoice {
    /// Makes the metrics, and notes what the user should know of them.
    ///
    /// # Errors
    /// An unknown name; an option that none of the metrics has; a metric that cannot be made.
    pub fn metric_set(&self, context: Context<'_>) -> Result<MetricSet> {
        if self.metrics.is_empty() && self.models.is_empty() {
            return Err(Error::invalid("metrics", "the name of at least one metric", "none", "name one, such as bleu"));
        }
        let names = self.metrics.iter().map(|name| name.trim());
        let (entries, parts): (Vec<Option<&Entry>>, Vec<Option<&str>>) =
            names.map(registered).collect::<Result<Vec<_>>>()?.into_iter().unzip();
        check_options(&self.options, &entries.iter().flatten().copied().collect::<Vec<_>>())?;
        let mut options = self.options.clone();
        if entries.iter().flatten().any(|entry| entry.name == "bleu") {
            bleu::set_language(&mut options, self.language.code())?.into_iter().for_each(|note| context.note(note));
        }
        let engine = context.engine();
        let mut metric_set = MetricSet::new(engine.lexicons());
        for (entry, part) in entries.into_iter().zip(parts) {
            match (entry, part) {
                (Some(entry), Some(part)) => metric_set.add_part(entry, part, &options)?,
                (Some(entry), None) => metric_set.add_registered(entry, &options)?,
                (None, _) => {
                    let model = builtin::model_for(&self.language, engine.encoder())?;
                    add(&mut metric_set, &model, engine, [ENSEMBLE, builtin::NAME])?;
                }
            }
        }
        for NamedModel { name, source_name, model } in &self.models {
            add(&mut metric_set, model, engine, [name, source_name])?;
        }
        if engine.lexicons().models().comet.is_some() && metric_set.needing_source().is_none() {
            let (expected, advice) = ("comet or comet-qe among the metrics", "add one of them to `metrics`");
            return Err(Error::invalid("`comet`", expected, joined(&self.metrics), advice));
        }
        Ok(metric_set)
    }
}

/// The entry of the registry, or `None` for the ensemble; and the value of the metric that is wanted, if it is not the score:
/// `rouge2.recall`.
fn registered(name: &str) -> Result<(Option<&'static Entry>, Option<&str>)> {
    if name.eq_ignore_ascii_case(ENSEMBLE) {
        return Ok((None, None));
    }
    match of_value(name) {
        Some((entry, part)) if !part.is_empty() => Ok((Some(entry), Some(part))),
        _ => Ok((Some(known(name, &[ENSEMBLE])?), None)),
    }
}

/// Adds a model as a metric, under its name, or under that of its file if another column has that name.
fn add(metric_set: &mut MetricSet, model: &Model, engine: &Engine, [name, source_name]: [&str; 2]) -> Result<()> {
    let is_taken = metric_set.members().iter().any(|member| member.name == name);
    let name = if is_taken { source_name } else { name };
    metric_set.add(name, |plan| Ok(Box::new(LearnedMetric::new(model, engine.lexicons(), source_name, plan)?)))
}

/// Scores systems in files.
///
/// # Errors
/// Those of [`ScoreFiles::read`], [`SystemComparison::check`] and [`SystemOrder::column`].
pub fn score_files(
    context: Context<'_>,
    metric_set: &MetricSet,
    files: &ScoreFiles,
    comparison: &SystemComparison,
) -> Result<Scores> {
    comparison.check(files.systems.len())?;
    comparison.order.column(metric_set)?;
    let texts = files.read()?;
    score_texts(context, metric_set, &texts, comparison)
}

/// Scores systems in memory.
///
/// # Errors
/// Those of [`ParallelTexts::check`], [`SystemComparison::check`] and
/// [`SystemOrder::column`].
pub fn score_texts(
    context: Context<'_>,
    metric_set: &MetricSet,
    texts: &ParallelTexts,
    comparison: &SystemComparison,
) -> Result<Scores> {
    texts.check(metric_set)?;
    comparison.check(texts.systems.len())?;
    let sorted_by = comparison.order.column(metric_set)?;
    warnings::warn_metrics(context, metric_set, || texts.references.iter().flatten().map(String::as_str));
    warn_ranges(context, metric_set, texts.own());
    if comparison.clusters && texts.systems.len() == 1 {
        context.note("clusters need at least two systems".to_owned());
    }
    let comparison = &comparison.settled(texts.systems.len());
    let tell = context.counter("scoring segments", texts.systems.len() * texts.references.len());
    let segments: Vec<&[String]> = texts.systems.iter().map(|system| system.segments.as_slice()).collect();
    let corpora = Corpus::of_systems(metric_set, &segments, &texts.references, &texts.sources, Scope::Whole, &tell);
    let corpora: Vec<Corpus> = corpora
        .into_iter()
        .zip(&texts.systems)
        .map(|(corpus, system)| with_external(corpus, metric_set, &system.own, 0))
        .collect();
    let names: Vec<&str> = texts.systems.iter().map(|system| system.name.as_str()).collect();
    let (columns, differences): (Vec<_>, Vec<_>) =
        columns(context, metric_set, &corpora, &names, comparison).into_iter().unzip();
    let against = &texts.systems[0];
    let differing = |at: usize| (comparison.test.is_some() && at > 0).then(|| differing(&texts.systems[at], against));
    let systems = texts.systems.iter().enumerate().map(|(at, system)| SystemScores {
        name: system.name.clone(),
        identical_to: (differing(at) == Some(0)).then(|| against.name.clone()),
        differing_segments: differing(at),
        scores: columns.iter().map(|column| column[at]).collect(),
    });
    let mut systems: Vec<SystemScores> = systems.collect();
    if let Some(metric) = sorted_by {
        // A stable sort: equally good systems keep the order in which they were named.
        systems.sort_by_key(|system| system.scores[metric].rank);
    }
    let references = texts.number_of_references();
    Ok(Scores {
        segments: texts.references.len(),
        metrics: metric_set.members().iter().map(|member| column(member, &references, comparison)).collect(),
        systems,
        test: comparison.test.map(|test| Test { method: test.name(), against: texts.systems[0].name.clone() }),
        differences: differences.concat(),
        requirements: Vec::new(),
    })
}

/// The scores of every system, and their differences if these are requested, for each metric.
fn columns(
    context: Context<'_>,
    metric_set: &MetricSet,
    corpora: &[Corpus],
    names: &[&str],
    comparison: &SystemComparison,
) -> Vec<(Vec<Score>, Vec<ScoreDifference>)> {
    let tell = context.counter("comparing systems", metric_set.members().len());
    let draws = comparison.draws(corpora.first().map_or(0, Corpus::len));
    let scores = |(at, member): (usize, &Member)| {
        let statistics = corpora.iter().map(|corpus| corpus.statistics(at)).collect();
        let column = MetricColumn::new(member.metric.as_ref(), statistics, &draws);
        let scores = column.scores(comparison, member.entry.direction);
        let differences = if comparison.differences { column.differences(&member.name, names) } else { Vec::new() };
        tell();
        (scores, differences)
    };
    metric_set.members().iter().enumerate().map(scores).collect()
}

/// The number of segments whose text differs.
fn differing(one: &SystemOutput, other: &SystemOutput) -> usize {
    one.segments.iter().zip(&other.segments).filter(|(one, other)| one != other).count()
}

/// The description of a column.
fn column(member: &Member, references: &str, comparison: &SystemComparison) -> Column {
    let signature = comparison.sign(member.corpus_signature(), references);
    Column {
        name: member.name.clone(),
        direction: member.entry.direction,
        signature: signature.to_string(),
        short_signature: signature.short(),
    }
}

/// Settings for writing scores.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ScoreWriting {
    /// The form: a table, or JSON.
    pub form: ScoreForm,
    /// Whether a table begins with a line `# metric: signature` for each metric. The JSON of systems always has
    /// signatures.
    pub signatures: bool,
}

/// The form in which scores are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ScoreForm {
    /// One object for all systems, or one object per line for segments.
    Json,
    /// A header, then one row per system or segment.
    Table(TableKind),
    /// A rounded table of systems for a paper.
    Paper(PaperForm),
}

impl ScoreForm {
    /// The form by the extension of an output's name: JSON for `.json` and `.jsonl`, a table for those of tables, one for
    /// a paper for `.tex` and `.md`, TSV for any other or without a name.
    ///
    /// # Errors
    /// Parquet, which scores cannot be written in.
    pub fn of_output(output: Option<&Path>) -> Result<Self> {
        let Some(path) = output else { return Ok(Self::Table(TableKind::Tsv)) };
        let file = Input::File(path.to_owned());
        match (ending(&file).as_str(), TableKind::from_name(&file)) {
            ("json", _) | (_, Some(TableKind::JsonLines)) => Ok(Self::Json),
            (_, Some(kind @ (TableKind::Csv | TableKind::Tsv))) => Ok(Self::Table(kind)),
            (ending, _) => match PaperForm::of_ending(ending) {
                Some(form) => Ok(Self::Paper(form)),
                None => check_content(path, "scores", &["tsv", "csv", "json", "tex", "md"])
                    .map(|()| Self::Table(TableKind::Tsv)),
            },
        }
    }
}

/// Writes one row per system, or all of them as JSON.
///
/// # Errors
/// The output cannot be written.
pub fn write_scores(scores: &Scores, mut output: Output, writing: ScoreWriting) -> Result<()> {
    let kind = match writing.form {
        ScoreForm::Table(kind) => kind,
        ScoreForm::Json => {
            let json = serde_json::to_string(scores).map_err(|error| no_json(&output, error))?;
            output.write(format!("{json}\n").as_bytes())?;
            return output.finish();
        }
        ScoreForm::Paper(form) => {
            output.write(PaperTables::from(form).of(&[scores.section()])?.as_bytes())?;
            return output.finish();
        }
    };
    if writing.signatures {
        write_comments(&mut output, scores.signatures())?;
    }
    let names = scores.columns();
    let columns: Vec<(&str, CellKind)> = std::iter::once(("system", CellKind::Text))
        .chain(names.iter().map(|name| (name.as_str(), CellKind::Number)))
        .collect();
    let mut writer = RowWriter::begin(output, kind, &columns)?;
    for system in &scores.systems {
        let cells = scores.cells(system).map(|value| value.map_or(Cell::Empty, Cell::Number));
        writer.write(&std::iter::once(Cell::Text(&system.name)).chain(cells).collect::<Vec<_>>())?;
    }
    writer.finish()
}

fn write_comments(output: &mut Output, mut lines: impl Iterator<Item = String>) -> Result<()> {
    lines.try_for_each(|line| output.write(format!("# {}\n", escaped(&line)).as_bytes()))
}

fn no_json(output: &Output, error: serde_json::Error) -> Error {
    Error::io(output.place().as_ref(), error.into(), "write JSON")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::workflows::Engine;

    #[test]
    fn texts_that_do_not_fit_are_refused() {
        let system =
            |segments: &[&str]| SystemOutput::new("x", segments.iter().map(|&segment| segment.into()).collect());
        let texts = |segments: &[&str], references: Vec<Vec<String>>| ParallelTexts {
            sources: Vec::new(),
            systems: vec![system(segments)],
            references,
        };
        let metric_set = MetricSet::named(&["length"]).unwrap();
        let engine = Engine::new();
        let context = Context::new(&engine);
        let score = |texts: &ParallelTexts| score_texts(context, &metric_set, texts, &SystemComparison::default());
        assert!(score(&texts(&["a"], vec![vec!["a".into()]])).is_ok());
        let message = score(&texts(&["a", "b"], vec![vec!["a".into()]])).unwrap_err().to_string();
        assert!(message.starts_with("x: expected 1 segments, found 2"), "{message}");
        assert!(score(&texts(&["a"], vec![Vec::new()])).is_err());
        let paired = SystemComparison { test: Some(PairedTest::Bootstrap), ..SystemComparison::default() };
        assert!(score_texts(context, &metric_set, &texts(&["a"], vec![vec!["a".into()]]), &paired).is_err());
    }

    #[test]
    fn the_ending_of_a_name_says_how_scores_are_written() {
        let form = |name: &str| ScoreForm::of_output(Some(Path::new(name)));
        assert_eq!(form("x.csv").unwrap(), ScoreForm::Table(TableKind::Csv));
        assert_eq!(form("x.json.gz").unwrap(), ScoreForm::Json);
        assert_eq!(form("x.jsonl").unwrap(), ScoreForm::Json);
        assert_eq!(form("x.tex").unwrap(), ScoreForm::Paper(PaperForm::Latex));
        assert_eq!(form("scores").unwrap(), ScoreForm::Table(TableKind::Tsv));
        assert!(form("x.parquet").is_err());
        assert_eq!(ScoreForm::of_output(None).unwrap(), ScoreForm::Table(TableKind::Tsv));
    }
}
