//! The names of a table's columns. In: names. Out: [`Column`]s, looked up once for all rows. Next: [`super::row`].

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use crate::error::{Error, Fault, Result, joined, quoted};

/// A column of a table, looked up once for all rows.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Column {
    pub(super) name: Box<str>,
    /// Its position in the header, or among the keys of the first object.
    pub(super) at: usize,
}

impl Column {
    /// Its name.
    pub fn name(&self) -> &str {
        &self.name
    }
}

/// The names of a table's columns, and their positions.
#[derive(Debug, Clone)]
pub struct Header {
    pub(super) place: Arc<str>,
    columns: Vec<String>,
    /// The position of each column.
    places: HashMap<Box<str>, usize>,
    has_own_names: bool,
    /// The line of the header as a suffix of the place, if the table has one.
    line: &'static str,
}

impl Header {
    /// The header of a file, or the keys of its first object: each row may then have keys of its own.
    pub(super) fn new(place: &str, columns: Vec<String>, has_own_names: bool) -> Self {
        let places = columns.iter().zip(0..).map(|(name, at)| (name.as_str().into(), at)).collect();
        Self { place: place.into(), columns, places, has_own_names, line: ":1" }
    }

    /// The header of a table in memory, which errors call `place`.
    ///
    /// # Errors
    /// Two columns have the same name.
    pub(crate) fn in_memory(place: &str, columns: Vec<String>) -> Result<Self> {
        check_names(columns.iter(), place)?;
        Ok(Self { line: "", ..Self::new(place, columns, false) })
    }

    /// Whether the table is in memory, and not a file.
    pub(crate) fn is_in_memory(&self) -> bool {
        self.line.is_empty()
    }

    /// The names in the header, or the keys of the first object.
    pub fn columns(&self) -> &[String] {
        &self.columns
    }

    /// Whether each row has keys of its own, so that a later row may have columns that the first lacks.
    pub fn has_own_names(&self) -> bool {
        self.has_own_names
    }

    /// Whether the header, or the first object, has a column.
    pub fn has(&self, name: &str) -> bool {
        self.places.contains_key(name)
    }

    /// A column, or `None` if the table cannot have it. JSON Lines can have any column, since each line has keys of its
    /// own.
    pub fn find(&self, name: &str) -> Option<Column> {
        let at = self.places.get(name).copied();
        let at = at.or(self.has_own_names.then_some(usize::MAX))?;
        Some(Column { name: name.into(), at })
    }

    /// The column of one of [`Self::columns`], by its place among them.
    pub fn column(&self, at: usize) -> Option<Column> {
        self.columns.get(at).map(|name| Column { name: name.as_str().into(), at })
    }

    /// A column that must be in the header, or in the first object.
    ///
    /// # Errors
    /// It is not there.
    pub fn require(&self, name: &str) -> Result<Column> {
        self.require_or(name, "check the names of the columns, and the format")
    }

    /// As [`Self::require`], with advice of the caller's.
    pub(crate) fn require_or(&self, name: &str, advice: &str) -> Result<Column> {
        self.find(name).filter(|_| self.has(name)).ok_or_else(|| {
            self.missing(
                &format!("a column {}", quoted(name)),
                format!("the columns {}", joined(&self.columns)),
                advice,
            )
        })
    }

    /// The error for a missing column.
    pub(crate) fn missing(&self, expected: &str, found: String, advice: &str) -> Error {
        Error::invalid(self.names_place(), expected, found, advice).because(Fault::MissingColumn)
    }

    /// The file, for messages.
    pub fn place(&self) -> &str {
        &self.place
    }

    /// The place of the header, for messages.
    pub(crate) fn names_place(&self) -> String {
        format!("{}{}", self.place, self.line)
    }
}

/// Checks that no name occurs twice. Columns without a name are exempt: some tables have many, and they are never read.
pub(super) fn check_names<'n>(names: impl Iterator<Item = &'n String>, place: &str) -> Result<()> {
    let mut seen = HashSet::new();
    for name in names.filter(|name| !name.is_empty()) {
        if !seen.insert(name) {
            let found = format!("two columns {}", quoted(name));
            return Err(Error::invalid(place, "distinct column names", found, "rename or remove one of them"));
        }
    }
    Ok(())
}
