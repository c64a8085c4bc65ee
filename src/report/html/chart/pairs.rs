//! Charts of the first system: calibration, accuracy by properties of pairs and by references, shares of families.

use super::{Anchor, Axis, Chart, MAX_NAME, Mark, NAMES, ROW, Shape, WIDTH, look};
use crate::error::pluralized;
use crate::report::CurveRow;
use crate::report::details::{Breakdown, BreakdownBin, FamilyRange, ReliabilityBin};
use crate::report::html::CHARTS;
use crate::report::layout::cut;
use crate::report::systems::Role;
use crate::report::table::percent;

/// The left edge of plots.
const LEFT: f64 = 40.0;

/// The top and bottom of the calibration curve.
const CALIBRATION: [f64; 2] = [8.0, 248.0];

/// The top and bottom of the histogram of counts.
const COUNTS: [f64; 2] = [300.0, 350.0];

/// Accuracy against confidence, with the diagonal of perfect calibration; `None` without pairs.
pub(super) fn calibration(bins: &[ReliabilityBin]) -> Option<Chart> {
    let most = bins.iter().map(|bin| bin.pairs).max().filter(|&most| most > 0)?;
    let right = WIDTH - 18.0;
    let across = Axis::over(bins.iter().flat_map(|bin| [bin.from, bin.to]), [LEFT, right]);
    let ends = bins.iter().flat_map(|bin| [bin.from, bin.to, bin.low, bin.high]);
    let up = Axis::over(ends, [CALIBRATION[1], CALIBRATION[0]]);
    let mut marks = up.left([LEFT, right], 100.0, "%");
    marks.extend(across.below(CALIBRATION, 100.0, "%"));
    let ends: Vec<f64> =
        [bins.first().map(|bin| bin.from), bins.last().map(|bin| bin.to)].into_iter().flatten().collect();
    let diagonal: Vec<[f64; 2]> = ends.iter().map(|&end| [across.place(end), up.place(end)]).collect();
    marks.push(Mark::polyline(&diagonal, "axis diagonal"));
    let place = |bin: &ReliabilityBin| [across.place(bin.confidence), up.place(bin.accuracy)];
    marks.push(Mark::polyline(&bins.iter().map(place).collect::<Vec<_>>(), "trace"));
    for bin in bins {
        let [x, y] = place(bin);
        marks.push(Mark::line([x, up.place(bin.low)], [x, up.place(bin.high)], "judge"));
        marks.push(Mark::point([x, y], Shape::Diamond, "judge"));
        let [start, end] = [bin.from, bin.to].map(|edge| across.place(edge));
        let height = (COUNTS[1] - COUNTS[0]) * bin.pairs as f64 / most as f64;
        marks.push(Mark::area([start, COUNTS[1] - height], [(end - start - 1.0).max(1.0), height], 0.6, "count"));
        let middle = [0.5 * (start + end), COUNTS[1] - height - 7.0];
        if end - start > 24.0 {
            marks.push(Mark::label(middle, bin.pairs.to_string(), Anchor::Middle, "tick"));
        }
    }
    let middle = 0.5 * (LEFT + right);
    marks.push(Mark::label(
        [middle, CALIBRATION[1] + 28.0],
        "confidence: the largest of the three probabilities",
        Anchor::Middle,
        "note",
    ));
    marks.push(Mark::label([middle, COUNTS[1] + 12.0], "pairs of each confidence", Anchor::Middle, "note"));
    let said = bins.iter().map(|bin| {
        let (confidence, accuracy) = (percent(bin.confidence), percent(bin.accuracy));
        format!("confidence {confidence}, accuracy {accuracy} in {}", pluralized(bin.pairs, "pair"))
    });
    let description = format!(
        "Accuracy against confidence; on the dashed diagonal both are the same: {}.",
        said.collect::<Vec<_>>().join("; ")
    );
    let title = "Calibration".to_owned();
    Some(Chart { name: "calibration", title, description, height: COUNTS[1] + 22.0, marks })
}

