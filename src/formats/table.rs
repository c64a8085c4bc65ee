//! Stage 1c. In: a table with named columns. Out: one [`Pair`] a row. Next: text.
//!
//! Columns: `hyp1`, `hyp2`, `ref`, further references `ref2`, `ref3`, ...; and, where known, `label`, `id`, `group`,
//! `judges`, `weight`. Other columns are left alone.

use std::io::{self, BufRead, Read};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use csv::{ReaderBuilder, StringRecord};
use serde::Deserialize;

use crate::error::{Error, Result, json_fault};
use crate::files::input::{self, Input, LONGEST_LINE};
use crate::judgments::{Pair, Verdict};

/// The records of a table, each with its line.
type Records = Box<dyn Iterator<Item = Result<(usize, StringRecord)>> + Send>;

/// The header and the records of comma- or tab-separated values.
///
/// # Errors
/// The file cannot be read; it is empty. While reading: rows of different length, text that is not UTF-8.
pub fn records(input: &Input, delimiter: u8) -> Result<(StringRecord, Records)> {
    let place = input.to_string();
    let size = Arc::new(AtomicUsize::new(0));
    let lines = LineFeeds::of(input.open()?, Arc::clone(&size));
    let mut reader = ReaderBuilder::new().delimiter(delimiter).from_reader(lines);
    let header = reader.headers().map_err(|error| csv_error(&place, &error))?.clone();
    if header.is_empty() {
        return Err(input::empty(input, "a header with the columns hyp1, hyp2, ref"));
    }
    let records = reader.into_records().map(move |record| {
        size.store(0, Ordering::Relaxed);
        let record = record.map_err(|error| csv_error(&place, &error))?;
        let line = record.position().map_or(0, |position| position.line() as usize);
        Ok((line, record))
    });
    Ok((header, Box::new(records)))
}

/// Reads comma- or tab-separated values with a header.
///
/// # Errors
/// A column is missing. While reading: rows of different length, text that is not UTF-8, a wrong label or weight.
pub fn read_separated(input: &Input, delimiter: u8) -> Result<impl Iterator<Item = Result<Pair>> + Send + use<>> {
    let place = input.to_string();
    let (header, records) = records(input, delimiter)?;
    let columns = Columns::find(&header, &place)?;
    Ok(records.map(move |record| record.and_then(|(line, record)| columns.pair(&record, &place, line))))
}

/// Ends every line with `\n` alone: the csv crate 1.4.0 stops before the `\n` of `\r\n`, and then counts one line less.
struct LineFeeds {
    reader: Box<dyn BufRead + Send>,
    line: Vec<u8>,
    read: usize,
    /// Bytes since the last record came out.
    record: Arc<AtomicUsize>,
}

impl LineFeeds {
    fn of(reader: Box<dyn BufRead + Send>, record: Arc<AtomicUsize>) -> Self {
        Self { reader, line: Vec::new(), read: 0, record }
    }

    /// A quotation mark that is never closed would make one record of the rest of the file.
    fn count_record(&self) -> io::Result<()> {
        let bytes = self.record.fetch_add(self.line.len(), Ordering::Relaxed) + self.line.len();
        if bytes > LONGEST_LINE {
            Err(io::Error::new(io::ErrorKind::FileTooLarge, "a record is too long"))
        } else {
            Ok(())
        }
    }
}

impl Read for LineFeeds {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.read == self.line.len() {
            self.line.clear();
            self.read = 0;
            self.reader.by_ref().take(LONGEST_LINE as u64 + 1).read_until(b'\n', &mut self.line)?;
            self.count_record()?;
            if self.line.ends_with(b"\r\n") {
                self.line.truncate(self.line.len() - 2);
                self.line.push(b'\n');
            }
        }
        let count = (&self.line[self.read..]).read(buffer)?;
        self.read += count;
        Ok(count)
    }
}

/// Where each column stands.
struct Columns {
    hypotheses: [usize; 2],
    references: Vec<usize>,
    label: Option<usize>,
    id: Option<usize>,
    group: Option<usize>,
    judges: Option<usize>,
    weight: Option<usize>,
}

