//! The report of the `correlate` command: how metrics agree with people.

use anstyle::Style;
use serde::{Serialize, Serializer};

use super::Section;
use super::table::{Cell, Column, Printed, Table, Value, short_p_value};
use super::terminal::{GREEN, Terminal};
use crate::error::{pluralized, truncated};
use crate::evaluation::Estimate;
use crate::evaluation::meta::{Level, MetricReplicates, RowAgreement, SegmentAgreement, SystemAgreement, TestSettings};
use crate::evaluation::ranking::LEVEL;

/// The most metrics for which all p-values are shown; with more, each metric is only compared with the next one.
const MAX_IN_MATRIX: usize = 13;

/// The report of the `correlate` command: how metrics agree with people.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct AgreementReport {
    /// The column with people's scores.
    pub people: String,
    /// The part of the table that it is of, if it is divided by a column.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub part: Option<String>,
    /// The number of systems.
    pub systems: usize,
    /// The number of segments of each system.
    pub segments: usize,
    /// The number of cells that people did not judge, which are left out.
    pub missing: usize,
    /// The test between metrics.
    pub test: TestReport,
    /// How intervals were found; absent without rounds.
    pub intervals: Option<IntervalsReport>,
    /// The metrics, sorted by the tested statistic, the best first.
    pub metrics: Vec<MetricAgreement>,
    /// Each metric against each later one.
    pub differences: Vec<Difference>,
    /// Further notes, one line each.
    pub notes: Vec<String>,
}

/// The settings of a test between metrics.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct TestReport {
    /// The name of the method.
    pub method: &'static str,
    /// The name of the compared statistic.
    pub statistic: &'static str,
    /// The largest number of rounds.
    pub rounds: usize,
    /// The seed for the rounds.
    pub seed: u64,
}

impl From<TestSettings> for TestReport {
    fn from(settings: TestSettings) -> Self {
        let TestSettings { statistic, rounds, seed } = settings;
        Self { method: "PERM-BOTH", statistic: statistic.name(), rounds, seed }
    }
}

/// How 95% intervals were found.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct IntervalsReport {
    /// The name of the method.
    pub method: &'static str,
    /// The number of resamples.
    pub rounds: usize,
    /// What is resampled for statistics over segments.
    pub segments: &'static str,
    /// What is resampled for statistics over systems.
    pub systems: &'static str,
}

impl IntervalsReport {
    /// So many resamples.
    pub fn of(rounds: usize) -> Self {
        Self { method: "BCa bootstrap", rounds, segments: "segments", systems: "systems" }
    }
}

/// The 95% intervals of a metric's statistics, by name; absent where there are fewer than five segments or systems, or where all
/// resamples are the same.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct MetricIntervals {
    /// Over all cells at once.
    pub none: Estimates,
    /// Over the segments of each system, averaged.
    pub sys: Estimates,
    /// Over the systems of each segment, averaged.
    pub item: Estimates,
    /// `kendall_like_1` and so on, by threshold.
    #[serde(flatten)]
    pub kendall_like: Estimates,
    /// Over the means of systems.
    pub system_level: Estimates,
}

impl MetricIntervals {
    /// Of these replicates; `thresholds` are those of the Kendall-like statistics.
    pub fn new(found: &MetricReplicates, thresholds: &[f64]) -> Self {
        let of = |wanted: Level| {
            let of_level = found.iter().filter(|(level, ..)| *level == wanted);
            Estimates(of_level.filter_map(|(_, name, found)| Some(((*name).to_owned(), found.estimate()?))).collect())
        };
        let like = thresholds.iter().zip(found.kendall_like());
        let like =
            like.filter_map(|(threshold, found)| Some((kendall_like_key(*threshold), found.as_ref()?.estimate()?)));
        let kendall_like = Estimates(like.collect());
        Self {
            none: of(Level::None),
            sys: of(Level::Each),
            item: of(Level::Item),
            kendall_like,
            system_level: of(Level::System),
        }
    }
}

/// The key of a Kendall-like statistic.
fn kendall_like_key(threshold: f64) -> String {
    format!("kendall_like_{threshold}")
}

/// Statistics with their intervals, by name, in order.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Estimates(pub Vec<(String, Estimate)>);

impl Serialize for Estimates {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.iter().map(|(name, estimate)| (name, estimate)))
    }
}

impl Estimates {
    /// The interval of that name.
    pub fn get(&self, name: &str) -> Option<Estimate> {
        self.0.iter().find(|(known, _)| *known == name).map(|(_, estimate)| *estimate)
    }
}

