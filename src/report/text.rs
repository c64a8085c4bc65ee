//! A report as text: the answer, then tables, and sentences for what tables cannot show.

use std::fmt::Write;

use super::answer::{Answer, MAX_GROWTH, MIN_GROUPS, Outcome, Versus};
use super::systems::Role;
use super::table::BOLD;
use super::table::{p_value, percent};
use super::terminal::YELLOW;
use super::{BASELINE, GainPower, HUMAN, MAJORITY, Pool, Report, Row, Subject, Terminal, people, sections};
use crate::error::pluralized;
use crate::evaluation::{Agreement, Comparison, McNemar, McNemarMethod};
use crate::judgments::Verdict;

/// The most systems in the first view of a page.
pub(super) const MAX_PROMINENT: usize = 10;

/// The most levels of agreement in a sentence.
const MAX_LEVELS: usize = 3;

const WARNING: &str = "Warning:";

/// The answer, with which a report begins, without the tables.
pub fn render_answer(report: &Report, terminal: Terminal) -> String {
    let Some(answer) = &report.answer else { return String::new() };
    let mut text = terminal.styled_paragraph(&accuracy(report, answer), BOLD);
    for warning in &report.warnings {
        let paragraph = terminal.paragraph(&format!("{WARNING} {warning}"));
        text += &paragraph.replacen(WARNING, &terminal.paint.apply(YELLOW.bold(), WARNING), 1);
    }
    let majority = answer.majority.as_ref().map(|versus| {
        let people = match answer.agreement {
            Some(share) => format!("; human-human agreement {}", percent(share)),
            None => String::new(),
        };
        (versus, beaten(versus, &always(report, versus), false) + &people)
    });
    let rival = answer.rival.as_ref().map(|versus| (versus, beaten(versus, &named(versus), true)));
    for (versus, line) in rival.into_iter().chain(majority) {
        let outcome = Outcome::of(&versus.comparison);
        let line = terminal.paragraph(&line);
        text += &match line.strip_prefix(beginning(versus)) {
            Some(rest) => terminal.paint.apply(outcome.style().bold(), beginning(versus)) + rest,
            None => line,
        };
    }
    text + &terminal.paragraph(&ties(answer, &report.labels_of.labels()))
}

/// The whole report as text: the answer, the systems by accuracy, then the rest.
pub fn render(report: &Report, terminal: Terminal) -> String {
    let order = order(report);
    let mut text = format!("{}\n", render_answer(report, terminal));
    text += &sections::accuracy(report, order.iter().map(|&at| &report.systems[at])).to_text(terminal);
    text.extend(legend(report).iter().chain(&notes(report)).map(|note| terminal.paragraph(note)));
    let judges = report.systems.iter().filter(|row| row.role == Role::Judge);
    let most = if matches!(report.subject, Subject::Verdicts { .. }) { report.systems.len() } else { 1 };
    for row in judges.take(most) {
        text = text + "\n" + &sections::confusion(row, &report.labels_of).to_captioned_text(terminal);
        if let Some(balanced) = row.classes.balanced_accuracy {
            // Writing to a String cannot fail.
            let _ = writeln!(text, "balanced accuracy (mean recall) {balanced:.4}");
        }
    }
    let findings: String = findings(report).iter().map(|finding| terminal.paragraph(finding)).collect();
    if !findings.is_empty() {
        text = text + "\n" + &findings;
    }
    let mut tables = people::tables(report);
    tables.extend(report.matrix.as_ref().map(|matrix| sections::matrix(matrix, &order)));
    tables.push(sections::files(report));
    if !report.ablation.is_empty() {
        tables.push(sections::families(report));
    }
    tables.extend([sections::ablation(&report.ablation), sections::learning_curve(report)]);
    for table in tables.into_iter().filter(|table| !table.rows.is_empty()) {
        text = text + "\n" + &table.to_captioned_text(terminal);
    }
    text
}

/// Indices of the systems, the most accurate first.
pub(super) fn order(report: &Report) -> Vec<usize> {
    let mut order: Vec<usize> = (0..report.systems.len()).collect();
    order.sort_by(|&one, &other| report.systems[other].accuracy.total_cmp(&report.systems[one].accuracy));
    order
}

