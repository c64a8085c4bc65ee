//! Pages of a made-up report, with texts that could break a page.

use serde_json::Value;

use super::{json_in_page, page, summary};
use crate::evaluation::Comparison;
use crate::evaluation::Groups;
use crate::judgments::{Pair, Probabilities, Verdict};
use crate::learners::logistic::FamilyShare;
use crate::report::details::{DataFile, FamilyRange, MetricSignature, ModelOrigin, Provenance};
use crate::report::explanation::{
    AlignedTexts, Explanation, FamilyContribution, FeatureContribution, MeaningMatch, MetricValues, Piece, PieceKind,
};
use crate::report::judged_pairs::JudgedPairs;
use crate::report::{
    AblationRow, BASELINE, BEST_METRIC, Breakdown, Chart, CurveRow, MAJORITY, Part, Report, ReportSettings, Role,
    Section, Subject, System, Terminal, View, data, latex, sections, text,
};

/// A text that tries to inject markup.
const SCRIPT: &str = "<script>alert('planted')</script></textarea>";

/// The number of pairs.
const PAIRS: usize = 120;

fn verdict(number: usize) -> Verdict {
    Verdict::ALL[number % 3]
}

fn texts() -> Vec<String> {
    let nasty = [SCRIPT, "שלום עולם, \u{202e}override", "👩‍👩‍👧 family", "nul \0 and \u{1b}[31m"];
    let ordinary = (0..30).map(|at| format!("The minister did not resign on day {at}{}.", " again".repeat(at % 6)));
    nasty.map(str::to_owned).into_iter().chain(["w".repeat(3000)]).chain(ordinary).collect()
}

fn piece(text: &str, kind: PieceKind, matched: Option<usize>) -> Piece {
    Piece { text: text.to_owned(), kind, matched, is_moved: matched == Some(2) }
}

fn aligned(last: &str) -> AlignedTexts {
    let between = || piece(" ", PieceKind::Between, None);
    let in_hypothesis = vec![
        piece("The", PieceKind::Exact, Some(0)),
        between(),
        piece("ministers", PieceKind::Stem, Some(1)),
        between(),
        piece("quit", PieceKind::Synonym, Some(2)),
        between(),
        piece("all of a sudden", PieceKind::Paraphrase, Some(3)),
        between(),
        piece(last, PieceKind::Unmatched, None),
    ];
    let in_reference =
        vec![piece("The", PieceKind::Exact, Some(0)), between(), piece("minister", PieceKind::Stem, Some(1))];
    AlignedTexts { reference: 0, in_hypothesis, in_reference, chunks: 3 }
}

/// An explanation of a made-up pair.
fn explanation() -> Explanation {
    let feature = |name: &str, contribution: f64| FeatureContribution {
        name: name.to_owned(),
        values: [0.25, 0.5],
        contribution,
        is_clipped: contribution > 0.5,
    };
    let family = |name: &str, contribution: f64| FamilyContribution {
        name: name.to_owned(),
        contribution,
        features: vec![feature(&format!("{name}.p1"), contribution)],
    };
    Explanation {
        file: None,
        line: Some(17),
        id: Some("a<b".to_owned()),
        hypotheses: ["The ministers quit all of a sudden now".to_owned(), SCRIPT.to_owned()],
        references: vec!["The minister".to_owned()],
        verdict: Verdict::First,
        people: Some(Verdict::Second),
        label_of: crate::judgments::LabelSource::People,
        probabilities: Probabilities::softmax(1.0, -1.0, -0.5),
        tie_factor: 1.0,
        ties: None,
        logits: [1.0, -1.0, -0.5],
        preference: 0.75,
        decided: 0.25,
        tie: -1.0,
        scores: [0.5, -0.3],
        clipping: -0.05,
        families: vec![family("meteor-all", 0.8), family("chrf", -0.3), family("words", 0.25)],
        metrics: vec![
            MetricValues { name: "bleu".to_owned(), values: [31.25, 0.0], lower_is_better: false },
            MetricValues { name: "ter".to_owned(), values: [50.0, 75.0], lower_is_better: true },
        ],
        alignments: Some([aligned("now"), aligned(SCRIPT)]),
        meanings: vec![MeaningMatch {
            hypothesis: 1,
            word: SCRIPT.to_owned(),
            closest: SCRIPT.to_owned(),
            similarity: 0.5,
        }],
    }
}

