//! Systems' output with its references, and the values of external metrics for it: from files, or in memory.

use std::collections::BTreeSet;
use std::iter::once;

use crate::error::{Error, Result, quoted};
use crate::features::without_source;
use crate::files::input::{TRUNCATED, check_lines};
use crate::files::table::TableKind;
use crate::files::{Input, check_inputs};
use crate::formats::Signals;
use crate::formats::beside::read_numbers;
use crate::formats::sgml::{check_alike, segments};
use crate::metrics::{Corpus, Learned, MetricSet};
use crate::workflows::context::Context;
use crate::workflows::warnings::ExternalRanges;

/// The files to score.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ScoreFiles {
    /// The systems' output, one segment per line; SGML if a file's name ends in `.sgm`, `.sgml` or `.xml`.
    pub systems: Vec<Input>,
    /// The file of what the systems translate, in the same form.
    pub source: Option<Input>,
    /// Files of references, in the same form; in all but the first, an empty segment means no reference. None for metrics
    /// that need none.
    pub references: Vec<Input>,
    /// The external metrics that models need, with one file per system and one number per line.
    pub own: Signals,
}

/// The output of systems for the same segments, and their references.
#[derive(Debug, Clone, PartialEq)]
pub struct ParallelTexts {
    /// At least one system.
    pub systems: Vec<SystemOutput>,
    /// The references of each segment, at least one where a metric compares with them.
    pub references: Vec<Vec<String>>,
    /// The source of each segment, or none of any.
    pub sources: Vec<String>,
}

/// A system's output.
#[derive(Debug, Clone, PartialEq)]
pub struct SystemOutput {
    /// Its name in reports.
    pub name: String,
    /// The segments, as many as there are lists of references.
    pub segments: Vec<String>,
    /// The values of external metrics for the segments.
    pub own: Vec<ExternalValues>,
}

/// The values of one external metric for a system's segments.
#[derive(Debug, Clone, PartialEq)]
pub struct ExternalValues {
    /// The name of the metric.
    pub name: String,
    /// The file that the values come from, if any.
    pub file: Option<Input>,
    /// One value per segment.
    pub values: Vec<f64>,
}

impl ScoreFiles {
    /// Checks what can be seen from the names alone.
    ///
    /// # Errors
    /// Standard input is named twice; a file name is that of a table; there is no system.
    pub fn check(&self) -> Result<()> {
        check_inputs(self.texts().chain(self.own.files()))?;
        if let Some(table) = self.texts().find(|input| TableKind::from_name(input).is_some()) {
            let advice = "write the column of texts to a separate file, or rename the file if it is plain text";
            let (expected, found) = ("text, one segment per line", "the file extension of a table");
            return Err(Error::invalid(table.to_string(), expected, found, advice));
        }
        if self.systems.is_empty() {
            return Err(Error::invalid("score", "one or more systems", "none", "name their files"));
        }
        self.own.of_file(0, self.systems.len()).map(|_| ())
    }

    /// Reads all files.
    ///
    /// # Errors
    /// A file cannot be read, is empty, or differs from the first in its number of segments.
    pub fn read(&self) -> Result<ParallelTexts> {
        let streams = self.streams(true)?;
        let references = streams.references()?.collect::<Result<_>>()?;
        let kept = |file: TextFile<'_>| file.kept.unwrap_or_default();
        let systems = streams.names.into_iter().zip(streams.systems).zip(streams.own);
        let systems = systems.map(|((name, file), own)| SystemOutput { name, segments: kept(file), own }).collect();
        Ok(ParallelTexts { systems, references, sources: streams.source.map(kept).unwrap_or_default() })
    }

