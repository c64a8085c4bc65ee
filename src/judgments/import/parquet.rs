//! Parquet tables, as JSON objects. Only with the cargo feature `parquet`.

use std::fs::File;
use std::path::Path;

use parquet::file::reader::SerializedFileReader;
use parquet::record::reader::RowIter;
use serde_json::{Map, Value};

use super::super::input::Input;
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
