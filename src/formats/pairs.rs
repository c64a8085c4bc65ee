//! Files that hold pairs as such: lines `hyp1 ||| hyp2 ||| ref`, with further references after further separators, and
//! tables with the columns `hyp1`, `hyp2`, `ref` and, optionally, `ref2`, ..., `label`, `id`, `group`, `annotator`,
//! `weight`. Other columns are ignored.

use std::sync::Arc;

use serde_json::Value as Json;

use super::answers::{LABELS, LabelNames};
use super::foreign;
use super::format::{Format, Reading, Role};
use super::import::{Importer, PairShape};
use super::messages;
use super::oddities::Oddities;
use super::roles::{
    BOTH_SYSTEMS, COLUMN, ColumnRole, Columns, INPUT, OF_OUTPUTS, References, WINNERS, is_late, part_of,
};
use super::signal_columns::SignalColumns;
use super::signals::ROWS_FOR_SCALE;
use super::votes::{self, LabelForm, MajorityRule};
use super::winner::{Label, Numbers};
use crate::error::{Error, Result, joined, quoted};
use crate::files::Input;
use crate::files::table::{Column, Header, JSON, Row, Rows, TableKind};
use crate::judgments::pair::fields;
use crate::judgments::{Pair, Scale, Verdict};
use crate::options::Options;

/// One pair per line.
pub(crate) const LINES: Format = Format {
    name: "pairs",
    about: "Pairs, one per line: hyp1 ||| hyp2 ||| ref",
    details: "Further references follow after further separators.",
    sample: "a cat sat ||| cats sat ||| the cat sat\na dog ||| dogs ||| a dog ran ||| the dog ran\n",
    example: "",
    endings: &["pairs"],
    table: None,
    role: Role::Pairs,
    options: &[],
    open: open_lines,
    scores: None,
};

/// Comma-separated values.
pub(crate) const CSV: Format = table(
    TableKind::Csv,
    "Pairs in comma-separated columns: hyp1, hyp2, ref; if known ref2, ..., label, id, group, annotator, weight",
    "hyp1,hyp2,ref,ref2,label\na cat sat,cats sat,the cat sat,,1\n\"a, dog\",dogs,a dog ran,the dog ran,-1\n",
);

/// Tab-separated values.
pub(crate) const TSV: Format = table(
    TableKind::Tsv,
    "The same, separated by tabs, without quotes",
    "hyp1\thyp2\tref\tref2\tlabel\na cat sat\tcats sat\tthe cat sat\t\t1\na dog\tdogs\ta dog ran\tthe dog ran\t-1\n",
);

/// JSON Lines: one object per line; or a JSON array of objects.
pub(crate) const JSON_LINES: Format = Format {
    endings: &["jsonl", "ndjson", JSON],
    ..table(
        TableKind::JsonLines,
        "The same, one JSON object per line, or an array of them; ref may be a list",
        JSON_SAMPLE,
    )
};

const JSON_SAMPLE: &str = "{\"hyp1\":\"a cat sat\",\"hyp2\":\"cats sat\",\"ref\":\"the cat sat\",\"label\":1}\n\
        {\"hyp1\":\"a dog\",\"hyp2\":\"dogs\",\"ref\":[\"a dog ran\",\"the dog ran\"],\"label\":-1}\n";

/// Parquet.
#[cfg(feature = "parquet")]
pub(crate) const PARQUET: Format = table(TableKind::Parquet, "The same in Parquet", "");

const fn table(kind: TableKind, about: &'static str, sample: &'static str) -> Format {
    Format {
        name: kind.name(),
        about,
        details: "",
        sample,
        example: "",
        endings: kind.endings(),
        table: Some(kind),
        role: Role::Pairs,
        options: &[&LABELS, &COLUMN, &votes::ANNOTATORS, &votes::MERGE, &votes::NO_MAJORITY, &votes::MAJORITY_WEIGHTS],
        open: open_table,
        scores: None,
    }
}

