//! In: pairwise comparisons of systems. Out: a grid of signs that shows significant differences.

use super::{Anchor, Chart, LONGEST_NAME, Mark, NAMES, WIDTH};
use crate::error::pluralized;
use crate::report::table::order;
use crate::report::text::cut;
use crate::report::{Matrix, Report};

/// The significance level: differences with smaller p are shown.
const BEYOND_CHANCE: f64 = 0.05;

/// The widest cell.
const WIDEST: f64 = 22.0;

/// The height above the grid, for the numbers of the columns.
const TOP: f64 = 18.0;

/// A grid with a row and a column for each system, the most accurate first.
pub(super) fn wins(report: &Report, matrix: &Matrix) -> Chart {
    let order = order(report);
    let cell = ((WIDTH - NAMES - 24.0) / order.len().max(1) as f64).min(WIDEST);
    let (left, row_height) = (NAMES + 20.0, cell.max(13.0));
    let mut marks = Vec::new();
    let mut wins = Vec::new();
    for (row, &one) in order.iter().enumerate() {
        let y = TOP + row_height * (row as f64 + 0.5);
        let name = cut(&matrix.names[one], LONGEST_NAME);
        marks.push(Mark::label([NAMES - 2.0, y], name, Anchor::End, "name"));
        marks.push(Mark::label([NAMES + 16.0, y], (row + 1).to_string(), Anchor::End, "tick cell"));
        let x = left + cell * (row as f64 + 0.5);
        marks.push(Mark::label([x, TOP - 8.0], (row + 1).to_string(), Anchor::Middle, "tick cell"));
        let mut beaten = 0;
        for (column, &other) in order.iter().enumerate().filter(|(column, _)| *column != row) {
            let at = [left + cell * column as f64, TOP + row_height * row as f64];
            let found = Found::of(matrix, one, other);
            beaten += usize::from(found == Found::Better);
            let size = [cell - 1.0, row_height - 1.0];
            marks.push(Mark::area(at, size, found.opacity(), found.class()));
            let middle = [at[0] + 0.5 * size[0], at[1] + 0.5 * size[1]];
            marks.push(Mark::label(middle, found.sign(), Anchor::Middle, "cell"));
        }
        wins.push(format!("{} beats {beaten}", matrix.names[one]));
    }
    let description = format!(
        "A grid of {}: a plus where the row's system is significantly more accurate than the column's (p below 0.05), \
         a minus where it is less accurate, a dot where neither is shown. {}.",
        pluralized(order.len(), "system"),
        wins.join(", ")
    );
    let height = TOP + row_height * order.len() as f64 + 6.0;
    Chart { name: "matrix", title: "Significant differences".to_owned(), description, height, marks }
}

/// The outcome of comparing a system with another.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Found {
    Better,
    Worse,
    Neither,
}

impl Found {
    fn of(matrix: &Matrix, one: usize, other: usize) -> Self {
        match (matrix.p_values[one][other] < BEYOND_CHANCE, matrix.differences[one][other] > 0.0) {
            (false, _) => Self::Neither,
            (true, true) => Self::Better,
            (true, false) => Self::Worse,
        }
    }

    fn sign(self) -> &'static str {
        match self {
            Self::Better => "+",
            Self::Worse => "−",
            Self::Neither => "·",
        }
    }

    fn class(self) -> &'static str {
        match self {
            Self::Better => "right",
            Self::Worse => "wrong",
            Self::Neither => "frame",
        }
    }

    fn opacity(self) -> f64 {
        match self {
            Self::Better => 0.5,
            // Lighter, so that it can be told apart in greyscale.
            Self::Worse => 0.22,
            Self::Neither => 0.0,
        }
    }
}
