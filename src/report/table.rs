//! In: a [`Report`]. Out: the report as text for a terminal.

use std::fmt::Write;

use anstyle::Style;

use super::answer::Finding;
use super::columns::{Column, render as render_columns};
use super::paint::{BOLD, GREEN, RED};
use super::systems::Role;
use super::text::{cut, p_value, wrapped};
use super::{Report, Row, Subject, Terminal, headline, sections, sentences};
use crate::judgments::Verdict;

/// The longest name in the header of the comparison column on a terminal, in characters.
const LONGEST_AGAINST: usize = 11;

/// A cell of the confusion matrix is bold from this share of its row on.
const LARGE_SHARE: f64 = 0.5;

/// A cell is dim below this share.
const SMALL_SHARE: f64 = 0.2;

/// The answer, with which a report begins, without the tables.
pub fn render_answer(report: &Report, terminal: Terminal) -> String {
    headline::lines(report, terminal)
}

/// The whole report as text: the answer, the systems by accuracy, then the rest. Tables and sentences are no wider than
/// the terminal where possible.
pub fn render(report: &Report, terminal: Terminal) -> String {
    let (order, width) = (order(report), terminal.width);
    let mut text = format!("{}\n", render_answer(report, terminal));
    text.push_str(&systems(report, &order, terminal));
    text.push_str(&sentences::below_table(report, width));
    let judges = report.systems.iter().filter(|row| row.role == Role::Judge);
    let shown = if matches!(report.subject, Subject::Verdicts { .. }) { report.systems.len() } else { 1 };
    for row in judges.take(shown) {
        text.push('\n');
        text.push_str(&confusion(row, terminal));
    }
    text.push_str(&sentences::findings(report, width));
    if let Some(matrix) = &report.matrix {
        let _ = write!(text, "\n{}", matrix.text(&order, terminal));
    }
    if !report.files.is_empty() {
        let _ = write!(text, "\n{}", sections::files(&report.files, terminal));
    }
    if !report.ablation.is_empty() {
        text.push_str(&sections::families(&report.families, terminal));
        text.push_str(&sections::ablation(&report.ablation, terminal));
    }
    if !report.learning_curve.is_empty() {
        text.push_str(&sections::curve(&report.learning_curve, terminal));
    }
    text
}

/// Indices of the systems, the most accurate first.
pub(super) fn order(report: &Report) -> Vec<usize> {
    let mut order: Vec<usize> = (0..report.systems.len()).collect();
    order.sort_by(|&one, &other| report.systems[other].accuracy.total_cmp(&report.systems[one].accuracy));
    order
}

fn systems(report: &Report, order: &[usize], terminal: Terminal) -> String {
    let rows = || order.iter().map(|&at| &report.systems[at]);
    let share = |share: f64| format!("{share:.4}");
    let ties = |row: &Row| row.with_ties.map(|ties| share(ties.accuracy)).unwrap_or_default();
    let decided = |row: &Row| row.classes.decided_accuracy.map_or("-".to_owned(), share);
    let against = |row: &Row| match &row.against {
        Some(against) => format!("{:+.4} p {}", against.difference, p_value(against.p_value)),
        None => String::new(),
    };
    let name = report.against.as_deref().unwrap_or_default();
    let name = if terminal.width.is_some() { cut(name, LONGEST_AGAINST) } else { name.to_owned() };
    // Painted if the difference from the common rival is significant.
    let found = |row: &Row| row.against.as_ref().map(Finding::style_of_figures).unwrap_or_default();
    let names = |row: &Row| if row.role == Role::Judge { BOLD } else { Style::new() };
    let columns = vec![
        Column::marks(rows().map(|row| row.role.mark().to_string())).painted(rows().map(found)),
        Column::left("system", 0, rows().map(|row| row.name.clone())).painted(rows().map(names)),
        Column::right("accuracy", 0, rows().map(|row| share(row.accuracy))),
        Column::left("95% interval", 1, rows().map(|row| format!("{:.4} - {:.4}", row.low, row.high))),
        Column::right("with ties", 2, rows().map(ties)),
        Column::right("decided", 4, rows().map(decided)),
        Column::right("tau", 3, rows().map(|row| share(row.kendall_tau))),
        Column::left(format!("against {name}"), 0, rows().map(against)).painted(rows().map(found)),
    ];
    render_columns(columns, terminal)
}

/// The confusion matrix of a system, with precision, recall and F1 of each verdict.
fn confusion(row: &Row, terminal: Terminal) -> String {
    let caption = format!("Confusion matrix of {}: people's verdicts in rows, its own in columns", row.name);
    let mut text = wrapped(&caption, terminal.width);
    let counts = &row.confusion.counts;
    let said = |verdict: Verdict| {
        let cells = counts.iter().map(move |of_people| of_people[verdict.index()].to_string());
        let styles = Verdict::ALL.iter().map(move |&people| cell_style(counts, people, verdict));
        Column::right(format!("{:>6}", verdict.to_string()), 0, cells).painted(styles)
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
    text.push_str(&render_columns(columns, terminal));
    if let Some(balanced) = row.classes.balanced_accuracy {
        let _ = writeln!(text, "balanced accuracy (mean recall) {balanced:.4}");
    }
    text
}

/// The style of a cell of the confusion matrix: its colour says whether it is correct, and it is bold or dim by its
/// share of the row.
fn cell_style(counts: &[[usize; 3]; 3], people: Verdict, said: Verdict) -> Style {
    let of_people = &counts[people.index()];
    let share = of_people[said.index()] as f64 / of_people.iter().sum::<usize>().max(1) as f64;
    let style = if people == said { GREEN } else { RED };
    if share >= LARGE_SHARE {
        style.bold()
    } else if share < SMALL_SHARE {
        style.dimmed()
    } else {
        style
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_are_painted_by_right_and_wrong_and_by_their_share() {
        let counts = [[50, 30, 20], [10, 0, 90], [0, 0, 0]];
        let style = |people, said| cell_style(&counts, people, said);
        assert_eq!(style(Verdict::First, Verdict::First), GREEN.bold());
        assert_eq!(style(Verdict::First, Verdict::Tie), RED);
        assert_eq!(style(Verdict::Tie, Verdict::Tie), GREEN.dimmed());
        assert_eq!(style(Verdict::Tie, Verdict::Second), RED.bold());
        assert_eq!(style(Verdict::Second, Verdict::Second), GREEN.dimmed());
    }
}
