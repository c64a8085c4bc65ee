//! In: a [`Report`] with its details. Out: the files of a report folder, as texts and as tables. Next: the workflow
//! that writes them.

use std::borrow::Cow;

use super::details::Details;
use super::{Report, Row, html};
use crate::error::{Error, Result};
use crate::evaluation::Comparison;
use crate::judgments::Verdict;

/// The names of all possible files, the page first. A chart without data has no file.
pub fn names() -> impl Iterator<Item = String> {
    let charts = html::CHARTS.iter().map(|name| format!("{name}.svg"));
    TEXTS.iter().chain(&TABLES).map(|&name| name.to_owned()).chain(charts)
}

const TEXTS: [&str; 2] = ["report.html", "report.json"];

const TABLES: [&str; 10] = [
    "accuracy.csv",
    "matrix.csv",
    "confusion.csv",
    "reliability.csv",
    "breakdowns.csv",
    "conventions.csv",
    "families.csv",
    "ablation.csv",
    "learning_curve.csv",
    "pairs.csv",
];

/// A table: column names, and rows with one field per column.
#[derive(Debug, Clone, PartialEq)]
pub struct FileTable<'r> {
    /// The file's name.
    pub name: &'static str,
    /// The names of the columns.
    pub columns: Vec<Cow<'static, str>>,
    /// The rows.
    pub rows: Vec<Vec<Field<'r>>>,
}

/// A field in a row of a [`FileTable`].
#[derive(Debug, Clone, PartialEq)]
pub enum Field<'r> {
    /// Nothing.
    Empty,
    /// A text.
    Text(Cow<'r, str>),
    /// A count.
    Count(usize),
    /// A number.
    Number(f64),
}

impl<'r> From<&'r str> for Field<'r> {
    fn from(text: &'r str) -> Self {
        Self::Text(text.into())
    }
}

impl From<usize> for Field<'_> {
    fn from(count: usize) -> Self {
        Self::Count(count)
    }
}

impl From<f64> for Field<'_> {
    fn from(number: f64) -> Self {
        Self::Number(number)
    }
}

impl From<Verdict> for Field<'_> {
    fn from(verdict: Verdict) -> Self {
        Self::Text(verdict.to_string().into())
    }
}

impl<'r, T: Into<Field<'r>>> From<Option<T>> for Field<'r> {
    fn from(value: Option<T>) -> Self {
        value.map_or(Self::Empty, T::into)
    }
}

/// The page, the whole report as JSON, and the charts, as (file name, content).
///
/// # Errors
/// The report cannot be written as JSON.
pub fn texts(report: &Report) -> Result<Vec<(String, String)>> {
    let json = serde_json::to_string(report)
        .map_err(|error| Error::invalid("report", "numbers", error.to_string(), "report this as a bug"))?;
    let [page, whole] = TEXTS.map(str::to_owned);
    let mut texts = vec![(page, html::page(report)), (whole, json + "\n")];
    texts.extend(html::charts(report).into_iter().map(|chart| (format!("{}.svg", chart.name), chart.svg)));
    Ok(texts)
}

/// The tables of the folder. A table without data has only its header, so that it overwrites one left by another
/// report.
pub fn tables(report: &Report) -> Vec<FileTable<'_>> {
    let mut tables = vec![accuracy(report), matrix(report), confusion(report)];
    let details = report.details.as_ref();
    tables.extend([reliability(details), breakdowns(details), conventions(details), families(details)]);
    tables.extend([ablation(report), learning_curve(report), pairs(details)]);
    tables
}

fn table<'r>(name: &'static str, columns: &[&'static str], rows: Vec<Vec<Field<'r>>>) -> FileTable<'r> {
    FileTable { name, columns: columns.iter().map(|&column| column.into()).collect(), rows }
}

