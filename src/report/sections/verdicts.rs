//! Confusion matrices.

use super::{
    Answer, Cell, Column, GREEN, LabelSource, Printed, RED, Report, Role, Row, Section, Subject, Table, Value, Verdict,
    chart, percent,
};
use crate::evaluation::Classes;

/// A count is bold from this share of its row on.
const LARGE_SHARE: f64 = 0.5;

/// A count is dim below this share.
const SMALL_SHARE: f64 = 0.2;

/// Tie rates that differ by less than this share of the pairs are called similar.
const SIMILAR_TIES: f64 = 0.05;

/// The confusion matrix of the first model, or of each file of verdicts. Only a page shows that of a metric.
pub(super) fn verdicts(report: &Report) -> Section<'_> {
    let judges = report.systems.iter().filter(|row| row.role == Role::Subject);
    let most = if matches!(report.subject, Subject::Verdicts { .. }) { report.systems.len() } else { 1 };
    let mut tables: Vec<Table<'_>> = judges.take(most).map(|row| confusion(row, &report.labels_of)).collect();
    let subject = report.subject_row();
    let has_judges = report.systems.iter().any(|row| row.coverage.is_some());
    if tables.is_empty() {
        let empty = Table::builder("", [(); 0]).table.keyed("confusion");
        tables.push(subject.map_or(empty, |row| confusion(row, &report.labels_of).printed(Printed::No)));
    }
    Section {
        tables,
        charts: vec![chart::confusion(subject, &report.labels_of)],
        notes: has_judges
            .then(|| "a judge's verdicts count in each order of the hypotheses that it saw".to_owned())
            .into_iter()
            .collect(),
        advice: report.answer.as_ref().and_then(|answer| advice(answer, &report.labels_of)),
        ..Section::new("verdicts", "Confusion matrix")
    }
}

/// The confusion matrix of a system, with precision, recall and F1 of each verdict.
fn confusion<'r>(row: &'r Row, labels_of: &LabelSource) -> Table<'r> {
    let (counts, classes): (_, &Classes) = (&row.confusion.counts, &row.classes);
    let caption = format!("Confusion matrix (rows: {}, columns: {})", labels_of.name(), row.name);
    let mut table = Table::builder(caption, Verdict::ALL).with(Column::number("people"), |label| label.to_string());
    for verdict in Verdict::ALL {
        table = table.with(Column::number(format!("{:>6}", verdict.to_string())), |people| {
            let count = counts[people.index()][verdict.index()];
            Cell::from(Value::count(count)).styled(style_of_count(counts, people, verdict))
        });
    }
    for (header, of) in [("precision", classes.precision), ("recall", classes.recall), ("F1", classes.f1)] {
        let share = |people: Verdict| Value::or_undefined(of.values()[people.index()], Value::fraction);
        table = table.with(Column::number(header).rank(1), share);
    }
    let balanced = classes.balanced_accuracy.map(|accuracy| format!("balanced accuracy (mean recall) {accuracy:.4}"));
    Table { below: balanced.into_iter().collect(), ..table.table.keyed("confusion") }
}

/// The style of a count in the confusion matrix: its colour says whether the verdict is correct, and it is bold or dim by
/// its share of the row.
fn style_of_count(counts: &[[usize; 3]; 3], people: Verdict, verdict: Verdict) -> anstyle::Style {
    let of_people = &counts[people.index()];
    let share = of_people[verdict.index()] as f64 / of_people.iter().sum::<usize>().max(1) as f64;
    let style = if people == verdict { GREEN } else { RED };
    if share >= LARGE_SHARE {
        style.bold()
    } else if share < SMALL_SHARE {
        style.dimmed()
    } else {
        style
    }
}

/// Whether ties are as frequent among predictions as among labels; only models have a rule for them.
fn advice(answer: &Answer, labels_of: &LabelSource) -> Option<String> {
    if answer.role != Role::Subject {
        return None;
    }
    let [people, system] = [answer.people_tie, answer.system_ties];
    let rates = format!("{} of predictions, {} of {}", percent(system), percent(people), labels_of.labels());
    Some(if system + SIMILAR_TIES < people {
        format!("Where ties matter, set a tie rule with more ties: {rates}.")
    } else if people + SIMILAR_TIES < system {
        format!("Set a tie rule with fewer ties: {rates}.")
    } else {
        format!("Keep the tie rule: ties are {rates}.")
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_are_painted_by_right_and_wrong_and_by_their_share() {
        let counts = [[50, 30, 20], [10, 0, 90], [0, 0, 0]];
        let style = |people, said| style_of_count(&counts, people, said);
        assert_eq!(style(Verdict::First, Verdict::First), GREEN.bold());
        assert_eq!(style(Verdict::First, Verdict::Tie), RED);
        assert_eq!(style(Verdict::Tie, Verdict::Tie), GREEN.dimmed());
        assert_eq!(style(Verdict::Tie, Verdict::Second), RED.bold());
        assert_eq!(style(Verdict::Second, Verdict::Second), GREEN.dimmed());
    }
}
