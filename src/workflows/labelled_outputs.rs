//! Single outputs with a label, and values calibrated to labels: expected on other folds, and how far they are from them.

use crate::error::{Error, Result, pluralized};
use crate::evaluation::{ConfidenceBin, Folds, Groups, Observation, PoweredMean, ShareCalibration, share_bins};
use crate::judgments::output::{LabelRange, Marks, Output, Outputs};
use crate::learners::logistic::{LabelCurve, ScoredOutputs};
use crate::report::outputs::{Reliability, ReliabilityRow};

/// The number of folds on which thresholds are chosen.
const FOLDS: usize = 10;
/// The least number of outputs in a bin of expected labels, and their least share.
const MIN_OUTPUTS: usize = 30;
const MIN_SHARE: f64 = 0.01;

/// The outputs that have a label.
pub(super) struct Labelled<'o> {
    pub rows: Vec<&'o Output>,
    /// Their positions among all outputs.
    pub kept: Vec<usize>,
    pub range: LabelRange,
    pub marks: Marks,
    pub labels: Vec<f64>,
    pub passes: Vec<bool>,
    pub prompts: Groups,
    pub groups: Groups,
    /// The numbers of characters.
    pub lengths: Vec<f64>,
}

impl<'o> Labelled<'o> {
    pub fn new(name: &str, outputs: &'o Outputs) -> Result<Self> {
        let marks = outputs.marks;
        let labelled: Vec<(usize, f64)> =
            outputs.rows.iter().enumerate().filter_map(|(at, row)| Some((at, row.label(marks)?))).collect();
        let (kept, labels): (Vec<usize>, Vec<f64>) = labelled.into_iter().unzip();
        let Some(first) = labels.first() else {
            let advice = "name the column of the human labels: `column` label=NAME; if there are none yet, 'tribunal next' draws \
                outputs, and 'tribunal annotate' writes a page to label them on";
            return Err(Error::invalid(name, "human labels of some outputs", "none", advice));
        };
        if labels.iter().all(|label| label == first) {
            let found = match marks {
                Marks::PassFail => {
                    format!("{}: all {}", pluralized(labels.len(), "label"), if *first > 0.0 { "pass" } else { "fail" })
                }
                Marks::Numbers => format!("{} of {first}", pluralized(labels.len(), "label")),
            };
            let advice = "label outputs of both kinds; agreement with equal labels says nothing";
            return Err(Error::invalid(name, "labels that differ", found, advice));
        }
        let rows: Vec<&Output> = kept.iter().map(|&at| &outputs.rows[at]).collect();
        Ok(Self {
            marks,
            passes: labels.iter().map(|label| *label > 0.5).collect(),
            prompts: outputs.prompts().subset(&kept),
            groups: outputs.groups().subset(&kept),
            range: LabelRange::of(marks, labels.iter().copied()),
            kept,
            lengths: rows.iter().map(|row| row.text.trim().chars().count() as f64).collect(),
            labels,
            rows,
        })
    }

    /// The labels as shares of their range.
    pub fn shares(&self) -> Vec<f64> {
        self.labels.iter().map(|label| self.range.share(*label)).collect()
    }

    pub fn folds(&self, seed: u64) -> Option<Folds> {
        Folds::new(&self.groups, FOLDS.min(self.groups.count), seed)
    }

    /// Some of the outputs.
    pub fn of_rows(&self, rows: &[usize]) -> Self {
        let of = |values: &[f64]| rows.iter().map(|&row| values[row]).collect::<Vec<f64>>();
        Self {
            rows: rows.iter().map(|&row| self.rows[row]).collect(),
            kept: rows.iter().map(|&row| self.kept[row]).collect(),
            labels: of(&self.labels),
            passes: rows.iter().map(|&row| self.passes[row]).collect(),
            prompts: self.prompts.subset(rows),
            groups: self.groups.subset(rows),
            lengths: of(&self.lengths),
            ..*self
        }
    }

    /// The expected labels by scores, each calibrated on the outputs of other folds; and the curve by all of them.
    pub fn cross_fitted(&self, scored: &ScoredOutputs, seed: u64) -> Result<(Vec<f64>, LabelCurve)> {
        let folds = self.folds(seed).ok_or_else(|| {
            let advice = "label outputs of more prompts";
            Error::invalid("labels", "outputs of at least two groups", self.groups.count.to_string(), advice)
        })?;
        let (shares, curve) = LabelCurve::cross_fit(scored, &self.shares(), &folds)?;
        Ok((shares.into_iter().map(|share| self.range.label(share)).collect(), curve))
    }

    /// How far expected labels are from labels, and where.
    pub fn reliability(&self, name: &str, expected: &[f64]) -> Reliability {
        let (range, labels) = (self.range, self.shares());
        let predicted: Vec<f64> = expected.iter().map(|label| range.share(*label).clamp(0.0, 1.0)).collect();
        let bin = |ConfidenceBin { from, to, rows, confidence }: ConfidenceBin| {
            let observation = |&row: &usize| Observation {
                group: self.groups.of_row[row],
                weight: 1.0,
                label: Some(labels[row]),
                predicted: None,
                drawn: None,
            };
            let observed: Vec<Observation> = rows.iter().map(observation).collect();
            let label = range.estimate(PoweredMean::new(&observed, None)?.share());
            let [from, to, predicted] = [from, to, confidence].map(|share| range.label(share));
            Some(ReliabilityRow { from, to, outputs: rows.len(), predicted, label })
        };
        let least = MIN_OUTPUTS.max((MIN_SHARE * labels.len() as f64) as usize);
        let figures = ShareCalibration::new(&labels, &predicted);
        Reliability {
            name: name.to_owned(),
            calibration_error: range.width() * figures.expected_calibration_error,
            squared_error: range.width().powi(2) * figures.brier,
            bins: share_bins(&predicted, least).into_iter().filter_map(bin).collect(),
        }
    }
}
