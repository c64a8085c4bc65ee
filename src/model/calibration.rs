//! What a model's scores of single outputs say of their labels.

use serde::{Deserialize, Serialize};

use crate::judgments::output::{LabelRange, Marks};
use crate::judgments::{Probabilities, Verdict};
use crate::learners::logistic::{LabelCurve, ScoredOutputs};
use crate::learning::{Coverage, coverage};

/// The largest weight, intercept or mean that is read from a model file; trained ones stay below 100.
pub(super) const LARGEST_NUMBER: f64 = 1e100;

/// The distance of the levels of agreement.
const STEP: f64 = 0.01;

/// The labels of single outputs that a model learned from, and what it expects by the score s(h, r).
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct OutputCalibration {
    /// What labels are.
    pub marks: Marks,
    /// The range of the labels.
    pub range: LabelRange,
    /// The expected share of that range.
    pub curve: LabelCurve,
    /// How often verdicts agreed with labels that pass or fail out of fold, by their confidence.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub coverage: Vec<Coverage>,
}

impl OutputCalibration {
    /// The expected labels of outputs: of labels that pass or fail, the probabilities of a pass.
    pub fn labels(&self, outputs: &ScoredOutputs) -> Vec<f64> {
        self.curve.shares(outputs).into_iter().map(|share| self.range.label(share)).collect()
    }

    /// The coverage of verdicts with these probabilities of a pass.
    pub fn coverage_of(passes: &[bool], probabilities: &[f64]) -> Vec<Coverage> {
        let verdict = |passes: bool| if passes { Verdict::First } else { Verdict::Second };
        let labels: Vec<Verdict> = passes.iter().map(|&passes| verdict(passes)).collect();
        let verdicts: Vec<Verdict> = probabilities.iter().map(|&pass| verdict(pass > 0.5)).collect();
        let given: Vec<Probabilities> =
            probabilities.iter().map(|&pass| Probabilities([pass, 0.0, 1.0 - pass])).collect();
        coverage(&labels, &verdicts, &given, STEP)
    }

    /// A value that is out of range, of a model that compares so many columns.
    pub(super) fn fault(&self, columns: usize) -> Option<String> {
        let ([low, high], LabelCurve { slope, intercept, features }) = (self.range.0, &self.curve);
        let of_features = features.iter().flat_map(|term| [term.mean, term.deviation, term.weight]);
        let mut numbers = [low, high, *slope, *intercept].into_iter().chain(of_features);
        let wrong = numbers.find(|number| !(-LARGEST_NUMBER..=LARGEST_NUMBER).contains(number));
        let least = features.iter().map(|term| term.deviation).chain([*slope]).find(|number| *number < 0.0);
        let mut shares = self.coverage.iter().flat_map(|at| [at.agreement, at.confidence, at.coverage]);
        let wrong = wrong.or(least).or_else(|| shares.find(|share| !(0.0..=1.0).contains(share)));
        let is_other = !features.is_empty() && features.len() != columns;
        let others = is_other.then(|| format!("{} features of {columns}", features.len()));
        let range = (low > high).then(|| format!("labels from {low} to {high}"));
        wrong.map(|number| format!("{number:?}")).or(others).or(range)
    }
}