/// One metric's agreement with people.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct MetricAgreement {
    /// Its column in the table, or its name in the registry.
    pub name: String,
    /// Whether lower scores are better, so that scores were negated.
    pub lower_is_better: bool,
    /// The tested statistic.
    pub statistic: Option<f64>,
    /// The cluster, from 1, in which no metric is significantly worse than another; absent for metrics that cannot be
    /// tested.
    pub cluster: Option<usize>,
    /// Segment-level agreement.
    pub segments: SegmentValues,
    /// System-level agreement; absent for a single system, and where people did not judge every cell.
    pub system_level: Option<Values>,
    /// 95% intervals; absent without rounds.
    pub intervals: Option<MetricIntervals>,
}

/// Segment-level agreement with people.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct SegmentValues {
    /// Over all cells at once.
    pub none: Values,
    /// Over the segments of each system, averaged.
    pub sys: Values,
    /// Over the systems of each segment, averaged.
    pub item: Values,
    /// `kendall_like_1` and so on, by threshold.
    #[serde(flatten)]
    pub kendall_like: Values,
}

/// Statistics by name, in order; null where one is undefined.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Values(pub Vec<(String, Option<f64>)>);

impl Values {
    fn new<const N: usize>(values: [(&str, Option<f64>); N]) -> Self {
        Self(values.map(|(name, value)| (name.to_owned(), value)).into())
    }

    /// The value of that name.
    pub fn get(&self, name: &str) -> Option<f64> {
        self.0.iter().find(|(known, _)| known == name).and_then(|(_, value)| *value)
    }
}

impl Serialize for Values {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.iter().map(|(name, value)| (name, value)))
    }
}

/// A test of two metrics.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Difference {
    /// The metric with the higher statistic.
    pub better: String,
    /// The metric with the lower statistic.
    pub worse: String,
    /// By how much it is higher.
    pub difference: f64,
    /// The 95% interval of the difference, both metrics resampled together; absent without rounds, or with fewer than five
    /// segments or systems.
    pub interval: Option<[f64; 2]>,
    /// The one-sided p-value of the difference, in [0, 1].
    pub p_value: f64,
    /// The number of rounds that were run.
    pub rounds: usize,
}

impl SegmentValues {
    /// Names the values; `thresholds` are those of the Kendall-like statistics.
    pub fn new(agreement: &SegmentAgreement, thresholds: &[f64]) -> Self {
        let named = |(threshold, value): (&f64, &Option<f64>)| (kendall_like_key(*threshold), *value);
        Self {
            none: row(&agreement.none),
            sys: row(&agreement.system),
            item: row(&agreement.item),
            kendall_like: Values(thresholds.iter().zip(&agreement.kendall_like).map(named).collect()),
        }
    }
}

fn row(found: &RowAgreement) -> Values {
    Values::new([
        ("kendall_b", found.kendall_b),
        ("kendall_c", found.kendall_c),
        ("kendall_10", found.kendall_10),
        ("kendall_13", found.kendall_13),
        ("kendall_14", found.kendall_14),
        ("kendall_23", found.kendall_23),
        ("kendall_acc23", found.accuracy),
        ("pearson", found.pearson),
        ("spearman", found.spearman),
        ("acc23_optimised", found.optimised.map(|optimised| optimised.accuracy)),
        ("acc23_threshold", found.optimised.map(|optimised| optimised.threshold)),
    ])
}

/// The key of soft pairwise accuracy, which names the settings of its random draws.
pub fn soft_pairwise_accuracy_key(permutations: usize, seed: u64) -> String {
    format!("soft_pairwise_accuracy_{permutations}_permutations_seed_{seed}")
}

/// Names the system-level statistics; `soft` is the key of soft pairwise accuracy.
pub fn system_values(found: &SystemAgreement, soft: &str) -> Values {
    Values::new([
        ("pairwise_accuracy", found.pairwise_accuracy),
        (soft, found.soft_pairwise_accuracy),
        ("pearson", found.pearson),
        ("spearman", found.spearman),
        ("kendall_b", found.kendall_b),
    ])
}

/// What the columns hold, in two lines.
const LEGEND: [&str; 2] = [
    "tau_14: concordant minus discordant pairs, of those that human scores order; a metric's tie counts as a guess",
    "acc23*: share of pairs ordered as by human scores, ties included, at the best tie threshold; all in JSON",
];

const SEGMENT: &str = "by segment";
const ALL: &str = "all segments";
const SYSTEMS: &str = "systems";

