//! In: systems on the same pairs. Out: pairwise comparisons of all systems, as numbers and as text.

use anstyle::Style;
use rayon::prelude::*;
use serde::Serialize;

use super::Terminal;
use super::contest::Contest;
use super::paint::{GREEN, RED};
use super::text::{columns_of, cut, padded, short_p_value, wrapped};
use crate::evaluation::ranking::LEVEL;

/// Pairwise comparisons of all systems. Matrices are (systems, systems).
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Matrix {
    /// The systems of rows and columns, in the order of the report.
    pub names: Vec<String>,
    /// The accuracy of the row's system minus that of the column's.
    pub differences: Vec<Vec<f64>>,
    /// The p-values of the differences, see [`crate::evaluation::compare`]; 1 on the diagonal. They are not corrected
    /// for multiple tests.
    pub p_values: Vec<Vec<f64>>,
}

impl Matrix {
    /// Compares all systems.
    pub(super) fn of(contest: &Contest<'_>) -> Self {
        let count = contest.systems.len();
        let pairs: Vec<(usize, usize)> = (0..count).flat_map(|row| (0..row).map(move |column| (row, column))).collect();
        let compared: Vec<_> = pairs.par_iter().map(|&(row, column)| contest.compare(row, column)).collect();
        let (mut differences, mut p_values) = (vec![vec![0.0; count]; count], vec![vec![1.0; count]; count]);
        for (&(row, column), found) in pairs.iter().zip(&compared) {
            // Avoids -0.0.
            (differences[row][column], differences[column][row]) = (found.difference, 0.0 - found.difference);
            (p_values[row][column], p_values[column][row]) = (found.p_value, found.p_value);
        }
        Self { names: contest.systems.iter().map(|system| system.name.clone()).collect(), differences, p_values }
    }

    /// A table of the systems in `order`, with differences in percentage points above the diagonal and p-values below.
    /// Columns that do not fit follow in further blocks.
    pub(super) fn text(&self, order: &[usize], terminal: Terminal) -> String {
        let width = terminal.width;
        let longest = self.names.iter().map(|name| columns_of(name)).max().unwrap_or(0);
        let name_width = width.map_or(longest, |width| longest.min((width / 3).max(SHORTEST_NAME)));
        let number_width = order.len().to_string().len();
        let room = width.map_or(order.len(), |width| width.saturating_sub(name_width + number_width + 1) / CELL);
        let about = "All pairs of systems: above the diagonal, the row's accuracy minus the column's in points; below \
                     it, p-values (not corrected for multiple tests).";
        let places: Vec<usize> = (0..order.len()).collect();
        let line = |first: String, cells: &mut dyn Iterator<Item = String>| first + &cells.collect::<String>() + "\n";
        let block = |columns: &[usize]| {
            let numbers = &mut columns.iter().map(|column| format!("{:>CELL$}", column + 1));
            let header = line(format!("\n{:number_width$} {:name_width$}", "", ""), numbers);
            let row = |&row: &usize| {
                let name = padded(&cut(&self.names[order[row]], name_width), name_width);
                let cells = &mut columns.iter().map(|&column| {
                    let cell = format!("{:>CELL$}", self.cell(order, row, column));
                    terminal.paint.apply(self.style(order[row], order[column]), cell)
                });
                line(format!("{:>number_width$} {name}", row + 1), cells)
            };
            header + &places.iter().map(row).collect::<String>()
        };
        wrapped(about, width) + &places.chunks(room.max(1)).map(block).collect::<String>()
    }

    /// The style of a significant difference, by whether the row's system is better or worse; else plain.
    fn style(&self, one: usize, other: usize) -> Style {
        match (self.p_values[one][other] < LEVEL, self.differences[one][other] > 0.0) {
            (false, _) => Style::new(),
            (true, true) => GREEN,
            (true, false) => RED,
        }
    }

    fn cell(&self, order: &[usize], row: usize, column: usize) -> String {
        let (one, other) = (order[row], order[column]);
        match row.cmp(&column) {
            std::cmp::Ordering::Less => format!("{:+.1}", 100.0 * self.differences[one][other]),
            std::cmp::Ordering::Equal => "-".to_owned(),
            std::cmp::Ordering::Greater => short_p_value(self.p_values[one][other]),
        }
    }
}

/// The width of a column in characters, including the space before it.
const CELL: usize = 6;

/// The fewest characters to which a name is cut.
const SHORTEST_NAME: usize = 10;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::paint::without_colours;

    fn matrix() -> Matrix {
        Matrix {
            names: ["one", "two", "three"].map(str::to_owned).into(),
            differences: vec![vec![0.0, -0.1, 0.05], vec![0.1, 0.0, 0.15], vec![-0.05, -0.15, 0.0]],
            p_values: vec![vec![1.0, 0.0004, 0.25], vec![0.0004, 1.0, 0.011], vec![0.25, 0.011, 1.0]],
        }
    }

    #[test]
    fn differences_stand_above_the_diagonal_and_p_below() {
        let text = matrix().text(&[1, 0, 2], Terminal::default());
        let rows: Vec<&str> = text.lines().skip(3).collect();
        assert_eq!(rows, ["1 two       - +10.0 +15.0", "2 one   <.001     -  +5.0", "3 three  .011  .250     -"]);
    }

    #[test]
    fn differences_beyond_chance_are_painted() {
        let [plain, painted] = [Terminal::plain(24), Terminal::colour(24)].map(|on| matrix().text(&[1, 0, 2], on));
        assert_eq!(without_colours(&painted), plain);
        for part in ["\u{1b}[32m +10.0\u{1b}[0m", "\u{1b}[31m <.001\u{1b}[0m", "  +5.0"] {
            assert!(painted.contains(part), "{painted:?}");
        }
    }

    #[test]
    fn columns_that_do_not_fit_follow_below() {
        let text = matrix().text(&[1, 0, 2], Terminal::plain(24));
        assert!(text.lines().all(|line| line.chars().count() <= 24), "{text}");
        let blocks: Vec<&str> = text.split("\n\n").collect();
        assert_eq!(blocks.len(), 3, "{text}");
        assert_eq!(blocks[2].lines().nth(1), Some("1 two   +15.0"), "{text}");
    }
}
