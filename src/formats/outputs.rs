//! Tables with one output a row: `prompt`, `system`, `output`, optionally `ref`, `context`, `group`, `annotator`, and
//! human labels in `label`, `score` or `pass`. Known by their columns: an output, and no pair of hypotheses.

use std::sync::Arc;

use super::answers::LabelNames;
use super::format::{Format, Reading};
use super::marking::Marking;
use super::merging::one_draw;
use super::messages;
use super::output_join::JoinedValues;
use super::pairs::prompt_columns;
use super::registry;
use super::roles::{COLUMN, ColumnRole, Columns, References, named_roles, part_of};
use super::signals::Signal;
use super::votes::ANNOTATORS;
use crate::error::{Error, Result, joined, pluralized, quoted};
use crate::files::Input;
use crate::files::table::{Column, Header, Row, Rows};
use crate::judgments::identity::{asked_key, row_key};
use crate::judgments::output::{Criterion, Output, OutputSignal, Outputs};
use crate::metrics::grounding;
use crate::options::Options;
use indexmap::{IndexMap, IndexSet};
use rustc_hash::FxHashSet;

/// The usual names of the columns of labels besides those of the role.
pub(super) const LABELS: [&str; 6] = ["label", "score", "pass", "passed", "rating", "grade"];

/// The roles of outputs.
const ROLES: [ColumnRole; 12] = [
    ColumnRole::Prompt,
    ColumnRole::Source,
    ColumnRole::Output,
    ColumnRole::System,
    ColumnRole::Reference,
    ColumnRole::Context,
    ColumnRole::Group,
    ColumnRole::Annotator,
    ColumnRole::Label,
    ColumnRole::Id,
    ColumnRole::Drawn,
    ColumnRole::Wave,
];

/// Those that a table may lack, with a text or a number in each row.
const OPTIONAL: [ColumnRole; 7] = [
    ColumnRole::System,
    ColumnRole::Group,
    ColumnRole::Annotator,
    ColumnRole::Id,
    ColumnRole::Drawn,
    ColumnRole::Wave,
    ColumnRole::Source,
];

/// Whether a table of outputs may have a column of this name with a role of its own; other columns are read only where they
/// are named.
pub fn is_usual_of_outputs(name: &str) -> bool {
    let is_context = |rest: &str| rest.bytes().all(|byte| byte.is_ascii_digit());
    LABELS.contains(&name)
        || name.strip_prefix(ColumnRole::Context.usual_name()).is_some_and(is_context)
        || ROLES.iter().any(|role| role.usual_names().contains(&name))
}

/// Whether a file has one output a row: a table with the column of an output, and without those of two hypotheses.
///
/// # Errors
/// The file cannot be read.
pub fn are_outputs(input: &Input, reading: &Reading) -> Result<bool> {
    let kind = |format: &'static Format| format.table.filter(|_| format.name != "table");
    let Some(kind) = kind(reading.format.unwrap_or_else(|| registry::format_of(input))) else { return Ok(false) };
    // Standard input and pipes can be read only once.
    let Input::File(path) = input else { return Ok(false) };
    if std::fs::metadata(path).is_ok_and(|found| !found.is_file()) {
        return Ok(false);
    }
    let rows = Rows::open(input, Some(kind))?;
    Ok(is_header_of_outputs(rows.header(), &reading.options))
}

/// Whether a table with these columns has one output a row.
pub(crate) fn is_header_of_outputs(header: &Header, options: &Options) -> bool {
    let has = |role: ColumnRole| role.in_header(header, options).is_some();
    let pairs = [ColumnRole::Hyp1, ColumnRole::Hyp2, ColumnRole::Preferred, ColumnRole::Other];
    // A name that is given and missing is told by the reader of outputs.
    (has(ColumnRole::Output) || ColumnRole::Output.is_given(options)) && !pairs.into_iter().any(has)
}

/// Reads the outputs of a file, each once, with the labels of all its annotators.
///
/// # Errors
/// The file cannot be read; a column is missing, or contexts of which a signal is computed; a label is neither pass nor fail
/// nor a number, or not as the others are.
pub fn read_outputs(input: &Input, reading: &Reading) -> Result<Outputs> {
    joined_rows(read_output_rows(input, reading)?, &input.to_string())
}

