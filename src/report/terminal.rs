//! What a text is rendered for: the width of its lines, and whether it has colours.

use std::fmt::Display;

use anstyle::{AnsiColor, Style};

/// The target that a text is rendered for. The default is a pipe or a file: lines of any length, and no colours.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Terminal {
    /// The longest line in columns, which tables and sentences keep to where possible; `None` for no limit.
    pub width: Option<usize>,
    /// Whether text is coloured; escape sequences take no width.
    pub paint: Paint,
}

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
pub const BOLD: Style = Style::new().bold();

/// The least important parts.
pub const DIM: Style = Style::new().dimmed();

impl Terminal {
    /// No colours, and lines of at most `width` columns.
    pub fn plain(width: impl Into<Option<usize>>) -> Self {
        Self { width: width.into(), paint: Paint::Plain }
    }

    /// Colours, and lines of at most `width` columns.
    pub fn colour(width: impl Into<Option<usize>>) -> Self {
        Self { width: width.into(), paint: Paint::Colour }
    }

    /// A paragraph in lines that fit, except for longer words, each with a line break.
    pub(super) fn paragraph(self, text: &str) -> String {
        self.styled_paragraph(text, Style::new())
    }

    /// As [`Self::paragraph`], with every line in a style.
    pub(super) fn styled_paragraph(self, text: &str, style: Style) -> String {
        let options = textwrap::Options::new(self.width.unwrap_or(usize::MAX))
            .break_words(false)
            .word_splitter(textwrap::WordSplitter::NoHyphenation);
        textwrap::wrap(text, options).iter().map(|line| self.paint.apply(style, line) + "\n").collect()
    }
}

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

    #[test]
    fn lines_end_between_words() {
        let wrapped = |width: Option<usize>| Terminal::plain(width).paragraph("one two three 系统一");
        assert_eq!(wrapped(Some(7)), "one two\nthree\n系统一\n");
        assert_eq!(wrapped(Some(3)), "one\ntwo\nthree\n系统一\n");
        assert_eq!(wrapped(None), "one two three 系统一\n");
    }
}
