//! The columns of all formats that are tables: which role each plays, what it is usually called, and which other name
//! it may have been given.

use std::sync::Arc;

use crate::error::{Error, Result, joined, quoted};
use crate::files::table::{Column, Header, Row};
use crate::judgments::pair::references;
use crate::options::{OptionSpec, Options, Value, did_you_mean};

/// What a column holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ColumnRole {
    Prompt,
    Hyp1,
    Hyp2,
    System1,
    System2,
    Reference,
    Label,
    Id,
    Group,
    Annotator,
    Weight,
    Drawn,
    Wave,
    Preferred,
    Other,
    Output,
    Score,
    Source,
    System,
    Segment,
    Context,
    /// What only one format has, by its usual names; no option gives it another one.
    Fixed(&'static [&'static str]),
}

impl ColumnRole {
    /// The usual names of the column; the first is that of the role, too.
    pub(super) const fn usual_names(self) -> &'static [&'static str] {
        match self {
            Self::Prompt => &["prompt", "instruction", "question", "input"],
            Self::Hyp1 => &["hyp1", "response_a", "output_1", "conversation_a", "response1", "answer_a"],
            Self::Hyp2 => &["hyp2", "response_b", "output_2", "conversation_b", "response2", "answer_b"],
            Self::System1 => &["system1", "model_a", "generator_1", "left"],
            Self::System2 => &["system2", "model_b", "generator_2", "right"],
            Self::Reference => &["ref"],
            Self::Label => &["label", "winner", "preference"],
            Self::Id => &["id"],
            Self::Group => &["group"],
            Self::Annotator => &["annotator", "judges"],
            Self::Weight => &["weight"],
            Self::Drawn => &["drawn"],
            Self::Wave => &["wave"],
            Self::Preferred => &["pos", "chosen"],
            Self::Other => &["neg", "rejected"],
            Self::Output => &["output", "mt", "hyp", "response", "answer", "completion", "actual_output"],
            Self::Score => &["score"],
            Self::Source => &["src"],
            Self::System => &["system"],
            Self::Segment => &["segment"],
            Self::Context => &["context", "contexts", "retrieved_contexts", "retrieval_context"],
            Self::Fixed(names) => names,
        }
    }

    /// The name of the role, which is the usual one of its column.
    pub(crate) const fn usual_name(self) -> &'static str {
        self.usual_names()[0]
    }

    /// The names that the options give the column.
    fn all_given(self, options: &Options) -> Vec<&str> {
        let named = options.texts(&COLUMN).into_iter().filter_map(|text| text.split_once('='));
        named
            .filter(|(role, _)| *role == self.usual_name() || self == Self::Output && *role == "mt")
            .map(|(_, name)| name)
            .collect()
    }

    /// The first of these names.
    fn given(self, options: &Options) -> Option<&str> {
        self.all_given(options).first().copied()
    }

    /// Whether the options give the column a name.
    pub(crate) fn is_given(self, options: &Options) -> bool {
        self.given(options).is_some()
    }

    /// What the column is called; the first, if there are several.
    pub(crate) fn name(self, options: &Options) -> &str {
        self.given(options).unwrap_or(self.usual_name())
    }

    /// The name of the column in a header: the one that the options give, or else the first of its usual names that is
    /// there, and holds no objects.
    pub(crate) fn in_header<'n>(self, header: &Header, options: &'n Options) -> Option<&'n str> {
        let usual = self.usual_names();
        if let Some(given) = self.given(options) {
            return Some(given).filter(|name| header.has(name));
        }
        usual.iter().copied().find(|name| header.has(name) && !header.has_objects(name))
    }

    /// The column; `None` if there is none of its usual names.
    ///
    /// # Errors
    /// The name that the options give is missing.
    pub(crate) fn in_table(self, header: &Header, options: &Options) -> Result<Option<Column>> {
        match self.given(options) {
            Some(name) => header.require(name).map(Some),
            None => Ok(self.in_header(header, options).and_then(|name| header.find(name))),
        }
    }

    /// The column, under the name that the options give or else one of its usual names.
    fn find(self, header: &Header, options: &Options) -> Option<Column> {
        header.find(self.in_header(header, options).unwrap_or_else(|| self.name(options)))
    }
}