fn accuracy(report: &Report) -> FileTable<'_> {
    let columns = [
        "system",
        "role",
        "accuracy",
        "low",
        "high",
        "decided_accuracy",
        "balanced_accuracy",
        "kendall_tau",
        "with_ties",
        "threshold",
        "against",
        "difference",
        "difference_low",
        "difference_high",
        "p",
    ];
    let rows = report.systems.iter().map(|row: &Row| -> Vec<Field<'_>> {
        let against = row.against.as_ref();
        let of_against = |value: fn(&Comparison) -> f64| Field::from(against.map(value));
        vec![
            row.name.as_str().into(),
            row.role.name().into(),
            row.accuracy.into(),
            row.low.into(),
            row.high.into(),
            row.classes.decided_accuracy.into(),
            row.classes.balanced_accuracy.into(),
            row.kendall_tau.into(),
            row.with_ties.map(|ties| ties.accuracy).into(),
            row.with_ties.map(|ties| ties.threshold).into(),
            against.and(report.against.as_deref()).into(),
            of_against(|found| found.difference),
            of_against(|found| found.low),
            of_against(|found| found.high),
            of_against(|found| found.p_value),
        ]
    });
    table("accuracy.csv", &columns, rows.collect())
}

fn matrix(report: &Report) -> FileTable<'_> {
    let rows = report.matrix.iter().flat_map(|matrix| {
        let names = || matrix.names.iter().enumerate();
        names().flat_map(move |(one, name)| {
            let others = names().filter(move |&(other, _)| other != one);
            others.map(move |(other, against)| -> Vec<Field<'_>> {
                let (difference, p) = (matrix.differences[one][other], matrix.p_values[one][other]);
                vec![name.as_str().into(), against.as_str().into(), difference.into(), p.into()]
            })
        })
    });
    table("matrix.csv", &["system", "against", "difference", "p"], rows.collect())
}

fn confusion(report: &Report) -> FileTable<'_> {
    let cells = || Verdict::ALL.into_iter().flat_map(|people| Verdict::ALL.map(move |said| (people, said)));
    let rows = report.systems.iter().flat_map(|row| {
        cells().map(|(people, said)| -> Vec<Field<'_>> {
            let pairs = row.confusion.counts[people.index()][said.index()];
            vec![row.name.as_str().into(), people.into(), said.into(), pairs.into()]
        })
    });
    table("confusion.csv", &["system", "people", "verdict", "pairs"], rows.collect())
}

fn reliability(details: Option<&Details>) -> FileTable<'_> {
    let bins = details.iter().flat_map(|details| &details.reliability);
    let rows = bins.map(|bin| -> Vec<Field<'_>> {
        let [from, to, confidence] = [bin.from, bin.to, bin.confidence].map(Field::from);
        vec![from, to, bin.pairs.into(), confidence, bin.accuracy.into(), bin.low.into(), bin.high.into()]
    });
    table("reliability.csv", &["from", "to", "pairs", "confidence", "accuracy", "low", "high"], rows.collect())
}

fn breakdowns(details: Option<&Details>) -> FileTable<'_> {
    let mut rows: Vec<Vec<Field<'_>>> = Vec::new();
    for breakdown in details.iter().flat_map(|details| &details.breakdowns) {
        for bin in &breakdown.bins {
            for (system, found) in breakdown.systems.iter().zip(&bin.accuracies) {
                let [property, values, system] =
                    [&breakdown.property, &bin.values, system].map(|text| text.as_str().into());
                let pairs = bin.pairs.into();
                rows.push(vec![
                    property,
                    values,
                    pairs,
                    system,
                    found.accuracy.into(),
                    found.low.into(),
                    found.high.into(),
                ]);
            }
        }
    }
    table("breakdowns.csv", &["property", "values", "pairs", "system", "accuracy", "low", "high"], rows)
}

fn conventions(details: Option<&Details>) -> FileTable<'_> {
    let conventions = details.map(|details| &details.conventions);
    let names = conventions.iter().flat_map(|all| &all.conventions).map(|convention| convention.name.into());
    let rows = conventions.iter().flat_map(|all| &all.systems).map(|row| {
        let values = row.values.iter().map(|&value| Field::from(value));
        std::iter::once(row.name.as_str().into()).chain(values).collect()
    });
    FileTable {
        name: "conventions.csv",
        columns: std::iter::once("system".into()).chain(names).collect(),
        rows: rows.collect(),
    }
}

fn families(details: Option<&Details>) -> FileTable<'_> {
    let rows = details.iter().flat_map(|details| &details.families).map(|family| -> Vec<Field<'_>> {
        let [share, low, high] = [family.share, family.low, family.high].map(Field::from);
        vec![family.name.as_str().into(), family.features.into(), share, low, high]
    });
    table("families.csv", &["family", "features", "share", "low", "high"], rows.collect())
}