fn open_lines(input: &Input, _: &Reading) -> Result<Importer> {
    let (source_name, mut lines) = (input.to_string(), input.lines()?);
    // The first line tells whether there are references.
    let mut needs_reference = None;
    Ok(Importer::new(PairShape::of_references(1), move |_| {
        let Some(line) = lines.next().transpose()? else { return Ok(None) };
        let needs_reference = *needs_reference.get_or_insert_with(|| fields(&line.text).len() != 2);
        let pair = Pair::parse_fields(&line.text, &source_name, line.number, needs_reference);
        if pair.is_err() && line.number == 1 && line.text.trim_start().starts_with(['[', '{']) {
            let rest = lines.by_ref().map_while(std::result::Result::ok).take(MAX_JSON_LINES).map(|line| line.text);
            return foreign::json_error(&source_name, &line.text, rest).map_or_else(|| pair.map(Some), Err);
        }
        pair.map(Some)
    }))
}

fn open_table(input: &Input, reading: &Reading) -> Result<Importer> {
    let rows = Rows::open(input, reading.format.and_then(|format| format.table))?;
    let header = rows.header().clone();
    let mut columns = PairColumns::find(&header, reading)?;
    let (needs_labels, options) = (reading.needs_labels, &reading.options);
    let mut rows = columns.settle(rows, needs_labels);
    let (rule, account) = (MajorityRule::from_options(options)?, columns.account(&header, reading));
    let mut pairs = Importer::new(columns.shape(), move |summary| {
        let Some(row) = rows.next().transpose()? else { return Ok(None) };
        columns.labelled_pair(&row, needs_labels, &mut summary.unknown).map(Some)
    });
    pairs.summary.notes.extend(account);
    pairs.majority = Some(rule);
    Ok(pairs.merged_by(options.is_given(&votes::MERGE).then_some(rule)))
}

/// The most lines of a JSON file that are read to tell what it is.
const MAX_JSON_LINES: usize = 1000;

/// The columns of a table of pairs.
pub(crate) struct PairColumns {
    hypotheses: [Column; 2],
    /// Whether the first hypothesis of each row is the preferred one; the order is then drawn from the texts.
    is_preference: bool,
    /// Whether there are only the systems that wrote the hypotheses.
    lacks_texts: bool,
    prompt: Vec<Column>,
    /// Whether the cells of hypotheses may be lists of messages, which have prompts.
    may_be_conversations: bool,
    systems: Option<[Column; 2]>,
    /// The column with the names of both systems in one, `a_b`, if they have none of their own.
    both_systems: Option<Column>,
    columns: Columns,
    /// What a report is broken down by.
    part: Option<Column>,
    pub(crate) references: References,
    label: LabelColumns,
    rule: MajorityRule,
    /// Whether the header has what is translated, and the probabilities with which pairs were drawn.
    has_sources: bool,
    is_drawn: bool,
    labels: LabelNames,
    /// What the labels' column or those of annotators show of their scale.
    label_numbers: Numbers,
    label_scale: Scale,
    ignores_labels: bool,
    /// Whether the columns are AlpacaEval's, in which a model that judged names itself.
    is_alpaca_eval: bool,
    signals: SignalColumns,
    /// The header and the options, for rows with keys that it lacks; `None` where no row can have them.
    late: Option<(Header, Options)>,
}

/// Where the label of a row is.
enum LabelColumns {
    /// In one column, if there is one.
    One(Option<Column>),
    /// In three: 1 in that of the winner or of a tie, 0 in the others.
    Three([Column; 3]),
}

/// The columns that a table of pairs may have besides prompt, systems and label.
const OPTIONAL: [ColumnRole; 7] = [
    ColumnRole::Id,
    ColumnRole::Group,
    ColumnRole::Annotator,
    ColumnRole::Weight,
    ColumnRole::Drawn,
    ColumnRole::Wave,
    ColumnRole::Source,
];