/// The origin of the report, with names that could break a page.
fn provenance() -> Provenance {
    Provenance {
        version: "0.1.0".to_owned(),
        command: format!("tribunal train 'a {SCRIPT}.csv'"),
        seed: 1,
        models: vec![ModelOrigin { name: "m".into(), checksum: "00ff".into(), data: "a".into() }],
        data: vec![DataFile { name: format!("{SCRIPT}.csv"), bytes: Some(17), sha256: Some("ab".repeat(32)) }],
        accounts: vec!["17 rows were left out".to_owned()],
        signatures: vec![MetricSignature { name: "bleu".into(), signature: "nrefs:1|case:mixed".into() }],
        notes: vec![format!("warning: {SCRIPT}")],
    }
}

/// A report with contents in every section.
fn report() -> Report {
    let labels: Vec<Verdict> = (0..PAIRS).map(verdict).collect();
    let groups = Groups { of_row: (0..PAIRS).map(|at| at / 4).collect(), count: PAIRS / 4 };
    let system = |name: &str, every: usize, role: Role| {
        let verdicts = (0..PAIRS).map(|at| verdict(if at % every == 0 { at } else { at + 1 })).collect();
        System::of_verdicts(name, verdicts).in_role(role)
    };
    let judged = (0..PAIRS).map(|at| verdict(if at % 5 == 0 { at + 1 } else { at })).collect();
    let given = (0..PAIRS).map(|at| Probabilities::softmax(at as f64 / 60.0, 0.0, 1.0)).collect();
    let systems = [
        System::of_probabilities("ensemble", judged, given),
        system(BASELINE, 3, Role::Baseline),
        system(MAJORITY, 4, Role::Majority),
        system(BEST_METRIC, 2, Role::BestMetric),
        system("bleu", 5, Role::Metric),
        system(SCRIPT, 6, Role::Metric),
    ];
    let settings = ReportSettings { matrix: true, ..ReportSettings::new(Subject::OutOfFold(10), 1) };
    let mut report = Report::new(&labels, &groups, &systems, settings).with_gain(0.02, 100);
    let point =
        |(share, groups): (f64, f64)| CurveRow { share, groups, accuracy: 0.5 + 0.1 * share, low: 0.4, high: 0.7 };
    report.learning_curve = [(0.125, 4.0), (0.25, 8.0), (0.5, 15.0), (1.0, 30.0)].map(point).into();
    let texts = texts();
    let pair = |at: usize| {
        // Some pairs are judged several times, with the same label or with different ones.
        let question = if at % 6 < 3 { at } else { at - 3 };
        let text = |next: usize| texts[(question + next) % texts.len()].clone();
        let (id, annotators) = ((at == 3).then(|| SCRIPT.to_owned()), vec![format!("judge {at}")]);
        Pair { id, annotators, line: at + 1, ..Pair::new([text(0), text(1)], vec![text(2)]) }
    };
    let pairs: Vec<Pair> = (0..PAIRS).map(pair).collect();
    let comparison = Comparison { difference: -0.01, low: -0.02, high: -0.005, p_value: 0.01 };
    let without =
        AblationRow { name: "-bleu".into(), accuracy: 0.5, against_ensemble: comparison, log_loss_difference: 0.1 };
    report.ablation = vec![without];
    report.families = vec![FamilyShare { name: SCRIPT.into(), features: 7, share: 0.4 }];
    let files = [SCRIPT, "b"].map(|name| (name.to_owned(), Some(1.0), PAIRS / 2));
    report.breakdowns = vec![Breakdown::new("file", Part::of_files(files), &labels, &groups, &systems)];
    let pairs: Vec<&Pair> = pairs.iter().collect();
    let files = vec![(SCRIPT.to_owned(), 0..PAIRS / 2), ("b".to_owned(), PAIRS / 2..PAIRS)];
    let judged = JudgedPairs { pairs: &pairs, labels: &labels, groups: &groups, systems: &systems, files, seed: 1 };
    let family = |(name, share): (&str, f64)| FamilyRange {
        name: name.to_owned(),
        features: 7,
        share,
        low: share - 0.01,
        high: share + 0.02,
    };
    let families = [("meteor-all", 0.4), ("chrf", 0.3), ("pair", 0.02)].map(family).into();
    report.details = Some(judged.details(families, provenance(), |row| {
        let known = explanation();
        Explanation { alignments: known.alignments.filter(|_| row % 2 == 0), ..known }
    }));
    report
}

