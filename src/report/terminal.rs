//! Text for a terminal: colours, lines that fit, and tables of aligned columns.
//!
//! Paragraphs and tables escape the control characters of what they are given, so that a name in a file cannot move the
//! cursor, change colours or set the title of the terminal.

use std::fmt::Display;

use anstyle::{AnsiColor, Style};
use textwrap::WordSeparator;
use textwrap::core::Word;
use unicode_width::UnicodeWidthStr;

use super::table::{BOLD, Fit, Printed, Table, Value};
use crate::error::{escaped, without_controls};

/// The fewest columns to which the widest names are cut, if no more columns can be dropped.
const MIN_NAME: usize = 8;

/// The fewest columns to which headers are cut if that is not enough.
const MIN_HEADER: usize = 5;

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
            .word_separator(WordSeparator::Custom(words))
            .word_splitter(textwrap::WordSplitter::NoHyphenation);
        let text = without_controls(text);
        textwrap::wrap(&text, options).iter().map(|line| self.paint.apply(style, line) + "\n").collect()
    }
}

/// What lines end between: words, and the parts of a signature, which may have 150 letters.
fn words(line: &str) -> Box<dyn Iterator<Item = Word<'_>> + '_> {
    Box::new(line.split_inclusive([' ', '|']).map(Word::from))
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

impl Table<'_> {
    /// The table as text: a header, then one line per row, without trailing spaces.
    pub(super) fn to_text(&self, terminal: Terminal) -> String {
        let texts = self.columns.iter().enumerate().map(|(at, column)| {
            let cells = self.rows.iter().map(|row| row[at].value.text());
            std::iter::once(column.header.as_str().into()).chain(cells).map(|text| escaped(&text).to_string()).collect()
        });
        let mut layout = Layout { table: self, texts: texts.collect() };
        // Columns in which every cell is empty are not shown.
        let is_filled = |at: &usize| layout.texts[*at][1..].iter().any(|cell| !cell.is_empty());
        let shown: Vec<usize> = (0..self.columns.len()).filter(is_filled).collect();
        let blocks = match (self.fit, terminal.width) {
            (_, None) => vec![shown],
            (Fit::Drop, Some(width)) => vec![layout.narrowed(shown, width)],
            (Fit::Continue(names), Some(width)) => layout.blocks(&shown, names, width),
        };
        let texts: Vec<String> = blocks.iter().map(|block| layout.text(block, terminal)).collect();
        texts.join("\n")
    }

    /// The table as a terminal shows it, with the lines below it; empty if it has no rows or is not for terminals.
    pub(super) fn to_printed_text(&self, terminal: Terminal) -> String {
        if self.rows.is_empty() || self.printed == Printed::No {
            return String::new();
        }
        let table = match self.printed {
            Printed::Captioned => self.to_captioned_text(terminal),
            Printed::Bare | Printed::No => self.to_text(terminal),
        };
        self.below.iter().fold(table, |text, line| text + &terminal.paragraph(line))
    }

    /// The table as text below its caption.
    pub(super) fn to_captioned_text(&self, terminal: Terminal) -> String {
        terminal.styled_paragraph(&self.caption, BOLD) + &self.to_text(terminal)
    }
}

/// A table as texts.
struct Layout<'t> {
    table: &'t Table<'t>,
    /// Of each column its header, then its cells.
    texts: Vec<Vec<String>>,
}

