//! Annotators and automatic judges: how far they agree, who stands out, and what may replace an annotator.

use super::{
    Answer, Column, Estimate, LabelSource, Report, Section, Table, Value, interval, percent, pluralized, short_p_value,
};
use crate::evaluation::{Agreement, AnnotatorRow, Aspect, Deviation, JudgeStatistics, MIN_PAIRS, TwoAnnotators};
use crate::report::people::{AlternativeRow, JudgeRow};
use crate::report::table::TableBuilder;

/// The most annotators, and pairs of them, that a table shows.
const MAX_SHOWN: usize = 10;

/// A judge prefers what is shown first if the interval of its share lies beyond one half by more than this.
const MIN_BIAS: f64 = 0.05;

/// Annotators and judges.
pub(super) fn people(report: &Report) -> Section<'_> {
    let tables =
        vec![annotators(report), annotator_pairs(report), alternative(report), judges(report), judges_by_order(report)];
    let mut answer: Vec<String> = agreement(report).into_iter().collect();
    answer.extend(findings(report));
    let note = match report.agreement {
        Some(_) => "Human-human agreement: the share of equal labels among all pairs of labels of the same pair.",
        None => "Human-human agreement is unknown: fewer than 20 pairs have labels of several annotators.",
    };
    let has_tables = tables.iter().any(|table| !table.rows.is_empty());
    let is_bare = report.details.is_some() && !has_tables;
    let of_answer = |answer: &Answer| agreement_advice(answer, &report.labels_of);
    Section {
        answer,
        tables,
        notes: if is_bare { vec![note.to_owned()] } else { Vec::new() },
        advice: advice(report).or_else(|| report.answer.as_ref().map(of_answer)),
        ..Section::new("people", "Annotators and judges")
    }
}

/// Human-human agreement.
fn agreement(report: &Report) -> Option<String> {
    report.agreement.map(|Agreement { pairs, judgments, share }| {
        format!("Human-human agreement {share:.4} ({judgments} judgments of {pairs} pairs with several annotators)")
    })
}

/// The annotators who stand out, then those with the most pairs.
fn annotators(report: &Report) -> Table<'_> {
    let mut rows: Vec<&AnnotatorRow> = report.annotators.iter().flat_map(|one| &one.annotators).collect();
    rows.sort_by_key(|row| (row.stands_out.is_empty(), std::cmp::Reverse(row.pairs)));
    Table::builder("Annotators, each against the others", rows.into_iter().take(MAX_SHOWN))
        .with(Column::text("annotator"), |row| row.name.as_str())
        .with(Column::number("pairs").rank(2), |row| Value::count(row.pairs))
        .with(Column::number("agreement"), |row| Value::fraction(row.agreement.value))
        .with(interval(1), |row| Value::interval(row.agreement.low, row.agreement.high))
        .with(Column::number("ties"), |row| Value::fraction(row.ties.value))
        .with(Column::number("first"), |row| Value::fraction(row.first.value))
        .table
        .keyed("annotators")
}

/// Every two annotators, those with the most common pairs first.
fn annotator_pairs(report: &Report) -> Table<'_> {
    let mut rows: Vec<&TwoAnnotators> = report.annotators.iter().flat_map(|one| &one.pairwise).collect();
    rows.sort_by_key(|row| std::cmp::Reverse(row.pairs));
    Table::builder("Every two annotators", rows.into_iter().take(MAX_SHOWN))
        .with(Column::text("annotator").named("one"), |row| row.one.as_str())
        .with(Column::text("and").named("other"), |row| row.other.as_str())
        .with(Column::number("pairs").rank(3), |row| Value::count(row.pairs))
        .with(Column::number("agreement"), |row| Value::fraction(row.agreement.value))
        .with(interval(2), |row| Value::interval(row.agreement.low, row.agreement.high))
        .with(Column::number("kappa"), |row| Value::or_undefined(row.kappa.map(|kappa| kappa.value), Value::fraction))
        .with(interval(1), |row| row.kappa.map_or(Value::Undefined, |kappa| Value::interval(kappa.low, kappa.high)))
        .table
        .keyed("annotator_pairs")
}

