//! Predictions on single pairs, and how they count by the conventions of the field.

use super::{Cell, Column, LabelSource, Printed, Report, Role, Section, Table, Value, Verdict, percent, pluralized};
use crate::report::details::Details;
use crate::report::explanation::FamilyContribution;

/// A probability of the human label below which a pair is surprising.
const SURPRISING: f64 = 0.2;

/// Agreement with the labels by every convention for counting ties.
pub(super) fn conventions(report: &Report) -> Section<'_> {
    let all = report.details.as_ref().map(|details| &details.conventions);
    let is_judge = |name: &str| report.row(name).is_some_and(|row| row.role == Role::Subject);
    let caption = format!("Agreement with {}, by convention", report.labels_of.labels());
    let mut values = Table::builder(caption, all.into_iter().flat_map(|all| &all.systems))
        .with(Column::text("system"), |row| Cell::from(&row.name).bold_if(is_judge(&row.name)));
    for (at, convention) in all.into_iter().flat_map(|all| &all.conventions).enumerate() {
        values =
            values.with(Column::number(convention.name), |row| Value::or_undefined(row.values[at], Value::fraction));
    }
    let rules = Table::builder("The conventions", all.into_iter().flat_map(|all| &all.conventions))
        .with(Column::text("convention"), |convention| convention.name)
        .with(Column::prose("rule"), |convention| convention.rule)
        .with(Column::prose("source"), |convention| convention.source)
        .table;
    let note = "The same verdicts by every convention of the field; they differ in how ties count.";
    Section {
        tables: vec![
            values.table.keyed("conventions").printed(Printed::No),
            rules.keyed("convention_rules").printed(Printed::No),
        ],
        notes: all.map(|_| note.to_owned()).into_iter().collect(),
        advice: all.and_then(|all| all.systems.first()).and_then(|row| cite(&row.name, &row.values)),
        ..Section::new("agreement", "Agreement by convention")
    }
}

/// That a figure needs its convention.
fn cite(name: &str, values: &[Option<f64>]) -> Option<String> {
    let known = || values.iter().flatten().copied();
    let (low, high) = (known().reduce(f64::min)?, known().reduce(f64::max)?);
    Some(format!("Name the convention when you cite a value: those of {name} range from {low:.4} to {high:.4}."))
}

/// The worst mistakes and the most confident correct predictions, each explained.
pub(super) fn examples(report: &Report) -> Section<'_> {
    let details = report.details.as_ref();
    let groups = details.map(|details| {
        [
            ("Worst mistakes", details.most_wrong.as_slice()),
            ("Correct with the highest confidence", details.most_right.as_slice()),
        ]
    });
    Section {
        examples: groups.into_iter().flatten().collect(),
        advice: details.and_then(inspect),
        ..Section::new("examples", "Examples")
    }
}

/// Which mistakes to read first.
fn inspect(details: &Details) -> Option<String> {
    let wrong = &details.most_wrong;
    let misled = wrong.iter().filter_map(|pair| {
        let toward = f64::from(pair.verdict.sign());
        let towards = |family: &&FamilyContribution| family.contribution * toward > 0.0;
        let most = pair.families.iter().filter(towards);
        most.max_by(|one, other| one.contribution.abs().total_cmp(&other.contribution.abs()))
    });
    let names: Vec<&str> = misled.map(|family| family.name.as_str()).collect();
    let count = |name: &&&str| names.iter().filter(|other| other == name).count();
    let (name, count) = names.iter().max_by_key(|name| count(name)).map(|name| (name, count(&name)))?;
    Some(format!(
        "Inspect {name} first: it contributes most to {count} of the {} above.",
        pluralized(wrong.len(), "worst mistake")
    ))
}

/// All pairs with labels and predictions.
pub(super) fn pairs(report: &Report) -> Section<'_> {
    let details = report.details.as_ref();
    let note = |details: &Details| {
        let (shown, all) = (details.pairs.rows.len(), details.pairs.of);
        let which = if shown == all {
            format!("All {all} pairs.")
        } else {
            let unit = report.unit();
            format!(
                "{shown} of {all} pairs, whole {unit}s drawn with the seed; pairs.csv has the same, or all if requested."
            )
        };
        format!("{which} Surprising: the model gave the {} a probability below 20%.", report.labels_of.label())
    };
    Section {
        notes: details.map(note).into_iter().collect(),
        pairs: details.map(|details| &details.pairs),
        advice: details.map(|details| check_labels(details, &report.labels_of)),
        ..Section::new("pairs", "All pairs")
    }
}

/// How many labels to check.
fn check_labels(details: &Details, labels_of: &LabelSource) -> String {
    let rows = &details.all_pairs.rows;
    let given = |people: Verdict, probabilities: [f64; 3]| probabilities[people.index()];
    let surprising = rows.iter().filter(|row| given(row.people, row.probabilities.0) < SURPRISING).count();
    match surprising {
        0 => {
            format!("No label is surprising: the model gave every {} a probability of at least 20%.", labels_of.label())
        }
        count => format!(
            "Check the labels of the {} first ({} of all): the model gave their {} less than 20%.",
            pluralized(count, "surprising pair"),
            percent(count as f64 / rows.len() as f64),
            labels_of.labels()
        ),
    }
}
