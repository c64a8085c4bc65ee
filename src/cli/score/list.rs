//! `tribunal score --list-metrics`: what can be asked for.

use std::fmt::Write;

use anyhow::Result;
use serde::Serialize;
use tribunal::metrics::{Entry, REGISTRY};

use crate::cli::options::Common;

/// A metric as JSON has it.
#[derive(Debug, Serialize)]
struct Line {
    name: &'static str,
    /// None where there is no bound.
    low: Option<f64>,
    high: Option<f64>,
    direction: &'static str,
    summary: &'static str,
    /// The program or paper that its values equal.
    #[serde(skip_serializing_if = "str::is_empty")]
    equals: &'static str,
    options: Vec<&'static str>,
}

impl Line {
    fn of(entry: &Entry) -> Self {
        let bound = |value: f64| value.is_finite().then_some(value);
        Self {
            name: entry.name,
            low: bound(entry.range.0),
            high: bound(entry.range.1),
            direction: entry.direction.word(),
            summary: entry.summary,
            equals: entry.equals,
            options: entry.options.iter().map(|spec| spec.name).collect(),
        }
    }

    fn range(&self) -> String {
        let bound = |value: Option<f64>, open: &str| value.map_or(open.to_owned(), |value| value.to_string());
        format!("{} to {}", bound(self.low, "-inf"), bound(self.high, "inf"))
    }
}

/// Prints the registered metrics, one per line.
pub fn print(common: &Common) -> Result<()> {
    let lines: Vec<Line> = REGISTRY.iter().map(Line::of).collect();
    common.print(&lines, || text(&lines))
}

fn text(lines: &[Line]) -> String {
    let mut text = String::new();
    for line in lines {
        let equals = if line.equals.is_empty() { String::new() } else { format!(" ({})", line.equals) };
        let Line { name, direction, summary, .. } = line;
        // Writing to a String cannot fail.
        let _ = writeln!(text, "{name:<15}  {:<10}  {direction:<6}  {summary}{equals}", line.range());
    }
    text
}
