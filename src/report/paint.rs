//! In: whether the terminal shows colours. Out: text with or without them. Next: the texts of reports.

use std::fmt::Display;

use anstyle::{AnsiColor, Effects, Style};

/// Whether text is coloured. Colour never carries information that the plain text lacks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Paint {
    /// Plain text.
    #[default]
    Plain,
    /// Text with escape sequences for the sixteen standard colours.
    Colour,
}

/// Good, and exact matches.
pub const GREEN: Style = AnsiColor::Green.on_default();

/// Bad, and words without a match.
pub const RED: Style = AnsiColor::Red.on_default();

/// In between.
pub const YELLOW: Style = AnsiColor::Yellow.on_default();

/// The first hypothesis, and stems.
pub const BLUE: Style = AnsiColor::Blue.on_default();

/// The second hypothesis, and synonyms.
pub const MAGENTA: Style = AnsiColor::Magenta.on_default();

/// Paraphrases.
pub const CYAN: Style = AnsiColor::Cyan.on_default();

/// The most important parts.
pub const BOLD: Style = Style::new().effects(Effects::BOLD);

/// The least important parts.
pub const DIM: Style = Style::new().effects(Effects::DIMMED);

impl Paint {
    /// The text in a style, or unchanged if plain.
    pub fn apply(self, style: Style, text: impl Display) -> String {
        match self {
            Self::Plain => text.to_string(),
            Self::Colour => format!("{style}{text}{style:#}"),
        }
    }
}

/// The text without its escape sequences.
#[cfg(test)]
pub(crate) fn without_colours(text: &str) -> String {
    let mut parts = text.split('\u{1b}');
    let plain = parts.next().unwrap_or_default().to_owned();
    parts.fold(plain, |plain, part| plain + part.split_once('m').map_or("", |(_, text)| text))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn colours_are_left_where_they_are_not_taken() {
        assert_eq!(Paint::Plain.apply(RED, "x"), "x");
        assert_eq!(Paint::Colour.apply(RED, "x"), "\u{1b}[31mx\u{1b}[0m");
        assert_eq!(Paint::Colour.apply(Style::new(), "x"), "x");
        assert_eq!(without_colours(&format!("a {}.", Paint::Colour.apply(RED.bold(), "b"))), "a b.");
    }
}
