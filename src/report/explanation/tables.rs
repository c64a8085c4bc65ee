//! The tables of an explanation: contributions of features, and values of metrics.

use anstyle::Style;

use super::{Explanation, FamilyContribution, FeatureContribution, MetricValues};
use crate::error::truncated;
use crate::report::table::{Cell, Column, Table, Value, short};
use crate::report::terminal::{BLUE, DIM, MAGENTA};

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

/// A row of the contributions.
#[derive(Clone, Copy)]
enum Row<'e> {
    /// A family of features; one with a single feature shows its values.
    Family(&'e FamilyContribution),
    /// One of the largest features of a family.
    Feature(&'e FeatureContribution),
    /// So many smaller families, with their sum.
    Others(usize, f64),
    /// The sum of all.
    Preference(f64),
}

impl<'e> Row<'e> {
    fn name(self) -> Cell<'e> {
        match self {
            Self::Family(family) => truncated(&family.name).into(),
            Self::Feature(feature) => Cell::from(format!("  {}", truncated(&feature.name))).styled(DIM),
            Self::Others(1, _) => "1 other".into(),
            Self::Others(count, _) => format!("{count} others").into(),
            Self::Preference(_) => "preference".into(),
        }
    }

    /// The feature whose values are shown.
    fn feature(self) -> Option<&'e FeatureContribution> {
        match self {
            Self::Family(family) => family.features.first().filter(|_| family.features.len() == 1),
            Self::Feature(feature) => Some(feature),
            Self::Others(..) | Self::Preference(_) => None,
        }
    }

    fn value(self, at: usize) -> Value<'e> {
        Value::or_empty(self.feature().map(|feature| feature.values[at]), Value::number)
    }

    fn contribution(self) -> f64 {
        match self {
            Self::Family(family) => family.contribution,
            Self::Feature(feature) => feature.contribution,
            Self::Others(_, sum) | Self::Preference(sum) => sum,
        }
    }

    /// `+0.750`, with a mark where the difference is clipped.
    fn marked(self) -> String {
        let mark = if self.feature().is_some_and(|feature| feature.is_clipped) { "^" } else { " " };
        format!("{:+.3}{mark}", self.contribution())
    }

    /// The bar towards the hypothesis `at`, if that is favoured; a contribution of `largest` has the longest bar.
    fn bar(self, at: usize, largest: f64) -> Cell<'e> {
        let value = self.contribution();
        if (at == 0) != (value > 0.0) || value == 0.0 || matches!(self, Self::Feature(_)) {
            return Value::Empty.into();
        }
        if matches!(self, Self::Preference(_)) {
            return Cell::from(if at == 0 { "for hyp1" } else { "for hyp2" });
        }
        let halves = (2.0 * MAX_BAR as f64 * value.abs() / largest.max(f64::MIN_POSITIVE)).round() as usize;
        let (whole, half) = ("█".repeat(halves / 2), halves % 2);
        let bar = if at == 0 { "▐".repeat(half) + &whole } else { whole + &"▌".repeat(half) };
        Cell::from(bar).styled(STYLES[at])
    }
}