impl PairColumns {
    /// Finds the columns: two hypotheses, or a preferred one and another.
    ///
    /// # Errors
    /// A hypothesis, a column that the options name, or the values of an own metric or a judge are missing; there is
    /// `ref3` but no `ref2`.
    pub(crate) fn find(header: &Header, reading: &Reading) -> Result<Self> {
        let options = &reading.options;
        let has_both = |roles: [ColumnRole; 2]| roles.iter().all(|role| role.in_header(header, options).is_some());
        let (pair, preference) = ([ColumnRole::Hyp1, ColumnRole::Hyp2], [ColumnRole::Preferred, ColumnRole::Other]);
        let is_preference = !has_both(pair) && has_both(preference);
        let systems = [ColumnRole::System1, ColumnRole::System2];
        let lacks_texts = reading.may_lack_texts && !is_preference && !has_both(pair) && has_both(systems);
        let roles: &[ColumnRole] = match () {
            () if reading.has_ids_for_texts => &[ColumnRole::Id],
            () if is_preference => &preference,
            () if lacks_texts => &systems,
            () => &pair,
        };
        // Each object has keys of its own, but one with neither hypothesis is no pair.
        if header.has_own_names()
            && !header.columns().is_empty()
            && !roles.iter().any(|role| role.in_header(header, options).is_some())
        {
            let names = roles.iter().map(|role| role.name(options)).collect::<Vec<_>>().join(", ");
            let found = format!("the keys {}", joined(header.columns()));
            return Err(header.missing(&format!("objects with the keys {names}"), found, &advice(header)));
        }
        let optional = OPTIONAL.into_iter().chain([ColumnRole::Prompt, ColumnRole::System1, ColumnRole::System2]);
        for role in optional.chain([ColumnRole::Label]).filter(|role| role.is_given(options)) {
            header.require(role.name(options))?;
        }
        let columns = Columns::find(header, options, [roles, &OPTIONAL], &advice(header))?;
        let column = |role: ColumnRole| role.in_header(header, options).and_then(|name| header.find(name));
        let hypothesis = |role: Option<&ColumnRole>| columns.get(*role?).cloned();
        let (Some(first), Some(second)) = (hypothesis(roles.first()), hypothesis(roles.last())) else {
            return Err(header.missing("two hypotheses", joined(header.columns()), &advice(header)));
        };
        let prompt = prompt_columns(header, options, &first);
        let label = LabelColumns::find(header, options);
        let is_alpaca_eval = [first.name(), second.name()] == ["output_1", "output_2"]
            && matches!(&label, LabelColumns::One(Some(column)) if column.name() == "preference")
            && columns.get(ColumnRole::Annotator).is_some_and(|column| column.name() == "annotator")
            && !ColumnRole::Annotator.is_given(options);
        let columns = Self {
            hypotheses: [first, second],
            is_preference,
            lacks_texts,
            prompt,
            may_be_conversations: header.has_own_names() && !header.has(ColumnRole::Hyp1.usual_name()),
            both_systems: header.find(BOTH_SYSTEMS).filter(|_| {
                header.has(BOTH_SYSTEMS) && systems.iter().all(|role| role.in_header(header, options).is_none())
            }),
            systems: column(ColumnRole::System1).zip(column(ColumnRole::System2)).map(|(one, other)| [one, other]),
            columns,
            part: reading.by_column.as_ref().map(|name| header.require(name)).transpose()?,
            references: References::find(ColumnRole::Reference, header, options)?,
            label,
            rule: MajorityRule::from_options(options)?,
            has_sources: ColumnRole::Source.in_header(header, options).is_some(),
            is_drawn: ColumnRole::Drawn.in_header(header, options).is_some(),
            labels: LabelNames::from_options(options)?.can_be_given(!header.is_in_memory()),
            label_numbers: Numbers::default(),
            label_scale: Scale::Words,
            ignores_labels: reading.ignores_labels,
            is_alpaca_eval,
            signals: SignalColumns::find(header, &reading.signals)?,
            late: header.has_own_names().then(|| (header.clone(), options.clone())),
        };
        columns.check_texts(header)?;
        columns.check_options(options, reading.needs_labels)?;
        Ok(columns)
    }

