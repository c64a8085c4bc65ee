//! Self-contained HTML pages of reports and explanations, and their charts as SVG.
//!
//! Templates are checked at compile time and escape their values. A page loads nothing from the network, and its
//! content security policy forbids it, so any content of texts is shown as text.

mod chart;
mod explained;
mod page;
mod visible;

use super::{Explanation, Report};
use chart::Chart;

/// The names of all charts; a report has those for which it has data.
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

/// A chart as a separate file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ChartFile {
    /// The file's name without extension.
    pub name: &'static str,
    /// The SVG, in colours for white paper.
    pub svg: String,
}

/// The whole report as a page.
pub fn page(report: &Report) -> String {
    page::render(report, &chart::all(report))
}

/// The answer with the chart and table of accuracies, for embedding in another page such as a notebook.
pub fn summary(report: &Report) -> String {
    page::summary(report, &chart::accuracy(report))
}

/// The charts of [`page`], each as a separate file.
pub fn charts(report: &Report) -> Vec<ChartFile> {
    let file = |chart: &Chart| ChartFile { name: chart.name, svg: chart.alone() };
    chart::all(report).iter().map(file).collect()
}

/// The explanation of a model's verdict on a pair, as a whole page.
pub fn explanation(explanation: &Explanation) -> String {
    explained::render(explanation)
}

/// Renders a template. Templates write to memory, which cannot fail.
fn rendered(template: &impl askama::Template) -> String {
    template.render().unwrap_or_default()
}

#[cfg(test)]
mod fixture;

#[cfg(test)]
mod tests {
    use super::*;
    use fixture::SCRIPT;

    /// Checks that text is escaped, between elements and in attributes.
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
            // The XML namespace of SVG is an address, but it is never loaded.
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
