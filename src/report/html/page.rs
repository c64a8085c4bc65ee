//! In: a report and its charts. Out: the page.

use askama::Template;
use serde::Serialize;

use super::chart::Chart;
use super::explained::Explained;
use super::rendered;
use super::tables::{self, Table};
use super::visible::{json_in_page, visible};
use crate::report::details::{Convention, DataFile, Details, ModelOrigin, PairRow, PairRows, Provenance};
use crate::report::terminal::Terminal;
use crate::report::{Report, Subject, headline, sentences};

#[derive(Template)]
#[template(path = "page.html")]
struct Page<'r> {
    title: String,
    answer: Vec<String>,
    charts: Charts<'r>,
    systems: Table,
    verdicts: Option<Table>,
    files: Option<Table>,
    ablation: Option<Table>,
    learning_curve: Option<Table>,
    notes: Vec<String>,
    findings: Vec<String>,
    /// How ablation and learning curve were made.
    studies: Option<String>,
    details: Option<DetailsView<'r>>,
}

/// The parts that only a report with details has.
struct DetailsView<'r> {
    reliability: Table,
    breakdowns: Vec<String>,
    conventions: Table,
    rules: &'r [Convention],
    most_wrong: Vec<Explained>,
    most_right: Vec<Explained>,
    pairs: String,
    shown_pairs: String,
    provenance: Provenance,
}

/// Charts by name.
struct Charts<'r>(&'r [Chart]);

impl Charts<'_> {
    /// The chart of that name as a figure, or an empty text.
    fn get(&self, name: &str) -> String {
        self.0
            .iter()
            .find(|chart| chart.name == name)
            .map(Figure::of)
            .map(|figure| rendered(&figure))
            .unwrap_or_default()
    }

    /// All charts whose names begin with `name`, as figures.
    fn starting(&self, name: &str) -> String {
        self.0.iter().filter(|chart| chart.name.starts_with(name)).map(|chart| rendered(&Figure::of(chart))).collect()
    }
}

/// A chart with its caption.
#[derive(Template)]
#[template(
    source = "<figure id=\"figure-{{ name }}\"><figcaption>{{ title }}</figcaption>{{ svg|safe }}</figure>",
    ext = "html"
)]
struct Figure {
    name: &'static str,
    title: String,
    svg: String,
}

impl Figure {
    fn of(chart: &Chart) -> Self {
        Self { name: chart.name, title: chart.title.clone(), svg: chart.inside() }
    }
}

/// The pairs as the page's script reads them: [`PairRows`] with fewer digits.
#[derive(Serialize)]
struct PairsInPage<'r> {
    texts: Vec<String>,
    rows: Vec<PairInPage<'r>>,
}

#[derive(Serialize)]
struct PairInPage<'r> {
    #[serde(skip_serializing_if = "Option::is_none")]
    file: Option<String>,
    line: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    id: Option<String>,
    texts: &'r [usize],
    people: i8,
    verdict: i8,
    probabilities: [f64; 3],
}

impl<'r> PairInPage<'r> {
    fn of(row: &'r PairRow) -> Self {
        Self {
            file: row.file.as_deref().map(visible),
            line: row.line,
            id: row.id.as_deref().map(visible),
            texts: &row.texts,
            people: row.people.sign(),
            verdict: row.verdict.sign(),
            probabilities: row.probabilities.0.map(|share| (share * 1e4).round() / 1e4),
        }
    }
}

/// The template of a report in a notebook.
#[derive(Template)]
#[template(path = "summary.html")]
struct Summary {
    title: String,
    answer: Vec<String>,
    chart: String,
    systems: Table,
    notes: Vec<String>,
}

/// A short form of a report, as a part of another page.
pub(super) fn summary(report: &Report, accuracy: &Chart) -> String {
    rendered(&Summary {
        title: title(report),
        answer: lines(headline::lines(report, Terminal::default())),
        chart: accuracy.alone(),
        systems: tables::systems(report),
        notes: sentences::notes(report).iter().map(|note| visible(note)).collect(),
    })
}

/// The non-empty lines of a text.
fn lines(text: String) -> Vec<String> {
    text.lines().filter(|line| !line.is_empty()).map(visible).collect()
}

/// The page of a report.
pub(super) fn render(report: &Report, charts: &[Chart]) -> String {
    rendered(&Page {
        title: title(report),
        answer: lines(headline::lines(report, Terminal::default())),
        charts: Charts(charts),
        systems: tables::systems(report),
        verdicts: report.systems.first().map(tables::verdicts),
        files: tables::files(report),
        ablation: tables::ablation(report),
        learning_curve: tables::learning_curve(report),
        notes: sentences::notes(report).iter().map(|note| visible(note)).collect(),
        findings: lines(sentences::findings(report, None)),
        studies: report.details.as_ref().and_then(|details| Some(details.studies.as_ref()?.about.clone())),
        details: report.details.as_ref().map(|details| DetailsView::new(details, report)),
    })
}

fn title(report: &Report) -> String {
    let names = report.systems.first().map(|row| visible(&row.name)).unwrap_or_default();
    match report.subject {
        Subject::OutOfFold(folds) => format!("{names}: accuracy cross-validated in {folds} folds"),
        Subject::Models | Subject::Verdicts { .. } => format!("{names}: agreement with people"),
    }
}

impl<'r> DetailsView<'r> {
    fn new(details: &'r Details, report: &Report) -> Self {
        let PairRows { of, texts, rows } = &details.pairs;
        let texts = texts.iter().map(|text| visible(text)).collect();
        let pairs = PairsInPage { texts, rows: rows.iter().map(PairInPage::of).collect() };
        // Serialising plain data cannot fail.
        let pairs = json_in_page(&serde_json::to_string(&pairs).unwrap_or_default());
        let shown = rows.len();
        let shown_pairs = if shown == *of {
            format!("All {of} pairs.")
        } else {
            format!("{shown} of {of} pairs, whole references drawn with the seed; pairs.csv has all.")
        };
        let numbered = |pairs: &[crate::report::Explanation], from: usize| {
            pairs.iter().zip(from..).map(|(pair, number)| Explained::new(pair, number)).collect::<Vec<_>>()
        };
        Self {
            reliability: tables::reliability(details),
            breakdowns: details.breakdowns.iter().map(|of| format!("By {}: {}.", of.property, of.meaning)).collect(),
            conventions: tables::conventions(details, report),
            rules: &details.conventions.conventions,
            most_right: numbered(&details.most_right, 1 + details.most_wrong.len()),
            most_wrong: numbered(&details.most_wrong, 1),
            pairs,
            shown_pairs,
            provenance: seen(&details.provenance),
        }
    }
}

/// The name of a file, or "standard input".
fn source(name: &str) -> String {
    if name == "-" { "standard input".to_owned() } else { visible(name) }
}

/// The provenance with control characters made visible.
fn seen(provenance: &Provenance) -> Provenance {
    let Provenance { version, command, seed, models, data, accounts, signatures, notes } = provenance.clone();
    let all = |texts: Vec<String>| texts.iter().map(|text| visible(text)).collect();
    Provenance {
        version,
        command: visible(&command),
        seed,
        models: models
            .into_iter()
            .map(|model| ModelOrigin { name: visible(&model.name), data: visible(&model.data), ..model })
            .collect(),
        data: data.into_iter().map(|file| DataFile { name: source(&file.name), ..file }).collect(),
        accounts: all(accounts),
        signatures,
        notes: all(notes),
    }
}
