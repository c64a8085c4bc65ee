//! What the readers of all kinds of tables give: records below a header, or objects with names of their own. Next:
//! [`super::rows`].

use std::collections::HashSet;

use csv::StringRecord;
use serde_json::Value;

use crate::error::{Error, Result};

/// Records with their lines.
pub(super) type Records = Box<dyn Iterator<Item = Result<(usize, StringRecord)>> + Send>;

/// Names and values of a row, with its line.
pub(super) type Object = (usize, Vec<(String, Value)>);

/// Objects, one at a time.
pub(super) type Objects = Box<dyn Iterator<Item = Result<Object>> + Send>;

/// No column has the name of another one; columns without a name are many in some tables, and nobody reads them.
pub(super) fn check_names<'n>(names: impl Iterator<Item = &'n String>, place: &str) -> Result<()> {
    let mut seen = HashSet::new();
    for name in names.filter(|name| !name.is_empty()) {
        if !seen.insert(name) {
            let found = format!("two columns '{name}'");
            return Err(Error::invalid(place, "columns of different names", found, "rename or remove one of them"));
        }
    }
    Ok(())
}