impl Layout<'_> {
    fn width(&self, column: usize) -> usize {
        self.texts[column].iter().map(|text| text.width()).max().unwrap_or(0)
    }

    /// Drops columns by rank until the others fit, and then cuts the widest names, and headers; never a number.
    fn narrowed(&mut self, mut columns: Vec<usize>, width: usize) -> Vec<usize> {
        let rank = |at: &usize| self.table.columns[*at].rank;
        while self.total_width(&columns) > width {
            let Some(highest) = columns.iter().map(rank).max().filter(|&rank| rank > 0) else { break };
            columns.retain(|at| rank(at) != highest);
        }
        let excess = self.total_width(&columns).saturating_sub(width);
        let names = columns.iter().filter(|&&at| self.table.columns[at].is_left);
        if let Some(&widest) = names.max_by_key(|&&at| self.width(at)).filter(|_| excess > 0) {
            self.cut_names(widest, self.width(widest).saturating_sub(excess).max(MIN_NAME));
        }
        if self.total_width(&columns) > width {
            columns.iter().for_each(|&at| self.cut_header(at));
        }
        columns
    }

    /// Makes a header no wider than the cells below it.
    fn cut_header(&mut self, column: usize) {
        let [header, cells @ ..] = self.texts[column].as_mut_slice() else { return };
        let widest = cells.iter().map(|cell| cell.width()).max().unwrap_or(0);
        *header = cut(header, widest.max(MIN_HEADER));
    }

    /// Splits the columns into blocks that fit, each with the `names` first columns and at least one more.
    fn blocks(&mut self, columns: &[usize], names: usize, width: usize) -> Vec<Vec<usize>> {
        let (names, others) = columns.split_at(names.min(columns.len()));
        names.iter().for_each(|&at| self.cut_names(at, (width / 3).max(MIN_NAME)));
        let mut blocks: Vec<Vec<usize>> = Vec::new();
        for group in others.chunk_by(|_, &next| self.table.columns[next].rank > 0) {
            let longer = blocks.last().map(|block| [block, group].concat());
            match (blocks.last_mut(), longer.filter(|longer| self.total_width(longer) <= width)) {
                (Some(block), Some(longer)) => *block = longer,
                _ => blocks.push([names, group].concat()),
            }
        }
        blocks.into_iter().map(|block| self.narrowed(block, width)).collect()
    }

    /// Cuts the names of a column, but not the marks before them.
    fn cut_names(&mut self, column: usize, width: usize) {
        for (row, cell) in self.table.rows.iter().zip(&mut self.texts[column][1..]) {
            *cell = match row[column].value {
                Value::System(_, role) => {
                    let name = cell.strip_prefix(role.mark()).unwrap_or(cell).trim_start();
                    format!("{} {}", role.mark(), cut(name, width.saturating_sub(2)))
                }
                _ => cut(cell, width),
            };
        }
    }

    /// The width of each column; the first one below a heading that is wider than its columns is widened.
    fn widths(&self, columns: &[usize]) -> Vec<usize> {
        let mut widths: Vec<usize> = columns.iter().map(|&at| self.width(at)).collect();
        let mut start = 0;
        for group in self.headed(columns) {
            let all = widths[start..start + group.len()].iter().sum::<usize>() + self.table.gap * (group.len() - 1);
            widths[start] += self.table.columns[group[0]].over.width().saturating_sub(all);
            start += group.len();
        }
        widths
    }

    /// Neighbouring columns below the same heading.
    fn headed<'c>(&self, columns: &'c [usize]) -> impl Iterator<Item = &'c [usize]> {
        let over = |at: usize| self.table.columns[at].over;
        columns.chunk_by(move |&one, &other| over(one) == over(other))
    }

    fn total_width(&self, columns: &[usize]) -> usize {
        self.widths(columns).iter().sum::<usize>() + self.table.gap * columns.len().saturating_sub(1)
    }

    /// The lines of some columns.
    fn text(&self, columns: &[usize], terminal: Terminal) -> String {
        let widths = self.widths(columns);
        let line = |number: usize| {
            let cells = columns.iter().zip(&widths).map(|(&at, &width)| {
                let text = &self.texts[at][number];
                let style = number.checked_sub(1).map(|row| self.table.rows[row][at].style).unwrap_or_default();
                let space = " ".repeat(width.saturating_sub(text.width()));
                // Spaces at the end stay outside of escape sequences, so that those at the end of a line can be cut off.
                let (word, blank) = text.split_at(text.trim_end().len());
                let painted = if word.is_empty() { String::new() } else { terminal.paint.apply(style, word) } + blank;
                if self.table.columns[at].is_left { painted + &space } else { space + &painted }
            });
            self.joined(cells)
        };
        self.headings(columns, &widths) + &(0..=self.table.rows.len()).map(line).collect::<String>()
    }

    /// The line of headings over columns, if there are any.
    fn headings(&self, columns: &[usize], widths: &[usize]) -> String {
        if columns.iter().all(|&at| self.table.columns[at].over.is_empty()) {
            return String::new();
        }
        let mut widths = widths.iter();
        self.joined(self.headed(columns).map(|group| {
            let width = widths.by_ref().take(group.len()).sum::<usize>() + self.table.gap * (group.len() - 1);
            let over = self.table.columns[group[0]].over;
            format!("{over}{}", " ".repeat(width.saturating_sub(over.width())))
        }))
    }

    /// A line of cells.
    fn joined(&self, cells: impl Iterator<Item = String>) -> String {
        cells.collect::<Vec<_>>().join(&" ".repeat(self.table.gap)).trim_end().to_owned() + "\n"
    }
}

