//! How to go on, and how to get the same report again.

use super::studies::WORTHWHILE;
use super::{Answer, Column, CurveRow, Printed, Report, Role, Section, Table};
use crate::report::details::Provenance;

/// The key of the table of commands, which no paper needs.
pub(in crate::report) const NEXT_STEPS: &str = "next_steps";

/// The commands to go on with.
pub(super) fn next_steps(report: &Report) -> Section<'_> {
    let steps = report.answer.as_ref().map(steps).unwrap_or_default();
    let table = Table::builder("Commands to go on with", &steps)
        .with(Column::text("command"), |(command, _)| format!("tribunal {command}"))
        .with(Column::prose("purpose"), |(_, purpose)| purpose.clone())
        .table;
    Section {
        tables: vec![table.keyed(NEXT_STEPS).printed(Printed::No)],
        advice: report.answer.as_ref().map(|answer| begin(answer, &report.learning_curve)),
        ..Section::new("next", "What to do next")
    }
}

/// Commands, each with what it is for.
fn steps(answer: &Answer) -> Vec<(&'static str, String)> {
    let system = &answer.system;
    let step = |command, purpose: String| (command, purpose);
    if answer.role != Role::Subject {
        // No model is there to judge or to explain pairs.
        return vec![
            step("train", "Learn from the labels how to combine judges and metrics.".into()),
            step(
                "rank",
                format!("Compare the systems behind the pairs, if these name them, by {system} and the labels."),
            ),
        ];
    }
    let first = match answer.is_useful() {
        true => step("predict", format!("Judge new pairs with {system}, and leave the least certain ones to people.")),
        false => {
            step("train", "Add what the texts alone do not show: scores such as COMET's, verdicts of judges.".into())
        }
    };
    vec![
        first,
        step("explain", format!("Read why {system} is wrong, word by word.")),
        step("next", "Draw the unlabelled pairs whose labels would help most, and label them with annotate.".into()),
        step("rank", "Compare the systems behind the pairs, if these name them.".into()),
    ]
}

/// Which of these commands comes first.
fn begin(answer: &Answer, points: &[CurveRow]) -> String {
    if answer.role != Role::Subject {
        return "Start with train: it tells whether judges and metrics are better together than alone.".to_owned();
    }
    let grows = matches!(points, [.., half, all] if all.accuracy - half.accuracy >= WORTHWHILE);
    match (answer.is_useful(), grows) {
        (true, false) => format!("Start with predict: {} is ready for new pairs.", answer.system),
        (_, true) => "Start with next: accuracy still rises with more labels.".to_owned(),
        (false, false) => "Start with train: more labels of this kind change little.".to_owned(),
    }
}

/// What is needed to reproduce the report.
pub(super) fn provenance(report: &Report) -> Section<'_> {
    let provenance = report.details.as_ref().map(|details| &details.provenance);
    let origin = Table::builder("Origin", provenance.into_iter().flat_map(origin).collect::<Vec<_>>().iter())
        .with(Column::text("what"), |(what, _)| *what)
        .with(Column::prose("value"), |(_, value)| value.clone())
        .table;
    let signatures =
        Table::builder("Signatures of the metrics", provenance.into_iter().flat_map(|all| &all.signatures))
            .with(Column::text("metric"), |metric| &metric.name)
            .with(Column::prose("signature"), |metric| &metric.signature)
            .table;
    let files =
        "The same folder contains report.json (all figures), the tables as CSV and LaTeX, and the charts as SVG.";
    let advice = "Keep the files and the command: the same version and seed give the same figures.";
    Section {
        tables: vec![origin.keyed("origin").printed(Printed::No), signatures.keyed("signatures").printed(Printed::No)],
        notes: provenance.map(|_| files.to_owned()).into_iter().collect(),
        advice: Some(advice.to_owned()),
        ..Section::new("repeat", "Reproducing this page")
    }
}

/// Command, version, seed and data, and what happened on the way.
fn origin(provenance: &Provenance) -> Vec<(&'static str, String)> {
    let mut rows = vec![
        ("Command", provenance.command.clone()),
        ("Version", format!("tribunal {}", provenance.version)),
        ("Seed", provenance.seed.to_string()),
    ];
    for file in &provenance.data {
        let mut value = if file.name == "-" { "standard input".to_owned() } else { file.name.clone() };
        value += &file.bytes.map(|bytes| format!(", {bytes} bytes")).unwrap_or_default();
        value += &file.sha256.as_ref().map(|hash| format!(", SHA-256 {hash}")).unwrap_or_default();
        rows.push(("Data", value));
    }
    for model in &provenance.models {
        let value = format!("{}, checksum {}, trained on {}", model.name, model.checksum, model.data);
        rows.push(("Model", value));
    }
    rows.extend(provenance.accounts.iter().map(|account| ("Import", account.clone())));
    rows.extend(provenance.notes.iter().map(|note| ("Note", note.clone())));
    rows
}
