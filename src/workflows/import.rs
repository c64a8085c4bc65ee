//! `import`: converts judgments of any format to a file of pairs, with a summary of each file.
//!
//! ```
//! use tribunal::files::Input;
//! use tribunal::formats;
//! use tribunal::workflows::import::{ImportSettings, import};
//!
//! let folder = tempfile::tempdir().map_err(|error| tribunal::Error::io("a folder".as_ref(), error, "make"))?;
//! let path = folder.path().join("x.rankings");
//! std::fs::write(&path, "s1 ||| 1 ||| the cat ||| a cat\ns1 ||| 0 ||| the cat ||| cats\n").ok();
//! let rankings = formats::find("rankings").expect("a format of that name");
//! let settings = ImportSettings {
//!     output: Some(folder.path().join("pairs.csv")),
//!     ..ImportSettings::new(rankings, vec![Input::File(path)])
//! };
//! assert_eq!(import(&settings, &|_| ())?[0].summary.pairs, 1);
//! # Ok::<(), tribunal::Error>(())
//! ```

use std::collections::BTreeMap;
use std::fmt;
use std::path::{Path, PathBuf};

use serde::Serialize;

use super::context::{Context, Event, Listener};
use super::warnings;
use crate::error::{Error, Result, pluralized, quoted};
use crate::files::table::TableKind;
use crate::files::{Input, Output, check_content, check_outputs, is_stream};
use crate::formats::{
    self, ExpectedPairs, Format, ImportSummary, Importer, PairShape, PairWriter, QuotedTexts, Reading, Role,
    ScoredSegments, Signals,
};
use crate::judgments::grouping::JoinedNames;
use crate::judgments::{Pair, RoundedLabels, SharedWords};
use crate::options::{OptionSpec, Options, Value};

/// Settings of [`import`].
#[derive(Debug, Clone)]
pub struct ImportSettings {
    /// The format of all files.
    pub format: &'static Format,
    /// The options of the format.
    pub options: Options,
    /// The files. Segments of different files are never joined, unless their pairs are merged.
    pub inputs: Vec<Input>,
    /// The file for the pairs; `None` for standard output.
    pub output: Option<PathBuf>,
    /// The kind of table to write, if the file name does not show it.
    pub to: Option<TableKind>,
    /// The file for the labels; the pairs are then written as lines of text.
    pub answers: Option<PathBuf>,
    /// Whether to drop pairs with identical hypotheses.
    pub drop_same_text: bool,
    /// Metrics of other programs in columns of the rows, which the pairs keep as NAME.1 and NAME.2.
    pub own: Vec<String>,
}

/// The result of importing a file.
#[derive(Debug, Clone, Serialize)]
pub struct Imported {
    /// The file.
    pub file: String,
    /// Counts of what was read, kept and dropped.
    #[serde(flatten)]
    pub summary: ImportSummary,
    /// Whether labels look reversed.
    #[serde(flatten)]
    pub shared_words: SharedWords,
}

impl Imported {
    /// Warnings of what was read, and of labels that were probably meant otherwise.
    pub fn warnings(&self) -> Vec<String> {
        let of_labels = self.shared_words.warning().into_iter().chain(warnings::zeros_for_second(self.summary.labels));
        self.summary.warnings.iter().cloned().chain(of_labels).collect()
    }
}

impl ImportSettings {
    /// Imports files of a format, to CSV on standard output.
    pub fn new(format: &'static Format, inputs: Vec<Input>) -> Self {
        let options = Options::default();
        Self { format, options, inputs, output: None, to: None, answers: None, drop_same_text: false, own: Vec::new() }
    }

    /// Whether the pairs go to standard output, or into a pipe.
    pub fn is_to_stdout(&self) -> bool {
        self.output.as_deref().is_none_or(|path| path.as_os_str() == "-" || is_stream(path))
    }

    /// The kind of table that the user asked for, with an option or by the name of the output.
    fn wanted_kind(&self) -> Option<TableKind> {
        let of_name = || self.output.as_ref().and_then(|path| TableKind::from_name(&Input::File(path.clone())));
        self.to.or_else(of_name)
    }

    /// The kind of table to write; `None` if the output's name does not show it.
    fn kind(&self) -> Option<TableKind> {
        self.wanted_kind().or_else(|| self.is_to_stdout().then_some(TableKind::Csv))
    }

