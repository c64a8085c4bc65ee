//! Errors as one line that a user can act on, and texts as messages quote them.

use std::fmt::{self, Display, Write};
use std::io;
use std::path::Path;

use unicode_properties::{GeneralCategory, UnicodeGeneralCategory};

/// The most characters of each part of a message. Quoted text is shorter; this bounds everything else.
const MAX_PART: usize = 500;

/// An error as one line that a user can act on. Whatever a file holds, its message is short, on one line, and without
/// control characters.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// Input or a setting is not as it should be.
    #[error("{}: {}{}", escaped(place), fault_in_words(expected, found, *fault), after_semicolon(advice))]
    Invalid {
        /// File and line, or the setting.
        place: String,
        /// What was expected there.
        expected: String,
        /// What was found.
        found: String,
        /// What to do about it; empty where that is obvious.
        advice: String,
        /// The kind of fault.
        fault: Fault,
    },
    /// The operating system refused to read or write.
    #[error(
        "{}: cannot {}: {}; {}",
        escaped(place), cut(action, MAX_PART), cut(&source.to_string(), MAX_PART), advice(source)
    )]
    Io {
        /// The file.
        place: String,
        /// What was attempted, as in "cannot {action}".
        action: String,
        /// The system's reason.
        source: io::Error,
    },
}

/// The kind of fault of an [`Error::Invalid`], for callers that distinguish them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Fault {
    /// A wrong value.
    #[default]
    Value,
    /// A value of the wrong type, or a missing one.
    Type,
    /// A table lacks a required column.
    MissingColumn,
    /// There is no file of that name.
    MissingFile,
}

/// A result with the library's [`enum@Error`].
pub type Result<T> = std::result::Result<T, Error>;

/// Advice on an error of the operating system.
fn advice(source: &io::Error) -> &'static str {
    match source.kind() {
        io::ErrorKind::NotFound => "check the name and the folder",
        io::ErrorKind::PermissionDenied | io::ErrorKind::ReadOnlyFilesystem => {
            "check the permissions of file and folder"
        }
        io::ErrorKind::IsADirectory => "name a file inside it",
        io::ErrorKind::InvalidData | io::ErrorKind::InvalidInput | io::ErrorKind::UnexpectedEof => {
            "it is damaged, truncated or does not match its extension: copy it again, or rename it"
        }
        io::ErrorKind::OutOfMemory => {
            "decompress it first, or compress it again with a smaller window (zstd --long=27)"
        }
        io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded => "make room, or write elsewhere",
        _ => "check the file and its folder",
    }
}

/// What was expected and found. That a file was expected goes without saying.
fn fault_in_words(expected: &str, found: &str, fault: Fault) -> String {
    let [expected, found] = [expected, found].map(|part| cut(part, MAX_PART));
    if fault == Fault::MissingFile { found.to_string() } else { format!("expected {expected}, found {found}") }
}

/// The advice, separated from what is before it; nothing without advice.
fn after_semicolon(advice: &str) -> String {
    if advice.is_empty() { String::new() } else { format!("; {}", cut(advice, 2 * MAX_PART)) }
}

/// `1 pair`, or `2 pairs`.
pub fn pluralized(count: usize, what: &str) -> String {
    format!("{count} {what}{}", if count == 1 { "" } else { "s" })
}

/// The most characters of a message of serde_json, which may quote the file at any length.
const MAX_JSON_FAULT: usize = 160;

/// The message of serde_json, without its line number: our message begins with the line.
pub fn json_fault(error: &serde_json::Error) -> String {
    let text = error.to_string();
    let place = format!(" at line {} column {}", error.line(), error.column());
    format!(
        "an error at column {}: {}",
        error.column(),
        cut(text.strip_suffix(&place).unwrap_or(&text), MAX_JSON_FAULT)
    )
}

impl Error {
    /// What is at `place` (`file:line`) is not what was expected.
    pub fn invalid(
        place: impl Into<String>,
        expected: impl Into<String>,
        found: impl Into<String>,
        advice: impl Into<String>,
    ) -> Self {
        Self::Invalid {
            place: place.into(),
            expected: expected.into(),
            found: found.into(),
            advice: advice.into(),
            fault: Fault::Value,
        }
    }

    /// The same error with another kind of fault; an I/O error stays as it is.
    pub fn because(self, fault: Fault) -> Self {
        match self {
            Self::Invalid { place, expected, found, advice, .. } => {
                Self::Invalid { place, expected, found, advice, fault }
            }
            io @ Self::Io { .. } => io,
        }
    }

    /// The operating system refused `action` (a verb phrase, such as "open the file") on `path`.
    pub fn io(path: &Path, source: io::Error, action: &str) -> Self {
        Self::Io { place: path.display().to_string(), action: action.to_owned(), source }
    }

