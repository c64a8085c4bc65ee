//! Parquet tables, as JSON objects. Only with the cargo feature `parquet`.

use std::fs::File;
use std::path::Path;

use parquet::file::reader::SerializedFileReader;
use parquet::record::reader::RowIter;
use serde_json::{Map, Value};

use super::input::Input;
use crate::error::{Error, Result};

/// The rows of a file, numbered from 1.
///
/// # Errors
/// Standard input, which can not be read back and forth; a file that is no Parquet. While reading: a damaged row.
pub fn objects(input: &Input) -> Result<Box<dyn Iterator<Item = Result<(usize, Map<String, Value>)>> + Send>> {
    let Input::File(path) = input else {
        let advice = "name the file itself";
        return Err(Error::invalid(input.to_string(), "a file, where a table is Parquet", "standard input", advice));
    };
    let place = input.to_string();
    let file = File::open(path).map_err(|error| Error::io(path, error, "open the file"))?;
    let reader = SerializedFileReader::new(file).map_err(|error| damaged(path, &error))?;
    let rows = RowIter::from_file_into(Box::new(reader));
    Ok(Box::new(rows.zip(1..).map(move |(row, number)| {
        let row = row.map_err(|error| damaged(Path::new(&place), &error))?;
        match row.to_json_value() {
            Value::Object(object) => Ok((number, object)),
            other => Err(Error::invalid(format!("{place}:{number}"), "a row of columns", other.to_string(), "mend it")),
        }
    })))
}

fn damaged(path: &Path, error: &parquet::errors::ParquetError) -> Error {
    let advice = "write the table anew, or as CSV";
    Error::invalid(path.display().to_string(), "a Parquet file", error.to_string(), advice)
}

#[cfg(test)]
mod tests {
    use super::super::rows::Rows;
    use super::*;
    use crate::formats::pairs::Format;
    use crate::formats::tables::{Columns, Layout, Scored};
    use crate::formats::{Pairs, Preference};
    use std::sync::Arc;

    use parquet::data_type::{ByteArray, ByteArrayType, DoubleType};
    use parquet::file::writer::SerializedFileWriter;
    use parquet::schema::parser::parse_message_type;

    fn write(path: &Path) {
        let schema = "message m { required binary mt (UTF8); required binary ref (UTF8); required double score; }";
        let schema = Arc::new(parse_message_type(schema).unwrap());
        let mut writer = SerializedFileWriter::new(File::create(path).unwrap(), schema, Arc::default()).unwrap();
        let mut group = writer.next_row_group().unwrap();
        for texts in [["ein", "zwei", "drei"], ["r", "r", "s"]] {
            let mut column = group.next_column().unwrap().unwrap();
            let texts = texts.map(ByteArray::from);
            column.typed::<ByteArrayType>().write_batch(&texts, None, None).unwrap();
            column.close().unwrap();
        }
        let mut column = group.next_column().unwrap().unwrap();
        column.typed::<DoubleType>().write_batch(&[0.25, 0.75, 1.0], None, None).unwrap();
        column.close().unwrap();
        group.close().unwrap();
        writer.close().unwrap();
    }

    #[test]
    fn a_table_of_scores_becomes_pairs() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("x.parquet");
        write(&path);
        let input = Input::File(path);
        let rows = Rows::open(&input, None).unwrap();
        assert_eq!(Format::of(&input), Format::Parquet);
        let columns = Columns::default();
        assert_eq!(columns.layout(&rows).unwrap(), Layout::Scored);
        let pairs: Vec<_> =
            Pairs::of(Scored::of(rows, columns), Preference::default()).map(|pair| pair.unwrap()).collect();
        assert_eq!(pairs.len(), 1);
        let better = pairs[0].hypotheses.iter().position(|text| text == "zwei").unwrap();
        assert_eq!(pairs[0].label.unwrap().sign(), [1, -1][better]);
    }

    #[test]
    fn what_is_no_parquet_is_refused() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("x.parquet");
        std::fs::write(&path, "PAR1 and no more PAR1").unwrap();
        let message = objects(&Input::File(path)).err().unwrap().to_string();
        assert!(message.contains("x.parquet: expected a Parquet file, found"), "{message}");
    }
}
