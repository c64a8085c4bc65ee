//! The one writer of tables. In: names of columns, then cells. Out: CSV, TSV, JSON Lines or Parquet, through an
//! [`Output`]. Next: the user.

use std::io;

use csv::{ByteRecord, Writer, WriterBuilder};
use serde_json::Value;

use super::cell::{Cell, CellKind};
use super::header::check_names;
use super::kind::TableKind;
#[cfg(feature = "parquet")]
use super::parquet::ParquetWriter;
use crate::error::{Error, Result, quoted};
use crate::files::Output;

/// Bytes that are collected before they are passed to the output.
const CHUNK: usize = 1 << 16;

/// Writes a table, one row at a time.
pub struct RowWriter {
    output: Output,
    format: Format,
    rows: usize,
}

enum Format {
    Csv {
        rows: Box<Writer<Vec<u8>>>,
        /// The approximate number of bytes in `rows`.
        size: usize,
    },
    Tsv(Vec<u8>),
    JsonLines {
        /// Encoded as JSON.
        names: Vec<String>,
        rows: Vec<u8>,
    },
    #[cfg(feature = "parquet")]
    Parquet(Box<ParquetWriter>),
}

impl RowWriter {
    /// Begins a table with these columns. Rows are buffered: they reach the output in chunks, or at [`Self::flush`].
    ///
    /// # Errors
    /// Two columns have the same name; a name cannot be written.
    pub fn begin(output: Output, kind: TableKind, columns: &[(&str, CellKind)]) -> Result<Self> {
        let names: Vec<String> = columns.iter().map(|(name, _)| (*name).to_owned()).collect();
        check_names(names.iter(), &output.place())?;
        let is_separated = matches!(kind, TableKind::Csv | TableKind::Tsv);
        let format = match kind {
            TableKind::Csv => Format::Csv { rows: csv_rows(), size: 0 },
            TableKind::Tsv => Format::Tsv(Vec::new()),
            TableKind::JsonLines => {
                let names = names.iter().map(|name| Value::from(name.as_str()).to_string()).collect();
                Format::JsonLines { names, rows: Vec::new() }
            }
            #[cfg(feature = "parquet")]
            TableKind::Parquet => Format::Parquet(Box::new(ParquetWriter::new(columns)?)),
        };
        let mut writer = Self { output, format, rows: 0 };
        if is_separated {
            let header: Vec<Cell<'_>> = names.iter().map(|name| Cell::Text(name)).collect();
            writer.write(&header)?;
            writer.rows = 0;
        }
        Ok(writer)
    }

