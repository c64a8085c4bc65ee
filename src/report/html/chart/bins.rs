//! In: accuracy by a property of pairs. Out: a chart for each property.

use super::{Anchor, Axis, Chart, Mark, Shape, WIDTH, percent};
use crate::error::pluralized;
use crate::report::details::{Breakdown, BreakdownBin};
use crate::report::html::CHARTS;
use crate::report::text::cut;
use crate::report::{BASELINE, BEST_METRIC};

const LEFT: f64 = 40.0;
const TOP: f64 = 28.0;
const BOTTOM: f64 = 200.0;

/// The shape and class of a system's points.
fn look(at: usize, name: &str) -> (Shape, &'static str) {
    match name {
        _ if at == 0 => (Shape::Diamond, "judge"),
        BASELINE => (Shape::Triangle, "baseline"),
        BEST_METRIC => (Shape::Square, "rival"),
        _ => (Shape::Circle, "metric"),
    }
}

/// The accuracy of a few systems in each bin of a property, with 95% intervals.
pub(super) fn accuracy(breakdown: &Breakdown) -> Option<Chart> {
    let name = CHARTS.into_iter().find(|name| name.strip_prefix("breakdown-") == Some(breakdown.key))?;
    let bins = &breakdown.bins;
    if bins.is_empty() {
        return None;
    }
    let right = WIDTH - 8.0;
    let ends = bins.iter().flat_map(|bin| &bin.accuracies).flat_map(|of| [of.low, of.accuracy, of.high]);
    let up = Axis::over(ends, [BOTTOM, TOP]);
    let mut marks = up.left([LEFT, right], 100.0, "%");
    let width = (right - LEFT) / bins.len() as f64;
    for (bin, middle) in bins.iter().zip((0..).map(|at| LEFT + width * (f64::from(at) + 0.5))) {
        marks.extend(of_bin(bin, &breakdown.systems, &up, [middle, width]));
    }
    marks.push(Mark::label([LEFT - 5.0, BOTTOM + 27.0], "pairs", Anchor::End, "tick"));
    marks.extend(legend(&breakdown.systems));
    marks.push(Mark::label([0.5 * (LEFT + right), BOTTOM + 48.0], &breakdown.property, Anchor::Middle, "note"));
    let said = bins.iter().map(|bin| {
        let of_systems = breakdown.systems.iter().zip(&bin.accuracies);
        let of_systems = of_systems.map(|(system, of)| format!("{system} {}", percent(of.accuracy)));
        format!("{} ({}): {}", bin.values, pluralized(bin.pairs, "pair"), of_systems.collect::<Vec<_>>().join(", "))
    });
    let description = format!("By {}. {}.", breakdown.meaning, said.collect::<Vec<_>>().join("; "));
    let title = format!("Accuracy by {}", breakdown.property);
    Some(Chart { name, title, description, height: BOTTOM + 58.0, marks })
}

/// The systems of a bin side by side, with values and count below.
fn of_bin(bin: &BreakdownBin, systems: &[String], up: &Axis, [middle, width]: [f64; 2]) -> Vec<Mark> {
    let gap = (width / 6.0).min(11.0);
    let count = bin.accuracies.len() as f64;
    let mut marks = Vec::new();
    for (at, (of, system)) in bin.accuracies.iter().zip(systems).enumerate() {
        let (shape, class) = look(at, system);
        let x = middle + gap * (at as f64 - 0.5 * (count - 1.0));
        marks.push(Mark::line([x, up.place(of.low)], [x, up.place(of.high)], class));
        marks.push(Mark::point([x, up.place(of.accuracy)], shape, class));
    }
    // About as many characters as fit.
    let room = (width / 5.5) as usize;
    marks.push(Mark::label(
        [middle, BOTTOM + 12.0],
        cut(&bin.values.replace(" to ", "–"), room.max(3)),
        Anchor::Middle,
        "tick",
    ));
    marks.push(Mark::label([middle, BOTTOM + 27.0], bin.pairs.to_string(), Anchor::Middle, "tick"));
    marks
}

fn legend(systems: &[String]) -> Vec<Mark> {
    let width = (WIDTH - LEFT) / systems.len().max(1) as f64;
    let mark = |(at, name): (usize, &String)| {
        let (shape, class) = look(at, name);
        let x = LEFT + width * at as f64 + 6.0;
        [Mark::point([x, 9.0], shape, class), Mark::label([x + 10.0, 9.0], cut(name, 18), Anchor::Start, "name")]
    };
    systems.iter().enumerate().flat_map(mark).collect()
}