    /// The kind of table to write, which has a column for the labels; `None` for lines of text with the labels in a file
    /// of their own.
    fn checked_kind(&self) -> Result<Option<TableKind>> {
        let Some(answers) = &self.answers else {
            return self.kind().map(Some).ok_or_else(formats::no_place_for_labels);
        };
        if let Some(kind) = self.wanted_kind() {
            return Err(Error::invalid(
                "`answers`",
                "pairs as lines of text",
                format!("a table ({}), which has a column for the labels", kind.name()),
                "omit `answers`, or name the output .pairs",
            ));
        }
        let mut lines = self.output.iter().chain([answers]);
        lines.try_for_each(|path| check_content(path, "lines of text", &["pairs"]))?;
        Ok(None)
    }

    /// Checks that no input is also an output.
    fn check_files(&self) -> Result<()> {
        let is_file = |spec: &&&OptionSpec| matches!(spec.value, Value::One { placeholder: "DIR" | "FILE|DIR", .. });
        let named = self.format.options.iter().filter(is_file).flat_map(|spec| self.options.texts(spec));
        let named: Vec<Input> = named.map(|path| Input::File(path.into())).collect();
        let answers = self.answers.as_deref().map(Some);
        let outputs: Vec<Option<&Path>> = std::iter::once(self.output.as_deref()).chain(answers).collect();
        check_outputs(self.inputs.iter().chain(&named), &outputs)
    }
}

/// Writes the pairs of all files, and returns a summary of each file. The listener is told of a file that makes very many
/// pairs before they are made.
///
/// # Errors
/// A file cannot be read, is invalid or has not a single pair; labels are wanted in a file of their own beside a table;
/// the output cannot be written. No file has changed then.
pub fn import(settings: &ImportSettings, listener: Listener<'_>) -> Result<Vec<Imported>> {
    let kind = settings.checked_kind()?;
    settings.check_files()?;
    let (mut pending, mut writer) = (Some(Output::create(settings.output.as_deref())?), None);
    let imported = each_pair(settings, listener, &mut |pair, shape| {
        if let Some(output) = pending.take() {
            writer = Some(match (&settings.answers, kind) {
                (Some(answers), _) => PairWriter::begin_lines(output, Output::create(Some(answers))?),
                (None, kind) => {
                    PairWriter::begin(output, kind.unwrap_or(TableKind::Csv), shape, std::iter::once(&pair))?
                }
            });
        }
        writer.as_mut().map_or(Ok(()), |writer| writer.write(&pair))
    })?;
    writer.map_or(Ok(()), PairWriter::finish)?;
    Ok(imported)
}

/// The pairs of all files in memory; the summary of each file is a note.
///
/// # Errors
/// A file cannot be read, is invalid or has not a single pair.
pub fn read(context: Context<'_>, settings: &ImportSettings) -> Result<Vec<Pair>> {
    let mut pairs = Vec::new();
    let imported = each_pair(settings, &|event| context.emit(event), &mut |pair, _| {
        pairs.push(pair);
        Ok(())
    })?;
    for one in &imported {
        context.note(format!("{}: {}", one.file, one.summary));
        one.warnings().into_iter().for_each(|warning| context.warn(warning));
    }
    Ok(pairs)
}

/// Takes a pair, and what all pairs of its file may have.
type TakePair<'t> = &'t mut dyn FnMut(Pair, PairShape) -> Result<()>;

