//! Pages. In: a [`Report`] with its [`details`](super::details), or an [`Explanation`]. Out: a page in HTML that needs
//! nothing but itself, and its charts as SVG. Next: a folder.
//!
//! Templates are checked when the program is built, and escape what they are given. A page asks the network for
//! nothing, and its content security policy allows nothing else: whatever texts hold is shown as text. `page` lays out
//! a report, `chart` draws, `explained` shows pairs word by word, `visible` makes seen what hides in texts.

mod chart;
mod explained;
mod page;
mod tables;
mod visible;

use super::{Explanation, Report};
use chart::Chart;

/// What charts are called. A report has those for which it has something.
pub const CHARTS: [&str; 11] = [
    "accuracy",
    "matrix",
    "confusion",
    "calibration",
    "breakdown-certainty",
    "breakdown-length",
    "breakdown-agreement",
    "breakdown-file",
    "families",
    "ablation",
    "learning-curve",
];

/// A chart as a file of its own.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ChartFile {
    /// What the file is called, without its ending.
    pub name: &'static str,
    /// SVG, in colours for white paper.
    pub svg: String,
}

/// The whole report as a page.
pub fn page(report: &Report) -> String {
    page::render(report, &chart::all(report))
}

/// The answer, the chart of accuracies and their table, as a part of another page, such as a notebook.
pub fn summary(report: &Report) -> String {
    page::summary(report, &chart::accuracy(report))
}

/// The charts of [`page`], each as a file of its own.
pub fn charts(report: &Report) -> Vec<ChartFile> {
    let file = |chart: &Chart| ChartFile { name: chart.name, svg: chart.alone() };
    chart::all(report).iter().map(file).collect()
}

/// Why a model says what it says of a pair, as a page.
pub fn explanation(explanation: &Explanation) -> String {
    explained::render(explanation)
}

/// What a template gives. Templates write to memory, which cannot fail.
fn rendered(template: &impl askama::Template) -> String {
    template.render().unwrap_or_default()
}

#[cfg(test)]
mod fixture;

#[cfg(test)]
mod tests {
    use super::*;
    use fixture::SCRIPT;

    /// What a page has between its elements, and in their attributes, is escaped.
    fn is_escaped(page: &str) {
        assert!(!page.contains(SCRIPT) && !page.contains("</textarea>"), "{page}");
        assert!(page.contains("&#60;script&#62;alert(&#39;planted&#39;)"), "{page}");
        assert!(!page.contains(['\0', '\u{1b}']));
    }

    #[test]
    fn texts_stay_texts() {
        let report = fixture::report();
        let page = page(&report);
        is_escaped(&page);
        is_escaped(&explanation(&fixture::explanation()));
        assert!(page.contains("\\u003cscript\\u003e"), "the table of pairs");
    }

    #[test]
    fn a_page_needs_nothing_else() {
        let page = page(&fixture::report());
        for outside in ["http://", "https://", "src=", "@import", "url("] {
            let found = page.matches(outside).count();
            // The name of SVG's elements is an address that nobody goes to.
            let names = if outside == "http://" { page.matches("http://www.w3.org/2000/svg").count() } else { 0 };
            assert_eq!(found, names, "{outside}");
        }
    }

    #[test]
    fn a_report_without_details_is_a_page_too() {
        let report = Report { details: None, matrix: None, learning_curve: Vec::new(), ..fixture::report() };
        let page = page(&report);
        assert!(page.contains("<h2>Accuracy</h2>") && !page.contains("<h2>Calibration</h2>"), "{page}");
    }

    #[test]
    fn a_summary_is_a_part_of_a_page() {
        let summary = summary(&fixture::report());
        is_escaped(&summary);
        for part in ["<section>", "<svg", "<table>", "</section>"] {
            assert_eq!(summary.matches(part).count(), 1, "{part} in {summary}");
        }
        assert!(!summary.contains("<html") && !summary.contains("<script"), "{summary}");
    }

    #[test]
    fn charts_have_names_of_their_own_and_stand_alone() {
        let charts = charts(&fixture::report());
        let names: std::collections::BTreeSet<&str> = charts.iter().map(|chart| chart.name).collect();
        assert_eq!(names.len(), charts.len());
        assert!(charts.len() >= 9, "{names:?}");
        for chart in charts {
            assert!(chart.svg.starts_with("<svg ") && chart.svg.trim_end().ends_with("</svg>"), "{}", chart.svg);
            assert!(!chart.svg.contains("NaN") && !chart.svg.contains("inf"), "{}", chart.svg);
            assert!(chart.svg.contains("<style>") && !chart.svg.contains("<script>"), "{}", chart.svg);
        }
    }

    #[test]
    fn write_for_the_eye() {
        if let Ok(to) = std::env::var("PAGE_TO") {
            std::fs::write(to, page(&fixture::report())).unwrap();
        }
    }
}
