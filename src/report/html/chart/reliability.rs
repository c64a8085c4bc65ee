//! In: accuracy by confidence. Out: the calibration curve, with counts below.

use super::{Anchor, Axis, Chart, Mark, Shape, WIDTH, percent};
use crate::error::pluralized;
use crate::report::details::ReliabilityBin;

const LEFT: f64 = 40.0;
const TOP: f64 = 8.0;
const BOTTOM: f64 = 248.0;

/// The top and bottom of the histogram of counts.
const COUNTS: [f64; 2] = [300.0, 350.0];

/// Accuracy against confidence, with the diagonal of perfect calibration; `None` without pairs.
pub(super) fn curve(bins: &[ReliabilityBin]) -> Option<Chart> {
    let most = bins.iter().map(|bin| bin.pairs).max().filter(|&most| most > 0)?;
    let right = WIDTH - 18.0;
    let across = Axis::over(bins.iter().flat_map(|bin| [bin.from, bin.to]), [LEFT, right]);
    let ends = bins.iter().flat_map(|bin| [bin.from, bin.to, bin.low, bin.high]);
    let up = Axis::over(ends, [BOTTOM, TOP]);
    let mut marks = up.left([LEFT, right], 100.0, "%");
    marks.extend(across.below([TOP, BOTTOM], 100.0, "%"));
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
        [middle, BOTTOM + 28.0],
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