/// Names of columns by their roles, for every kind of table.
pub const COLUMN: OptionSpec = OptionSpec {
    name: "column",
    value: Value::Many { placeholder: "ROLE=NAME", default: None, check: check_role },
    help: "Columns by role, such as hyp1=answer: prompt, src, hyp1, hyp2, ref, system1, system2, label, \
        pos, neg, annotator, group, id, weight, drawn, wave; of outputs also output, system, score, context",
};

/// The roles of tables with a hypothesis a row.
pub(crate) const OF_OUTPUTS: [ColumnRole; 5] =
    [ColumnRole::Output, ColumnRole::Score, ColumnRole::System, ColumnRole::Segment, ColumnRole::Context];

/// The roles of tables of pairs.
const NAMED: [ColumnRole; 16] = [
    ColumnRole::Prompt,
    ColumnRole::Source,
    ColumnRole::Hyp1,
    ColumnRole::Hyp2,
    ColumnRole::Reference,
    ColumnRole::System1,
    ColumnRole::System2,
    ColumnRole::Label,
    ColumnRole::Preferred,
    ColumnRole::Other,
    ColumnRole::Annotator,
    ColumnRole::Group,
    ColumnRole::Id,
    ColumnRole::Weight,
    ColumnRole::Drawn,
    ColumnRole::Wave,
];

/// Whether a table of pairs may have a column of this name with a role of its own; other columns are read only where they
/// are named.
pub fn is_usual(name: &str) -> bool {
    let is_numbered = |family: &str| name.strip_prefix(family).is_some_and(|rest| rest.parse::<usize>().is_ok());
    name == INPUT
        || name == BOTH_SYSTEMS
        || WINNERS.contains(&name)
        || is_numbered(ColumnRole::Reference.usual_name())
        || NAMED.iter().any(|role| role.usual_names().contains(&name))
}

/// Whether a key of a row, which the header lacks, would have had a role there that no column of the header has. Those
/// of `read` are read from every row.
pub(crate) fn is_late(key: &str, header: &Header, options: &Options, read: &[&str]) -> bool {
    let family = ColumnRole::Reference.usual_name();
    if header.has(key) || !is_usual(key) || read.contains(&key) || key.starts_with(family) {
        return false;
    }
    let is_known = |role: &ColumnRole| role.in_header(header, options).is_some();
    let mut roles = NAMED.iter().filter(|role| role.usual_names().contains(&key));
    match key {
        INPUT if header.has("instruction") => true,
        key if WINNERS.contains(&key) => !is_known(&ColumnRole::Label),
        _ => !roles.any(is_known),
    }
}

/// The columns of the winner as three columns of 0 and 1, in the order of [`Verdict::ALL`](crate::judgments::Verdict::ALL).
pub(crate) const WINNERS: [&str; 3] = ["winner_model_a", "winner_tie", "winner_model_b"];

/// PandaLM's column with the names of both systems.
pub(crate) const BOTH_SYSTEMS: &str = "cmp_key";

/// The usual name of what an instruction is about, where a prompt has two parts.
pub(crate) const INPUT: &str = "input";

fn check_role(text: &str) -> std::result::Result<(), String> {
    let names = || NAMED.iter().chain(&OF_OUTPUTS).map(|role| role.usual_name());
    match text.split_once('=') {
        Some((role, name)) if (names().any(|known| known == role) || role == "mt") && !name.is_empty() => Ok(()),
        Some((role, name)) if !name.is_empty() => {
            let roles = names().collect::<Vec<_>>().join(", ");
            Err(format!("{}the roles are {roles}", did_you_mean(role, names())))
        }
        _ => Err("write ROLE=NAME, such as hyp1=answer".to_owned()),
    }
}

