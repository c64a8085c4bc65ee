//! What a format of judgments is: how it is recognised, described, configured and opened.

use super::import::Importer;
use super::scores::ScoredSegments;
use super::signals::SignalSource;
use crate::error::Result;
use crate::files::Input;
use crate::files::table::TableKind;
use crate::options::{OptionSpec, Options, Value};

/// A file format for judgments.
#[derive(Debug)]
pub struct Format {
    /// Its name in `--format` and `import`.
    pub name: &'static str,
    /// What it is: one line without a full stop.
    pub about: &'static str,
    /// Further explanation in full sentences; may be empty.
    pub details: &'static str,
    /// A small example file; where texts are kept in separate files, those of the systems `A` and `B`. For help, tests
    /// and fuzzing.
    pub sample: &'static str,
    /// Useful import options, for the example in the help.
    pub example: &'static str,
    /// The endings of its files, in lower case and without the dot.
    pub endings: &'static [&'static str],
    /// The kind of table, if the format is a table of one kind.
    pub table: Option<TableKind>,
    /// How its rows are used.
    pub role: Role,
    /// The options that it takes.
    pub options: &'static [&'static OptionSpec],
    /// Opens a file of this format.
    ///
    /// # Errors
    /// The file cannot be read, or is not of this format.
    pub open: fn(&Input, &Reading) -> Result<Importer>,
    /// Reads the texts of a file with human scores, for formats that score each system's segments.
    ///
    /// # Errors
    /// As `open`, and any error while reading.
    pub scores: Option<fn(&Input, &Options) -> Result<ScoredSegments>>,
}

/// What the rows of a file are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Role {
    /// Pairs, with or without labels.
    Pairs,
    /// Other judgments, which `import` turns into pairs.
    Judgments,
}

impl PartialEq for Format {
    fn eq(&self, other: &Self) -> bool {
        self.name == other.name
    }
}

/// A file of predictions beside a file of pairs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PredictionFile {
    /// What its verdicts are called.
    pub name: String,
    /// The file, as `predict` writes it.
    pub file: Input,
}

/// How a file of judgments is read.
#[derive(Debug, Clone, Default)]
pub struct Reading {
    /// The format; `None` to infer it from the ending of the file's name.
    pub format: Option<&'static Format>,
    /// Values of [`READING`](super::READING), or of other options of the format.
    pub options: Options,
    /// The signals of other programs, and where their values are.
    pub signals: Vec<SignalSource>,
    /// The column whose values a report is broken down by.
    pub by_column: Option<String>,
    /// Predictions in files beside the pairs, which become verdicts under their names.
    pub predictions: Vec<PredictionFile>,
    /// Whether people's labels are wanted. A label that cannot be read is then an error, and not skipped; where the
    /// preferred hypothesis is always the first, the order of the hypotheses is drawn, and not that of the file.
    pub needs_labels: bool,
    /// Whether pairs need no texts where their systems are known: each row is then a group of its own, unless it has a prompt
    /// or a group.
    pub may_lack_texts: bool,
    /// Whether pairs have their ids in the place of texts, as labels of pairs that are elsewhere have them.
    pub has_ids_for_texts: bool,
    /// Whether labels do not matter: no row is then read ahead for their scale.
    pub ignores_labels: bool,
    /// Whether somebody else merges the rows of each pair, together with those of other files.
    pub is_unmerged: bool,
}

impl From<Option<&'static Format>> for Reading {
    fn from(format: Option<&'static Format>) -> Self {
        Self { format, ..Self::default() }
    }
}

/// The kind of table, for formats in tables of any kind. The command line offers it for all its commands.
pub const TABLE_KIND: OptionSpec = OptionSpec {
    name: "format",
    value: Value::One { placeholder: "KIND", default: None, check: check_table_kind },
    help: "Format of the table [default: from the file extension]",
};

fn check_table_kind(text: &str) -> std::result::Result<(), String> {
    let names = TableKind::ALL.iter().map(|kind| kind.name()).collect::<Vec<_>>().join(", ");
    TableKind::named(text).map(|_| ()).ok_or_else(|| format!("a table is one of {names}"))
}

/// The kind of table that the options ask for.
pub(crate) fn table_kind(options: &Options) -> Option<TableKind> {
    options.text(&TABLE_KIND).and_then(TableKind::named)
}
