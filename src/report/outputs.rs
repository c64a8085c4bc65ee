//! How well judges and metrics agree with human labels of single outputs, as data.

use serde::Serialize;

use super::people::AlternativeRow;
use super::requirement::Decision;
use super::table::percent;
use crate::error::pluralized;
use crate::evaluation::{BinaryAgreement, Estimate, NumericAgreement};
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
    /// The number of outputs that as many annotators let pass as not.
    pub divided: usize,
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
    /// The rows on the outputs with each value of a column.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub breakdown: Option<OutputBreakdown>,
    /// The alternative annotator test of judges and models, where several annotators are named.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub alternative: Vec<AlternativeRow>,
    /// How far the labels that a model expects are from those that people gave, beside the best other signal, calibrated in
    /// the same way; empty without a model.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub reliability: Vec<Reliability>,
    /// The seed of the folds on which thresholds are chosen.
    pub seed: u64,
    /// What became of what was required of it.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub requirements: Vec<Decision>,
}

/// Judges, metrics and models on the outputs with each value of a column.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct OutputBreakdown {
    /// The name of the column.
    pub by: String,
    /// The parts, in the order of their first output.
    pub parts: Vec<OutputPart>,
    /// The mean over the parts of each row's figure.
    pub macro_averages: Vec<PartFigure>,
}

/// The outputs with a value of a column.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct OutputPart {
    /// The value.
    pub name: String,
    /// The number of its labelled outputs.
    pub outputs: usize,
    /// The number of their groups.
    pub groups: usize,
    /// Their mean label.
    pub mean_label: f64,
    /// The figure of each row on them.
    pub systems: Vec<PartFigure>,
}

/// The balanced accuracy or Spearman's correlation of a row on a part of the outputs, see
/// [`ByPart`](crate::evaluation::ByPart).
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct PartFigure {
    /// The row's name.
    pub name: String,
    /// The figure; absent where it is undefined.
    #[serde(flatten)]
    pub figure: Option<Estimate>,
}

impl PartFigure {
    /// The figure of that row.
    pub(super) fn of(figures: &[Self], name: &str) -> Option<Estimate> {
        figures.iter().find(|figure| figure.name == name)?.figure
    }
}

/// How much better the subject is than another row, in balanced accuracy or in Spearman's correlation.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Gain {
    /// The other row.
    pub over: String,
    /// The number of outputs for which both have a value.
    pub outputs: usize,
    /// The figures of the subject and of the other on these outputs.
    pub figures: [f64; 2],
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
    /// The number of labelled outputs for which it has a value.
    pub outputs: usize,
    /// The mean of its values on them; of a model of labels that pass or fail, the share that it lets pass.
    pub mean: Option<f64>,
    /// The mean of their labels.
    pub mean_label: Option<f64>,
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

impl SignalRow {
    /// The figure by which rows are sorted: balanced accuracy, or Spearman's correlation.
    pub fn merit(&self) -> f64 {
        self.figure().map_or(f64::NEG_INFINITY, |figure| figure.value)
    }

    /// A warning of values that order outputs against the labels, significantly.
    pub(crate) fn reversed(&self) -> Option<String> {
        let spearman = self.numeric.as_ref().and_then(|numeric| numeric.spearman);
        let (what, Estimate { value, low, high }, chance) = match (self.roc_area, spearman) {
            (Some(area), _) => ("ROC area", area, 0.5),
            (None, Some(spearman)) => ("Spearman's correlation", spearman, 0.0),
            (None, None) => return None,
        };
        (high < chance).then(|| {
            format!(
                "{} orders the outputs against the labels ({what} {value:.2}, 95% CI {low:.2} to {high:.2}): check whether the \
                 labels are reversed; if lower is better, write `own` {0}-",
                self.name
            )
        })
    }

    pub(super) fn figure(&self) -> Option<Estimate> {
        match (&self.binary, &self.numeric) {
            (Some(binary), _) => binary.balanced_accuracy,
            (None, Some(numeric)) => numeric.spearman,
            (None, None) => None,
        }
    }

    pub(super) fn coverage(&self) -> Option<f64> {
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
    pub(super) fn of_prompt(&self) -> &'static str {
        if self.unit == "reference" { "reference" } else { "prompt" }
    }

    pub(super) fn subject_row(&self) -> Option<&SignalRow> {
        self.rows.iter().find(|row| row.name == self.subject)
    }

    /// What was found, one paragraph each.
    pub fn findings(&self) -> Vec<String> {
        let Some(row) = self.subject_row() else { return Vec::new() };
        let name = &row.name;
        let outputs = match row.outputs < self.outputs {
            true => format!("{} of {}", row.outputs, pluralized(self.outputs, "labelled output")),
            false => pluralized(self.outputs, "output"),
        };
        let count = format!("{outputs}, {}", pluralized(self.groups, self.unit));
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
            findings.push(format!(
                "Pass rate {} by human labels{theirs}{kappa}",
                percent(row.mean_label.unwrap_or(self.mean_label))
            ));
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
    fn against(&self, Gain { over, outputs, figures, difference }: &Gain) -> String {
        let Estimate { value, low, high } = *difference;
        let (what, scale, unit) = match self.marks {
            Marks::PassFail => ("balanced accuracy", 100.0, " points"),
            Marks::Numbers => ("Spearman's correlation", 1.0, ""),
        };
        let digits = if scale > 1.0 { 1 } else { 2 };
        // Adding 0.0 avoids -0.0.
        let rounding = 10_f64.powi(digits as i32);
        let [value, low, high] = [value, low, high].map(|value| (scale * value * rounding).round() / rounding + 0.0);
        let sign = if scale > 1.0 { "%" } else { "" };
        let [one, other] = figures.map(|figure| format!("{:.digits$}{sign}", scale * figure));
        let rival = match *outputs < self.outputs {
            true => format!(" ({one} against {other} on the {outputs} outputs with values of both)"),
            false => format!(" ({other})"),
        };
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
}
