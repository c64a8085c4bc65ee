//! Self-contained HTML pages of reports and explanations.
//!
//! Templates are checked at compile time and escape their values. A page loads nothing from the network, and its
//! content security policy forbids it, so any content of texts is shown as text.

mod annotate;
mod explained;
#[cfg(test)]
mod tests;

use std::cell::Cell;

use askama::Template;
use serde::Serialize;

use super::chart::{self, Chart, View};
use super::details::{PairRow, PairRows};
use super::outputs::OutputReport;
use super::ranking::Ranking;
use super::section::Section;
use super::table::Table;
use super::template::{not_rendered, rendered, visible};
use super::{Explanation, Report, Terminal, sections, text};
use crate::error::{Result, pluralized};
use crate::judgments::LabelSource;
pub use annotate::{AnnotationItem, AnnotationPage, AnnotationRow, AnnotationTask, RatingScale, annotation};
use explained::Explained;
pub use explained::explanation;

/// A page: what it answers, and sections.
#[derive(Template)]
#[template(path = "page.html")]
struct Page<'r> {
    title: String,
    answer: Vec<String>,
    sections: Vec<Section<'r>>,
    labels_of: LabelSource,
    /// How many pairs were explained, which numbers them.
    explained: Cell<usize>,
}

/// The template of a report in a notebook.
#[derive(Template)]
#[template(path = "summary.html")]
struct Summary<'r> {
    title: String,
    answer: String,
    chart: String,
    systems: Table<'r>,
    notes: Vec<String>,
}

/// The whole report as a page.
///
/// # Errors
/// A template cannot be rendered.
pub fn page(report: &Report) -> Result<String> {
    let answer = text::render_answer(report, Terminal::default());
    let answer = answer.lines().map(str::to_owned).collect();
    rendered(&Page::new(title(report), answer, sections::of_report(report), report.labels_of.clone()))
}

/// The ranking as a page; `data` is the name of the file of pairs.
///
/// # Errors
/// A template cannot be rendered.
pub fn ranking(ranking: &Ranking, data: &str) -> Result<String> {
    let data = if data == "-" { "standard input" } else { data };
    let title = format!("Which system is better on {data}, by {}?", ranking.by);
    let warnings = ranking.warnings.iter().map(|warning| format!("Warning: {warning}"));
    let answer = warnings.chain(ranking.findings()).collect();
    rendered(&Page::new(title, answer, sections::of_ranking(ranking), LabelSource::People))
}

impl OutputReport {
    /// The report as a page.
    ///
    /// # Errors
    /// A template cannot be rendered.
    pub fn to_page(&self) -> Result<String> {
        let title = format!("How well does {} agree with human labels on {}?", self.subject, self.name);
        of_sections(title, self.findings(), self.sections(), LabelSource::People)
    }
}

/// Any other report as a page, of its answer and sections.
///
/// # Errors
/// A template cannot be rendered.
pub(super) fn of_sections(
    title: String,
    answer: Vec<String>,
    sections: Vec<Section<'_>>,
    labels_of: LabelSource,
) -> Result<String> {
    rendered(&Page::new(title, answer, sections, labels_of))
}

/// The answer with the chart and table of accuracies, for embedding in another page such as a notebook.
///
/// # Errors
/// A template cannot be rendered.
pub fn summary(report: &Report) -> Result<String> {
    let section = sections::accuracy(report);
    rendered(&Summary {
        title: title(report),
        answer: text::render_answer(report, Terminal::default()),
        chart: chart::accuracy("accuracy", report, &report.order()).alone()?,
        systems: sections::systems(report),
        notes: section.notes,
    })
}

/// Plain data as the JSON that a page's script reads.
fn data_in_page(data: &impl Serialize) -> Result<String> {
    serde_json::to_string(data).map(|json| json_in_page(&json)).map_err(|error| not_rendered(&error))
}