impl AgreementReport {
    /// The report as text, no wider than the terminal where possible.
    pub fn to_text(&self, terminal: Terminal) -> String {
        let [statistics, tests] = self.both();
        let mut text = String::new();
        text.extend(statistics.answer.iter().map(|line| terminal.paragraph(line)));
        text.extend(statistics.printed_tables(terminal).iter().map(|table| format!("\n{table}")));
        if !self.differences.is_empty() {
            text.push('\n');
            text.extend(tests.answer.iter().map(|line| terminal.paragraph(line)));
            text.extend(tests.printed_tables(terminal));
        }
        text.extend(self.notes.iter().map(|note| terminal.paragraph(&format!("note: {note}"))));
        text
    }

    /// The statistics of each metric, and the tests between metrics.
    pub fn sections(&self) -> [Section<'_>; 2] {
        self.both()
    }

    /// The column of human scores, and the part of the table.
    pub(super) fn about(&self) -> String {
        let part = self.part.as_ref().map(|part| format!(", {part}"));
        format!("{}{}", self.people, part.unwrap_or_default())
    }

    /// The tested statistic of a metric.
    pub(super) fn statistic(&self, name: &str) -> Option<f64> {
        self.metrics.iter().find(|metric| metric.name == name).and_then(|metric| metric.statistic)
    }

    fn both(&self) -> [Section<'_>; 2] {
        let (systems, segments) = (pluralized(self.systems, "system"), pluralized(self.segments, "segment"));
        let missing = if self.missing > 0 { format!(", {} of them missing", self.missing) } else { String::new() };
        let part = self.part.as_ref().map(|part| format!("{part}: ")).unwrap_or_default();
        let mut notes: Vec<String> = LEGEND.map(str::to_owned).into();
        let lower = self.metrics.iter().filter(|metric| metric.lower_is_better);
        let lower: Vec<String> = lower.map(|metric| truncated(&metric.name)).collect();
        if !lower.is_empty() {
            notes.push(format!("negated because lower is better: {}", lower.join(", ")));
        }
        let clusters = "Numbers before names are clusters; within a cluster, no metric is significantly worse than \
                        another (p <= 0.05)";
        let statistics = Section {
            answer: vec![format!("{part}{systems}, {segments}; human scores: {}{missing}", self.people)],
            tables: [Some(self.statistics().keyed("statistics").printed(Printed::Bare)), self.intervals()]
                .into_iter()
                .flatten()
                .collect(),
            notes,
            ..Section::new("statistics", "Agreement with human scores")
        };
        let tests = Section {
            answer: vec![clusters.to_owned()],
            tables: vec![self.tests().keyed("tests")],
            ..Section::new("tests", "Tests between metrics")
        };
        [statistics, tests]
    }