impl Columns {
    fn find(header: &StringRecord, place: &str) -> Result<Self> {
        let position = |name: &str| header.iter().position(|column| column.trim() == name);
        let required = |name: &str| {
            position(name).ok_or_else(|| {
                Error::invalid(
                    format!("{place}:1"),
                    "a header with the columns hyp1, hyp2, ref",
                    format!("no column '{name}' among {}", header.iter().collect::<Vec<_>>().join(", ")),
                    "name the columns in the first line",
                )
            })
        };
        let further = (2..).map_while(|number| position(&format!("ref{number}")));
        Ok(Self {
            hypotheses: [required("hyp1")?, required("hyp2")?],
            references: std::iter::once(required("ref")?).chain(further).collect(),
            label: position("label"),
            id: position("id"),
            group: position("group"),
            judges: position("judges"),
            weight: position("weight"),
        })
    }

    fn pair(&self, record: &StringRecord, place: &str, line: usize) -> Result<Pair> {
        let field = |at: usize| record.get(at).unwrap_or_default().trim();
        let optional = |at: Option<usize>| at.map(field).filter(|text| !text.is_empty());
        // A row may have fewer references than the header has columns for; the first may be empty text.
        let further = self.references.iter().skip(1).map(|&at| field(at)).filter(|text| !text.is_empty());
        Ok(Pair {
            hypotheses: self.hypotheses.map(|at| field(at).to_owned()),
            references: std::iter::once(field(self.references[0])).chain(further).map(str::to_owned).collect(),
            label: optional(self.label).map(|text| label(text, place, line)).transpose()?,
            id: optional(self.id).map(str::to_owned),
            group: optional(self.group).map(str::to_owned),
            judges: optional(self.judges).map(str::to_owned),
            weight: optional(self.weight).map(|text| weight(text.parse().ok(), text, place, line)).transpose()?,
            line,
        })
    }
}

fn csv_error(place: &str, error: &csv::Error) -> Error {
    let line = error.position().map_or(1, csv::Position::line);
    if let csv::ErrorKind::Io(error) = error.kind()
        && error.kind() == io::ErrorKind::FileTooLarge
    {
        return input::too_long(place, "rows of at most", LONGEST_LINE);
    }
    let (expected, found) = match error.kind() {
        csv::ErrorKind::Utf8 { .. } => ("text in UTF-8".to_owned(), "bytes that are not UTF-8".to_owned()),
        csv::ErrorKind::UnequalLengths { expected_len, len, .. } => {
            (format!("{expected_len} fields, as in the header"), len.to_string())
        }
        _ => ("a table that can be read".to_owned(), error.to_string()),
    };
    Error::invalid(format!("{place}:{line}"), expected, found, "mend that line, or name the right --format")
}

fn label(text: &str, place: &str, line: usize) -> Result<Verdict> {
    Verdict::parse(text).ok_or_else(|| super::answers::wrong_label(text, place, line))
}

fn weight(value: Option<f64>, text: &str, place: &str, line: usize) -> Result<f64> {
    value.filter(|weight| weight.is_finite() && *weight >= 0.0).ok_or_else(|| {
        Error::invalid(
            format!("{place}:{line}"),
            "a weight of 0 or more",
            format!("'{text}'"),
            "mend the column 'weight'",
        )
    })
}

/// A row of JSON Lines.
#[derive(Deserialize)]
struct Row {
    hyp1: String,
    hyp2: String,
    #[serde(rename = "ref")]
    references: OneOrMany,
    label: Option<serde_json::Value>,
    id: Option<serde_json::Value>,
    group: Option<serde_json::Value>,
    judges: Option<serde_json::Value>,
    weight: Option<f64>,
}

#[derive(Deserialize)]
#[serde(untagged)]
enum OneOrMany {
    One(String),
    Many(Vec<String>),
}

/// Reads one JSON object a line; `ref` is a text or a list of texts.
///
/// # Errors
/// The file cannot be read. While reading: a line that is no such object, a wrong label or weight.
pub fn read_json_lines(input: &Input) -> Result<impl Iterator<Item = Result<Pair>> + Send + use<>> {
    let place = input.to_string();
    Ok(input.lines()?.map(move |line| {
        let line = line?;
        let row: Row = serde_json::from_str(&line.text).map_err(|error| json_error(&place, line.number, &error))?;
        row.pair(&place, line.number)
    }))
}

