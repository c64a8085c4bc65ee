//! Parquet files: their rows as names and values, and their bytes from cells.

use std::path::Path;
use std::sync::Arc;

use parquet::basic::{Compression as Codec, ConvertedType, Repetition, Type as Physical};
use parquet::data_type::{ByteArray, ByteArrayType, DataType, DoubleType, Int64Type};
use parquet::errors::ParquetError;
use parquet::file::metadata::ParquetMetaData;
use parquet::file::reader::{FileReader, SerializedFileReader};
use parquet::file::writer::{SerializedFileWriter, SerializedRowGroupWriter};
use parquet::record::reader::RowIter;
use parquet::schema::types::Type;
use serde_json::Value;

use super::row::{Cell, CellKind, Cells, Source};
use crate::error::{Error, Result};
use crate::files::compression::Compression;
use crate::files::input::{self, Input};
use crate::files::output::Output;

/// Rows per row group. A row group is held in memory.
const MAX_ROWS: usize = 1 << 14;

/// The columns of a file, and its rows, numbered from 1.
///
/// # Errors
/// The input is standard input, which cannot be read at random positions, or is not a Parquet file. While reading: a
/// damaged row.
pub(super) fn rows(input: &Input) -> Result<Source> {
    let Input::File(path) = input else {
        let advice = "name the file itself";
        return Err(Error::invalid(input.to_string(), "a file, as the table is Parquet", "standard input", advice));
    };
    if Compression::split_name(&path.to_string_lossy()).1.is_some() {
        return Err(not_read(path, "a compressed file", "decompress it: Parquet compresses its columns itself"));
    }
    let reader = SerializedFileReader::new(input::open_file(path)?).map_err(|error| damaged(path, &error))?;
    check_compression(path, reader.metadata())?;
    let schema = reader.metadata().file_metadata().schema();
    let columns = schema.get_fields().iter().map(|field| field.name().to_owned()).collect();
    let place = input.to_string();
    let rows = RowIter::from_file_into(Box::new(reader)).zip(1..).map(move |(row, number)| {
        let row = row.map_err(|error| damaged(Path::new(&place), &error))?;
        match row.to_json_value() {
            Value::Object(object) => Ok((number, Cells::Object(object.into_iter().collect()))),
            other => Err(Error::invalid(format!("{place}:{number}"), "a row of columns", other.to_string(), "")),
        }
    });
    Ok((columns, Box::new(rows)))
}

/// Checks that all columns are compressed in a way that is read.
fn check_compression(path: &Path, metadata: &ParquetMetaData) -> Result<()> {
    let mut columns = metadata.row_groups().iter().flat_map(|group| group.columns());
    let unread = columns.find_map(|column| match column.compression() {
        Codec::UNCOMPRESSED | Codec::SNAPPY | Codec::ZSTD(_) => None,
        Codec::GZIP(_) => Some("gzip"),
        Codec::BROTLI(_) => Some("brotli"),
        Codec::LZO => Some("lzo"),
        Codec::LZ4 | Codec::LZ4_RAW => Some("lz4"),
    });
    let Some(name) = unread else { return Ok(()) };
    Err(not_read(path, &format!("columns compressed with {name}"), "write it again with compression='zstd'"))
}

fn not_read(path: &Path, found: &str, advice: &str) -> Error {
    let expected = "Parquet without compression, or with snappy or zstd";
    Error::invalid(path.display().to_string(), expected, found, advice)
}

fn damaged(path: &Path, error: &ParquetError) -> Error {
    let advice = "write the table again, or as CSV";
    Error::invalid(path.display().to_string(), "a Parquet file", error.to_string(), advice)
}

/// Writes row groups into memory, from which [`Self::take`] moves them to the output.
pub(super) struct ParquetWriter {
    writer: SerializedFileWriter<Vec<u8>>,
    columns: Vec<ColumnCells>,
    rows: usize,
}

/// The cells of one column of a row group.
enum ColumnCells {
    Texts(Vec<Option<ByteArray>>),
    Integers(Vec<Option<i64>>),
    Numbers(Vec<Option<f64>>),
}

impl ParquetWriter {
    pub(super) fn new(columns: &[(&str, CellKind)]) -> Result<Self> {
        let fields = columns.iter().map(|(name, kind)| field(name, *kind).map(Arc::new)).collect::<Vec<_>>();
        let wrong = |error: ParquetError| damaged(Path::new("the columns"), &error);
        let fields = fields.into_iter().collect::<std::result::Result<_, _>>().map_err(wrong)?;
        let schema = Type::group_type_builder("table").with_fields(fields).build().map_err(wrong)?;
        let writer = SerializedFileWriter::new(Vec::new(), Arc::new(schema), Arc::default()).map_err(wrong)?;
        let columns = columns.iter().map(|(_, kind)| ColumnCells::new(*kind)).collect();
        Ok(Self { writer, columns, rows: 0 })
    }

