//! Segment scores: of files in batches, each passed on before the next is read; or of texts in memory.

use smallvec::SmallVec;

use super::texts::{add_references, check_length, check_lengths, check_needed, empty, with_external};
use super::{ExternalValues, ParallelTexts, ScoreFiles, ScoreForm, ScoreWriting, write_comments};
use crate::error::{Error, Result};
use crate::files::table::{Cell, CellKind, RowWriter};
use crate::files::{Input, Output};
use crate::formats::sgml::{Segments, check_alike, segments};
use crate::metrics::{Corpus, Member, MetricSet, Scope, Signature};
use crate::workflows::context::{Context, Event};
use crate::workflows::warnings;

/// The most segments in a batch.
const MAX_SEGMENTS: usize = 2048;

/// The bytes of hypotheses after which a batch is full.
const MAX_BYTES: usize = 1 << 19;

/// Writes one row or JSON object per segment, as segments are scored. A row begins with the system if there are
/// several; an object has system and segment.
///
/// # Errors
/// A file cannot be read, or differs from the others in its number of segments; the output cannot be written.
pub fn write_segments(
    context: Context<'_>,
    metric_set: &MetricSet,
    files: &ScoreFiles,
    mut output: Output,
    writing: ScoreWriting,
) -> Result<()> {
    let names: Vec<&str> = metric_set.members().iter().map(|member| member.name.as_str()).collect();
    let ScoreForm::Table(kind) = writing.form else {
        score_segments(context, metric_set, files, |system, number, scores| {
            let scores = names.iter().zip(scores).map(|(&name, score)| (name.to_owned(), score.into()));
            let scores: serde_json::Map<_, _> = scores.collect();
            let json = serde_json::json!({"system": system, "segment": number, "scores": scores});
            output.write(format!("{json}\n").as_bytes())
        })?;
        return output.finish();
    };
    if writing.signatures {
        let sign = |member: &Member| format!("{}: {}", member.name, signature(member, files.references.len()));
        write_comments(&mut output, metric_set.members().iter().map(sign))?;
    }
    let has_names = files.systems.len() > 1;
    let system = has_names.then_some(("system", CellKind::Text));
    let columns: Vec<_> = system.into_iter().chain(names.iter().map(|&name| (name, CellKind::Number))).collect();
    let mut writer = RowWriter::begin(output, kind, &columns)?;
    score_segments(context, metric_set, files, |system, _, scores| {
        let system = has_names.then_some(Cell::Text(system));
        let cells: SmallVec<[Cell<'_>; 8]> = system.into_iter().chain(scores.into_iter().map(Cell::Number)).collect();
        writer.write(&cells)
    })?;
    writer.finish()
}

/// Passes the system, the number from 1, and the scores of every segment of every system to `each`, in order.
fn score_segments(
    context: Context<'_>,
    metric_set: &MetricSet,
    files: &ScoreFiles,
    mut each: impl FnMut(&str, usize, Vec<f64>) -> Result<()>,
) -> Result<()> {
    files.check()?;
    metric_set.check_segments()?;
    if files.systems.len() > 1 && files.references.contains(&Input::Stdin) {
        let advice = "write it to a file first: it is read once for each system";
        return Err(Error::invalid("`references`", "files, for several systems", "standard input", advice));
    }
    check_alike(files.systems.iter().chain(&files.references))?;
    let (mut is_first, mut done) = (true, 0);
    let mut ranges = warnings::ExternalRanges::for_metrics(metric_set);
    for (at, (input, system)) in files.systems.iter().zip(files.names()).enumerate() {
        let own = files.external_values(at)?;
        check_needed(&own, metric_set, &system, own.first().map_or(1, |metric| metric.values.len()))?;
        own.iter().for_each(|metric| ranges.add(&metric.name, &metric.values));
        let mut reader = Reader::open(input, files)?;
        while let Some((hypotheses, references)) = reader.batch()? {
            let start = reader.read - hypotheses.len();
            if own.iter().any(|metric| metric.values.len() < reader.read) {
                let segments = reader.read + rest(&mut reader.system)?;
                check_lengths(&own, input, segments)?;
            }
            if std::mem::take(&mut is_first) {
                warnings::warn_metrics(context, metric_set, || references.iter().flatten().map(String::as_str));
            }
            let corpus = Corpus::new(metric_set, &hypotheses, &references, Scope::Segments);
            for (number, scores) in (start + 1..).zip(rows(corpus, metric_set, &own, start)) {
                each(&system, number, scores)?;
            }
            done += hypotheses.len();
            context.emit(Event::Progress { step: "scoring segments", done, of: None });
        }
        check_lengths(&own, input, reader.read)?;
    }
    ranges.warn(context);
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
    metric_set.check_segments()?;
    warnings::warn_metrics(context, metric_set, || texts.references.iter().flatten().map(String::as_str));
    let count = context.counter("scoring segments", texts.systems.len() * texts.references.len());
    let mut all = Vec::with_capacity(texts.systems.len());
    for system in &texts.systems {
        let mut columns: Vec<Vec<f64>> = vec![Vec::with_capacity(system.segments.len()); metric_set.members().len()];
        let batches = system.segments.chunks(MAX_SEGMENTS).zip(texts.references.chunks(MAX_SEGMENTS));
        for (start, (hypotheses, references)) in (0..).step_by(MAX_SEGMENTS).zip(batches) {
            let corpus = Corpus::counted(metric_set, hypotheses, references, Scope::Segments, &count);
            for row in rows(corpus, metric_set, &system.own, start) {
                columns.iter_mut().zip(row).for_each(|(column, score)| column.push(score));
            }
        }
        all.push(columns);
    }
    Ok(all)
}

/// The scores of each segment of a corpus whose first segment is the one at `start`.
fn rows(
    corpus: Corpus,
    metric_set: &MetricSet,
    own: &[ExternalValues],
    start: usize,
) -> impl Iterator<Item = Vec<f64>> {
    let corpus = with_external(corpus, metric_set, own, start);
    (0..corpus.len()).map(move |segment| {
        let members = metric_set.members().iter().enumerate();
        members.map(|(at, member)| member.metric.segment(&corpus.statistics(at)[segment])[0]).collect()
    })
}

/// Hypotheses, and the references of each.
type Batch = (Vec<String>, Vec<Vec<String>>);

/// A system's output and the references, segment by segment.
struct Reader<'a> {
    files: &'a ScoreFiles,
    input: &'a Input,
    system: Segments,
    references: Vec<Segments>,
    /// The number of segments read so far.
    read: usize,
}

