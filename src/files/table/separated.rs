//! Tables of lines: CSV, whose fields may stand in quotes, and TSV, whose fields are read as they are.
//!
//! A reader that guesses what a stray quote means (the csv crate does) reads the rows up to the next quote as one text.
//! Here only a comma or the end of the line may follow a closing quote.

use std::iter;

use memchr::{memchr, memchr_iter};

use super::row::{Cells, Fields, Source};
use crate::error::{Error, Result, quoted};
use crate::files::input::{self, Input, Line, Lines};
use crate::files::limits::{self, MAX_LINE};

/// Comma-separated values. Fields in quotes may hold commas, line ends and doubled quotes; empty lines are skipped.
pub(super) fn csv(input: &Input) -> Result<Source> {
    separated(input, b',', "correct that line, or name the right `format`")
}

/// Tab-separated values. Quotes have no special meaning, and empty lines are skipped.
pub(super) fn tsv(input: &Input) -> Result<Source> {
    separated(input, b'\t', "correct that line: one tab between fields, none in them; or name the right `format`")
}

/// The first row is the header, and all others have as many fields.
fn separated(input: &Input, separator: u8, advice: &'static str) -> Result<Source> {
    let place = input.to_string();
    let mut reader = Separated { place: place.clone(), lines: input.lines()?, separator, columns: 0 };
    let no_header = || input::empty(input, "a header with the names of the columns");
    let (_, header) = reader.row()?.ok_or_else(no_header)?;
    let columns: Vec<String> = header.iter().map(|name| name.trim().to_owned()).collect();
    let count = columns.len();
    reader.columns = count;
    let rows = iter::from_fn(move || reader.row().transpose()).map(move |row| {
        let (line, fields) = row?;
        if fields.ends.len() == count {
            return Ok((line, Cells::Fields(fields)));
        }
        let expected = format!("{count} fields, as in the header");
        Err(Error::invalid(format!("{place}:{line}"), expected, fields.ends.len().to_string(), advice))
    });
    Ok((columns, Box::new(rows)))
}

/// Reads rows.
struct Separated {
    place: String,
    lines: Lines,
    separator: u8,
    /// The number of fields that a row is expected to have.
    columns: usize,
}

impl Separated {
    /// The next row, and the line on which it begins.
    fn row(&mut self) -> Result<Option<(usize, Fields)>> {
        while let Some(line) = self.lines.next().transpose()? {
            if line.text.is_empty() {
                continue;
            }
            let number = line.number;
            let has_quotes = self.separator == b',' && memchr(b'"', line.text.as_bytes()).is_some();
            return Ok(Some((number, if has_quotes { self.quoted_row(line)? } else { self.plain_row(line) })));
        }
        Ok(None)
    }

    fn plain_row(&self, line: Line) -> Fields {
        let mut ends = Vec::with_capacity(self.columns);
        ends.extend(memchr_iter(self.separator, line.text.as_bytes()));
        ends.push(line.text.len());
        Fields { text: line.text, ends }
    }

    fn quoted_row(&mut self, mut line: Line) -> Result<Fields> {
        let mut row = Fields { text: String::with_capacity(line.text.len()), ends: Vec::with_capacity(self.columns) };
        let mut at = 0;
        loop {
            if line.text.as_bytes().get(at) == Some(&b'"') {
                at = self.quoted_field(&mut line, at + 1, &mut row)?;
            } else {
                let rest = &line.text[at..];
                let field = &rest[..memchr(self.separator, rest.as_bytes()).unwrap_or(rest.len())];
                row.text.push_str(field);
                at += field.len();
            }
            row.ends.push(row.text.len());
            if at == line.text.len() {
                return Ok(row);
            }
            row.text.push(',');
            at += 1;
        }
    }

    /// Appends the field whose opening quote is before `at`, and gives the place after it; `line` becomes the line on
    /// which it ends.
    fn quoted_field(&mut self, line: &mut Line, mut at: usize, row: &mut Fields) -> Result<usize> {
        let (start, opened) = (row.text.len(), line.number);
        loop {
            let rest = &line.text[at..];
            let Some(length) = memchr(b'"', rest.as_bytes()) else {
                row.text.push_str(rest);
                row.text.push('\n');
                // A quote that is never closed would turn the rest of the file into one row.
                if row.text.len() > MAX_LINE {
                    return Err(limits::too_long(&format!("{}:{opened}", self.place), "rows of at most", MAX_LINE));
                }
                let next = self.lines.next().transpose()?;
                *line = next.ok_or_else(|| self.open_quote(opened, &row.text[start..]))?;
                at = 0;
                continue;
            };
            row.text.push_str(&rest[..length]);
            let after = rest[length + 1..].trim_start_matches(' ');
            if rest[length + 1..].starts_with('"') {
                row.text.push('"');
                at += length + 2;
            } else if after.is_empty() || after.as_bytes()[0] == self.separator {
                return Ok(line.text.len() - after.len());
            } else {
                return Err(self.stray_quote([opened, line.number], &row.text[start..], after));
            }
        }
    }

