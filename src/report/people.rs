//! What a report says of annotators and of automatic judges: as data, as tables and in sentences.

use serde::Serialize;

use super::sections::interval;
use super::systems::{Role, Row, System};
use super::table::{Column, Table, Value, percent, short_p_value};
use super::{HUMAN, Report};
use crate::error::pluralized;
use crate::evaluation::{
    Agreement, AlternativeTest, Annotations, AnnotatorRow, Aspect, Classes, Confusion, Deviation, Estimate,
    JudgeStatistics, MIN_PAIRS, TwoAnnotators,
};
use crate::judgments::grouping::Groups;
use crate::judgments::{ExternalJudge, LabelSource, Pair, Verdict};

/// The most annotators, and pairs of them, that a table shows.
const MAX_SHOWN: usize = 10;

/// A judge prefers what is shown first if the interval of its share lies beyond one half by more than this.
const MIN_BIAS: f64 = 0.05;

/// The default of [`AlternativeTest::epsilon`].
pub const EPSILON: f64 = 0.2;

/// Several annotators of the same pairs, and what may replace one of them.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct AnnotatorReport {
    /// The number of pairs that several annotators judged.
    pub pairs: usize,
    /// Labels of annotators who had labelled the same pair before, which are left out.
    pub repeated: usize,
    /// The share of equal labels among all pairs of labels of the same pair.
    pub agreement: Estimate,
    /// Krippendorff's alpha for nominal labels; absent where all labels are equal.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub alpha: Option<Estimate>,
    /// Each annotator against the others.
    pub annotators: Vec<AnnotatorRow>,
    /// Every two annotators with common pairs.
    pub each_two: Vec<TwoAnnotators>,
    /// The alternative annotator test of each system.
    pub alternative: Vec<AlternativeRow>,
}

/// The alternative annotator test of one system.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct AlternativeRow {
    /// The system's name.
    pub system: String,
    /// The result.
    #[serde(flatten)]
    pub test: AlternativeTest,
}

/// A judge, with the name of its row.
pub type NamedJudge = (String, ExternalJudge);

/// The pairs of a report with their human labels and groups.
#[derive(Clone, Copy)]
pub struct Labelled<'p> {
    /// The pairs.
    pub pairs: &'p [&'p Pair],
    /// Their labels.
    pub labels: &'p [Verdict],
    /// Their groups.
    pub groups: &'p Groups,
}

impl Report {
    /// Adds what is known of the annotators, a row for one of them against the majority of the others, and what is to be
    /// known of each judge.
    pub fn with_people(
        mut self,
        labelled: Labelled<'_>,
        systems: &[System],
        judges: &[NamedJudge],
        epsilon: f64,
    ) -> Self {
        let Labelled { pairs, labels, groups } = labelled;
        let statistics = |(name, judge): &NamedJudge| {
            let found = JudgeStatistics::of(judge, pairs, labels, groups)?;
            Some(JudgeStatistics { name: name.clone(), ..found })
        };
        self.judges = judges.iter().filter_map(statistics).collect();
        let Some(annotations) = Annotations::of(pairs, labels, groups) else { return self };
        let Some(agreement) = annotations.agreement() else { return self };
        if pairs.iter().any(|pair| !pair.votes.is_empty()) {
            // Every row has the labels of all: the same pairs, of which one figure is enough.
            let found =
                Agreement { pairs: annotations.pairs(), judgments: annotations.judgments(), share: agreement.value };
            self.agreement = self.agreement.map(|_| found);
            self.answer = self.answer.map(|answer| answer.with_agreement(Some(found)));
        }
        self.systems.extend(annotations.human().map(|found| Row::human(found, annotations.confusion())));
        // Who says one label to all would pass where most labels are that one, and replaces nobody.
        let is_constant = |name: &str| self.row(name).is_some_and(|row| row.role == Role::Majority);
        let test = |system: &System| {
            let judge = judges.iter().find(|(name, _)| *name == system.name);
            let verdict = |(pair, verdict): (&&Pair, &Verdict)| match judge {
                Some((_, judge)) => judge.verdict(pair),
                None => Some(*verdict),
            };
            let verdicts: Vec<Option<Verdict>> = pairs.iter().zip(&system.verdicts).map(verdict).collect();
            let test = AlternativeTest::of(&annotations, &verdicts, epsilon)?;
            Some(AlternativeRow { system: system.name.clone(), test })
        };
        let others = systems.iter().filter(|system| !is_constant(&system.name));
        let mut alternative: Vec<AlternativeRow> = others.filter_map(test).collect();
        alternative.sort_by(|a, b| b.test.advantage_probability.total_cmp(&a.test.advantage_probability));
        self.annotators = Some(AnnotatorReport {
            pairs: annotations.pairs(),
            repeated: annotations.repeated,
            agreement,
            alpha: annotations.alpha(),
            annotators: annotations.each(),
            each_two: annotations.each_two(),
            alternative,
        });
        self
    }
}

