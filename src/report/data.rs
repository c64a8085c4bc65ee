//! The tables of a report as CSV, and the report with its sections as JSON, with all digits.

use std::fmt::{Display, Write};

use serde::Serialize;

use super::table::Table;
use super::{Report, Section, sections};
use crate::error::{Error, Result};

/// A table as CSV, with its header.
pub fn csv(table: &Table<'_>) -> String {
    let mut csv = String::new();
    write_record(&mut csv, table.names());
    for row in &table.rows {
        write_record(&mut csv, table.fields(row));
    }
    csv
}

/// Adds a record to CSV. Fields are quoted only where they must be, as RFC 4180 has it.
pub fn write_record(csv: &mut String, fields: impl IntoIterator<Item: Display>) {
    let start = csv.len();
    for (at, field) in fields.into_iter().enumerate() {
        let field = field.to_string();
        let quote = if field.contains(['"', ',', '\n', '\r']) { "\"" } else { "" };
        // Writing to a String cannot fail.
        let _ = write!(csv, "{}{quote}{}{quote}", if at > 0 { "," } else { "" }, field.replace('"', "\"\""));
    }
    // A line without any character would be no record.
    csv.push_str(if csv.len() == start { "\"\"\n" } else { "\n" });
}

/// The report as JSON: all its figures, and `sections`, a list of what the page says.
///
/// # Errors
/// A value cannot be written, which is a bug.
pub fn json(report: &Report) -> Result<String> {
    #[derive(Serialize)]
    struct Whole<'r> {
        #[serde(flatten)]
        report: &'r Report,
        sections: Vec<Section<'r>>,
    }
    let json = serde_json::to_string(&Whole { report, sections: sections::of_report(report) });
    json.map_err(|error| Error::invalid("report", "numbers and texts", error.to_string(), "report this as a bug"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_are_quoted_where_they_must_be() {
        let mut csv = String::new();
        write_record(&mut csv, ["plain", "", "a,b", "\"quoted\"", "two\nlines", " "]);
        write_record(&mut csv, [""]);
        assert_eq!(csv, "plain,,\"a,b\",\"\"\"quoted\"\"\",\"two\nlines\", \n\"\"\n");
    }
}
