//! Self-contained HTML pages of reports and explanations, and their charts as SVG.
//!
//! Templates are checked at compile time and escape their values. A page loads nothing from the network, and its
//! content security policy forbids it, so any content of texts is shown as text.

mod annotate;
mod chart;
mod explained;
mod ranking;
#[cfg(test)]
mod tests;

use std::fmt;

use askama::Template;
use askama::filters::{Escaper, Html};
use serde::Serialize;
use unicode_properties::{GeneralCategory, UnicodeGeneralCategory};

use super::advice::NextStep;
use super::details::{Details, PairRow, PairRows};
use super::table::Table;
use super::{Explanation, Report, Terminal, advice, people, sections, text};
use crate::error::{Error, Result, pluralized};
use crate::judgments::LabelSource;
pub use annotate::{AnnotationItem, AnnotationPage, annotation};
use chart::Chart;
use explained::Explained;
pub use explained::explanation;
pub use ranking::ranking;

/// The names of all charts; a report has those for which it has data.
pub const CHARTS: [&str; 12] = [
    "accuracy",
    "matrix",
    "confusion",
    "calibration",
    "coverage",
    "breakdown-certainty",
    "breakdown-length",
    "breakdown-agreement",
    "breakdown-file",
    "families",
    "ablation",
    "learning-curve",
];

#[derive(Template)]
#[template(path = "page.html")]
struct Page<'r> {
    title: String,
    answer: String,
    labels_of: &'r LabelSource,
    charts: &'r [Chart],
    /// The charts of the systems that matter most, if there are others.
    prominent: &'r [Chart],
    advice: Advice,
    next_steps: Vec<NextStep>,
    systems: Table<'r>,
    verdicts: Option<Table<'r>>,
    /// What the pairs of a group share.
    unit: &'static str,
    /// The system that the page is about.
    subject: &'r str,
    people: Vec<Table<'r>>,
    people_findings: Vec<String>,
    files: Option<Table<'r>>,
    ablation: Option<Table<'r>>,
    learning_curve: Option<Table<'r>>,
    notes: Vec<String>,
    comparisons: Vec<String>,
    calibration: Option<String>,
    power: Option<String>,
    human_agreement: Option<String>,
    details: Option<&'r Details>,
    reliability: Table<'r>,
    coverage: Option<Table<'r>>,
    coverage_finding: Option<String>,
    conventions: Table<'r>,
    most_wrong: Vec<Explained<'r>>,
    most_right: Vec<Explained<'r>>,
    /// The pairs as the page's script reads them.
    pairs: String,
}

/// The last sentence of each section that has one.
struct Advice {
    accuracy: Option<String>,
    verdicts: Option<String>,
    calibration: Option<String>,
    breakdowns: Option<String>,
    people: Option<String>,
    features: Option<String>,
    learning_curve: Option<String>,
    agreement: Option<String>,
    examples: Option<String>,
    pairs: Option<String>,
    next_steps: Option<String>,
}

impl Advice {
    fn of(report: &Report) -> Self {
        let (answer, details) = (report.answer.as_ref(), report.details.as_ref());
        let labels_of = &report.labels_of;
        let breakdowns = |details: &Details| Some(advice::of_breakdowns(answer?.accuracy, &details.breakdowns));
        Self {
            accuracy: answer.and_then(advice::of_accuracy),
            verdicts: answer.and_then(|answer| advice::of_verdicts(answer, labels_of)),
            calibration: details.and_then(|details| advice::of_calibration(&details.reliability, labels_of)),
            breakdowns: details.and_then(breakdowns),
            people: advice::of_people(report),
            features: advice::of_ablation(&report.ablation)
                .or_else(|| Some("Request the ablation to see which families of features help.".to_owned())),
            learning_curve: advice::of_learning_curve(&report.learning_curve, report.unit()),
            agreement: answer.map(|answer| advice::of_agreement(answer, labels_of)),
            examples: details.and_then(advice::of_examples),
            pairs: details.map(|details| advice::of_pairs(details, labels_of)),
            next_steps: answer.map(|answer| advice::of_next_steps(answer, &report.learning_curve)),
        }
    }
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
    let details = report.details.as_ref();
    let mut numbers = 1..;
    let mut explained = |pairs: fn(&Details) -> &[Explanation]| {
        let pairs = details.map(pairs).unwrap_or_default().iter();
        pairs.zip(&mut numbers).map(|(pair, number)| Explained::new(pair, number)).collect()
    };
    rendered(&Page {
        title: title(report),
        answer: text::render_answer(report, Terminal::default()),
        charts: &chart::all(report),
        prominent: &prominent(report),
        advice: Advice::of(report),
        next_steps: report.answer.as_ref().map(advice::next_steps).unwrap_or_default(),
        systems: systems(report),
        verdicts: report.subject_row().map(|row| sections::confusion(row, &report.labels_of)),
        unit: report.unit(),
        subject: report.subject_row().map(|row| row.name.as_str()).unwrap_or_default(),
        labels_of: &report.labels_of,
        people: people::tables(report).into_iter().filter(|table| !table.rows.is_empty()).collect(),
        people_findings: people::findings(report),
        files: filled(sections::files(report)),
        ablation: filled(sections::ablation(&report.ablation)),
        learning_curve: filled(sections::learning_curve(report)),
        notes: text::notes(report),
        comparisons: text::comparisons(report),
        calibration: text::calibration(report),
        power: text::power(report),
        human_agreement: text::agreement(report),
        details,
        reliability: sections::reliability(details),
        coverage: filled(sections::coverage(report)),
        coverage_finding: text::coverage(report),
        conventions: sections::conventions(report),
        most_wrong: explained(|details| &details.most_wrong),
        most_right: explained(|details| &details.most_right),
        pairs: details.map(|details| pairs_in_page(&details.pairs)).transpose()?.unwrap_or_default(),
    })
}

