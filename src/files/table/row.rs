//! One row of a table. In: its cells. Out: texts, lists of texts and numbers; or an error with its place. Next:
//! [`crate::formats`].

use std::borrow::Cow;
use std::sync::Arc;

use csv::StringRecord;
use serde_json::Value;

use super::cell::Cell;
use super::header::{Column, Header};
use crate::error::{Error, Fault, Result, quoted};

/// Records with their line numbers.
pub(super) type Records = Box<dyn Iterator<Item = Result<(usize, StringRecord)>> + Send>;

/// The line number of a row, and its keys and values.
pub(super) type Object = (usize, Vec<(String, Value)>);

/// Objects, one at a time.
pub(super) type Objects = Box<dyn Iterator<Item = Result<Object>> + Send>;

/// A row of a table.
pub struct Row<'c> {
    pub(super) line: usize,
    pub(super) place: Arc<str>,
    pub(super) cells: Cells<'c>,
}

pub(super) enum Cells<'c> {
    Record(StringRecord),
    Object(Vec<(String, Value)>),
    /// The cells of a table in memory, in the order of its header.
    InMemory(Vec<Cell<'c>>),
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
        let object = match &self.cells {
            Cells::Record(_) | Cells::InMemory(_) => &[][..],
            Cells::Object(cells) => cells,
        };
        object.iter().map(|(name, _)| name.as_str())
    }

    /// The column of one of [`Self::own_names`], by its position among them.
    pub fn own_column(&self, at: usize) -> Option<Column> {
        let Cells::Object(cells) = &self.cells else { return None };
        cells.get(at).map(|(name, _)| Column { name: name.as_str().into(), at })
    }

    /// The text of a column. In CSV and TSV it may be empty, and surrounding white space is removed.
    ///
    /// # Errors
    /// An object lacks the key, or its value is neither a text, a number nor a truth value.
    pub fn text(&self, column: &Column) -> Result<Cow<'_, str>> {
        match &self.cells {
            Cells::Record(record) => Ok(Cow::Borrowed(field(record, column))),
            Cells::Object(cells) => match value(cells, column) {
                Some(Value::String(text)) => Ok(Cow::Borrowed(text)),
                Some(Value::Number(number)) => Ok(Cow::Owned(number.to_string())),
                Some(Value::Bool(truth)) => Ok(Cow::Owned(truth.to_string())),
                other => Err(self.wrong(column, "a text", found(other))),
            },
            Cells::InMemory(cells) => match cells.get(column.at) {
                Some(Cell::Text(text)) => Ok(Cow::Borrowed(text)),
                Some(Cell::Integer(number)) => Ok(Cow::Owned(number.to_string())),
                Some(Cell::Number(number)) => Ok(Cow::Owned(number.to_string())),
                Some(Cell::Texts(_)) => Err(self.wrong(column, "a text", "a list".to_owned())),
                Some(Cell::Empty) | None => Err(self.wrong(column, "a text", "nothing".to_owned())),
            },
        }
    }

    /// The text of a column; `None` if it is blank or missing.
    ///
    /// # Errors
    /// The value of an object is neither a text, a number nor a truth value.
    pub fn optional(&self, column: &Column) -> Result<Option<Cow<'_, str>>> {
        if let Cells::Object(cells) = &self.cells
            && let None | Some(Value::Null) = value(cells, column)
        {
            return Ok(None);
        }
        if let Cells::InMemory(cells) = &self.cells
            && let None | Some(Cell::Empty) = cells.get(column.at)
        {
            return Ok(None);
        }
        self.text(column).map(|text| Some(text).filter(|text| !text.trim().is_empty()))
    }

    /// The texts of a column: a list, or a single text.
    ///
    /// # Errors
    /// As [`Self::text`]; a list that holds anything but texts and nulls.
    pub fn texts(&self, column: &Column) -> Result<Vec<String>> {
        let list = match &self.cells {
            Cells::Object(cells) => value(cells, column).and_then(Value::as_array),
            Cells::InMemory(cells) => match cells.get(column.at) {
                Some(Cell::Texts(texts)) => return Ok(texts.to_vec()),
                _ => None,
            },
            Cells::Record(_) => None,
        };
        let Some(list) = list else { return Ok(vec![self.text(column)?.into_owned()]) };
        let text = |value: &Value| match value {
            Value::String(text) => Ok(text.clone()),
            Value::Null => Ok(String::new()),
            other => Err(self.wrong(column, "a list of texts", found(Some(other)))),
        };
        list.iter().map(text).collect()
    }

    /// The number in a column.
    ///
    /// # Errors
    /// There is no number, or it is not finite.
    pub fn number(&self, column: &Column) -> Result<f64> {
        if let Cells::InMemory(cells) = &self.cells
            && let Some(&Cell::Number(number)) = cells.get(column.at)
            && number.is_finite()
        {
            return Ok(number);
        }
        let text = self.optional(column)?.unwrap_or_default();
        text.trim().parse().ok().filter(|number: &f64| number.is_finite()).ok_or_else(|| {
            let expected = format!("a number in the column {}", quoted(&column.name));
            Error::invalid(self.place(), expected, quoted(&text), "correct that row")
        })
    }

    fn wrong(&self, column: &Column, expected: &str, found: String) -> Error {
        let expected = format!("{expected} in the column {}", quoted(&column.name));
        Error::invalid(self.place(), expected, found, "correct that row").because(Fault::Type)
    }
}

fn found(value: Option<&Value>) -> String {
    value.map_or_else(|| "no such column".to_owned(), |value| quoted(&value.to_string()))
}

fn field<'r>(record: &'r StringRecord, column: &Column) -> &'r str {
    record.get(column.at).unwrap_or_default().trim()
}

fn value<'r>(cells: &'r [(String, Value)], column: &Column) -> Option<&'r Value> {
    // Most files have the same keys in the same order in every line.
    let named = |(name, _): &&(String, Value)| **name == *column.name;
    let cell = cells.get(column.at).filter(named).or_else(|| cells.iter().find(named))?;
    Some(&cell.1)
}
