//! What messages show of files. In: any text. Out: text of one line that a terminal takes as no command. Next:
//! [`super::Error`], notes.

use std::fmt::{self, Display, Write};

use unicode_properties::{GeneralCategory, UnicodeGeneralCategory};

/// Letters of a text that a message quotes.
const QUOTED: usize = 60;

/// Letters of names of a list after which it is cut off.
const LISTED: usize = 200;

/// A text as messages quote it: cut, with escapes for what cannot be seen.
pub(crate) fn shown(text: &str) -> String {
    format!("'{}'", shortened(text))
}

/// As [`shown`], without quotation marks.
pub(crate) fn shortened(text: &str) -> String {
    Escaped { text, longest: QUOTED }.to_string()
}

/// Names with commas between them; the first ones if there are many.
pub(crate) fn listed(names: impl IntoIterator<Item: AsRef<str>>) -> String {
    let (mut list, mut left) = (String::new(), 0);
    for name in names {
        if list.len() > LISTED {
            left += 1;
            continue;
        }
        list += if list.is_empty() { "" } else { ", " };
        list += &shortened(name.as_ref());
    }
    if left == 0 { list } else { format!("{list}, and {left} more") }
}

/// A text of one line, with escapes for what a terminal does not show as it is: control characters, line ends, and the
/// marks that turn the direction of writing.
pub fn escaped(text: &str) -> impl Display + '_ {
    Escaped { text, longest: usize::MAX }
}

/// Lines of which each is as [`escaped`] has it.
pub fn without_controls(lines: &str) -> String {
    let lines: Vec<String> = lines.split('\n').map(|line| escaped(line).to_string()).collect();
    lines.join("\n")
}

/// As [`escaped`], cut after so many letters.
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
        assert_eq!(shown("a\u{1b}[31m\n\tb\u{202e}c\u{2028}"), "'a\\u{1b}[31m\\n\\tb\\u{202e}c\\u{2028}'");
        assert_eq!(shown("it's \"ä\" C:\\x, e\u{301}, 我"), "'it's \"ä\" C:\\x, e\u{301}, 我'");
    }

    #[test]
    fn long_texts_and_lists_are_cut() {
        assert_eq!(shown(&"ä".repeat(60)), format!("'{}'", "ä".repeat(60)));
        assert_eq!(shown(&"ä".repeat(61)), format!("'{}…'", "ä".repeat(60)));
        assert_eq!(listed(["a", "b\n"]), "a, b\\n");
        let names: Vec<String> = (0..60_000).map(|number| format!("ref{number}")).collect();
        assert!(listed(&names).ends_with(" more") && listed(&names).len() < 300, "{}", listed(&names));
    }
}