    /// # Errors
    /// A hypothesis is also the reference.
    fn check_texts(&self, header: &Header) -> Result<()> {
        let is_hypothesis = |name: &&str| self.hypotheses.iter().any(|column| column.name() == *name);
        let Some(both) = self.references.names().find(is_hypothesis) else { return Ok(()) };
        let found = format!("{} for both", quoted(both));
        let advice = "name another one with `column`, or omit the reference";
        Err(Error::invalid(header.names_place(), "different columns for hypothesis and reference", found, advice))
    }

    /// # Errors
    /// An option has no effect; a judge is asked that is the human labels themselves.
    fn check_options(&self, options: &Options, needs_labels: bool) -> Result<()> {
        let unused = |option: &str, expected: &str, found: &str| {
            let advice = "omit it, as it has no effect here";
            Err(Error::invalid(format!("`{option}`"), expected, found, advice))
        };
        let given = |role: ColumnRole| role.is_given(options);
        if OF_OUTPUTS.into_iter().any(given) {
            return unused(COLUMN.name, "a table with a hypothesis a row", "a table of pairs");
        }
        let [first, second] = self.hypotheses.each_ref().map(Column::name);
        if self.is_preference && needs_labels {
            let found = format!("a preference for {first} over {second} in every row");
            let named = [LABELS, votes::ANNOTATORS].into_iter().find(|spec| options.is_given(spec));
            match named {
                Some(spec) => return unused(spec.name, "a table with labels", &found),
                None if given(ColumnRole::Label) => return unused(COLUMN.name, "a table with labels", &found),
                None => {}
            }
        }
        if !self.is_preference && (given(ColumnRole::Preferred) || given(ColumnRole::Other)) {
            let found = format!("the hypotheses {first} and {second}");
            return unused(COLUMN.name, "a table without other hypotheses than pos and neg", &found);
        }
        if self.has_annotators() && given(ColumnRole::Label) {
            return unused(COLUMN.name, "labels in one place", "those of `annotators` and a column for the label");
        }
        if !needs_labels || self.is_preference {
            return Ok(());
        }
        let labels: Vec<&str> = match &self.label {
            _ if self.has_annotators() => self.signals.annotators().map(Column::name).collect(),
            LabelColumns::One(column) => column.iter().map(Column::name).collect(),
            LabelColumns::Three(columns) => columns.iter().map(Column::name).collect(),
        };
        let Some(both) = self.signals.names_of_judges().find(|name| labels.contains(name)) else { return Ok(()) };
        let (expected, found) = ("a judge other than the human labels", format!("their column {}", quoted(both)));
        let advice = "name the column of the judge, or that of the labels with `column` label=NAME";
        Err(Error::invalid("`judge`", expected, found, advice))
    }

    /// Settles the scales of labels and judges, which belong to their columns, and returns all rows: where a scale is not
    /// known, the first ones are read ahead. Labels of 1 and 0 may be classes or preferences: they are read ahead until one
    /// tells.
    pub(crate) fn settle<'r, I: Iterator<Item = Result<Row<'r>>>>(
        &mut self,
        mut rows: I,
        needs_labels: bool,
    ) -> impl Iterator<Item = Result<Row<'r>>> + use<'r, I> {
        let mut ahead: Vec<Result<Row<'r>>> = Vec::new();
        while self.signals.want_row() || self.labels_want_row(ahead.len(), needs_labels) {
            let Some(row) = rows.next() else { break };
            let is_read = row.as_ref().map(|row| self.look_at(row)).is_ok();
            ahead.push(row);
            if !is_read {
                break;
            }
        }
        self.signals.settle();
        // In a column `label`, 2 may mean anything, and so may what is between 1 and 2.
        let scale = self.label_numbers.scale_of_labels();
        let is_known = scale != Scale::OneToTwo || self.has_annotators() || self.label.are_winners();
        self.label_scale = if is_known { scale } else { Scale::Words };
        ahead.into_iter().chain(rows)
    }

    /// Whether labels are in columns of annotators.
    fn has_annotators(&self) -> bool {
        self.signals.annotators().next().is_some()
    }

