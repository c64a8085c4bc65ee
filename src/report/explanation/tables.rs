//! The tables of an explanation: contributions of features, and values of metrics.

use anstyle::Style;

use super::{Explanation, FamilyContribution, FeatureContribution, MetricValues};
use crate::error::truncated;
use crate::report::table::{Cell, Column, Table, Value, short};
use crate::report::terminal::{BLUE, BOLD, DIM, MAGENTA};

/// The most families in the table of contributions.
const MAX_FAMILIES: usize = 8;

/// The most features of a family in the table of contributions.
const MAX_OF_FAMILY: usize = 2;

/// Families and features whose absolute contribution is at most this share of the total are not in it.
const MIN_SHARE: f64 = 0.02;

/// The longest bar in columns.
const MAX_BAR: usize = 16;

/// The most features in the table of features.
const MAX_FEATURES: usize = 12;

/// The style of what favours each hypothesis.
const STYLES: [Style; 2] = [BLUE, MAGENTA];

/// A number for both hypotheses.
fn both(values: [f64; 2]) -> [Cell<'static>; 2] {
    values.map(|value| Value::Number(value).into())
}

/// `+0.750`, with a mark where the difference is clipped.
fn contribution(value: f64, is_clipped: bool) -> Cell<'static> {
    Cell::text(format!("{value:+.3}{}", if is_clipped { "^" } else { " " }))
}

/// The contributions of families and of their largest features, with bars towards the hypothesis that each favours.
pub(super) fn contributions(explanation: &Explanation) -> Table<'_> {
    let families = &explanation.families;
    let largest = families.first().map_or(0.0, |family| family.contribution.abs());
    let all: f64 = families.iter().map(|family| family.contribution.abs()).sum();
    let is_large = |family: &&FamilyContribution| family.contribution.abs() > MIN_SHARE * all;
    let shown: Vec<&FamilyContribution> = families.iter().filter(is_large).take(MAX_FAMILIES).collect();
    let others = &families[shown.len()..];
    let mut rows: Vec<Vec<Cell<'_>>> = shown.iter().flat_map(|family| family_rows(family, largest)).collect();
    if !others.is_empty() {
        let sum = others.iter().map(|family| family.contribution).sum();
        let name = if others.len() == 1 { "1 other".to_owned() } else { format!("{} others", others.len()) };
        rows.push(whole_row(name, [Value::Empty.into(), Value::Empty.into()], (sum, false), largest));
    }
    let preference = explanation.preference;
    let side = |is_favoured, text| if is_favoured { Cell::text(text) } else { Value::Empty.into() };
    let sum = [
        Cell::text("preference"),
        Value::Empty.into(),
        Value::Empty.into(),
        contribution(preference, false),
        side(preference > 0.0, "for hyp1"),
        Cell::text("|"),
        side(preference < 0.0, "for hyp2"),
    ];
    rows.push(sum.map(|cell| cell.styled(BOLD)).into());
    let columns = [
        Column::text(""),
        Column::number("hyp1").rank(1),
        Column::number("hyp2").rank(1),
        Column::number("adds "),
        Column::number("for hyp1").rank(2),
        Column::text("|").rank(2),
        Column::text("for hyp2").rank(2),
    ];
    let clipped = if families.iter().flat_map(|family| &family.features).any(|feature| feature.is_clipped) {
        " (^ the difference is clipped)"
    } else {
        ""
    };
    Table::new(format!("Contributions{clipped}"), columns).with_rows(rows)
}

/// The row of a family and those of its largest features; a family with a single feature is one row.
fn family_rows(family: &FamilyContribution, largest: f64) -> Vec<Vec<Cell<'_>>> {
    let name = truncated(&family.name);
    if let [only] = family.features.as_slice() {
        return vec![whole_row(name, both(only.values), (only.contribution, only.is_clipped), largest)];
    }
    let all: f64 = family.features.iter().map(|feature| feature.contribution.abs()).sum();
    let is_large = |feature: &&FeatureContribution| feature.contribution.abs() > MIN_SHARE * all;
    let features = family.features.iter().filter(is_large).take(MAX_OF_FAMILY).map(|feature| {
        let [first, second] = both(feature.values);
        let name = Cell::text(format!("  {}", truncated(&feature.name))).styled(DIM);
        let mut row = vec![name, first, second, contribution(feature.contribution, feature.is_clipped)];
        row.resize(7, Value::Empty.into());
        row
    });
    let whole = whole_row(name, [Value::Empty.into(), Value::Empty.into()], (family.contribution, false), largest);
    std::iter::once(whole).chain(features).collect()
}

/// A row with a bar from the middle towards the favoured hypothesis.
fn whole_row<'e>(
    name: String,
    [first, second]: [Cell<'e>; 2],
    (value, is_clipped): (f64, bool),
    largest: f64,
) -> Vec<Cell<'e>> {
    let halves = (2.0 * MAX_BAR as f64 * value.abs() / largest.max(f64::MIN_POSITIVE)).round() as usize;
    let (whole, half) = ("█".repeat(halves / 2), halves % 2);
    let left = if value > 0.0 { "▐".repeat(half) + &whole } else { String::new() };
    let right = if value < 0.0 { whole + &"▌".repeat(half) } else { String::new() };
    let [left, right] = [(left, STYLES[0]), (right, STYLES[1])].map(|(bar, style)| Cell::text(bar).styled(style));
    vec![Cell::text(name), first, second, contribution(value, is_clipped), left, Cell::text("|"), right]
}

/// The features with the largest contributions.
pub(in crate::report) fn features(explanation: &Explanation) -> Table<'_> {
    let features = explanation.families.iter().flat_map(|family| &family.features);
    let mut features: Vec<&FeatureContribution> = features.filter(|feature| feature.contribution != 0.0).collect();
    features.sort_by(|one, other| other.contribution.abs().total_cmp(&one.contribution.abs()));
    let columns = [
        Column::text("feature"),
        Column::number("hypothesis 1"),
        Column::number("hypothesis 2"),
        Column::number("contribution"),
    ];
    let rows = features.into_iter().take(MAX_FEATURES).map(|feature| {
        let [first, second] = both(feature.values);
        let clipped = if feature.is_clipped { " (clipped)" } else { "" };
        let contribution = Cell::text(format!("{:+.3}{clipped}", feature.contribution));
        vec![Cell::text(&*feature.name), first, second, contribution]
    });
    Table::new("The features with the largest contributions", columns).with_rows(rows)
}

/// The metrics' values, the better one marked.
pub(in crate::report) fn metrics(explanation: &Explanation) -> Table<'_> {
    let columns = [Column::text("metric"), Column::number("hyp1 "), Column::number("hyp2 ")];
    let rows = explanation.metrics.iter().map(|metric| {
        let MetricValues { name, values, lower_is_better } = metric;
        let name = truncated(name) + if *lower_is_better { " ↓" } else { "" };
        let is_better = |at: usize| {
            let (one, other) = (values[at], values[1 - at]);
            if *lower_is_better { one < other } else { one > other }
        };
        let value = |at: usize| {
            let text = format!("{}{}", short(values[at]), if is_better(at) { "*" } else { " " });
            if is_better(at) { Cell::text(text).styled(STYLES[at].bold()) } else { Cell::text(text) }
        };
        vec![Cell::text(name), value(0), value(1)]
    });
    let lower =
        if explanation.metrics.iter().any(|metric| metric.lower_is_better) { "; ↓ lower is better" } else { "" };
    Table::new(format!("Metrics (* the better value{lower})"), columns).with_rows(rows)
}