/// Names of the column of prompts in files of questions, besides the usual ones.
const QUESTIONS: [&str; 2] = ["text", "turns.0"];

/// The usual name of the column of references in such files.
const REFERENCE: &str = "reference";

/// Reads the prompts, references and groups of a file of questions, as outputs without a text, by the column `by`.
///
/// # Errors
/// The file cannot be read; a column is missing; two rows have the same value of `by`.
pub fn read_questions(input: &Input, by: &str, options: &Options) -> Result<IndexMap<String, Output>> {
    let rows = Rows::open(input, None)?;
    let header = rows.header().clone();
    let (key, usual) = (header.require(by)?, ColumnRole::Prompt.in_table(&header, options)?);
    let other = QUESTIONS.iter().find(|name| header.has(name)).and_then(|name| header.find(name));
    let prompt = usual.or(other).ok_or_else(|| {
        header.missing("the column prompt", joined(header.columns()), "name it: `column` prompt=NAME")
    })?;
    let mut options = options.clone();
    if !ColumnRole::Reference.is_given(&options) && !header.has("ref") && header.has(REFERENCE) {
        options.set(&COLUMN, &format!("ref={REFERENCE}"))?;
    }
    let references = References::find(ColumnRole::Reference, &header, &options)?;
    let group = ColumnRole::Group.in_header(&header, &options).and_then(|name| header.find(name));
    let mut questions = IndexMap::new();
    for row in rows {
        let row = row?;
        let question = Output {
            prompt: row.optional(&prompt)?.map(|text| text.into_owned()),
            references: references.read(&row)?,
            group: group.as_ref().map(|group| row.optional(group)).transpose()?.flatten().map(|text| text.into_owned()),
            ..Output::default()
        };
        if questions.insert(row.text(&key)?.into_owned(), question).is_some() {
            let found = format!("{} again", quoted(&row.text(&key)?));
            return Err(Error::invalid(row.place(), format!("one row for each {by}"), found, "remove one of them"));
        }
    }
    Ok(questions)
}

/// Reads the outputs of a file once for each criterion, a column of labels with its weight.
///
/// # Errors
/// As [`read_outputs`]; there are fewer than two criteria, or two of one name; other labels are named as well.
pub fn read_criteria(input: &Input, reading: &Reading, criteria: &[(String, f64)]) -> Result<Vec<Criterion>> {
    let names: Vec<&String> = criteria.iter().map(|(name, _)| name).collect();
    let is_given = |role: &ColumnRole| role.is_given(&reading.options);
    let has_others =
        reading.options.is_given(&ANNOTATORS) || [ColumnRole::Label, ColumnRole::Score].iter().any(is_given);
    if has_others || names.len() < 2 || names.iter().collect::<IndexSet<_>>().len() < names.len() {
        let expected = "the names of different columns, two or more, and no labels by `column` or `annotators`";
        let found = joined(names) + if has_others { ", and such labels" } else { "" };
        return Err(Error::invalid("`criteria`", expected, found, "name one column of labels by `column` label=NAME"));
    }
    let read = |(name, weight): &(String, f64)| {
        let mut reading = reading.clone();
        reading.options.set(&COLUMN, &format!("label={name}"))?;
        Ok(Criterion { name: name.clone(), weight: *weight, outputs: read_outputs(input, &reading)? })
    };
    criteria.iter().map(read).collect()
}

/// Reads the rows of a file, each as an output of its own.
///
/// # Errors
/// As [`read_outputs`].
pub fn read_output_rows(input: &Input, reading: &Reading) -> Result<Outputs> {
    let rows = Rows::open(input, reading.format.and_then(|format| format.table))?;
    let header = rows.header().clone();
    output_rows(&header, rows, reading)
}

/// The rows of a file one at a time, each as an output of its own, without labels and values.
///
/// # Errors
/// As [`read_outputs`].
pub fn output_texts(input: &Input, reading: &Reading) -> Result<impl Iterator<Item = Result<Output>> + use<>> {
    let rows = Rows::open(input, reading.format.and_then(|format| format.table))?;
    let reading = Reading { signals: Vec::new(), ignores_labels: true, ..reading.clone() };
    let columns = OutputColumns::find(rows.header(), &reading)?;
    Ok(rows.map(move |row| columns.output(&row?)))
}