/// The most relevant systems, at most [`MAX_PROMINENT`], in [`order`]: judges, the systems to beat and the baseline,
/// then the most accurate others.
pub(super) fn prominent(report: &Report) -> Vec<usize> {
    let order = order(report);
    let is_other = |at: &usize| matches!(report.systems[*at].role, Role::Metric | Role::Learner);
    let (others, fixed): (Vec<usize>, Vec<usize>) = order.iter().partition(|at| is_other(at));
    let chosen: Vec<usize> = fixed.into_iter().chain(others).take(MAX_PROMINENT).collect();
    order.into_iter().filter(|at| chosen.contains(at)).collect()
}

fn accuracy(report: &Report, answer: &Answer) -> String {
    let [low, high] = [answer.low, answer.high].map(|share| 100.0 * share);
    let count = match report.groups {
        Some(groups) => format!("{}, {}", pluralized(report.rows, "pair"), pluralized(groups, report.unit())),
        None => pluralized(report.rows, "verdict"),
    };
    let (system, accuracy) = (&answer.system, percent(answer.accuracy));
    let chance = percent(answer.chance);
    let interval = format!("(95% CI {low:.1} to {high:.1}; {chance} by chance)");
    let coverage = report.row(system).and_then(|row| row.coverage).filter(|&coverage| coverage < 1.0);
    let count = coverage.map_or(count.clone(), |coverage| format!("{count}, coverage {}", percent(coverage)));
    if report.is_metric(system) {
        return format!("Most accurate: {system}, {accuracy} {interval}, {count}");
    }
    format!("{system}: accuracy {accuracy} {interval}, {count}")
}

fn beginning(versus: &Versus) -> &'static str {
    match Outcome::of(&versus.comparison) {
        Outcome::Better => "Beats",
        Outcome::Worse => "Worse than",
        Outcome::Similar if versus.excludes_gain() => "No better than",
        Outcome::Similar => "No significant difference from",
    }
}

/// Whether the subject beats `rival`, and by how many points.
fn beaten(versus: &Versus, rival: &str, has_interval: bool) -> String {
    let outcome = Outcome::of(&versus.comparison);
    let Comparison { difference, low, high, .. } = versus.comparison;
    let [difference, low, high] = [difference, low, high].map(|share| 100.0 * share);
    let (difference, [low, high]) = match outcome {
        Outcome::Better => (format!(" by {difference:.1} points"), [low, high]),
        Outcome::Worse => (format!(" by {:.1} points", -difference), [-high, -low]),
        Outcome::Similar => (format!(": {difference:+.1} points"), [low, high]),
    };
    // Adding 0.0 avoids -0.0.
    let interval = format!(" (95% CI {:.1} to {:.1})", low + 0.0, high + 0.0);
    format!("{} {rival}{difference}{}", beginning(versus), if has_interval { &interval } else { "" })
}

fn named(rival: &Versus) -> String {
    let name = rival.chosen.as_ref().map_or(&rival.name, |chosen| &chosen.name);
    let accuracy = percent(rival.accuracy);
    match rival.role {
        Role::BestMetric => format!("the best single metric ({name}, {accuracy})"),
        Role::Baseline => format!("the baseline ({name}, {accuracy})"),
        _ => format!("{name} ({accuracy})"),
    }
}

fn always(report: &Report, majority: &Versus) -> String {
    let counts = report.systems.iter().find(|row| row.role == Role::Majority).map(|row| &row.confusion.counts);
    let is_answered =
        |verdict: &Verdict| counts.is_some_and(|counts| counts.iter().any(|row| row[verdict.index()] > 0));
    let label = match Verdict::ALL.into_iter().find(is_answered) {
        Some(Verdict::Tie) | None => "tie".to_owned(),
        Some(decided) => decided.to_string(),
    };
    format!("always answering {label} ({})", percent(majority.accuracy))
}

fn ties(answer: &Answer, labels: &str) -> String {
    let [people, system] = [answer.people_tie, answer.system_ties].map(percent);
    let decided = match (answer.decided_without_ties, answer.decided_accuracy) {
        (Some(share), _) => {
            format!("accuracy {} on untied pairs, forced to choose", percent(share))
        }
        (None, Some(share)) => format!("accuracy {} on untied pairs", percent(share)),
        (None, None) => format!("all {labels} are ties"),
    };
    format!("Ties: {people} of {labels}, {system} of predictions; {decided}")
}

