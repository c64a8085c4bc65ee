//! The header and the rows of a table, the same for files of every kind and for tables in memory.

use std::borrow::Cow;
use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use serde_json::Value;

use crate::error::{Error, Fault, Result, joined, quoted};
use crate::options::did_you_mean;

/// A column of a table, looked up once for all rows.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Column {
    pub(super) name: Box<str>,
    /// Its position in the header, or among the keys of all objects.
    pub(super) at: usize,
}

impl Column {
    /// Its name.
    pub fn name(&self) -> &str {
        &self.name
    }
}

/// The fields of a row: one text, in which a byte stands between every two of them.
#[derive(Default)]
pub(super) struct Fields {
    pub(super) text: String,
    /// The end of each field.
    pub(super) ends: Vec<usize>,
}

impl Fields {
    pub(super) fn get(&self, at: usize) -> Option<&str> {
        let start = if at == 0 { 0 } else { self.ends.get(at - 1)? + 1 };
        self.text.get(start..*self.ends.get(at)?)
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = &str> {
        (0..self.ends.len()).filter_map(|at| self.get(at))
    }
}

/// The names of a table's columns, and their positions.
#[derive(Debug, Clone)]
pub struct Header {
    pub(super) place: Arc<str>,
    columns: Vec<String>,
    /// The position of each column.
    places: HashMap<Box<str>, usize>,
    has_own_names: bool,
    /// The line of the header as a suffix of the place, if the table has one.
    line: &'static str,
}

impl Header {
    /// The header of a file, or the keys of its objects: each row may then have keys of its own.
    pub(super) fn new(place: &str, columns: Vec<String>, has_own_names: bool) -> Self {
        let places = columns.iter().zip(0..).map(|(name, at)| (name.as_str().into(), at)).collect();
        Self { place: place.into(), columns, places, has_own_names, line: ":1" }
    }

    /// The header of a table in memory, which errors call `place`.
    ///
    /// # Errors
    /// Two columns have the same name.
    pub(crate) fn in_memory(place: &str, columns: Vec<String>) -> Result<Self> {
        check_names(columns.iter(), place)?;
        Ok(Self { line: "", ..Self::new(place, columns, false) })
    }

    /// Whether the table is in memory, and not a file.
    pub(crate) fn is_in_memory(&self) -> bool {
        self.line.is_empty()
    }

    /// The names in the header, or the keys of all objects; of the first, if an input can be read only once.
    pub fn columns(&self) -> &[String] {
        &self.columns
    }

    /// Whether each row has keys of its own, so that it may lack some of the columns.
    pub fn has_own_names(&self) -> bool {
        self.has_own_names
    }

    /// Whether the header, or an object, has a column; of a place within a list, such as `outputs.0.text`, whether there is
    /// a column that may be the list.
    pub fn has(&self, name: &str) -> bool {
        let may_be_list = |(at, _): (usize, &str)| {
            let has_position = name[at + 1..].starts_with(|first: char| first.is_ascii_digit());
            has_position && self.places.contains_key(&name[..at])
        };
        self.has_whole(name) || self.has_own_names && name.match_indices('.').any(may_be_list)
    }

    /// Whether there is a column of this name, which is no place within a list.
    pub(crate) fn has_whole(&self, name: &str) -> bool {
        self.places.contains_key(name)
    }

    /// Whether a column of JSON holds objects, whose keys are columns, too.
    pub(crate) fn has_objects(&self, name: &str) -> bool {
        let is_within = |column: &String| column.strip_prefix(name).is_some_and(|rest| rest.starts_with('.'));
        self.has_own_names && self.columns.iter().any(is_within)
    }

    /// A column, or `None` if the table cannot have it. JSON Lines can have any column, since each line has keys of its
    /// own.
    pub fn find(&self, name: &str) -> Option<Column> {
        let at = self.places.get(name).copied();
        let at = at.or(self.has_own_names.then_some(usize::MAX))?;
        Some(Column { name: name.into(), at })
    }

    /// The column of one of [`Self::columns`], by its place among them.
    pub fn column(&self, at: usize) -> Option<Column> {
        self.columns.get(at).map(|name| Column { name: name.as_str().into(), at })
    }

    /// A column that must be in the header, or in an object.
    ///
    /// # Errors
    /// It is not there.
    pub fn require(&self, name: &str) -> Result<Column> {
        self.require_or(name, "check the column names and the format")
    }

    /// As [`Self::require`], with advice of the caller's.
    pub(crate) fn require_or(&self, name: &str, advice: &str) -> Result<Column> {
        self.find(name).filter(|_| self.has(name)).ok_or_else(|| {
            let near = did_you_mean(name, self.columns.iter().map(String::as_str));
            self.missing(
                &format!("a column {}", quoted(name)),
                format!("the columns {}", joined(&self.columns)),
                &format!("{near}{advice}"),
            )
        })
    }