/// The rows of a table, each as an output of its own.
///
/// # Errors
/// As [`read_outputs`].
pub(crate) fn output_rows<'r>(
    header: &Header,
    rows: impl Iterator<Item = Result<Row<'r>>>,
    reading: &Reading,
) -> Result<Outputs> {
    let columns = OutputColumns::find(header, reading)?;
    let names = LabelNames::from_options(&reading.options)?;
    let mut labels: Vec<Marking> = columns.labels.iter().map(|(_, column)| Marking::new(column, false)).collect();
    let mut signals: Vec<Marking> = columns.signals.iter().map(|(_, column)| Marking::new(column, true)).collect();
    let mut all = Vec::new();
    for row in rows {
        let row = row?;
        let mut output = columns.output(&row)?;
        output.values =
            signals.iter_mut().map(|signal| signal.read(&row, &LabelNames::default())).collect::<Result<_>>()?;
        for ((annotator, _), marking) in columns.labels.iter().zip(&mut labels) {
            let label = marking.read(&row, &names)?;
            let annotator = match annotator {
                Some(name) => Some(Arc::clone(name)),
                None => columns.annotator(&row)?,
            };
            output.labels.extend(label.map(|label| (annotator, label)));
        }
        all.push(output);
    }
    if all.is_empty() {
        let place = header.place();
        return Err(Error::invalid(place, "at least one output", "none", "check that the right file was named"));
    }
    if let Some(name) = &columns.computed
        && all.iter().all(|output: &Output| output.context.is_empty())
    {
        let expected = format!("contexts of the outputs, from which {} is computed", quoted(name));
        return Err(Error::invalid(header.place(), expected, "none", "name their column: `column` context=NAME"));
    }
    let mut joined = Vec::new();
    for (signal, file) in &columns.beside {
        let JoinedValues { marking, values, note } = JoinedValues::read(file, signal, &all)?;
        all.iter_mut().zip(values).for_each(|(output, value)| output.values.push(value));
        signals.push(marking);
        joined.push(note);
    }
    let marks = Marking::common(&labels)?;
    let given = || all.iter().flat_map(|output: &Output| &output.labels).map(|(_, label)| *label);
    let is_signed = given().any(|label| label == -1.0) && given().all(|label| [-1.0, 0.0, 1.0].contains(&label));
    let mut notes: Vec<String> = columns.account();
    notes.extend(joined);
    notes.extend(signals.iter().filter_map(Marking::note));
    if is_signed {
        let names = "name them if they are pass and fail: `labels` 1=1,-1=-1";
        notes.push(format!("labels of 1 and -1 are read as numbers; {names}"));
    }
    signals.iter().try_for_each(Marking::check)?;
    let of_columns = columns.signals.iter().map(|(signal, _)| signal);
    let named = of_columns.chain(columns.beside.iter().map(|(signal, _)| signal)).zip(&signals);
    let named = named.map(|(signal, marking)| {
        let lower_is_better = matches!(signal, Signal::Metric(metric) if metric.lower_is_better);
        let is_judge = matches!(signal, Signal::Judge { .. });
        OutputSignal { name: signal.name().to_owned(), is_judge, lower_is_better, marks: marking.marks() }
    });
    Ok(Outputs { signals: named.collect(), rows: all, marks, notes })
}

