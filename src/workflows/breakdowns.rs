//! The accuracy on several files, and on the pairs with each value of a column.

use crate::error::{Error, Result};
use crate::report::people::Labelled;
use crate::report::studies::FILE;
use crate::report::{Breakdown, Part, System};

/// More values than that name single pairs.
const MAX_VALUES: usize = 100;

/// The parts of rows by their values of a column.
///
/// # Errors
/// There are more than 100 values.
pub(super) fn parts_of<'v>(column: &str, values: impl Iterator<Item = Option<&'v str>>) -> Result<Vec<Part>> {
    let parts = Part::of_column(values);
    if parts.len() > MAX_VALUES {
        let (expected, found) = (format!("at most {MAX_VALUES} values"), format!("{} in {column}", parts.len()));
        return Err(Error::invalid("`by_column`", expected, found, "name a column with few values"));
    }
    Ok(parts)
}

/// The systems on each of several files, and with each value of a column: see [`Pair::part`](crate::judgments::Pair::part).
///
/// # Errors
/// There are more than 100 values.
pub(super) fn breakdowns(
    files: Vec<Part>,
    column: Option<&str>,
    Labelled { pairs, labels, groups }: Labelled<'_>,
    systems: &[System],
) -> Result<Vec<Breakdown>> {
    let values = || pairs.iter().map(|pair| pair.part.as_deref());
    let parts = column.map(|column| Ok((column, parts_of(column, values())?))).transpose()?;
    let files = (!files.is_empty()).then_some((FILE, files));
    let parts = files.into_iter().chain(parts);
    Ok(parts.map(|(by, parts)| Breakdown::new(by, parts, labels, groups, systems)).collect())
}