/// Checks that the options give each role one name; references may have several.
///
/// # Errors
/// A role has two.
fn check_names(options: &Options) -> Result<()> {
    let roles = NAMED.into_iter().chain(OF_OUTPUTS).filter(|role| *role != ColumnRole::Reference);
    let twice = roles.map(|role| (role, role.all_given(options))).find(|(_, names)| names.len() > 1);
    let Some((role, names)) = twice else { return Ok(()) };
    let name = role.usual_name();
    let found = names.iter().map(|given| format!("{name}={given}")).collect::<Vec<_>>().join(" and ");
    Err(Error::invalid(COLUMN.argument(), "one column for each role", found, "remove one of them"))
}

/// The roles that the options name, in the order of [`NAMED`] and [`OF_OUTPUTS`].
pub(crate) fn named_roles(options: &Options) -> impl Iterator<Item = ColumnRole> {
    NAMED.into_iter().chain(OF_OUTPUTS).filter(|role| role.is_given(options))
}

/// The columns of a table, by their roles.
pub(crate) struct Columns(Vec<(ColumnRole, Column)>);

impl Columns {
    /// Finds the columns. JSON Lines can have any, since each line has keys of its own.
    ///
    /// # Errors
    /// A required column is missing.
    pub(crate) fn find(
        header: &Header,
        options: &Options,
        [required, optional]: [&[ColumnRole]; 2],
        advice: &str,
    ) -> Result<Self> {
        check_names(options)?;
        let find = |role: ColumnRole| Some((role, role.find(header, options)?));
        if let Some(absent) = required.iter().find(|role| find(**role).is_none()) {
            let names: Vec<&str> = required.iter().map(|role| role.name(options)).collect();
            // A table in memory has no header of its own.
            let header_with = if header.is_in_memory() { "" } else { "a header with " };
            let found = format!("no column {} among {}", quoted(absent.name(options)), joined(header.columns()));
            return Err(header.missing(&format!("{header_with}the columns {}", names.join(", ")), found, advice));
        }
        let found: Vec<(ColumnRole, Column)> = required.iter().chain(optional).filter_map(|&role| find(role)).collect();
        let needed = || found.iter().take(required.len());
        let is_twice = |(at, (_, column)): &(usize, &(ColumnRole, Column))| {
            needed().take(*at).any(|(_, other)| other.name() == column.name())
        };
        if let Some((_, (_, twice))) = needed().enumerate().find(is_twice) {
            let names: Vec<&str> = required.iter().map(|role| role.usual_name()).collect();
            let expected = format!("different columns for {}", names.join(", "));
            return Err(Error::invalid(
                header.names_place(),
                expected,
                format!("{} twice", quoted(twice.name())),
                advice,
            ));
        }
        Ok(Self(found))
    }

    /// Finds those of these roles that a table has.
    ///
    /// # Errors
    /// A name that the options give is missing.
    pub(crate) fn in_table(header: &Header, options: &Options, roles: &[ColumnRole]) -> Result<Self> {
        let find = |&role: &ColumnRole| Ok(role.in_table(header, options)?.map(|column| (role, column)));
        roles.iter().filter_map(|role| find(role).transpose()).collect::<Result<_>>().map(Self)
    }

    /// All of them.
    pub(crate) fn all(&self) -> impl Iterator<Item = &Column> {
        self.0.iter().map(|(_, column)| column)
    }

    pub(crate) fn get(&self, role: ColumnRole) -> Option<&Column> {
        self.0.iter().find(|(known, _)| *known == role).map(|(_, column)| column)
    }

    /// The text of a required column; it may be empty.
    ///
    /// # Errors
    /// An object lacks the key, or its value is not a text.
    pub(crate) fn text(&self, row: &Row<'_>, role: ColumnRole) -> Result<String> {
        self.get(role).map_or(Ok(String::new()), |column| Ok(row.text(column)?.into_owned()))
    }

    /// The text of a column; `None` if it is blank, or if there is no such column.
    ///
    /// # Errors
    /// The value of an object is not a text.
    pub(crate) fn optional(&self, row: &Row<'_>, role: ColumnRole) -> Result<Option<String>> {
        let text = self.get(role).map(|column| row.optional(column)).transpose()?.flatten();
        Ok(text.map(|text| text.into_owned()))
    }