/// Checks that text is escaped, between elements and in attributes.
fn is_escaped(page: &str) {
    assert!(!page.contains(SCRIPT) && !page.contains("</textarea>"), "{page}");
    assert!(page.contains("&#60;script&#62;alert(&#39;planted&#39;)"), "{page}");
    assert!(!page.contains(['\0', '\u{1b}']));
}

#[test]
fn texts_stay_texts() {
    let report = report();
    let page = page(&report).unwrap();
    is_escaped(&page);
    is_escaped(&super::explanation(&explanation()).unwrap());
    assert!(page.contains("\\u003cscript\\u003e"), "the table of pairs");
}

#[test]
fn a_page_needs_nothing_else() {
    let page = page(&report()).unwrap();
    for outside in ["http://", "https://", "src=", "@import", "url("] {
        let found = page.matches(outside).count();
        // The XML namespace of SVG is an address, but it is never loaded.
        let names = if outside == "http://" { page.matches("http://www.w3.org/2000/svg").count() } else { 0 };
        assert_eq!(found, names, "{outside}");
    }
}

#[test]
fn a_report_without_details_is_a_page_too() {
    let report = Report { details: None, matrix: None, learning_curve: Vec::new(), ..report() };
    let page = page(&report).unwrap();
    assert!(page.contains("<h2>Accuracy</h2>") && !page.contains("<h2>Calibration</h2>"), "{page}");
}

/// A small table fills the place beside the only chart of a section; others are folded.
#[test]
fn a_small_table_is_beside_its_chart() {
    let page = page(&report()).unwrap();
    let section = |key: &str| {
        let (_, after) = page.split_once(&format!("<section id=\"{key}\">")).unwrap();
        after.split_once("</section>").unwrap().0
    };
    assert!(section("verdicts").contains("<table>") && !section("verdicts").contains("<details>"));
    assert!(section("accuracy").contains("<details>"));
}

#[test]
fn a_summary_is_a_part_of_a_page() {
    let summary = summary(&report()).unwrap();
    is_escaped(&summary);
    for part in ["<section>", "<svg", "<table>", "</section>"] {
        assert_eq!(summary.matches(part).count(), 1, "{part} in {summary}");
    }
    assert!(!summary.contains("<html") && !summary.contains("<script"), "{summary}");
}