/// The sections about people and judges.
pub(crate) fn tables(report: &Report) -> Vec<Table<'_>> {
    vec![annotators(report), each_two(report), alternative(report), judges(report)]
}

/// The annotators who stand out, then those with the most pairs.
pub(crate) fn annotators(report: &Report) -> Table<'_> {
    let mut rows: Vec<&AnnotatorRow> = report.annotators.iter().flat_map(|found| &found.annotators).collect();
    rows.sort_by_key(|row| (row.stands_out.is_empty(), std::cmp::Reverse(row.pairs)));
    Table::of("Annotators, each against the others", rows.into_iter().take(MAX_SHOWN))
        .with(Column::text("annotator").key("annotator"), |row| row.name.as_str())
        .with(Column::number("pairs").key("pairs").rank(2), |row| Value::count(row.pairs))
        .with(Column::number("agreement").key("agreement"), |row| Value::fraction(row.agreement.value))
        .with(interval().rank(1), |row| Value::interval(row.agreement.low, row.agreement.high))
        .with(Column::number("ties").key("ties"), |row| Value::fraction(row.ties.value))
        .with(Column::hidden("ties_low").key("ties_high"), |row| Value::interval(row.ties.low, row.ties.high))
        .with(Column::number("first").key("first"), |row| Value::fraction(row.first.value))
        .with(Column::hidden("first_low").key("first_high"), |row| Value::interval(row.first.low, row.first.high))
        .table
}

/// Every two annotators, those with the most common pairs first.
pub(crate) fn each_two(report: &Report) -> Table<'_> {
    let mut rows: Vec<&TwoAnnotators> = report.annotators.iter().flat_map(|found| &found.each_two).collect();
    rows.sort_by_key(|row| std::cmp::Reverse(row.pairs));
    Table::of("Every two annotators", rows.into_iter().take(MAX_SHOWN))
        .with(Column::text("annotator").key("one"), |row| row.one.as_str())
        .with(Column::text("and").key("other"), |row| row.other.as_str())
        .with(Column::number("pairs").key("pairs").rank(3), |row| Value::count(row.pairs))
        .with(Column::number("agreement").key("agreement"), |row| Value::fraction(row.agreement.value))
        .with(interval().rank(2), |row| Value::interval(row.agreement.low, row.agreement.high))
        .with(Column::number("kappa").key("kappa"), |row| {
            Value::or_undefined(row.kappa.map(|kappa| kappa.value), Value::fraction)
        })
        .with(Column::text("95% CI").key("kappa_low").key("kappa_high").rank(1), |row| {
            row.kappa.map_or(Value::Undefined, |kappa| Value::interval(kappa.low, kappa.high))
        })
        .table
}

/// The alternative annotator test of each system.
pub(crate) fn alternative(report: &Report) -> Table<'_> {
    let rows = report.annotators.iter().flat_map(|found| &found.alternative);
    let p_values = |row: &AlternativeRow| {
        let p = row.test.annotators.iter().take(MAX_SHOWN).map(|annotator| short_p_value(annotator.p_value));
        p.collect::<Vec<_>>().join(" ")
    };
    let epsilon =
        report.annotators.iter().flat_map(|found| &found.alternative).next().map_or(0.0, |row| row.test.epsilon);
    let caption = format!("May it replace an annotator? Alternative annotator test, epsilon {epsilon}");
    Table::of(caption, rows)
        .with(Column::text("system").key("system"), |row| row.system.as_str())
        .with(Column::number("winning rate").key("winning_rate"), |row| Value::fraction(row.test.winning_rate))
        .with(Column::number("advantage").key("advantage_probability"), |row| {
            Value::fraction(row.test.advantage_probability)
        })
        .with(Column::text("passes").key("passes"), |row| if row.test.passes { "yes" } else { "no" })
        .with(Column::text("p by annotator").key("p_values").rank(1), p_values)
        .table
}

