//! Charts of a ranking: win rates, the matrix of every two systems, and what more groups would show.

use super::systems::{Dot, plot};
use super::{Anchor, Axis, Chart, MAX_NAME, NAMES, Shape, WIDTH};
use crate::evaluation::{PowerPoint, RankedSystem};
use crate::report::ranking::{Ranking, share_of_wins};
use crate::report::table::percent;
use crate::report::terminal::cut;

/// The smallest and largest cells of the matrix; two digits fit into the smallest.
const MIN_CELL: f64 = 20.0;
const MAX_CELL: f64 = 34.0;

/// The height above the matrix, for the numbers of the columns.
const TOP_OF_GRID: f64 = 18.0;

/// The largest opacity of a cell, on which text is still legible.
const MAX_OPACITY: f64 = 0.45;

/// The left edge, top and bottom of the curve.
const CURVE: [f64; 3] = [50.0, 24.0, 206.0];

/// The win rates with 95% intervals, the strongest system first.
pub(in crate::report) fn win_rates(systems: &[RankedSystem]) -> Chart {
    let dot = |system: &RankedSystem| Dot {
        name: "",
        value: system.win_rate.value,
        interval: [system.win_rate.low, system.win_rate.high],
        look: if system.cluster == 1 { (Shape::Diamond, "judge") } else { (Shape::Circle, "metric") },
    };
    let dots: Vec<Dot<'_>> = systems.iter().map(|system| Dot { name: &system.name, ..dot(system) }).collect();
    let what = "win rates with 95% intervals, the strongest system first";
    plot("win-rates", ["Win rates", "win rate, 95% interval"], what, &dots, percent, None)
}

/// The per cent of pairs that each system wins against each other.
pub(in crate::report) fn wins(ranking: &Ranking) -> Chart {
    let systems = &ranking.board.systems;
    let left = NAMES + 20.0;
    let width = ((WIDTH - left - 4.0) / systems.len().max(1) as f64).clamp(MIN_CELL, MAX_CELL);
    let mut chart = Chart::new(
        "wins",
        "Wins of the row against the column, per cent",
        TOP_OF_GRID + width * systems.len() as f64 + 6.0,
    );
    chart.width = WIDTH.max(left + 4.0 + width * systems.len() as f64);
    let mut said = Vec::new();
    for (row, one) in systems.iter().enumerate() {
        let middle = width * (row as f64 + 0.5);
        chart.label([NAMES - 2.0, TOP_OF_GRID + middle], cut(&one.name, MAX_NAME), Anchor::End, "name");
        chart.label([NAMES + 16.0, TOP_OF_GRID + middle], row + 1, Anchor::End, "tick cell");
        chart.label([left + middle, TOP_OF_GRID - 8.0], row + 1, Anchor::Middle, "tick cell");
        for (column, other) in systems.iter().enumerate().filter(|(column, _)| *column != row) {
            let Some(share) = share_of_wins(&ranking.board, row, column) else { continue };
            let [x, y] = [left + width * column as f64, TOP_OF_GRID + width * row as f64];
            let class = if share >= 0.5 { "right" } else { "wrong" };
            chart.area([x, y], [width - 1.0; 2], MAX_OPACITY * (2.0 * share - 1.0).abs(), class);
            let label = format!("{:.0}", 100.0 * share);
            chart.label([x + 0.5 * (width - 1.0), y + 0.5 * (width - 1.0)], &label, Anchor::Middle, "cell");
            if row < column {
                said.push(format!("{} against {} {label}%", one.name, other.name));
            }
        }
    }
    chart.described(format!("A grid of the per cent of pairs that each system wins: {}.", said.join(", ")))
}

/// The smallest difference that is shown, against the number of groups.
pub(in crate::report) fn power(points: &[PowerPoint], unit: &str) -> Chart {
    let [left, top, bottom] = CURVE;
    let right = WIDTH - 24.0;
    let mut chart = Chart::new("power", "Difference shown with a power of 80%", bottom + 40.0);
    if points.first().is_none_or(|point| point.difference <= 0.0) {
        return chart;
    }
    let up = Axis::over(points.iter().map(|point| point.difference).chain([0.0]), [bottom, top]);
    chart.ticks_left(&up, [left, right + 14.0]);
    chart.label([2.0, 8.0], "difference of win rates", Anchor::Start, "note");
    let place = |at: usize| {
        let along = at as f64 / (points.len() - 1).max(1) as f64;
        [left + 24.0 + along * (right - left - 34.0), up.place(points[at].difference)]
    };
    chart.polyline(&(0..points.len()).map(place).collect::<Vec<_>>(), "trace");
    for (at, point) in points.iter().enumerate() {
        let [x, y] = place(at);
        chart.point([x, y], (Shape::Diamond, "judge"));
        chart.label([x, bottom + 12.0], point.groups, Anchor::Middle, "tick");
    }
    chart.label([0.5 * (left + right), bottom + 30.0], format!("number of {unit}s"), Anchor::Middle, "note");
    let said = points.iter().map(|point| format!("{} {unit}s {}", point.groups, percent(point.difference)));
    let said = said.collect::<Vec<_>>().join(", ");
    chart.described(format!("The smallest difference of win rates that is shown: {said}."))
}
