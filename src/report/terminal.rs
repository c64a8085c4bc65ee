//! In: the terminal's width, and whether it shows colours. Out: one value that all texts of reports are rendered for.
//! Next: the texts of reports.

use super::paint::Paint;

/// The target that a text is rendered for. The default is a pipe or a file: lines of any length, and no colours.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Terminal {
    /// The longest line in characters, which tables and sentences keep to where possible; `None` for no limit.
    pub width: Option<usize>,
    /// Whether text is coloured; escape sequences take no width.
    pub paint: Paint,
}

impl Terminal {
    /// No colours, and lines of at most `width` characters.
    pub fn plain(width: impl Into<Option<usize>>) -> Self {
        Self { width: width.into(), paint: Paint::Plain }
    }

    /// Colours, and lines of at most `width` characters.
    pub fn colour(width: impl Into<Option<usize>>) -> Self {
        Self { width: width.into(), paint: Paint::Colour }
    }
}