    /// The error for a missing column.
    pub(crate) fn missing(&self, expected: &str, found: String, advice: &str) -> Error {
        Error::invalid(self.names_place(), expected, found, advice).because(Fault::MissingColumn)
    }

    /// The file, for messages.
    pub fn place(&self) -> &str {
        &self.place
    }

    /// The place of the header, for messages.
    pub(crate) fn names_place(&self) -> String {
        format!("{}{}", self.place, self.line)
    }
}

/// Checks that no name occurs twice. Columns without a name are exempt: some tables have many, and they are never read.
pub(super) fn check_names<'n>(names: impl Iterator<Item = &'n String>, place: &str) -> Result<()> {
    let mut seen = HashSet::new();
    for name in names.filter(|name| !name.is_empty()) {
        if !seen.insert(name) {
            let found = format!("two columns {}", quoted(name));
            return Err(Error::invalid(place, "distinct column names", found, "rename or remove one of them"));
        }
    }
    Ok(())
}

/// The content of a cell.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Cell<'a> {
    /// Nothing; a JSON object then lacks that key.
    Empty,
    /// A text.
    Text(&'a str),
    /// Several texts; among files, only JSON Lines can hold them.
    Texts(&'a [String]),
    /// A whole number.
    Integer(i64),
    /// A number.
    Number(f64),
    /// What a row of JSON has that is neither a text nor nothing, as it is; elsewhere its text.
    Json(&'a Value),
}

/// The type of a column's cells, unless they are empty.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CellKind {
    /// [`Cell::Text`], or [`Cell::Texts`] in JSON Lines.
    Text,
    /// [`Cell::Integer`].
    Integer,
    /// [`Cell::Number`].
    Number,
}

/// A row of a table.
pub struct Row<'c> {
    pub(super) line: usize,
    pub(super) place: Arc<str>,
    pub(super) cells: Cells<'c>,
}

/// The cells of a row, as its source has them.
pub(super) enum Cells<'c> {
    /// The fields of a CSV or TSV line.
    Fields(Fields),
    /// The keys and values of an object.
    Object(Vec<(String, Value)>),
    /// The cells of a table in memory, in the order of its header.
    InMemory(Vec<Cell<'c>>),
}

/// The names of a table's columns, and its rows with their line numbers.
pub(super) type Source = (Vec<String>, Box<dyn Iterator<Item = Result<NumberedCells>> + Send>);

