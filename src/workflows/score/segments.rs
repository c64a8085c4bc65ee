//! Scores of single segments, of systems in files or in memory.

use smallvec::SmallVec;

use super::texts::with_external;
use super::{ParallelTexts, ScoreFiles, ScoreForm, ScoreWriting, write_comments};
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
    let texts = files.read()?;
    let names: Vec<&str> = metric_set.members().iter().map(|member| member.name.as_str()).collect();
    let ScoreForm::Table(kind) = writing.form else {
        score_segments(context, metric_set, &texts, |system, number, scores| {
            let scores = names.iter().zip(scores).map(|(&name, score)| (name.to_owned(), score.into()));
            let scores: serde_json::Map<_, _> = scores.collect();
            let json = serde_json::json!({"system": texts.systems[system].name, "segment": number, "scores": scores});
            output.write(format!("{json}\n").as_bytes())
        })?;
        return output.finish();
    };
    if writing.signatures {
        let references = texts.number_of_references();
        let sign = |member: &Member| format!("{}: {}", member.name, signature(member, &references));
        write_comments(&mut output, metric_set.members().iter().map(sign))?;
    }
    let has_names = texts.systems.len() > 1;
    let system = has_names.then_some(("system", CellKind::Text));
    let columns: Vec<_> = system.into_iter().chain(names.iter().map(|&name| (name, CellKind::Number))).collect();
    let mut writer = RowWriter::begin(output, kind, &columns)?;
    score_segments(context, metric_set, &texts, |system, _, scores| {
        let system = has_names.then_some(Cell::Text(&texts.systems[system].name));
        let cells: SmallVec<[Cell<'_>; 8]> = system.into_iter().chain(scores.into_iter().map(Cell::Number)).collect();
        writer.write(&cells)
    })?;
    writer.finish()
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
    let mut all = vec![vec![Vec::new(); metric_set.members().len()]; texts.systems.len()];
    score_segments(context, metric_set, texts, |system, _, scores| {
        all[system].iter_mut().zip(scores).for_each(|(column, score)| column.push(score));
        Ok(())
    })?;
    Ok(all)
}

/// Passes the position of the system, the number from 1, and the scores of every segment of every system to `each`, in order.
fn score_segments(
    context: Context<'_>,
    metric_set: &MetricSet,
    texts: &ParallelTexts,
    mut each: impl FnMut(usize, usize, Vec<f64>) -> Result<()>,
) -> Result<()> {
    texts.check(metric_set)?;
    metric_set.check_segments()?;
    warnings::warn_metrics(context, metric_set, || texts.references.iter().flatten().map(String::as_str));
    texts.warn_ranges(context, metric_set);
    let count = context.counter("scoring segments", texts.systems.len() * texts.references.len());
    for (at, system) in texts.systems.iter().enumerate() {
        let batches = system.segments.chunks(MAX_SEGMENTS).zip(texts.references.chunks(MAX_SEGMENTS));
        for (start, (hypotheses, references)) in (0..).step_by(MAX_SEGMENTS).zip(batches) {
            let sources = texts.sources.get(start..start + references.len()).unwrap_or_default();
            let corpus = Corpus::counted(metric_set, hypotheses, references, sources, Scope::Segments, &count);
            let corpus = with_external(corpus, metric_set, &system.own, start);
            for segment in 0..corpus.len() {
                let members = metric_set.members().iter().enumerate();
                let scores = members.map(|(at, member)| member.metric.segment(&corpus.statistics(at)[segment])[0]);
                each(at, start + segment + 1, scores.collect())?;
            }
        }
    }
    Ok(())
}

/// The signature of a metric's segment scores.
fn signature(member: &Member, references: &str) -> String {
    let (_, own) = member.values().next().unwrap_or_else(|| (String::new(), member.corpus_signature()));
    let mut signature = Signature::new(own.name).with("#", "nrefs", references);
    signature.settings.extend(own.settings);
    signature.to_string()
}