/// The alternative annotator test of each system.
fn alternative(report: &Report) -> Table<'_> {
    alternative_tests(report.annotators.as_ref().map(|one| one.alternative.as_slice()).unwrap_or_default())
}

/// The alternative annotator tests of some systems.
pub(in crate::report) fn alternative_tests(rows: &[AlternativeRow]) -> Table<'_> {
    let p_values = |row: &AlternativeRow| {
        let p = row.test.annotators.iter().take(MAX_SHOWN).map(|annotator| short_p_value(annotator.p_value));
        p.collect::<Vec<_>>().join(" ")
    };
    let epsilon = rows.first().map_or(0.0, |row| row.test.epsilon);
    let caption = format!("May it replace an annotator? Alternative annotator test, epsilon {epsilon}");
    Table::builder(caption, rows)
        .with(Column::text("system"), |row| row.system.as_str())
        .with(Column::number("winning rate"), |row| Value::fraction(row.test.winning_rate))
        .with(Column::number("advantage"), |row| Value::fraction(row.test.advantage_probability))
        .with(Column::text("passes"), |row| if row.test.passes { "yes" } else { "no" })
        .with(Column::text("p by annotator").rank(1), p_values)
        .table
        .keyed("alternative_test")
}

/// The statistics of each judge.
fn judges(report: &Report) -> Table<'_> {
    let minus =
        if report.labels_of.is_people() { "prefers longer, minus human" } else { "prefers longer, minus labels" };
    Table::builder("Judges", &report.judges)
        .with(Column::text("judge"), |row| row.name.as_str())
        .estimated(Column::number("accuracy"), 1, |judge| Some(judge.accuracy))
        .with(Column::number("coverage"), |row| Value::fraction(row.statistics.coverage))
        .estimated(Column::number("kappa"), 2, |judge| judge.kappa)
        .estimated(Column::number(minus).named("longer_preferred"), 3, |judge| judge.longer)
        .estimated(Column::number("prefers hyp1"), 4, |judge| judge.first_shown.filter(|_| !judge.saw_both_orders()))
        .table
        .keyed("judges")
        .continued(1)
}

/// How the verdicts of each judge depend on the order of the hypotheses, if it saw both.
fn judges_by_order(report: &Report) -> Table<'_> {
    let both = report.judges.iter().filter(|judge| judge.statistics.saw_both_orders());
    let share = |estimate: Option<Estimate>| Value::or_empty(estimate.map(|share| share.value), Value::fraction);
    Table::builder("Judges and the order of the hypotheses", both)
        .with(Column::text("judge"), |row| row.name.as_str())
        .with(Column::number("accuracy, hyp1 first").named("accuracy_12"), |row| share(row.statistics.accuracy_12))
        .with(Column::number("accuracy, hyp2 first").named("accuracy_21"), |row| share(row.statistics.accuracy_21))
        .estimated(Column::number("consistency"), 4, |judge| judge.consistency)
        .estimated(Column::number("both orders right"), 2, |judge| judge.both_orders_right)
        .estimated(Column::number("right if consistent").named("consistent_accuracy"), 3, |judge| {
            judge.consistent_accuracy
        })
        .estimated(Column::number("prefers what is first").named("first_shown"), 1, |judge| judge.first_shown)
        .table
        .keyed("judges_by_order")
        .continued(1)
}

impl<'r> TableBuilder<'r, &'r JudgeRow> {
    /// Adds a column of estimates, and one of their intervals, with its rank on a narrow terminal.
    fn estimated(self, column: Column, rank: u8, of: impl Fn(&JudgeStatistics) -> Option<Estimate>) -> Self {
        self.with(column, |row| Value::or_empty(of(&row.statistics).map(|found| found.value), Value::fraction))
            .with(interval(rank), |row| {
                of(&row.statistics).map_or(Value::Empty, |found| Value::interval(found.low, found.high))
            })
    }
}