/// Outputs of rows of `place`, each once, with the labels of all its annotators; of several labels by one annotator the first
/// counts. Without a prompt or a reference, equal texts may answer different questions, and each stands alone.
///
/// # Errors
/// Two rows of an output were drawn with different probabilities.
pub(crate) fn joined_rows(outputs: Outputs, place: &str) -> Result<Outputs> {
    let (mut all, mut repeated, mut others, mut same) = (IndexMap::new(), 0, 0, 0);
    let mut labelled = FxHashSet::default();
    for (number, mut output) in outputs.rows.into_iter().enumerate() {
        let labels = std::mem::take(&mut output.labels);
        let key = (output.question().is_none().then_some(number), row_key(&output));
        let asked = asked_key(&output);
        let (drawn, wave, line) = (output.drawn, output.wave, output.line);
        let is_new = !all.contains_key(&key);
        let known: &mut Output = all.entry(key).or_insert(output);
        let advice = "an output is drawn once: keep the rows of one draw";
        known.drawn = one_draw(known.drawn, drawn, || format!("{place}:{line}"), ["output", advice])?;
        known.wave = known.wave.or(wave);
        same += usize::from(!is_new && labels.is_empty());
        for (annotator, label) in labels {
            if let Some(asked) = asked
                && !labelled.insert((asked, annotator.clone()))
                && is_new
            {
                others += 1;
            }
            if known.labels.iter().any(|(name, _)| *name == annotator) {
                repeated += 1;
            } else {
                known.labels.push((annotator, label));
            }
        }
    }
    let counted = |count: usize, what: &str| (count > 0).then(|| format!("{} with {what}", pluralized(count, "row")));
    let mut notes = outputs.notes;
    notes.extend(
        [
            counted(repeated, "prompt, system, output and annotator of an earlier one: only the first label counts"),
            counted(same, "prompt, system and output of an earlier one: read once"),
            counted(others, "prompt, system and annotator of an earlier one and another output: each counts"),
        ]
        .into_iter()
        .flatten(),
    );
    Ok(Outputs { rows: all.into_values().collect(), notes, ..outputs })
}

/// The columns of a table of outputs.
struct OutputColumns {
    output: Column,
    prompt: Vec<Column>,
    columns: Columns,
    references: References,
    context: References,
    /// Columns of labels, with the names of the annotators where these are the columns'.
    labels: Vec<(Option<Arc<str>>, Column)>,
    /// Other columns with a usual name of labels, which are not read.
    others: Vec<&'static str>,
    signals: Vec<(Signal, Column)>,
    /// Signals in tables of their own.
    beside: Vec<(Signal, Input)>,
    /// A signal that is asked for and has no column, as it is computed from contexts.
    computed: Option<String>,
    /// That of the part.
    part: Option<Column>,
    ignores_labels: bool,
}

impl OutputColumns {
    fn find(header: &Header, reading: &Reading) -> Result<Self> {
        let options = &reading.options;
        let taken = [COLUMN.name, super::answers::LABELS.name, ANNOTATORS.name];
        if let Some(unused) = options.names().find(|name| !taken.contains(name)) {
            let place = format!("`{}`", unused.replace('-', "_"));
            return Err(Error::invalid(place, "pairs", "outputs, one a row", "omit it, as it has no effect"));
        }
        if let Some(other) = named_roles(options).find(|role| !ROLES.contains(role) && *role != ColumnRole::Score) {
            let expected = format!("the roles of outputs, {}", ROLES.map(ColumnRole::usual_name).join(", "));
            return Err(Error::invalid(COLUMN.argument(), expected, quoted(other.usual_name()), "omit the role"));
        }
        ColumnRole::Prompt.in_table(header, options)?;
        let output = ColumnRole::Output
            .in_table(header, options)?
            .ok_or_else(|| header.missing("the column output", joined(header.columns()), ""))?;
        let (mut labels, mut others, mut signals, mut computed) = (Vec::new(), Vec::new(), Vec::new(), None);
        let mut beside = Vec::new();
        for source in &reading.signals {
            let mut source = source.clone();
            source.settle(header);
            if let Some(file) = &source.file {
                if matches!(source.signal, Signal::Annotator(_)) {
                    let found = format!("the file {file}");
                    let advice = "give the labels in a column of the outputs, or as `answers`";
                    return Err(Error::invalid("`annotators`", "the names of columns", found, advice));
                }
                beside.push((source.signal, file.clone()));
                continue;
            }
            match &source.signal {
                Signal::Annotator(name) => {
                    labels.push((Some(Arc::from(name.as_str())), header.require(source.column())?));
                }
                signal if grounding::NAMES.contains(&signal.name()) => computed = Some(signal.name().to_owned()),
                signal => signals.push((signal.clone(), header.require(source.column())?)),
            }
        }
        if let Some(name) = computed.as_ref().filter(|name| header.has(name)) {
            let expected = format!("no column {}, as it is computed from contexts", quoted(name));
            return Err(Error::invalid(header.names_place(), expected, "one", "rename the column"));
        }
        let given = [ColumnRole::Label, ColumnRole::Score].into_iter().find(|role| role.is_given(options));
        if reading.ignores_labels {
            labels.clear();
        } else if labels.is_empty()
            && let Some(role) = given
        {
            labels.push((None, header.require(role.name(options))?));
        } else if labels.is_empty() {
            let is_signal = |name: &&str| signals.iter().any(|(_, column)| column.name() == *name);
            let mut usual = LABELS.into_iter().filter(|name| header.has(name));
            labels
                .extend(usual.by_ref().find(|name| !is_signal(name)).and_then(|name| Some((None, header.find(name)?))));
            others.extend(usual.filter(|name| !is_signal(name)));
            if let Some(name) = LABELS.into_iter().find(|name| labels.is_empty() && is_signal(name)) {
                let expected = format!("human labels beside the signal {}", quoted(name));
                let advice = "name their column: `column` label=NAME";
                return Err(Error::invalid(header.names_place(), expected, "no other column of labels", advice));
            }
        }
        let is_label = |name: &str| labels.iter().any(|(_, column)| column.name() == name);
        if let Some((_, both)) = signals.iter().find(|(_, column)| is_label(column.name())) {
            let (expected, found) =
                ("a signal other than the human labels", format!("their column {}", quoted(both.name())));
            return Err(Error::invalid(
                "`judge`",
                expected,
                found,
                "name the column of the labels: `column` label=NAME",
            ));
        }
        Ok(Self {
            prompt: prompt_columns(header, options, &output),
            output,
            columns: Columns::in_table(header, options, &OPTIONAL)?,
            references: References::find(ColumnRole::Reference, header, options)?,
            context: References::find(ColumnRole::Context, header, options)?,
            labels,
            others,
            signals,
            beside,
            computed,
            part: reading.by_column.as_ref().map(|name| header.require(name)).transpose()?,
            ignores_labels: reading.ignores_labels,
        })
    }