/// A name in at most `width` columns. The beginning is cut off, as file names tend to differ at the end.
pub(super) fn cut(name: &str, width: usize) -> String {
    if name.width() <= width {
        return name.to_owned();
    }
    let mut ends = name.char_indices().map(|(at, letter)| &name[at + letter.len_utf8()..]);
    format!("…{}", ends.find(|end| end.width() < width).unwrap_or_default())
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
    use super::super::table::{Cell, Column};
    use super::*;

    #[test]
    fn lines_end_between_words() {
        let wrapped = |width: Option<usize>| Terminal::plain(width).paragraph("one two three 系统一");
        assert_eq!(wrapped(Some(7)), "one two\nthree\n系统一\n");
        assert_eq!(wrapped(Some(3)), "one\ntwo\nthree\n系统一\n");
        assert_eq!(wrapped(None), "one two three 系统一\n");
    }

    fn table(fit: Fit) -> Table<'static> {
        let rows = [(["a-long-name-1", "0.5", "0.1", "0.6", ""], GREEN), (["two", "0.25", "", "0.7", ""], RED)];
        let columns = [
            Column::text("name"),
            Column::number("accuracy").over("all"),
            Column::number("tau").over("all").rank(2),
            Column::number("ties").rank(1),
            Column::number("none"),
        ];
        let mut table = Table::builder("", rows);
        for (at, column) in columns.into_iter().enumerate() {
            table = table.with(column, |(cells, style)| Cell::from(cells[at]).styled(style));
        }
        Table { fit, ..table.table }
    }

    #[test]
    fn the_least_important_columns_are_dropped_first_and_names_are_cut_last() {
        let text = |width: Option<usize>| table(Fit::Drop).to_text(Terminal::plain(width));
        let whole = "               all\nname           accuracy  tau  ties\n\
                     a-long-name-1       0.5  0.1   0.6\ntwo                0.25        0.7\n";
        assert_eq!(text(None), whole);
        assert_eq!(text(Some(34)), whole);
        let header = |width| text(Some(width)).lines().nth(1).unwrap().to_owned();
        assert_eq!(header(33), "name           accuracy  ties");
        assert_eq!(header(28), "name           accuracy");
        let rows: Vec<String> = text(Some(20)).lines().skip(2).map(str::to_owned).collect();
        assert_eq!(rows, ["…ng-name-1       0.5", "two             0.25"]);
    }

    #[test]
    fn columns_that_do_not_fit_follow_below() {
        let mut table = table(Fit::Continue(1));
        table.columns[3].rank = 0;
        let text = table.to_text(Terminal::plain(24));
        let blocks: Vec<&str> = text.split("\n\n").collect();
        let accuracy = "          all\nname      accuracy  tau\n…-name-1       0.5  0.1\ntwo           0.25";
        assert_eq!(blocks, [accuracy, "name      ties\n…-name-1   0.6\ntwo        0.7\n"]);
    }

    #[test]
    fn colours_take_no_place() {
        for fit in [Fit::Drop, Fit::Continue(1)] {
            for width in [None, Some(28), Some(20)] {
                let text = table(fit).to_text(Terminal::colour(width));
                assert_eq!(without_colours(&text), table(fit).to_text(Terminal::plain(width)));
                assert!(text.contains("\u{1b}[32m0.5\u{1b}[0m") && text.contains("\u{1b}[31mtwo\u{1b}[0m"), "{text:?}");
            }
        }
    }

    #[test]
    fn names_keep_their_end() {
        assert_eq!(["a/dev", "model/a/dev"].map(|name| cut(name, 6)), ["a/dev", "…a/dev"]);
        assert_eq!(cut("äöü", 1), "…");
        assert_eq!(["a/系统一", "ab系统一"].map(|name| cut(name, 6)), ["…统一", "…统一"]);
    }
}