/// The question that the report answers, with its data.
fn title(report: &Report) -> String {
    let name = report.subject_row().map(|row| row.name.as_str()).unwrap_or_default();
    let read = report.details.iter().flat_map(|details| &details.provenance.data).map(|file| file.name.as_str());
    let names: Vec<&str> = match report.breakdowns.iter().find(|breakdown| breakdown.by == super::studies::FILE) {
        // Answers follow the pairs that they belong to.
        None => read.take(1).collect(),
        Some(files) => files.parts.iter().map(|file| file.name.as_str()).collect(),
    };
    let data = match names.as_slice() {
        [] => String::new(),
        ["-"] => " on standard input".to_owned(),
        [one] => format!(" on {one}"),
        [first, others @ ..] => format!(" on {first} and {}", pluralized(others.len(), "other file")),
    };
    format!("How often does {name} agree with {}{data}?", report.labels_of.labels())
}

impl<'r> Page<'r> {
    fn new(title: String, answer: Vec<String>, mut sections: Vec<Section<'r>>, labels_of: LabelSource) -> Self {
        sections.retain(Section::is_on_page);
        Self { title, answer, sections, labels_of, explained: Cell::new(0) }
    }

    /// A pair as HTML.
    fn explain(&self, pair: &Explanation) -> askama::Result<String> {
        self.explained.set(self.explained.get() + 1);
        Explained::new(pair, self.explained.get()).render()
    }

    /// Pairs as the page's script reads them.
    fn data_of(&self, pairs: &PairRows) -> askama::Result<String> {
        pairs_in_page(pairs).map_err(askama::Error::custom)
    }

    /// Whether words and pairs need the scripts.
    fn has_pairs(&self) -> bool {
        self.sections.iter().any(Section::has_pairs)
    }
}

/// The largest table that stands beside a chart.
const MAX_COLUMNS_BESIDE: usize = 7;
const MAX_ROWS_BESIDE: usize = 8;

impl Section<'_> {
    /// The charts with data that are shown at once, or on request.
    fn charts_on_page(&self, is_folded: bool) -> impl Iterator<Item = Chart> {
        let charts = self.charts.iter().filter(move |chart| (chart.view == View::Folded) == is_folded);
        charts.filter(|chart| chart.has_data()).map(|chart| chart.under(&self.title))
    }

    /// The tables with rows.
    fn tables_on_page(&self) -> impl Iterator<Item = &Table<'_>> {
        self.tables.iter().filter(|table| !table.rows.is_empty())
    }

    /// Whether the only table fits beside the only chart.
    fn is_table_beside_chart(&self) -> bool {
        let mut tables = self.tables_on_page();
        let fits = |table: &Table<'_>| table.columns.len() <= MAX_COLUMNS_BESIDE && table.rows.len() <= MAX_ROWS_BESIDE;
        self.charts_on_page(false).count() == 1
            && self.charts_on_page(true).next().is_none()
            && tables.next().is_some_and(fits)
            && tables.next().is_none()
    }

    /// What opens the tables, if they are folded because charts show the same.
    fn summary(&self) -> Option<&'static str> {
        let has_charts = self.charts_on_page(false).next().is_some();
        let count = self.tables_on_page().count();
        let is_long = self.charts_on_page(true).next().is_some();
        match count {
            0 => None,
            _ if !has_charts => None,
            _ if is_long => Some("All of them, and as a table"),
            1 => Some("As a table"),
            _ => Some("As tables"),
        }
    }
}

/// The pairs as the page's script reads them.
fn pairs_in_page(pairs: &PairRows) -> Result<String> {
    let optional = |text: &Option<String>| text.as_deref().map(visible);
    let row = |row: &PairRow| PairRow { file: optional(&row.file), id: optional(&row.id), ..row.clone() };
    let texts = pairs.texts.iter().map(|text| visible(text)).collect();
    data_in_page(&PairRows { of: pairs.of, texts, rows: pairs.rows.iter().map(row).collect() })
}

/// Escapes JSON for a `script` element, so that nothing in it ends the element or begins a comment.
fn json_in_page(json: &str) -> String {
    json.replace('<', "\\u003c").replace('>', "\\u003e").replace('&', "\\u0026")
}
