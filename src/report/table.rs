//! In: a [`Report`]. Out: text for a terminal.

use std::fmt::Write;

use super::columns::{Column, render as render_columns};
use super::systems::Role;
use super::text::{cut, p_value, wrapped};
use super::{Report, Row, Subject, headline, sections, sentences};
use crate::judgments::Verdict;

/// Letters of the name of what all are compared with, where room is short.
const LONGEST_AGAINST: usize = 11;

/// The whole report as text: the answer, the systems by accuracy, and what else is known. Tables and sentences are at
/// most `width` letters wide, where that is possible and a width is given.
pub fn render(report: &Report, width: Option<usize>) -> String {
    let order = order(report);
    let mut text = format!("{}\n", headline::lines(report));
    text.push_str(&systems(report, &order, width));
    text.push_str(&sentences::below_table(report, width));
    let judges = report.systems.iter().filter(|row| row.role == Role::Judge);
    let shown = if matches!(report.subject, Subject::Verdicts { .. }) { report.systems.len() } else { 1 };
    for row in judges.take(shown) {
        text.push('\n');
        text.push_str(&confusion(row, width));
    }
    text.push_str(&sentences::findings(report, width));
    if let Some(matrix) = &report.matrix {
        let _ = write!(text, "\n{}", matrix.text(&order, width));
    }
    if !report.files.is_empty() {
        let _ = write!(text, "\n{}", sections::files(&report.files, width));
    }
    if !report.ablation.is_empty() {
        text.push_str(&sections::families(&report.families));
        text.push_str(&sections::ablation(&report.ablation, width));
    }
    if !report.learning_curve.is_empty() {
        text.push_str(&sections::curve(&report.learning_curve));
    }
    text
}

/// The systems, the most accurate first.
pub(super) fn order(report: &Report) -> Vec<usize> {
    let mut order: Vec<usize> = (0..report.systems.len()).collect();
    order.sort_by(|&one, &other| report.systems[other].accuracy.total_cmp(&report.systems[one].accuracy));
    order
}

fn systems(report: &Report, order: &[usize], width: Option<usize>) -> String {
    let rows = || order.iter().map(|&at| &report.systems[at]);
    let share = |share: f64| format!("{share:.4}");
    let ties = |row: &Row| row.with_ties.map(|ties| share(ties.accuracy)).unwrap_or_default();
    let decided = |row: &Row| row.classes.decided_accuracy.map_or("-".to_owned(), share);
    let against = |row: &Row| match &row.against {
        Some(against) => format!("{:+.4} p {}", against.difference, p_value(against.p_value)),
        None => String::new(),
    };
    let name = report.against.as_deref().unwrap_or_default();
    let name = if width.is_some() { cut(name, LONGEST_AGAINST) } else { name.to_owned() };
    let columns = vec![
        Column::marks(rows().map(|row| row.role.mark().to_string())),
        Column::left("system", 0, rows().map(|row| row.name.clone())),
        Column::right("accuracy", 0, rows().map(|row| share(row.accuracy))),
        Column::left("95% interval", 1, rows().map(|row| format!("{:.4} - {:.4}", row.low, row.high))),
        Column::right("with ties", 2, rows().map(ties)),
        Column::right("decided", 4, rows().map(decided)),
        Column::right("tau", 3, rows().map(|row| share(row.kendall_tau))),
        Column::left(format!("against {name}"), 0, rows().map(against)),
    ];
    render_columns(columns, width)
}

/// How often people and a system say what, and how well it does on each verdict.
fn confusion(row: &Row, width: Option<usize>) -> String {
    let caption = format!("{}, pairs by what people say (rows) and what it says (columns)", row.name);
    let mut text = wrapped(&caption, width);
    let counts = &row.confusion.counts;
    let said = |verdict: Verdict| {
        let cells = counts.iter().map(move |of_people| of_people[verdict.index()].to_string());
        Column::right(format!("{:>6}", verdict.to_string()), 0, cells)
    };
    let shares = |header: &str, values: [Option<f64>; 3]| {
        let cells = values.into_iter().map(|value| value.map_or("-".to_owned(), |value| format!("{value:.4}")));
        Column::right(header, 1, cells)
    };
    let people = Verdict::ALL.iter().map(|verdict| format!("{:>8}", verdict.to_string()));
    let mut columns = vec![Column::right("", 0, people)];
    columns.extend(Verdict::ALL.map(said));
    columns.push(shares("precision", row.classes.precision.values()));
    columns.push(shares("recall", row.classes.recall.values()));
    columns.push(shares("F1", row.classes.f1.values()));
    text.push_str(&render_columns(columns, width));
    if let Some(balanced) = row.classes.balanced_accuracy {
        let _ = writeln!(text, "balanced accuracy (mean recall) {balanced:.4}");
    }
    text
}