/// The statistics of each judge: a row for each figure.
pub(crate) fn judges(report: &Report) -> Table<'_> {
    let is_human = report.labels_of.is_people();
    let figures = report.judges.iter().flat_map(|judge| {
        let first_shown = if judge.saw_both_orders() { "prefers what is shown first" } else { "prefers hypothesis 1" };
        let coverage = Estimate { value: judge.coverage, low: f64::NAN, high: f64::NAN };
        let rows = [
            ("accuracy", Some(judge.accuracy)),
            ("coverage", Some(coverage)),
            ("accuracy, hyp1 shown first", judge.accuracy_12),
            ("accuracy, hyp2 shown first", judge.accuracy_21),
            ("consistency", judge.consistency),
            ("both orders right", judge.both_orders_right),
            (first_shown, judge.first_shown),
            (
                if is_human { "longer text preferred, minus human" } else { "longer text preferred, minus labels" },
                judge.longer,
            ),
            (if is_human { "Cohen's kappa with human labels" } else { "Cohen's kappa with the labels" }, judge.kappa),
        ];
        let rows = rows.into_iter().filter_map(|(what, estimate)| Some((what, estimate?)));
        rows.enumerate().map(move |(at, (what, estimate))| (judge, at == 0, what, estimate)).collect::<Vec<_>>()
    });
    Table::of("Judges", figures)
        .with(Column::text("judge"), |(judge, is_first, ..)| if is_first { judge.name.as_str() } else { "" })
        .with(Column::hidden("judge"), |(judge, ..)| judge.name.as_str())
        .with(Column::text("figure").key("figure"), |(_, _, what, _)| what)
        .with(Column::number("value").key("value"), |(_, _, _, found)| Value::fraction(found.value))
        .with(interval(), |(_, _, _, found)| match found.low.is_nan() {
            // Coverage is counted, not estimated.
            true => Value::Empty,
            false => Value::interval(found.low, found.high),
        })
        .table
}

/// What the figures of annotators and judges mean, one paragraph each.
pub(super) fn findings(report: &Report) -> Vec<String> {
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
pub(super) fn prefers_first(judge: &JudgeStatistics) -> bool {
    judge.saw_both_orders() && judge.first_shown_decided.is_some_and(|first| first.low > 0.5 + MIN_BIAS)
}

/// Whether a judge's agreement with human labels is more than that of chance: whether the interval of kappa lies above 0.
pub(super) fn beats_chance(judge: &JudgeStatistics) -> bool {
    judge.kappa.is_some_and(|kappa| kappa.low > 0.0)
}

/// Warnings of what a judge prefers for no good reason.
fn about(judge: &JudgeStatistics, labels_of: &LabelSource) -> Vec<String> {
    let (name, mut found) = (&judge.name, Vec::new());
    if let Some(kappa) = judge.kappa.filter(|_| !beats_chance(judge)) {
        let is = if kappa.high < 0.0 { "significantly below" } else { "not significantly above" };
        found.push(format!("{name}: agreement with human labels is {is} chance: Cohen's kappa {}", written(kappa)));
    }
    let first_shown = if judge.saw_both_orders() { judge.first_shown_decided } else { judge.first_shown };
    match (first_shown, judge.consistency) {
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
        (Some(first), None) if !judge.saw_both_orders() => {
            if first.low > judge.labels_first + 2.0 * MIN_BIAS {
                found.push(format!(
                    "{name} prefers hypothesis 1 in {} of the pairs that it judged; {} of these do in {}",
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

impl Row {
    /// The row of one annotator against the majority of the others.
    pub(super) fn human(found: Estimate, confusion: Confusion) -> Self {
        let classes = Classes::of(&confusion);
        Self {
            name: HUMAN.to_owned(),
            role: Role::Human,
            accuracy: found.value,
            coverage: None,
            low: found.low,
            high: found.high,
            chance: confusion.chance(),
            decided_without_ties: None,
            kendall_tau: confusion.kendall_tau(),
            classes,
            confusion,
            calibration: None,
            with_ties: None,
            chosen: None,
            same_as: None,
            against: None,
            against_baseline: None,
        }
    }
}