    /// What is translated; `None` as for [`Self::optional`], and where a table has something else than texts in a column of that
    /// name.
    pub(crate) fn source(&self, row: &Row<'_>) -> Option<String> {
        self.optional(row, ColumnRole::Source).ok().flatten()
    }

    /// The probability in the column `drawn`; `None` as for [`Self::optional`].
    ///
    /// # Errors
    /// It is not in (0, 1].
    pub(crate) fn drawn(&self, row: &Row<'_>) -> Result<Option<f64>> {
        let Some(text) = self.optional(row, ColumnRole::Drawn)? else { return Ok(None) };
        let drawn = text.trim().parse().ok().filter(|drawn: &f64| *drawn > 0.0 && *drawn <= 1.0);
        let expected = "a probability above 0, up to 1, in the column drawn";
        drawn.map(Some).ok_or_else(|| Error::invalid(row.place(), expected, quoted(&text), "leave it empty if unknown"))
    }

    /// The number in the column `wave`; `None` as for [`Self::optional`].
    ///
    /// # Errors
    /// It is no whole number from 1.
    pub(crate) fn wave(&self, row: &Row<'_>) -> Result<Option<usize>> {
        let Some(text) = self.optional(row, ColumnRole::Wave)? else { return Ok(None) };
        // Frames turn a column of whole numbers with empty cells into decimals.
        let wave = text.trim().parse().ok().filter(|wave: &f64| *wave >= 1.0 && wave.fract() == 0.0 && *wave < 1e9);
        let expected = "the number of a wave of labelling, from 1, in the column wave";
        let wave =
            wave.ok_or_else(|| Error::invalid(row.place(), expected, quoted(&text), "leave it empty if unknown"));
        wave.map(|wave| Some(wave as usize))
    }

    /// The names of the annotators; none if there is no such column, or the cell is blank.
    ///
    /// # Errors
    /// A name is empty, or occurs twice.
    pub(crate) fn annotators(&self, row: &Row<'_>) -> Result<Vec<String>> {
        let Some(text) = self.optional(row, ColumnRole::Annotator)? else { return Ok(Vec::new()) };
        let names: Vec<String> = names_in(&text).map(str::to_owned).collect();
        if (1..names.len()).any(|at| names[..at].contains(&names[at])) || names.iter().any(String::is_empty) {
            let advice = "name each annotator once, such as ann;bob";
            return Err(Error::invalid(row.place(), "distinct names of annotators", quoted(&text), advice));
        }
        Ok(names)
    }

    /// The number in a column; `None` as for [`Self::optional`].
    ///
    /// # Errors
    /// The text is not a finite number.
    pub(crate) fn number(&self, row: &Row<'_>, role: ColumnRole) -> Result<Option<f64>> {
        let Some(column) = self.get(role) else { return Ok(None) };
        if row.optional(column)?.is_none() { Ok(None) } else { row.number(column).map(Some) }
    }
}

/// The names in a cell of annotators.
pub(crate) fn names_in(cell: &str) -> impl Iterator<Item = &str> {
    cell.split(NAME_SEPARATOR).map(str::trim)
}

/// What separates the names in a cell of annotators.
pub(crate) const NAME_SEPARATOR: &str = ";";

/// The columns of the references: `ref`, which in JSON may hold a list, and then `ref2`, `ref3`, ... without a gap. In
/// every kind of table the first may be an empty text; empty further references are ignored. Contexts of outputs are given
/// in the same way.
pub(crate) struct References {
    /// The first, and all others in the header.
    columns: Vec<Column>,
    /// The name that numbered references extend, if each row may have its own.
    family: Option<String>,
}