/// Gives `take` the pairs of all files, and returns a summary of each file.
fn each_pair(settings: &ImportSettings, listener: Listener<'_>, take: TakePair<'_>) -> Result<Vec<Imported>> {
    let (mut imported, mut all) = (Vec::new(), JoinedNames::default());
    let signals = Signals::parse(&settings.own, &[])?.of_file(0, 1)?;
    let reading = Reading { needs_labels: true, signals, ..Reading::from(settings.options.clone()) };
    let reading = reading.with_annotators()?;
    if let Some((source, file)) = reading.signals.iter().find_map(|source| Some((source, source.file.as_ref()?))) {
        let advice = "import the pairs without them; the other commands read such files beside pairs";
        return Err(Error::invalid(
            format!("`{}`", source.signal.option()),
            "the names of columns",
            format!("the file {file}"),
            advice,
        ));
    }
    if !settings.own.is_empty() && settings.format.name != "table" {
        let (expected, found) = ("the format table, whose rows may have columns of metrics", settings.format.name);
        return Err(Error::invalid("`own`", expected, found, "omit it, or write the judgments as a table"));
    }
    let names: Vec<String> = settings.inputs.iter().map(Input::to_string).collect();
    let open = |input: &Input| (settings.format.open)(input, &reading);
    let importers = settings.inputs.iter().map(open).collect::<Result<Vec<_>>>()?;
    let importers = formats::finished(importers, &names)?;
    // One column of labels has one scale, whichever file has fractions.
    let has_preferences = importers.iter().any(|importer| importer.shape.has_preferences);
    for (mut importer, input) in importers.into_iter().zip(&settings.inputs) {
        importer.shape.has_preferences = has_preferences;
        importer.expected.and_then(|expected| many_pairs(input, expected)).into_iter().for_each(listener);
        imported.push(pairs_of(importer, input, settings, (&mut *take, &mut all))?);
    }
    check_any(settings, &imported)?;
    check_used(imported.iter().map(|one| &one.summary))?;
    Ok(imported)
}

/// From this number of pairs on, the user is told before they are made.
const MANY_PAIRS: usize = 10_000_000;

fn many_pairs(input: &Input, expected: ExpectedPairs) -> Option<Event> {
    let ExpectedPairs { pairs, largest_segment } = expected;
    (pairs > MANY_PAIRS).then(|| {
        Event::Note(format!(
            "{input}: forming all {pairs} pairs of hypotheses of the same segment; the largest segment has \
             {largest_segment} hypotheses; to split segments, name a column of sources or groups with `src` or `group`"
        ))
    })
}

/// Checks that every file yields pairs, kept or dropped, and that at least one pair is kept.
fn check_any(settings: &ImportSettings, imported: &[Imported]) -> Result<()> {
    let has_none = imported.iter().all(|one| one.summary.pairs == 0);
    let is_lacking = |one: &Imported| one.summary.pairs == 0 && (has_none || one.summary.pairs_dropped.is_empty());
    let lacking = settings.inputs.iter().zip(imported).find(|(_, one)| is_lacking(one));
    lacking.map_or(Ok(()), |(input, one)| Err(formats::no_pair(input, Some(&one.summary))))
}

/// Checks that every value of an option had an effect in some file.
fn check_used<'s>(summaries: impl Iterator<Item = &'s ImportSummary> + Clone) -> Result<()> {
    let is_unused_in_all = |value: &&(String, String)| summaries.clone().all(|one| one.unused.contains(value));
    let unused = summaries.clone().take(1).flat_map(|one| &one.unused).find(is_unused_in_all);
    let Some((option, value)) = unused else { return Ok(()) };
    let advice = "check the spelling, or put it before the more general one: the first match counts";
    Err(Error::invalid(
        option,
        "a value that matches some row",
        format!("{}, which matches none", quoted(value)),
        advice,
    ))
}

