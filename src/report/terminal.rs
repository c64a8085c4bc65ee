//! In: how wide the terminal is, and whether it takes colours. Out: one value that all texts of reports are written
//! for. Next: the texts of reports.

use super::paint::Paint;

/// What a text for people is written for. By default a pipe or a file: lines as long as they are, and no colours.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Terminal {
    /// Letters of a line, which tables and sentences keep to where that is possible; none: as many as there are.
    pub width: Option<usize>,
    /// Whether text is painted. What paints it takes no place on a line.
    pub paint: Paint,
}

impl Terminal {
    /// Without colours, lines of at most so many letters.
    pub fn plain(width: impl Into<Option<usize>>) -> Self {
        Self { width: width.into(), paint: Paint::Plain }
    }

    /// With colours, lines of at most so many letters.
    pub fn colour(width: impl Into<Option<usize>>) -> Self {
        Self { width: width.into(), paint: Paint::Colour }
    }
}