/// Notes on how columns and figures were computed, one paragraph each.
pub(super) fn notes(report: &Report) -> Vec<String> {
    let mut notes: Vec<String> = Vec::new();
    if report.systems.iter().any(|row| row.with_ties.is_some()) {
        notes.push("with ties: differences up to a threshold, tuned on the other folds, count as ties".to_owned());
    }
    if let Some(subject) = report.answer.as_ref().filter(|answer| report.is_metric(&answer.system)) {
        let name = &subject.system;
        notes.push(format!(
            "{name} was selected as the most accurate on these pairs, so its accuracy and its lead are overestimated; \
             confirm them on new pairs"
        ));
    }
    if !report.judges.is_empty() {
        notes.push(
            "accuracy of a judge: the mean over the orders in which it saw the hypotheses; missing verdicts are skipped, and \
             coverage is the share that is there"
                .to_owned(),
        );
    }
    let best = report.systems.iter().find(|row| row.role == Role::BestMetric);
    if let Some(chosen) = best.and_then(|row| row.chosen.as_ref()) {
        let folds = pluralized(chosen.folds, "fold");
        notes.push(format!(
            "best-metric: the single metric, with a tie threshold, that scored best on the other folds; {} in {folds}",
            chosen.name
        ));
    }
    if report.row(HUMAN).is_some() {
        notes.push(
            "human: each annotator against the majority of the others; a reference point, not an upper bound"
                .to_owned(),
        );
    }
    let [first, tie, second] = report.labels;
    let how = match report.subject {
        Subject::OutOfFold(folds) => format!("; {folds}-fold cross-validation by {}", report.unit()),
        Subject::Models if report.systems.iter().all(|row| row.role != Role::Judge) => String::new(),
        Subject::Models => "; trained models, not cross-validated".to_owned(),
        Subject::Verdicts { .. } => "; verdicts from files".to_owned(),
    };
    notes.push(format!("{}: {first} first, {tie} tie, {second} second{how}", report.labels_of.labels()));
    notes.push("by chance: the accuracy of verdicts that are as frequent but do not depend on the texts".to_owned());
    notes.push(format!("95% CI over {}s (Korn and Graubard 1998){}", report.unit(), folds(report)));
    notes.extend(report.encoder.as_ref().map(|encoder| {
        let licence = encoder.licence.as_deref().map(|licence| format!(", licence {licence}")).unwrap_or_default();
        format!("encoder {encoder}{licence}")
    }));
    for row in &report.systems {
        if let Some(other) = &row.same_as {
            notes.push(format!("{} and {other} are identical: they give the same verdict on every pair", row.name));
        }
    }
    notes
}

/// The seed, where folds depend on it.
fn folds(report: &Report) -> String {
    let has_folds = |row: &Row| row.with_ties.is_some() || row.role == Role::BestMetric;
    match matches!(report.subject, Subject::OutOfFold(_)) || report.systems.iter().any(has_folds) {
        true => format!("; folds of seed {}", report.seed),
        false => String::new(),
    }
}

/// The marks before names, if there are other systems than judges.
fn legend(report: &Report) -> Option<String> {
    let judge = match report.subject {
        Subject::OutOfFold(_) => "the ensemble",
        Subject::Models => "a model",
        Subject::Verdicts { .. } => "verdicts in a file",
    };
    let has = |role: Role| report.systems.iter().any(|row| row.role == role);
    let metric = if has(Role::BestMetric) { "best single metric, " } else { "" };
    let rivals = format!("to beat: {metric}majority label");
    let entries = [(Role::Judge, judge), (Role::Majority, &rivals), (Role::Baseline, "the baseline")];
    let entries = entries.into_iter().filter(|(role, _)| has(*role));
    let entries: Vec<String> = entries.map(|(role, what)| format!("{} {what}", role.mark())).collect();
    report.systems.iter().any(|row| row.role != Role::Judge).then(|| entries.join("  "))
}

