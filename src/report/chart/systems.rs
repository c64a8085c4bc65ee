//! Charts of systems: accuracies, pairwise comparisons, the confusion matrix of one of them.

use super::{Anchor, Axis, Chart, MAX_NAME, NAMES, ROW, Shape, TOP, WIDTH, look, middles};
use crate::error::pluralized;
use crate::evaluation::ranking::LEVEL;
use crate::judgments::{LabelSource, Verdict};
use crate::metrics::ratio;
use crate::report::answer::Outcome;
use crate::report::details::FamilyRange;
use crate::report::table::percent;
use crate::report::terminal::cut;
use crate::report::{AblationRow, Matrix, Report, Role, Row};

/// The smallest and largest cells of the grid; two digits fit into the smallest.
const MIN_CELL: f64 = 15.0;
const MAX_CELL: f64 = 22.0;

/// The height above the grid, for the numbers of the columns.
const TOP_OF_GRID: f64 = 18.0;

/// The left and the upper edge of the heat map's cells.
const CORNER: [f64; 2] = [108.0, 42.0];

/// The size of a cell of the heat map.
const CELL: [f64; 2] = [(WIDTH - CORNER[0] - 4.0) / 3.0, 52.0];

/// The largest opacity, on which text is still legible.
const MAX_OPACITY: f64 = 0.45;

/// A row of a dot plot.
pub(super) struct Dot<'a> {
    pub name: &'a str,
    pub value: f64,
    pub interval: [f64; 2],
    pub look: (Shape, &'static str),
}

/// The systems in `order` with 95% intervals.
pub(in crate::report) fn accuracy(name: &'static str, report: &Report, order: &[usize]) -> Chart {
    let dot = |&at: &usize| {
        let row = &report.systems[at];
        let is_subject = report.subject_row().is_some_and(|subject| subject.name == row.name);
        let role = if is_subject { Role::Subject } else { row.role };
        Dot { name: &row.name, value: row.accuracy, interval: [row.low, row.high], look: look(role) }
    };
    let dots: Vec<Dot<'_>> = order.iter().map(dot).collect();
    let systems = pluralized(dots.len(), "system");
    let what = format!("{systems} with 95% intervals, the most accurate first");
    plot(name, ["Accuracy", "accuracy, 95% interval"], &what, &dots, percent, None)
}

/// The change in accuracy from removing or adding a family of features.
pub(in crate::report) fn ablation(rows: &[AblationRow]) -> Chart {
    let dots = rows.iter().map(|row| {
        let comparison = &row.against_ensemble;
        let class = if comparison.p_value < LEVEL { "judge" } else { "metric" };
        Dot {
            name: &row.name,
            value: comparison.difference,
            interval: [comparison.low, comparison.high],
            look: (Shape::Circle, class),
        }
    });
    let mut dots: Vec<Dot<'_>> = dots.collect();
    dots.sort_by(|one, other| one.value.total_cmp(&other.value));
    let points = |value: f64| format!("{:+.2}", 100.0 * value);
    let what = "the change in accuracy, in points, with 95% intervals";
    let titles = ["Accuracy without each family of features", "change in accuracy, points, 95% interval"];
    plot("ablation", titles, what, &dots, points, Some(0.0))
}

/// The share of each family in the preference, in the order given, with its range over the models of the folds.
pub(in crate::report) fn families(families: &[FamilyRange]) -> Chart {
    let dots = families.iter().map(|family| Dot {
        name: &family.name,
        value: family.share,
        interval: [family.low, family.high],
        look: (Shape::Circle, "metric"),
    });
    let what = "the share of each family of features in the preference, with the range over the models of the folds";
    let titles = ["Share of each family in the preference", "share, range over the folds"];
    plot("families", titles, what, &dots.collect::<Vec<_>>(), percent, None)
}