/// The answer with the chart and table of accuracies, for embedding in another page such as a notebook.
///
/// # Errors
/// A template cannot be rendered.
pub fn summary(report: &Report) -> Result<String> {
    rendered(&Summary {
        title: title(report),
        answer: text::render_answer(report, Terminal::default()),
        chart: chart::accuracy("accuracy", report, &text::order(report)).alone()?,
        systems: systems(report),
        notes: text::notes(report),
    })
}

/// The charts of [`page`] as separate files, in colours for white paper: each one's name and SVG.
///
/// # Errors
/// A template cannot be rendered.
pub fn charts(report: &Report) -> Result<Vec<(&'static str, String)>> {
    chart::all(report).iter().map(|chart| Ok((chart.name, chart.alone()?))).collect()
}

/// Renders a template.
fn rendered(template: &impl Template) -> Result<String> {
    template.render().map_err(|error| not_rendered(&error))
}

/// Plain data as the JSON that a page's script reads.
fn data_in_page(data: &impl Serialize) -> Result<String> {
    serde_json::to_string(data).map(|json| json_in_page(&json)).map_err(|error| not_rendered(&error))
}

fn not_rendered(error: &dyn std::error::Error) -> Error {
    Error::invalid("page", "numbers and texts", error.to_string(), "report this as a bug")
}

/// A table that has rows.
fn filled(table: Table<'_>) -> Option<Table<'_>> {
    Some(table).filter(|table| !table.rows.is_empty())
}

/// The charts of the systems that matter most, if there are others.
fn prominent(report: &Report) -> Vec<Chart> {
    let order = text::prominent(report);
    if order.len() == report.systems.len() {
        return Vec::new();
    }
    let matrix = report.matrix.as_ref().map(|matrix| chart::wins("prominent-matrix", matrix, &order));
    [chart::accuracy("prominent-accuracy", report, &order)].into_iter().chain(matrix).collect()
}

fn systems(report: &Report) -> Table<'_> {
    sections::accuracy(report, text::order(report).into_iter().map(|at| &report.systems[at]))
}

/// The question that the report answers, with its data.
fn title(report: &Report) -> String {
    let name = report.subject_row().map(|row| row.name.as_str()).unwrap_or_default();
    let read = report.details.iter().flat_map(|details| &details.provenance.data).map(|file| file.name.as_str());
    let names: Vec<&str> = match report.files.as_slice() {
        // Answers follow the pairs that they belong to.
        [] => read.take(1).collect(),
        files => files.iter().map(|file| file.name.as_str()).collect(),
    };
    let data = match names.as_slice() {
        [] => String::new(),
        ["-"] => " on standard input".to_owned(),
        [one] => format!(" on {one}"),
        [first, others @ ..] => format!(" on {first} and {}", pluralized(others.len(), "other file")),
    };
    format!("How often does {name} agree with {}{data}?", report.labels_of.labels())
}

impl Page<'_> {
    /// All charts whose names begin with `name`.
    fn named<'p>(&'p self, name: &'p str) -> impl Iterator<Item = &'p Chart> {
        self.charts.iter().filter(move |chart| chart.name.starts_with(name))
    }

    /// Whether there is such a chart.
    fn has(&self, name: &str) -> bool {
        self.named(name).next().is_some()
    }

    /// These charts as figures, in a section with that heading.
    fn figures(&self, name: &str, heading: &str) -> askama::Result<String> {
        self.named(name).map(|chart| chart.under(heading).render()).collect()
    }

    /// The charts of the systems that matter most, or of all if these are not many.
    fn first_view(&self, heading: &str) -> askama::Result<String> {
        match self.prominent {
            [] => Ok(self.figures("accuracy", heading)? + &self.figures("matrix", heading)?),
            charts => charts.iter().map(|chart| chart.under(heading).render()).collect(),
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

/// What all templates escape their values with, see `askama.toml`.
#[derive(Debug, Clone, Copy)]
struct Visible;

impl Escaper for Visible {
    fn write_escaped_str<W: fmt::Write>(&self, to: W, text: &str) -> fmt::Result {
        Html.write_escaped_str(to, &visible(text))
    }
}

/// Replaces control characters by Unicode's symbols for them, such as ␀ for NUL. Marks that change the direction of
/// writing stay, as pages isolate each text from its surroundings.
fn visible(text: &str) -> String {
    text.chars().map(symbol).collect()
}

fn symbol(character: char) -> char {
    let code = u32::from(character);
    match character {
        '\t' | '\n' => ' ',
        '\u{7f}' => '\u{2421}',
        _ if code < 0x20 => char::from_u32(0x2400 + code).unwrap_or(char::REPLACEMENT_CHARACTER),
        _ if character.general_category() == GeneralCategory::Control => char::REPLACEMENT_CHARACTER,
        // Noncharacters are not allowed in HTML.
        _ if code & 0xfffe == 0xfffe => char::REPLACEMENT_CHARACTER,
        _ => character,
    }
}

/// Escapes JSON for a `script` element, so that nothing in it ends the element or begins a comment.
fn json_in_page(json: &str) -> String {
    json.replace('<', "\\u003c").replace('>', "\\u003e").replace('&', "\\u0026")
}
