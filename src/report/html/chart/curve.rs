//! In: accuracies with growing parts of the references. Out: the learning curve.

use super::{Anchor, Axis, Chart, Mark, Shape, WIDTH, percent};
use crate::report::CurveRow;

const LEFT: f64 = 44.0;
const TOP: f64 = 8.0;
const BOTTOM: f64 = 190.0;

/// Accuracy against the number of references, on a logarithmic scale; `None` without points.
pub(super) fn learning(points: &[CurveRow]) -> Option<Chart> {
    if points.is_empty() {
        return None;
    }
    let right = WIDTH - 24.0;
    let up = Axis::over(points.iter().flat_map(|point| [point.low, point.accuracy, point.high]), [BOTTOM, TOP]);
    let mut marks = up.left([LEFT, right + 14.0], 100.0, "%");
    let logs: Vec<f64> = points.iter().map(|point| point.groups.max(1.0).log2()).collect();
    let (first, last) = (logs[0], logs[logs.len() - 1]);
    let place = |log: f64| LEFT + 24.0 + (log - first) / (last - first).max(1e-9) * (right - LEFT - 34.0);
    let places: Vec<[f64; 2]> =
        points.iter().zip(&logs).map(|(point, &log)| [place(log), up.place(point.accuracy)]).collect();
    marks.push(Mark::polyline(&places, "trace"));
    for (point, &[x, y]) in points.iter().zip(&places) {
        marks.push(Mark::line([x, up.place(point.low)], [x, up.place(point.high)], "judge"));
        marks.push(Mark::point([x, y], Shape::Diamond, "judge"));
        marks.push(Mark::label([x, BOTTOM + 12.0], format!("{:.0}", point.groups), Anchor::Middle, "tick"));
    }
    let middle = 0.5 * (LEFT + right);
    marks.push(Mark::label([middle, BOTTOM + 30.0], "references in training", Anchor::Middle, "note"));
    let said = points.iter().map(|point| format!("{:.0} references {}", point.groups, percent(point.accuracy)));
    let description = format!("Accuracy against the number of references: {}.", said.collect::<Vec<_>>().join(", "));
    let title = "Learning curve".to_owned();
    Some(Chart { name: "learning-curve", title, description, height: BOTTOM + 40.0, marks })
}
