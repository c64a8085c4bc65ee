//! The one reader of tables, of every kind.

use std::io::{self, Read};
use std::sync::Arc;
use std::{fmt, iter};

use csv::{ErrorKind, Reader, ReaderBuilder, StringRecord, Terminator};
use memchr::memchr_iter;
use serde::de::{Deserialize, Deserializer, MapAccess, Visitor};
use serde_json::Value;

use super::TableKind;
use super::row::{Cells, Header, NumberedCells, Row, Source, check_names};
use crate::error::{Error, Result, json_fault};
use crate::files::input::{self, Input, Line, Lines};
use crate::files::limits::{self, MAX_LINE};

/// Reads a table, one row at a time.
pub struct Rows {
    header: Header,
    rows: Box<dyn Iterator<Item = Result<NumberedCells>> + Send>,
}

impl Rows {
    /// Opens a table; by default its kind follows from the file's ending.
    ///
    /// # Errors
    /// The file cannot be read or is not a table; two columns have the same name. While reading: a row of a different
    /// length, text that is not UTF-8, a quote that is never closed, a line that is not an object.
    pub fn open(input: &Input, kind: Option<TableKind>) -> Result<Self> {
        let kind = kind.or_else(|| TableKind::of(input)).ok_or_else(|| {
            let expected = "a table that ends in .csv, .tsv or .jsonl";
            let advice = "name the format: `format` csv, tsv or jsonl";
            Error::invalid(input.to_string(), expected, "another ending", advice)
        })?;
        let (columns, rows) = match kind {
            TableKind::Csv => csv(input)?,
            TableKind::Tsv => tsv(input)?,
            TableKind::JsonLines => json_lines(input)?,
            #[cfg(feature = "parquet")]
            TableKind::Parquet => super::parquet::rows(input)?,
        };
        let place = input.to_string();
        check_names(columns.iter(), &format!("{place}:1"))?;
        let has_own_names = !matches!(kind, TableKind::Csv | TableKind::Tsv);
        Ok(Self { header: Header::new(&place, columns, has_own_names), rows })
    }

    /// The names of the columns.
    pub fn header(&self) -> &Header {
        &self.header
    }
}

impl Iterator for Rows {
    type Item = Result<Row<'static>>;

    fn next(&mut self) -> Option<Self::Item> {
        let place = Arc::clone(&self.header.place);
        Some(self.rows.next()?.map(|(line, cells)| Row { line, place, cells }))
    }
}

/// Comma-separated values. Fields in quotes may hold commas, line ends and doubled quotes; empty lines are skipped.
fn csv(input: &Input) -> Result<Source> {
    separated(input, &mut ReaderBuilder::new(), "correct that line, or name the right `format`")
}

/// Tab-separated values. Quotes have no special meaning, and empty lines are skipped.
fn tsv(input: &Input) -> Result<Source> {
    let mut syntax = ReaderBuilder::new();
    syntax.delimiter(b'\t').quoting(false).terminator(Terminator::Any(b'\n'));
    let advice = "correct that line: one tab between fields, none in them; or name the right `format`";
    separated(input, &mut syntax, advice)
}

/// The first record is the header, and all others have as many fields.
fn separated(input: &Input, syntax: &mut ReaderBuilder, advice: &'static str) -> Result<Source> {
    let place = input.to_string();
    let lines = CsvLines {
        place: place.clone(),
        lines: input.lines()?,
        line: Line::default(),
        read: 0,
        record: 0,
        has_ended: false,
    };
    let mut reader = syntax.has_headers(false).flexible(true).from_reader(lines);
    let no_header = || input::empty(input, "a header with the names of the columns");
    let (_, header) = next_record(&mut reader)?.ok_or_else(no_header)?;
    let columns = header.iter().map(|name| name.trim().to_owned()).collect();
    let rows = iter::from_fn(move || next_record(&mut reader).transpose()).map(move |record| {
        let (line, fields) = record?;
        if fields.len() == header.len() {
            return Ok((line, Cells::Fields(fields)));
        }
        let expected = format!("{} fields, as in the header", header.len());
        Err(Error::invalid(format!("{place}:{line}"), expected, fields.len().to_string(), advice))
    });
    Ok((columns, Box::new(rows)))
}

/// The next record and the line on which it begins. The csv crate counts too few lines where they end in `\r\n`.
fn next_record(reader: &mut Reader<CsvLines>) -> Result<Option<(usize, StringRecord)>> {
    reader.get_mut().record = 0;
    let mut record = StringRecord::new();
    let is_record = reader.read_record(&mut record).map_err(|error| {
        let error = match error.into_kind() {
            ErrorKind::Io(error) => error,
            other => io::Error::other(format!("{other:?}")),
        };
        error.downcast().unwrap_or_else(|error| limits::read_error(&reader.get_ref().place, &error))
    })?;
    let CsvLines { place, line, has_ended, .. } = reader.get_ref();
    let line_ends = |text: &str| memchr_iter(b'\n', text.as_bytes()).count();
    if is_record && *has_ended {
        let field = record.iter().next_back().unwrap_or_default();
        return Err(open_quote(place, line.number + 1 - line_ends(field)));
    }
    Ok(is_record.then(|| (line.number - line_ends(record.as_slice()), record)))
}

