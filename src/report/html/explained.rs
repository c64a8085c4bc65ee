//! In: an [`Explanation`]. Out: its HTML, as a part of a page or as a whole page.

use askama::Template;

use super::rendered;
use super::visible::visible;
use crate::error::pluralized;
use crate::judgments::Verdict;
use crate::report::Explanation;
use crate::report::explanation::{
    AlignedTexts, FamilyContribution, FeatureContribution, MetricValues, Piece, PieceKind,
};

/// The most families shown as bars; those with smaller contributions are left out.
const BARS: usize = 8;

/// The most features listed.
const FEATURES: usize = 12;

/// The template of an explained pair.
#[derive(Template)]
#[template(path = "explained.html")]
pub(super) struct Explained {
    title: String,
    said: String,
    sides: Vec<Side>,
    references: Vec<String>,
    bars: Vec<Bar>,
    features: Vec<Feature>,
    metrics: Vec<Values>,
    sums: String,
    /// Whether it is the only content of its page, and shown unfolded.
    is_alone: bool,
}

/// A hypothesis aligned with its reference.
struct Side {
    name: String,
    is_aligned: bool,
    hypothesis: Vec<Word>,
    reference: Vec<Word>,
    summary: String,
}

/// A piece of a text.
struct Word {
    text: String,
    /// The CSS classes; empty for text between words.
    class: String,
    /// The kind of match in words, for those who cannot see the style.
    meaning: String,
    /// The identifier of its match, unique within the page.
    matched: String,
}

/// The bar of a family's contribution.
struct Bar {
    name: String,
    contribution: String,
    is_for_first: bool,
    /// The length in per cent of the longest bar.
    width: u32,
}

struct Feature {
    name: String,
    values: [String; 2],
    contribution: String,
    is_clipped: bool,
}

struct Values {
    name: String,
    values: [String; 2],
    /// Which of them is better.
    better: [bool; 2],
}

impl Explained {
    /// Lays out a pair; `number` distinguishes the pairs of a page.
    pub fn new(explanation: &Explanation, number: usize) -> Self {
        let line = explanation.line.map(|line| format!("line {line}"));
        let place = [explanation.file.as_deref().map(visible), line, explanation.id.as_deref().map(visible)];
        let place = place.into_iter().flatten().collect::<Vec<_>>().join(", ");
        let place = if place.is_empty() { "this pair".to_owned() } else { place };
        let side = |at: usize| Side::new(explanation, at, number);
        let most = explanation.families.first().map_or(0.0, |family| family.contribution.abs());
        let speaks = |family: &&FamilyContribution| family.contribution != 0.0;
        let features = explanation.families.iter().flat_map(|family| &family.features);
        let mut features: Vec<&FeatureContribution> = features.filter(|feature| feature.contribution != 0.0).collect();
        features.sort_by(|a, b| b.contribution.abs().total_cmp(&a.contribution.abs()));
        Self {
            title: format!("{place}: {}", verdicts(explanation)),
            said: said(explanation),
            sides: vec![side(0), side(1)],
            references: explanation.references.iter().map(|text| visible(text)).collect(),
            bars: explanation.families.iter().filter(speaks).take(BARS).map(|family| Bar::new(family, most)).collect(),
            features: features.into_iter().take(FEATURES).map(Feature::new).collect(),
            metrics: explanation.metrics.iter().map(Values::new).collect(),
            sums: sums(explanation),
            is_alone: false,
        }
    }

    /// Whether any hypothesis is aligned with a reference.
    fn is_aligned(&self) -> bool {
        self.sides.iter().any(|side| side.is_aligned)
    }
}

fn verdicts(explanation: &Explanation) -> String {
    let model = explanation.verdict;
    match explanation.people {
        Some(people) if people == model => format!("people and the model say {people}"),
        Some(people) => format!("people say {people}, the model says {model}"),
        None => format!("the model says {model}"),
    }
}

fn said(explanation: &Explanation) -> String {
    let given = Verdict::ALL.map(|verdict| format!("{:.3}", explanation.probabilities.of(verdict)));
    let [first, tie, second] = given;
    format!("Probabilities: hypothesis 1 is better {first}, a tie {tie}, hypothesis 2 is better {second}.")
}

/// A paragraph on how the probabilities follow from the contributions.
fn sums(explanation: &Explanation) -> String {
    let Explanation { preference, decided, tie, clipping, scores, logits, .. } = explanation;
    let [first, of_tie, second] = logits;
    let clipped = if clipping.abs() < 5e-4 {
        String::new()
    } else {
        format!(", of which clipping of large differences made {clipping:+.3}")
    };
    format!(
        "The contributions of all features add up to a preference of {preference:+.3} for hypothesis 1 (scores {:.3} \
         and {:.3}{clipped}). The evidence for a preference is {decided:+.3}, for a tie {tie:+.3}: the logits are \
         {first:.3}, {of_tie:.3} and {second:.3}, and their softmax gives the probabilities.",
        scores[0], scores[1]
    )
}