impl Row {
    fn pair(self, place: &str, line: usize) -> Result<Pair> {
        let references = match self.references {
            OneOrMany::One(text) => vec![text],
            OneOrMany::Many(texts) if !texts.is_empty() => texts,
            OneOrMany::Many(_) => {
                return Err(Error::invalid(format!("{place}:{line}"), "a reference", "an empty list 'ref'", "add one"));
            }
        };
        Ok(Pair {
            hypotheses: [self.hyp1, self.hyp2],
            references,
            label: self.label.map(|value| label(&plain(&value), place, line)).transpose()?,
            id: self.id.as_ref().map(plain),
            group: self.group.as_ref().map(plain),
            judges: self.judges.as_ref().map(plain),
            weight: self.weight.map(|value| weight(Some(value), &value.to_string(), place, line)).transpose()?,
            line,
        })
    }
}

/// A number or a text, as it would stand in a table.
fn plain(value: &serde_json::Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}

fn json_error(place: &str, line: usize, error: &serde_json::Error) -> Error {
    Error::invalid(
        format!("{place}:{line}"),
        "a JSON object with the texts hyp1, hyp2 and ref",
        json_fault(error),
        "write one object a line",
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Write;

    fn read(text: &str, ending: &str) -> Result<Vec<Pair>> {
        let mut file = tempfile::Builder::new().suffix(ending).tempfile().unwrap();
        file.write_all(text.as_bytes()).unwrap();
        super::super::PairReader::open(&Input::File(file.path().into()), None)?.collect()
    }

    #[test]
    fn a_table_has_its_columns_in_any_order() {
        let pairs = read("label,ref,extra,hyp2,hyp1\n-1,\"r, s\",x,b,a\n", ".csv").unwrap();
        assert_eq!(pairs[0].hypotheses, ["a", "b"]);
        assert_eq!(pairs[0].references, ["r, s"]);
        assert_eq!(pairs[0].label, Some(Verdict::Second));
        assert_eq!(pairs[0].line, 2);
    }

    #[test]
    fn further_references_may_be_missing_in_a_row() {
        let pairs = read("hyp1\thyp2\tref\tref2\na\tb\tr\ts\na\tb\tr\t\n", ".tsv").unwrap();
        assert_eq!(pairs[0].references, ["r", "s"]);
        assert_eq!(pairs[1].references, ["r"]);
    }

    #[test]
    fn json_lines_take_one_reference_or_many() {
        let text = "{\"hyp1\":\"a\",\"hyp2\":\"b\",\"ref\":[\"r\",\"s\"],\"label\":0}\n{\"hyp1\":\"a\",\"hyp2\":\"b\",\"ref\":\"r\",\"id\":7}\n";
        let pairs = read(text, ".jsonl").unwrap();
        assert_eq!(pairs[0].references, ["r", "s"]);
        assert_eq!(pairs[0].label, Some(Verdict::Tie));
        assert_eq!(pairs[1].id.as_deref(), Some("7"));
    }

    #[test]
    fn what_is_wrong_is_named_with_its_line() {
        for (text, ending, part) in [
            (
                "hyp1,hyp2\na,b\n",
                ".csv",
                ":1: expected a header with the columns hyp1, hyp2, ref, found no column 'ref'",
            ),
            ("hyp1,hyp2,ref\na,b\n", ".csv", ":2: expected 3 fields, as in the header, found 2"),
            ("hyp1,hyp2,ref,label\na,b,c,5\n", ".csv", ":2: expected a label 1, 0 or -1, found '5'"),
            ("hyp1,hyp2,ref,weight\na,b,c,nan\n", ".csv", ":2: expected a weight of 0 or more"),
            ("{\"hyp1\":\"a\"}\n", ".jsonl", ":1: expected a JSON object"),
            ("{\"hyp1\":\"a\",\"hyp2\":\"b\",\"ref\":[]}\n", ".jsonl", ":1: expected a reference"),
        ] {
            let message = read(text, ending).unwrap_err().to_string();
            assert!(message.contains(part), "{message}");
        }
    }
}
