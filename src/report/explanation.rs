//! In: what a model computes of one pair. Out: why it says what it says, as plain data. Next: text, JSON, a page.

mod aligned;
pub mod text;

use serde::{Serialize, Serializer};

use crate::judgments::{Probabilities, Verdict};

/// Why a model says what it says of a pair.
///
/// With x and t the scaled features of the pair, see [`crate::learners::logistic`]:
///
/// ```text
/// preference = sum of contributions = w.x
/// z(1) = decided + preference    z(0) = tie    z(-1) = decided - preference    p = softmax(z)
/// ```
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Explanation {
    /// The name of the pair's file, where there are several.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub file: Option<String>,
    /// The line of the pair in its file; absent where it comes from no file.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub line: Option<usize>,
    /// The pair's id, if it has one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub id: Option<String>,
    /// Both hypotheses.
    pub hypotheses: [String; 2],
    /// The references.
    pub references: Vec<String>,
    /// What the model says.
    #[serde(serialize_with = "as_sign")]
    pub verdict: Verdict,
    /// What people said, where that is known.
    #[serde(serialize_with = "as_signs", skip_serializing_if = "Option::is_none")]
    pub people: Option<Verdict>,
    /// How probable 1, 0 and -1 are.
    pub probabilities: Probabilities,
    /// A tie is said where its probability times this is the largest.
    pub tie_factor: f64,
    /// The rule of ties that verdict and probabilities follow instead, where somebody asked for another.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ties: Option<String>,
    /// z of 1, 0 and -1.
    pub logits: [f64; 3],
    /// w.x: above 0 for the first hypothesis, the sum of all contributions.
    pub preference: f64,
    /// u.t + c: what speaks for any difference.
    pub decided: f64,
    /// v.t + b: what speaks for a tie.
    pub tie: f64,
    /// s(h, r) of both hypotheses, without clipping.
    pub scores: [f64; 2],
    /// What clipping large differences of single features changes: preference less the difference of the scores.
    pub clipping: f64,
    /// What families of features say, the largest contribution first, whatever its sign.
    pub families: Vec<FamilyContribution>,
    /// The values of the reported metrics, and of the user's own.
    pub metrics: Vec<MetricValues>,
    /// Each hypothesis beside its reference, word by word; absent where there is no reference.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub alignments: Option<[AlignedTexts; 2]>,
}

/// What a family of features says of a pair.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct FamilyContribution {
    /// The name of the metric or family.
    pub name: String,
    /// The sum of its features' contributions; above 0 for the first hypothesis.
    pub contribution: f64,
    /// Its features, the largest contribution first, whatever its sign.
    pub features: Vec<FeatureContribution>,
}

/// What a feature says of a pair.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct FeatureContribution {
    /// The feature's name.
    pub name: String,
    /// Its values for both hypotheses.
    pub values: [f64; 2],
    /// w_j x_j; above 0 for the first hypothesis.
    pub contribution: f64,
    /// Whether the difference was so large that it was clipped.
    pub is_clipped: bool,
}

/// What a metric says of both hypotheses.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct MetricValues {
    /// The metric's name.
    pub name: String,
    /// Its values, as the metric defines them.
    pub values: [f64; 2],
    /// Whether lower is better.
    pub lower_is_better: bool,
}

/// A hypothesis beside a reference, both cut into words and what is between words.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct AlignedTexts {
    /// Which of the references, from 0.
    pub reference: usize,
    /// All of the hypothesis, in order: put together, the pieces are the text.
    pub in_hypothesis: Vec<Piece>,
    /// All of the reference.
    pub in_reference: Vec<Piece>,
    /// Runs of matched words that are adjacent and in the same order on both sides.
    pub chunks: usize,
}

/// A piece of a text.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Piece {
    /// The text.
    pub text: String,
    /// What it is.
    pub kind: PieceKind,
    /// The number of its match, the same on both sides; absent where it has none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub matched: Option<usize>,
    /// Whether its run of matches stands elsewhere in the order of the other side.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub is_moved: bool,
}

/// What a piece of a text is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum PieceKind {
    /// White space and whatever else no word is made of.
    Between,
    /// A word that the other side has.
    Exact,
    /// A word with the stem of one of the other side.
    Stem,
    /// A word that shares a synset with one of the other side.
    Synonym,
    /// Words that are a paraphrase of words of the other side.
    Paraphrase,
    /// A word that has no match.
    Unmatched,
}

/// Writes 1, 0 or -1.
pub(super) fn as_sign<S: Serializer>(verdict: &Verdict, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_i8(verdict.sign())
}

#[expect(clippy::ref_option, reason = "serde hands over a reference to the field")]
fn as_signs<S: Serializer>(verdict: &Option<Verdict>, serializer: S) -> Result<S::Ok, S::Error> {
    verdict.map(Verdict::sign).serialize(serializer)
}
