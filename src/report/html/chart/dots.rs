//! In: accuracies with their intervals. Out: dot plots with one row each.

use super::{Anchor, Axis, Chart, LONGEST_NAME, Mark, NAMES, ROW, Shape, WIDTH, look, percent};
use crate::error::pluralized;
use crate::report::table::order;
use crate::report::text::cut;
use crate::report::{Report, Row};

/// The height above the first row.
const TOP: f64 = 6.0;

/// A row of a dot plot.
struct Dot<'a> {
    name: &'a str,
    value: f64,
    interval: [f64; 2],
    shape: Shape,
    class: &'static str,
}

/// All systems by accuracy, with 95% intervals.
pub(super) fn accuracy(report: &Report) -> Chart {
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
        let class = if found.p_value < 0.05 { "judge" } else { "metric" };
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
        marks.push(Mark::label([NAMES - 10.0, y], cut(dot.name, LONGEST_NAME), Anchor::End, weight));
        marks.push(Mark::line([low, y], [high, y], dot.class));
        marks.push(Mark::point([axis.place(dot.value), y], dot.shape, dot.class));
        marks.push(Mark::label([WIDTH - 2.0, y], written(dot.value), Anchor::End, weight));
    }
    (bottom + 22.0, marks)
}