/// What the figures of annotators and judges mean, one paragraph each.
fn findings(report: &Report) -> Vec<String> {
    let mut findings = Vec::new();
    if let Some(found) = &report.annotators {
        let alpha = found.alpha.map_or(String::new(), |alpha| format!("; Krippendorff's alpha {}", written(alpha)));
        let people = found.annotators.len();
        findings.push(format!(
            "{people} annotators agree in {} of their labels of the same pair{alpha}",
            share(found.agreement)
        ));
        if found.repeated > 0 {
            let labels = pluralized(found.repeated, "label");
            findings.push(format!("{labels} skipped: the annotator had labelled the same pair before"));
        }
        if found.alternative.is_empty() {
            findings.push(format!(
                "No alternative annotator test: it needs {MIN_PAIRS} pairs with labels of an annotator and of others, found {}",
                found.pairs
            ));
        }
        for row in &found.annotators {
            findings.extend(row.stands_out.iter().map(|deviation| stands_out(&row.name, deviation)));
        }
    }
    findings.extend(report.judges.iter().flat_map(|judge| about(judge, &report.labels_of)));
    findings
}

fn written(found: Estimate) -> String {
    format!("{:.3} (95% CI {:.3} to {:.3})", found.value, found.low, found.high)
}

fn share(found: Estimate) -> String {
    format!("{} (95% CI {} to {})", percent(found.value), percent(found.low), percent(found.high))
}

fn stands_out(name: &str, Deviation { by, own, others }: &Deviation) -> String {
    let [own, others] = [*own, *others].map(percent);
    match by {
        Aspect::Agreement => format!(
            "{name} stands out: agrees with the others in {own} of the labels, these among themselves in {others}"
        ),
        Aspect::Ties => format!("{name} stands out: {own} of their labels are ties, {others} of the others'"),
        Aspect::First => {
            format!("{name} stands out: prefers hypothesis 1 in {own} of the pairs, the others in {others}")
        }
    }
}

/// Whether a judge that saw both orders prefers what is shown first.
fn prefers_first(judge: &JudgeStatistics) -> bool {
    judge.saw_both_orders() && judge.first_shown_decided.is_some_and(|first| first.low > 0.5 + MIN_BIAS)
}

/// Whether a judge's agreement with human labels is more than that of chance: whether the interval of kappa lies above 0.
fn beats_chance(judge: &JudgeStatistics) -> bool {
    judge.kappa.is_some_and(|kappa| kappa.low > 0.0)
}

