//! What a page shows besides the accuracy report.

use serde::Serialize;

use super::explanation::Explanation;
use super::systems::Role;
use crate::evaluation::{Convention, PartAccuracy};
use crate::judgments::{Probabilities, Verdict};

/// What a page shows about the first system of a report, besides the report itself.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Details {
    /// Accuracy by confidence.
    pub reliability: Vec<ReliabilityBin>,
    /// Accuracy by properties of pairs: confidence of the model, length of the reference, human-human agreement.
    pub breakdowns: Vec<Breakdown>,
    /// Agreement with people by every convention of the field.
    pub conventions: Conventions,
    /// The share of each family of features in the preference, with its range over folds; empty without models of
    /// folds.
    pub families: Vec<FamilyRange>,
    /// Its worst mistakes: the pairs where it gave the human label the lowest probability.
    pub most_wrong: Vec<Explanation>,
    /// The pairs on which it was most confidently right.
    pub most_right: Vec<Explanation>,
    /// The pairs of the searchable table: all of them, or whole groups drawn with the seed, with truncated texts and
    /// rounded probabilities; see [`PairRows::for_a_page`].
    pub pairs: PairRows,
    /// All pairs with whole texts and probabilities; possibly too many for a page, and not in JSON.
    #[serde(skip)]
    pub all_pairs: PairRows,
    /// The scores of both hypotheses of every pair by the baseline and every metric; not in JSON.
    #[serde(skip)]
    pub scores: Vec<PairScores>,
    /// What is needed to reproduce the report.
    pub provenance: Provenance,
}

/// A bin of pairs with similar confidence, the largest of the three probabilities.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct ReliabilityBin {
    /// The lower edge, included.
    pub from: f64,
    /// The upper edge, excluded; a confidence of 1 is in the last bin.
    pub to: f64,
    /// The number of pairs.
    pub pairs: usize,
    /// Their mean confidence.
    pub confidence: f64,
    /// The share of them whose most probable verdict is the human label, in [0, 1].
    pub accuracy: f64,
    /// The lower end of the 95% interval of the accuracy.
    pub low: f64,
    /// The upper end of the interval.
    pub high: f64,
}

/// Accuracy by a property of pairs.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Breakdown {
    /// The property in a word, such as `certainty`.
    pub key: &'static str,
    /// The property, such as "confidence of the model".
    pub property: &'static str,
    /// What exactly is measured.
    pub meaning: &'static str,
    /// The names of the systems in [`BreakdownBin::accuracies`].
    pub systems: Vec<String>,
    /// Their roles.
    #[serde(skip)]
    pub roles: Vec<Role>,
    /// The bins of the property, in order of its values.
    pub bins: Vec<BreakdownBin>,
}

/// A bin of pairs with similar values of a property.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct BreakdownBin {
    /// The range of values, such as "11 to 20".
    pub values: String,
    /// The number of pairs.
    pub pairs: usize,
    /// The accuracy of each system.
    pub accuracies: Vec<PartAccuracy>,
}

/// Agreement of systems with people, by every convention of the field for counting ties.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Conventions {
    /// The conventions.
    pub conventions: Vec<Convention>,
    /// The systems, in the order of the report.
    pub systems: Vec<ConventionRow>,
}

/// A system's agreement with people.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ConventionRow {
    /// The system's name.
    pub name: String,
    /// One value per convention; null where it is undefined.
    pub values: Vec<Option<f64>>,
}

/// The share of a family of features in the preference, with its range over folds.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct FamilyRange {
    /// The name of the metric or family.
    pub name: String,
    /// The number of its features.
    pub features: usize,
    /// Its share in the model trained on all pairs, in [0, 1].
    pub share: f64,
    /// The smallest share in the models of the folds.
    pub low: f64,
    /// The largest share in the models of the folds.
    pub high: f64,
}

/// Pairs with human labels and the model's verdicts. Repeated texts are stored once.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct PairRows {
    /// The number of pairs in all; [`Self::rows`] may hold fewer.
    pub of: usize,
    /// The distinct texts.
    pub texts: Vec<String>,
    /// The pairs.
    pub rows: Vec<PairRow>,
}

/// A pair with its human label and the model's verdict.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct PairRow {
    /// Its number among all pairs, from 0.
    #[serde(skip)]
    pub at: usize,
    /// Its file's name, if there are several files.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub file: Option<String>,
    /// Its line in the file, from 1.
    pub line: usize,
    /// Its id, if it has one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub id: Option<String>,
    /// Indices into [`PairRows::texts`]: both hypotheses, then the references.
    pub texts: Vec<usize>,
    /// The human label.
    #[serde(serialize_with = "super::explanation::as_sign")]
    pub people: Verdict,
    /// The model's verdict.
    #[serde(serialize_with = "super::explanation::as_sign")]
    pub verdict: Verdict,
    /// The probabilities of 1, 0 and -1.
    pub probabilities: Probabilities,
}

/// The scores of a metric on all pairs.
#[derive(Debug, Clone, PartialEq)]
pub struct PairScores {
    /// The name of the metric.
    pub metric: String,
    /// The scores of the first and the second hypothesis of each pair.
    pub values: Vec<[f64; 2]>,
}

/// What is needed to reproduce a report.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct Provenance {
    /// The version of Tribunal.
    pub version: String,
    /// The command line, quoted for a shell, without absolute folders and without options that do not affect the
    /// report.
    pub command: String,
    /// The seed for folds and resampling.
    pub seed: u64,
    /// The models, each with its checksum.
    pub models: Vec<ModelOrigin>,
    /// The files that were read.
    pub data: Vec<DataFile>,
    /// What import kept and skipped, one paragraph per file.
    pub accounts: Vec<String>,
    /// The signatures of the reported metrics.
    pub signatures: Vec<MetricSignature>,
    /// Warnings and notes shown beside the report.
    pub notes: Vec<String>,
}

/// A model, identified by its checksum.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ModelOrigin {
    /// Its name in the report.
    pub name: String,
    /// The checksum at the end of its file.
    pub checksum: String,
    /// What it was trained on.
    pub data: String,
}

/// A file that was read.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct DataFile {
    /// Its name, without folders.
    pub name: String,
    /// Its size in bytes as stored; absent for standard input, pipes and the like.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub bytes: Option<u64>,
    /// The SHA-256 of its bytes as stored, in hexadecimal; absent where [`Self::bytes`] is.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sha256: Option<String>,
}

/// A metric with the signature of its settings.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct MetricSignature {
    /// The metric's name.
    pub name: String,
    /// Its signature.
    pub signature: String,
}
