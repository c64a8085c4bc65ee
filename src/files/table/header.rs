//! What a table's columns are called. In: names. Out: [`Column`]s, found once for all rows. Next: [`super::row`].

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use crate::error::{Error, Fault, Result, listed, shown};

/// A column of a table, found once for all rows.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Column {
    pub(super) name: Box<str>,
    /// Its place in the header, or among the names of the first object.
    pub(super) at: usize,
}

impl Column {
    /// What it is called.
    pub fn name(&self) -> &str {
        &self.name
    }
}

/// The names of a table's columns, and where they stand.
#[derive(Debug, Clone)]
pub struct Header {
    pub(super) place: Arc<str>,
    columns: Vec<String>,
    /// Where each of them stands.
    places: HashMap<Box<str>, usize>,
    has_own_names: bool,
    /// The line of the names, where they stand in one.
    line: &'static str,
}

impl Header {
    /// The header of a file, or the names in its first object: each row may then have names of its own.
    pub(super) fn new(place: &str, columns: Vec<String>, has_own_names: bool) -> Self {
        let places = columns.iter().zip(0..).map(|(name, at)| (name.as_str().into(), at)).collect();
        Self { place: place.into(), columns, places, has_own_names, line: ":1" }
    }

    /// The header of a table in memory, which errors call `place`.
    ///
    /// # Errors
    /// Two columns have one name.
    pub(crate) fn in_memory(place: &str, columns: Vec<String>) -> Result<Self> {
        check_names(columns.iter(), place)?;
        Ok(Self { line: "", ..Self::new(place, columns, false) })
    }

    /// The columns of the header, or the names in the first object.
    pub fn columns(&self) -> &[String] {
        &self.columns
    }

    /// Whether each row has names of its own, so that a later one may have columns that the first has not.
    pub fn has_own_names(&self) -> bool {
        self.has_own_names
    }

    /// Whether the header, or the first object, has a column.
    pub fn has(&self, name: &str) -> bool {
        self.places.contains_key(name)
    }

    /// A column; none if the table cannot have it. JSON Lines can have any column, for each line has names of its own.
    pub fn find(&self, name: &str) -> Option<Column> {
        let at = self.places.get(name).copied();
        let at = at.or(self.has_own_names.then_some(usize::MAX))?;
        Some(Column { name: name.into(), at })
    }

    /// The column of one of [`Self::columns`], by its place among them.
    pub fn column(&self, at: usize) -> Option<Column> {
        self.columns.get(at).map(|name| Column { name: name.as_str().into(), at })
    }

    /// A column that the header, or the first object, has.
    ///
    /// # Errors
    /// It has not.
    pub fn require(&self, name: &str) -> Result<Column> {
        self.find(name).filter(|_| self.has(name)).ok_or_else(|| {
            let advice = "name the columns as they are called in the table, such as --ref COLUMN";
            self.missing(&format!("a column {}", shown(name)), format!("the columns {}", listed(&self.columns)), advice)
        })
    }

    /// The complaint about a column that is not there.
    pub(crate) fn missing(&self, expected: &str, found: String, advice: &str) -> Error {
        Error::invalid(self.names_place(), expected, found, advice).because(Fault::MissingColumn)
    }

    /// The file.
    pub fn place(&self) -> &str {
        &self.place
    }

    /// Where the names stand.
    pub(crate) fn names_place(&self) -> String {
        format!("{}{}", self.place, self.line)
    }
}

/// No column has the name of another one; columns without a name are many in some tables, and nobody reads them.
pub(super) fn check_names<'n>(names: impl Iterator<Item = &'n String>, place: &str) -> Result<()> {
    let mut seen = HashSet::new();
    for name in names.filter(|name| !name.is_empty()) {
        if !seen.insert(name) {
            let found = format!("two columns {}", shown(name));
            return Err(Error::invalid(place, "columns of different names", found, "rename or remove one of them"));
        }
    }
    Ok(())
}
