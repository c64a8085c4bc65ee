//! The tables of a report as CSV, and the report with its sections as JSON, with all digits.

use serde::Serialize;

use super::Section;
use super::table::Table;
use crate::error::{Error, Result};
use crate::files::table::write_record;

/// A table as CSV, with its header.
pub fn csv(table: &Table<'_>) -> Vec<u8> {
    let mut csv = Vec::new();
    write_record(&mut csv, table.names());
    table.rows.iter().for_each(|row| write_record(&mut csv, table.fields(row).iter().map(ToString::to_string)));
    csv
}

/// The report as JSON: all its figures, and `sections`, a list of what the page says.
///
/// # Errors
/// A value cannot be written, which is a bug.
pub fn json<R: Serialize>(report: &R, sections: &[Section<'_>]) -> Result<String> {
    #[derive(Serialize)]
    struct Whole<'r, R> {
        #[serde(flatten)]
        report: &'r R,
        sections: &'r [Section<'r>],
    }
    let json = serde_json::to_string(&Whole { report, sections });
    json.map_err(|error| Error::invalid("report", "numbers and texts", error.to_string(), "report this as a bug"))
}
