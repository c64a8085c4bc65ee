//! What the user is told beside the output.

use std::fmt::Display;
use std::io::{self, Write};

/// Says something on standard error, without control characters. Where that cannot be written nobody would hear the complaint, either: the work
/// goes on.
pub fn say(text: impl Display) {
    let _ = writeln!(io::stderr().lock(), "{}", tribunal::error::without_controls(&text.to_string()));
}