/// The lines of a file, one at each call and all with a `\n`: the end of a record is then always read before the end of
/// the file, unless a quote is never closed.
struct CsvLines {
    place: String,
    lines: Lines,
    /// With its line end.
    line: Line,
    /// How much of the line has been read.
    read: usize,
    /// The bytes of the lines of the record so far.
    record: usize,
    has_ended: bool,
}

impl Read for CsvLines {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.read == self.line.text.len() {
            let Some(line) = self.lines.next().transpose().map_err(io::Error::other)? else {
                self.has_ended = true;
                return Ok(0);
            };
            // A quote that is never closed would turn the rest of the file into one record.
            self.record += line.text.len();
            if self.record > MAX_LINE {
                return Err(io::Error::other(limits::too_long(&self.place, "rows of at most", MAX_LINE)));
            }
            (self.line, self.read) = (line, 0);
            self.line.text.push('\n');
        }
        let count = (&self.line.text.as_bytes()[self.read..]).read(buffer)?;
        self.read += count;
        Ok(count)
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
fn json_lines(input: &Input) -> Result<Source> {
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

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Write;

    fn open(text: &str, kind: TableKind) -> Result<Rows> {
        let mut file = tempfile::NamedTempFile::new().unwrap();
        file.write_all(text.as_bytes()).unwrap();
        Rows::open(&Input::File(file.path().into()), Some(kind))
    }

    fn column(text: &str, kind: TableKind, name: &str) -> Result<Vec<String>> {
        let rows = open(text, kind)?;
        let column = rows.header().require(name)?;
        rows.map(|row| Ok(row?.optional(&column)?.unwrap_or_default().into_owned())).collect()
    }

    #[test]
    fn all_kinds_hold_the_same() {
        for (kind, text) in [
            (TableKind::Csv, "a,b\n1, two words \n,3\n"),
            (TableKind::Tsv, "a\tb\n1\t two words \n\t3\n"),
            (TableKind::JsonLines, "{\"a\":1,\"b\":\"two words\"}\n{\"b\":3}\n"),
        ] {
            assert_eq!(column(text, kind, "a").unwrap(), ["1", ""]);
            assert_eq!(column(text, kind, "b").unwrap(), ["two words", "3"]);
        }
    }

    #[test]
    fn quotes_line_ends_and_blank_lines_of_csv() {
        let text = "a,b\r\n\r\n\"1,\"\"2\"\"\",x\"y\"\r\n\"one\r\ntwo\"more,\r3,4\r\r5,\n,6\n";
        let rows = || open(text, TableKind::Csv).unwrap();
        let [a, b] = ["a", "b"].map(|name| rows().header().require(name).unwrap());
        let row = |row: Row<'_>| (row.line(), row.text(&a).unwrap().into_owned(), row.text(&b).unwrap().into_owned());
        let found: Vec<_> = rows().map(|found| row(found.unwrap())).collect();
        let expected = [(3, "1,\"2\"", "x\"y\""), (4, "one\ntwomore", ""), (5, "3", "4"), (5, "5", ""), (6, "", "6")];
        assert_eq!(found, expected.map(|(line, a, b)| (line, a.to_owned(), b.to_owned())));
        let message = column("a,b\n1,2\n\n3\n", TableKind::Csv, "a").unwrap_err().to_string();
        assert!(message.contains(":4: expected 2 fields, as in the header, found 1; "), "{message}");
    }

    #[test]
    fn tsv_has_no_quotes() {
        assert_eq!(column("a\tb\n\"x\ty\nz\t\"q\"\n", TableKind::Tsv, "b").unwrap(), ["y", "\"q\""]);
    }

    #[test]
    fn a_name_stands_once() {
        for (kind, text) in [
            (TableKind::Csv, "a, a\n1,2\n"),
            (TableKind::Tsv, "a\ta\n1\t2\n"),
            (TableKind::JsonLines, "{\"a\":1,\"a\":2}\n"),
        ] {
            let message = open(text, kind).err().unwrap().to_string();
            assert!(message.contains(":1: expected distinct column names, found two columns 'a';"), "{message}");
        }
        assert!(open("a,,\n1,2,3\n", TableKind::Csv).is_ok());
        let later = column("{\"a\":1}\n{\"a\":1,\"b\":2,\"b\":2}\n", TableKind::JsonLines, "a").unwrap_err();
        assert!(later.to_string().contains(":2: expected distinct column names"), "{later}");
    }
}