/// Warnings of what a judge prefers for no good reason.
fn about(JudgeRow { name, statistics: judge, .. }: &JudgeRow, labels_of: &LabelSource) -> Vec<String> {
    let mut found = Vec::new();
    if let Some(kappa) = judge.kappa.filter(|_| !beats_chance(judge)) {
        let is = if kappa.high < 0.0 { "significantly below" } else { "not significantly above" };
        found.push(format!("{name}: agreement with human labels is {is} chance: Cohen's kappa {}", written(kappa)));
    }
    match (judge.first_shown_decided, judge.consistency) {
        (Some(first), Some(consistency)) if prefers_first(judge) => found.push(format!(
            "{name} prefers what is shown first: {} of its preferences; its verdicts in the two orders agree on {} of the \
             pairs (consistency)",
            share(first),
            percent(consistency.value)
        )),
        (Some(first), Some(consistency))
            if first.high < 0.5 - MIN_BIAS && consistency.value < 1.0 - MIN_BIAS => found.push(format!(
            "{name} prefers what is shown second: only {} of its preferences are for what is shown first",
            share(first)
        )),
        // Neither place is preferred, and yet the orders agree less often than three verdicts would by chance.
        (_, Some(consistency)) if consistency.high < 1.0 / 3.0 => found.push(format!(
            "{name}: the verdicts in the two orders disagree on {} of the pairs, more often than by chance; if they name the place that was \
             shown, first or second, let {name}.21 name the text instead",
            percent(1.0 - consistency.value)
        )),
        (Some(first), None) if !judge.saw_both_orders() => {
            if first.low > judge.labels_first + 2.0 * MIN_BIAS {
                found.push(format!(
                    "{name} prefers hypothesis 1 in {} of its preferences; {} of these pairs in {} of theirs",
                    share(first),
                    labels_of.labels(),
                    percent(judge.labels_first)
                ));
            }
            found.push(format!(
                "{name}: only one order is known, so that position bias cannot be measured; let it judge each pair in both \
                 orders (columns {name}.12 and {name}.21)"
            ));
        }
        _ => {}
    }
    if let Some(longer) = judge.longer.filter(|longer| longer.low > MIN_BIAS) {
        let [value, low, high] = [longer.value, longer.low, longer.high].map(|share| 100.0 * share);
        found.push(format!(
            "{name} prefers the longer text {value:.1} points (95% CI {low:.1} to {high:.1}) more often than {} do",
            labels_of.labels()
        ));
    }
    if judge.missing > 0 {
        found.push(format!(
            "{name}: {} skipped (coverage {}); in an ensemble they are neutral",
            pluralized(judge.missing, "missing verdict"),
            percent(judge.coverage)
        ));
    }
    found
}

/// Whose labels to look at, and how to ask judges.
fn advice(report: &Report) -> Option<String> {
    let annotators = report.annotators.iter().flat_map(|one| &one.annotators);
    if let Some(row) = annotators.into_iter().find(|row| !row.stands_out.is_empty()) {
        return Some(format!("Check the labels of {} before you rely on the majority.", row.name));
    }
    let passing = report.annotators.iter().flat_map(|one| &one.alternative).find(|row| row.test.passes);
    if let Some(row) = passing {
        return Some(format!("{} may replace an annotator on pairs such as these.", row.system));
    }
    let useless: Vec<&str> = report
        .judges
        .iter()
        .filter(|judge| !beats_chance(&judge.statistics))
        .map(|judge| judge.name.as_str())
        .collect();
    if !useless.is_empty() {
        let names = useless.join(", ");
        return Some(format!(
            "Do not rely on {names} alone: agreement with human labels is not significantly above chance."
        ));
    }
    if let Some(judge) = report.judges.iter().find(|judge| !judge.statistics.saw_both_orders()) {
        return Some(format!("Let {} judge each pair in both orders of the hypotheses.", judge.name));
    }
    let biased = report.judges.iter().find(|judge| prefers_first(&judge.statistics))?;
    let first = percent(biased.statistics.first_shown_decided?.value);
    let name = &biased.name;
    Some(format!("Keep asking {name} in both orders: {first} of its preferences are for the hypothesis shown first."))
}

/// How the accuracy compares with human-human agreement.
fn agreement_advice(answer: &Answer, labels_of: &LabelSource) -> String {
    match answer.agreement {
        Some(people) if answer.accuracy < people => format!(
            "Improve {}: human-human agreement ({}) is {:.1} points higher than its accuracy.",
            answer.subject(),
            percent(people),
            100.0 * (people - answer.accuracy)
        ),
        Some(people) => format!(
            "Improve the labels before {}: its accuracy has reached human-human agreement ({}).",
            answer.subject(),
            percent(people)
        ),
        None if !labels_of.is_people() => {
            format!(
                "Have people label some of the pairs: what agrees with the {} may not agree with them.",
                labels_of.labels()
            )
        }
        None => {
            "Have several annotators label the same pairs: too few have two labels to measure human-human agreement."
                .to_owned()
        }
    }
}
