//! In: metrics' values for both hypotheses. Out: a table, in as many blocks side by side as fit.

use super::super::{Explanation, MetricValues};
use super::{Sheet, short, style_of};
use crate::error::truncated;
use crate::report::paint::{DIM, Paint};
use crate::report::text::{columns_of, cut, padded};

/// The longest name in columns.
const LONGEST: usize = 20;

/// The width of a value in columns.
const VALUE: usize = 8;

/// The number of columns between two blocks.
const GAP: usize = 4;

/// The metrics' values side by side, the better one marked.
pub(super) fn table(explanation: &Explanation, sheet: Sheet) -> String {
    let metrics = &explanation.metrics;
    if metrics.is_empty() {
        return String::new();
    }
    let names: Vec<String> = metrics.iter().map(|metric| cut(&name(metric), LONGEST)).collect();
    let name = names.iter().map(|name| columns_of(name)).max().unwrap_or(0);
    let block = name + 2 * (VALUE + 1);
    let blocks = ((sheet.width + GAP) / (block + GAP)).clamp(1, metrics.len());
    let rows = metrics.len().div_ceil(blocks);
    let blocks = metrics.len().div_ceil(rows);
    let gap = " ".repeat(GAP);
    let header = format!("{:name$} {:>VALUE$} {:>VALUE$}", "", "hyp1 ", "hyp2 ");
    let mut text = sheet.heading(vec![header; blocks].join(&gap).trim_end());
    for row in 0..rows {
        let cells = (row..metrics.len()).step_by(rows).map(|at| {
            let [first, second] = values(&metrics[at], sheet.paint);
            format!("{} {first} {second}", padded(&names[at], name))
        });
        text += cells.collect::<Vec<_>>().join(&gap).trim_end();
        text.push('\n');
    }
    let lower = if metrics.iter().any(|metric| metric.lower_is_better) { "; ↓ lower is better" } else { "" };
    text + &sheet.paint.apply(DIM, format!("* the better one{lower}")) + "\n"
}

fn name(metric: &MetricValues) -> String {
    truncated(&metric.name) + if metric.lower_is_better { " ↓" } else { "" }
}

/// Both values, with a mark after the better one.
fn values(metric: &MetricValues, paint: Paint) -> [String; 2] {
    let sign = if metric.lower_is_better { -1.0 } else { 1.0 };
    let [first, second] = metric.values.map(|value| sign * value);
    let value = |at: usize, is_better: bool| {
        let text = format!("{}{}", short(metric.values[at]), if is_better { "*" } else { " " });
        let text = format!("{text:>VALUE$}");
        if is_better { paint.apply(style_of(at), text) } else { text }
    };
    [value(0, first > second), value(1, second > first)]
}
