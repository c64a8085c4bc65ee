//! In: how metrics agree with people. Out: text for a terminal. Next: the user.

use std::fmt::Write;

use super::agreement::{AgreementReport, MetricAgreement};
use super::text::counted;
use crate::error::shortened;

/// Letters of the longest name that is shown whole.
const LONGEST_NAME: usize = 24;

/// The most metrics for which every p-value is shown, 80 columns wide; of more, each stands beside the next one.
const MATRIX: usize = 13;

/// The whole report as text.
pub fn render(report: &AgreementReport) -> String {
    let AgreementReport { people, systems, segments, missing, .. } = report;
    let (systems, segments) = (counted(*systems, "system"), counted(*segments, "segment"));
    let mut text = format!("{systems}, {segments}; people's scores: {people}");
    // Writing to a String cannot fail, here and below.
    let _ = if *missing > 0 { writeln!(text, ", {missing} of them missing\n") } else { writeln!(text, "\n") };
    text.push_str(&table(report));
    text.push_str(&differences(report));
    report.notes.iter().for_each(|note| {
        let _ = writeln!(text, "note: {note}");
    });
    text
}

fn name(metric: &MetricAgreement) -> String {
    let name: String = shortened(&metric.name);
    if name.chars().count() <= LONGEST_NAME {
        return name;
    }
    name.chars().take(LONGEST_NAME - 1).chain(['…']).collect()
}

fn width(report: &AgreementReport) -> usize {
    report.metrics.iter().map(|metric| name(metric).chars().count()).max().unwrap_or(0).max(6)
}

fn table(report: &AgreementReport) -> String {
    let width = width(report);
    let mut text = format!(
        "   {:width$}  {:23}  {:23}  systems\n   {:width$}  {:>6}  {:>9}  {:>6}  {:>7}  {:>8}  {:>6}  {:>5}  {:>5}  {:>7}\n",
        "",
        "by segment",
        "all segments",
        "metric",
        "acc23*",
        "threshold",
        "tau_b",
        "Pearson",
        "Spearman",
        "tau_b",
        "acc",
        "soft",
        "Pearson"
    );
    for metric in &report.metrics {
        let cluster = metric.cluster.map_or("-".to_owned(), |cluster| cluster.to_string());
        let (item, all) = (&metric.segments.item, &metric.segments.none);
        let systems = |at: usize| number(metric.system_level.as_ref().and_then(|values| values.0.get(at)?.1));
        let _ = writeln!(
            text,
            "{cluster:>2} {:width$}  {:>6}  {:>9}  {:>6}  {:>7}  {:>8}  {:>6}  {:>5}  {:>5}  {:>7}",
            name(metric),
            number(item.get("acc23_optimised")),
            threshold(item.get("acc23_threshold")),
            number(item.get("kendall_b")),
            number(all.get("pearson")),
            number(all.get("spearman")),
            number(all.get("kendall_b")),
            systems(0),
            systems(1),
            systems(2),
        );
    }
    text.push_str(
        "acc23*: pairs in people's order, ties included, with the best tie threshold; --json has all statistics\n",
    );
    let lower: Vec<String> = report.metrics.iter().filter(|metric| metric.lower_is_better).map(name).collect();
    if !lower.is_empty() {
        let _ = writeln!(text, "lower is better, so negated: {}", lower.join(", "));
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

fn differences(report: &AgreementReport) -> String {
    if report.differences.is_empty() {
        return String::new();
    }
    let test = &report.test;
    let mut text = format!(
        "\nNumbers before names are clusters: within one, no metric is significantly worse than another (p <= 0.05)\n\
        p of \"the row's {} is better than the column's\" ({}, at most {} rounds, seed {})\n",
        test.statistic, test.method, test.rounds, test.seed
    );
    let tested: Vec<&MetricAgreement> = report.metrics.iter().filter(|metric| metric.cluster.is_some()).collect();
    let width = width(report);
    let p = |better: usize, worse: usize| {
        let found = |difference: &&super::agreement::Difference| {
            difference.better == tested[better].name && difference.worse == tested[worse].name
        };
        report.differences.iter().find(found).map_or(String::new(), |difference| p_value(difference.p_value))
    };
    if tested.len() > MATRIX {
        for at in 0..tested.len() - 1 {
            let _ = writeln!(text, "   {:width$}  {}  {}", name(tested[at]), p(at, at + 1), name(tested[at + 1]));
        }
        text.push_str("--json has every pair\n");
        return text;
    }
    for at in 0..tested.len() {
        let cells = (1..tested.len()).map(|worse| if worse > at { p(at, worse) } else { "    ".to_owned() });
        let line = format!("{:>2} {:width$}  {}", at + 1, name(tested[at]), cells.collect::<Vec<_>>().join(" "));
        let _ = writeln!(text, "{}", line.trim_end());
        if at == 0 {
            let numbers = (2..=tested.len()).map(|number| format!("{number:>4}")).collect::<Vec<_>>().join(" ");
            let header = format!("   {:width$}  {numbers}\n", "");
            let last = text.len() - line.trim_end().len() - 1;
            text.insert_str(last, &header);
        }
    }
    text
}

/// Four letters: `.012`, `1.00`.
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
        let thresholds = [0.0, 1e-7, 0.05, 9.87654, 123.456, 1e9].map(|value| threshold(Some(value)));
        assert_eq!(thresholds, ["0", "1.00e-7", "0.0500", "9.8765", "123.46", "1.00e9"]);
    }
}