    /// Reads all files once, and checks them. Texts are kept in memory if `is_kept`, or if their file can be read only
    /// once.
    ///
    /// # Errors
    /// Those of [`Self::read`].
    pub(super) fn streams(&self, is_kept: bool) -> Result<TextStreams<'_>> {
        self.check()?;
        check_alike(self.texts())?;
        let open = |input| TextFile::read(input, is_kept);
        let mut own = Vec::new();
        let mut systems = Vec::new();
        for (at, input) in self.systems.iter().enumerate() {
            systems.push(open(input)?);
            own.push(self.external_values(at)?);
        }
        let segments = systems[0].segments;
        let mut references = Vec::new();
        for input in &self.references {
            let file = open(input)?;
            check_length(input, file.segments, &self.systems[0], segments)?;
            references.push(file);
        }
        let first = self.references.first().unwrap_or(&self.systems[0]);
        for (file, own) in systems.iter().zip(&own) {
            check_length(file.input, file.segments, first, segments)?;
            check_lengths(own, file.input, file.segments)?;
        }
        let source = self.source.as_ref().map(|input| {
            let file = open(input)?;
            check_length(input, file.segments, &self.systems[0], segments).map(|()| file)
        });
        Ok(TextStreams { names: self.names(), systems, references, source: source.transpose()?, own, segments })
    }

    /// All files of texts.
    pub fn texts(&self) -> impl Iterator<Item = &Input> {
        self.systems.iter().chain(&self.references).chain(&self.source)
    }

    /// The values of external metrics for the system `at`.
    fn external_values(&self, at: usize) -> Result<Vec<ExternalValues>> {
        let sources = self.own.of_file(at, self.systems.len())?.into_iter();
        let read = sources.map(|source| {
            let name = source.signal.name().to_owned();
            let Some(file) = source.file else {
                let expected = format!("a file with the values of {}", quoted(&name));
                let advice = format!("write `own` {name}=FILE, once for each system, in their order");
                return Err(Error::invalid("`own`", expected, "none", advice));
            };
            Ok(ExternalValues { name, values: read_numbers(&file)?, file: Some(file) })
        });
        read.collect()
    }

    /// The names of the systems: their file names, or whole paths if file names are not unique.
    pub fn names(&self) -> Vec<String> {
        let names: Vec<String> = self.systems.iter().map(Input::name).collect();
        let is_distinct = |(at, name): (usize, &String)| !names[..at].contains(name);
        if names.iter().enumerate().all(is_distinct) {
            return names;
        }
        self.systems.iter().map(Input::to_string).collect()
    }
}

/// The files of [`ScoreFiles`], checked, whose texts are read as they are scored.
pub(super) struct TextStreams<'f> {
    /// The names of the systems.
    pub names: Vec<String>,
    /// The values of external metrics for each system.
    pub own: Vec<Vec<ExternalValues>>,
    /// The number of segments of every file.
    pub segments: usize,
    systems: Vec<TextFile<'f>>,
    references: Vec<TextFile<'f>>,
    source: Option<TextFile<'f>>,
}

/// Texts of some consecutive segments.
pub(super) struct TextBatch {
    /// Of one system.
    pub hypotheses: Vec<String>,
    /// The references of each.
    pub references: Vec<Vec<String>>,
    /// The source of each, or none.
    pub sources: Vec<String>,
}

impl TextStreams<'_> {
    /// Checks that metrics have what they need, as [`ParallelTexts::check`] does.
    pub fn check(&self, metric_set: &MetricSet) -> Result<()> {
        let lacking = self.references.is_empty().then_some("none");
        let sources = if self.source.is_some() { self.segments } else { 0 };
        check_given(metric_set, lacking, sources, self.segments)?;
        let mut systems = self.names.iter().zip(&self.own);
        systems.try_for_each(|(name, own)| check_needed(own, metric_set, name, self.segments))
    }

    /// The number of references per segment as in sacreBLEU's signatures; `var` if it varies.
    pub fn number_of_references(&self) -> Result<String> {
        let counts = self.references()?.map(|references| references.map(|references| references.len()));
        Ok(number_of_references(&counts.collect::<Result<_>>()?))
    }

    /// The references of each segment, in order: those of the first file, and of further ones where they are not blank.
    pub fn references(&self) -> Result<impl Iterator<Item = Result<Vec<String>>>> {
        let mut files = self.references.iter().map(TextFile::texts).collect::<Result<Vec<_>>>()?;
        let mut next = move || {
            let lines: Result<Vec<String>> = files.iter_mut().filter_map(Iterator::next).collect();
            let mut first = true;
            lines.map(|mut lines| {
                lines.retain(|line| std::mem::take(&mut first) || !line.trim().is_empty());
                lines
            })
        };
        Ok((0..self.segments).map(move |_| next()))
    }

    /// The texts of one system and what belongs to them, `size` segments at a time.
    pub fn batches(&self, system: usize, size: usize) -> Result<impl Iterator<Item = Result<TextBatch>>> {
        let mut hypotheses = self.systems[system].texts()?;
        let mut references = self.references()?;
        let mut sources = self.source.as_ref().map(TextFile::texts).transpose()?;
        let mut batch = move || {
            Ok(TextBatch {
                hypotheses: hypotheses.by_ref().take(size).collect::<Result<_>>()?,
                references: references.by_ref().take(size).collect::<Result<_>>()?,
                sources: sources.iter_mut().flat_map(|texts| texts.by_ref().take(size)).collect::<Result<_>>()?,
            })
        };
        Ok((0..self.segments.div_ceil(size)).map(move |_| batch()))
    }
}

