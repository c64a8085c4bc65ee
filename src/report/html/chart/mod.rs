//! Charts of a report as SVG.
//!
//! They are narrow enough for a phone, and colour never carries information alone. They are templates instead of a
//! plotting crate's output, so that the same marks follow the page's dark mode, stay text for screen readers, and print
//! on white.

mod marks;
mod pairs;
mod systems;

use askama::Template;

use super::rendered;
use crate::report::Report;
use crate::report::systems::Role;
use marks::{Anchor, Axis, Mark, Px, Shape};
pub(super) use systems::accuracy;

/// The longest name beside a row, in characters; it fits into [`NAMES`] pixels.
const MAX_NAME: usize = 17;

/// The width of names beside rows.
const NAMES: f64 = 116.0;

/// The width of all charts.
const WIDTH: f64 = 440.0;

/// The height of a row.
const ROW: f64 = 18.0;

/// A chart.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Chart {
    /// The name of its file and of its figure in the page.
    pub name: &'static str,
    /// What it shows.
    pub title: String,
    /// A description for those who cannot see it.
    pub description: String,
    height: f64,
    marks: Vec<Mark>,
}

#[derive(Template)]
#[template(path = "chart/chart.svg")]
struct ChartTemplate<'c> {
    chart: &'c Chart,
    is_alone: bool,
}

impl Chart {
    fn height(&self) -> Px {
        Px(self.height)
    }

    /// The height as a separate file, one and a half times as large.
    fn height_alone(&self) -> Px {
        Px(1.5 * self.height)
    }

    /// The SVG as a part of a page.
    pub fn inside(&self) -> String {
        rendered(&ChartTemplate { chart: self, is_alone: false })
    }

    /// The SVG as a separate file.
    pub fn alone(&self) -> String {
        rendered(&ChartTemplate { chart: self, is_alone: true })
    }
}

/// All charts for which the report has data.
pub(super) fn all(report: &Report) -> Vec<Chart> {
    let mut charts = vec![systems::accuracy(report)];
    charts.extend(report.matrix.as_ref().map(|matrix| systems::wins(report, matrix)));
    charts.extend(report.systems.first().map(systems::confusion));
    if let Some(details) = &report.details {
        charts.extend(pairs::calibration(&details.reliability));
        charts.extend(details.breakdowns.iter().filter_map(pairs::accuracy));
        charts.extend(pairs::families(&details.families));
    }
    charts.extend(systems::ablation(report));
    charts.extend(pairs::learning(&report.learning_curve));
    charts
}

/// The shape and class of the points of systems with a role.
fn look(role: Role) -> (Shape, &'static str) {
    match role {
        Role::Judge => (Shape::Diamond, "judge"),
        Role::BestMetric => (Shape::Square, "rival"),
        Role::Baseline => (Shape::Triangle, "baseline"),
        Role::Majority | Role::Metric | Role::Learner => (Shape::Circle, "metric"),
    }
}
