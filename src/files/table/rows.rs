//! The one reader of tables. In: a file and its kind. Out: [`Row`]s, one at a time. Next: [`crate::formats`].

use std::collections::VecDeque;
use std::sync::Arc;

use csv::StringRecord;

use super::header::{Header, check_names};
use super::kind::TableKind;
use super::row::{Cells, Object, Objects, Records, Row};
use super::{json_lines, separated};
use crate::error::{Error, Result};
use crate::files::Input;

/// Reads a table, one row at a time.
pub struct Rows {
    header: Header,
    source: Source,
}

enum Source {
    Records(Records),
    Objects { first: VecDeque<Object>, rest: Objects },
}

impl Rows {
    /// Opens a table; by default its kind follows from the file's ending.
    ///
    /// # Errors
    /// The file cannot be read or is not a table; two columns have the same name. While reading: a row of a different
    /// length, text that is not UTF-8, a quote that is never closed, a line that is not an object.
    pub fn open(input: &Input, kind: Option<TableKind>) -> Result<Self> {
        match kind.or_else(|| TableKind::of(input)) {
            Some(TableKind::Csv) => Self::of_records(input, separated::csv(input)?),
            Some(TableKind::Tsv) => Self::of_records(input, separated::tsv(input)?),
            Some(TableKind::JsonLines) => Self::of_objects(input, json_lines::objects(input)?),
            #[cfg(feature = "parquet")]
            Some(TableKind::Parquet) => {
                let (columns, rest) = super::parquet::objects(input)?;
                Self::new(input, columns, Source::Objects { first: VecDeque::new(), rest })
            }
            None => Err(Error::invalid(
                input.to_string(),
                "a table that ends in .csv, .tsv or .jsonl",
                "another ending",
                "name the format: --format csv, tsv or jsonl",
            )),
        }
    }

    fn of_records(input: &Input, (header, records): (StringRecord, Records)) -> Result<Self> {
        let columns = header.iter().map(|name| name.trim().to_owned()).collect();
        Self::new(input, columns, Source::Records(records))
    }

    fn of_objects(input: &Input, mut rest: Objects) -> Result<Self> {
        let first = rest.next().transpose()?;
        let columns = first.iter().flat_map(|(_, cells)| cells).map(|(name, _)| name.clone()).collect();
        Self::new(input, columns, Source::Objects { first: first.into_iter().collect(), rest })
    }

    fn new(input: &Input, columns: Vec<String>, source: Source) -> Result<Self> {
        let place = input.to_string();
        check_names(columns.iter(), &format!("{place}:1"))?;
        let has_own_names = matches!(source, Source::Objects { .. });
        Ok(Self { header: Header::new(&place, columns, has_own_names), source })
    }

    /// The names of the columns.
    pub fn header(&self) -> &Header {
        &self.header
    }
}

impl Iterator for Rows {
    type Item = Result<Row<'static>>;

    fn next(&mut self) -> Option<Self::Item> {
        let row = match &mut self.source {
            Source::Records(records) => records.next()?.map(|(line, record)| (line, Cells::Record(record))),
            Source::Objects { first, rest } => {
                let object = first.pop_front().map(Ok).or_else(|| rest.next())?;
                object.map(|(line, object)| (line, Cells::Object(object)))
            }
        };
        let place = Arc::clone(&self.header.place);
        Some(row.map(|(line, cells)| Row { line, place, cells }))
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