    /// Whether further labels may tell another scale.
    fn labels_may_differ(&self) -> bool {
        let has_labels = self.has_annotators() || matches!(self.label, LabelColumns::One(Some(_)));
        has_labels
            && !self.ignores_labels
            && !self.is_preference
            && self.labels.are_default()
            && !self.label_numbers.tells_labels()
    }

    /// Whether a row after so many may still tell the scale of labels. Those of 1 and 0 are never sure.
    fn labels_want_row(&self, rows: usize, needs_labels: bool) -> bool {
        let numbers = &self.label_numbers;
        let is_open = !numbers.are_none() || (needs_labels && !numbers.are_only_words());
        self.labels_may_differ() && (rows < ROWS_FOR_SCALE || is_open)
    }

    fn look_at(&mut self, row: &Row<'_>) {
        self.signals.look_at(row);
        if !self.labels_may_differ() {
            return;
        }
        let of_label = match &self.label {
            LabelColumns::One(Some(column)) if !self.has_annotators() => Some(column),
            _ => None,
        };
        for column in of_label.into_iter().chain(self.signals.annotators()) {
            match row.json(column) {
                Some(Json::Object(named)) => {
                    named.values().for_each(|label| self.label_numbers.add(&label.to_string()));
                }
                _ => row.optional(column).ok().flatten().iter().for_each(|text| self.label_numbers.add(text)),
            }
        }
    }

    /// What rows may have.
    pub(crate) fn shape(&self) -> PairShape {
        PairShape {
            references: self.references.count(),
            has_prompts: !self.prompt.is_empty() || self.may_be_conversations,
            has_sources: self.has_sources,
            has_systems: self.systems.is_some() || self.both_systems.is_some(),
            has_preferences: self.label_scale != Scale::Words,
            is_drawn: self.is_drawn,
            is_preference: self.is_preference,
        }
    }

    /// How the file is read, where its columns have other names than usual or something usual is missing.
    pub(crate) fn account(&self, header: &Header, reading: &Reading) -> Option<String> {
        let (options, mut parts) = (&reading.options, Vec::new());
        let [first, second] = self.hypotheses.each_ref().map(Column::name);
        if self.is_preference {
            let order =
                if reading.needs_labels { "which comes first is drawn from the texts" } else { "and comes first" };
            parts.push(format!("{first} is preferred to {second}, {order}"));
        } else if self.lacks_texts {
            let group = ColumnRole::Group.in_header(header, options);
            let is_alone = self.prompt.is_empty() && group.is_none();
            parts
                .push(if is_alone { "no texts: each row counts as a group of its own" } else { "no texts" }.to_owned());
        } else if [first, second] != ["hyp1", "hyp2"] {
            parts.push(format!("hypotheses from {first} and {second}"));
        }
        let prompt = self.prompt.iter().map(Column::name).collect::<Vec<_>>().join(" and ");
        if !prompt.is_empty() && prompt != "prompt" {
            parts.push(format!("prompt from {prompt}"));
        }
        if let Some([first, second]) = self.systems.as_ref().map(|both| both.each_ref().map(Column::name))
            && [first, second] != ["system1", "system2"]
        {
            parts.push(format!("systems from {first} and {second}"));
        }
        if self.both_systems.is_some() {
            parts.push(format!("systems from {BOTH_SYSTEMS}"));
        }
        match &self.label {
            _ if self.has_annotators() => parts.push("label by majority of the annotators".to_owned()),
            _ if self.is_preference => {}
            LabelColumns::One(Some(column)) if column.name() != "label" => {
                parts.push(format!("label from {}", column.name()));
            }
            LabelColumns::Three(_) => parts.push(format!("label from {}", WINNERS.join(", "))),
            LabelColumns::One(_) => {}
        }
        if self.label_scale != Scale::Words {
            parts.push(format!("each label is {}", self.label_scale));
        }
        if self.references.count() == 0 || header.has_own_names() && !self.references.are_in(header) {
            parts.push(format!("no references (no column {})", quoted(ColumnRole::Reference.name(options))));
        }
        (!parts.is_empty()).then(|| parts.join("; "))
    }