    /// The output of a row, without labels and values.
    fn output(&self, row: &Row<'_>) -> Result<Output> {
        let optional = |role: ColumnRole| -> Result<Option<String>> {
            Ok(self.columns.optional(row, role)?.map(|text| text.trim().to_owned()))
        };
        let prompt: Vec<String> =
            self.prompt.iter().filter_map(|column| messages::prompt(row, column).transpose()).collect::<Result<_>>()?;
        let filled =
            |texts: Vec<String>| -> Vec<String> { texts.into_iter().filter(|text| !text.trim().is_empty()).collect() };
        let (source, references) = (self.columns.source(row), filled(self.references.read(row)?));
        let prompt = (!prompt.is_empty()).then(|| prompt.join("\n\n"));
        Ok(Output {
            prompt: prompt.or_else(|| source.clone().filter(|_| references.is_empty())),
            system: optional(ColumnRole::System)?,
            text: messages::answer(row, &self.output)?,
            references,
            context: filled(self.context.read(row)?),
            source,
            group: optional(ColumnRole::Group)?,
            id: optional(ColumnRole::Id)?,
            drawn: self.columns.drawn(row)?,
            wave: self.columns.wave(row)?,
            part: part_of(row, self.part.as_ref())?,
            line: row.line(),
            ..Output::default()
        })
    }

    fn annotator(&self, row: &Row<'_>) -> Result<Option<Arc<str>>> {
        Ok(self.columns.optional(row, ColumnRole::Annotator)?.map(|name| Arc::from(name.trim())))
    }

    /// How the table is read, where its columns have other names than usual.
    fn account(&self) -> Vec<String> {
        let mut parts = Vec::new();
        if self.output.name() != "output" {
            parts.push(format!("outputs from {}", self.output.name()));
        }
        match self.labels.as_slice() {
            [(None, column)] if column.name() != "label" => parts.push(format!("labels from {}", column.name())),
            [] if !self.ignores_labels => parts.push("no labels".to_owned()),
            _ => {}
        }
        if !self.others.is_empty() {
            parts.push(format!("not read: {}", self.others.join(", ")));
        }
        if parts.is_empty() { parts } else { vec![parts.join("; ")] }
    }
}
