#![doc = include_str!("damage.md")]
#![doc = include_str!("safeguards.md")]

mod shown;

use std::io;
use std::path::Path;

use shown::cut;
pub use shown::{escaped, without_controls};
pub(crate) use shown::{listed, shortened, shown};

/// Letters of a part of a message. What is quoted is shorter: this is for what nobody thought of.
const LONGEST: usize = 500;

/// What went wrong, in one line that a user can act on. Whatever a file holds, its message is one line, has no control
/// characters, and is short.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// Something that was read is not what it should be.
    #[error(
        "{}: expected {}, found {}; {}",
        escaped(place), cut(expected, LONGEST), cut(found, LONGEST), cut(advice, 2 * LONGEST)
    )]
    Invalid {
        /// File and line, or the setting.
        place: String,
        /// What should stand there.
        expected: String,
        /// What stands there.
        found: String,
        /// What to do about it.
        advice: String,
        /// What kind of fault it is.
        fault: Fault,
    },
    /// The operating system refused to read or write.
    #[error(
        "{}: cannot {}: {}; {}",
        escaped(place), cut(action, LONGEST), cut(&source.to_string(), LONGEST), advice(source)
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

/// What kind of fault an [`Error::Invalid`] is, for callers that tell kinds apart: a program need not.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Fault {
    /// A value that is not what it should be.
    #[default]
    Value,
    /// Something of another type, such as nothing where a text should be.
    Type,
    /// A table without a column that is needed.
    MissingColumn,
    /// No file of that name.
    MissingFile,
}

/// A result with the library's [`enum@Error`].
pub type Result<T> = std::result::Result<T, Error>;

/// What helps against what the operating system says.
fn advice(source: &io::Error) -> &'static str {
    match source.kind() {
        io::ErrorKind::NotFound => "check the name and the folder",
        io::ErrorKind::PermissionDenied | io::ErrorKind::ReadOnlyFilesystem => {
            "check the permissions of file and folder"
        }
        io::ErrorKind::IsADirectory => "name a file in it",
        io::ErrorKind::InvalidData | io::ErrorKind::InvalidInput | io::ErrorKind::UnexpectedEof => {
            "its content is damaged, cut off or not what its ending says: copy it again, or rename it"
        }
        io::ErrorKind::OutOfMemory => {
            "decompress it first, or compress it again with a smaller window (zstd --long=27)"
        }
        io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded => "make room, or write elsewhere",
        _ => "check the file and its folder",
    }
}

/// Letters of what serde_json has to say, which quotes the file at any length.
const JSON_FAULT: usize = 160;

/// What serde_json has to say, without the line, which our message begins with.
pub(crate) fn json_fault(error: &serde_json::Error) -> String {
    let text = error.to_string();
    let place = format!(" at line {} column {}", error.line(), error.column());
    format!("a fault in column {}: {}", error.column(), cut(text.strip_suffix(&place).unwrap_or(&text), JSON_FAULT))
}

impl Error {
    /// Something at `place` (`file:line`) is not what was expected.
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

    /// The same, of another kind of fault.
    pub(crate) fn because(self, fault: Fault) -> Self {
        match self {
            Self::Invalid { place, expected, found, advice, .. } => {
                Self::Invalid { place, expected, found, advice, fault }
            }
            io @ Self::Io { .. } => io,
        }
    }

    /// The system refused `action` (a verb phrase, such as "open the file") on `path`.
    pub fn io(path: &Path, source: io::Error, action: &str) -> Self {
        Self::Io { place: path.display().to_string(), action: action.to_owned(), source }
    }

    /// True where the reader of our output has gone away, which is no fault: `tribunal ... | head`.
    pub fn is_closed_pipe(&self) -> bool {
        matches!(self, Self::Io { source, .. } if source.kind() == io::ErrorKind::BrokenPipe)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

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
}