/// The line on which a row begins, and its cells.
pub(super) type NumberedCells = (usize, Cells<'static>);

/// One cell, whatever the source of its row.
enum Content<'r> {
    /// The object lacks the key.
    Absent,
    /// A null, or an empty cell in memory.
    Null,
    Text(Cow<'r, str>),
    Texts(&'r [String]),
    /// A list or an object.
    Json(&'r Value),
}

impl<'c> Row<'c> {
    /// Row `number` of a table in memory.
    pub(crate) fn in_memory(header: &Header, number: usize, cells: Vec<Cell<'c>>) -> Self {
        Self { line: number, place: Arc::clone(&header.place), cells: Cells::InMemory(cells) }
    }

    /// Its line in the file, from 1; the row's number if the file has no lines.
    pub fn line(&self) -> usize {
        self.line
    }

    /// File and line, for messages.
    pub fn place(&self) -> String {
        format!("{}:{}", self.place, self.line)
    }

    /// The keys of an object; none for a row below a header, whose columns are those of all rows.
    pub fn own_names(&self) -> impl Iterator<Item = &str> {
        let object = if let Cells::Object(cells) = &self.cells { cells.as_slice() } else { &[] };
        object.iter().map(|(name, _)| name.as_str())
    }

    /// The column of one of [`Self::own_names`], by its position among them.
    pub fn own_column(&self, at: usize) -> Option<Column> {
        let Cells::Object(cells) = &self.cells else { return None };
        let name = cells.get(at)?.0.as_str().into();
        Some(Column { name, at })
    }

    fn content(&self, column: &Column) -> Content<'_> {
        match &self.cells {
            Cells::Fields(fields) => Content::Text(fields.get(column.at).unwrap_or_default().trim().into()),
            Cells::Object(cells) => value(cells, column).map_or(Content::Absent, content_of),
            Cells::InMemory(cells) => match cells.get(column.at) {
                None | Some(Cell::Empty) => Content::Null,
                Some(Cell::Text(text)) => Content::Text((*text).into()),
                Some(Cell::Texts(texts)) => Content::Texts(texts),
                Some(Cell::Integer(number)) => Content::Text(number.to_string().into()),
                Some(Cell::Number(number)) => Content::Text(number.to_string().into()),
                Some(Cell::Json(value)) => content_of(value),
            },
        }
    }

    /// A cell as it is, to be written again.
    #[cfg(feature = "ask")]
    pub(crate) fn cell(&self, column: &Column) -> Cell<'_> {
        match &self.cells {
            Cells::Fields(fields) => fields.get(column.at).map_or(Cell::Empty, Cell::Text),
            Cells::Object(cells) => match value(cells, column) {
                None | Some(Value::Null) => Cell::Empty,
                Some(Value::String(text)) => Cell::Text(text),
                Some(other) => Cell::Json(other),
            },
            Cells::InMemory(cells) => cells.get(column.at).copied().unwrap_or(Cell::Empty),
        }
    }

    /// Whether a column holds a number or a truth value in JSON, and not a text.
    pub(crate) fn is_no_text(&self, column: &Column) -> bool {
        let Cells::Object(cells) = &self.cells else { return false };
        matches!(value(cells, column), Some(Value::Number(_) | Value::Bool(_)))
    }

    /// The list or object in a column of JSON.
    pub(crate) fn json(&self, column: &Column) -> Option<&Value> {
        match self.content(column) {
            Content::Json(value) => Some(value),
            _ => None,
        }
    }

    /// The text of a column. In CSV and TSV it may be empty, and surrounding white space is removed.
    ///
    /// # Errors
    /// An object lacks the key, or its value is neither a text, a number nor a truth value.
    pub fn text(&self, column: &Column) -> Result<Cow<'_, str>> {
        let found = match self.content(column) {
            Content::Text(text) => return Ok(text),
            Content::Absent => "no such column".to_owned(),
            Content::Null => "nothing".to_owned(),
            Content::Texts(_) => "a list".to_owned(),
            Content::Json(value) => quoted(&value.to_string()),
        };
        Err(self.wrong(column, "a text", found))
    }

    /// The text of a column; `None` if it is blank or missing.
    ///
    /// # Errors
    /// The value of an object is neither a text, a number nor a truth value.
    pub fn optional(&self, column: &Column) -> Result<Option<Cow<'_, str>>> {
        match self.content(column) {
            Content::Absent | Content::Null => Ok(None),
            _ => self.text(column).map(|text| Some(text).filter(|text| !text.trim().is_empty())),
        }
    }

    /// The texts of a column: a list, or a single text.
    ///
    /// # Errors
    /// As [`Self::text`]; a list that holds anything but texts and nulls.
    pub fn texts(&self, column: &Column) -> Result<Vec<String>> {
        let text = |value: &Value| match value {
            Value::String(text) => Ok(text.clone()),
            Value::Null => Ok(String::new()),
            other => Err(self.wrong(column, "a list of texts", quoted(&other.to_string()))),
        };
        match self.content(column) {
            Content::Json(Value::Array(values)) => values.iter().map(text).collect(),
            Content::Texts(texts) => Ok(texts.to_vec()),
            _ => Ok(vec![self.text(column)?.into_owned()]),
        }
    }

    /// As [`Self::texts`]; none if an object lacks the key, or its value is null.
    ///
    /// # Errors
    /// As [`Self::texts`].
    pub fn optional_texts(&self, column: &Column) -> Result<Vec<String>> {
        match self.content(column) {
            Content::Absent | Content::Null => Ok(Vec::new()),
            _ => self.texts(column),
        }
    }

    /// The number in a column.
    ///
    /// # Errors
    /// There is no number, or it is not finite.
    pub fn number(&self, column: &Column) -> Result<f64> {
        let text = self.optional(column)?.unwrap_or_default();
        text.trim().parse().ok().filter(|number: &f64| number.is_finite()).ok_or_else(|| {
            let expected = format!("a number in the column {}", quoted(&column.name));
            Error::invalid(self.place(), expected, quoted(&text), "")
        })
    }

    fn wrong(&self, column: &Column, expected: &str, found: String) -> Error {
        let expected = format!("{expected} in the column {}", quoted(&column.name));
        Error::invalid(self.place(), expected, found, "").because(Fault::Type)
    }
}

fn content_of(value: &Value) -> Content<'_> {
    match value {
        Value::Null => Content::Null,
        Value::String(text) => Content::Text(text.into()),
        Value::Number(number) => Content::Text(number.to_string().into()),
        Value::Bool(truth) => Content::Text(truth.to_string().into()),
        other => Content::Json(other),
    }
}

fn value<'r>(cells: &'r [(String, Value)], column: &Column) -> Option<&'r Value> {
    // Most files have the same keys in the same order in every line.
    let named = |(name, _): &&(String, Value)| **name == *column.name;
    let cell = cells.get(column.at).filter(named).or_else(|| cells.iter().find(named));
    cell.map(|(_, value)| value).or_else(|| within_list(cells, &column.name))
}

/// A place within a list, such as `outputs.0.text`: positions count from 0.
fn within_list<'r>(cells: &'r [(String, Value)], name: &str) -> Option<&'r Value> {
    name.match_indices('.').find_map(|(at, _)| {
        let (_, list) = cells.iter().find(|(known, value)| *known == name[..at] && value.is_array())?;
        list.pointer(&name[at..].replace('~', "~0").replace('/', "~1").replace('.', "/"))
    })
}
