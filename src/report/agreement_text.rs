//! In: an [`AgreementReport`]. Out: text for a terminal. Next: the user.

use std::fmt::Write;

use anstyle::Style;

use super::agreement::{AgreementReport, Difference, MetricAgreement};
use super::paint::GREEN;
use super::terminal::Terminal;
use super::text::{columns_of, cut_end, padded, wrapped};
use crate::error::{pluralized, truncated};
use crate::evaluation::ranking::LEVEL;

/// The number of spaces before a column.
const GAP: usize = 2;

/// The longest name that is shown whole, in characters.
const LONGEST_NAME: usize = 24;

/// The most metrics for which all p-values are shown, as a matrix of 80 columns; with more, each metric is only
/// compared with the next one.
const MATRIX: usize = 13;

/// The whole report as text, no wider than the terminal where possible.
pub fn render(report: &AgreementReport, terminal: Terminal) -> String {
    let AgreementReport { people, systems, segments, missing, .. } = report;
    let (systems, segments) = (pluralized(*systems, "system"), pluralized(*segments, "segment"));
    let missing = if *missing > 0 { format!(", {missing} of them missing") } else { String::new() };
    let mut text = wrapped(&format!("{systems}, {segments}; people's scores: {people}{missing}"), terminal.width);
    text.push('\n');
    text.push_str(&table(report, terminal));
    text.push_str(&differences(report, terminal));
    report.notes.iter().for_each(|note| text.push_str(&wrapped(&format!("note: {note}"), terminal.width)));
    text
}

fn name(metric: &MetricAgreement) -> String {
    cut_end(&truncated(&metric.name), LONGEST_NAME)
}

fn width(report: &AgreementReport) -> usize {
    report.metrics.iter().map(|metric| columns_of(&name(metric))).max().unwrap_or(0).max(6)
}

/// A statistic of the table.
struct Statistic {
    /// What it is computed over; neighbours of the same kind share a heading.
    over: &'static str,
    name: &'static str,
    width: usize,
    /// Statistics with the highest rank are left out first if they do not fit.
    rank: u8,
    cell: fn(&MetricAgreement) -> String,
}

