//! In: rows of studies. Out: text for a terminal.

use std::fmt::Write;

use super::studies::{AblationRow, CurveRow, FileRow};
use super::text::p_value;
use super::{BASELINE, MAJORITY, Row};
use crate::learners::logistic::FamilyShare;

/// One row a file: the first system, the baseline, and the best of the single metrics behind it.
pub fn files(files: &[FileRow]) -> String {
    let width = files.iter().map(|file| file.name.chars().count()).max().unwrap_or(0).max(4);
    let mut text = format!("\n{:width$}  weight    pairs  groups", "file");
    // Writing to a String cannot fail, here and below.
    let first = files.first().and_then(|file| file.systems.first()).map_or("", |row| row.name.as_str());
    let _ = writeln!(text, "  {first:8}  95% interval     {BASELINE:>6}  best single metric");
    for file in files {
        let _ = write!(text, "{:width$}  {:6}  {:7}  {:6}", file.name, file.weight, file.rows, file.groups);
        if let Some(row) = file.systems.first() {
            let _ = write!(text, "  {:8.4}  {:.4} - {:.4}", row.accuracy, row.low, row.high);
        }
        if let Some(row) = file.systems.iter().find(|row| row.name == BASELINE) {
            let _ = write!(text, "  {:6.4}", row.accuracy);
        }
        if let Some(row) = best_metric(&file.systems) {
            let _ = write!(text, "  {:.4} {}", row.accuracy, row.name);
        }
        text.push('\n');
    }
    text
}

/// The most accurate of the rows that need no training and are no constant.
fn best_metric(systems: &[Row]) -> Option<&Row> {
    let metrics = systems.iter().filter(|row| row.calibration.is_none() && row.name != MAJORITY);
    metrics.max_by(|a, b| a.accuracy.total_cmp(&b.accuracy))
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
pub fn ablation(rows: &[AblationRow]) -> String {
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
    text.push_str("- without the family, + with the metric besides; log loss above 0: the ensemble's features are the better ones\n");
    text
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
