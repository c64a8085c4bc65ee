//! The pass rate or mean score of each system, and which of them differ: as data, and as sections.

use serde::Serialize;

use super::requirement::Decision;
use super::section::Section;
use super::table::{Cell, Column, Printed, Table, Value, percent};
use super::{Terminal, sections, text};
use crate::error::{Result, pluralized};
use crate::evaluation::{Budget, Estimate};
use crate::judgments::LabelSource;
use crate::judgments::output::{LabelRange, Marks};

/// The most differences between neighbours that are told.
const MAX_TOLD: usize = 3;

/// A ranking of systems by the labels of single outputs.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct OutputRanking {
    /// The name of the file or frame.
    pub name: String,
    /// Whose marks systems are ranked by, in words.
    pub by: String,
    /// The judge whose values are used.
    pub judge: Option<String>,
    /// Whether labels are weighted by the probabilities with which they were drawn.
    pub is_weighted: bool,
    /// What labels are.
    pub marks: Marks,
    /// The least and the greatest label, or value of the judge where systems are ranked by it.
    pub range: LabelRange,
    /// The number of outputs.
    pub outputs: usize,
    /// The number of outputs with a label or a value that counts.
    pub counted: usize,
    /// How many of them have a label.
    pub labels: usize,
    /// The number of groups, over which intervals are.
    pub groups: usize,
    /// What the outputs of a group share.
    pub unit: &'static str,
    /// The mean over all outputs.
    pub all: MeanRow,
    /// The systems, the best first.
    pub systems: Vec<MeanRow>,
    /// Every two systems, in the order of the systems.
    pub differences: Vec<MeanDifference>,
    /// The pass rate of the outputs without a label by the judge's rates on the others, see
    /// [`corrected_rate`](crate::evaluation::corrected_rate); only of verdicts that pass or fail, and
    /// not of weighted labels.
    pub by_rates: Option<Estimate>,
    /// What more labels would make of the interval of the mean over all outputs; absent without labels, with `lambda`
    /// given, or where all outputs have one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub budget: Option<Budget>,
    /// What became of what was required of it.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub requirements: Vec<Decision>,
}

/// The mean of a system's outputs. Pass rates are in [0, 1].
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct MeanRow {
    /// Its name.
    pub system: String,
    /// Systems of one cluster do not differ significantly; the first is 1.
    pub cluster: usize,
    /// The number of its outputs.
    pub outputs: usize,
    /// How many of them have a label.
    pub labels: usize,
    /// The mean label that all outputs would have.
    pub estimate: Estimate,
    /// The mean value of the judge, as it is.
    pub judge: Option<f64>,
    /// The mean of the labels alone.
    pub labels_alone: Option<Estimate>,
    /// How much the judge's values count in the estimate, in [0, 1].
    pub lambda: Option<f64>,
}

/// The difference of two systems' means.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct MeanDifference {
    /// The system with the higher mean.
    pub one: String,
    /// The other one.
    pub other: String,
    /// By how much it is higher.
    pub difference: Estimate,
    /// The two-sided p-value.
    pub p_value: f64,
    /// Whether they differ significantly: p < 0.05, and 0 is not in the interval.
    pub is_clear: bool,
    /// How many labelled groups would show this difference with a power of 80%; `None` where it is clear, or is none.
    pub groups_needed: Option<f64>,
}

impl OutputRanking {
    /// `87.0%`, or `3.42`.
    fn number(&self, value: f64) -> String {
        if self.marks == Marks::PassFail { percent(value) } else { format!("{value:.2}") }
    }

    /// The mean of a judge, whose values may be on another scale than labels that pass or fail.
    fn of_judge(&self, mean: f64) -> String {
        if (0.0..=1.0).contains(&mean) { self.number(mean) } else { format!("{mean:.2}") }
    }

    /// `87.0% (95% CI 84.1 to 89.6)`.
    fn estimate(&self, estimate: Estimate) -> String {
        let Estimate { value, low, high } = estimate;
        match self.marks {
            Marks::PassFail => format!("{} (95% CI {:.1} to {:.1})", percent(value), 100.0 * low, 100.0 * high),
            Marks::Numbers => format!("{value:.2} (95% CI {low:.2} to {high:.2})"),
        }
    }