/// Gives `take` all pairs of a file; `all` holds the groups of earlier files.
fn pairs_of(
    mut importer: Importer,
    input: &Input,
    settings: &ImportSettings,
    (take, all): (TakePair<'_>, &mut JoinedNames),
) -> Result<Imported> {
    let shape = importer.shape;
    let (mut shared_words, mut quoted, before) = (SharedWords::default(), QuotedTexts::default(), all.count());
    let mut rounded = RoundedLabels::default();
    // The same id in two files does not mean the same segment.
    let stem = (settings.inputs.len() > 1).then(|| input.stem());
    while let Some(mut pair) = importer.next().transpose()? {
        if settings.drop_same_text && pair.hypotheses[0] == pair.hypotheses[1] {
            importer.summary.drop_pair("both hypotheses are identical");
            continue;
        }
        if let Some(stem) = &stem {
            [&mut pair.id, &mut pair.group].into_iter().flatten().for_each(|name| *name = format!("{stem}:{name}"));
        }
        importer.summary.keep_pair(&pair);
        pair.label.into_iter().for_each(|label| shared_words.add(&pair, label));
        all.add(&pair);
        quoted.add(&pair);
        rounded.add(&pair);
        take(pair, shape)?;
    }
    let mut summary = importer.summary;
    summary.notes.extend(quoted.note());
    summary.notes.extend(rounded.note());
    let shared = (before + summary.groups).saturating_sub(all.count());
    if shared > 0 {
        let others = if before > 0 { "others in this or an earlier file" } else { "others" };
        let segments = pluralized(shared, "segment");
        summary.notes.push(format!("{segments} with the same references as {others}: training keeps them in one fold"));
    }
    Ok(Imported { file: input.to_string(), summary, shared_words })
}

/// The result of importing the scores of a file.
#[derive(Debug, Clone, Serialize)]
pub struct ImportedScores {
    /// The file.
    pub file: String,
    /// The number of rows read.
    pub rows_read: usize,
    /// The number of rows dropped, by reason.
    pub rows_dropped: BTreeMap<String, usize>,
    /// The number of systems.
    pub systems: usize,
    /// The number of segments of each system.
    pub segments: usize,
    /// The number of texts that people did not judge.
    pub missing: usize,
    /// Further notes, one line each.
    pub notes: Vec<String>,
    /// Reasons not to trust the scores, one line each.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub warnings: Vec<String>,
}

/// `11 rows read; 2 systems, 5 segments, 1 of 10 texts without a score`, then dropped rows and notes.
impl fmt::Display for ImportedScores {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { rows_read, systems, segments, missing, .. } = self;
        write!(formatter, "{} read; {}, ", pluralized(*rows_read, "row"), pluralized(*systems, "system"))?;
        formatter.write_str(&pluralized(*segments, "segment"))?;
        if *missing > 0 {
            write!(formatter, ", {missing} of {} texts without a score", systems * segments)?;
        }
        for (reason, &count) in &self.rows_dropped {
            write!(formatter, "\ndropped {}: {reason}", pluralized(count, "row"))?;
        }
        self.notes.iter().try_for_each(|note| write!(formatter, "\nnote: {note}"))
    }
}

/// Writes people's scores of each segment of each system, with the texts, as a table for
/// [`correlate`](crate::workflows::correlate()).
///
/// # Errors
/// The format has no scores, or there are several files; a file cannot be read or is invalid; the output cannot be
/// written.
pub fn import_scores(settings: &ImportSettings) -> Result<ImportedScores> {
    settings.check_files()?;
    let Some(kind) = settings.kind() else {
        let place = settings.output.as_ref().map_or_else(|| "-".to_owned(), |path| path.display().to_string());
        let advice = "name it .csv, .tsv or .jsonl, or give `to`";
        return Err(Error::invalid(place, "a file extension of tables", "another one", advice));
    };
    let (scored, imported) = scored(settings)?;
    scored.write(Output::create(settings.output.as_deref())?, kind)?;
    Ok(imported)
}

/// People's scores of each segment of each system in memory; the summary is a note.
///
/// # Errors
/// The format has no scores, or there are several files; a file cannot be read or is invalid.
pub fn read_scores(context: Context<'_>, settings: &ImportSettings) -> Result<ScoredSegments> {
    let (scored, imported) = scored(settings)?;
    context.note(format!("{}: {imported}", imported.file));
    imported.warnings.into_iter().for_each(|warning| context.warn(warning));
    Ok(scored)
}

/// People's scores of each segment of each system, with a summary.
fn scored(settings: &ImportSettings) -> Result<(ScoredSegments, ImportedScores)> {
    let Some(read) = settings.format.scores else {
        let advice = "omit `scores`";
        return Err(Error::invalid("`scores`", "a format with scores of segments", settings.format.name, advice));
    };
    let [input] = settings.inputs.as_slice() else {
        let found = format!("{} files", settings.inputs.len());
        return Err(Error::invalid("`scores`", "one file", found, "import each campaign by itself"));
    };
    let scored = read(input, &settings.options)?;
    check_used(std::iter::once(&scored.summary))?;
    let hypotheses = scored.segments.iter().flat_map(|segment| &segment.hypotheses);
    let imported = ImportedScores {
        file: input.to_string(),
        systems: scored.systems().len(),
        segments: scored.segments.len(),
        missing: hypotheses.filter(|hypothesis| hypothesis.score.is_none()).count(),
        rows_read: scored.summary.rows_read,
        rows_dropped: scored.summary.rows_dropped.clone(),
        notes: scored.summary.notes.clone(),
        warnings: scored.summary.warnings.clone(),
    };
    Ok((scored, imported))
}

/// The formats that pairs can be imported from.
pub fn importable() -> impl Iterator<Item = &'static Format> {
    formats::REGISTRY.iter().copied().filter(|format| format.role == Role::Judgments)
}
