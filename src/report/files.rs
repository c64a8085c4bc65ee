//! The files of a report folder: the page, the report as JSON, charts, and a CSV table for each section.

use super::table::Table;
use super::{Report, html, sections};
use crate::error::{Error, Result};

const TEXTS: [&str; 2] = ["report.html", "report.json"];

/// The table of a section.
type Section = for<'r> fn(&'r Report) -> Table<'r>;

const TABLES: [(&str, Section); 10] = [
    ("accuracy.csv", |report| sections::accuracy(report, report.systems.iter())),
    ("matrix.csv", |report| sections::comparisons(report.matrix.as_ref())),
    ("confusion.csv", sections::verdicts),
    ("reliability.csv", |report| sections::reliability(report.details.as_ref())),
    ("breakdowns.csv", |report| sections::breakdowns(report.details.as_ref())),
    ("conventions.csv", sections::conventions),
    ("families.csv", sections::families),
    ("ablation.csv", |report| sections::ablation(&report.ablation)),
    ("learning_curve.csv", |report| sections::learning_curve(&report.learning_curve)),
    ("pairs.csv", |report| sections::pairs(report.details.as_ref())),
];

/// The names of all possible files, the page first. A chart without data has no file.
pub fn names() -> impl Iterator<Item = String> {
    let tables = TABLES.iter().map(|(name, _)| *name);
    let charts = html::CHARTS.iter().map(|name| format!("{name}.svg"));
    TEXTS.into_iter().chain(tables).map(str::to_owned).chain(charts)
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

/// The tables of the folder, each with its file name. A table without data has only its header, so that it overwrites
/// one left by another report.
pub fn tables(report: &Report) -> impl Iterator<Item = (&'static str, Table<'_>)> {
    TABLES.iter().map(|&(name, section)| (name, section(report)))
}
