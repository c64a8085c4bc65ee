//! Pages of a made-up report, with texts that could break a page.

use super::{charts, json_in_page, page, summary, visible};
use crate::evaluation::{Interval, PartAccuracy};
use crate::judgments::grouping::Groups;
use crate::judgments::{Probabilities, Verdict};
use crate::report::details::{
    AblationSample, Breakdown, BreakdownBin, Convention, ConventionRow, Conventions, DataFile, Details, FamilyRange,
    MetricSignature, ModelOrigin, PairRow, PairRows, Provenance, ReliabilityBin,
};
use crate::report::explanation::{
    AlignedTexts, Explanation, FamilyContribution, FeatureContribution, MetricValues, Piece, PieceKind,
};
use crate::report::{BASELINE, BEST_METRIC, CurveRow, MAJORITY, Report, ReportSettings, Role, Subject, System};

/// A text that tries to inject markup.
const SCRIPT: &str = "<script>alert('planted')</script></textarea>";

/// The number of pairs.
const PAIRS: usize = 120;

fn verdict(number: usize) -> Verdict {
    Verdict::ALL[number % 3]
}

fn texts() -> Vec<String> {
    let nasty = [SCRIPT, "שלום עולם, \u{202e}override", "👩‍👩‍👧 family", "nul \0 and \u{1b}[31m"];
    let ordinary = (0..30).map(|at| format!("The minister did not resign on day {at}."));
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
    }
}

fn details(people: &[Verdict], judged: &[Verdict]) -> Details {
    let bin = |from: f64, pairs: usize| ReliabilityBin {
        from,
        to: from + 0.1,
        pairs,
        confidence: from + 0.05,
        accuracy: from + 0.02,
        low: from - 0.05,
        high: from + 0.09,
    };
    let accuracy =
        |accuracy: f64| PartAccuracy { accuracy, interval: Interval { low: accuracy - 0.04, high: accuracy + 0.05 } };
    let of_bin = |(values, pairs, reached): (&str, usize, f64)| BreakdownBin {
        values: values.to_owned(),
        pairs,
        accuracies: [0.0, -0.05, -0.03].map(|less| accuracy(reached + less)).into(),
    };
    let breakdown = |(key, property): (&'static str, &'static str)| Breakdown {
        key,
        property,
        meaning: "what is meant",
        systems: ["ensemble", BASELINE, BEST_METRIC].map(str::to_owned).into(),
        roles: [Role::Judge, Role::Baseline, Role::BestMetric].into(),
        bins: [("1 to 10", 40, 0.5), ("11 to 20", 40, 0.6), ("21 or more", 40, 0.55)].map(of_bin).into(),
    };
    let texts = texts();
    let row = |at: usize| PairRow {
        file: None,
        line: at + 1,
        id: (at == 3).then(|| SCRIPT.to_owned()),
        texts: vec![at % texts.len(), (at + 1) % texts.len(), (at + 2) % texts.len()],
        people: people[at],
        verdict: judged[at],
        probabilities: Probabilities::softmax(at as f64 / 60.0, 0.0, 1.0),
    };
    Details {
        ablation_sample: Some(AblationSample { pairs: 2, folds: 2, accuracy: 0.5 }),
        reliability: [(0.3, 10), (0.4, 40), (0.5, 50), (0.6, 20)].map(|(from, pairs)| bin(from, pairs)).into(),
        breakdowns: [
            ("certainty", "confidence of the model"),
            ("length", "length of the reference"),
            ("agreement", "agreement of people"),
        ]
        .map(breakdown)
        .into(),
        conventions: Conventions {
            conventions: vec![Convention { name: "tau_b", rule: "Ties count half.", source: "Kendall 1945" }],
            systems: vec![ConventionRow { name: "ensemble".to_owned(), values: vec![Some(0.4)] }],
        },
        families: [("meteor-all", 0.4), ("chrf", 0.3), ("pair", 0.02)]
            .map(|(name, share)| FamilyRange {
                name: name.to_owned(),
                features: 7,
                share,
                low: share - 0.01,
                high: share + 0.02,
            })
            .into(),
        most_wrong: vec![explanation()],
        most_right: vec![Explanation { alignments: None, ..explanation() }],
        all_pairs: PairRows::default(),
        pairs: PairRows { of: PAIRS, rows: (0..PAIRS).map(row).collect(), texts },
        provenance: Provenance {
            version: "0.1.0".to_owned(),
            command: format!("tribunal train 'a {SCRIPT}.csv'"),
            seed: 1,
            models: vec![ModelOrigin { name: "m".into(), checksum: "00ff".into(), data: "a".into() }],
            data: vec![DataFile { name: format!("{SCRIPT}.csv"), bytes: Some(17), sha256: Some("ab".repeat(32)) }],
            accounts: vec!["17 rows were left out".to_owned()],
            signatures: vec![MetricSignature { name: "bleu".into(), signature: "nrefs:1|case:mixed".into() }],
            notes: vec![format!("warning: {SCRIPT}")],
        },
    }
}

