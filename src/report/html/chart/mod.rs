//! Charts. In: a report. Out: marks at places, as SVG. Next: the page, and files of their own.
//!
//! Charts are narrow enough for a phone. What a colour says a shape or a text says, too. They are templates and not a
//! plotting crate's: the same marks follow the page into the dark, stay text for screen readers, and are light on paper.

mod axis;
mod bars;
mod bins;
mod curve;
mod dots;
mod heat;
mod marks;
mod matrix;
mod reliability;

use askama::Template;

use super::rendered;
use crate::report::Report;
use crate::report::systems::Role;
use axis::Axis;
use marks::{Anchor, Mark, Px, Shape};

/// Letters of the longest name beside a row; about as many pixels as fit are [`NAMES`].
const LONGEST_NAME: usize = 17;

/// The width of names beside rows.
const NAMES: f64 = 116.0;

/// The width of all charts.
const WIDTH: f64 = 440.0;

/// The height of a row.
const ROW: f64 = 18.0;

/// A chart.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Chart {
    /// What its file and its place in the page are called.
    pub name: &'static str,
    /// What it shows.
    pub title: String,
    /// What it shows, for those who do not see it.
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

    /// In a file of its own, one and a half times as large.
    fn height_alone(&self) -> Px {
        Px(1.5 * self.height)
    }

    /// As a part of a page.
    pub fn inside(&self) -> String {
        rendered(&ChartTemplate { chart: self, is_alone: false })
    }

    /// As a file of its own.
    pub fn alone(&self) -> String {
        rendered(&ChartTemplate { chart: self, is_alone: true })
    }
}

/// All charts that the report has something for.
pub(super) fn all(report: &Report) -> Vec<Chart> {
    let mut charts = vec![dots::accuracy(report)];
    charts.extend(report.matrix.as_ref().map(|matrix| matrix::wins(report, matrix)));
    charts.extend(report.systems.first().map(heat::confusion));
    if let Some(details) = &report.details {
        charts.extend(reliability::curve(&details.reliability));
        charts.extend(details.breakdowns.iter().filter_map(bins::accuracy));
        charts.extend(bars::families(&details.families));
    }
    charts.extend(dots::ablation(report));
    charts.extend(curve::learning(&report.learning_curve));
    charts
}

/// The first of them: how accurate each system is.
pub(super) fn accuracy(report: &Report) -> Chart {
    dots::accuracy(report)
}

/// How systems of a role are marked.
fn look(role: Role) -> (Shape, &'static str) {
    match role {
        Role::Judge => (Shape::Diamond, "judge"),
        Role::BestMetric => (Shape::Square, "rival"),
        Role::Baseline => (Shape::Triangle, "baseline"),
        Role::Majority | Role::Metric | Role::Learner => (Shape::Circle, "metric"),
    }
}

/// `59.1%`.
fn percent(share: f64) -> String {
    format!("{:.1}%", 100.0 * share)
}
