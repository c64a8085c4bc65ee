//! In: rows of studies. Out: tables for a terminal.

use super::answer::Finding;
use super::columns::{Column, render};
use super::studies::{AblationRow, CurveRow, FileRow};
use super::systems::Role;
use super::text::{p_value, wrapped};
use super::{BASELINE, BEST_METRIC, Row, Terminal};
use crate::learners::logistic::FamilyShare;

/// One row per file: the first system, the baseline, and the best single metric.
pub fn files(files: &[FileRow], terminal: Terminal) -> String {
    let of_role = |file: &FileRow, role: Role, cell: &dyn Fn(&Row) -> String| {
        file.systems.iter().find(|row| row.role == role).map(cell).unwrap_or_default()
    };
    let accuracy = |row: &Row| format!("{:.4}", row.accuracy);
    let interval = |row: &Row| format!("{:.4} - {:.4}", row.low, row.high);
    let first = files.first().and_then(|file| file.systems.first()).map_or("", |row| row.name.as_str());
    let columns = vec![
        Column::left("file", 0, files.iter().map(|file| file.name.clone())),
        Column::right("weight", 2, files.iter().map(|file| file.weight.to_string())),
        Column::right("pairs", 0, files.iter().map(|file| file.rows.to_string())),
        Column::right("groups", 3, files.iter().map(|file| file.groups.to_string())),
        Column::right(first, 0, files.iter().map(|file| of_role(file, Role::Judge, &accuracy))),
        Column::left("95% interval", 1, files.iter().map(|file| of_role(file, Role::Judge, &interval))),
        Column::right(BASELINE, 0, files.iter().map(|file| of_role(file, Role::Baseline, &accuracy))),
        Column::right(BEST_METRIC, 0, files.iter().map(|file| of_role(file, Role::BestMetric, &accuracy))),
    ];
    render(columns, terminal)
}

/// The families of features with their shares in the preference.
pub fn families(families: &[FamilyShare], terminal: Terminal) -> String {
    let columns = vec![
        Column::left("family", 0, families.iter().map(|family| format!("{:12}", family.name))),
        Column::right("features", 1, families.iter().map(|family| family.features.to_string())),
        Column::left("share of the preference", 0, families.iter().map(|family| format!("{:.4}", family.share))),
    ];
    format!("\n{}", render(columns, terminal))
}

/// The ablation of feature families.
pub fn ablation(rows: &[AblationRow], terminal: Terminal) -> String {
    let found = || rows.iter().map(|row| Finding::style_of_figures(&row.against_ensemble));
    let columns = vec![
        Column::left("features", 0, rows.iter().map(|row| format!("{:12}", row.name))),
        Column::right("accuracy", 0, rows.iter().map(|row| format!("{:.4}", row.accuracy))),
        Column::right("against all", 0, rows.iter().map(|row| format!("{:+.4}", row.against_ensemble.difference)))
            .painted(found()),
        Column::left("p", 1, rows.iter().map(|row| p_value(row.against_ensemble.p_value))).painted(found()),
        Column::right("log loss", 2, rows.iter().map(|row| format!("{:+.4}", row.log_loss_difference))),
    ];
    let legend = "- without the family, + with the metric added; log loss: difference from the ensemble's, above 0 the \
                  ensemble is better";
    format!("\n{}{}", render(columns, terminal), wrapped(legend, terminal.width))
}

/// The learning curve over the number of references.
pub fn curve(points: &[CurveRow], terminal: Terminal) -> String {
    let columns = vec![
        Column::right("trained on", 0, points.iter().map(|point| format!("{:.1}%", 100.0 * point.share))),
        Column::right("references", 1, points.iter().map(|point| format!("{:.0}", point.groups))),
        Column::right("accuracy", 0, points.iter().map(|point| format!("{:.4}", point.accuracy))),
        Column::left("95% interval", 0, points.iter().map(|point| format!("{:.4} - {:.4}", point.low, point.high))),
    ];
    format!("\n{}", render(columns, terminal))
}
