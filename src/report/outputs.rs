//! How well judges and metrics agree with human labels of single outputs: as data, and as sections.

use serde::Serialize;

use super::chart::{self, CalibrationAxes};
use super::details::ReliabilityBin;
use super::people::AlternativeRow;
use super::section::Section;
use super::table::{Cell, Column, Printed, Table, Value, percent};
use super::{Terminal, sections, text};
use crate::error::{Result, pluralized};
use crate::evaluation::{BinaryAgreement, Estimate, NumericAgreement};
use crate::judgments::LabelSource;
use crate::judgments::output::Marks;

/// Agreement with the labels of outputs.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct OutputReport {
    /// The name of the file or frame.
    pub name: String,
    /// What labels are.
    pub marks: Marks,
    /// The number of outputs with a label.
    pub outputs: usize,
    /// The number of outputs without one.
    pub unlabelled: usize,
    /// The number of groups, over which intervals are.
    pub groups: usize,
    /// What the outputs of a group share.
    pub unit: &'static str,
    /// The mean label: of labels that pass or fail, the pass rate.
    pub mean_label: f64,
    /// The row that the answer is about: the best judge, or else the best metric.
    pub subject: String,
    /// How much better it is than the best of the metrics.
    pub gain: Option<Gain>,
    /// Judges, metrics, length, and one annotator against the others; the best first.
    pub rows: Vec<SignalRow>,
    /// The alternative annotator test of judges and models, where several annotators are named.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub alternative: Vec<AlternativeRow>,
    /// How far the labels that a model expects are from those that people gave, beside the best other signal, calibrated in
    /// the same way; empty without a model.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub reliability: Vec<Reliability>,
    /// The seed of the folds on which thresholds are chosen.
    pub seed: u64,
}

/// How much better the subject is than another row, in balanced accuracy or in Spearman's correlation.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Gain {
    /// The other row.
    pub over: String,
    /// The subject's figure minus the other's.
    #[serde(flatten)]
    pub difference: Estimate,
}

/// How far expected labels are from labels.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Reliability {
    /// What gave the scores that were calibrated.
    pub name: String,
    /// The expected calibration error, see [`ShareCalibration`](crate::evaluation::ShareCalibration); in units of the label.
    pub calibration_error: f64,
    /// The mean of (expected label - label)^2; of labels that pass or fail, the Brier score.
    pub squared_error: f64,
    /// Outputs by their expected labels.
    pub bins: Vec<ReliabilityRow>,
}

/// Outputs with similar expected labels.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ReliabilityRow {
    /// The lower edge, included.
    pub from: f64,
    /// The upper edge, excluded.
    pub to: f64,
    /// The number of outputs.
    pub outputs: usize,
    /// Their mean expected label.
    pub predicted: f64,
    /// Their mean label, with its 95% interval.
    pub label: Estimate,
}

/// What gave the values of a row.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum RowKind {
    /// A trained model: the expected label by its score.
    Model,
    /// An automatic judge.
    Judge,
    /// A metric of another program.
    External,
    /// A metric of Tribunal's, or the length.
    Metric,
    /// Each annotator, against the others of the same output.
    Human,
}

/// The agreement of a judge or metric with the labels.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct SignalRow {
    /// Its name.
    pub name: String,
    /// What gave its values.
    pub kind: RowKind,
    /// From which value on an output passes, by all labels; rates are those of thresholds that were chosen on other folds.
    /// `None` for verdicts.
    pub threshold: Option<f64>,
    /// The mean of its values on labelled outputs.
    pub mean: Option<f64>,
    /// The area under the receiver operating characteristic, of labels that pass or fail.
    pub roc_area: Option<Estimate>,
    /// The agreement with labels that pass or fail.
    pub binary: Option<BinaryAgreement>,
    /// The agreement with labels that are numbers.
    pub numeric: Option<NumericAgreement>,
    /// How often it orders two outputs of a prompt as their labels do, ties counting half.
    pub within: Option<Estimate>,
    /// Spearman's correlation of its values with the length of the output, minus that of the labels.
    pub length: Option<Estimate>,
}

