//! A [`Ranking`] as a page.

use askama::Template;

use super::chart::{Chart, of_ranking};
use super::{filled, rendered};
use crate::error::Result;
use crate::report::advice;
use crate::report::ranking::{Ranking, each_two, power, systems};
use crate::report::table::Table;

#[derive(Template)]
#[template(path = "ranking.html")]
struct Page<'r> {
    title: String,
    findings: Vec<String>,
    warnings: &'r [String],
    notes: &'r [String],
    charts: Vec<Chart>,
    systems: Table<'r>,
    each_two: Option<Table<'r>>,
    power: Option<Table<'r>>,
    advice: Advice,
}

/// The last sentence of each section.
struct Advice {
    systems: Option<String>,
    each_two: Option<String>,
    power: Option<String>,
}

impl Page<'_> {
    /// A chart, if there is one of that name, in a section with that heading.
    fn figure(&self, name: &str, heading: &str) -> askama::Result<String> {
        self.charts.iter().filter(|chart| chart.name == name).map(|chart| chart.under(heading).render()).collect()
    }
}

/// The ranking as a page; `data` is the name of the file of pairs.
///
/// # Errors
/// A template cannot be rendered.
pub fn ranking(ranking: &Ranking, data: &str) -> Result<String> {
    let data = if data == "-" { "standard input" } else { data };
    rendered(&Page {
        title: format!("Which system is better on {data}, by {}?", ranking.by),
        findings: ranking.findings(),
        warnings: &ranking.warnings,
        notes: &ranking.notes,
        charts: of_ranking(ranking),
        systems: systems(ranking),
        each_two: filled(each_two(ranking)),
        power: filled(power(ranking)),
        advice: Advice {
            systems: advice::of_systems(ranking),
            each_two: advice::of_each_two(ranking),
            power: advice::of_power(ranking),
        },
    })
}