/// A file with one text per segment.
struct TextFile<'f> {
    input: &'f Input,
    /// How many it has.
    segments: usize,
    kept: Option<Vec<String>>,
}

impl<'f> TextFile<'f> {
    /// Reads the file once, which must have a segment.
    fn read(input: &'f Input, is_kept: bool) -> Result<Self> {
        let mut kept = (is_kept || !input.is_regular()).then(Vec::new);
        let mut segments = 0;
        for text in self::segments(input)? {
            let text = text?;
            segments += 1;
            if let Some(texts) = &mut kept {
                texts.push(text);
            }
        }
        if segments == 0 { Err(empty(input)) } else { Ok(Self { input, segments, kept }) }
    }

    /// Its texts, again.
    fn texts(&self) -> Result<Box<dyn Iterator<Item = Result<String>> + '_>> {
        match &self.kept {
            Some(texts) => Ok(Box::new(texts.iter().cloned().map(Ok))),
            None => {
                let (expected, found) = (format!("{} segments, as in a first reading", self.segments), "fewer");
                let advice = "do not change files while they are scored";
                let end = Err(Error::invalid(self.input.to_string(), expected, found, advice));
                Ok(Box::new(segments(self.input)?.chain(once(end)).take(self.segments)))
            }
        }
    }
}

impl SystemOutput {
    /// An output without values of external metrics.
    pub fn new(name: impl Into<String>, segments: Vec<String>) -> Self {
        Self { name: name.into(), segments, own: Vec::new() }
    }
}

impl ParallelTexts {
    /// Checks that every system has one segment for each list of references and, for each metric that needs them, one
    /// external value for each segment; that no list is empty.
    ///
    /// # Errors
    /// A system has another number of segments or values; a list is empty; there is no system.
    pub fn check(&self, metric_set: &MetricSet) -> Result<()> {
        let segments = self.references.len();
        if let Some(system) = self.systems.iter().find(|system| system.segments.len() != segments) {
            let (expected, found) = (format!("{segments} segments"), system.segments.len().to_string());
            return Err(Error::invalid(&*system.name, expected, found, "give each its references"));
        }
        if self.systems.is_empty() {
            return Err(Error::invalid("systems", "one or more", "none", "add one"));
        }
        let without = self.references.iter().filter(|references| references.is_empty()).count();
        let found = (without > 0).then_some(if without == segments { "none" } else { "none for one of them" });
        check_given(metric_set, found, self.sources.len(), segments)?;
        let mut systems = self.systems.iter();
        systems.try_for_each(|system| check_needed(&system.own, metric_set, &system.name, segments))
    }

    /// The values of external metrics for each system.
    pub(super) fn own(&self) -> impl Iterator<Item = &ExternalValues> {
        self.systems.iter().flat_map(|system| &system.own)
    }

    /// The number of references per segment as in sacreBLEU's signatures; `var` if it varies.
    pub(super) fn number_of_references(&self) -> String {
        number_of_references(&self.references.iter().map(Vec::len).collect())
    }
}