#[test]
fn every_section_is_in_text_page_and_data() {
    let report = report();
    let (page, text) = (page(&report).unwrap(), text::render(&report, Terminal::default()));
    let json: Value = serde_json::from_str(&data::json(&report, &sections::of_report(&report)).unwrap()).unwrap();
    let sections = sections::of_report(&report);
    let (latex, in_json) = (latex::tables(&sections), json["sections"].as_array().unwrap());
    assert_eq!((in_json.len(), &json["rows"]), (sections.len(), &PAIRS.into()));
    for (section, in_json) in sections.iter().zip(in_json) {
        let Section { key, title, answer, tables, .. } = section;
        let advice = section.advice.as_deref().unwrap_or_else(|| panic!("{key} has no advice"));
        let (_, on_page) = page.split_once(&format!("<section id=\"{key}\">\n<h2>{title}</h2>")).unwrap();
        let on_page = on_page.split_once("</section>").unwrap().0;
        assert_eq!((&in_json["key"], &in_json["advice"]), (&Value::from(*key), &Value::from(advice)));
        assert!(on_page.trim_end().ends_with(&format!("<p class=\"advice\">{}</p>", html(advice))), "{key}: {on_page}");
        for sentence in answer {
            assert!(text.contains(&sentence.replace(SCRIPT, "")) || sentence.contains(SCRIPT), "{sentence}");
            assert!(on_page.contains(&html(sentence)), "{sentence}");
        }
        for table in tables.iter().filter(|table| !table.rows.is_empty()) {
            let columns = in_json["tables"][table.key].as_object().unwrap_or_else(|| panic!("{}", table.key));
            assert!(
                columns.values().all(|column| column.as_array().unwrap().len() == table.rows.len()),
                "{}",
                table.key
            );
            assert_eq!(columns.len(), table.names().len(), "the names of the columns of {}", table.key);
            let csv = String::from_utf8(data::csv(table)).unwrap();
            assert!(csv.lines().count() > table.rows.len(), "{}", table.key);
            assert!(on_page.contains(&format!("aria-label=\"{}\"", html(&table.caption))), "{}", table.caption);
            assert!(latex.contains(&format!("\\label{{tab:{}}}", table.key)), "{}", table.key);
        }
        for chart in section.charts.iter().filter(|chart| chart.has_data()) {
            assert!(on_page.contains(&format!("<figure id=\"figure-{}\"", chart.name)), "{}", chart.name);
        }
    }
}

/// As templates escape it.
fn html(text: &str) -> String {
    let escaped = text.replace('&', "&#38;").replace('<', "&#60;").replace('>', "&#62;");
    escaped.replace('"', "&#34;").replace('\'', "&#39;")
}

#[test]
fn tables_and_charts_have_names_of_their_own_with_and_without_data() {
    let names = |report: &Report| -> Vec<String> {
        let sections = sections::of_report(report);
        let tables = sections.iter().flat_map(|section| &section.tables).map(|table| format!("{}.csv", table.key));
        let charts = sections.iter().flat_map(|section| &section.charts).filter(|chart| chart.view != View::Extract);
        tables.chain(charts.map(|chart| format!("{}.svg", chart.name))).collect()
    };
    let (all, empty) = (names(&report()), names(&Report::default()));
    assert_eq!(all, empty);
    assert_eq!(all.iter().collect::<std::collections::BTreeSet<_>>().len(), all.len(), "{all:?}");
}

#[test]
fn charts_stand_alone() {
    let report = report();
    let sections = sections::of_report(&report);
    let charts: Vec<&Chart> =
        sections.iter().flat_map(|section| &section.charts).filter(|chart| chart.has_data()).collect();
    assert!(charts.len() >= 10, "{}", charts.len());
    for svg in charts.into_iter().map(|chart| chart.alone().unwrap()) {
        assert!(svg.starts_with("<svg ") && svg.trim_end().ends_with("</svg>"), "{}", svg);
        assert!(!svg.contains("NaN") && !svg.contains("inf"), "{}", svg);
        // A renderer without CSS would fill everything in black.
        assert!(!svg.contains("var(") && !svg.contains("<style") && !svg.contains("<script>"), "{}", svg);
        for line in svg.lines().filter(|line| line.contains(" class=\"") && !line.starts_with("<svg ")) {
            assert!(line.contains(" fill=\"") || line.contains(" stroke=\""), "{line}");
        }
    }
}

#[test]
fn no_heading_is_repeated_by_a_caption() {
    let page = page(&report()).unwrap();
    for section in page.split("<h2>").skip(1) {
        let heading = section.split("</h2>").next().unwrap();
        for caption in [format!("<figcaption>{heading}<"), format!("<caption>{heading}<")] {
            assert!(!section.contains(&caption), "{heading}");
        }
    }
}

#[test]
fn json_ends_no_element() {
    let inside = json_in_page("[\"</script><!-- & -->\"]");
    assert!(!inside.contains(['<', '>', '&']), "{inside}");
    assert_eq!(serde_json::from_str::<Vec<String>>(&inside).unwrap(), ["</script><!-- & -->"]);
}