/// The first system's comparisons and calibration, and human-human agreement, one paragraph each.
fn findings(report: &Report) -> Vec<String> {
    let mut findings = comparisons(report);
    findings
        .extend(calibration(report).into_iter().chain(coverage(report)).chain(power(report)).chain(agreement(report)));
    findings.extend(people::findings(report));
    findings
}

/// The errors of the first system's probabilities.
pub(super) fn calibration(report: &Report) -> Option<String> {
    let calibration = report.systems.first()?.calibration?;
    Some(format!(
        "Calibration: expected calibration error {:.4}, Brier score {:.4}, log loss {:.4}",
        calibration.expected_calibration_error, calibration.brier, calibration.log_loss
    ))
}

/// How many of the first system's verdicts reach which agreement with people: at most three levels.
pub(super) fn coverage(report: &Report) -> Option<String> {
    let (all, levels) = report.coverage.split_first()?;
    let parts = levels.iter().step_by(levels.len().div_ceil(MAX_LEVELS).max(1)).map(|at| {
        let (agreement, confidence) = (100.0 * at.agreement, at.confidence);
        format!("{agreement:.0}% on {} of them (probability {confidence:.2} or more)", percent(at.coverage))
    });
    let parts: Vec<String> = parts.collect();
    let all = percent(all.agreement);
    (!parts.is_empty())
        .then(|| format!("Selective accuracy: {all} on all pairs; on the most confident, {}", parts.join(", ")))
}

/// Which gain of the answer's subject these pairs can show.
pub(super) fn power(report: &Report) -> Option<String> {
    let GainPower { against, gain, detectable, more_groups, pool } = report.power.as_ref()?;
    let (groups, unit) = (pluralized(report.groups?, report.unit()), report.unit());
    let against_accuracy = report.row(against).map_or(0.0, |row| row.accuracy);
    if *detectable > 1.0 - against_accuracy {
        return Some(format!("Power: {groups}, too few to detect any gain over {against} with 80% power (p < 0.05)"));
    }
    let [gain, detectable] = [gain, detectable].map(|share| 100.0 * share);
    let more = match (more_groups, pool) {
        (Some(0), _) => format!("no more {unit}s are needed to detect {gain:.1} points"),
        (Some(more), _) => {
            format!("detecting {gain:.1} points takes about {}", pluralized(*more, &format!("more {unit}")))
        }
        (None, Some(Pool { pairs, half_width })) => format!(
            "labelling all {} would narrow the 95% CI of the difference to about \u{b1}{:.1} points, and {gain:.1} points \
             need other data",
            pluralized(*pairs, "remaining pair"),
            100.0 * half_width
        ),
        (None, None) if report.groups? < MIN_GROUPS => format!("too few to extrapolate to {gain:.1} points"),
        (None, None) => format!("{gain:.1} points need more than {MAX_GROWTH} times as many"),
    };
    Some(format!(
        "Power: with {groups}, a gain of {detectable:.1} points over {against} is detected with 80% power (p < 0.05); {more}"
    ))
}

/// Human-human agreement.
pub(super) fn agreement(report: &Report) -> Option<String> {
    report.agreement.map(|Agreement { pairs, judgments, share }| {
        format!("Human-human agreement {share:.4} ({judgments} judgments of {pairs} pairs with several annotators)")
    })
}

/// A sentence for each system that the answer's subject is compared with, and for every two files of verdicts.
pub(super) fn comparisons(report: &Report) -> Vec<String> {
    let Some(answer) = &report.answer else { return Vec::new() };
    let Some(row) = report.row(&answer.system) else { return Vec::new() };
    let rivals = answer.rival.iter().chain(&answer.majority);
    let mut compared: Vec<(&str, &Comparison)> = rivals.map(|rival| (rival.name.as_str(), &rival.comparison)).collect();
    compared.extend(row.against.iter().filter_map(|against| Some((report.against.as_deref()?, against))));
    compared.extend(row.against_baseline.iter().map(|against| (BASELINE, against)));
    let mut sentences: Vec<(&str, String)> = Vec::new();
    for (name, comparison) in compared {
        if sentences.iter().all(|(known, _)| *known != name) {
            sentences.push((name, sentence(&row.name, name, comparison, report.unit())));
        }
    }
    let tests = report.tests.iter().map(|test| mcnemar(&test.one, &test.other, &test.mcnemar, report.unit()));
    sentences.into_iter().map(|(_, sentence)| sentence).chain(tests).collect()
}