impl<'a> Reader<'a> {
    fn open(input: &'a Input, files: &'a ScoreFiles) -> Result<Self> {
        let system = segments(input)?;
        let references = files.references.iter().map(segments).collect::<Result<_>>()?;
        Ok(Self { files, input, system, references, read: 0 })
    }

    /// The next hypotheses, and the references of each.
    fn batch(&mut self) -> Result<Option<Batch>> {
        let hypotheses = read(&mut self.system)?;
        let count = hypotheses.len();
        let mut references: Vec<Vec<String>> = vec![Vec::new(); count];
        for number in 0..self.references.len() {
            // At the end of the system's output, check that the references end as well.
            let lines: Vec<String> = self.references[number].by_ref().take(count.max(1)).collect::<Result<_>>()?;
            if lines.len() != count {
                return Err(self.another_length(count, number, lines.len())?);
            }
            add_references(&mut references, number, lines);
        }
        self.read += count;
        match self.read {
            0 => Err(empty(self.input)),
            _ => Ok((count > 0).then_some((hypotheses, references))),
        }
    }

    /// The error for a reference file of another length, of which `lines` lines were read after the last batch.
    fn another_length(&mut self, hypotheses: usize, number: usize, lines: usize) -> Result<Error> {
        let segments = self.read + hypotheses + rest(&mut self.system)?;
        let found = self.read + lines + rest(&mut self.references[number])?;
        let reference = &self.files.references[number];
        if segments == 0 || found == 0 {
            return Ok(empty(if segments == 0 { self.input } else { reference }));
        }
        // The first system sets the length of all files.
        let check = if *self.input == self.files.systems[0] {
            check_length(reference, found, self.input, segments)
        } else {
            check_length(self.input, segments, reference, found)
        };
        let changed = || Error::invalid(reference.to_string(), "a file that stays", "one that changed", "run it again");
        Ok(check.err().unwrap_or_else(changed))
    }
}

/// The next segments, at most [`MAX_SEGMENTS`], or fewer if they are long.
fn read(segments: &mut Segments) -> Result<Vec<String>> {
    let (mut texts, mut bytes) = (Vec::new(), 0);
    while texts.len() < MAX_SEGMENTS && bytes < MAX_BYTES {
        let Some(text) = segments.next().transpose()? else { break };
        bytes += text.len();
        texts.push(text);
    }
    Ok(texts)
}

fn rest(segments: &mut Segments) -> Result<usize> {
    segments.map(|text| text.map(|_| 1)).sum()
}

/// The signature of a metric's segment scores. With several files, the number of references of a segment is not known
/// in advance, so a range is given.
fn signature(member: &Member, references: usize) -> String {
    let count = if references == 1 { "1".to_owned() } else { format!("1-{references}") };
    let (_, own) = member.values().next().unwrap_or_else(|| (String::new(), member.corpus_signature()));
    let mut signature = Signature::new(own.name).with("#", "nrefs", count);
    signature.settings.extend(own.settings);
    signature.to_string()
}
