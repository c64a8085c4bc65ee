//! The page of a report, and its short form for notebooks.

use askama::Template;

use super::chart::Chart;
use super::explained::Explained;
use super::rendered;
use super::visible::{json_in_page, visible};
use crate::report::details::{AblationSample, Details, PairRow, PairRows};
use crate::report::table::{Table, percent};
use crate::report::terminal::Terminal;
use crate::report::{Explanation, Report, Subject, sections, text};

#[derive(Template)]
#[template(path = "page.html")]
struct Page<'r> {
    title: String,
    answer: String,
    charts: Charts<'r>,
    systems: Table<'r>,
    verdicts: Option<Table<'r>>,
    files: Option<Table<'r>>,
    ablation: Option<Table<'r>>,
    ablation_sample: Option<String>,
    learning_curve: Option<Table<'r>>,
    notes: Vec<String>,
    findings: Vec<String>,
    details: Option<DetailsView<'r>>,
}

/// The parts that only a report with details has.
struct DetailsView<'r> {
    details: &'r Details,
    reliability: Table<'r>,
    conventions: Table<'r>,
    most_wrong: Vec<Explained<'r>>,
    most_right: Vec<Explained<'r>>,
    pairs: String,
}

/// Charts by name.
struct Charts<'r>(&'r [Chart]);

impl Charts<'_> {
    /// All charts whose names begin with `name`, as figures.
    fn get(&self, name: &str) -> String {
        self.0.iter().filter(|chart| chart.name.starts_with(name)).map(|chart| rendered(&Figure { chart })).collect()
    }
}

/// A chart with its caption.
#[derive(Template)]
#[template(
    source = "<figure id=\"figure-{{ chart.name }}\"><figcaption>{{ chart.title }}</figcaption>{{ chart.inside()|safe }}</figure>",
    ext = "html"
)]
struct Figure<'c> {
    chart: &'c Chart,
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

/// A short form of a report, as a part of another page.
pub(super) fn summary(report: &Report, accuracy: &Chart) -> String {
    rendered(&Summary {
        title: title(report),
        answer: text::render_answer(report, Terminal::default()),
        chart: accuracy.alone(),
        systems: systems(report),
        notes: text::notes(report),
    })
}

/// A table that has rows.
fn filled(table: Table<'_>) -> Option<Table<'_>> {
    Some(table).filter(|table| !table.rows.is_empty())
}

/// The page of a report.
pub(super) fn render(report: &Report, charts: &[Chart]) -> String {
    rendered(&Page {
        title: title(report),
        answer: text::render_answer(report, Terminal::default()),
        charts: Charts(charts),
        systems: systems(report),
        verdicts: report.systems.first().map(sections::confusion),
        files: filled(sections::files(&report.files)),
        ablation: filled(sections::ablation(&report.ablation)),
        ablation_sample: report.details.as_ref().and_then(|details| details.ablation_sample).map(about_sample),
        learning_curve: filled(sections::learning_curve(&report.learning_curve)),
        notes: text::notes(report),
        findings: text::findings(report),
        details: report.details.as_ref().map(|details| DetailsView::new(details, report)),
    })
}

fn about_sample(AblationSample { pairs, folds, accuracy }: AblationSample) -> String {
    format!(
        "The ablation is a {folds}-fold cross-validation on a sample of {pairs} pairs, where the ensemble reaches {}; request \
         the ablation for one on all pairs and folds.",
        percent(accuracy)
    )
}

fn systems(report: &Report) -> Table<'_> {
    sections::accuracy(report, text::order(report).into_iter().map(|at| &report.systems[at]))
}

fn title(report: &Report) -> String {
    let name = report.systems.first().map(|row| row.name.as_str()).unwrap_or_default();
    match report.subject {
        Subject::OutOfFold(folds) => format!("{name}: accuracy cross-validated in {folds} folds"),
        Subject::Models | Subject::Verdicts { .. } => format!("{name}: agreement with people"),
    }
}

impl<'r> DetailsView<'r> {
    fn new(details: &'r Details, report: &'r Report) -> Self {
        let numbered = |pairs: &'r [Explanation], from: usize| {
            pairs.iter().zip(from..).map(|(pair, number)| Explained::new(pair, number)).collect::<Vec<_>>()
        };
        Self {
            details,
            reliability: sections::reliability(Some(details)),
            conventions: sections::conventions(report),
            most_wrong: numbered(&details.most_wrong, 1),
            most_right: numbered(&details.most_right, 1 + details.most_wrong.len()),
            pairs: pairs_in_page(&details.pairs),
        }
    }
}

/// The pairs as the page's script reads them.
fn pairs_in_page(pairs: &PairRows) -> String {
    let optional = |text: &Option<String>| text.as_deref().map(visible);
    let row = |row: &PairRow| PairRow { file: optional(&row.file), id: optional(&row.id), ..row.clone() };
    let texts = pairs.texts.iter().map(|text| visible(text)).collect();
    let pairs = PairRows { of: pairs.of, texts, rows: pairs.rows.iter().map(row).collect() };
    // Serialising plain data cannot fail.
    json_in_page(&serde_json::to_string(&pairs).unwrap_or_default())
}