    /// The statistics of each metric; the green ones are in the first cluster.
    fn statistics(&self) -> Table<'_> {
        let style = |metric: &MetricAgreement| if metric.cluster == Some(1) { GREEN } else { Style::new() };
        let number = |name: &str, over, rank| Column::number(name).over(over).rank(rank);
        let of_systems = |metric: &MetricAgreement, at: usize| {
            rounded(metric.system_level.as_ref().and_then(|values| values.0.get(at)?.1))
        };
        Table::builder("", &self.metrics)
            .with(Column::number("").named("cluster"), |metric| {
                Cell::from(metric.cluster.map_or(Value::Undefined, Value::count)).styled(style(metric))
            })
            .with(Column::text("metric"), |metric| Cell::from(truncated(&metric.name)).styled(style(metric)))
            .with(Column::number("tau_14").over(SEGMENT), |metric| rounded(metric.segments.item.get("kendall_14")))
            .with(number("acc23*", SEGMENT, 3), |metric| rounded(metric.segments.item.get("acc23_optimised")))
            // Thresholds are on the metric's own scale.
            .with(Column::number("threshold").over(SEGMENT).rank(6), |metric| {
                Value::or_undefined(metric.segments.item.get("acc23_threshold"), Value::number)
            })
            .with(number("tau_b", SEGMENT, 10), |metric| rounded(metric.segments.item.get("kendall_b")))
            .with(number("Pearson", SEGMENT, 9), |metric| rounded(metric.segments.item.get("pearson")))
            .with(number("Pearson", ALL, 2), |metric| rounded(metric.segments.none.get("pearson")))
            .with(number("Spearman", ALL, 5), |metric| rounded(metric.segments.none.get("spearman")))
            .with(number("tau_b", ALL, 7), |metric| rounded(metric.segments.none.get("kendall_b")))
            .with(number("acc", SYSTEMS, 4), |metric| of_systems(metric, 0))
            .with(number("soft", SYSTEMS, 1), |metric| of_systems(metric, 1))
            .with(number("Pearson", SYSTEMS, 8), |metric| of_systems(metric, 2))
            .with(number("tau_b", SYSTEMS, 11), |metric| of_systems(metric, 4))
            .table
    }

    /// The 95% intervals of each metric's statistics.
    fn intervals(&self) -> Option<Table<'_>> {
        let IntervalsReport { method, rounds, .. } = self.intervals.as_ref()?;
        let caption = format!(
            "95% intervals ({method}, {rounds} resamples: of segments, and of systems for statistics of systems)"
        );
        let column = |name: &str, over, rank| Column::text(name).over(over).range().rank(rank);
        let ends = |level: fn(&MetricIntervals) -> &Estimates, name: &'static str| {
            move |metric: &MetricAgreement| {
                let found = metric.intervals.as_ref().and_then(|intervals| level(intervals).get(name));
                found.map_or(Value::Undefined, |Estimate { low, high, .. }| {
                    Value::Interval(format!("{low:.3} to {high:.3}"), [low, high])
                })
            }
        };
        let [item, none, systems]: [fn(&MetricIntervals) -> &Estimates; 3] =
            [|found| &found.item, |found| &found.none, |found| &found.system_level];
        let mut table = Table::builder(caption, &self.metrics)
            .with(Column::text("metric"), |metric| truncated(&metric.name))
            .with(column("tau_14", SEGMENT, 0), ends(item, "kendall_14"))
            .with(column("acc23*", SEGMENT, 3), ends(item, "acc23_optimised"))
            .with(column("tau_b", SEGMENT, 7), ends(item, "kendall_b"))
            .with(column("Pearson", SEGMENT, 6), ends(item, "pearson"))
            .with(column("Pearson", ALL, 1), ends(none, "pearson"));
        let has_systems = |intervals: &MetricIntervals| !intervals.system_level.0.is_empty();
        if self.metrics.iter().filter_map(|metric| metric.intervals.as_ref()).any(has_systems) {
            table = table
                .with(column("acc", SYSTEMS, 4), ends(systems, "pairwise_accuracy"))
                .with(column("soft", SYSTEMS, 5), ends(systems, "soft_pairwise_accuracy"))
                .with(column("Pearson", SYSTEMS, 2), ends(systems, "pearson"))
                .with(column("tau_b", SYSTEMS, 8), ends(systems, "kendall_b"));
        }
        Some(table.table.keyed("intervals"))
    }

    /// The tests between metrics: all p-values, or those of neighbours where there are many.
    fn tests(&self) -> Table<'_> {
        let TestReport { method, statistic, rounds, seed } = &self.test;
        let caption = format!(
            "One-sided p-values: the row's {statistic} is higher than the column's ({method}, at most {rounds} rounds, \
             seed {seed})"
        );
        let tested: Vec<&MetricAgreement> = self.metrics.iter().filter(|metric| metric.cluster.is_some()).collect();
        if tested.len() > MAX_IN_MATRIX {
            let table = Table::builder(caption, tested.windows(2))
                .with(Column::text("better"), |pair| truncated(&pair[0].name))
                .with(Column::number("p"), |pair| self.p_value(pair[0], pair[1]))
                .with(Column::text("worse"), |pair| truncated(&pair[1].name));
            return Table { below: vec!["JSON has the p-values of all pairs of metrics".to_owned()], ..table.table };
        }
        let names = tested.iter().map(|metric| truncated(&metric.name).into());
        Table::square(caption, names, 0, |better, worse| match better < worse {
            true => self.p_value(tested[better], tested[worse]),
            false => Value::Empty.into(),
        })
    }

    /// The p-value of one metric against a worse one; painted if it is significant.
    fn p_value(&self, better: &MetricAgreement, worse: &MetricAgreement) -> Cell<'static> {
        let is_theirs = |found: &&Difference| found.better == better.name && found.worse == worse.name;
        let Some(found) = self.differences.iter().find(is_theirs) else { return Value::Empty.into() };
        let style = if found.p_value <= LEVEL { GREEN } else { Style::new() };
        Cell::from(Value::Number(short_p_value(found.p_value), found.p_value)).styled(style)
    }
}

fn rounded(value: Option<f64>) -> Value<'static> {
    Value::or_undefined(value, |value| Value::Number(format!("{value:.3}"), value))
}