    /// Writes a row with one cell per column.
    ///
    /// # Errors
    /// This kind of table cannot hold a cell; the disk is full.
    pub fn write(&mut self, cells: &[Cell<'_>]) -> Result<()> {
        self.rows += 1;
        let full = match &mut self.format {
            Format::Csv { rows, size } => {
                let mut fields = ByteRecord::new();
                let mut field = Vec::new();
                for cell in cells {
                    field.clear();
                    cell.append(&mut field).ok_or_else(|| list(&self.output, self.rows))?;
                    fields.push_field(&field);
                }
                rows.write_byte_record(&fields).map_err(|error| in_memory(&self.output, error.into()))?;
                *size += fields.as_slice().len() + fields.len();
                *size >= CHUNK
            }
            Format::Tsv(rows) => {
                write_tsv(rows, cells, || list(&self.output, self.rows), |text| tab(&self.output, self.rows, text))?;
                rows.len() >= CHUNK
            }
            Format::JsonLines { names, rows } => {
                write_object(rows, names, cells);
                rows.len() >= CHUNK
            }
            #[cfg(feature = "parquet")]
            Format::Parquet(writer) => {
                writer.write(cells).ok_or_else(|| list(&self.output, self.rows))?;
                writer.is_full()
            }
        };
        if full { self.hand_on() } else { Ok(()) }
    }

    /// Flushes what was written so far. Parquet ignores this: it writes many rows at a time.
    ///
    /// # Errors
    /// As [`Output::write`].
    pub fn flush(&mut self) -> Result<()> {
        #[cfg(feature = "parquet")]
        if matches!(self.format, Format::Parquet(_)) {
            return Ok(());
        }
        self.hand_on()?;
        self.output.flush()
    }

    /// Makes the table appear under its name.
    ///
    /// # Errors
    /// As [`Output::finish`].
    pub fn finish(mut self) -> Result<()> {
        self.hand_on()?;
        #[cfg(feature = "parquet")]
        if let Format::Parquet(writer) = self.format {
            let end = writer.finish(&self.output)?;
            self.output.write(&end)?;
        }
        self.output.finish()
    }

    fn hand_on(&mut self) -> Result<()> {
        let bytes = match &mut self.format {
            Format::Csv { rows, size } => {
                *size = 0;
                let full = std::mem::replace(rows, csv_rows());
                full.into_inner().map_err(|error| in_memory(&self.output, error.into_error()))?
            }
            Format::Tsv(rows) | Format::JsonLines { rows, .. } => std::mem::take(rows),
            #[cfg(feature = "parquet")]
            Format::Parquet(writer) => writer.take(&self.output)?,
        };
        self.output.write(&bytes)
    }
}

fn csv_rows() -> Box<Writer<Vec<u8>>> {
    Box::new(WriterBuilder::new().from_writer(Vec::with_capacity(CHUNK)))
}

fn write_tsv(
    rows: &mut Vec<u8>,
    cells: &[Cell<'_>],
    list: impl Fn() -> Error,
    tab: impl Fn(&str) -> Error,
) -> Result<()> {
    for (at, cell) in cells.iter().enumerate() {
        if let Cell::Text(text) = cell
            && text.contains(['\t', '\n', '\r'])
        {
            return Err(tab(text));
        }
        if at > 0 {
            rows.push(b'\t');
        }
        cell.append(rows).ok_or_else(&list)?;
    }
    rows.push(b'\n');
    Ok(())
}

fn write_object(rows: &mut Vec<u8>, names: &[String], cells: &[Cell<'_>]) {
    let mut next = b'{';
    for (name, cell) in names.iter().zip(cells) {
        let value = match *cell {
            Cell::Empty => continue,
            Cell::Text(text) => Value::from(text),
            Cell::Texts(texts) => Value::from(texts),
            Cell::Integer(number) => Value::from(number),
            Cell::Number(number) => Value::from(number),
        };
        rows.push(next);
        rows.extend_from_slice(format!("{name}:{value}").as_bytes());
        next = b',';
    }
    if next == b'{' {
        rows.push(next);
    }
    rows.extend_from_slice(b"}\n");
}

fn list(output: &Output, row: usize) -> Error {
    let place = format!("row {row} of {}", output.place());
    Error::invalid(
        place,
        "one text per cell",
        "a list of texts",
        "write JSON Lines, which can hold lists: -o FILE.jsonl",
    )
}

fn tab(output: &Output, row: usize, text: &str) -> Error {
    Error::invalid(
        format!("row {row} of {}", output.place()),
        "texts without tabs and line ends, which TSV cannot hold",
        quoted(text),
        "write CSV or JSON Lines: -o FILE.csv or FILE.jsonl",
    )
}

fn in_memory(output: &Output, error: io::Error) -> Error {
    Error::io(output.place().as_ref(), error, "write a row of the table")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::files::Input;
    use crate::files::table::rows::Rows;

    const COLUMNS: [(&str, CellKind); 3] =
        [("text", CellKind::Text), ("line", CellKind::Integer), ("value", CellKind::Number)];

    fn written(kind: TableKind, rows: &[&[Cell<'_>]]) -> Result<(tempfile::TempDir, Input)> {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("table");
        let mut writer = RowWriter::begin(Output::create(Some(&path))?, kind, &COLUMNS)?;
        rows.iter().try_for_each(|cells| writer.write(cells))?;
        writer.finish()?;
        Ok((folder, Input::File(path)))
    }

    #[test]
    fn every_kind_reads_back_what_it_wrote() {
        let row = [Cell::Text("a, \"b\""), Cell::Integer(-7), Cell::Number(0.1 + 0.2)];
        let empty = [Cell::Empty, Cell::Integer(1), Cell::Empty];
        for &kind in TableKind::ALL {
            let (_folder, input) = written(kind, &[&row[..], &empty[..]].repeat(20_000)).unwrap();
            let rows = Rows::open(&input, Some(kind)).unwrap();
            let [text, line, value] = ["text", "line", "value"].map(|name| rows.header().require(name).unwrap());
            for (at, row) in rows.map(Result::unwrap).enumerate() {
                let is_empty = at % 2 == 1;
                assert_eq!(row.optional(&text).unwrap().as_deref(), (!is_empty).then_some("a, \"b\""), "{kind:?}");
                assert_eq!(row.number(&line).unwrap(), if is_empty { 1.0 } else { -7.0 });
                assert_eq!(row.number(&value).ok(), (!is_empty).then_some(0.1 + 0.2));
            }
        }
    }

    #[test]
    fn what_has_no_place_is_refused() {
        let rest = [Cell::Empty; 2];
        let cells = |first| [&[first][..], &rest[..]].concat();
        let message = written(TableKind::Tsv, &[&cells(Cell::Text("a\tb"))]).unwrap_err().to_string();
        assert!(message.contains("expected texts without tabs and line ends"), "{message}");
        assert!(message.starts_with("row 1 of ") && message.contains("found 'a\\tb';"), "{message}");
        let texts = ["a".to_owned()];
        assert!(written(TableKind::Csv, &[&cells(Cell::Texts(&texts))]).is_err());
        assert!(written(TableKind::JsonLines, &[&cells(Cell::Texts(&texts))]).is_ok());
    }
}
