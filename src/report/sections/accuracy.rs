//! The accuracy of every system, with comparisons, and whether to use the first one.

use super::{
    Answer, BASELINE, Cell, Column, Outcome, Printed, Report, Role, Row, Section, Subject, Table, Value, View, chart,
    interval, percent, pluralized,
};
use crate::evaluation::{Comparison, McNemar, McNemarMethod};
use crate::report::answer::{MAX_GROWTH, MIN_GROUPS};
use crate::report::table::p_value;
use crate::report::terminal::cut;
use crate::report::{GainPower, HUMAN, MAJORITY, Pool};

/// The longest name in the header of the comparison.
const MAX_AGAINST: usize = 24;

/// The accuracy of all systems.
pub(in crate::report) fn accuracy(report: &Report) -> Section<'_> {
    let (all, prominent) = (report.order(), report.prominent());
    let note = format!(
        "Accuracy: the share of pairs on which a system agrees with the {}, with its 95% confidence interval; diamond: {}, \
         square: the best single metric, triangle: the baseline.",
        report.labels_of.label(),
        report.subject_row().map_or("", |row| row.name.as_str())
    );
    let chart = chart::accuracy("accuracy", report, &all);
    let charts = if prominent.len() == all.len() {
        vec![chart.noted(note)]
    } else {
        let extract = chart::accuracy("prominent-accuracy", report, &prominent);
        vec![extract.viewed(View::Extract).noted(note), chart.viewed(View::Folded)]
    };
    Section {
        answer: comparisons(report),
        tables: vec![systems(report)],
        charts,
        notes: notes(report),
        advice: report.answer.as_ref().and_then(advice),
        ..Section::new("accuracy", "Accuracy")
    }
}

/// A row for each system, the most accurate first.
pub(in crate::report) fn systems(report: &Report) -> Table<'_> {
    let against = report.against.as_deref().unwrap_or_default();
    // Painted if the difference is significant.
    let compared = |row: &Row, value: fn(&Comparison) -> Value<'static>| {
        let style = row.against.as_ref().map(Outcome::style_of_figures).unwrap_or_default();
        Cell::from(row.against.as_ref().map_or(Value::Empty, value)).styled(style)
    };
    let rows = report.order().into_iter().map(|at| &report.systems[at]);
    let mut table = Table::builder("All systems, the most accurate first", rows)
        .with(Column::text("  system"), |row| {
            Cell::from(Value::System(&row.name, row.role)).bold_if(row.role == Role::Subject)
        })
        .with(Column::number("accuracy"), |row| Value::fraction(row.accuracy))
        .with(interval(1), |row| Value::interval(row.low, row.high));
    if report.systems.iter().any(|row| row.coverage.is_some_and(|coverage| coverage < 1.0)) {
        table = table.with(Column::number("coverage").rank(5), |row| Value::or_empty(row.coverage, Value::fraction));
    }
    let table = table
        .with(Column::number("decided").rank(4), |row| {
            Value::or_undefined(row.decided_without_ties.or(row.classes.decided_accuracy), Value::fraction)
        })
        .with(Column::number("tau").rank(3), |row| Value::fraction(row.kendall_tau))
        .with(Column::number("with ties").rank(2), |row| {
            Value::or_empty(row.with_ties.map(|ties| ties.accuracy), Value::fraction)
        })
        .with(Column::number(format!("against {}", cut(against, MAX_AGAINST))).named("difference"), |row| {
            compared(row, |comparison| Value::difference(comparison.difference))
        })
        .with(Column::number("p"), |row| compared(row, |comparison| Value::p(comparison.p_value)))
        .table;
    Table { below: legend(report).into_iter().collect(), ..table.keyed("accuracy").printed(Printed::Bare) }
}

/// What the marks before names on a terminal mean, if there are other systems than judges.
fn legend(report: &Report) -> Option<String> {
    let judge = match report.subject {
        Subject::OutOfFold(_) => "the ensemble",
        Subject::Models => "a model",
        Subject::Verdicts { .. } => "verdicts in a file",
    };
    let has = |role: Role| report.systems.iter().any(|row| row.role == role);
    let metric = if has(Role::BestMetric) { "best single metric, " } else { "" };
    let rivals = format!("to beat: {metric}majority label");
    let entries = [(Role::Subject, judge), (Role::Majority, &rivals), (Role::Baseline, "the baseline")];
    let entries = entries.into_iter().filter(|(role, _)| has(*role));
    let entries: Vec<String> = entries.map(|(role, what)| format!("{} {what}", role.mark())).collect();
    report.systems.iter().any(|row| row.role != Role::Subject).then(|| entries.join("  "))
}

/// Notes on how columns and figures were computed, one paragraph each.
fn notes(report: &Report) -> Vec<String> {
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
        Subject::Models if report.systems.iter().all(|row| row.role != Role::Subject) => String::new(),
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

/// A sentence for each system that the answer's subject is compared with, and for every two files of verdicts.
fn comparisons(report: &Report) -> Vec<String> {
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
    let outcome = match Outcome::new(found) {
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

/// Which gain of the answer's subject these pairs can show.
pub(super) fn power(report: &Report) -> Section<'_> {
    let note = "Power: the smallest gain in accuracy that these pairs show with a probability of 80% (p < 0.05), and how many \
                more would show a smaller one.";
    Section {
        answer: detectable(report).into_iter().collect(),
        notes: report.power.iter().map(|_| note.to_owned()).collect(),
        advice: report.power.as_ref().map(|power| label(power, report.unit())),
        ..Section::new("power", "Power")
    }
}

/// The power in a sentence.
fn detectable(report: &Report) -> Option<String> {
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

/// Whether more pairs of this kind would help.
fn label(power: &GainPower, unit: &str) -> String {
    let gain = 100.0 * power.gain;
    match power.more_groups {
        Some(0) => format!("Stop labelling for this comparison: gains of {gain:.1} points are detected."),
        Some(more) => {
            let more = pluralized(more, &format!("more {unit}"));
            format!("Label the pairs of about {more} to detect a gain of {gain:.1} points.")
        }
        None => format!("Use other data, or many more, to detect a gain of {gain:.1} points."),
    }
}

/// Whether to use the system at all.
fn advice(answer: &Answer) -> Option<String> {
    let system = &answer.system;
    if let Some(majority) = answer.majority.as_ref().filter(|_| !answer.is_useful()) {
        let accuracy = percent(majority.accuracy);
        return Some(format!(
            "Do not rely on {system} yet: it is not significantly better than always predicting the most frequent label \
             ({accuracy})."
        ));
    }
    let rival = answer.rival.as_ref()?;
    let name = rival.chosen.as_ref().map_or(&rival.name, |chosen| &chosen.name);
    Some(match (Outcome::new(&rival.comparison), rival.role) {
        (Outcome::Better, _) => {
            let gain = 100.0 * rival.comparison.difference;
            format!("Use {system} instead of {name}: its accuracy is {gain:.1} points higher.")
        }
        (Outcome::Worse, _) => format!("Use {name}: it is more accurate than {system} on these pairs."),
        (Outcome::Similar, Role::BestMetric) => {
            format!("Use {name}: {system} is not significantly better than the best single metric on these pairs.")
        }
        (Outcome::Similar, _) => {
            format!("Choose between {system} and {name} by cost: these pairs show no significant difference.")
        }
    })
}