    /// The pair of a row with its label; the preferred hypothesis is the first, as everything beside the row has it. A
    /// label that cannot be read matters only to those who need labels. `unknown` collects what is not as expected.
    pub(crate) fn labelled_pair(&self, row: &Row<'_>, needs_labels: bool, unknown: &mut Oddities) -> Result<Pair> {
        let pair = self.pair(row, unknown)?;
        if self.is_preference {
            return Ok(Pair { label: Some(Verdict::First), ..pair });
        }
        if self.has_annotators() {
            let votes = self.signals.votes(row, &self.labels, self.label_scale);
            let (votes, preference) = if needs_labels { votes? } else { votes.unwrap_or_default() };
            let mut pair = Pair { votes, preference, ..pair };
            self.rule.decide(&mut pair);
            return Ok(pair);
        }
        let label = if needs_labels { self.label(row)? } else { self.label(row).unwrap_or(None) };
        let preference = label.and_then(|label| label.preference);
        let labelled_by = match pair.annotators.as_slice() {
            [name] if self.is_alpaca_eval => Some(Arc::from(name.as_str())),
            _ => None,
        };
        Ok(Pair { label: label.map(|label| label.verdict), preference, labelled_by, ..pair })
    }

    /// The pair of a row, without its label.
    fn pair(&self, row: &Row<'_>, unknown: &mut Oddities) -> Result<Pair> {
        self.check_keys(row)?;
        let [first, second] = &self.hypotheses;
        unknown.add_texts(row, [first, second]);
        let answers = messages::answers(row, [first, second])?;
        let system = |column: &Column| Ok(row.optional(column)?.map(|name| name.trim().to_owned()));
        let systems = self.systems.as_ref().map(|[one, other]| Ok((system(one)?, system(other)?))).transpose()?;
        let (source, references) = (self.columns.source(row), self.references.read(row)?);
        let prompt = self.prompt(row)?.or(answers.prompt);
        let mut pair = Pair {
            id: self.columns.optional(row, ColumnRole::Id)?,
            group: self.columns.optional(row, ColumnRole::Group)?,
            annotators: self.columns.annotators(row)?,
            weight: self.weight(row)?,
            part: part_of(row, self.part.as_ref())?,
            // Without references and prompts, what is translated tells what pairs have in common.
            prompt: prompt.or_else(|| source.clone().filter(|_| references.iter().all(|text| text.trim().is_empty()))),
            source,
            systems: systems.and_then(|(one, other)| Some([one?, other?])).or(self.both_systems(row)?),
            drawn: self.columns.drawn(row)?,
            wave: self.columns.wave(row)?,
            line: row.line(),
            ..Pair::new(answers.texts, references)
        };
        if self.lacks_texts {
            pair.hypotheses = Default::default();
            if pair.group.is_none() && pair.prompt.is_none() {
                pair.group = Some(row.place());
            }
        }
        self.signals.add_to(&mut pair, row, unknown)?;
        Ok(pair)
    }

    /// # Errors
    /// An object of an input that can be read only once has a key with a role that the first object lacks.
    fn check_keys(&self, row: &Row<'_>) -> Result<()> {
        let Some((header, options)) = &self.late else { return Ok(()) };
        let mut new = row.own_names().filter(|key| !header.has(key)).peekable();
        if new.peek().is_none() {
            return Ok(());
        }
        let mut read: Vec<&str> = self.hypotheses.iter().chain(self.columns.all()).map(Column::name).collect();
        if let LabelColumns::One(Some(column)) = &self.label {
            read.push(column.name());
        }
        let Some(late) = new.find(|key| is_late(key, header, options, &read)) else { return Ok(()) };
        let found = format!("{}, which the first object lacks", quoted(late));
        let advice = "give the first object that key, too, with null if there is no value, or name a file";
        Err(Error::invalid(row.place(), "only keys of the first object for what a pair has", found, advice))
    }

