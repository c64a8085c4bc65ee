//! Rows of a table with named columns: comma- or tab-separated with a header, or JSON Lines, or Parquet.

use std::collections::VecDeque;
use std::sync::Arc;

use csv::StringRecord;
use serde_json::{Map, Value};

use super::input::{self, Input};
use crate::error::{Error, Result, json_fault};
use crate::formats::pairs::Format;
use crate::formats::table;

/// Objects with their lines.
type Objects = Box<dyn Iterator<Item = Result<(usize, Map<String, Value>)>> + Send>;

/// Reads one row at a time.
pub struct Rows {
    place: String,
    columns: Arc<Vec<String>>,
    source: Source,
}

enum Source {
    Records(Box<dyn Iterator<Item = Result<(usize, StringRecord)>> + Send>),
    Objects { first: VecDeque<(usize, Map<String, Value>)>, rest: Objects },
}

/// A row of a table.
pub struct Row {
    /// Its line in the file, from 1.
    pub line: usize,
    columns: Arc<Vec<String>>,
    cells: Cells,
}

enum Cells {
    Record(StringRecord),
    Object(Map<String, Value>),
}

impl Rows {
    /// Opens a table; the format is that of the file's ending unless it is given.
    ///
    /// # Errors
    /// The file cannot be read, is empty, or is no table. While reading: a row of another length, text that is not UTF-8.
    pub fn open(input: &Input, format: Option<Format>) -> Result<Self> {
        let place = input.to_string();
        match format.unwrap_or_else(|| Format::of(input)) {
            Format::Tsv => Self::separated(input, b'\t'),
            Format::JsonLines => Self::objects(input, objects(input)?),
            #[cfg(feature = "parquet")]
            Format::Parquet => Self::objects(input, super::parquet::objects(input)?),
            Format::Csv => Self::separated(input, b','),
            _ => Err(Error::invalid(
                place,
                "a table that ends in .csv, .tsv or .jsonl",
                "another ending",
                "say what it is: --format csv, tsv or jsonl",
            )),
        }
    }

    fn separated(input: &Input, delimiter: u8) -> Result<Self> {
        let (header, records) = table::records(input, delimiter)?;
        let columns = header.iter().map(|name| name.trim().to_owned()).collect();
        Ok(Self { place: input.to_string(), columns: Arc::new(columns), source: Source::Records(Box::new(records)) })
    }

    fn objects(input: &Input, mut rest: Objects) -> Result<Self> {
        let first = rest.next().ok_or_else(|| input::empty(input, "a JSON object a line"))??;
        let columns = first.1.keys().cloned().collect();
        let first = VecDeque::from([first]);
        Ok(Self { place: input.to_string(), columns: Arc::new(columns), source: Source::Objects { first, rest } })
    }

    /// The columns of the header, or the names in the first object.
    pub fn columns(&self) -> &[String] {
        &self.columns
    }

    /// The table has this column.
    ///
    /// # Errors
    /// It has not.
    pub fn require(&self, name: &str) -> Result<()> {
        if self.columns.iter().any(|column| column == name) {
            return Ok(());
        }
        Err(Error::invalid(
            format!("{}:1", self.place),
            format!("a column '{name}'"),
            format!("the columns {}", self.columns.join(", ")),
            "name the columns as they are called in the table, such as --ref COLUMN",
        ))
    }

    /// The file.
    pub fn place(&self) -> &str {
        &self.place
    }
}

impl Iterator for Rows {
    type Item = Result<Row>;

    fn next(&mut self) -> Option<Self::Item> {
        let columns = Arc::clone(&self.columns);
        let row = match &mut self.source {
            Source::Records(records) => records.next()?.map(|(line, record)| (line, Cells::Record(record))),
            Source::Objects { first, rest } => {
                let object = first.pop_front().map(Ok).or_else(|| rest.next())?;
                object.map(|(line, object)| (line, Cells::Object(object)))
            }
        };
        Some(row.map(|(line, cells)| Row { line, columns, cells }))
    }
}

impl Row {
    /// The text of a column; none if there is no such column, or nothing stands in it.
    pub fn text(&self, name: &str) -> Option<String> {
        let text = match &self.cells {
            Cells::Record(record) => {
                let at = self.columns.iter().position(|column| column == name)?;
                record.get(at).map(|text| text.trim().to_owned())
            }
            Cells::Object(object) => match object.get(name)? {
                Value::Null => None,
                Value::String(text) => Some(text.clone()),
                other => Some(other.to_string()),
            },
        };
        text.filter(|text| !text.is_empty())
    }

    /// The text of a column, which may be empty.
    pub fn any_text(&self, name: &str) -> String {
        self.text(name).unwrap_or_default()
    }

    /// The number in a column.
    ///
    /// # Errors
    /// None stands there, or one that is not finite.
    pub fn number(&self, name: &str, place: &str) -> Result<f64> {
        let text = self.any_text(name);
        text.parse().ok().filter(|number: &f64| number.is_finite()).ok_or_else(|| {
            Error::invalid(
                format!("{place}:{}", self.line),
                format!("a number in the column '{name}'"),
                format!("'{}'", text.chars().take(40).collect::<String>()),
                "mend that row",
            )
        })
    }
}

fn objects(input: &Input) -> Result<Objects> {
    let place = input.to_string();
    Ok(Box::new(input.lines()?.map(move |line| {
        let line = line?;
        let object = serde_json::from_str(&line.text).map_err(|error| {
            let advice = "write one object a line";
            Error::invalid(format!("{place}:{}", line.number), "a JSON object", json_fault(&error), advice)
        })?;
        Ok((line.number, object))
    })))
}
