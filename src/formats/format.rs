//! What a format says of itself. In: one constant a format. Out: how it is recognised, asked for and opened. Next:
//! [`super::registry`].

use super::importer::Importer;
use super::judged_texts::JudgedTexts;
use crate::error::Result;
use crate::files::Input;
use crate::files::table::TableKind;
use crate::options::{OptionSpec, Options, Value};

/// How judgments are written in a file.
#[derive(Debug)]
pub struct Format {
    /// What `--format` and `import` call it.
    pub name: &'static str,
    /// What it is, in a line without a full stop.
    pub about: &'static str,
    /// What else there is to know, in full sentences; empty if nothing.
    pub details: &'static str,
    /// A small file of it, with texts of the systems `A` and `B` where they stand elsewhere; for help, tests and
    /// fuzzing.
    pub sample: &'static str,
    /// Options of an import that are of use, for help.
    pub example: &'static str,
    /// The endings of its files, in lower case and without the dot.
    pub endings: &'static [&'static str],
    /// How the table is written, if it is a table of one kind.
    pub table: Option<TableKind>,
    /// What becomes of its rows.
    pub role: Role,
    /// What it can be asked for.
    pub options: &'static [&'static OptionSpec],
    /// Opens a file of it.
    ///
    /// # Errors
    /// The file cannot be read, or is not of this format.
    pub open: fn(&Input, &Options) -> Result<Box<dyn Importer>>,
    /// Reads the texts of a file with people's scores, for formats that have scores of each system's segments.
    ///
    /// # Errors
    /// As `open`, and while reading.
    pub scores: Option<fn(&Input, &Options) -> Result<JudgedTexts>>,
}

/// What becomes of the rows of a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Role {
    /// They are pairs, with or without labels.
    Pairs,
    /// They are judgments of another kind, of which `import` makes pairs.
    Judgments,
}

impl PartialEq for Format {
    fn eq(&self, other: &Self) -> bool {
        self.name == other.name
    }
}

/// For formats in tables of any kind: which kind it is. The command line has it for all its commands.
pub const TABLE_KIND: OptionSpec = OptionSpec {
    name: "format",
    value: Value::One { placeholder: "KIND", default: None, check: check_table_kind },
    help: "How the table is written [default: what the file's ending says]",
};

fn check_table_kind(text: &str) -> std::result::Result<(), String> {
    let names = TableKind::ALL.iter().map(|kind| kind.name()).collect::<Vec<_>>().join(", ");
    TableKind::named(text).map(|_| ()).ok_or_else(|| format!("a table is one of {names}"))
}

/// The kind of table that is asked for.
pub(crate) fn table_kind(options: &Options) -> Option<TableKind> {
    options.text(&TABLE_KIND).and_then(TableKind::named)
}