    /// The parts of the prompt, separated by an empty line.
    fn prompt(&self, row: &Row<'_>) -> Result<Option<String>> {
        let parts = self.prompt.iter().filter_map(|column| messages::prompt(row, column).transpose());
        let parts = parts.collect::<Result<Vec<String>>>()?;
        Ok((!parts.is_empty()).then(|| parts.join("\n\n")))
    }

    /// The label of a row; `None` if its cell is empty.
    fn label(&self, row: &Row<'_>) -> Result<Option<Label>> {
        match &self.label {
            LabelColumns::One(None) => Ok(None),
            LabelColumns::One(Some(column)) => {
                let Some(text) = row.optional(column)? else { return Ok(None) };
                let form = LabelForm { scale: self.label_scale, is_of_winners: self.label.are_winners() };
                votes::read_label(&text, &self.labels, form, &row.place()).map(Some)
            }
            LabelColumns::Three(columns) => {
                let mut found = Vec::new();
                let mut is_blank = true;
                for (column, verdict) in columns.iter().zip(Verdict::ALL) {
                    let text = row.optional(column)?.unwrap_or_default();
                    is_blank &= text.is_empty();
                    if is_winner(&text, column, row)? {
                        found.push(verdict);
                    }
                }
                match found.as_slice() {
                    [label] => Ok(Some((*label).into())),
                    [] if is_blank => Ok(None),
                    several => {
                        let found = several.len().to_string();
                        let expected = format!("1 in one of the columns {}", WINNERS.join(", "));
                        Err(Error::invalid(row.place(), expected, found, ""))
                    }
                }
            }
        }
    }

    /// The systems of a cell with both; none where it is not clear where the first name ends.
    fn both_systems(&self, row: &Row<'_>) -> Result<Option<[String; 2]>> {
        let cell = self.both_systems.as_ref().map(|column| row.optional(column)).transpose()?.flatten();
        let both = cell.as_deref().and_then(|cell| cell.trim().split_once('_'));
        let both = both.filter(|(one, other)| !one.is_empty() && !other.is_empty() && !other.contains('_'));
        Ok(both.map(|(one, other)| [one.to_owned(), other.to_owned()]))
    }

    /// What the row belongs to in a breakdown; a value of JSON that is no text, as it is written.
    fn weight(&self, row: &Row<'_>) -> Result<Option<f64>> {
        let Some(text) = self.columns.optional(row, ColumnRole::Weight)? else { return Ok(None) };
        let weight = text.trim().parse().ok().filter(|weight: &f64| weight.is_finite() && *weight >= 0.0);
        weight.map(Some).ok_or_else(|| Error::invalid(row.place(), "a weight of 0 or more", quoted(&text), ""))
    }
}

/// Whether a cell of one of the three columns says yes: as a number, or as `true` in any case; blank is no.
///
/// # Errors
/// It says neither yes nor no.
fn is_winner(text: &str, column: &Column, row: &Row<'_>) -> Result<bool> {
    let text = text.trim();
    match (text.parse::<f64>(), text.to_lowercase().as_str()) {
        (Ok(1.0), _) | (_, "true") => Ok(true),
        (Ok(0.0), _) | (_, "false" | "") => Ok(false),
        _ => {
            let place = format!("{}, column {}", row.place(), quoted(column.name()));
            Err(Error::invalid(place, "1 or 0, or true or false", quoted(text), "write 1 for the winner, 0 otherwise"))
        }
    }
}

impl LabelColumns {
    /// Whether the column tells winners: in one such as `winner`, 2 can only mean the second.
    fn are_winners(&self) -> bool {
        matches!(self, Self::One(Some(column)) if column.name() != ColumnRole::Label.usual_name())
    }

    fn find(header: &Header, options: &Options) -> Self {
        let name = ColumnRole::Label.in_header(header, options);
        let winners = WINNERS.map(|name| header.find(name).filter(|_| header.has(name)));
        match winners {
            [Some(first), Some(tie), Some(second)] if name.is_none() => Self::Three([first, tie, second]),
            _ => Self::One(header.find(name.unwrap_or_else(|| ColumnRole::Label.name(options)))),
        }
    }
}