/// The top and bottom of the plot of a property.
const PROPERTY: [f64; 2] = [28.0, 200.0];

/// The accuracy of a few systems in each bin of a property, with 95% intervals.
pub(super) fn accuracy(breakdown: &Breakdown) -> Option<Chart> {
    let name = CHARTS.into_iter().find(|name| name.strip_prefix("breakdown-") == Some(breakdown.key))?;
    let bins = &breakdown.bins;
    if bins.is_empty() {
        return None;
    }
    let right = WIDTH - 8.0;
    let ends =
        bins.iter().flat_map(|bin| &bin.accuracies).flat_map(|of| [of.interval.low, of.accuracy, of.interval.high]);
    let up = Axis::over(ends, [PROPERTY[1], PROPERTY[0]]);
    let mut marks = up.left([LEFT, right], 100.0, "%");
    let width = (right - LEFT) / bins.len() as f64;
    for (bin, middle) in bins.iter().zip((0..).map(|at| LEFT + width * (f64::from(at) + 0.5))) {
        marks.extend(of_bin(bin, &breakdown.roles, &up, [middle, width]));
    }
    marks.push(Mark::label([LEFT - 5.0, PROPERTY[1] + 27.0], "pairs", Anchor::End, "tick"));
    marks.extend(legend(breakdown));
    marks.push(Mark::label([0.5 * (LEFT + right), PROPERTY[1] + 48.0], breakdown.property, Anchor::Middle, "note"));
    let said = bins.iter().map(|bin| {
        let of_systems = breakdown.systems.iter().zip(&bin.accuracies);
        let of_systems = of_systems.map(|(system, of)| format!("{system} {}", percent(of.accuracy)));
        format!("{} ({}): {}", bin.values, pluralized(bin.pairs, "pair"), of_systems.collect::<Vec<_>>().join(", "))
    });
    let description = format!("By {}. {}.", breakdown.meaning, said.collect::<Vec<_>>().join("; "));
    let title = format!("Accuracy by {}", breakdown.property);
    Some(Chart { name, title, description, height: PROPERTY[1] + 58.0, marks })
}

/// The systems of a bin side by side, with values and count below.
fn of_bin(bin: &BreakdownBin, roles: &[Role], up: &Axis, [middle, width]: [f64; 2]) -> Vec<Mark> {
    let gap = (width / 6.0).min(11.0);
    let count = bin.accuracies.len() as f64;
    let mut marks = Vec::new();
    for (at, (of, role)) in bin.accuracies.iter().zip(roles).enumerate() {
        let (shape, class) = look(*role);
        let x = middle + gap * (at as f64 - 0.5 * (count - 1.0));
        marks.push(Mark::line([x, up.place(of.interval.low)], [x, up.place(of.interval.high)], class));
        marks.push(Mark::point([x, up.place(of.accuracy)], shape, class));
    }
    // About as many characters as fit.
    let room = (width / 5.5) as usize;
    marks.push(Mark::label(
        [middle, PROPERTY[1] + 12.0],
        cut(&bin.values.replace(" to ", "–"), room.max(3)),
        Anchor::Middle,
        "tick",
    ));
    marks.push(Mark::label([middle, PROPERTY[1] + 27.0], bin.pairs.to_string(), Anchor::Middle, "tick"));
    marks
}

fn legend(breakdown: &Breakdown) -> Vec<Mark> {
    let width = (WIDTH - LEFT) / breakdown.systems.len().max(1) as f64;
    let mark = |(at, (name, role)): (usize, (&String, &Role))| {
        let (shape, class) = look(*role);
        let x = LEFT + width * at as f64 + 6.0;
        [Mark::point([x, 9.0], shape, class), Mark::label([x + 10.0, 9.0], cut(name, 18), Anchor::Start, "name")]
    };
    breakdown.systems.iter().zip(&breakdown.roles).enumerate().flat_map(mark).collect()
}