    /// Adds a row; `None` if a cell does not fit its column.
    pub(super) fn write(&mut self, cells: &[Cell<'_>]) -> Option<()> {
        self.rows += 1;
        self.columns.iter_mut().zip(cells).try_for_each(|(column, cell)| column.push(cell))
    }

    pub(super) fn is_full(&self) -> bool {
        self.rows == MAX_ROWS
    }

    /// Writes the pending rows as a row group, and returns the bytes written since the last call.
    pub(super) fn take(&mut self, output: &Output) -> Result<Vec<u8>> {
        if self.rows > 0 {
            self.write_group().map_err(|error| damaged(output.place().as_ref(), &error))?;
            self.rows = 0;
        }
        Ok(std::mem::take(self.writer.inner_mut()))
    }

    fn write_group(&mut self) -> std::result::Result<(), ParquetError> {
        let mut group = self.writer.next_row_group()?;
        for column in &mut self.columns {
            column.write(&mut group)?;
        }
        group.close().map(|_| ())
    }

    /// The remaining bytes, with the file's footer.
    pub(super) fn finish(self, output: &Output) -> Result<Vec<u8>> {
        self.writer.into_inner().map_err(|error| damaged(output.place().as_ref(), &error))
    }
}

fn field(name: &str, kind: CellKind) -> std::result::Result<Type, ParquetError> {
    let (physical, converted) = match kind {
        CellKind::Text => (Physical::BYTE_ARRAY, ConvertedType::UTF8),
        CellKind::Integer => (Physical::INT64, ConvertedType::NONE),
        CellKind::Number => (Physical::DOUBLE, ConvertedType::NONE),
    };
    let builder = Type::primitive_type_builder(name, physical).with_converted_type(converted);
    builder.with_repetition(Repetition::OPTIONAL).build()
}

impl ColumnCells {
    fn new(kind: CellKind) -> Self {
        match kind {
            CellKind::Text => Self::Texts(Vec::new()),
            CellKind::Integer => Self::Integers(Vec::new()),
            CellKind::Number => Self::Numbers(Vec::new()),
        }
    }

    fn push(&mut self, cell: &Cell<'_>) -> Option<()> {
        match (self, cell) {
            (Self::Texts(cells), Cell::Empty) => cells.push(None),
            (Self::Texts(cells), Cell::Text(text)) => cells.push(Some(ByteArray::from(*text))),
            (Self::Texts(cells), Cell::Json(value)) => cells.push(Some(ByteArray::from(value.to_string().as_str()))),
            (Self::Integers(cells), Cell::Empty) => cells.push(None),
            (Self::Integers(cells), Cell::Integer(number)) => cells.push(Some(*number)),
            (Self::Numbers(cells), Cell::Empty) => cells.push(None),
            (Self::Numbers(cells), Cell::Number(number)) => cells.push(Some(*number)),
            _ => return None,
        }
        Some(())
    }

    fn write(&mut self, group: &mut SerializedRowGroupWriter<'_, Vec<u8>>) -> std::result::Result<(), ParquetError> {
        match self {
            Self::Texts(cells) => write_column::<ByteArrayType>(std::mem::take(cells), group),
            Self::Integers(cells) => write_column::<Int64Type>(std::mem::take(cells), group),
            Self::Numbers(cells) => write_column::<DoubleType>(std::mem::take(cells), group),
        }
    }
}

fn write_column<T: DataType>(
    cells: Vec<Option<T::T>>,
    group: &mut SerializedRowGroupWriter<'_, Vec<u8>>,
) -> std::result::Result<(), ParquetError> {
    let levels: Vec<i16> = cells.iter().map(|cell| i16::from(cell.is_some())).collect();
    let values: Vec<T::T> = cells.into_iter().flatten().collect();
    if let Some(mut column) = group.next_column()? {
        column.typed::<T>().write_batch(&values, Some(&levels), None)?;
        column.close()?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_no_parquet_is_refused() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("x.parquet");
        std::fs::write(&path, "PAR1 and no more PAR1").unwrap();
        let message = rows(&Input::File(path)).err().unwrap().to_string();
        assert!(message.contains("x.parquet: expected a Parquet file, found"), "{message}");
    }
}