impl ReliabilityRow {
    fn of_chart(&self) -> ReliabilityBin {
        let Self { from, to, outputs, predicted, label: Estimate { value, low, high } } = *self;
        ReliabilityBin { from, to, pairs: outputs, confidence: predicted, accuracy: value, low, high }
    }
}

impl SignalRow {
    /// The figure by which rows are sorted: balanced accuracy, or Spearman's correlation.
    pub fn merit(&self) -> f64 {
        self.figure().map_or(f64::NEG_INFINITY, |figure| figure.value)
    }

    fn figure(&self) -> Option<Estimate> {
        match (&self.binary, &self.numeric) {
            (Some(binary), _) => binary.balanced_accuracy,
            (None, Some(numeric)) => numeric.spearman,
            (None, None) => None,
        }
    }

    fn coverage(&self) -> Option<f64> {
        let binary = self.binary.as_ref().map(|binary| binary.coverage);
        binary.or(self.numeric.as_ref().map(|numeric| numeric.coverage)).filter(|coverage| *coverage < 1.0)
    }
}

/// The level of an interval that leaves out 0.
fn excludes(estimate: &Estimate, value: f64) -> bool {
    estimate.low > value || estimate.high < value
}

/// `84.0% (95% CI 78.1 to 88.9)`.
fn share(estimate: Estimate) -> String {
    let [low, high] = [estimate.low, estimate.high].map(|share| 100.0 * share);
    format!("{} (95% CI {low:.1} to {high:.1})", percent(estimate.value))
}

/// `0.45 (95% CI 0.31 to 0.57)`.
fn figure(estimate: Estimate) -> String {
    let Estimate { value, low, high } = estimate;
    format!("{value:.2} (95% CI {low:.2} to {high:.2})")
}

