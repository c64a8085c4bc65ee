//! The readers of CSV, TSV and JSON Lines.

use std::fmt;

use serde::de::{Deserialize, Deserializer, MapAccess, Visitor};
use serde_json::Value;

use super::row::{Cells, check_names};
use crate::error::{Error, Result, json_fault};
use crate::files::input::{self, Input, Line, Lines};
use crate::files::limits::{self, MAX_LINE};

/// The names of a table's columns, and its rows with their line numbers.
pub(super) type Source = (Vec<String>, Box<dyn Iterator<Item = Result<NumberedCells>> + Send>);

/// The line on which a row begins, and its cells.
pub(super) type NumberedCells = (usize, Cells<'static>);

/// Tab-separated values. Quotes have no special meaning, and empty lines are skipped.
pub(super) fn tsv(input: &Input) -> Result<Source> {
    let lines = input.lines()?.filter(|line| !matches!(line, Ok(Line { text, .. }) if text.is_empty()));
    let split = |line: Line| (line.number, line.text.split('\t').map(str::to_owned).collect());
    let advice = "correct that line: one tab between fields, none in them; or name the right `format`";
    separated(input, lines.map(move |line| line.map(split)), advice)
}

/// Comma-separated values. Fields in quotes may hold commas, line ends and doubled quotes; empty lines are skipped.
pub(super) fn csv(input: &Input) -> Result<Source> {
    let line = Line { number: 0, text: String::new() };
    let records = CsvRecords { place: input.to_string(), lines: input.lines()?, line, at: 0 };
    separated(input, records, "correct that line, or name the right `format`")
}

type Record = (usize, Vec<String>);

/// The first record is the header, and all others have as many fields.
fn separated(
    input: &Input,
    mut records: impl Iterator<Item = Result<Record>> + Send + 'static,
    advice: &'static str,
) -> Result<Source> {
    let no_header = || input::empty(input, "a header with the names of the columns");
    let (_, header) = records.next().ok_or_else(no_header)??;
    let (place, columns) = (input.to_string(), header.len());
    let rows = records.map(move |record| {
        let (line, fields) = record?;
        if fields.len() == columns {
            return Ok((line, Cells::Fields(fields)));
        }
        let expected = format!("{columns} fields, as in the header");
        Err(Error::invalid(format!("{place}:{line}"), expected, fields.len().to_string(), advice))
    });
    Ok((header.iter().map(|name| name.trim().to_owned()).collect(), Box::new(rows)))
}

/// The records of a CSV file, as the csv crate reads them. That crate miscounts the lines of files with `\r\n`, and
/// takes the end of the file for the end of a quoted field.
struct CsvRecords {
    place: String,
    lines: Lines,
    line: Line,
    /// How far the line has been read. A record may also end in `\r` alone.
    at: usize,
}

impl Iterator for CsvRecords {
    type Item = Result<Record>;

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            // Blank lines are skipped.
            let text = self.rest().trim_start_matches('\r');
            if !text.is_empty() {
                self.at = self.line.text.len() - text.len();
                break;
            }
            match self.lines.next()? {
                Ok(line) => (self.line, self.at) = (line, 0),
                Err(error) => return Some(Err(error)),
            }
        }
        let number = self.line.number;
        Some(self.record().map(|fields| (number, fields)))
    }
}

impl CsvRecords {
    fn rest(&self) -> &str {
        self.line.text.get(self.at..).unwrap_or_default()
    }

    /// The fields up to the end of the record. A quote opens a field only at its start.
    fn record(&mut self) -> Result<Vec<String>> {
        let (mut fields, mut bytes) = (Vec::new(), 0);
        loop {
            let mut field = if self.rest().starts_with('"') { self.quoted(&mut bytes)? } else { String::new() };
            let rest = self.rest();
            let end = rest.find([',', '\r']).unwrap_or(rest.len());
            field += &rest[..end];
            let is_last = rest[end..].chars().next() != Some(',');
            fields.push(field);
            self.at += end + 1;
            if is_last {
                return Ok(fields);
            }
        }
    }

    /// The text of a field in quotes, which may go on in further lines; `bytes` is the length of the record so far.
    fn quoted(&mut self, bytes: &mut usize) -> Result<String> {
        let (opened, mut field) = (self.line.number, String::new());
        self.at += 1;
        loop {
            let rest = self.rest();
            let Some(end) = rest.find('"') else {
                field += rest;
                field.push('\n');
                *bytes += self.line.text.len() + 1;
                // A quote that is never closed would turn the rest of the file into one record.
                if *bytes > MAX_LINE {
                    return Err(limits::too_long(&self.place, "rows of at most", MAX_LINE));
                }
                self.line = self.lines.next().unwrap_or_else(|| Err(open_quote(&self.place, opened)))?;
                self.at = 0;
                continue;
            };
            field += &rest[..end];
            self.at += end + 1;
            if !self.rest().starts_with('"') {
                return Ok(field);
            }
            // Two quotes stand for one.
            field.push('"');
            self.at += 1;
        }
    }
}

fn open_quote(place: &str, line: usize) -> Error {
    Error::invalid(
        format!("{place}:{line}"),
        "a closing quote",
        "the end of the file within quotes",
        "close it, or write a quote at the start of a field as \"\"\" (TSV has no quotes: `format` tsv)",
    )
}

/// JSON Lines: one object per line. The columns are the keys of the first one.
pub(super) fn json_lines(input: &Input) -> Result<Source> {
    let place = input.to_string();
    let mut objects = input.lines()?.map(move |line| {
        let line = line?;
        object(&line.text, &format!("{place}:{}", line.number)).map(|cells| (line.number, cells))
    });
    let first = objects.next().transpose()?;
    let columns = first.iter().flat_map(|(_, cells)| cells).map(|(name, _)| name.clone()).collect();
    let rows = first.into_iter().map(Ok).chain(objects);
    Ok((columns, Box::new(rows.map(|row| row.map(|(line, cells)| (line, Cells::Object(cells)))))))
}

fn object(text: &str, place: &str) -> Result<Vec<(String, Value)>> {
    let Entries(cells) = serde_json::from_str(text)
        .map_err(|error| Error::invalid(place, "a JSON object", json_fault(&error), "write one object per line"))?;
    // For few keys a search is cheaper than a set.
    let is_repeated = |(at, (name, _)): (usize, &(String, Value))| cells[..at].iter().any(|(other, _)| other == name);
    if cells.len() > 32 || cells.iter().enumerate().any(is_repeated) {
        check_names(cells.iter().map(|(name, _)| name), place)?;
    }
    Ok(cells)
}

/// The keys and values of an object in order, duplicates included.
struct Entries(Vec<(String, Value)>);

impl<'de> Deserialize<'de> for Entries {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> std::result::Result<Self, D::Error> {
        deserializer.deserialize_map(Object)
    }
}

struct Object;

impl<'de> Visitor<'de> for Object {
    type Value = Entries;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("an object")
    }

    fn visit_map<M: MapAccess<'de>>(self, mut map: M) -> std::result::Result<Entries, M::Error> {
        let mut entries = Vec::new();
        while let Some(entry) = map.next_entry()? {
            entries.push(entry);
        }
        Ok(Entries(entries))
    }
}
