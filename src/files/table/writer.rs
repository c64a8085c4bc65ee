//! The one writer of tables, of every kind.

use std::io::Write;

use csv::{ByteRecord, Writer};
use serde_json::Value;
use zmij::Buffer;

use super::TableKind;
#[cfg(feature = "parquet")]
use super::parquet::ParquetWriter;
use super::row::{Cell, CellKind, check_names};
use crate::error::{Error, Result, quoted};
use crate::files::Output;

/// Bytes that are collected before they are passed to the output.
const CHUNK: usize = 1 << 16;

/// Writes a table, one row at a time.
pub struct RowWriter {
    output: Output,
    format: Format,
    /// What was not yet passed to the output.
    pending: Vec<u8>,
    rows: usize,
}

enum Format {
    Csv,
    Tsv,
    /// With the names of the columns, encoded as JSON.
    JsonLines(Vec<String>),
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
        let format = match kind {
            TableKind::Csv => Format::Csv,
            TableKind::Tsv => Format::Tsv,
            TableKind::JsonLines => {
                Format::JsonLines(names.iter().map(|name| Value::from(name.as_str()).to_string()).collect())
            }
            #[cfg(feature = "parquet")]
            TableKind::Parquet => Format::Parquet(Box::new(ParquetWriter::new(columns)?)),
        };
        let mut writer = Self { output, format, pending: Vec::with_capacity(CHUNK), rows: 0 };
        if matches!(kind, TableKind::Csv | TableKind::Tsv) {
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
        let written = match &mut self.format {
            Format::Csv => write_csv(&mut self.pending, cells),
            Format::Tsv => {
                let is_unfit = |cell: &Cell<'_>| matches!(cell, Cell::Text(text) if text.contains(['\t', '\n', '\r']));
                if let Some(Cell::Text(text)) = cells.iter().find(|cell| is_unfit(cell)) {
                    return Err(self.refused(
                        "texts without tabs and line ends, which TSV cannot hold",
                        &quoted(text),
                        "write CSV or JSON Lines: `output` FILE.csv or FILE.jsonl",
                    ));
                }
                write_tsv(&mut self.pending, cells)
            }
            Format::JsonLines(names) => {
                write_object(&mut self.pending, names, cells);
                Some(())
            }
            #[cfg(feature = "parquet")]
            Format::Parquet(writer) => {
                let written = writer.write(cells);
                if writer.is_full() {
                    self.pending.extend(writer.take(&self.output)?);
                }
                written
            }
        };
        written.ok_or_else(|| {
            let advice = "write JSON Lines, which can hold lists: `output` FILE.jsonl";
            self.refused("one text per cell", "a list of texts", advice)
        })?;
        if self.pending.len() >= CHUNK { self.hand_on() } else { Ok(()) }
    }

    fn refused(&self, expected: &str, found: &str, advice: &str) -> Error {
        Error::invalid(format!("row {} of {}", self.rows, self.output.place()), expected, found, advice)
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
        if let Format::Parquet(mut writer) = self.format {
            self.output.write(&writer.take(&self.output)?)?;
            let end = writer.finish(&self.output)?;
            self.output.write(&end)?;
        }
        self.output.finish()
    }

    fn hand_on(&mut self) -> Result<()> {
        self.output.write(&self.pending)?;
        self.pending.clear();
        Ok(())
    }
}

fn write_csv(rows: &mut Vec<u8>, cells: &[Cell<'_>]) -> Option<()> {
    let text = |cell: &Cell<'_>| {
        let mut text = Vec::new();
        cell.append(&mut text).map(|()| text)
    };
    let record: ByteRecord = cells.iter().map(text).collect::<Option<_>>()?;
    write_record(rows, &record);
    Some(())
}

/// Appends a record of CSV, whose fields are quoted only where they must be.
pub(crate) fn write_record<F: AsRef<[u8]>>(rows: &mut Vec<u8>, fields: impl IntoIterator<Item = F>) {
    // Writing into memory cannot fail.
    let _ = Writer::from_writer(rows).write_record(fields);
}

fn write_tsv(rows: &mut Vec<u8>, cells: &[Cell<'_>]) -> Option<()> {
    for (at, cell) in cells.iter().enumerate() {
        if at > 0 {
            rows.push(b'\t');
        }
        cell.append(rows)?;
    }
    rows.push(b'\n');
    Some(())
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
            Cell::Json(value) => value.clone(),
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

impl Cell<'_> {
    /// Appends the cell as text; `None`, with nothing appended, for several texts.
    fn append(&self, to: &mut Vec<u8>) -> Option<()> {
        match *self {
            Self::Empty => {}
            Self::Text(text) => to.extend_from_slice(text.as_bytes()),
            Self::Texts(_) => return None,
            Self::Integer(number) => append_displayed(&number, to),
            Self::Number(number) => append_number(number, to),
            Self::Json(value) => append_displayed(value, to),
        }
        Some(())
    }
}

/// Halfway between two shortest decimals, from 2^49 on, zmij chooses the even digit and `Display` the larger one.
const LARGE: f64 = 1e14;

/// Appends a number exactly as `Display` writes it. With that alone, `features` takes 1.2 times as many instructions on
/// the sample.
fn append_number(number: f64, to: &mut Vec<u8>) {
    let mut buffer = Buffer::new();
    let text = buffer.format(number);
    if number.abs() < LARGE && !text.contains('e') {
        to.extend_from_slice(text.strip_suffix(".0").unwrap_or(text).as_bytes());
    } else {
        append_displayed(&number, to);
    }
}

fn append_displayed(number: &dyn std::fmt::Display, to: &mut Vec<u8>) {
    // Writing into memory cannot fail.
    let _ = write!(to, "{number}");
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    use crate::files::Input;
    use crate::files::table::Rows;

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
    fn fields_are_quoted_where_they_must_be() {
        let mut csv = Vec::new();
        write_record(&mut csv, ["plain", "", "a,b", "\"quoted\"", "two\nlines", " "]);
        write_record(&mut csv, [""]);
        assert_eq!(csv, b"plain,,\"a,b\",\"\"\"quoted\"\"\",\"two\nlines\", \n\"\"\n");
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

    fn appended(number: f64) -> String {
        let mut text = Vec::new();
        Cell::Number(number).append(&mut text);
        String::from_utf8(text).unwrap()
    }

    #[test]
    fn numbers_at_the_edges_are_as_displayed() {
        let tie = 827_321_363_152_393.2;
        for number in
            [0.0, -0.0, 1.0, 1e15, 1e16, 1e17, 1e300, 5e-324, 1e-5, 1e-4, 0.1 + 0.2, tie, f64::NAN, f64::INFINITY]
        {
            assert_eq!(appended(number), number.to_string());
            assert_eq!(appended(-number), (-number).to_string());
        }
    }

    proptest! {
        #[test]
        fn numbers_are_as_displayed(bits in any::<u64>(), score in 0.0..100.0_f64, whole in -1_000_000..1_000_000_i32) {
            for number in [f64::from_bits(bits), score, score / 100.0, f64::from(whole)] {
                prop_assert_eq!(appended(number), number.to_string());
            }
        }
    }
}
