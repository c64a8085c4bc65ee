//! In: columns of cells. Out: a table for a terminal, which loses its least important columns if they do not fit.

use anstyle::Style;

use super::Terminal;
use super::text::{columns_of, cut};

/// The default number of spaces after a column.
const GAP: usize = 2;

/// The fewest characters to which the widest text column is cut, if no more columns can be left out.
const SHORTEST: usize = 8;

/// A column of a table.
#[derive(Debug, Clone)]
pub(super) struct Column {
    header: String,
    cells: Vec<String>,
    /// The style of each cell; empty if all are plain.
    styles: Vec<Style>,
    is_left: bool,
    /// Columns with the highest rank are left out first, those with 0 never.
    rank: u8,
    /// The number of spaces after the column.
    gap: usize,
}

impl Column {
    /// A left-aligned text column.
    pub fn left(header: impl Into<String>, rank: u8, cells: impl Iterator<Item = String>) -> Self {
        Self { header: header.into(), cells: cells.collect(), styles: Vec::new(), is_left: true, rank, gap: GAP }
    }

    /// A column of single-character marks before a name.
    pub fn marks(cells: impl Iterator<Item = String>) -> Self {
        Self { gap: 1, ..Self::left("", 0, cells) }
    }

    /// A right-aligned column of numbers.
    pub fn right(header: impl Into<String>, rank: u8, cells: impl Iterator<Item = String>) -> Self {
        Self { is_left: false, ..Self::left(header, rank, cells) }
    }

    /// Sets one style per cell.
    pub fn painted(self, styles: impl Iterator<Item = Style>) -> Self {
        Self { styles: styles.collect(), ..self }
    }

    /// A cell padded to the width of the column; escape sequences take no width.
    fn padded(&self, row: usize, width: usize, terminal: Terminal) -> String {
        let cell = &self.cells[row];
        let space = " ".repeat(width.saturating_sub(columns_of(cell)));
        let cell = match self.styles.get(row) {
            Some(&style) if !cell.trim().is_empty() => terminal.paint.apply(style, cell),
            _ => cell.clone(),
        };
        if self.is_left { cell + &space } else { space + &cell }
    }

    fn width(&self) -> usize {
        self.cells.iter().chain([&self.header]).map(|cell| columns_of(cell)).max().unwrap_or(0)
    }
}

/// The table: a header, then one line per row, without trailing spaces. It fits the terminal unless the columns of rank
/// 0 do not, even with the widest text column cut short.
pub(super) fn render(mut columns: Vec<Column>, terminal: Terminal) -> String {
    // Leaves out columns in which every cell is empty.
    columns.retain(|column| column.cells.iter().any(|cell| !cell.is_empty()));
    if let Some(width) = terminal.width {
        fit(&mut columns, width);
    }
    let widths: Vec<usize> = columns.iter().map(Column::width).collect();
    let rows = columns.first().map_or(0, |column| column.cells.len());
    let line = |cell: &dyn Fn(&Column, usize) -> String| {
        let cells = columns.iter().zip(&widths).map(|(column, &width)| cell(column, width) + &" ".repeat(column.gap));
        cells.collect::<String>().trim_end().to_owned() + "\n"
    };
    let header = line(&|column, width| {
        let header = &column.header;
        let space = " ".repeat(width - columns_of(header));
        if column.is_left { format!("{header}{space}") } else { format!("{space}{header}") }
    });
    let body = (0..rows).map(|row| line(&|column, width| column.padded(row, width, terminal)));
    std::iter::once(header).chain(body).collect()
}

/// The width of a line of the table, in characters.
pub(super) fn total_width(columns: &[Column]) -> usize {
    let last = columns.last().map_or(0, |column| column.gap);
    columns.iter().map(|column| column.width() + column.gap).sum::<usize>() - last
}

fn fit(columns: &mut Vec<Column>, width: usize) {
    while total_width(columns) > width {
        let Some(rank) = columns.iter().map(|column| column.rank).max().filter(|&rank| rank > 0) else { break };
        let last = columns.iter().rposition(|column| column.rank == rank).unwrap_or_default();
        columns.remove(last);
    }
    let excess = total_width(columns).saturating_sub(width);
    let words = columns.iter_mut().filter(|column| column.is_left && excess > 0);
    if let Some(names) = words.max_by_key(|column| column.width()) {
        let shortest = names.width().saturating_sub(excess).max(SHORTEST);
        names.cells.iter_mut().for_each(|name| *name = cut(name, shortest));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::paint::{GREEN, RED, without_colours};

    fn columns() -> Vec<Column> {
        let cells = |cells: [&str; 2]| cells.map(str::to_owned).into_iter();
        vec![
            Column::left("name", 0, cells(["a-long-name-1", "two"])),
            Column::right("accuracy", 0, cells(["0.5", "0.25"])),
            Column::right("tau", 2, cells(["0.1", ""])),
            Column::right("ties", 1, cells(["0.6", "0.7"])),
            Column::right("none", 0, cells(["", ""])),
        ]
    }

    #[test]
    fn columns_stand_below_each_other() {
        let text = render(columns(), Terminal::default());
        let expected = "name           accuracy  tau  ties\na-long-name-1       0.5  0.1   0.6\ntwo                0.25        0.7\n";
        assert_eq!(text, expected);
        assert_eq!(render(columns(), Terminal::plain(34)), expected);
    }

    #[test]
    fn the_least_important_columns_are_left_out_first() {
        let header = |width| render(columns(), Terminal::plain(width)).lines().next().unwrap().to_owned();
        assert_eq!(header(33), "name           accuracy  ties");
        assert_eq!(header(28), "name           accuracy");
    }

    #[test]
    fn colours_take_no_place() {
        let painted = || columns().into_iter().map(|column| column.painted([GREEN, RED].into_iter())).collect();
        for width in [None, Some(28), Some(20)] {
            let text = render(painted(), Terminal::colour(width));
            assert_eq!(without_colours(&text), render(columns(), Terminal::plain(width)));
            assert!(text.contains("\u{1b}[32m0.5\u{1b}[0m") && text.contains("\u{1b}[31mtwo\u{1b}[0m"), "{text:?}");
        }
        assert_eq!(render(painted(), Terminal::default()), render(columns(), Terminal::default()));
    }

    #[test]
    fn names_are_cut_last() {
        let text = render(columns(), Terminal::plain(20));
        assert_eq!(text, "name        accuracy\n…ng-name-1       0.5\ntwo             0.25\n");
    }
}
