//! Segment scores. In: the files of systems and references. Out: scores in batches, each passed on before the next is
//! read. Next: the caller.

use super::super::context::{Context, Event};
use super::super::warnings;
use super::lengths::{check_length, empty};
use super::{ExternalValues, ParallelTexts, ScoreFiles};
use crate::error::{Error, Result};
use crate::files::Input;
use crate::files::input::Lines;
use crate::files::progress::expected_rows;
use crate::metrics::{Corpus, MetricSet, Scope};

/// The most segments in a batch.
const BATCH: usize = 2048;

/// The bytes of hypotheses after which a batch is full.
const BYTES: usize = 1 << 19;

/// The scores of one segment.
#[derive(Debug, Clone, PartialEq)]
pub struct SegmentScores<'a> {
    /// The name of the system.
    pub system: &'a str,
    /// The number of the segment in the system's output, from 1.
    pub number: usize,
    /// One score per metric.
    pub scores: Vec<f64>,
}

/// Passes the scores of every segment of every system to `each`, in order.
///
/// # Errors
/// A file cannot be read, or differs from the others in its number of segments; `each` fails.
pub fn score_segments(
    context: Context<'_>,
    metric_set: &MetricSet,
    files: &ScoreFiles,
    each: &mut dyn FnMut(SegmentScores<'_>) -> Result<()>,
) -> Result<()> {
    files.check()?;
    if files.systems.len() > 1 && files.references.contains(&Input::Stdin) {
        let advice = "write it to a file first: it is read once for each system";
        return Err(Error::invalid("--references", "files, for several systems", "standard input", advice));
    }
    let mut is_first = true;
    for (at, (input, name)) in files.systems.iter().zip(files.names()).enumerate() {
        let own = ExternalValues::read(&files.own, at, files.systems.len())?;
        own.check(metric_set, &name, own.metrics.first().map_or(1, |metric| metric.values.len()))?;
        let mut reader = Reader::open(input, files)?;
        while let Some((hypotheses, references)) = reader.batch()? {
            let corpus = Corpus::of(metric_set, &hypotheses, &references, Scope::Segments);
            let first = reader.read - hypotheses.len() + 1;
            if own.is_shorter(reader.read) {
                let segments = reader.read + rest(&mut reader.system)?;
                own.check_length(input, segments)?;
            }
            let corpus = own.brought_to(corpus, metric_set, first - 1);
            if std::mem::take(&mut is_first) {
                let references = || references.iter().flatten().map(String::as_str);
                warnings::of_metric_language(context, metric_set, references());
                warnings::of_leaking_metrics(context, metric_set, references());
            }
            for segment in 0..hypotheses.len() {
                each(SegmentScores {
                    system: &name,
                    number: first + segment,
                    scores: scores(metric_set, &corpus, segment),
                })?;
            }
            // All systems have the same number of segments.
            let (done, of) = (first - 1 + hypotheses.len(), expected_rows(input, reader.read));
            let before = at * of;
            context.emit(Event::Progress {
                step: "scoring segments",
                done: before + done,
                of: of * files.systems.len(),
            });
        }
        own.check_length(input, reader.read)?;
    }
    Ok(())
}

/// The scores of every segment of systems in memory: (systems, metrics, segments).
///
/// # Errors
/// Those of [`ParallelTexts::check`]; values of own metrics are missing.
pub fn score_segments_of(
    context: Context<'_>,
    metric_set: &MetricSet,
    texts: &ParallelTexts,
) -> Result<Vec<Vec<Vec<f64>>>> {
    texts.check()?;
    let references = || texts.references.iter().flatten().map(String::as_str);
    warnings::of_metric_language(context, metric_set, references());
    warnings::of_leaking_metrics(context, metric_set, references());
    let tell = context.counter("scoring segments", texts.systems.len() * texts.references.len());
    let mut all = Vec::with_capacity(texts.systems.len());
    for system in &texts.systems {
        system.own.check(metric_set, &system.name, system.segments.len())?;
        let mut columns: Vec<Vec<f64>> = vec![Vec::with_capacity(system.segments.len()); metric_set.members().len()];
        let batches = system.segments.chunks(BATCH).zip(texts.references.chunks(BATCH));
        for (start, (hypotheses, references)) in (0..).step_by(BATCH).zip(batches) {
            let corpus = Corpus::counted(metric_set, hypotheses, references, Scope::Segments, &tell);
            let corpus = system.own.brought_to(corpus, metric_set, start);
            for segment in 0..hypotheses.len() {
                let scores = scores(metric_set, &corpus, segment);
                columns.iter_mut().zip(scores).for_each(|(column, score)| column.push(score));
            }
        }
        all.push(columns);
    }
    Ok(all)
}

fn scores(metric_set: &MetricSet, corpus: &Corpus, segment: usize) -> Vec<f64> {
    let members = metric_set.members().iter().enumerate();
    members.map(|(at, member)| member.metric.segment(&corpus.statistics(at)[segment])[0]).collect()
}

/// Hypotheses, and the references of each one.
type Batch = (Vec<String>, Vec<Vec<String>>);

/// A system's output and the references, line by line.
struct Reader<'a> {
    files: &'a ScoreFiles,
    input: &'a Input,
    system: Lines,
    references: Vec<Lines>,
    /// The number of segments read so far.
    read: usize,
}

impl<'a> Reader<'a> {
    fn open(input: &'a Input, files: &'a ScoreFiles) -> Result<Self> {
        let system = input.lines()?;
        let references = files.references.iter().map(Input::lines).collect::<Result<_>>()?;
        Ok(Self { files, input, system, references, read: 0 })
    }

    /// The next hypotheses, each with its references.
    fn batch(&mut self) -> Result<Option<Batch>> {
        let hypotheses = read(&mut self.system, BATCH)?;
        let count = hypotheses.len();
        // At the end of the system's output, check that the references end as well.
        let wanted = if count == 0 { 1 } else { count };
        let mut references: Vec<Vec<String>> = vec![Vec::new(); count];
        for number in 0..self.references.len() {
            let lines = exactly(&mut self.references[number], wanted)?;
            if lines.len() != count {
                return Err(self.another_length(count, number, lines.len())?);
            }
            for (of_segment, line) in references.iter_mut().zip(lines) {
                // An empty line in a further file means that the segment has no reference there.
                if number == 0 || !line.trim().is_empty() {
                    of_segment.push(line);
                }
            }
        }
        if count == 0 && self.read == 0 {
            return Err(empty(self.input));
        }
        self.read += count;
        Ok((count > 0).then_some((hypotheses, references)))
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

/// At most `count` lines, or fewer if they are long.
fn read(lines: &mut Lines, count: usize) -> Result<Vec<String>> {
    let (mut texts, mut bytes) = (Vec::new(), 0);
    while texts.len() < count && bytes < BYTES {
        let Some(line) = lines.next().transpose()? else { break };
        bytes += line.text.len();
        texts.push(line.text);
    }
    Ok(texts)
}

/// `count` lines, or all that are left.
fn exactly(lines: &mut Lines, count: usize) -> Result<Vec<String>> {
    lines.take(count).map(|line| line.map(|line| line.text)).collect()
}

fn rest(lines: &mut Lines) -> Result<usize> {
    lines.map(|line| line.map(|_| 1)).sum()
}
