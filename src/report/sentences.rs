//! In: a [`Report`]. Out: sentences for what its tables cannot show.

use std::fmt::Write;

use super::answer::Finding;
use super::systems::Role;
use super::text::{p_value, wrapped};
use super::{BASELINE, MAJORITY, Report, Row, Subject};
use crate::error::pluralized;
use crate::evaluation::{Agreement, Comparison, McNemar, McNemarMethod};

/// The unit of resampling.
fn drawn(report: &Report) -> &'static str {
    if report.groups.is_some() { "references" } else { "single pairs" }
}

/// The legend of marks and columns, and notes on how the figures were computed.
pub(super) fn below_table(report: &Report, width: Option<usize>) -> String {
    let has_roles = report.systems.iter().any(|row| row.role != Role::Judge);
    let paragraphs = has_roles.then(|| legend(report)).into_iter().chain(notes(report));
    paragraphs.map(|paragraph| wrapped(&paragraph, width)).collect()
}

/// Notes on how columns and figures were computed, one paragraph each.
pub(super) fn notes(report: &Report) -> Vec<String> {
    let mut paragraphs: Vec<String> = Vec::new();
    let has = |has: &dyn Fn(&Row) -> bool| report.systems.iter().any(has);
    if has(&|row| row.with_ties.is_some()) {
        let what = "with ties: differences below a threshold, tuned on the other folds, count as ties";
        paragraphs.push(what.to_owned());
    }
    let best = report.systems.iter().find(|row| row.role == Role::BestMetric);
    if let Some(chosen) = best.and_then(|row| row.chosen.as_ref()) {
        let folds = pluralized(chosen.folds, "fold");
        paragraphs
            .push(format!("best-metric: metric and threshold chosen on the other folds; {} in {folds}", chosen.name));
    }
    let [first, tie, second] = report.labels;
    let how = match report.subject {
        Subject::OutOfFold(folds) => format!("{folds} folds by reference, out of fold"),
        Subject::Models => "trained models, not cross-validated".to_owned(),
        Subject::Verdicts { .. } => "verdicts from files".to_owned(),
    };
    let (drawn, seed) = (drawn(report), report.seed);
    paragraphs.push(format!("people say 1: {first}, 0: {tie}, -1: {second}; {how}"));
    paragraphs.push(format!("95% intervals by bootstrap over {drawn}, seed {seed}"));
    for row in &report.systems {
        if let Some(other) = &row.same_as {
            paragraphs
                .push(format!("{} and {other} are identical: they give the same verdict on every pair", row.name));
        }
    }
    paragraphs
}

fn legend(report: &Report) -> String {
    let judge = match report.subject {
        Subject::OutOfFold(_) => "the ensemble",
        Subject::Models => "a model",
        Subject::Verdicts { .. } => "verdicts in a file",
    };
    let has = |role: Role| report.systems.iter().any(|row| row.role == role);
    let constant = "always the most common answer";
    let roles = [
        (Role::Judge, judge.to_owned()),
        (Role::BestMetric, format!("its rivals: the best metric, and {constant}")),
        (Role::Majority, constant.to_owned()),
        (Role::Baseline, "the baseline".to_owned()),
    ];
    let mut text = String::new();
    for (role, what) in roles {
        // The entry of the best metric explains both rivals.
        if has(role) && (role != Role::Majority || !has(Role::BestMetric)) {
            let gap = if text.is_empty() { "" } else { "  " };
            // Writing to a String cannot fail.
            let _ = write!(text, "{gap}{} {what}", role.mark());
        }
    }
    text
}

/// The first system's comparisons and calibration, and people's agreement, one paragraph each.
pub(super) fn findings(report: &Report, width: Option<usize>) -> String {
    let mut paragraphs: Vec<String> = Vec::new();
    if let Some(row) = report.systems.first() {
        paragraphs.extend(comparisons(report, row));
        paragraphs.extend(report.tests.iter().map(|test| mcnemar(&test.one, &test.other, &test.mcnemar)));
        paragraphs.extend(row.calibration.map(|calibration| {
            format!(
                "Its probabilities: expected calibration error {:.4}, Brier score {:.4}, log loss {:.4}",
                calibration.expected_calibration_error, calibration.brier, calibration.log_loss
            )
        }));
    }
    paragraphs.extend(report.agreement.map(|Agreement { pairs, judgments, share }| {
        format!(
            "People agree with each other in {share:.4} ({judgments} judgments of {pairs} pairs judged more than once)"
        )
    }));
    let text: String = paragraphs.iter().map(|paragraph| wrapped(paragraph, width)).collect();
    if text.is_empty() { text } else { format!("\n{text}") }
}

/// A sentence for each system that the first one is compared with.
fn comparisons(report: &Report, row: &Row) -> Vec<String> {
    let rivals = report.answer.iter().flat_map(|answer| answer.rival.iter().chain(&answer.majority));
    let mut compared: Vec<(String, &Comparison)> =
        rivals.map(|rival| (rival.name.clone(), &rival.comparison)).collect();
    compared.extend(row.against.iter().filter_map(|against| Some((report.against.clone()?, against))));
    compared.extend(row.against_baseline.iter().map(|against| (BASELINE.to_owned(), against)));
    let mut said: Vec<String> = Vec::new();
    let mut sentences = Vec::new();
    for (name, comparison) in compared {
        if !said.contains(&name) {
            sentences.push(sentence(&row.name, &name, comparison, drawn(report)));
            said.push(name);
        }
    }
    sentences
}

fn sentence(one: &str, other: &str, found: &Comparison, drawn: &str) -> String {
    let other = match other {
        BASELINE => "the baseline".to_owned(),
        MAJORITY => "the majority".to_owned(),
        other => other.to_owned(),
    };
    let finding = match Finding::of(found) {
        Finding::Better => format!("is significantly better than {other}"),
        Finding::Worse => format!("is significantly worse than {other}"),
        Finding::NoBetter => format!("does not differ significantly from {other}"),
    };
    let [difference, low, high] = [found.difference, found.low, found.high].map(|share| 100.0 * share);
    format!(
        "{one} {finding}: {difference:+.2} points, 95% interval {low:+.2} to {high:+.2}, p {} (paired randomisation \
         over {drawn})",
        p_value(found.p_value)
    )
}

fn mcnemar(one: &str, other: &str, test: &McNemar) -> String {
    let McNemar { only_one, only_other, .. } = test;
    let found = match (test.method, test.statistic, test.p_value) {
        (McNemarMethod::Exact, _, Some(p)) => format!("exact p {}", p_value(p)),
        (_, Some(statistic), Some(p)) => format!("chi-squared {statistic:.3}, p {} (Obuchowski 1998)", p_value(p)),
        _ => "undefined, as all pairs share one reference".to_owned(),
    };
    let name = match test.method {
        McNemarMethod::Exact => "McNemar's test",
        McNemarMethod::Clustered => "McNemar's test over references",
    };
    format!("{name}: only {one} is right on {only_one} pairs, only {other} on {only_other}; {found}")
}
