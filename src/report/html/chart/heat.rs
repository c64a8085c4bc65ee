//! In: a confusion matrix. Out: a heat map.

use super::{Anchor, Chart, Mark, WIDTH, percent};
use crate::judgments::Verdict;
use crate::metrics::ratio;
use crate::report::Row;
use crate::report::text::cut;

/// The left and the upper edge of the cells.
const CORNER: [f64; 2] = [96.0, 42.0];

/// The size of a cell.
const CELL: [f64; 2] = [(WIDTH - CORNER[0] - 4.0) / 3.0, 52.0];

/// The largest opacity, on which text is still legible.
const STRONGEST: f64 = 0.45;

/// The confusion matrix of a system: counts, and shares of the row.
pub(super) fn confusion(row: &Row) -> Chart {
    let mut marks = vec![Mark::label(
        [CORNER[0] + 1.5 * CELL[0], 10.0],
        format!("{} says", cut(&row.name, 30)),
        Anchor::Middle,
        "strong",
    )];
    let mut said = Vec::new();
    for verdict in Verdict::ALL {
        let counts = row.confusion.counts[verdict.index()];
        let all: usize = counts.iter().sum();
        let y = CORNER[1] + CELL[1] * verdict.index() as f64;
        let x = CORNER[0] + CELL[0] * verdict.index() as f64;
        marks.push(Mark::label(
            [CORNER[0] - 8.0, y + 0.5 * CELL[1]],
            format!("people say {verdict}"),
            Anchor::End,
            "name",
        ));
        marks.push(Mark::label([x + 0.5 * CELL[0], CORNER[1] - 12.0], verdict.to_string(), Anchor::Middle, "name"));
        for (column, count) in counts.into_iter().enumerate() {
            let share = ratio(count as f64, all as f64);
            let at = [CORNER[0] + CELL[0] * column as f64, y];
            let class = if column == verdict.index() { "right" } else { "wrong" };
            marks.push(Mark::area(at, [CELL[0] - 2.0, CELL[1] - 2.0], STRONGEST * share, class));
            marks.push(Mark::area(at, [CELL[0] - 2.0, CELL[1] - 2.0], 0.0, "frame"));
            let [x, y] = [at[0] + 0.5 * CELL[0], at[1] + 0.5 * CELL[1]];
            marks.push(Mark::label([x, y - 8.0], count.to_string(), Anchor::Middle, "large"));
            marks.push(Mark::label([x, y + 11.0], percent(share), Anchor::Middle, "note"));
        }
        let [first, tie, second] = counts;
        said.push(format!("where people say {verdict}, it says 1 {first}, 0 {tie} and -1 {second} times"));
    }
    let description = format!("The confusion matrix of {}: {}.", row.name, said.join("; "));
    let height = CORNER[1] + 3.0 * CELL[1] + 4.0;
    Chart { name: "confusion", title: "Confusion matrix".to_owned(), description, height, marks }
}