    /// Whether the reader of our output has closed the pipe, which is not a failure: `tribunal ... | head`.
    pub fn is_closed_pipe(&self) -> bool {
        matches!(self, Self::Io { source, .. } if source.kind() == io::ErrorKind::BrokenPipe)
    }
}

/// The most characters of a quoted text.
const MAX_QUOTED: usize = 60;

/// The length, in bytes, after which a list of names is cut off.
const MAX_JOINED: usize = 200;

/// A text as messages quote it: truncated, with invisible characters escaped.
pub fn quoted(text: &str) -> String {
    format!("'{}'", truncated(text))
}

/// As [`quoted`], without quotation marks.
pub fn truncated(text: &str) -> String {
    Escaped { text, longest: MAX_QUOTED }.to_string()
}

/// Names separated by commas; only the first ones if the list is long.
pub fn joined(names: impl IntoIterator<Item: AsRef<str>>) -> String {
    let (mut list, mut left) = (String::new(), 0);
    for name in names {
        if list.len() > MAX_JOINED {
            left += 1;
            continue;
        }
        list += if list.is_empty() { "" } else { ", " };
        list += &truncated(name.as_ref());
    }
    if left == 0 { list } else { format!("{list}, and {left} more") }
}

/// A text on one line, in which characters that a terminal does not show as such are escaped: control characters, line
/// ends and marks of writing direction.
pub fn escaped(text: &str) -> impl Display + '_ {
    Escaped { text, longest: usize::MAX }
}

/// Several lines, each as in [`escaped`].
pub fn without_controls(lines: &str) -> String {
    let lines: Vec<String> = lines.split('\n').map(|line| escaped(line).to_string()).collect();
    lines.join("\n")
}

/// As [`escaped`], cut after `longest` characters.
fn cut(text: &str, longest: usize) -> impl Display + '_ {
    Escaped { text, longest }
}

struct Escaped<'t> {
    text: &'t str,
    longest: usize,
}

impl Display for Escaped<'_> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (at, symbol) in self.text.chars().enumerate() {
            if at == self.longest {
                return formatter.write_char('…');
            }
            if is_hidden(symbol) {
                write!(formatter, "{}", symbol.escape_default())?;
            } else {
                formatter.write_char(symbol)?;
            }
        }
        Ok(())
    }
}

fn is_hidden(symbol: char) -> bool {
    use GeneralCategory::{Control, Format, LineSeparator, ParagraphSeparator};
    let hidden =
        |symbol: char| matches!(symbol.general_category(), Control | Format | LineSeparator | ParagraphSeparator);
    symbol != ' ' && !symbol.is_ascii_graphic() && hidden(symbol)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_is_no_plural() {
        assert_eq!([0, 1, 2].map(|count| pluralized(count, "pair")), ["0 pairs", "1 pair", "2 pairs"]);
    }

    #[test]
    fn a_message_is_one_short_line_without_control_characters() {
        let hostile = "\u{1b}]0;title\u{7}\n".repeat(1000);
        let parts = || hostile.clone();
        let source = io::Error::other(parts());
        for error in [Error::invalid("x\n", parts(), parts(), parts()), Error::io(Path::new("x\n"), source, "read")] {
            let message = error.to_string();
            assert!(!message.contains(char::is_control) && message.starts_with("x\\n: "), "{message}");
            assert!(message.len() < 20_000, "{}", message.len());
        }
    }

    #[test]
    fn a_message_without_advice_ends_with_what_was_found() {
        assert_eq!(Error::invalid("x:2", "a number", "'b'", "").to_string(), "x:2: expected a number, found 'b'");
        assert_eq!(Error::invalid("x:2", "a", "b", "c").to_string(), "x:2: expected a, found b; c");
    }

    #[test]
    fn what_cannot_be_seen_is_escaped() {
        assert_eq!(quoted("a\u{1b}[31m\n\tb\u{202e}c\u{2028}"), "'a\\u{1b}[31m\\n\\tb\\u{202e}c\\u{2028}'");
        assert_eq!(quoted("it's \"ä\" C:\\x, e\u{301}, 我"), "'it's \"ä\" C:\\x, e\u{301}, 我'");
    }

    #[test]
    fn long_texts_and_lists_are_cut() {
        assert_eq!(quoted(&"ä".repeat(60)), format!("'{}'", "ä".repeat(60)));
        assert_eq!(quoted(&"ä".repeat(61)), format!("'{}…'", "ä".repeat(60)));
        assert_eq!(joined(["a", "b\n"]), "a, b\\n");
        let names: Vec<String> = (0..60_000).map(|number| format!("ref{number}")).collect();
        assert!(joined(&names).ends_with(" more") && joined(&names).len() < 300, "{}", joined(&names));
    }
}