impl References {
    /// Finds the columns that the options name: either one, which numbered ones may follow, or all of them. A table
    /// without the usual column has no references.
    ///
    /// # Errors
    /// A column that the options name is missing; there is `ref3` but no `ref2`.
    pub(crate) fn find(role: ColumnRole, header: &Header, options: &Options) -> Result<Self> {
        let names = match role.all_given(options) {
            several if several.len() > 1 => several,
            _ => vec![role.in_header(header, options).unwrap_or(role.name(options))],
        };
        if role.is_given(options) {
            names.iter().try_for_each(|name| header.require(name).map(|_| ()))?;
        }
        let mut columns = names.iter().filter_map(|name| header.find(name)).collect::<Vec<_>>();
        let mut family = None;
        if let [alone] = names[..] {
            let numbered = numbered(header.columns().iter().map(String::as_str), alone);
            if columns.is_empty() && !numbered.is_empty() {
                header.require(alone)?;
            }
            // Each object is searched separately: not all have the same keys.
            if header.has_own_names() {
                family = Some(alone.to_owned());
            } else {
                check_gap(&numbered, alone, || header.names_place())?;
                columns.extend(numbered.into_iter().filter_map(|(_, position)| header.column(position)));
            }
        }
        Ok(Self { columns, family })
    }

    /// The names of the columns that the header has.
    pub(crate) fn names(&self) -> impl Iterator<Item = &str> {
        self.columns.iter().map(Column::name)
    }

    /// Whether the header, or the first object, has the first of them.
    pub(crate) fn are_in(&self, header: &Header) -> bool {
        self.columns.first().is_some_and(|first| header.has(first.name()))
    }

    /// The largest number of references, as far as the header tells.
    pub(crate) fn count(&self) -> usize {
        self.columns.len()
    }

    /// The references of a row; none if all are blank.
    pub(crate) fn read(&self, row: &Row<'_>) -> Result<Vec<String>> {
        let Some((first, others)) = self.columns.split_first() else { return Ok(Vec::new()) };
        let mut texts = row.optional_texts(first)?;
        let mut add = |column: &Column| -> Result<()> {
            texts.extend(row.optional(column)?.map(|text| text.into_owned()));
            Ok(())
        };
        others.iter().try_for_each(&mut add)?;
        if let Some(family) = &self.family {
            let numbered = numbered(row.own_names(), family);
            check_gap(&numbered, family, || row.place())?;
            // By position: an object may have 200,000 keys, and a search for each of them would take minutes.
            let mut columns = numbered.iter().filter_map(|&(_, position)| row.own_column(position));
            columns.try_for_each(|column| add(&column))?;
        }
        let texts = references(texts.into_iter());
        Ok(if texts.iter().all(|text| text.trim().is_empty()) { Vec::new() } else { texts })
    }
}

/// The numbers and positions of the columns `ref2`, `ref3`, ..., by number.
fn numbered<'n>(names: impl Iterator<Item = &'n str>, family: &str) -> Vec<(usize, usize)> {
    let number = |name: &str| {
        let digits = name.strip_prefix(family)?;
        let is_plain = digits.starts_with(|first: char| ('1'..='9').contains(&first));
        digits.parse().ok().filter(|&number| is_plain && number >= 2)
    };
    let mut found: Vec<(usize, usize)> =
        names.enumerate().filter_map(|(position, name)| Some((number(name)?, position))).collect();
    found.sort_unstable();
    found
}

fn check_gap(found: &[(usize, usize)], family: &str, location: impl Fn() -> String) -> Result<()> {
    let Some((expected, (number, _))) = (2..).zip(found).find(|(expected, (number, _))| expected != number) else {
        return Ok(());
    };
    let [expected, number] = [expected, *number].map(|number| quoted(&format!("{family}{number}")));
    let advice = format!("number further references without a gap: {family}, {family}2, {family}3");
    Err(Error::invalid(location(), format!("the column {expected} before {number}"), "no such column", advice))
}
/// The part that a row belongs to, by the column that a report is broken down by; none if its cell is empty.
pub(crate) fn part_of(row: &Row<'_>, column: Option<&Column>) -> Result<Option<Arc<str>>> {
    let text = column.map(|column| row.optional(column)).transpose()?.flatten();
    Ok(text.map(|text| Arc::from(text.trim())).filter(|text: &Arc<str>| !text.is_empty()))
}