    fn open_quote(&self, opened: usize, field: &str) -> Error {
        let advice = advice_on_backslashes(field).unwrap_or(
            "close it, or write a quote at the start of a field as \"\"\" (TSV has no quotes: `format` tsv)",
        );
        let place = format!("{}:{opened}", self.place);
        Error::invalid(place, "a closing quote", "the end of the file within quotes", advice)
    }

    /// The error for text after a closing quote.
    fn stray_quote(&self, [opened, line]: [usize; 2], field: &str, after: &str) -> Error {
        let advice = advice_on_backslashes(field).unwrap_or(
            "put quotes around the whole field, and write each quote in it twice: \"\"Go\"\" (TSV has no quotes: \
             `format` tsv)",
        );
        let expected = match opened == line {
            true => "a comma or the end of the line after a closing quote".to_owned(),
            false => format!("a comma or the end of the line after the quote that closes the one of line {opened}"),
        };
        Error::invalid(format!("{}:{line}", self.place), expected, quoted(after), advice)
    }
}

fn advice_on_backslashes(field: &str) -> Option<&'static str> {
    let advice = "write a quote within quotes as \"\", not as \\\"";
    (field.ends_with('\\') || field.contains("\\\"")).then_some(advice)
}

#[cfg(test)]
mod tests {
    use super::super::{Rows, TableKind};
    use super::*;
    use std::io::Write;

    type Found = Vec<(usize, Vec<String>)>;

    fn read(text: &str, kind: TableKind) -> Result<Found> {
        let mut file = tempfile::NamedTempFile::new().unwrap();
        file.write_all(text.as_bytes()).unwrap();
        let rows = Rows::open(&Input::File(file.path().into()), Some(kind))?;
        let columns: Vec<_> = (0..).map_while(|at| rows.header().column(at)).collect();
        let texts =
            |row: &super::super::Row<'_>| columns.iter().map(|column| row.text(column).unwrap().into()).collect();
        rows.map(|row| row.map(|row| (row.line(), texts(&row)))).collect()
    }

    fn fault(text: &str) -> String {
        let message = read(text, TableKind::Csv).unwrap_err().to_string();
        message.split_once(':').unwrap().1.to_owned()
    }

    #[test]
    fn quotes_line_ends_and_blank_lines_of_csv() {
        let text = "a,b\r\n\r\n\"1,\"\"2\"\"\",x\"y\"\r\n\"one\r\ntwo\" ,\r\n,\"\"\n\"\"\"\",6";
        let expected = [(3, ["1,\"2\"", "x\"y\""]), (4, ["one\ntwo", ""]), (6, ["", ""]), (7, ["\"", "6"])];
        let expected = expected.map(|(line, fields)| (line, fields.map(str::to_owned).to_vec()));
        assert_eq!(read(text, TableKind::Csv).unwrap(), expected);
        assert!(fault("a,b\n1,2\n\n3\n").starts_with("4: expected 2 fields, as in the header, found 1; "));
    }

    #[test]
    fn text_after_a_closing_quote_is_an_error() {
        let told = "2: expected a comma or the end of the line after a closing quote, found 'Go,2'; put quotes around ";
        assert!(fault("a,b\n\"\" Go,2\n").starts_with(told));
        let swallowed = fault("a,b\n\"Stop it he said,2\n3,4\n\"Go\" she said,6\n");
        let told =
            "4: expected a comma or the end of the line after the quote that closes the one of line 2, found 'Go\"";
        assert!(swallowed.starts_with(told), "{swallowed}");
        for escaped in ["\"say \\\"go\\\" now\",2\n", "\"now \\\"go\\\"\",2\n", "\"say \\\"\",2\n"] {
            let message = fault(&format!("a,b\n{escaped}"));
            assert!(message.starts_with("2: expected a ") && message.contains("not as \\\""), "{message}");
        }
        let open = fault("a,b\n1,\"2\n3\n4,5\n");
        assert!(open.starts_with("2: expected a closing quote, found the end of the file within quotes; "), "{open}");
    }

    #[test]
    fn tsv_has_no_quotes() {
        let found = read("a\tb\n\"x\ty\nz\t\"q\"\n", TableKind::Tsv).unwrap();
        let expected = [(2, ["\"x", "y"]), (3, ["z", "\"q\""])];
        assert_eq!(found, expected.map(|(line, fields)| (line, fields.map(str::to_owned).to_vec())));
    }
}