/// The sources of rows, with their lines, where a metric reads them: none otherwise. Errors refer to the rows as `place`.
///
/// # Errors
/// A row lacks one.
pub(crate) fn sources_of<'r>(
    metric_set: &MetricSet,
    rows: impl Iterator<Item = (usize, Option<&'r String>)>,
    place: &str,
) -> Result<Vec<String>> {
    let Some(metric) = metric_set.needing_source() else { return Ok(Vec::new()) };
    let source = |(line, source): (usize, Option<&String>)| {
        source.cloned().ok_or_else(|| without_source(format!("{place}:{line}"), metric))
    };
    rows.map(source).collect()
}

/// The error for a file without segments.
fn empty(input: &Input) -> Error {
    Error::invalid(input.to_string(), "one segment per line", "an empty file", "check the name")
}

/// Checks that a file has as many segments as another.
fn check_length(input: &Input, found: usize, other: &Input, expected: usize) -> Result<()> {
    check_lines(input, found, expected, format!("{expected} segments, as in {other}"), TRUNCATED)
}

/// The only one of the numbers of references that occur; `var` if there are several.
fn number_of_references(occurring: &BTreeSet<usize>) -> String {
    match occurring.iter().next() {
        Some(_) if occurring.len() > 1 => "var".to_owned(),
        only => only.copied().unwrap_or_default().to_string(),
    }
}

/// Checks that references and sources are there for metrics that need them: `lacking` tells which references are
/// not, and there are so many `sources`.
fn check_given(metric_set: &MetricSet, lacking: Option<&str>, sources: usize, segments: usize) -> Result<()> {
    if let (Some(metric), Some(found)) = (metric_set.needing_references(), lacking) {
        let expected = format!("one or more for each segment, with which {metric} compares");
        return Err(Error::invalid("`references`", expected, found, "add them"));
    }
    match metric_set.needing_source() {
        Some(metric) if sources == 0 => {
            let expected = format!("the source of each translation, which {metric} reads");
            Err(Error::invalid("`src`", expected, "none", "give one for each segment"))
        }
        _ if sources != 0 && sources != segments => {
            Err(Error::invalid("`src`", format!("{segments} segments"), sources.to_string(), "give each its source"))
        }
        _ => Ok(()),
    }
}

/// Checks that files of external values have as many lines as the output of their system.
fn check_lengths(own: &[ExternalValues], system: &Input, segments: usize) -> Result<()> {
    let mut files = own.iter().filter_map(|metric| Some((metric.file.as_ref()?, metric.values.len())));
    files.try_for_each(|(file, values)| check_length(file, values, system, segments))
}

/// Checks that all external metrics that a metric set needs have `segments` values; errors refer to the `system`.
fn check_needed(own: &[ExternalValues], metric_set: &MetricSet, system: &str, segments: usize) -> Result<()> {
    for member in metric_set.members() {
        for name in member.metric.learned().map_or(&[][..], Learned::external) {
            let found = values_of(own, name).len();
            if found != segments {
                let expected =
                    format!("{segments} values of the own metric {}, which {} needs", quoted(name), member.name);
                let advice = format!("name a file with them for each system: `own` {name}=FILE");
                let found = if found == 0 { "none".to_owned() } else { found.to_string() };
                return Err(Error::invalid(system, expected, found, advice));
            }
        }
    }
    Ok(())
}

/// Warns of values of external metrics that learned metrics have not seen.
pub(super) fn warn_ranges<'o>(
    context: Context<'_>,
    metric_set: &MetricSet,
    own: impl Iterator<Item = &'o ExternalValues>,
) {
    let mut ranges = ExternalRanges::for_metrics(metric_set);
    own.for_each(|metric| ranges.add(&metric.name, &metric.values));
    ranges.warn(context);
}

/// Adds external values to a corpus whose first segment is the one at `start`.
pub(super) fn with_external(corpus: Corpus, metric_set: &MetricSet, own: &[ExternalValues], start: usize) -> Corpus {
    let value = |name: &str, segment: usize| values_of(own, name).get(start + segment).copied();
    corpus.with_external(metric_set, &|name, segment| value(name, segment).unwrap_or_default())
}

fn values_of<'o>(own: &'o [ExternalValues], name: &str) -> &'o [f64] {
    own.iter().find(|metric| metric.name == name).map_or(&[], |metric| &metric.values)
}
