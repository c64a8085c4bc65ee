//! Checks that parallel files have the same number of segments. In: counts. Out: errors. Next: own, texts.

use crate::error::{Error, Result};
use crate::files::Input;
use crate::files::input::check_lines;

/// The error for a file without segments.
pub(super) fn empty(input: &Input) -> Error {
    Error::invalid(input.to_string(), "one segment per line", "an empty file", "check the name")
}

/// Checks that a file has as many segments as another.
pub(super) fn check_length(input: &Input, found: usize, other: &Input, expected: usize) -> Result<()> {
    check_lines(input, found, expected, format!("{expected} segments, as in {other}"))
}