fn sentence(one: &str, other: &str, found: &Comparison, unit: &str) -> String {
    let other = match other {
        BASELINE => "the baseline",
        MAJORITY => "the majority label",
        other => other,
    };
    let outcome = match Outcome::of(found) {
        Outcome::Better => "is significantly better than",
        Outcome::Worse => "is significantly worse than",
        Outcome::Similar => "does not differ significantly from",
    };
    let [difference, low, high] = [found.difference, found.low, found.high].map(|share| 100.0 * share);
    let p = p_value(found.p_value);
    format!(
        "{one} {outcome} {other}: {difference:+.2} points, 95% CI {low:+.2} to {high:+.2}, {p} (paired over \
         {unit}s, Newcombe 1998)"
    )
}

fn mcnemar(one: &str, other: &str, test: &McNemar, unit: &str) -> String {
    let McNemar { only_one, only_other, .. } = test;
    let found = match (test.method, test.statistic, test.p_value) {
        (McNemarMethod::Exact, _, Some(p)) => format!("exact {}", p_value(p)),
        (_, Some(statistic), Some(p)) => format!("chi-squared {statistic:.3}, {} (Obuchowski 1998)", p_value(p)),
        _ => format!("undefined because all pairs share one {unit}"),
    };
    let name = match test.method {
        McNemarMethod::Exact => "McNemar's test".to_owned(),
        McNemarMethod::Clustered => format!("McNemar's test over {unit}s"),
    };
    format!("{name}: {one} alone is correct on {only_one} pairs, {other} alone on {only_other}; {found}")
}

#[cfg(test)]
mod tests {
    use super::super::terminal::without_colours;
    use super::super::{Chosen, ReportSettings, System};
    use super::*;
    use crate::judgments::grouping::Groups;

    fn versus(role: Role, name: &str, difference: f64) -> Versus {
        let comparison = Comparison { difference, low: difference - 0.1234, high: difference + 0.1234, p_value: 0.5 };
        let chosen = (role == Role::BestMetric).then(|| Chosen { name: name.to_owned(), folds: 7 });
        Versus { name: name.to_owned(), role, chosen, accuracy: 0.5953, comparison }
    }

    #[test]
    fn a_difference_must_be_significant() {
        let line = |role, name, difference| {
            let versus = versus(role, name, difference);
            beaten(&versus, &named(&versus), true)
        };
        let best = "the best single metric (chrf, 59.5%)";
        for (difference, expected) in [
            (0.2, format!("Beats {best} by 20.0 points (95% CI 7.7 to 32.3)")),
            (0.1, format!("No significant difference from {best}: +10.0 points (95% CI -2.3 to 22.3)")),
            (-0.2, format!("Worse than {best} by 20.0 points (95% CI 7.7 to 32.3)")),
            (-0.12, format!("No better than {best}: -12.0 points (95% CI -24.3 to 0.3)")),
        ] {
            assert_eq!(line(Role::BestMetric, "chrf", difference), expected);
        }
        assert!(line(Role::Baseline, "sum", 0.2).starts_with("Beats the baseline (sum, 59.5%) by "));
        assert!(line(Role::Judge, "b", 0.2).starts_with("Beats b (59.5%) by "));
    }

    #[test]
    fn the_outcome_is_painted() {
        let people = [Verdict::First; 30];
        let systems = [System::of_verdicts("a", people.into()), System::of_verdicts("b", vec![Verdict::Tie; 30])];
        let groups = Groups { of_pair: (0..30).collect(), count: 30 };
        let settings = ReportSettings::new(Subject::Verdicts { has_pairs: true }, 1);
        let report = Report::of(&people, &groups, &systems, settings);
        let text = render_answer(&report, Terminal::colour(30));
        assert!(text.contains("\n\u{1b}[1m\u{1b}[32mBeats\u{1b}[0m b (0.0%) by 100.0 points\n(95% CI"), "{text:?}");
        assert_eq!(without_colours(&text), render_answer(&report, Terminal::plain(30)));
    }
}