fn ablation(report: &Report) -> FileTable<'_> {
    let columns = ["features", "accuracy", "difference", "low", "high", "p", "log_loss_difference"];
    let rows = report.ablation.iter().map(|row| -> Vec<Field<'_>> {
        let Comparison { difference, low, high, p_value } = row.against_ensemble;
        let numbers = [row.accuracy, difference, low, high, p_value, row.log_loss_difference];
        std::iter::once(row.name.as_str().into()).chain(numbers.map(Field::from)).collect()
    });
    table("ablation.csv", &columns, rows.collect())
}

fn learning_curve(report: &Report) -> FileTable<'_> {
    let row = |point: &super::CurveRow| {
        [point.share, point.groups, point.accuracy, point.low, point.high].map(Field::from).into()
    };
    let columns = ["share", "references", "accuracy", "low", "high"];
    table("learning_curve.csv", &columns, report.learning_curve.iter().map(row).collect())
}

/// The pairs in the format that `train` and `compare` read, with the first system's verdicts and probabilities.
fn pairs(details: Option<&Details>) -> FileTable<'_> {
    let most = |details: &Details| details.all_pairs.rows.iter().map(|row| row.texts.len()).max();
    let references = details.and_then(most).unwrap_or(3).saturating_sub(2).max(1);
    let further = (2..=references).map(|number| format!("ref{number}").into());
    let columns: Vec<Cow<'static, str>> = ["file", "line", "id", "hyp1", "hyp2", "ref"].map(Cow::from).into();
    let said = ["label", "verdict", "p1", "p0", "p-1"].map(Cow::from);
    let rows = details.iter().flat_map(|details| {
        let text = |&at: &usize| Field::from(details.all_pairs.texts[at].as_str());
        details.all_pairs.rows.iter().map(move |row| -> Vec<Field<'_>> {
            let mut fields = vec![row.file.as_deref().into(), row.line.into(), row.id.as_deref().into()];
            fields.extend(row.texts.iter().map(text));
            fields.resize(5 + references, Field::Empty);
            fields.extend([row.people.into(), row.verdict.into()]);
            fields.extend(row.probabilities.0.map(Field::from));
            fields
        })
    });
    let rows = rows.collect();
    FileTable { name: "pairs.csv", columns: columns.into_iter().chain(further).chain(said).collect(), rows }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::evaluation::Confusion;
    use crate::judgments::grouping::Groups;
    use crate::report::{BASELINE, ReportSettings, Role, Subject, System};
    use Verdict::{First, Second, Tie};

    fn report() -> Report {
        let people = [First, Second, Tie, First];
        let systems = [
            System::of_verdicts("ensemble", people.into()),
            System::of_verdicts(BASELINE, vec![First; 4]).in_role(Role::Baseline),
        ];
        let settings = ReportSettings { matrix: true, ..ReportSettings::new(Subject::OutOfFold(2), 1) };
        Report::of(&people, &Groups { of_pair: vec![0, 1, 2, 3], count: 4 }, &systems, settings)
    }

    #[test]
    fn every_file_has_a_name_and_every_row_a_field_a_column() {
        let report = report();
        let texts = texts(&report).unwrap();
        let tables = tables(&report);
        let written: Vec<&str> =
            texts.iter().map(|(name, _)| name.as_str()).chain(tables.iter().map(|table| table.name)).collect();
        let names: Vec<String> = names().collect();
        assert!(written.iter().all(|name| names.iter().any(|known| known == name)), "{written:?}");
        assert!(TEXTS.iter().chain(&TABLES).all(|name| written.contains(name)), "{written:?}");
        for FileTable { name, columns, rows } in tables {
            assert!(rows.iter().all(|row| row.len() == columns.len()), "{name}");
        }
    }

    #[test]
    fn a_matrix_and_a_confusion_are_long() {
        let report = report();
        let matrix = matrix(&report);
        let p = report.matrix.as_ref().unwrap().p_values[1][0];
        assert_eq!(matrix.rows[1], [BASELINE.into(), "ensemble".into(), (-0.5).into(), p.into()]);
        let confusion = confusion(&report);
        assert_eq!(confusion.rows[9], [BASELINE.into(), First.into(), First.into(), Field::Count(2)]);
        let counts = report.systems.iter().map(|row| &row.confusion).map(Confusion::total).sum::<usize>();
        assert_eq!(counts, 8);
    }
}
