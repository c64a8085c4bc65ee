//! Why a model gave its verdict on a pair, as plain data.

mod aligned;
pub(super) mod tables;
pub mod text;
mod words;

use std::fmt;

use serde::{Serialize, Serializer};

use crate::judgments::{LabelSource, Probabilities, Verdict};

/// The explanation of a model's verdict on a pair.
///
/// With x and t the scaled features of the pair, see [`crate::learners::logistic`]:
///
/// ```text
/// preference = sum of contributions = w.x
/// z(1) = decided + preference    z(0) = tie    z(-1) = decided - preference    p = softmax(z)
/// ```
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Explanation {
    /// The name of the pair's file, if there are several files.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub file: Option<String>,
    /// The line of the pair in its file, from 1; absent if it comes from no file.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub line: Option<usize>,
    /// The pair's id, if it has one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub id: Option<String>,
    /// Both hypotheses.
    pub hypotheses: [String; 2],
    /// The references.
    pub references: Vec<String>,
    /// The model's verdict.
    #[serde(serialize_with = "as_sign")]
    pub verdict: Verdict,
    /// The human label, if known.
    #[serde(serialize_with = "as_signs", skip_serializing_if = "Option::is_none")]
    pub people: Option<Verdict>,
    /// Who gave it.
    #[serde(skip_serializing_if = "LabelSource::is_people")]
    pub label_of: LabelSource,
    /// The probabilities of 1, 0 and -1.
    pub probabilities: Probabilities,
    /// The verdict is a tie if its probability times this factor is the largest of the three.
    pub tie_factor: f64,
    /// The requested tie rule, if verdict and probabilities follow another one than the model's.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ties: Option<String>,
    /// z(1), z(0) and z(-1).
    pub logits: [f64; 3],
    /// w.x, the sum of all contributions; above 0 it favours the first hypothesis.
    pub preference: f64,
    /// u.t + c, the logit of a decided verdict of either hypothesis.
    pub decided: f64,
    /// v.t + b, the logit of a tie.
    pub tie: f64,
    /// The scores s(h, r) of both hypotheses, without clipping.
    pub scores: [f64; 2],
    /// The effect of clipping large differences of single features: the preference minus the difference of the scores.
    pub clipping: f64,
    /// The contributions of feature families, in descending order of absolute value.
    pub families: Vec<FamilyContribution>,
    /// The values of the reported metrics and of the user's own.
    pub metrics: Vec<MetricValues>,
    /// Each hypothesis aligned with a reference, word by word; absent without a reference.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub alignments: Option<[AlignedTexts; 2]>,
    /// The words that the reference does not have, with what is closest in meaning there; empty without an encoder.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub meanings: Vec<MeaningMatch>,
}

/// A word and the word of the reference that an encoder finds most similar.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct MeaningMatch {
    /// The hypothesis that has the word, 1 or 2.
    pub hypothesis: usize,
    /// The word.
    pub word: String,
    /// The word of the reference.
    pub closest: String,
    /// The cosine of their hidden states, the mean over the word's tokens.
    pub similarity: f64,
}

/// The contribution of a family of features to a pair's preference.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct FamilyContribution {
    /// The name of the metric or family.
    pub name: String,
    /// The sum of its features' contributions; above 0 it favours the first hypothesis.
    pub contribution: f64,
    /// Its features, in descending order of absolute contribution.
    pub features: Vec<FeatureContribution>,
}

/// The contribution of a feature to a pair's preference.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct FeatureContribution {
    /// The feature's name.
    pub name: String,
    /// Its values for both hypotheses.
    pub values: [f64; 2],
    /// w_j x_j; above 0 it favours the first hypothesis.
    pub contribution: f64,
    /// Whether its difference was clipped.
    pub is_clipped: bool,
}

/// A metric's values for both hypotheses.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct MetricValues {
    /// The metric's name.
    pub name: String,
    /// Its values for both hypotheses, on the metric's own scale.
    pub values: [f64; 2],
    /// Whether lower is better.
    pub lower_is_better: bool,
}

/// A hypothesis aligned with a reference, both cut into words and the text between words.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct AlignedTexts {
    /// The index of the reference, from 0.
    pub reference: usize,
    /// The pieces of the hypothesis in order; concatenated, they are its whole text.
    pub in_hypothesis: Vec<Piece>,
    /// The pieces of the reference in order.
    pub in_reference: Vec<Piece>,
    /// The number of chunks: runs of matched words that are adjacent and in the same order on both sides.
    pub chunks: usize,
}

/// A piece of a text.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Piece {
    /// The text.
    pub text: String,
    /// Its kind.
    pub kind: PieceKind,
    /// The number of its match, equal on both sides; absent without a match.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub matched: Option<usize>,
    /// Whether its chunk is in another place of the order on the other side.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub is_moved: bool,
}

/// The kind of a piece of text.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum PieceKind {
    /// White space and other text outside words.
    Between,
    /// A word that matches an identical word of the other side.
    Exact,
    /// A word that shares its stem with a word of the other side.
    Stem,
    /// A word that shares a synset with a word of the other side.
    Synonym,
    /// Words that paraphrase words of the other side.
    Paraphrase,
    /// A word without a match.
    Unmatched,
}

impl Piece {
    /// A piece without a match.
    fn plain(text: String, kind: PieceKind) -> Self {
        Self { text, kind, matched: None, is_moved: false }
    }
}

impl fmt::Display for PieceKind {
    /// Its name in JSON.
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.serialize(formatter)
    }
}

/// Writes 1, 0 or -1.
pub(super) fn as_sign<S: Serializer>(verdict: &Verdict, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_i8(verdict.sign())
}

#[expect(clippy::ref_option, reason = "serde hands over a reference to the field")]
fn as_signs<S: Serializer>(verdict: &Option<Verdict>, serializer: S) -> Result<S::Ok, S::Error> {
    verdict.map(Verdict::sign).serialize(serializer)
}
