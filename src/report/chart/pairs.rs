//! Charts of the first system: calibration, accuracy by properties of pairs and by references.

use super::{Anchor, Axis, Chart, DIGIT, MAX_NAME, NAMES, Shape, WIDTH, look};
use crate::error::pluralized;
use crate::learning::Coverage;
use crate::report::CurveRow;
use crate::report::details::{Breakdown, BreakdownBin, ReliabilityBin};
use crate::report::systems::Role;
use crate::report::table::percent;
use crate::report::terminal::cut;

/// The left edge of plots.
const LEFT: f64 = 40.0;

/// The look of the first system.
const JUDGE: (Shape, &str) = (Shape::Diamond, "judge");

/// The top and bottom of the calibration curve.
const CALIBRATION: [f64; 2] = [24.0, 264.0];

/// The top and bottom of the histogram of counts.
const COUNTS: [f64; 2] = [316.0, 366.0];

/// What a curve of calibration shows.
pub(in crate::report) struct CalibrationAxes {
    pub confidence: &'static str,
    pub accuracy: &'static str,
    /// What is counted.
    pub unit: &'static str,
}

/// Accuracy against confidence, with the diagonal of perfect calibration.
pub(in crate::report) fn calibration(name: &'static str, bins: &[ReliabilityBin], axes: &CalibrationAxes) -> Chart {
    let mut chart = Chart::new(name, "Calibration", COUNTS[1] + 22.0);
    let ([first, .., last] | [first @ last]) = bins else { return chart };
    let most = bins.iter().map(|bin| bin.pairs).max().unwrap_or(0).max(1);
    let right = WIDTH - 18.0;
    let across = Axis::over(bins.iter().flat_map(|bin| [bin.from, bin.to]), [LEFT, right]);
    let ends = bins.iter().flat_map(|bin| [bin.from, bin.to, bin.low, bin.high]);
    let up = Axis::over(ends, [CALIBRATION[1], CALIBRATION[0]]);
    chart.ticks_left(&up, [LEFT, right]);
    chart.ticks_below(&across, CALIBRATION, "%");
    chart.polyline(&[first.from, last.to].map(|end| [across.place(end), up.place(end)]), "axis diagonal");
    let place = |bin: &ReliabilityBin| [across.place(bin.confidence), up.place(bin.accuracy)];
    chart.polyline(&bins.iter().map(place).collect::<Vec<_>>(), "trace");
    for bin in bins {
        let [x, y] = place(bin);
        chart.estimate([x, y], [bin.low, bin.high].map(|end| [x, up.place(end)]), JUDGE);
        let [start, end] = [bin.from, bin.to].map(|edge| across.place(edge));
        let height = (COUNTS[1] - COUNTS[0]) * bin.pairs as f64 / most as f64;
        chart.area([start, COUNTS[1] - height], [(end - start - 1.0).max(1.0), height], 0.6, "count");
        if end - start > DIGIT * bin.pairs.to_string().len() as f64 + 3.0 {
            let above = [0.5 * (start + end), COUNTS[1] - height - 7.0];
            chart.label(above, bin.pairs, Anchor::Middle, "tick");
        }
    }
    let middle = 0.5 * (LEFT + right);
    let CalibrationAxes { confidence, accuracy, unit } = axes;
    chart.label([2.0, 8.0], accuracy, Anchor::Start, "note");
    let meaning = if *unit == "pair" { ": the largest of the three probabilities" } else { "" };
    chart.label([middle, CALIBRATION[1] + 28.0], format!("{confidence}{meaning}"), Anchor::Middle, "note");
    chart.label([middle, COUNTS[1] + 12.0], format!("{unit}s of each {confidence}"), Anchor::Middle, "note");
    let said = bins.iter().map(|bin| {
        let [from, to] = [bin.confidence, bin.accuracy].map(percent);
        format!("{confidence} {from}, {accuracy} {to} in {}", pluralized(bin.pairs, unit))
    });
    let said = said.collect::<Vec<_>>().join("; ");
    let (first, others) = accuracy.split_at(1);
    let accuracy = format!("{}{others}", first.to_uppercase());
    chart.described(format!("{accuracy} against {confidence}; on the dashed diagonal both are the same: {said}."))
}

/// Agreement against the share of pairs that are decided.
pub(in crate::report) fn coverage(levels: &[Coverage]) -> Chart {
    let mut chart = Chart::new("coverage", "Agreement and coverage", CALIBRATION[1] + 38.0);
    if levels.len() < 2 {
        return chart;
    }
    let right = WIDTH - 18.0;
    let across = Axis::over([0.0, 1.0], [LEFT, right]);
    let up = Axis::over(levels.iter().map(|at| at.agreement), [CALIBRATION[1], CALIBRATION[0]]);
    chart.ticks_left(&up, [LEFT, right]);
    chart.ticks_below(&across, CALIBRATION, "%");
    let place = |at: &Coverage| [across.place(at.coverage), up.place(at.agreement)];
    chart.polyline(&levels.iter().map(place).collect::<Vec<_>>(), "trace");
    levels.iter().for_each(|at| chart.point(place(at), JUDGE));
    let middle = 0.5 * (LEFT + right);
    chart.label([2.0, 8.0], "agreement with the labels", Anchor::Start, "note");
    chart.label([middle, CALIBRATION[1] + 28.0], "pairs decided, the most probable first", Anchor::Middle, "note");
    let said = levels.iter().map(|at| format!("{} on {}", percent(at.agreement), percent(at.coverage)));
    let said = said.collect::<Vec<_>>().join(", ");
    chart.described(format!("Agreement with the labels against the share of pairs that are decided: {said}."))
}