/// The contributions of families and of their largest features, with bars towards the hypothesis that each favours.
pub(super) fn contributions(explanation: &Explanation) -> Table<'_> {
    let families = &explanation.families;
    let largest = families.first().map_or(0.0, |family| family.contribution.abs());
    let all: f64 = families.iter().map(|family| family.contribution.abs()).sum();
    let is_large = |family: &&FamilyContribution| family.contribution.abs() > MIN_SHARE * all;
    let mut rows = Vec::new();
    let mut shown = 0;
    for family in families.iter().filter(is_large).take(MAX_FAMILIES) {
        rows.push(Row::Family(family));
        let all: f64 = family.features.iter().map(|feature| feature.contribution.abs()).sum();
        let is_large = |feature: &&FeatureContribution| feature.contribution.abs() > MIN_SHARE * all;
        let most = if family.features.len() > 1 { MAX_OF_FAMILY } else { 0 };
        rows.extend(family.features.iter().filter(is_large).take(most).map(Row::Feature));
        shown += 1;
    }
    let others = &families[shown..];
    if !others.is_empty() {
        rows.push(Row::Others(others.len(), others.iter().map(|family| family.contribution).sum()));
    }
    rows.push(Row::Preference(explanation.preference));
    let has_clipped = families.iter().flat_map(|family| &family.features).any(|feature| feature.is_clipped);
    let caption = if has_clipped { "Contributions (^ the difference is clipped)" } else { "Contributions" };
    let is_sum = |row| matches!(row, Row::Preference(_));
    Table::builder(caption, rows)
        .with(Column::text(""), |row| row.name().bold_if(is_sum(row)))
        .with(Column::number("hyp1").rank(1), |row| row.value(0))
        .with(Column::number("hyp2").rank(1), |row| row.value(1))
        .with(Column::number("contribution "), |row| Cell::from(row.marked()).bold_if(is_sum(row)))
        .with(Column::number("for hyp1").rank(2), |row| row.bar(0, largest).bold_if(is_sum(row)))
        .with(Column::text("|").rank(2), |row| {
            let middle = if matches!(row, Row::Feature(_)) { "" } else { "|" };
            Cell::from(middle).bold_if(is_sum(row))
        })
        .with(Column::text("for hyp2").rank(2), |row| row.bar(1, largest).bold_if(is_sum(row)))
        .table
}

/// The features with the largest contributions.
pub(in crate::report) fn features(explanation: &Explanation) -> Table<'_> {
    let features = explanation.families.iter().flat_map(|family| &family.features);
    let mut features: Vec<&FeatureContribution> = features.filter(|feature| feature.contribution != 0.0).collect();
    features.sort_by(|one, other| other.contribution.abs().total_cmp(&one.contribution.abs()));
    Table::builder("The features with the largest contributions", features.into_iter().take(MAX_FEATURES))
        .with(Column::text("feature"), |feature| &feature.name)
        .with(Column::number("hypothesis 1"), |feature| Value::number(feature.values[0]))
        .with(Column::number("hypothesis 2"), |feature| Value::number(feature.values[1]))
        .with(Column::number("contribution"), |feature| {
            format!("{:+.3}{}", feature.contribution, if feature.is_clipped { " (clipped)" } else { "" })
        })
        .table
}

/// The words that the reference does not have, with what is closest in meaning there.
pub(in crate::report) fn meanings(explanation: &Explanation) -> Table<'_> {
    Table::builder("Words closest in meaning, of those not in the reference", &explanation.meanings)
        .with(Column::text("hypothesis"), |meaning| format!("hyp{}", meaning.hypothesis))
        .with(Column::text("word"), |meaning| truncated(&meaning.word))
        .with(Column::text("in the reference"), |meaning| truncated(&meaning.closest))
        .with(Column::number("cosine"), |meaning| format!("{:.3}", meaning.similarity))
        .table
}

/// The metrics' values, the better one marked.
pub(in crate::report) fn metrics(explanation: &Explanation) -> Table<'_> {
    let has_lower = explanation.metrics.iter().any(|metric| metric.lower_is_better);
    let lower = if has_lower { "; ↓ lower is better" } else { "" };
    let value = |metric: &MetricValues, at: usize| {
        let (one, other) = (metric.values[at], metric.values[1 - at]);
        let is_better = if metric.lower_is_better { one < other } else { one > other };
        match is_better {
            true => Cell::from(format!("{}*", short(one))).styled(STYLES[at].bold()),
            false => Cell::from(format!("{} ", short(one))),
        }
    };
    Table::builder(format!("Metrics (* the better value{lower})"), &explanation.metrics)
        .with(Column::text("metric"), |metric| {
            truncated(&metric.name) + if metric.lower_is_better { " ↓" } else { "" }
        })
        .with(Column::number("hyp1 "), |metric| value(metric, 0))
        .with(Column::number("hyp2 "), |metric| value(metric, 1))
        .table
}
