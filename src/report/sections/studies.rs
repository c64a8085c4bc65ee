//! What the features contribute, and what more labels would.

use super::{Cell, Column, CurveRow, Outcome, Printed, Report, Section, Table, Value, chart, interval, percent};
use crate::report::studies::AblationRow;

/// A gain in accuracy worth labelling twice the references for.
pub(super) const WORTHWHILE: f64 = 0.005;

/// The shares of feature families in the preference, and the ablation of families.
pub(super) fn features(report: &Report) -> Section<'_> {
    const SHARES: &str = "The share of a family is the mean absolute contribution of its features to the preference, divided \
                          by that of all families; the line is its range over the models of the folds. Correlated \
                          families share their weight, so a small share does not mean that a family is unimportant.";
    let ranges = report.details.as_ref().map(|details| details.families.as_slice()).unwrap_or_default();
    let families = families(report);
    // Shares are read beside the ablation; without it, a terminal leaves them out.
    let families = if report.ablation.is_empty() { families.printed(Printed::No) } else { families };
    Section {
        tables: vec![families, ablation(&report.ablation)],
        charts: vec![
            chart::families(ranges).noted(SHARES),
            chart::ablation(&report.ablation).noted(about_ablation(report)),
        ],
        advice: advice(&report.ablation).or_else(|| {
            let request = "Request the ablation to see which families of features help.";
            (!report.families.is_empty()).then(|| request.to_owned())
        }),
        ..Section::new("features", "Features")
    }
}

/// How to read the ablation.
fn about_ablation(report: &Report) -> String {
    format!(
        "Blue: significant change (p < 0.05). Ablation and learning curve keep the penalty and the tie factor that \
         cross-validation chose for all features and all {}s.",
        report.unit()
    )
}

/// The share of each family of features in the preference, with its range over folds where it is known.
fn families(report: &Report) -> Table<'_> {
    let range_of = |name: &str| {
        let mut ranges = report.details.iter().flat_map(|details| &details.families);
        let range = ranges.find(|range| range.name == name);
        range.map_or(Value::Empty, |range| Value::interval(range.low, range.high))
    };
    Table::builder("Importance of feature families (share of the absolute preference)", &report.families)
        .with(Column::text("family"), |family| &family.name)
        .with(Column::number("features").rank(1), |family| Value::count(family.features))
        .with(Column::number("share"), |family| Value::fraction(family.share))
        .with(Column::text("range over folds").named("share").range().rank(2), |family| range_of(&family.name))
        .table
        .keyed("families")
}

/// The ablation of feature families.
fn ablation(rows: &[AblationRow]) -> Table<'_> {
    let caption =
        "Ablation: - family removed, + metric added; log loss: change, above 0, the ensemble has the lower log loss";
    let painted = |row: &AblationRow, value| Cell::from(value).styled(Outcome::style_of_figures(&row.against_ensemble));
    Table::builder(caption, rows)
        .with(Column::text("features"), |row| &row.name)
        .with(Column::number("accuracy"), |row| Value::fraction(row.accuracy))
        .with(Column::number("change"), |row| painted(row, Value::difference(row.against_ensemble.difference)))
        .with(interval(3), |row| Value::differences(row.against_ensemble.low, row.against_ensemble.high))
        .with(Column::number("p").rank(1), |row| painted(row, Value::p(row.against_ensemble.p_value)))
        .with(Column::number("log loss").rank(2), |row| Value::difference(row.log_loss_difference))
        .table
        .keyed("ablation")
}

/// Which features to add or to keep.
fn advice(rows: &[AblationRow]) -> Option<String> {
    let change = |row: &AblationRow| row.against_ensemble.difference;
    let significant = |outcome: Outcome, sign: char| {
        rows.iter().filter(move |row| Outcome::new(&row.against_ensemble) == outcome && row.name.starts_with(sign))
    };
    let points = |row: &AblationRow| format!("{:.1} points", 100.0 * change(row).abs());
    let family = |row: &AblationRow| row.name.trim_start_matches(['-', '+', ' ']).to_owned();
    let by_change = |one: &&AblationRow, other: &&AblationRow| change(one).total_cmp(&change(other));
    if let Some(row) = significant(Outcome::Better, '+').max_by(by_change) {
        return Some(format!("Add {}: accuracy rises by {}.", family(row), points(row)));
    }
    if let Some(row) = significant(Outcome::Better, '-').max_by(by_change) {
        return Some(format!("Drop {}: accuracy rises by {} without it.", family(row), points(row)));
    }
    if let Some(row) = significant(Outcome::Worse, '-').min_by(by_change) {
        return Some(format!("Keep {}: accuracy falls by {} without it.", family(row), points(row)));
    }
    let advice = "Keep the features as they are: dropping or adding a family does not change accuracy significantly.";
    (!rows.is_empty()).then(|| advice.to_owned())
}

/// The learning curve over the number of references.
pub(super) fn learning_curve(report: &Report) -> Section<'_> {
    let (points, unit) = (&report.learning_curve, report.unit());
    let table = Table::builder("Learning curve", points)
        .with(Column::number("trained on").named("share"), |point| Value::Number(percent(point.share), point.share))
        .with(Column::number(format!("{unit}s")).named("groups").rank(1), |point| {
            Value::Number(format!("{:.0}", point.groups), point.groups)
        })
        .with(Column::number("accuracy"), |point| Value::fraction(point.accuracy))
        .with(interval(0), |point| Value::interval(point.low, point.high))
        .table;
    Section {
        tables: vec![table.keyed("learning_curve")],
        charts: vec![chart::learning(points)],
        advice: label_more(points, unit),
        ..Section::new("more", "Learning curve")
    }
}

/// Whether more labels would help.
fn label_more(points: &[CurveRow], unit: &str) -> Option<String> {
    let [.., half, all] = points else { return None };
    let gain = all.accuracy - half.accuracy;
    let step = format!(
        "from {:.0} to {:.0} {unit}s, accuracy changed by {:+.1} points",
        half.groups,
        all.groups,
        100.0 * gain
    );
    Some(match gain >= WORTHWHILE {
        true => format!("Label more pairs: {step}."),
        false => format!("Do not expect much from more labels of this kind: {step}."),
    })
}