/// The height above the first bin of a property, for the names of the systems.
const TOP_OF_BINS: f64 = 26.0;

/// The distance between the systems of a bin.
const SYSTEM: f64 = 9.0;

/// The accuracy of a few systems in each bin of a property, with 95% intervals.
pub(in crate::report) fn breakdown(name: &'static str, breakdown: &Breakdown) -> Chart {
    let Breakdown { property, meaning, systems, roles, bins, .. } = breakdown;
    let height = SYSTEM * (systems.len() + 1) as f64;
    let bottom = TOP_OF_BINS + height * bins.len() as f64;
    let mut chart = Chart::new(name, format!("Accuracy by {property}"), bottom + 38.0);
    let ends =
        bins.iter().flat_map(|bin| &bin.accuracies).flat_map(|of| [of.interval.low, of.accuracy, of.interval.high]);
    let across = Axis::over(ends, [NAMES, WIDTH - 54.0]);
    chart.ticks_below(&across, [TOP_OF_BINS, bottom], "%");
    for (at, bin) in bins.iter().enumerate() {
        draw_bin(&mut chart, bin, roles, &across, TOP_OF_BINS + height * (at as f64 + 0.5));
    }
    chart.label([0.5 * (NAMES + WIDTH - 54.0), bottom + 28.0], "accuracy, 95% interval", Anchor::Middle, "note");
    chart.label([WIDTH - 2.0, 9.0], "pairs", Anchor::End, "tick");
    let width = (WIDTH - 48.0) / systems.len().max(1) as f64;
    for (at, (system, role)) in systems.iter().zip(roles).enumerate() {
        let x = width * at as f64 + 8.0;
        chart.point([x, 9.0], look(*role));
        // About as many characters as fit.
        chart.label([x + 10.0, 9.0], cut(system, (width / 8.0) as usize), Anchor::Start, "name");
    }
    let said = bins.iter().map(|bin| {
        let of_systems = systems.iter().zip(&bin.accuracies);
        let of_systems = of_systems.map(|(system, of)| format!("{system} {}", percent(of.accuracy)));
        format!("{} ({}): {}", bin.values, pluralized(bin.pairs, "pair"), of_systems.collect::<Vec<_>>().join(", "))
    });
    let said = said.collect::<Vec<_>>().join("; ");
    chart.described(format!("By {meaning}. {said}."))
}

/// The systems of a bin below each other, between its values and the number of its pairs.
fn draw_bin(chart: &mut Chart, bin: &BreakdownBin, roles: &[Role], across: &Axis, middle: f64) {
    let count = bin.accuracies.len() as f64;
    for (at, (of, role)) in bin.accuracies.iter().zip(roles).enumerate() {
        let y = middle + SYSTEM * (at as f64 - 0.5 * (count - 1.0));
        let [low, x, high] = [of.interval.low, of.accuracy, of.interval.high].map(|value| across.place(value));
        chart.estimate([x, y], [[low, y], [high, y]], look(*role));
    }
    chart.label([NAMES - 10.0, middle], cut(&bin.values, MAX_NAME), Anchor::End, "name");
    chart.label([WIDTH - 2.0, middle], bin.pairs, Anchor::End, "tick");
}

/// The top and bottom of the learning curve.
const LEARNING: [f64; 2] = [24.0, 206.0];

/// Accuracy against the number of references, on a logarithmic scale.
pub(in crate::report) fn learning(points: &[CurveRow]) -> Chart {
    let mut chart = Chart::new("learning-curve", "Learning curve", LEARNING[1] + 40.0);
    let ([first, .., last] | [first @ last]) = points else { return chart };
    let log = |point: &CurveRow| point.groups.max(1.0).log2();
    let (first, last) = (log(first), log(last));
    let right = WIDTH - 24.0;
    let ends = points.iter().flat_map(|point| [point.low, point.accuracy, point.high]);
    let up = Axis::over(ends, [LEARNING[1], LEARNING[0]]);
    chart.ticks_left(&up, [LEFT + 4.0, right + 14.0]);
    let place = |point: &CurveRow| {
        let along = (log(point) - first) / (last - first).max(1e-9);
        [LEFT + 28.0 + along * (right - LEFT - 38.0), up.place(point.accuracy)]
    };
    chart.polyline(&points.iter().map(place).collect::<Vec<_>>(), "trace");
    for point in points {
        let [x, y] = place(point);
        chart.estimate([x, y], [point.low, point.high].map(|end| [x, up.place(end)]), JUDGE);
        chart.label([x, LEARNING[1] + 12.0], format!("{:.0}", point.groups), Anchor::Middle, "tick");
    }
    let middle = 0.5 * (LEFT + 4.0 + right);
    chart.label([2.0, 8.0], "accuracy", Anchor::Start, "note");
    chart.label([middle, LEARNING[1] + 30.0], "references in training", Anchor::Middle, "note");
    let said = points.iter().map(|point| format!("{:.0} references {}", point.groups, percent(point.accuracy)));
    let said = said.collect::<Vec<_>>().join(", ");
    chart.described(format!("Accuracy against the number of references: {said}."))
}