/// A report with almost every part filled.
fn report() -> Report {
    let people: Vec<Verdict> = (0..PAIRS).map(verdict).collect();
    let groups = Groups { of_pair: (0..PAIRS).map(|at| at / 4).collect(), count: PAIRS / 4 };
    let judged: Vec<Verdict> = (0..PAIRS).map(|at| verdict(if at % 5 == 0 { at + 1 } else { at })).collect();
    let system = |name: &str, every: usize, role: Role| {
        let verdicts = (0..PAIRS).map(|at| verdict(if at % every == 0 { at } else { at + 1 })).collect();
        System::of_verdicts(name, verdicts).in_role(role)
    };
    let systems = [
        System::of_verdicts("ensemble", judged.clone()),
        system(BASELINE, 3, Role::Baseline),
        system(MAJORITY, 4, Role::Majority),
        system(BEST_METRIC, 2, Role::BestMetric),
        system("bleu", 5, Role::Metric),
        system(SCRIPT, 6, Role::Metric),
    ];
    let settings = ReportSettings { matrix: true, ..ReportSettings::new(Subject::OutOfFold(10), 1) };
    let mut report = Report::of(&people, &groups, &systems, settings);
    let point =
        |(share, groups): (f64, f64)| CurveRow { share, groups, accuracy: 0.5 + 0.1 * share, low: 0.4, high: 0.7 };
    report.learning_curve = [(0.125, 4.0), (0.25, 8.0), (0.5, 15.0), (1.0, 30.0)].map(point).into();
    report.details = Some(details(&people, &judged));
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
    let page = page(&report);
    is_escaped(&page);
    is_escaped(&super::explanation(&explanation()));
    assert!(page.contains("\\u003cscript\\u003e"), "the table of pairs");
}

#[test]
fn a_page_needs_nothing_else() {
    let page = page(&report());
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
    let page = page(&report);
    assert!(page.contains("<h2>Accuracy</h2>") && !page.contains("<h2>Calibration</h2>"), "{page}");
}

#[test]
fn a_summary_is_a_part_of_a_page() {
    let summary = summary(&report());
    is_escaped(&summary);
    for part in ["<section>", "<svg", "<table>", "</section>"] {
        assert_eq!(summary.matches(part).count(), 1, "{part} in {summary}");
    }
    assert!(!summary.contains("<html") && !summary.contains("<script"), "{summary}");
}

#[test]
fn charts_have_names_of_their_own_and_stand_alone() {
    let charts = charts(&report());
    let names: std::collections::BTreeSet<&str> = charts.iter().map(|(name, _)| *name).collect();
    assert_eq!(names.len(), charts.len());
    assert!(charts.len() >= 9, "{names:?}");
    for (_, svg) in charts {
        assert!(svg.starts_with("<svg ") && svg.trim_end().ends_with("</svg>"), "{}", svg);
        assert!(!svg.contains("NaN") && !svg.contains("inf"), "{}", svg);
        assert!(svg.contains("<style>") && !svg.contains("<script>"), "{}", svg);
    }
}

#[test]
fn write_for_the_eye() {
    if let Ok(to) = std::env::var("PAGE_TO") {
        std::fs::write(to, page(&report())).unwrap();
    }
}

#[test]
fn what_hides_is_seen() {
    assert_eq!(visible("a\0b\u{1b}[31m\r\n\u{7f}\u{85}\u{ffff}"), "a␀b␛[31m␍ ␡\u{fffd}\u{fffd}");
    let kept = "שלום עולם \u{202e}abc 👩‍👩‍👧 <script>&amp;";
    assert_eq!(visible(kept), kept);
}

#[test]
fn json_ends_no_element() {
    let inside = json_in_page("[\"</script><!-- & -->\"]");
    assert!(!inside.contains(['<', '>', '&']), "{inside}");
    assert_eq!(serde_json::from_str::<Vec<String>>(&inside).unwrap(), ["</script><!-- & -->"]);
}
