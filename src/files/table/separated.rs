//! CSV and TSV. In: lines. Out: a header, then records with their line numbers. Next: [`super::rows`].

use std::fmt;
use std::io::{self, BufRead, Read};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use csv::{ReaderBuilder, StringRecord};

use super::row::Records;
use crate::error::{Error, Result};
use crate::files::input::{self, Input, Line};
use crate::files::limits::{self, LONGEST_LINE};

/// The header and the records of tab-separated values. Quotes have no special meaning, and empty lines are skipped.
pub(super) fn tsv(input: &Input) -> Result<(StringRecord, Records)> {
    let mut lines = input.lines()?.filter(|line| !matches!(line, Ok(Line { text, .. }) if text.is_empty()));
    let split = |line: &Line| StringRecord::from_iter(line.text.split('\t'));
    let header = split(&lines.next().ok_or_else(|| no_header(input))??);
    let (place, columns) = (input.to_string(), header.len());
    let records = lines.map(move |line| {
        let line = line?;
        let record = split(&line);
        if record.len() == columns { Ok((line.number, record)) } else { Err(other_length(&place, &line, columns)) }
    });
    Ok((header, Box::new(records)))
}

/// The header and the records of comma-separated values.
pub(super) fn csv(input: &Input) -> Result<(StringRecord, Records)> {
    let place = input.to_string();
    let size = Arc::new(AtomicUsize::new(0));
    let lines = CsvLines::new(input.open()?, Arc::clone(&size));
    let mut reader = ReaderBuilder::new().from_reader(lines);
    let header = reader.headers().map_err(|error| csv_error(&place, &error))?.clone();
    if header.is_empty() {
        return Err(no_header(input));
    }
    size.store(0, Ordering::Relaxed);
    let records = reader.into_records().map(move |record| {
        size.store(0, Ordering::Relaxed);
        let record = record.map_err(|error| csv_error(&place, &error))?;
        let line = record.position().map_or(0, |position| position.line() as usize);
        Ok((line, record))
    });
    Ok((header, Box::new(records)))
}

/// Ends every line with `\n` alone, since the csv crate 1.4.0 stops before the `\n` of `\r\n` and then counts one line
/// too few. Also tracks quotes, since the crate takes the end of the file for the end of a quoted field.
struct CsvLines {
    reader: Box<dyn BufRead + Send>,
    line: Vec<u8>,
    read: usize,
    number: usize,
    quotes: Quotes,
    /// The line of the most recent opening quote.
    opened: usize,
    /// Bytes since the last complete record.
    record: Arc<AtomicUsize>,
}

/// The reader's position relative to quotes: a quote opens a field only at its start, and two quotes in a quoted field
/// stand for one.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Quotes {
    AtStart,
    InPlain,
    InQuoted,
    AfterQuote,
}

impl CsvLines {
    fn new(reader: Box<dyn BufRead + Send>, record: Arc<AtomicUsize>) -> Self {
        Self { reader, line: Vec::new(), read: 0, number: 0, quotes: Quotes::AtStart, opened: 0, record }
    }

    fn next_line(&mut self) -> io::Result<()> {
        self.line.clear();
        self.read = 0;
        self.number += 1;
        limits::read_line(&mut self.reader, &mut self.line)?;
        if self.line.is_empty() && self.quotes == Quotes::InQuoted {
            return Err(io::Error::other(Fault::OpenQuote(self.opened)));
        }
        // A quote that is never closed would turn the rest of the file into one record.
        let bytes = self.record.fetch_add(self.line.len(), Ordering::Relaxed) + self.line.len();
        if bytes > LONGEST_LINE {
            return Err(io::Error::other(Fault::LongRecord));
        }
        if self.line.ends_with(b"\r\n") {
            self.line.truncate(self.line.len() - 2);
            self.line.push(b'\n');
        }
        if self.quotes == Quotes::InQuoted || self.line.contains(&b'"') {
            self.follow_quotes();
        }
        Ok(())
    }

    fn follow_quotes(&mut self) {
        for &byte in &self.line {
            self.quotes = match (self.quotes, byte) {
                (Quotes::AtStart, b'"') => {
                    self.opened = self.number;
                    Quotes::InQuoted
                }
                (Quotes::InQuoted, b'"') => Quotes::AfterQuote,
                (Quotes::InQuoted, _) | (Quotes::AfterQuote, b'"') => Quotes::InQuoted,
                (_, b',' | b'\n' | b'\r') => Quotes::AtStart,
                _ => Quotes::InPlain,
            };
        }
    }
}

impl Read for CsvLines {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.read == self.line.len() {
            self.next_line()?;
        }
        let count = (&self.line[self.read..]).read(buffer)?;
        self.read += count;
        Ok(count)
    }
}

/// The reasons for which [`CsvLines`] refuses a file.
#[derive(Debug)]
enum Fault {
    /// The line of the quote.
    OpenQuote(usize),
    LongRecord,
}

impl fmt::Display for Fault {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            Self::OpenQuote(_) => "a quote is never closed",
            Self::LongRecord => "a record is too long",
        })
    }
}

impl std::error::Error for Fault {}

fn no_header(input: &Input) -> Error {
    input::empty(input, "a header with the names of the columns")
}

fn other_length(place: &str, line: &Line, columns: usize) -> Error {
    let found = line.text.split('\t').count().to_string();
    let advice = "correct that line: one tab between fields, none in them; or name the right --format";
    Error::invalid(format!("{place}:{}", line.number), format!("{columns} fields, as in the header"), found, advice)
}

fn csv_error(place: &str, error: &csv::Error) -> Error {
    let line = error.position().map_or(1, csv::Position::line);
    let advice = "correct that line, or name the right --format";
    let (expected, found) = match error.kind() {
        csv::ErrorKind::Io(error) => return io_error(place, error),
        csv::ErrorKind::Utf8 { .. } => return input::not_utf8(place, line),
        csv::ErrorKind::UnequalLengths { expected_len, len, .. } => {
            (format!("{expected_len} fields, as in the header"), len.to_string())
        }
        _ => ("a table that can be read".to_owned(), error.to_string()),
    };
    Error::invalid(format!("{place}:{line}"), expected, found, advice)
}

fn io_error(place: &str, error: &io::Error) -> Error {
    match error.get_ref().and_then(|inner| inner.downcast_ref::<Fault>()) {
        Some(Fault::LongRecord) => limits::too_long(place, "rows of at most", LONGEST_LINE),
        Some(Fault::OpenQuote(line)) => Error::invalid(
            format!("{place}:{line}"),
            "a closing quote",
            "the end of the file within quotes",
            "close it, or write a quote at the start of a field as \"\"\" (TSV has no quotes: --format tsv)",
        ),
        None => limits::read_error(place, error),
    }
}