const fn statistic(
    (over, rank): (&'static str, u8),
    name: &'static str,
    width: usize,
    cell: fn(&MetricAgreement) -> String,
) -> Statistic {
    Statistic { over, name, width, rank, cell }
}

fn of_systems(metric: &MetricAgreement, at: usize) -> String {
    number(metric.system_level.as_ref().and_then(|values| values.0.get(at)?.1))
}

const SEGMENT: &str = "by segment";
const ALL: &str = "all segments";
const SYSTEMS: &str = "systems";

const STATISTICS: [Statistic; 9] = [
    statistic((SEGMENT, 0), "acc23*", 6, |metric| number(metric.segments.item.get("acc23_optimised"))),
    statistic((SEGMENT, 6), "threshold", 9, |metric| threshold(metric.segments.item.get("acc23_threshold"))),
    statistic((SEGMENT, 3), "tau_b", 6, |metric| number(metric.segments.item.get("kendall_b"))),
    statistic((ALL, 2), "Pearson", 7, |metric| number(metric.segments.none.get("pearson"))),
    statistic((ALL, 5), "Spearman", 8, |metric| number(metric.segments.none.get("spearman"))),
    statistic((ALL, 7), "tau_b", 6, |metric| number(metric.segments.none.get("kendall_b"))),
    statistic((SYSTEMS, 4), "acc", 5, |metric| of_systems(metric, 0)),
    statistic((SYSTEMS, 1), "soft", 5, |metric| of_systems(metric, 1)),
    statistic((SYSTEMS, 8), "Pearson", 7, |metric| of_systems(metric, 2)),
];

/// Neighbouring statistics below one heading, each with the width of its column.
type Heading = Vec<(&'static Statistic, usize)>;

/// The statistics that fit after the `before` characters of a line.
fn shown(before: usize, width: Option<usize>) -> Vec<Heading> {
    let mut all: Vec<&'static Statistic> = STATISTICS.iter().collect();
    loop {
        let headings: Vec<Heading> = all.chunk_by(|one, other| one.over == other.over).map(heading).collect();
        let letters = before + headings.iter().flatten().map(|(_, width)| GAP + width).sum::<usize>();
        if width.is_none_or(|width| letters <= width) || all.len() == 1 {
            return headings;
        }
        let last = all.iter().map(|one| one.rank).max();
        all.retain(|one| Some(one.rank) != last);
    }
}

/// Widens the first column where the heading is wider than its columns.
fn heading(statistics: &[&'static Statistic]) -> Heading {
    let below = statistics.iter().map(|one| one.width + GAP).sum::<usize>() - GAP;
    let missing = |at: usize| if at == 0 { statistics[0].over.len().saturating_sub(below) } else { 0 };
    statistics.iter().enumerate().map(|(at, &one)| (one, one.width + missing(at))).collect()
}

fn table(report: &AgreementReport, terminal: Terminal) -> String {
    let width = width(report);
    let headings = shown(3 + width, terminal.width);
    let (mut over, mut names) = (String::new(), String::new());
    for heading in &headings {
        let letters = heading.iter().map(|(_, width)| width + GAP).sum::<usize>() - GAP;
        // Writing to a String cannot fail, here and below.
        let _ = write!(over, "  {:letters$}", heading[0].0.over);
        names.extend(heading.iter().map(|(one, width)| format!("  {:>width$}", one.name)));
    }
    let mut text = format!("   {:width$}{}\n   {:width$}{names}\n", "", over.trim_end(), "metric");
    for metric in &report.metrics {
        let cluster = metric.cluster.map_or("-".to_owned(), |cluster| cluster.to_string());
        let first = if metric.cluster == Some(1) { GREEN } else { Style::new() };
        let head = terminal.paint.apply(first, format!("{cluster:>2} {}", padded(&name(metric), width)));
        let cells = headings.iter().flatten().map(|(one, width)| format!("  {:>width$}", (one.cell)(metric)));
        let _ = writeln!(text, "{head}{}", cells.collect::<String>());
    }
    let legend = "acc23*: share of pairs ordered as by people, ties included, with the best tie threshold; --json has \
                  all statistics";
    text.push_str(&wrapped(legend, terminal.width));
    let lower: Vec<String> = report.metrics.iter().filter(|metric| metric.lower_is_better).map(name).collect();
    if !lower.is_empty() {
        text.push_str(&wrapped(&format!("lower is better, so negated: {}", lower.join(", ")), terminal.width));
    }
    text
}

fn number(value: Option<f64>) -> String {
    value.map_or("-".to_owned(), |value| format!("{value:.3}"))
}

/// Thresholds are on the metric's own scale.
fn threshold(value: Option<f64>) -> String {
    let Some(value) = value else { return "-".to_owned() };
    match value {
        0.0 => "0".to_owned(),
        value if !(1e-3..1e6).contains(&value) => format!("{value:.2e}"),
        value if value < 10.0 => format!("{value:.4}"),
        value => format!("{value:.2}"),
    }
}

fn differences(report: &AgreementReport, terminal: Terminal) -> String {
    if report.differences.is_empty() {
        return String::new();
    }
    let test = &report.test;
    let clusters =
        "Numbers before names are clusters: within one, no metric is significantly worse than another (p <= 0.05)";
    let of = format!(
        "p of \"the row's {} is better than the column's\" ({}, at most {} rounds, seed {})",
        test.statistic, test.method, test.rounds, test.seed
    );
    let mut text = format!("\n{}{}", wrapped(clusters, terminal.width), wrapped(&of, terminal.width));
    let tested: Vec<&MetricAgreement> = report.metrics.iter().filter(|metric| metric.cluster.is_some()).collect();
    let width = width(report);
    let most = terminal.width.map_or(MATRIX, |room| MATRIX.min(room.saturating_sub(3 + width + 1) / 5 + 1));
    if tested.len() > most {
        for pair in tested.windows(2) {
            let (better, worse) = (padded(&name(pair[0]), width), name(pair[1]));
            let _ = writeln!(text, "   {better}  {}  {worse}", p_cell(report, [pair[0], pair[1]], terminal));
        }
        text.push_str("--json has every pair\n");
        return text;
    }
    let numbers = (2..=tested.len()).map(|number| format!(" {number:>4}")).collect::<String>();
    let _ = writeln!(text, "   {:width$} {numbers}", "");
    for (at, better) in tested.iter().enumerate() {
        let cell =
            |worse: usize| if worse > at { p_cell(report, [better, tested[worse]], terminal) } else { " ".repeat(4) };
        let cells = (1..tested.len()).map(|worse| format!(" {}", cell(worse))).collect::<String>();
        let _ = writeln!(text, "{}", format!("{:>2} {} {cells}", at + 1, padded(&name(better), width)).trim_end());
    }
    text
}

/// The p-value of one metric against a worse one, in four characters; painted if it is significant.
fn p_cell(report: &AgreementReport, [better, worse]: [&MetricAgreement; 2], terminal: Terminal) -> String {
    let is_theirs = |found: &&Difference| found.better == better.name && found.worse == worse.name;
    let Some(found) = report.differences.iter().find(is_theirs) else { return " ".repeat(4) };
    let style = if found.p_value <= LEVEL { GREEN } else { Style::new() };
    terminal.paint.apply(style, format!("{:>4}", p_value(found.p_value)))
}

/// A p-value in four characters: `.012`, `1.00`.
fn p_value(p: f64) -> String {
    let text = format!("{p:.3}");
    text.strip_prefix('0').map_or_else(|| format!("{p:.2}"), str::to_owned)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_fit_their_columns() {
        assert_eq!([0.0, 0.0123, 0.9994, 1.0].map(p_value), [".000", ".012", ".999", "1.00"]);
        assert_eq!(shown(9, None).iter().flatten().count(), STATISTICS.len());
        for width in [30, 40, 60, 80, 88, 89] {
            let headings = shown(9, Some(width));
            let letters = 9 + headings.iter().flatten().map(|(_, width)| GAP + width).sum::<usize>();
            assert!(letters <= width && headings[0][0].0.name == "acc23*", "{width}: {letters}");
        }
        let thresholds = [0.0, 1e-7, 0.05, 9.87654, 123.456, 1e9].map(|value| threshold(Some(value)));
        assert_eq!(thresholds, ["0", "1.00e-7", "0.0500", "9.8765", "123.46", "1.00e9"]);
    }
}
