//! In: a [`Report`]. Out: text for a terminal.

use std::fmt::Write;

use super::text::p_value;
use super::{BASELINE, Report, Row, Subject, sections};
use crate::evaluation::Agreement;
use crate::judgments::Verdict;

/// The whole report as text; the confusion matrix is that of the first system.
pub fn render(report: &Report) -> String {
    let [first, tie, second] = report.labels;
    let what = match report.groups {
        Some(groups) => format!("{} pairs, {groups} groups of references", report.rows),
        None => format!("{} verdicts", report.rows),
    };
    let how = match report.subject {
        Subject::OutOfFold => format!("{} folds by reference, out of fold", report.folds),
        Subject::Models => "models as they are".to_owned(),
        Subject::Verdicts => "verdicts as they are".to_owned(),
    };
    let drawn = if report.groups.is_some() { "references" } else { "single pairs" };
    let mut text = format!("{what}; people say 1: {first}, 0: {tie}, -1: {second}\n");
    // Writing to a String cannot fail, here and below.
    let _ = writeln!(text, "{how}; 95% intervals by bootstrap over {drawn}, seed {}\n", report.seed);
    text.push_str(&systems(report));
    if let Some(row) = report.systems.first() {
        text.push('\n');
        text.push_str(&confusion(row));
        if let Some(sentence) = ties(row) {
            let _ = writeln!(text, "\n{sentence}");
        }
        if let Some(sentence) = comparison(row) {
            let _ = writeln!(text, "\n{sentence}");
        }
        if let Some(calibration) = row.calibration {
            let _ = writeln!(
                text,
                "Its probabilities: expected calibration error {:.4}, Brier score {:.4}, log loss {:.4}",
                calibration.expected_calibration_error, calibration.brier, calibration.log_loss
            );
        }
    }
    if let Some(Agreement { pairs, judgments, share }) = report.agreement {
        let _ = writeln!(
            text,
            "People agree with each other in {share:.4} ({judgments} judgments of {pairs} pairs judged more than once)"
        );
    }
    if !report.files.is_empty() {
        text.push_str(&sections::files(&report.files));
    }
    if !report.ablation.is_empty() {
        text.push_str(&sections::families(&report.families));
        text.push_str(&sections::ablation(&report.ablation));
    }
    if !report.learning_curve.is_empty() {
        text.push_str(&sections::curve(&report.learning_curve));
    }
    text
}

fn systems(report: &Report) -> String {
    let width = report.systems.iter().map(|row| row.name.len()).max().unwrap_or(0).max(6);
    let has_ties = report.systems.iter().any(|row| row.with_ties.is_some());
    let ties = if has_ties { "with ties  " } else { "" };
    let has_baseline = report.systems.iter().any(|row| row.against_baseline.is_some());
    let against = if has_baseline { format!("against {BASELINE}  p") } else { String::new() };
    let header = format!("{:width$}  accuracy  95% interval      tau     {ties}{against}", "system");
    let mut text = format!("{}\n", header.trim_end());
    for row in &report.systems {
        let _ = write!(
            text,
            "{:width$}  {:8.4}  {:.4} - {:.4}  {:7.4}",
            row.name, row.accuracy, row.low, row.high, row.kendall_tau
        );
        let mut cells = String::new();
        if has_ties {
            let accuracy = row.with_ties.map(|ties| format!("{:.4}", ties.accuracy)).unwrap_or_default();
            let _ = write!(cells, "  {accuracy:>9}");
        }
        if let Some(against) = &row.against_baseline {
            let _ = write!(cells, "     {:+.4}  {}", against.difference, p_value(against.p_value));
        }
        text.push_str(cells.trim_end());
        text.push('\n');
    }
    if has_ties {
        text.push_str("with ties: differences below a threshold, tuned on the other folds, count as ties\n");
    }
    for row in &report.systems {
        if let Some(other) = &row.same_as {
            let _ = writeln!(text, "{} and {other} are identical: they give the same verdict on every pair", row.name);
        }
    }
    text
}

fn confusion(row: &Row) -> String {
    let mut text = format!("{}, pairs by what people say (rows) and what it says (columns)\n", row.name);
    let _ = writeln!(text, "{:>8}{:>8}{:>8}{:>8}", "", 1, 0, -1);
    for (verdict, counts) in Verdict::ALL.iter().zip(row.confusion.counts) {
        let _ = writeln!(text, "{:>8}{:>8}{:>8}{:>8}", verdict.to_string(), counts[0], counts[1], counts[2]);
    }
    text
}

/// How often people say tie, and how often a system does.
fn ties(row: &Row) -> Option<String> {
    let [people, system] = row.confusion.tie_shares();
    let is_any = people > 0.0 || system > 0.0;
    is_any.then(|| {
        format!("People say tie in {:.1}% of the pairs, {} in {:.1}%", 100.0 * people, row.name, 100.0 * system)
    })
}

fn comparison(row: &Row) -> Option<String> {
    let against = row.against_baseline?;
    let points = 100.0 * against.difference;
    let finding = match (against.p_value < 0.05, points > 0.0) {
        (true, true) => "beats the baseline beyond chance",
        (true, false) => "is worse than the baseline beyond chance",
        (false, _) => "does not differ from the baseline beyond chance",
    };
    Some(format!(
        "{} {finding}: {points:+.2} points, 95% interval {:+.2} to {:+.2}, p {} (paired randomisation over references)",
        row.name,
        100.0 * against.low,
        100.0 * against.high,
        p_value(against.p_value)
    ))
}
