//! An [`Explanation`] as HTML: a part of a page, or a whole page.

use askama::Template;

use super::rendered;
use crate::error::Result;
use crate::error::pluralized;
use crate::report::Explanation;
use crate::report::explanation::{AlignedTexts, FamilyContribution, Piece, PieceKind, tables};
use crate::report::table::Table;

/// The most families shown as bars.
const MAX_BARS: usize = 8;

/// The template of an explained pair.
#[derive(Template)]
#[template(path = "explained.html")]
pub(super) struct Explained<'e> {
    explanation: &'e Explanation,
    /// Distinguishes the pairs of a page.
    number: usize,
    /// The families shown as bars.
    bars: Vec<&'e FamilyContribution>,
    tables: Vec<Table<'e>>,
    /// Whether it is the only content of its page, and shown unfolded.
    is_alone: bool,
}

impl<'e> Explained<'e> {
    /// Lays out a pair; `number` distinguishes the pairs of a page.
    pub fn new(explanation: &'e Explanation, number: usize) -> Self {
        let families = explanation.families.iter().filter(|family| family.contribution != 0.0);
        let tables = [tables::meanings(explanation), tables::features(explanation), tables::metrics(explanation)];
        Self {
            explanation,
            number,
            bars: families.take(MAX_BARS).collect(),
            tables: tables.into_iter().filter(|table| !table.rows.is_empty()).collect(),
            is_alone: false,
        }
    }

    fn title(&self) -> String {
        let Explanation { file, line, id, verdict: model, people, label_of, .. } = self.explanation;
        let label = label_of.label();
        let place = [file.clone(), line.map(|line| format!("line {line}")), id.clone()];
        let place = place.into_iter().flatten().collect::<Vec<_>>().join(", ");
        let place = if place.is_empty() { "this pair".to_owned() } else { place };
        match people {
            Some(people) if people == model => format!("{place}: {label} and prediction {people}"),
            Some(people) => format!("{place}: {label} {people}, prediction {model}"),
            None => format!("{place}: prediction {model}"),
        }
    }

    fn probabilities(&self) -> String {
        let [first, tie, second] = self.explanation.probabilities.0.map(|given| format!("{given:.3}"));
        format!("Probabilities: hypothesis 1 is better {first}, a tie {tie}, hypothesis 2 is better {second}.")
    }

    /// A sentence that sums up the alignment.
    fn summary(&self, aligned: &AlignedTexts) -> String {
        let count = |pieces: &[Piece], kind: PieceKind| pieces.iter().filter(|piece| piece.kind == kind).count();
        let kinds = [PieceKind::Exact, PieceKind::Stem, PieceKind::Synonym, PieceKind::Paraphrase];
        let found = kinds.map(|kind| (count(&aligned.in_hypothesis, kind), kind));
        let found = found.iter().filter(|(count, _)| *count > 0).map(|(count, name)| format!("{count} {name}"));
        let found: Vec<String> = found.collect();
        let matched = if found.is_empty() { "no match".to_owned() } else { format!("Matches: {}", found.join(", ")) };
        let [added, missing] =
            [&aligned.in_hypothesis, &aligned.in_reference].map(|pieces| count(pieces, PieceKind::Unmatched));
        let (chunks, added) = (pluralized(aligned.chunks, "chunk"), pluralized(added, "word"));
        let missing = pluralized(missing, "word");
        format!("{matched}, in {chunks}; {added} not in the reference, {missing} of the reference missing.")
    }

    /// The length of a family's bar in per cent of the table.
    fn bar(&self, family: &FamilyContribution) -> u32 {
        let most = self.explanation.families.first().map_or(0.0, |family| family.contribution.abs());
        let share = family.contribution.abs() / most.max(f64::MIN_POSITIVE);
        (100.0 * share).round().clamp(1.0, 100.0) as u32 / 2
    }

    /// A paragraph on how the probabilities follow from the contributions.
    fn sums(&self) -> String {
        let Explanation { preference, decided, tie, clipping, scores, logits, .. } = self.explanation;
        let [first, of_tie, second] = logits;
        let clipped = if clipping.abs() < 5e-4 {
            String::new()
        } else {
            format!(", of which clipping of large differences accounts for {clipping:+.3}")
        };
        format!(
            "The contributions of all features add up to a preference of {preference:+.3} for hypothesis 1 (scores \
             {:.3} and {:.3}{clipped}). The logit of a decided verdict is {decided:+.3}, for a tie {tie:+.3}: the logits \
             are {first:.3}, {of_tie:.3} and {second:.3}, and their softmax gives the probabilities.",
            scores[0], scores[1]
        )
    }
}

#[derive(Template)]
#[template(path = "explanation.html")]
struct Page<'e> {
    pair: Explained<'e>,
}

/// The explanation of a model's verdict on a pair, as a whole page.
///
/// # Errors
/// A template cannot be rendered.
pub fn explanation(explanation: &Explanation) -> Result<String> {
    rendered(&Page { pair: Explained { is_alone: true, ..Explained::new(explanation, 1) } })
}