impl Side {
    fn new(explanation: &Explanation, at: usize, number: usize) -> Self {
        let name = format!("Hypothesis {}", at + 1);
        let Some(aligned) = explanation.alignments.as_ref().map(|both| &both[at]) else {
            let word = Word::plain(&explanation.hypotheses[at]);
            return Self {
                name,
                is_aligned: false,
                hypothesis: vec![word],
                reference: Vec::new(),
                summary: String::new(),
            };
        };
        let words = |pieces: &[Piece]| pieces.iter().map(|piece| Word::new(piece, number, at)).collect();
        Self {
            name,
            is_aligned: true,
            hypothesis: words(&aligned.in_hypothesis),
            reference: words(&aligned.in_reference),
            summary: summary(aligned),
        }
    }
}

/// A sentence that sums up the alignment.
fn summary(aligned: &AlignedTexts) -> String {
    let count = |pieces: &[Piece], kind: PieceKind| pieces.iter().filter(|piece| piece.kind == kind).count();
    let kinds = [
        (PieceKind::Exact, "exact"),
        (PieceKind::Stem, "stem"),
        (PieceKind::Synonym, "synonym"),
        (PieceKind::Paraphrase, "paraphrase"),
    ];
    let found = kinds.map(|(kind, name)| (count(&aligned.in_hypothesis, kind), name));
    let found = found.iter().filter(|(count, _)| *count > 0).map(|(count, name)| format!("{count} {name}"));
    let found: Vec<String> = found.collect();
    let matched = if found.is_empty() { "no match".to_owned() } else { format!("Matches: {}", found.join(", ")) };
    let [added, missing] =
        [&aligned.in_hypothesis, &aligned.in_reference].map(|pieces| count(pieces, PieceKind::Unmatched));
    let (chunks, added) = (pluralized(aligned.chunks, "chunk"), pluralized(added, "word"));
    let missing = pluralized(missing, "word");
    format!("{matched}, in {chunks}; {added} not in the reference, {missing} of the reference missing.")
}

impl Word {
    fn plain(text: &str) -> Self {
        Self { text: visible(text), class: String::new(), meaning: String::new(), matched: String::new() }
    }

    fn new(piece: &Piece, number: usize, side: usize) -> Self {
        let kind = match piece.kind {
            PieceKind::Between => return Self::plain(&piece.text),
            PieceKind::Exact => "exact",
            PieceKind::Stem => "stem",
            PieceKind::Synonym => "synonym",
            PieceKind::Paraphrase => "paraphrase",
            PieceKind::Unmatched => "unmatched",
        };
        let moved = if piece.is_moved { " moved" } else { "" };
        let meaning = if piece.is_moved { format!("{kind}, moved") } else { kind.to_owned() };
        let matched = piece.matched.map_or_else(String::new, |at| format!("{number}-{side}-{at}"));
        Self { text: visible(&piece.text), class: format!("{kind}{moved}"), meaning, matched }
    }
}

impl Bar {
    fn new(family: &FamilyContribution, most: f64) -> Self {
        let share = family.contribution.abs() / most.max(f64::MIN_POSITIVE);
        Self {
            name: visible(&family.name),
            contribution: format!("{:.3}", family.contribution.abs()),
            is_for_first: family.contribution > 0.0,
            width: (100.0 * share).round().clamp(1.0, 100.0) as u32,
        }
    }
}

impl Feature {
    fn new(feature: &FeatureContribution) -> Self {
        Self {
            name: visible(&feature.name),
            values: feature.values.map(number),
            contribution: format!("{:+.3}", feature.contribution),
            is_clipped: feature.is_clipped,
        }
    }
}

impl Values {
    fn new(metric: &MetricValues) -> Self {
        let [first, second] = metric.values;
        let first_is_better = if metric.lower_is_better { first < second } else { first > second };
        Self {
            name: visible(&metric.name),
            values: metric.values.map(number),
            better: [first_is_better && first != second, !first_is_better && first != second],
        }
    }
}

/// A number of any magnitude, with about four digits.
fn number(value: f64) -> String {
    match value.abs() {
        size if size >= 1e6 => format!("{value:.3e}"),
        size if size >= 100.0 => format!("{value:.1}"),
        size if size >= 10.0 => format!("{value:.2}"),
        size if size < 5e-5 && size > 0.0 => format!("{value:.2e}"),
        _ => format!("{value:.4}"),
    }
}

#[derive(Template)]
#[template(path = "explanation.html")]
struct Page {
    pair: Explained,
}

/// An explanation as a whole page.
pub(super) fn render(explanation: &Explanation) -> String {
    rendered(&Page { pair: Explained { is_alone: true, ..Explained::new(explanation, 1) } })
}