/// The top and bottom of the learning curve.
const LEARNING: [f64; 2] = [8.0, 190.0];

/// Accuracy against the number of references, on a logarithmic scale; `None` without points.
pub(super) fn learning(points: &[CurveRow]) -> Option<Chart> {
    if points.is_empty() {
        return None;
    }
    let right = WIDTH - 24.0;
    let up =
        Axis::over(points.iter().flat_map(|point| [point.low, point.accuracy, point.high]), [LEARNING[1], LEARNING[0]]);
    let mut marks = up.left([LEFT + 4.0, right + 14.0], 100.0, "%");
    let logs: Vec<f64> = points.iter().map(|point| point.groups.max(1.0).log2()).collect();
    let (first, last) = (logs[0], logs[logs.len() - 1]);
    let place = |log: f64| LEFT + 28.0 + (log - first) / (last - first).max(1e-9) * (right - LEFT - 38.0);
    let places: Vec<[f64; 2]> =
        points.iter().zip(&logs).map(|(point, &log)| [place(log), up.place(point.accuracy)]).collect();
    marks.push(Mark::polyline(&places, "trace"));
    for (point, &[x, y]) in points.iter().zip(&places) {
        marks.push(Mark::line([x, up.place(point.low)], [x, up.place(point.high)], "judge"));
        marks.push(Mark::point([x, y], Shape::Diamond, "judge"));
        marks.push(Mark::label([x, LEARNING[1] + 12.0], format!("{:.0}", point.groups), Anchor::Middle, "tick"));
    }
    let middle = 0.5 * (LEFT + 4.0 + right);
    marks.push(Mark::label([middle, LEARNING[1] + 30.0], "references in training", Anchor::Middle, "note"));
    let said = points.iter().map(|point| format!("{:.0} references {}", point.groups, percent(point.accuracy)));
    let description = format!("Accuracy against the number of references: {}.", said.collect::<Vec<_>>().join(", "));
    let title = "Learning curve".to_owned();
    Some(Chart { name: "learning-curve", title, description, height: LEARNING[1] + 40.0, marks })
}

/// The height above the first bar.
const TOP: f64 = 6.0;

/// The share of each family in the preference, in the order given; `None` without families.
pub(super) fn families(families: &[FamilyRange]) -> Option<Chart> {
    if families.is_empty() {
        return None;
    }
    let bottom = TOP + ROW * families.len() as f64;
    let axis = Axis::over(families.iter().flat_map(|family| [0.0, family.share, family.high]), [NAMES, WIDTH - 54.0]);
    let mut marks = axis.below([TOP, bottom], 100.0, "%");
    for (family, y) in families.iter().zip((0..).map(|at| TOP + ROW * (f64::from(at) + 0.5))) {
        let [start, end, low, high] = [0.0, family.share, family.low, family.high].map(|value| axis.place(value));
        marks.push(Mark::label([NAMES - 8.0, y], cut(&family.name, MAX_NAME), Anchor::End, "name"));
        marks.push(Mark::area([start, y - 5.0], [(end - start).max(0.5), 10.0], 0.6, "judge"));
        marks.push(Mark::line([low, y], [high, y], "metric"));
        marks.extend([low, high].map(|x| Mark::line([x, y - 3.5], [x, y + 3.5], "metric")));
        marks.push(Mark::label([WIDTH - 2.0, y], percent(family.share), Anchor::End, "name"));
    }
    let named = |family: &FamilyRange| {
        let [share, low, high] = [family.share, family.low, family.high].map(percent);
        format!("{} {share} ({low} to {high})", family.name)
    };
    let description = format!(
        "Bars of the share of each family of features in the preference, with the range over the models of the folds: {}.",
        families.iter().map(named).collect::<Vec<_>>().join(", ")
    );
    let title = "Share of each family in the preference".to_owned();
    Some(Chart { name: "families", title, description, height: bottom + 22.0, marks })
}