impl OutputReport {
    /// What outputs share that compete with each other.
    fn of_prompt(&self) -> &'static str {
        if self.unit == "reference" { "reference" } else { "prompt" }
    }

    fn subject_row(&self) -> Option<&SignalRow> {
        self.rows.iter().find(|row| row.name == self.subject)
    }

    /// What was found, one paragraph each.
    pub fn findings(&self) -> Vec<String> {
        let Some(row) = self.subject_row() else { return Vec::new() };
        let name = &row.name;
        let count = format!("{}, {}", pluralized(self.outputs, "output"), pluralized(self.groups, self.unit));
        let mut findings = Vec::new();
        if let Some(binary) = &row.binary {
            let accuracy =
                binary.accuracy.map_or_else(String::new, |accuracy| format!("accuracy {}, ", share(accuracy)));
            let balanced = binary.balanced_accuracy.map_or_else(|| "undefined".to_owned(), share);
            findings.push(format!("{name}: {accuracy}balanced accuracy {balanced}; {count}"));
            if let (Some(passes), Some(fails)) = (binary.true_positive_rate, binary.true_negative_rate) {
                findings.push(format!(
                    "It passes {} of the outputs that people pass, and fails {} of those that people fail",
                    share(passes),
                    share(fails)
                ));
            }
            let kappa = binary.kappa.map(|kappa| format!("; Cohen's kappa {}", figure(kappa))).unwrap_or_default();
            let theirs = row.mean.filter(|_| row.threshold.is_none());
            let theirs = theirs.map(|mean| format!(", {} by {name}", percent(mean))).unwrap_or_default();
            findings.push(format!("Pass rate {} by human labels{theirs}{kappa}", percent(self.mean_label)));
        }
        if let Some(numeric) = &row.numeric {
            let spearman = numeric.spearman.map_or_else(|| "undefined".to_owned(), figure);
            let pearson = numeric.pearson.map(|pearson| format!(", Pearson {}", figure(pearson))).unwrap_or_default();
            findings.push(format!("{name}: Spearman {spearman}{pearson}; {count}"));
            if let Some(bias) = numeric.bias {
                let Estimate { value, low, high } = bias;
                let (much, interval) = if value < 0.0 { ("strict", [-high, -low]) } else { ("kind", [low, high]) };
                let [low, high] = interval;
                let size = value.abs();
                findings.push(match excludes(&bias, 0.0) {
                    true => format!("It is {size:.2} too {much} (95% CI {low:.2} to {high:.2})"),
                    false => format!(
                        "It is neither too kind nor too strict: {value:+.2} (95% CI {:.2} to {:.2})",
                        bias.low, bias.high
                    ),
                });
            }
        }
        findings.extend(self.gain.iter().map(|gain| self.against(gain)));
        if let Some(within) = row.within {
            let (of, rate) = (self.of_prompt(), share(within));
            findings.push(format!(
                "Of two outputs of a {of} with different labels, it rates the better one higher in {rate}"
            ));
        }
        findings
    }

    /// The subject against the best metric.
    fn against(&self, Gain { over, difference }: &Gain) -> String {
        let Estimate { value, low, high } = *difference;
        let (what, scale, unit) = match self.marks {
            Marks::PassFail => ("balanced accuracy", 100.0, " points"),
            Marks::Numbers => ("Spearman's correlation", 1.0, ""),
        };
        let digits = if scale > 1.0 { 1 } else { 2 };
        // Adding 0.0 avoids -0.0.
        let rounding = 10_f64.powi(digits as i32);
        let [value, low, high] = [value, low, high].map(|value| (scale * value * rounding).round() / rounding + 0.0);
        let rival = self.rows.iter().find(|row| row.name == *over).and_then(SignalRow::figure);
        let sign = if scale > 1.0 { "%" } else { "" };
        let rival = rival.map(|rival| format!(" ({:.digits$}{sign})", scale * rival.value)).unwrap_or_default();
        match (excludes(difference, 0.0), value > 0.0) {
            (true, true) => format!(
                "Beats {over}{rival} by {value:.digits$}{unit} of {what} (95% CI {low:.digits$} to {high:.digits$})"
            ),
            (true, false) => format!(
                "Is worse than {over}{rival} by {:.digits$}{unit} of {what} (95% CI {:.digits$} to {:.digits$})",
                -value, -high, -low
            ),
            (false, _) => format!(
                "No significant difference from {over}{rival}: {value:+.digits$}{unit} of {what} (95% CI {low:.digits$} to {high:.digits$})"
            ),
        }
    }

    /// The sections: agreement with the labels, what does not depend on the level of the values, whether a judge may replace an
    /// annotator, and how expected labels are calibrated.
    pub fn sections(&self) -> Vec<Section<'_>> {
        let (table, notes) = match self.marks {
            Marks::PassFail => (self.rates(), self.notes_on_rates()),
            Marks::Numbers => (self.correlations(), self.notes_on_correlations()),
        };
        let agreement = Section {
            tables: vec![table.keyed("agreement").printed(Printed::Bare)],
            notes,
            advice: self.advice(),
            ..Section::new("agreement", "Agreement with human labels")
        };
        let order = Section {
            tables: vec![self.order().keyed("order")],
            notes: vec![
                format!("within: of two outputs of a {} with different labels, the share that it orders as the labels do, ties counting half", self.of_prompt()),
                "length: Spearman's correlation of the values with the number of characters, minus that of the labels; above 0 where length counts for more than it does for people".to_owned(),
            ],
            ..Section::new("order", "Order within prompts, and length")
        };
        let test = Section {
            tables: vec![sections::alternative_tests(&self.alternative)],
            ..Section::new("annotators", "Annotators and judges")
        };
        vec![agreement, order, test, self.reliability()]
    }

    /// Expected labels beside labels.
    fn reliability(&self) -> Section<'_> {
        let rows = self.reliability.iter().flat_map(|of| of.bins.iter().map(move |bin| (of, bin)));
        let table = Table::builder("Expected labels and labels", rows)
            .with(Column::text("system"), |(of, _)| of.name.as_str())
            .with(Column::text("expected").range(), |(_, bin)| Value::interval(bin.from, bin.to))
            .with(Column::number("outputs"), |(_, bin)| Value::count(bin.outputs))
            .with(Column::number("mean"), |(_, bin)| Value::fraction(bin.predicted))
            .with(Column::number("label"), |(_, bin)| Value::fraction(bin.label.value))
            .with(sections::interval(0), |(_, bin)| Value::interval(bin.label.low, bin.label.high))
            .table;
        let (errors, name) = match self.marks {
            Marks::PassFail => ("Brier score", "pass rate"),
            Marks::Numbers => ("mean squared error", "mean label"),
        };
        let figures = |of: &Reliability| {
            format!(
                "{}: expected calibration error {:.3}, {errors} {:.3}",
                of.name, of.calibration_error, of.squared_error
            )
        };
        let figures: Vec<String> = self.reliability.iter().map(figures).collect();
        let chart = self.reliability.first().filter(|_| self.marks == Marks::PassFail);
        let bins: Vec<ReliabilityBin> = chart.iter().flat_map(|of| &of.bins).map(ReliabilityRow::of_chart).collect();
        let axis = CalibrationAxes { confidence: "expected pass rate", accuracy: name, unit: "output" };
        let note = format!(
            "On the dashed line, the {name} is the expected one; each score is calibrated on other {}s.",
            self.of_prompt()
        );
        Section {
            answer: if figures.is_empty() { figures } else { vec![format!("Calibration of {}", figures.join("; "))] },
            tables: vec![table.keyed("expected").printed(Printed::No)],
            charts: vec![chart::calibration("expected", &bins, &axis).noted(note)],
            ..Section::new("expected", "Expected labels")
        }
    }

    fn rates(&self) -> Table<'_> {
        let rate = |of: fn(&BinaryAgreement) -> Option<Estimate>| {
            move |row: &SignalRow| {
                Value::or_undefined(row.binary.as_ref().and_then(of).map(|one| one.value), Value::fraction)
            }
        };
        Table::builder("Agreement with labels that pass or fail", &self.rows)
            .with(Column::text("system"), |row| Cell::from(row.name.as_str()).bold_if(row.name == self.subject))
            .with(Column::number("balanced accuracy"), rate(|binary| binary.balanced_accuracy))
            .with(sections::interval(2), |row| interval(row.figure()))
            .with(Column::number("accuracy").rank(3), rate(|binary| binary.accuracy))
            .with(Column::number("TPR").rank(1), rate(|binary| binary.true_positive_rate))
            .with(Column::number("TNR").rank(1), rate(|binary| binary.true_negative_rate))
            .with(Column::number("kappa").rank(4), rate(|binary| binary.kappa))
            .with(Column::number("F1").rank(6), rate(|binary| binary.f1))
            .with(Column::number("ROC area").rank(2), |row| {
                Value::or_undefined(row.roc_area.map(|area| area.value), Value::fraction)
            })
            .with(sections::interval(7), |row| interval(row.roc_area))
            .with(Column::number("threshold").rank(5), |row| Value::or_empty(row.threshold, Value::number))
            .with(Column::number("coverage").rank(5), |row| Value::or_empty(row.coverage(), Value::fraction))
            .table
    }

    fn notes_on_rates(&self) -> Vec<String> {
        let mut notes = vec![
            "TPR, TNR: the shares of outputs that people pass, and fail, with the same verdict; balanced accuracy: their mean, 0.5 by chance".to_owned(),
            format!("threshold: from which value on an output passes; rates are those of thresholds that were chosen on the other of ten folds by balanced accuracy (seed {})", self.seed),
        ];
        notes.extend(self.common_notes());
        notes
    }

    fn correlations(&self) -> Table<'_> {
        let figure = |of: fn(&NumericAgreement) -> Option<Estimate>| {
            move |row: &SignalRow| {
                Value::or_undefined(row.numeric.as_ref().and_then(of).map(|one| one.value), Value::fraction)
            }
        };
        let bias = |row: &SignalRow| row.numeric.as_ref().and_then(|numeric| numeric.bias);
        Table::builder("Agreement with labels that are numbers", &self.rows)
            .with(Column::text("system"), |row| Cell::from(row.name.as_str()).bold_if(row.name == self.subject))
            .with(Column::number("Spearman"), figure(|numeric| numeric.spearman))
            .with(sections::interval(2), |row| interval(row.figure()))
            .with(Column::number("Pearson").rank(1), figure(|numeric| numeric.pearson))
            .with(Column::number("tau_b").rank(3), figure(|numeric| numeric.kendall))
            .with(Column::number("weighted kappa").rank(4), figure(|numeric| numeric.weighted_kappa))
            .with(Column::number("bias").rank(2), |row| {
                Value::or_undefined(bias(row).map(|bias| bias.value), Value::difference)
            })
            .with(sections::interval(6), |row| {
                bias(row).map_or(Value::Undefined, |bias| Value::differences(bias.low, bias.high))
            })
            .with(Column::number("spread").rank(5), |row| {
                Value::or_undefined(row.numeric.as_ref().and_then(|numeric| numeric.spread), Value::fraction)
            })
            .with(Column::number("coverage").rank(5), |row| Value::or_empty(row.coverage(), Value::fraction))
            .table
    }

    fn notes_on_correlations(&self) -> Vec<String> {
        let mut notes = vec![
            "weighted kappa: with quadratic weights; bias: mean of value minus label; spread: standard deviation by that of the labels; only of judges on the scale of the labels".to_owned(),
        ];
        notes.extend(self.common_notes());
        notes
    }

    fn common_notes(&self) -> Vec<String> {
        let mut notes = Vec::new();
        if self.rows.iter().any(|row| row.kind == RowKind::Human) {
            notes.push(
                "human: each annotator against the others of the same output; a reference point, not an upper bound"
                    .to_owned(),
            );
        }
        if self.rows.iter().any(|row| row.kind == RowKind::Model) {
            let verdict = if self.marks == Marks::PassFail { "; an output passes from 0.5 on" } else { "" };
            notes.push(format!("the values of a model are the labels that it expects{verdict}"));
        }
        if self.rows.iter().any(|row| row.coverage().is_some()) {
            notes.push("missing values are skipped; coverage is the share that is there".to_owned());
        }
        if self.unlabelled > 0 {
            let undecided = if self.marks == Marks::PassFail { " by most annotators" } else { "" };
            let outputs = pluralized(self.unlabelled, "output");
            notes.push(format!("{outputs} without a label{undecided}, which count nowhere"));
        }
        notes.push(format!("95% CI over {}s", self.unit));
        notes
    }

    fn order(&self) -> Table<'_> {
        Table::builder("Order within prompts, and preference for length", &self.rows)
            .with(Column::text("system"), |row| Cell::from(row.name.as_str()).bold_if(row.name == self.subject))
            .with(Column::number("within"), |row| Value::or_undefined(row.within.map(|one| one.value), Value::fraction))
            .with(sections::interval(1), |row| interval(row.within))
            .with(Column::number("length"), |row| {
                Value::or_undefined(row.length.map(|one| one.value), Value::difference)
            })
            .with(sections::interval(2), |row| {
                row.length.map_or(Value::Undefined, |one| Value::differences(one.low, one.high))
            })
            .table
    }

    fn advice(&self) -> Option<String> {
        let row = self.subject_row()?;
        let (figure, chance) = (row.figure()?, if self.marks == Marks::PassFail { 0.5 } else { 0.0 });
        let name = &row.name;
        Some(match (&self.gain, figure.low > chance) {
            (_, false) => format!("Do not use {name}: these labels do not show that it is better than chance."),
            (Some(gain), true) if gain.difference.low <= 0.0 => {
                format!("Do not pay for {name} before it is shown to be better than {}.", gain.over)
            }
            (_, true) => format!("Use {name}, and correct its level by labels of a random part of the outputs."),
        })
    }

    /// The sections in a report on pairs of the outputs, with what was found.
    pub fn embedded_sections(&self) -> Vec<Section<'_>> {
        let mut sections = self.sections();
        if let [first, ..] = sections.as_mut_slice() {
            first.answer = self.findings();
        }
        sections
    }

    /// The report as text, no wider than the terminal where possible; without tables if it is to be brief.
    pub fn to_text(&self, terminal: Terminal, is_brief: bool) -> String {
        text::of_sections(&self.findings(), if is_brief { Vec::new() } else { self.sections() }, terminal)
    }

    /// The report as a page.
    ///
    /// # Errors
    /// A template cannot be rendered.
    pub fn to_page(&self) -> Result<String> {
        let title = format!("How well does {} agree with human labels on {}?", self.subject, self.name);
        super::html::of_sections(title, self.findings(), self.sections(), LabelSource::People)
    }
}

fn interval(estimate: Option<Estimate>) -> Value<'static> {
    estimate.map_or(Value::Undefined, |one| Value::interval(one.low, one.high))
}
