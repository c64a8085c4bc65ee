//! Systems' output with its references, and the values of external metrics for it: from files, or in memory.

use crate::error::{Error, Result, quoted};
use crate::features::without_source;
use crate::files::input::check_lines;
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
        self.check()?;
        check_alike(self.texts())?;
        let mut systems = Vec::new();
        for (at, (input, name)) in self.systems.iter().zip(self.names()).enumerate() {
            systems.push(SystemOutput { name, segments: read_segments(input)?, own: self.external_values(at)? });
        }
        let references = self.read_references(systems[0].segments.len())?;
        for (input, system) in self.systems.iter().zip(&systems) {
            let first = self.references.first().unwrap_or(&self.systems[0]);
            check_length(input, system.segments.len(), first, references.len())?;
            check_lengths(&system.own, input, system.segments.len())?;
        }
        let sources = self.source.as_ref().map(|input| {
            let lines = read_segments(input)?;
            check_length(input, lines.len(), &self.systems[0], references.len()).map(|()| lines)
        });
        Ok(ParallelTexts { systems, references, sources: sources.transpose()?.unwrap_or_default() })
    }

    /// All files of texts.
    pub fn texts(&self) -> impl Iterator<Item = &Input> {
        self.systems.iter().chain(&self.references).chain(&self.source)
    }

    /// The references of each segment.
    fn read_references(&self, segments: usize) -> Result<Vec<Vec<String>>> {
        let mut references: Vec<Vec<String>> = vec![Vec::new(); segments];
        for (number, input) in self.references.iter().enumerate() {
            let lines = read_segments(input)?;
            check_length(input, lines.len(), &self.systems[0], segments)?;
            add_references(&mut references, number, lines);
        }
        Ok(references)
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
        if let Some(metric) = metric_set.needing_references()
            && self.references.iter().any(Vec::is_empty)
        {
            let expected = format!("one or more for each segment, with which {metric} compares");
            let found = if self.references.iter().all(Vec::is_empty) { "none" } else { "none for one of them" };
            return Err(Error::invalid("`references`", expected, found, "add them"));
        }
        match metric_set.needing_source() {
            Some(metric) if self.sources.is_empty() => {
                let expected = format!("the source of each translation, which {metric} reads");
                return Err(Error::invalid("`src`", expected, "none", "give one for each segment"));
            }
            _ if !self.sources.is_empty() && self.sources.len() != segments => {
                let found = self.sources.len().to_string();
                return Err(Error::invalid("`src`", format!("{segments} segments"), found, "give each its source"));
            }
            _ => {}
        }
        let mut systems = self.systems.iter();
        systems.try_for_each(|system| check_needed(&system.own, metric_set, &system.name, segments))
    }

    /// Warns of values of external metrics that learned metrics have not seen.
    pub(super) fn warn_ranges(&self, context: Context<'_>, metric_set: &MetricSet) {
        let mut ranges = ExternalRanges::for_metrics(metric_set);
        let own = self.systems.iter().flat_map(|system| &system.own);
        own.for_each(|metric| ranges.add(&metric.name, &metric.values));
        ranges.warn(context);
    }

    /// The number of references per segment as in sacreBLEU's signatures; `var` if it varies.
    pub(super) fn number_of_references(&self) -> String {
        let first = self.references.first().map_or(0, Vec::len);
        let is_constant = self.references.iter().all(|of_segment| of_segment.len() == first);
        if is_constant { first.to_string() } else { "var".to_owned() }
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

/// Adds the lines of a file of references to those of the segments: an empty line in a further file means that the
/// segment has no reference there.
fn add_references(references: &mut [Vec<String>], number: usize, lines: Vec<String>) {
    let given = references.iter_mut().zip(lines).filter(|(_, line)| number == 0 || !line.trim().is_empty());
    given.for_each(|(of_segment, line)| of_segment.push(line));
}

/// The segments of a file, at least one.
fn read_segments(input: &Input) -> Result<Vec<String>> {
    let texts: Vec<String> = segments(input)?.collect::<Result<_>>()?;
    if texts.is_empty() { Err(empty(input)) } else { Ok(texts) }
}

/// The error for a file without segments.
fn empty(input: &Input) -> Error {
    Error::invalid(input.to_string(), "one segment per line", "an empty file", "check the name")
}

/// Checks that a file has as many segments as another.
fn check_length(input: &Input, found: usize, other: &Input, expected: usize) -> Result<()> {
    check_lines(input, found, expected, format!("{expected} segments, as in {other}"))
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

/// Adds external values to a corpus whose first segment is the one at `start`.
pub(super) fn with_external(corpus: Corpus, metric_set: &MetricSet, own: &[ExternalValues], start: usize) -> Corpus {
    let value = |name: &str, segment: usize| values_of(own, name).get(start + segment).copied();
    corpus.with_external(metric_set, &|name, segment| value(name, segment).unwrap_or_default())
}

fn values_of<'o>(own: &'o [ExternalValues], name: &str) -> &'o [f64] {
    own.iter().find(|metric| metric.name == name).map_or(&[], |metric| &metric.values)
}
