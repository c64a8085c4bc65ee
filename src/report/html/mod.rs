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
use visible::Visible;

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
mod tests;