/// A plot with names, intervals and values, a title of its own and one of its axis; a vertical line is drawn at `zero`.
pub(super) fn plot(
    name: &'static str,
    [title, axis_title]: [&str; 2],
    what: &str,
    dots: &[Dot<'_>],
    written: fn(f64) -> String,
    zero: Option<f64>,
) -> Chart {
    let bottom = TOP + ROW * dots.len() as f64;
    let mut chart = Chart::new(name, title, bottom + 38.0);
    if dots.is_empty() {
        return chart;
    }
    let ends = dots.iter().flat_map(|dot| [dot.interval[0], dot.value, dot.interval[1]]).chain(zero);
    let axis = Axis::over(ends, [NAMES, WIDTH - 54.0]);
    chart.ticks_below(&axis, [TOP, bottom], if zero.is_some() { "" } else { "%" });
    chart.label([0.5 * (NAMES + WIDTH - 54.0), bottom + 28.0], axis_title, Anchor::Middle, "note");
    if let Some(x) = zero.map(|zero| axis.place(zero)) {
        chart.line([x, TOP], [x, bottom], "axis");
    }
    for (dot, y) in dots.iter().zip(middles()) {
        // Bold letters are wider.
        let (weight, most) = if dot.look.1 == "metric" { ("name", MAX_NAME) } else { ("strong", MAX_NAME - 2) };
        chart.label([NAMES - 10.0, y], cut(dot.name, most), Anchor::End, weight);
        chart.estimate([axis.place(dot.value), y], dot.interval.map(|end| [axis.place(end), y]), dot.look);
        chart.label([WIDTH - 2.0, y], written(dot.value), Anchor::End, weight);
    }
    let said = dots.iter().map(|dot| format!("{} {}", dot.name, written(dot.value)));
    chart.described(format!("A dot plot of {what}: {}.", said.collect::<Vec<_>>().join(", ")))
}

/// A grid with a row and a column for each of the systems in `order`.
pub(in crate::report) fn matrix(name: &'static str, matrix: &Matrix, order: &[usize]) -> Chart {
    // One annotator against the others is compared with nobody.
    let order: Vec<usize> = order.iter().copied().filter(|&system| system < matrix.names.len()).collect();
    let left = NAMES + 20.0;
    let width = ((WIDTH - left - 4.0) / order.len().max(1) as f64).clamp(MIN_CELL, MAX_CELL);
    let bottom = TOP_OF_GRID + width * order.len() as f64;
    let mut chart = Chart::new(name, "Significant differences", bottom + 6.0);
    chart.width = WIDTH.max(left + 4.0 + width * order.len() as f64);
    let mut wins = Vec::new();
    for (row, &one) in order.iter().enumerate() {
        let y = TOP_OF_GRID + width * (row as f64 + 0.5);
        chart.label([NAMES - 2.0, y], cut(&matrix.names[one], MAX_NAME), Anchor::End, "name");
        chart.label([NAMES + 16.0, y], row + 1, Anchor::End, "tick cell");
        let x = left + width * (row as f64 + 0.5);
        chart.label([x, TOP_OF_GRID - 8.0], row + 1, Anchor::Middle, "tick cell");
        let mut beaten = 0;
        for (column, &other) in order.iter().enumerate().filter(|(column, _)| *column != row) {
            let outcome = Outcome::of_difference(matrix.differences[one][other], matrix.p_values[one][other]);
            beaten += usize::from(outcome == Outcome::Better);
            // Lighter for worse, so that it can be told apart in greyscale.
            let (sign, class, opacity) = match outcome {
                Outcome::Better => ("+", "right", 0.5),
                Outcome::Worse => ("−", "wrong", 0.22),
                Outcome::Similar => ("·", "frame", 0.0),
            };
            let [x, y] = [left + width * column as f64, TOP_OF_GRID + width * row as f64];
            let size = [width - 1.0; 2];
            chart.area([x, y], size, opacity, class);
            chart.label([x + 0.5 * size[0], y + 0.5 * size[1]], sign, Anchor::Middle, "cell");
        }
        wins.push(format!("{} beats {beaten}", matrix.names[one]));
    }
    chart.described(format!(
        "A grid of {}: a plus where the row's system is significantly more accurate than the column's (p below 0.05), \
         a minus where it is less accurate, a dot where there is no significant difference. {}.",
        pluralized(order.len(), "system"),
        wins.join(", ")
    ))
}

/// The confusion matrix of a system: counts, and shares of the row.
pub(in crate::report) fn confusion(row: Option<&Row>, labels_of: &LabelSource) -> Chart {
    let mut chart = Chart::new("confusion", "Confusion matrix", CORNER[1] + 3.0 * CELL[1] + 4.0);
    let Some(row) = row else { return chart };
    let says = format!("predicted by {}", cut(&row.name, 30));
    chart.label([CORNER[0] + 1.5 * CELL[0], 10.0], says, Anchor::Middle, "strong");
    let mut said = Vec::new();
    for verdict in Verdict::ALL {
        let counts = row.confusion.counts[verdict.index()];
        let all: usize = counts.iter().sum();
        let [x, y] = [0, 1].map(|side| CORNER[side] + CELL[side] * verdict.index() as f64);
        let people = if labels_of.is_people() { format!("human label {verdict}") } else { format!("label {verdict}") };
        chart.label([CORNER[0] - 8.0, y + 0.5 * CELL[1]], people, Anchor::End, "name");
        chart.label([x + 0.5 * CELL[0], CORNER[1] - 12.0], verdict, Anchor::Middle, "name");
        for (column, count) in counts.into_iter().enumerate() {
            let share = ratio(count as f64, all as f64);
            let at = [CORNER[0] + CELL[0] * column as f64, y];
            let class = if column == verdict.index() { "right" } else { "wrong" };
            chart.area(at, [CELL[0] - 2.0, CELL[1] - 2.0], MAX_OPACITY * share, class);
            chart.area(at, [CELL[0] - 2.0, CELL[1] - 2.0], 0.0, "frame");
            let [x, y] = [at[0] + 0.5 * CELL[0], at[1] + 0.5 * CELL[1]];
            chart.label([x, y - 8.0], count, Anchor::Middle, "large");
            chart.label([x, y + 11.0], percent(share), Anchor::Middle, "note");
        }
        let [first, tie, second] = counts;
        said.push(format!(
            "of the {} {verdict}, it predicts 1 for {first}, 0 for {tie} and -1 for {second}",
            labels_of.labels()
        ));
    }
    chart.described(format!("The confusion matrix of {}: {}.", row.name, said.join("; ")))
}
