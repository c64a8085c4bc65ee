//! In: rows of studies. Out: text for a terminal.

use std::fmt::Write;

use super::columns::{Column, render};
use super::studies::{AblationRow, CurveRow, FileRow};
use super::systems::Role;
use super::text::{p_value, wrapped};
use super::{BASELINE, BEST_METRIC, Row};
use crate::learners::logistic::FamilyShare;

/// One row a file: the first system, the baseline, and the best of the single metrics.
pub fn files(files: &[FileRow], width: Option<usize>) -> String {
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
    render(columns, width)
}

/// The families with their shares.
pub fn families(families: &[FamilyShare]) -> String {
    let mut text = "\nfamily        features  share of the preference\n".to_owned();
    for FamilyShare { name, features, share } in families {
        let _ = writeln!(text, "{name:12}  {features:8}  {share:.4}");
    }
    text
}

/// What each family is worth.
pub fn ablation(rows: &[AblationRow], width: Option<usize>) -> String {
    let mut text = "\nfeatures      accuracy  against all  p        log loss\n".to_owned();
    for row in rows {
        let against = &row.against_ensemble;
        let _ = writeln!(
            text,
            "{:12}  {:8.4}  {:+11.4}  {:7}  {:+8.4}",
            row.name,
            row.accuracy,
            against.difference,
            p_value(against.p_value),
            row.log_loss_difference
        );
    }
    let legend = "- without the family, + with the metric besides; log loss above 0: the ensemble's features are the \
                  better ones";
    text + &wrapped(legend, width)
}

/// What more references are worth.
pub fn curve(points: &[CurveRow]) -> String {
    let mut text = "\nlearned from  references  accuracy  95% interval\n".to_owned();
    for point in points {
        let _ = writeln!(
            text,
            "{:11.1}%  {:10.0}  {:8.4}  {:.4} - {:.4}",
            100.0 * point.share,
            point.groups,
            point.accuracy,
            point.low,
            point.high
        );
    }
    text
}
