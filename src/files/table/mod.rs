//! Tables: files with named columns, read by [`Rows`] and written by [`RowWriter`].
//!
//! All kinds of tables follow the same rules: column names are unique; a cell is a text, a list of texts, a number, or
//! empty. The kinds differ as follows:
//!
//! - CSV: a header, then one row per line; quoted fields may hold commas and line ends.
//! - TSV: a header, then one row per line; there is no quoting, so a field can hold neither tabs nor line ends.
//! - JSON Lines: one object per line; each may have keys of its own.
//! - Parquet (cargo feature `parquet`): columns with types.

#[cfg(feature = "parquet")]
mod parquet;
mod row;
mod rows;
mod separated;
mod writer;

pub use row::{Cell, CellKind, Column, Header, Row};
pub use rows::Rows;
pub use writer::RowWriter;
pub(crate) use writer::write_record;

use std::path::Path;

use crate::error::{Error, Result, quoted};
use crate::files::{Input, is_stream};

/// The file format of a table.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TableKind {
    /// Comma-separated values with a header.
    Csv,
    /// Tab-separated values with a header, without quoting.
    Tsv,
    /// JSON Lines: one object per line.
    JsonLines,
    /// Parquet.
    #[cfg(feature = "parquet")]
    Parquet,
}

impl TableKind {
    /// All kinds.
    pub const ALL: &[Self] = &[
        Self::Csv,
        Self::Tsv,
        Self::JsonLines,
        #[cfg(feature = "parquet")]
        Self::Parquet,
    ];

    /// Its name in options.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Csv => "csv",
            Self::Tsv => "tsv",
            Self::JsonLines => "jsonl",
            #[cfg(feature = "parquet")]
            Self::Parquet => "parquet",
        }
    }

    /// The endings of its file names, in lower case and without the dot.
    pub const fn endings(self) -> &'static [&'static str] {
        match self {
            Self::Csv => &["csv"],
            Self::Tsv => &["tsv"],
            Self::JsonLines => &["jsonl", "ndjson"],
            #[cfg(feature = "parquet")]
            Self::Parquet => &["parquet"],
        }
    }

    /// The kind with this name in options.
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|kind| kind.name() == name)
    }

    /// The kind that the ending of a file's name indicates; the ending of its compression is ignored.
    pub fn from_name(input: &Input) -> Option<Self> {
        let ending = ending(input);
        Self::ALL.iter().copied().find(|kind| kind.endings().contains(&ending.as_str()))
    }

    /// The kind that the name of an output shows; `otherwise` for standard output, pipes and names without an extension.
    ///
    /// # Errors
    /// The name is that of another file than a table.
    pub fn of_output(output: Option<&Path>, otherwise: Self) -> Result<Self> {
        let Some(path) = output.filter(|path| *path != Path::new("-") && !is_stream(path)) else {
            return Ok(otherwise);
        };
        let file = Input::File(path.to_owned());
        match Self::from_name(&file) {
            Some(kind) => Ok(kind),
            None if ending(&file).is_empty() => Ok(otherwise),
            None => {
                let endings: Vec<String> =
                    Self::ALL.iter().flat_map(|kind| kind.endings()).map(|ending| format!(".{ending}")).collect();
                let advice = format!("use one of the extensions {}", endings.join(", "));
                Err(Error::invalid("`output`", "a file name for a table", quoted(&file.name()), advice))
            }
        }
    }
}

/// The ending of files with an array of objects, which are read as JSON Lines are, but never written.
pub(crate) const JSON: &str = "json";

/// The ending of a file's name, in lower case and without that of its compression; empty if there is none.
pub(crate) fn ending(input: &Input) -> String {
    input.plain_name().rsplit_once('.').map(|(_, ending)| ending.to_lowercase()).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_ending_tells_the_kind() {
        let of_name = |name: &str| TableKind::from_name(&name.parse().unwrap());
        assert_eq!(of_name("a.CSV"), Some(TableKind::Csv));
        assert_eq!(of_name("out/a.tsv.gz"), Some(TableKind::Tsv));
        assert_eq!(of_name("a.ndjson"), Some(TableKind::JsonLines));
        assert_eq!(of_name("a.pairs"), None);
        assert_eq!(of_name("csv"), None);
        for &kind in TableKind::ALL {
            assert_eq!(TableKind::named(kind.name()), Some(kind));
        }
    }
}
