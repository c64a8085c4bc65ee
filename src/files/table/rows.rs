//! The one reader of tables, of every kind.

use std::sync::Arc;

use super::TableKind;
use super::readers::{self, NumberedCells};
use super::row::{Header, Row, check_names};
use crate::error::{Error, Result};
use crate::files::Input;

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
            TableKind::Csv => readers::csv(input)?,
            TableKind::Tsv => readers::tsv(input)?,
            TableKind::JsonLines => readers::json_lines(input)?,
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

    #[test]
    fn a_quote_that_is_never_closed_is_named() {
        let message = column("a,b\n1,\"x\n3,4\n5,6\n", TableKind::Csv, "a").unwrap_err().to_string();
        assert!(message.contains(":2: expected a closing quote"), "{message}");
    }
}