/// The columns of the prompt; an instruction may have an input. Conversations have their prompts in them: beside these, a
/// question is often the number of one.
pub(super) fn prompt_columns(header: &Header, options: &Options, hypothesis: &Column) -> Vec<Column> {
    let Some(name) = ColumnRole::Prompt.in_header(header, options) else { return Vec::new() };
    let is_given = ColumnRole::Prompt.is_given(options);
    if name == "question" && !is_given && hypothesis.name().starts_with("conversation") {
        return Vec::new();
    }
    let input = (name == "instruction" && !is_given).then_some(INPUT);
    [name].into_iter().chain(input).filter(|name| header.has(name)).filter_map(|name| header.find(name)).collect()
}

/// What to do about columns that have other names, or are not told apart.
fn advice(header: &Header) -> String {
    let advice = match header.columns() {
        _ if header.is_in_memory() => "rename the columns, or give tuples (hyp1, hyp2, ref)",
        [one] if one.contains('\t') => "the columns seem to be separated by tabs: `format` tsv",
        [one] if one.contains(',') => "the columns seem to be separated by commas: `format` csv",
        [one] if one.contains(';') => "the columns seem to be separated by semicolons: use commas or tabs",
        columns => match (foreign::advice(columns), columns.iter().find(|column| column.contains('.'))) {
            (Some(advice), _) => return advice,
            (None, Some(nested)) => {
                return format!("name them, nested keys by dots, such as `column` hyp1={}", quoted(nested));
            }
            (None, None) => {
                "name the columns in the first line, or make pairs of other tables with 'tribunal import table'"
            }
        },
    };
    advice.to_owned()
}

#[cfg(test)]
mod tests {
    use super::super::PairReader;
    use super::*;
    use std::io::Write;

    fn read(text: &str, ending: &str) -> Result<Vec<Pair>> {
        let mut file = tempfile::Builder::new().suffix(ending).tempfile().unwrap();
        file.write_all(text.as_bytes()).unwrap();
        PairReader::open(&Input::File(file.path().into()), None)?.collect()
    }

    #[test]
    fn a_table_has_its_columns_in_any_order() {
        let pairs = read("label,ref,extra,hyp2,hyp1\n-1,\"r, s\",x,b,a\n", ".csv").unwrap();
        assert_eq!(pairs[0].hypotheses, ["a", "b"]);
        assert_eq!((&pairs[0].references[..], pairs[0].line), (&["r, s".to_owned()][..], 2));
        assert_eq!(pairs[0].label, Some(Verdict::Second));
    }

    #[test]
    fn references_follow_one_rule() {
        let object = |rest: &str| format!("{{\"hyp1\":\"a\",\"hyp2\":\"b\",{rest}}}\n");
        for (text, ending, expected) in [
            ("hyp1\thyp2\tref3\tref\tref2\na\tb\tt\tr\ts\n".to_owned(), ".tsv", &["r", "s", "t"][..]),
            ("hyp1,hyp2,ref,ref2,ref3\na,b,r,,t\n".to_owned(), ".csv", &["r", "t"]),
            ("hyp1,hyp2,ref,ref2\na,b,,s\n".to_owned(), ".csv", &["", "s"]),
            (object("\"ref\":[\"r\",\"\",\"s\"],\"ref2\":\"t\""), ".jsonl", &["r", "s", "t"]),
            (object("\"ref\":\"r\",\"ref2\":null,\"ref3\":\"t\""), ".jsonl", &["r", "t"]),
            (object("\"ref\":7,\"ref2\":\"\""), ".jsonl", &["7"]),
        ] {
            assert_eq!(read(&text, ending).unwrap()[0].references, expected, "{text}");
        }
        let later = object("\"ref\":\"r\"") + &object("\"ref2\":\"s\",\"ref\":\"r\"");
        assert_eq!(read(&later, ".jsonl").unwrap()[1].references, ["r", "s"]);
    }
}
