//! In: shares of families of features. Out: a bar chart, with ranges over folds.

use super::{Anchor, Axis, Chart, LONGEST_NAME, Mark, NAMES, ROW, WIDTH, percent};
use crate::report::details::FamilyRange;
use crate::report::text::cut;

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
        marks.push(Mark::label([NAMES - 8.0, y], cut(&family.name, LONGEST_NAME), Anchor::End, "name"));
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
