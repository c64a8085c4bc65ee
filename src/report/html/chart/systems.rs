//! Charts of systems: accuracies, pairwise comparisons, the confusion matrix of one of them.

use super::{Anchor, Axis, Chart, MAX_NAME, Mark, NAMES, ROW, Shape, WIDTH, look};
use crate::error::pluralized;
use crate::evaluation::ranking::LEVEL;
use crate::judgments::Verdict;
use crate::metrics::ratio;
use crate::report::answer::Outcome;
use crate::report::layout::cut;
use crate::report::table::percent;
use crate::report::text::order;
use crate::report::{Matrix, Report, Row};

/// The height above the first row of a dot plot.
const TOP: f64 = 6.0;

/// The widest cell of the grid.
const MAX_CELL: f64 = 22.0;

/// The height above the grid, for the numbers of the columns.
const TOP_OF_GRID: f64 = 18.0;

/// The left and the upper edge of the heat map's cells.
const CORNER: [f64; 2] = [96.0, 42.0];

/// The size of a cell of the heat map.
const CELL: [f64; 2] = [(WIDTH - CORNER[0] - 4.0) / 3.0, 52.0];

/// The largest opacity, on which text is still legible.
const MAX_OPACITY: f64 = 0.45;

/// A row of a dot plot.
struct Dot<'a> {
    name: &'a str,
    value: f64,
    interval: [f64; 2],
    shape: Shape,
    class: &'static str,
}

/// All systems by accuracy, with 95% intervals.
pub(in crate::report::html) fn accuracy(report: &Report) -> Chart {
    let rows: Vec<&Row> = order(report).into_iter().map(|at| &report.systems[at]).collect();
    let mut dots = Vec::new();
    for row in &rows {
        let (shape, class) = look(row.role);
        dots.push(Dot { name: &row.name, value: row.accuracy, interval: [row.low, row.high], shape, class });
    }
    let named = |row: &&Row| format!("{} {}", row.name, percent(row.accuracy));
    let description = format!(
        "A dot plot of {} with 95% intervals, the most accurate first: {}.",
        pluralized(rows.len(), "system"),
        rows.iter().map(named).collect::<Vec<_>>().join(", ")
    );
    let (height, marks) = plot(&dots, percent, None);
    Chart { name: "accuracy", title: "Accuracy of all systems".to_owned(), description, height, marks }
}

/// The change in accuracy from removing or adding a family of features.
pub(super) fn ablation(report: &Report) -> Option<Chart> {
    let rows = &report.ablation;
    if rows.is_empty() {
        return None;
    }
    let mut dots = Vec::new();
    for row in rows {
        let found = &row.against_ensemble;
        let class = if found.p_value < LEVEL { "judge" } else { "metric" };
        let interval = [found.low, found.high];
        dots.push(Dot { name: &row.name, value: found.difference, interval, shape: Shape::Circle, class });
    }
    dots.sort_by(|one, other| one.value.total_cmp(&other.value));
    let points = |value: f64| format!("{:+.2}", 100.0 * value);
    let named = |dot: &Dot<'_>| format!("{} {}", dot.name, points(dot.value));
    let description = format!(
        "A dot plot of the change of accuracy in points, with 95% intervals: {}.",
        dots.iter().map(named).collect::<Vec<_>>().join(", ")
    );
    let (height, marks) = plot(&dots, points, Some(0.0));
    let title = "Accuracy without each family of features".to_owned();
    Some(Chart { name: "ablation", title, description, height, marks })
}

/// The height and marks of a plot with names, intervals and values; a vertical line is drawn at `zero`.
fn plot(dots: &[Dot<'_>], written: impl Fn(f64) -> String, zero: Option<f64>) -> (f64, Vec<Mark>) {
    let bottom = TOP + ROW * dots.len() as f64;
    let ends = dots.iter().flat_map(|dot| [dot.interval[0], dot.value, dot.interval[1]]).chain(zero);
    let axis = Axis::over(ends, [NAMES, WIDTH - 54.0]);
    let unit = if zero.is_some() { "" } else { "%" };
    let mut marks = axis.below([TOP, bottom], 100.0, unit);
    marks.extend(zero.map(|zero| Mark::line([axis.place(zero), TOP], [axis.place(zero), bottom], "axis")));
    for (dot, y) in dots.iter().zip((0..).map(|at| TOP + ROW * (f64::from(at) + 0.5))) {
        let weight = if dot.class == "metric" { "name" } else { "strong" };
        let [low, high] = dot.interval.map(|end| axis.place(end));
        marks.push(Mark::label([NAMES - 10.0, y], cut(dot.name, MAX_NAME), Anchor::End, weight));
        marks.push(Mark::line([low, y], [high, y], dot.class));
        marks.push(Mark::point([axis.place(dot.value), y], dot.shape, dot.class));
        marks.push(Mark::label([WIDTH - 2.0, y], written(dot.value), Anchor::End, weight));
    }
    (bottom + 22.0, marks)
}

/// A grid with a row and a column for each system, the most accurate first.
pub(super) fn wins(report: &Report, matrix: &Matrix) -> Chart {
    let order = order(report);
    let cell = ((WIDTH - NAMES - 24.0) / order.len().max(1) as f64).min(MAX_CELL);
    let (left, row_height) = (NAMES + 20.0, cell.max(13.0));
    let mut marks = Vec::new();
    let mut wins = Vec::new();
    for (row, &one) in order.iter().enumerate() {
        let y = TOP_OF_GRID + row_height * (row as f64 + 0.5);
        let name = cut(&matrix.names[one], MAX_NAME);
        marks.push(Mark::label([NAMES - 2.0, y], name, Anchor::End, "name"));
        marks.push(Mark::label([NAMES + 16.0, y], (row + 1).to_string(), Anchor::End, "tick cell"));
        let x = left + cell * (row as f64 + 0.5);
        marks.push(Mark::label([x, TOP_OF_GRID - 8.0], (row + 1).to_string(), Anchor::Middle, "tick cell"));
        let mut beaten = 0;
        for (column, &other) in order.iter().enumerate().filter(|(column, _)| *column != row) {
            let at = [left + cell * column as f64, TOP_OF_GRID + row_height * row as f64];
            let outcome = Outcome::of_difference(matrix.differences[one][other], matrix.p_values[one][other]);
            beaten += usize::from(outcome == Outcome::Better);
            // Lighter for worse, so that it can be told apart in greyscale.
            let (sign, class, opacity) = match outcome {
                Outcome::Better => ("+", "right", 0.5),
                Outcome::Worse => ("−", "wrong", 0.22),
                Outcome::Similar => ("·", "frame", 0.0),
            };
            let size = [cell - 1.0, row_height - 1.0];
            marks.push(Mark::area(at, size, opacity, class));
            let middle = [at[0] + 0.5 * size[0], at[1] + 0.5 * size[1]];
            marks.push(Mark::label(middle, sign, Anchor::Middle, "cell"));
        }
        wins.push(format!("{} beats {beaten}", matrix.names[one]));
    }
    let description = format!(
        "A grid of {}: a plus where the row's system is significantly more accurate than the column's (p below 0.05), \
         a minus where it is less accurate, a dot where neither is shown. {}.",
        pluralized(order.len(), "system"),
        wins.join(", ")
    );
    let height = TOP_OF_GRID + row_height * order.len() as f64 + 6.0;
    Chart { name: "matrix", title: "Significant differences".to_owned(), description, height, marks }
}

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
            marks.push(Mark::area(at, [CELL[0] - 2.0, CELL[1] - 2.0], MAX_OPACITY * share, class));
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
