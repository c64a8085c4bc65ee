//! Scores of single segments, of systems in files or in memory.

use smallvec::SmallVec;

use super::texts::{TextBatch, TextStreams, warn_ranges, with_external};
use super::{ExternalValues, ParallelTexts, ScoreFiles, ScoreForm, ScoreWriting, write_comments};
use crate::error::{Error, Result};
use crate::files::Output;
use crate::files::table::{Cell, CellKind, RowWriter};
use crate::metrics::{Corpus, Member, MetricSet, Scope, Signature};
use crate::workflows::context::Context;
use crate::workflows::warnings;

/// The statistics of so many segments are in memory at once.
const MAX_SEGMENTS: usize = 2048;

/// Writes one row or JSON object per segment, as segments are scored. A row begins with the system if there are
/// several; an object has system and segment.
///
/// # Errors
/// Those of [`ScoreFiles::read`]; the output cannot be written.
pub fn write_segments(
    context: Context<'_>,
    metric_set: &MetricSet,
    files: &ScoreFiles,
    mut output: Output,
    writing: ScoreWriting,
) -> Result<()> {
    if matches!(writing.form, ScoreForm::Paper(_)) {
        let (expected, advice) =
            ("scores of systems in a table for a paper", "write segments to a .tsv, .csv or .json file");
        return Err(Error::invalid("`segments`", expected, "those of segments", advice));
    }
    let texts = files.streams(false)?;
    texts.check(metric_set)?;
    // An error of reading has been found by now.
    let references = || texts.references().into_iter().flatten().flatten().flatten();
    begin(context, metric_set, references, texts.own.iter().flatten())?;
    let names: Vec<&str> = metric_set.members().iter().map(|member| member.name.as_str()).collect();
    let ScoreForm::Table(kind) = writing.form else {
        score_files(context, metric_set, &texts, |system, number, scores| {
            let scores = names.iter().zip(scores).map(|(&name, score)| (name.to_owned(), score.into()));
            let scores: serde_json::Map<_, _> = scores.collect();
            let json = serde_json::json!({"system": system, "segment": number, "scores": scores});
            output.write(format!("{json}\n").as_bytes())
        })?;
        return output.finish();
    };
    if writing.signatures {
        let references = texts.number_of_references()?;
        let sign = |member: &Member| format!("{}: {}", member.name, signature(member, &references));
        write_comments(&mut output, metric_set.members().iter().map(sign))?;
    }
    let has_names = texts.names.len() > 1;
    let system = has_names.then_some(("system", CellKind::Text));
    let columns: Vec<_> = system.into_iter().chain(names.iter().map(|&name| (name, CellKind::Number))).collect();
    let mut writer = RowWriter::begin(output, kind, &columns)?;
    score_files(context, metric_set, &texts, |system, _, scores| {
        let system = has_names.then_some(Cell::Text(system));
        let cells: SmallVec<[Cell<'_>; 8]> = system.into_iter().chain(scores.into_iter().map(Cell::Number)).collect();
        writer.write(&cells)
    })?;
    writer.finish()
}

/// Passes the name of the system, the number from 1, and the scores of every segment of every system to `each`, in
/// order, with no more than a batch of texts in memory.
fn score_files(
    context: Context<'_>,
    metric_set: &MetricSet,
    texts: &TextStreams<'_>,
    mut each: impl FnMut(&str, usize, Vec<f64>) -> Result<()>,
) -> Result<()> {
    let count = context.counter("scoring segments", texts.names.len() * texts.segments);
    for (system, (name, own)) in texts.names.iter().zip(&texts.own).enumerate() {
        for (start, batch) in (0..).step_by(MAX_SEGMENTS).zip(texts.batches(system, MAX_SEGMENTS)?) {
            let TextBatch { hypotheses, references, sources } = batch?;
            let corpus = Corpus::counted(metric_set, &hypotheses, &references, &sources, Scope::Segments, &count);
            let corpus = with_external(corpus, metric_set, own, start);
            let mut scores = (1..).zip(segment_scores(metric_set, &corpus));
            scores.try_for_each(|(number, scores)| each(name, start + number, scores))?;
        }
    }
    Ok(())
}

/// The scores of every segment of systems in memory: (systems, metrics, segments).
///
/// # Errors
/// Those of [`ParallelTexts::check`].
pub fn score_segments_of(
    context: Context<'_>,
    metric_set: &MetricSet,
    texts: &ParallelTexts,
) -> Result<Vec<Vec<Vec<f64>>>> {
    texts.check(metric_set)?;
    begin(context, metric_set, || texts.references.iter().flatten(), texts.own())?;
    let count = context.counter("scoring segments", texts.systems.len() * texts.references.len());
    let mut all = vec![vec![Vec::new(); metric_set.members().len()]; texts.systems.len()];
    for (system, columns) in texts.systems.iter().zip(&mut all) {
        let batches = system.segments.chunks(MAX_SEGMENTS).zip(texts.references.chunks(MAX_SEGMENTS));
        for (start, (hypotheses, references)) in (0..).step_by(MAX_SEGMENTS).zip(batches) {
            let sources = texts.sources.get(start..start + references.len()).unwrap_or_default();
            let corpus = Corpus::counted(metric_set, hypotheses, references, sources, Scope::Segments, &count);
            let corpus = with_external(corpus, metric_set, &system.own, start);
            for scores in segment_scores(metric_set, &corpus) {
                columns.iter_mut().zip(scores).for_each(|(column, score)| column.push(score));
            }
        }
    }
    Ok(all)
}

/// Checks that the metrics score segments, and warns of texts and values that they do not suit.
fn begin<'o, T: AsRef<str>, I: Iterator<Item = T>>(
    context: Context<'_>,
    metric_set: &MetricSet,
    references: impl Fn() -> I,
    own: impl Iterator<Item = &'o ExternalValues>,
) -> Result<()> {
    metric_set.check_segments()?;
    warnings::warn_metrics(context, metric_set, references);
    warn_ranges(context, metric_set, own);
    Ok(())
}

/// The scores of each segment of a corpus, by all metrics.
fn segment_scores(metric_set: &MetricSet, corpus: &Corpus) -> impl Iterator<Item = Vec<f64>> {
    (0..corpus.len()).map(|segment| {
        let members = metric_set.members().iter().enumerate();
        members.map(|(at, member)| member.metric.segment(&corpus.statistics(at)[segment])[0]).collect()
    })
}

/// The signature of a metric's segment scores.
fn signature(member: &Member, references: &str) -> String {
    let (_, own) = member.values().next().unwrap_or_else(|| (String::new(), member.corpus_signature()));
    let mut signature = Signature::new(own.name).with("#", "nrefs", references);
    signature.settings.extend(own.settings);
    signature.to_string()
}
