//! In: what was judged, pair by pair. Out: all that a page shows besides the accuracy report. Next: a page.

use serde::Serialize;

use super::explanation::Explanation;
use crate::judgments::{Probabilities, Verdict};

/// What a page shows of the first system of a report, besides the report itself.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Details {
    /// How often what it says with so much confidence is true.
    pub reliability: Vec<ReliabilityBin>,
    /// Accuracy by properties of pairs: certainty of the model, length of the reference, how often people agreed.
    pub breakdowns: Vec<Breakdown>,
    /// Agreement with people by every convention of the field.
    pub conventions: Conventions,
    /// The share of each family of features in the preference, with its range over folds; empty where no model of
    /// folds is known.
    pub families: Vec<FamilyRange>,
    /// How ablation and learning curve of the report were made; absent where models are judged as they are.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub studies: Option<Studies>,
    /// The pairs that it got most wrong: where it gave most to the wrong side.
    pub most_wrong: Vec<Explanation>,
    /// The pairs about which it was most surely right.
    pub most_right: Vec<Explanation>,
    /// Pairs, for a table that can be searched: all of them, or whole groups drawn with the seed, with texts and
    /// probabilities cut short, see [`PairRows::for_a_page`].
    pub pairs: PairRows,
    /// All pairs with all that is known of them; too many for a page, and not in JSON.
    #[serde(skip)]
    pub all_pairs: PairRows,
    /// What repeats the report.
    pub provenance: Provenance,
}

/// Pairs that got nearly the same confidence, the largest of the three probabilities.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct ReliabilityBin {
    /// From this confidence.
    pub from: f64,
    /// To below this one.
    pub to: f64,
    /// How many pairs.
    pub pairs: usize,
    /// Their mean confidence.
    pub confidence: f64,
    /// The share of them whose likeliest verdict is what people said.
    pub accuracy: f64,
    /// The lower end of the 95% interval of that share, by bootstrap over groups.
    pub low: f64,
    /// The upper end.
    pub high: f64,
}

/// Accuracy by a property of pairs.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Breakdown {
    /// The property in a word, such as `certainty`.
    pub key: &'static str,
    /// The property, such as "certainty of the model".
    pub property: String,
    /// What exactly is counted or measured.
    pub meaning: String,
    /// The names of the systems in [`BreakdownBin::accuracies`].
    pub systems: Vec<String>,
    /// Its values, in order.
    pub bins: Vec<BreakdownBin>,
}

/// Pairs with nearly the same property.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct BreakdownBin {
    /// Which values, such as "11 to 20".
    pub values: String,
    /// How many pairs.
    pub pairs: usize,
    /// The accuracy of each system.
    pub accuracies: Vec<BinAccuracy>,
}

/// What a system reaches on some pairs.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct BinAccuracy {
    /// The share of pairs on which it agrees with people.
    pub accuracy: f64,
    /// The lower end of the 95% interval, by bootstrap over groups.
    pub low: f64,
    /// The upper end.
    pub high: f64,
}

/// How often systems agree with people, by each way that the field has of counting ties.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Conventions {
    /// The ways of counting.
    pub conventions: Vec<Convention>,
    /// The systems, in the order of the report.
    pub systems: Vec<ConventionRow>,
}

/// A way of counting agreement.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Convention {
    /// Its name, as `correlate` has it.
    pub name: &'static str,
    /// How ties of people and of the system count, in a sentence.
    pub rule: &'static str,
    /// Where it comes from.
    pub source: &'static str,
}

/// A system's agreement with people.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ConventionRow {
    /// The system's name.
    pub name: String,
    /// One value a convention; null where it is not defined.
    pub values: Vec<Option<f64>>,
}

/// How much a family of features has to say.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct FamilyRange {
    /// The name of the metric or family.
    pub name: String,
    /// Its features of a hypothesis.
    pub features: usize,
    /// Its share in the model that was trained on all pairs.
    pub share: f64,
    /// The smallest share in the models of the folds.
    pub low: f64,
    /// The largest.
    pub high: f64,
}

/// How the studies of a training were made.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Studies {
    /// The rows of [`Report::ablation`](super::Report::ablation).
    pub ablation: StudyKind,
    /// The points of [`Report::learning_curve`](super::Report::learning_curve).
    pub learning_curve: StudyKind,
    /// What that means, in a sentence or two.
    pub about: String,
}

/// How a study was made.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum StudyKind {
    /// With the penalty and the tie factor that cross-validation chose for all features and all references.
    Quick,
    /// With a penalty and a tie factor of its own.
    Full,
}

/// Pairs beside what people and the model say of them. Texts that repeat are held once.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct PairRows {
    /// How many pairs there are in all; [`Self::rows`] may have fewer.
    pub of: usize,
    /// All texts.
    pub texts: Vec<String>,
    /// The pairs.
    pub rows: Vec<PairRow>,
}

/// A pair beside what people and the model say of it.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct PairRow {
    /// Its file's name, where there are several.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub file: Option<String>,
    /// Its line.
    pub line: usize,
    /// Its id, if it has one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub id: Option<String>,
    /// The places of both hypotheses, then of the references, in [`PairRows::texts`].
    pub texts: Vec<usize>,
    /// What people said.
    #[serde(serialize_with = "super::explanation::as_sign")]
    pub people: Verdict,
    /// What the model says.
    #[serde(serialize_with = "super::explanation::as_sign")]
    pub verdict: Verdict,
    /// How probable 1, 0 and -1 are.
    pub probabilities: Probabilities,
}

/// What repeats a report.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct Provenance {
    /// The version of Tribunal.
    pub version: String,
    /// The command line, as a shell takes it, without folders that begin at the root and without options that change
    /// nothing of the report.
    pub command: String,
    /// What folds and draws were made with.
    pub seed: u64,
    /// The model: its file's checksum, or that of the one that was trained.
    pub models: Vec<ModelOrigin>,
    /// The files that were read.
    pub data: Vec<DataFile>,
    /// What import kept and left out, a paragraph a file.
    pub accounts: Vec<String>,
    /// The signatures of the reported metrics.
    pub signatures: Vec<MetricSignature>,
    /// What the user was told beside the report.
    pub notes: Vec<String>,
}

/// A model by its checksum.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ModelOrigin {
    /// What the report calls it.
    pub name: String,
    /// What its file ends with.
    pub checksum: String,
    /// What it was trained on.
    pub data: String,
}

/// A file that was read.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct DataFile {
    /// Its name, without folders.
    pub name: String,
    /// Its bytes, as they are stored; absent for standard input, pipes and the like.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub bytes: Option<u64>,
    /// Their SHA-256, in hexadecimal digits; absent where [`Self::bytes`] is.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sha256: Option<String>,
}

/// What a metric's values depend on.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct MetricSignature {
    /// The metric.
    pub name: String,
    /// Its signature.
    pub signature: String,
}
