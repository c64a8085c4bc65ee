//! In: rows of a report. Out: tables of a page, with cells as text.

use super::visible::visible;
use crate::judgments::Verdict;
use crate::report::details::Details;
use crate::report::systems::Role;
use crate::report::table::order;
use crate::report::text::p_value;
use crate::report::{Report, Row};

/// A table of a page; the first column names the rows.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Table {
    pub caption: String,
    pub header: Vec<String>,
    pub rows: Vec<TableRow>,
}

/// A row, and whether it belongs to the subject of the report.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct TableRow {
    pub cells: Vec<String>,
    pub is_judge: bool,
}

impl Table {
    fn new<const N: usize>(caption: impl Into<String>, header: [&str; N]) -> Self {
        Self { caption: caption.into(), header: header.map(str::to_owned).into(), rows: Vec::new() }
    }

    fn with(mut self, rows: impl Iterator<Item = Vec<String>>) -> Self {
        self.rows.extend(rows.map(|cells| TableRow { cells, is_judge: false }));
        self
    }
}

fn share(share: f64) -> String {
    format!("{share:.4}")
}

fn shares(value: Option<f64>) -> String {
    value.map_or_else(|| "–".to_owned(), share)
}

/// All systems, the most accurate first.
pub(super) fn systems(report: &Report) -> Table {
    let against =
        report.against.as_deref().map_or_else(|| "against".to_owned(), |name| format!("against {}", visible(name)));
    let header = ["system", "accuracy", "95% interval", "with ties", "decided", "tau", &against, "p"];
    let mut table = Table::new("All systems, the most accurate first", header);
    for row in order(report).into_iter().map(|at| &report.systems[at]) {
        let Row { accuracy, low, high, .. } = row;
        let [difference, p] = match &row.against {
            Some(found) => [format!("{:+.4}", found.difference), p_value(found.p_value).replace("= ", "")],
            None => [String::new(), String::new()],
        };
        let what = match row.role {
            Role::Baseline => " (the baseline)",
            Role::Majority => " (the most common answer)",
            _ => "",
        };
        let cells = vec![
            visible(&row.name) + what,
            share(*accuracy),
            format!("{} to {}", share(*low), share(*high)),
            row.with_ties.map(|ties| share(ties.accuracy)).unwrap_or_default(),
            shares(row.classes.decided_accuracy),
            share(row.kendall_tau),
            difference,
            p,
        ];
        table.rows.push(TableRow { cells, is_judge: row.role == Role::Judge });
    }
    table
}

/// The confusion matrix of the first system, with precision, recall and F1 of each verdict.
pub(super) fn verdicts(row: &Row) -> Table {
    let classes = &row.classes;
    let [precision, recall, f1] = [&classes.precision, &classes.recall, &classes.f1].map(|of| of.values());
    let rows = Verdict::ALL.into_iter().map(|verdict| {
        let at = verdict.index();
        let counts = row.confusion.counts[at].map(|count| count.to_string());
        let [first, tie, second] = counts;
        vec![verdict.to_string(), first, tie, second, shares(precision[at]), shares(recall[at]), shares(f1[at])]
    });
    let header = ["people say", "says 1", "says 0", "says -1", "precision", "recall", "F1"];
    Table::new(
        format!("Confusion matrix of {}: people's verdicts in rows, its own in columns", visible(&row.name)),
        header,
    )
    .with(rows)
}

/// The ablation of feature families.
pub(super) fn ablation(report: &Report) -> Option<Table> {
    let rows = report.ablation.iter().map(|row| {
        let found = &row.against_ensemble;
        let [difference, low, high] = [found.difference, found.low, found.high].map(|value| format!("{value:+.4}"));
        let p = p_value(found.p_value).replace("= ", "");
        let loss = format!("{:+.4}", row.log_loss_difference);
        vec![visible(&row.name), share(row.accuracy), difference, format!("{low} to {high}"), p, loss]
    });
    let header = ["features", "accuracy", "change", "95% interval", "p", "log loss"];
    let caption = "− without the family, + with the metric added; log loss: difference from the ensemble's, above 0 \
                   the ensemble is better";
    (!report.ablation.is_empty()).then(|| Table::new(caption, header).with(rows))
}

/// The learning curve over the number of references.
pub(super) fn learning_curve(report: &Report) -> Option<Table> {
    let rows = report.learning_curve.iter().map(|point| {
        let interval = format!("{} to {}", share(point.low), share(point.high));
        vec![format!("{:.1}%", 100.0 * point.share), format!("{:.0}", point.groups), share(point.accuracy), interval]
    });
    let header = ["trained on", "references", "accuracy", "95% interval"];
    (!report.learning_curve.is_empty()).then(|| Table::new("Trained on part of the references", header).with(rows))
}

/// The systems on each of several files.
pub(super) fn files(report: &Report) -> Option<Table> {
    let of_role = |file: &crate::report::FileRow, role: Role| {
        file.systems.iter().find(|row| row.role == role).map(|row| share(row.accuracy)).unwrap_or_default()
    };
    let rows = report.files.iter().map(|file| {
        let [judge, baseline, best] = [Role::Judge, Role::Baseline, Role::BestMetric].map(|role| of_role(file, role));
        let counts = [file.weight.to_string(), file.rows.to_string(), file.groups.to_string()];
        [visible(&file.name)].into_iter().chain(counts).chain([judge, baseline, best]).collect()
    });
    let header = ["file", "weight", "pairs", "references", "ensemble", "the baseline", "best metric"];
    (!report.files.is_empty()).then(|| Table::new("Accuracy on each file", header).with(rows))
}

/// Agreement with people by every convention, one row per system.
pub(super) fn conventions(details: &Details, report: &Report) -> Table {
    let conventions = &details.conventions;
    let names = conventions.conventions.iter().map(|convention| convention.name.to_owned());
    let header: Vec<String> = ["system".to_owned()].into_iter().chain(names).collect();
    let is_judge = |name: &str| report.row(name).is_some_and(|row| row.role == Role::Judge);
    let row = |row: &crate::report::details::ConventionRow| TableRow {
        cells: [visible(&row.name)].into_iter().chain(row.values.iter().copied().map(shares)).collect(),
        is_judge: is_judge(&row.name),
    };
    let rows = conventions.systems.iter().map(row).collect();
    Table { caption: "Agreement with people, by convention".to_owned(), header, rows }
}

/// Accuracy by confidence.
pub(super) fn reliability(details: &Details) -> Table {
    let rows = details.reliability.iter().map(|bin| {
        let [from, to, confidence, accuracy, low, high] =
            [bin.from, bin.to, bin.confidence, bin.accuracy, bin.low, bin.high].map(share);
        vec![format!("{from} to {to}"), bin.pairs.to_string(), confidence, accuracy, format!("{low} to {high}")]
    });
    Table::new("Confidence and accuracy", ["confidence", "pairs", "mean", "accuracy", "95% interval"]).with(rows)
}
