//! Text as messages show it: short, on one line, without characters that control a terminal.

use std::fmt::{self, Display, Write};

use unicode_properties::{GeneralCategory, UnicodeGeneralCategory};

/// The most characters of a quoted text.
const MAX_QUOTED: usize = 60;

/// The length, in bytes, after which a list of names is cut off.
const MAX_JOINED: usize = 200;

/// A text as messages quote it: truncated, with invisible characters escaped.
pub(crate) fn quoted(text: &str) -> String {
    format!("'{}'", truncated(text))
}

/// As [`quoted`], without quotation marks.
pub(crate) fn truncated(text: &str) -> String {
    Escaped { text, longest: MAX_QUOTED }.to_string()
}

/// Names separated by commas; only the first ones if the list is long.
pub(crate) fn joined(names: impl IntoIterator<Item: AsRef<str>>) -> String {
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
pub(super) fn cut(text: &str, longest: usize) -> impl Display + '_ {
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