    fn what(&self) -> &'static str {
        if self.marks == Marks::PassFail { "pass rate" } else { "mean" }
    }

    /// What was found, one paragraph each.
    pub fn findings(&self) -> Vec<String> {
        let MeanRow { estimate, judge, labels_alone, lambda, .. } = &self.all;
        let what = self.what();
        let mut findings = Vec::new();
        let outputs = match self.counted < self.outputs {
            true => format!("{} of {}", self.counted, pluralized(self.outputs, "output")),
            false => pluralized(self.outputs, "output"),
        };
        match (judge, &self.judge, lambda) {
            (Some(mean), Some(judge), Some(_)) => {
                findings.push(format!(
                    "{judge} says {}, people would say {}: the {what} of {outputs}, of which {} have a label",
                    self.of_judge(*mean),
                    self.estimate(*estimate),
                    self.labels
                ));
                if let Some(alone) = labels_alone {
                    let gain = (alone.high - alone.low) / (estimate.high - estimate.low);
                    let (labels, worth) = (self.labels, self.labels as f64 * gain * gain);
                    findings.push(if worth > 1.01 * labels as f64 {
                        format!(
                            "The labels alone say {}: with {judge}, {labels} labels say as much as {worth:.0} alone",
                            self.estimate(*alone)
                        )
                    } else {
                        format!(
                            "The labels alone say {}: {judge} adds nothing to these {labels} labels",
                            self.estimate(*alone)
                        )
                    });
                }
                if let Some(rates) = self.by_rates {
                    findings.push(format!(
                        "By the rates of {judge} on labelled outputs (Rogan and Gladen 1978): {}",
                        self.estimate(rates)
                    ));
                }
            }
            _ => findings.push(format!("By {}, the {what} of {outputs} is {}", self.by, self.estimate(*estimate))),
        }
        findings.extend(self.first());
        findings.extend(self.neighbours());
        findings.extend(self.budget());
        findings
    }

    /// Who is first.
    fn first(&self) -> Option<String> {
        let [best, others @ ..] = self.systems.as_slice() else { return None };
        if others.is_empty() {
            return None;
        }
        let estimate = self.estimate(best.estimate);
        let is_close = |row: &&MeanRow| self.two(&best.system, &row.system).is_some_and(|two| !two.is_clear);
        let close: Vec<&str> = others.iter().filter(is_close).map(|row| row.system.as_str()).collect();
        let (name, what) = (&best.system, self.what());
        let equal = others.first().is_some_and(|row| (row.estimate.value - best.estimate.value).abs() < 1e-9);
        Some(if close.is_empty() {
            format!("{name} is first: {what} {estimate}")
        } else if equal {
            format!("No clear first: {name} and {} are level, {what} {estimate}", others[0].system)
        } else {
            let differ = if close.len() == 1 { "does" } else { "do" };
            format!(
                "No clear first: {name} leads, {what} {estimate}, but {} {differ} not differ significantly from it",
                close.join(", ")
            )
        })
    }

    fn two(&self, one: &str, other: &str) -> Option<&MeanDifference> {
        self.differences.iter().find(|two| two.one == one && two.other == other)
    }

    /// What more labels would make of the interval.
    fn budget(&self) -> Option<String> {
        let Budget { labels, half_width } = self.budget?;
        let half_width = match self.marks {
            Marks::PassFail => format!("±{:.1} points", 100.0 * half_width),
            Marks::Numbers => format!("±{half_width:.2}"),
        };
        let labels = pluralized(labels, "more label");
        Some(format!("With {labels} of this pool, the interval of all outputs would be about {half_width}"))
    }

    /// How many more labels would tell neighbours apart, where the outputs can give them.
    fn neighbours(&self) -> Vec<String> {
        let open = self.systems.windows(2).filter_map(|pair| self.two(&pair[0].system, &pair[1].system));
        let open = open.filter_map(|two| Some((two, two.groups_needed?)));
        let told = open.take(MAX_TOLD).map(|(MeanDifference { one, other, difference, .. }, needed)| {
            let apart = match self.marks {
                Marks::PassFail => format!("{:.1} points", 100.0 * difference.value),
                Marks::Numbers => format!("{:.2}", difference.value),
            };
            if needed <= self.groups as f64 && self.labels < self.outputs {
                format!(
                    "{one} and {other} are {apart} apart: labels of about {} would show it",
                    pluralized(needed as usize, self.unit)
                )
            } else {
                format!(
                    "{one} and {other} are {apart} apart: to show it needs more than these {}",
                    pluralized(self.groups, self.unit)
                )
            }
        });
        told.collect()
    }

    /// The sections: the systems, and every two of them.
    pub fn sections(&self) -> Vec<Section<'_>> {
        let has_labels = self.all.labels > 0 && self.judge.is_some() && self.all.lambda.is_some();
        let rows = self.systems.iter().chain([&self.all]);
        let mut table = Table::builder(format!("The {} by {}", self.what(), self.by), rows)
            .with(
                Column::number("cluster"),
                |row| if row.cluster > 0 { Value::count(row.cluster) } else { Value::Empty },
            )
            .with(Column::text("system"), |row| Cell::from(row.system.as_str()).bold_if(row.cluster == 1))
            .with(Column::number(self.what()), |row| Value::fraction(row.estimate.value))
            .with(sections::interval(0), |row| Value::interval(row.estimate.low, row.estimate.high));
        if has_labels {
            table = table
                .with(Column::number("judge").rank(2), |row| Value::or_undefined(row.judge, Value::fraction))
                .with(Column::number("labels alone").rank(3), |row| {
                    Value::or_undefined(row.labels_alone.map(|alone| alone.value), Value::fraction)
                })
                .with(sections::interval(4), |row| {
                    row.labels_alone.map_or(Value::Undefined, |alone| Value::interval(alone.low, alone.high))
                })
                .with(Column::number("lambda").rank(6), |row| Value::or_undefined(row.lambda, Value::number));
        }
        let table = table
            .with(Column::number("outputs").rank(5), |row| Value::count(row.outputs))
            .with(Column::number("labels").rank(5), |row| Value::count(row.labels));
        let mut notes = vec![format!(
            "95% CI over {}s; clusters: each system is significantly better than all of later ones",
            self.unit
        )];
        if has_labels {
            let part = if self.is_weighted { "" } else { ", which holds if the labelled outputs are a random part" };
            notes.push(format!(
                "corrected by prediction-powered inference (Angelopoulos, Duchi and Zrnic 2023){part}; lambda: how much the \
                 judge counts"
            ));
        }
        if self.is_weighted {
            notes.push("labels are weighted by the probabilities with which they were drawn (column drawn)".to_owned());
        }
        let differences = Table::builder(format!("Differences of the {}", self.what()), &self.differences)
            .with(Column::text("system").named("one"), |row| row.one.as_str())
            .with(Column::text("and").named("other"), |row| row.other.as_str())
            .with(Column::number("difference"), |row| {
                Cell::from(Value::difference(row.difference.value)).bold_if(row.is_clear)
            })
            .with(sections::interval(0), |row| Value::differences(row.difference.low, row.difference.high))
            .with(Column::number("p"), |row| Value::p(row.p_value))
            .table;
        let systems = Section {
            tables: vec![table.table.keyed("systems").printed(Printed::Bare)],
            notes,
            ..Section::new("systems", "Systems")
        };
        let two = Section {
            tables: vec![differences.keyed("differences").printed(Printed::No)],
            ..Section::new("two", "Every two systems")
        };
        vec![systems, two]
    }

    /// The ranking as text, no wider than the terminal where possible.
    pub fn to_text(&self, terminal: Terminal, is_brief: bool) -> String {
        text::of_sections(&self.findings(), if is_brief { Vec::new() } else { self.sections() }, terminal)
    }

    /// The ranking as a page.
    ///
    /// # Errors
    /// A template cannot be rendered.
    pub fn to_page(&self) -> Result<String> {
        let title = format!("Which system is better on {}, by {}?", self.name, self.by);
        super::html::of_sections(title, self.findings(), self.sections(), LabelSource::People)
    }
}
