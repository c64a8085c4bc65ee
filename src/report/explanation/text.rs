//! An [`Explanation`] as text for a terminal.
//!
//! Control characters of the texts are escaped, see [`escaped`](crate::error::escaped). Without its own escape
//! sequences the coloured text equals the plain one.

use super::{Explanation, tables, words};
use crate::error::truncated;
use crate::judgments::{LabelSource, Probabilities, Verdict};
use crate::report::table::BOLD;
use crate::report::terminal::{GREEN, RED, Terminal};

/// The width in columns if the terminal gives none.
const DEFAULT_WIDTH: usize = 100;

/// The least width in columns that the words need.
const MIN_WIDTH: usize = 40;

/// The largest width in columns of lines of text.
const MAX_WIDTH: usize = 140;

/// Differences up to this are attributed to rounding.
const ROUNDING: f64 = 1e-9;

/// The least width that has room for formulas.
const FORMULAS: usize = 60;

/// The explanation in five sections: the verdict; both hypotheses aligned with the reference, word by word; the
/// contributions of features; how the probabilities follow from them; and the metrics' values.
pub fn render(explanation: &Explanation, terminal: Terminal) -> String {
    let width = terminal.width.unwrap_or(DEFAULT_WIDTH).clamp(MIN_WIDTH, MAX_WIDTH);
    let terminal = Terminal { width: Some(width), ..terminal };
    let has_contributions = explanation.families.iter().any(|family| family.contribution != 0.0);
    let contributions = match has_contributions {
        true => tables::contributions(explanation).to_captioned_text(terminal),
        false => terminal.paragraph("No feature favours either hypothesis."),
    };
    let metrics = Some(tables::metrics(explanation)).filter(|table| !table.rows.is_empty());
    let metrics = metrics.map_or_else(String::new, |table| table.to_captioned_text(terminal));
    let words = words::lines(explanation, terminal, width);
    let meanings = Some(tables::meanings(explanation)).filter(|table| !table.rows.is_empty());
    let meanings = meanings.map_or_else(String::new, |table| table.to_captioned_text(terminal));
    let sections =
        [verdict(explanation, terminal), words, meanings, contributions, arithmetic(explanation, terminal), metrics];
    sections.into_iter().filter(|section| !section.is_empty()).collect::<Vec<_>>().join("\n")
}

/// The model's verdict, and the human label if known; agreement shows in words as well as in colour.
fn verdict(explanation: &Explanation, terminal: Terminal) -> String {
    let Explanation { verdict, people, label_of, line, id, .. } = explanation;
    let [first, tie, second] = explanation.probabilities.0.map(|probability| format!("{probability:.3}"));
    let (what, rest) = match verdict {
        Verdict::First => (format!("hypothesis 1: p = {first}"), format!("tie {tie}, hypothesis 2 {second}")),
        Verdict::Second => (format!("hypothesis 2: p = {second}"), format!("tie {tie}, hypothesis 1 {first}")),
        Verdict::Tie => (format!("tie: p = {tie}"), format!("hypothesis 1 {first}, hypothesis 2 {second}")),
    };
    let says = if *verdict == Verdict::Tie { "The model predicts" } else { "The model prefers" };
    let place = [line.map(|line| format!("Line {line}")), id.as_deref().map(truncated)];
    let place = place.into_iter().flatten().collect::<Vec<_>>().join(", ");
    let mut text = if place.is_empty() { String::new() } else { terminal.paragraph(&place) };
    text += &terminal.styled_paragraph(&format!("{says} {what} ({rest})"), BOLD);
    if let Some(people) = people {
        let (style, agrees) = if people == verdict { (GREEN, "agrees") } else { (RED, "disagrees") };
        let label = match people {
            Verdict::First => "hypothesis 1",
            Verdict::Second => "hypothesis 2",
            Verdict::Tie => "tie",
        };
        let by = match label_of {
            LabelSource::People => "Human label".to_owned(),
            LabelSource::Model(name) => format!("Verdict of {name}"),
        };
        text += &terminal.styled_paragraph(&format!("{by}: {label} ({agrees})"), style);
    }
    text
}

/// How the preference becomes probabilities, and these a verdict.
fn arithmetic(explanation: &Explanation, terminal: Terminal) -> String {
    let Explanation { preference, decided, tie, scores: [first, second], clipping, .. } = explanation;
    let clipped = if clipping.abs() < ROUNDING { String::new() } else { format!(", clipping {clipping:+.3}") };
    let subtrahend = if *second < 0.0 { format!("({second:.3})") } else { format!("{second:.3}") };
    let scores = format!("score difference {first:.3} - {subtrahend}{clipped}");
    let parts = [
        ("preference", preference, scores.as_str()),
        ("decided", decided, "logit of a decided verdict"),
        ("tie", tie, "logit of a tie"),
    ];
    let part = |(name, value, what): (&str, &f64, &str)| format!("{name:<12} {value:>+7.3}  {what}");
    let mut text = terminal.styled_paragraph("How the probabilities are computed", BOLD);
    text.extend(parts.map(|of| terminal.paragraph(&part(of))));
    let outcomes = ["hypothesis 1", "tie", "hypothesis 2"];
    let formulas = ["z = decided + preference", "z = tie", "z = decided - preference"];
    for (at, verdict) in Verdict::ALL.into_iter().enumerate() {
        let has_room = terminal.width.is_none_or(|width| width >= FORMULAS);
        let formula = if has_room { format!("  {:<24}", formulas[at]) } else { String::new() };
        let (logit, p) = (explanation.logits[at], explanation.probabilities.0[at]);
        let line = format!("{:<12} {logit:>+7.3}{formula}  p = {p:.3}", outcomes[at]);
        text += &if verdict == explanation.verdict { terminal.paint.apply(BOLD, line) } else { line };
        text.push('\n');
    }
    text + &terminal.paragraph(&rule(explanation))
}

/// The rule by which the verdict follows from the probabilities.
fn rule(explanation: &Explanation) -> String {
    let softmax = "p = softmax(z)";
    let [first, tie, second] = explanation.probabilities.0;
    if let Some(ties) = &explanation.ties {
        let odds = match tie_odds(explanation) {
            Some(odds) => format!(", the odds of a tie times {odds:.3}"),
            None => String::new(),
        };
        return format!("{softmax}{odds}; tie rule: {ties}");
    }
    if first == second {
        return format!("{softmax}; equal probabilities: a tie");
    }
    let factor = explanation.tie_factor;
    if factor == 1.0 {
        return format!("{softmax}; the verdict is the most probable");
    }
    let side = if first > second { 1 } else { 2 };
    let (largest, weighted) = (first.max(second), factor * tie);
    let than = if weighted >= largest { "no less than" } else { "less than" };
    format!(
        "{softmax}; a tie counts {factor:.3} times, as tuned in training: {weighted:.3}, {than} the {largest:.3} of \
         hypothesis {side}"
    )
}

/// The factor by which the tie rule multiplied the odds of a tie; `None` if it is 1.
fn tie_odds(explanation: &Explanation) -> Option<f64> {
    let [first, tie, second] = explanation.logits;
    let before = Probabilities::softmax(first, tie, second);
    let odds = |given: Probabilities| {
        given.probability(Verdict::Tie) / (given.probability(Verdict::First) + given.probability(Verdict::Second))
    };
    let times = odds(explanation.probabilities) / odds(before);
    (times.is_finite() && (times - 1.0).abs() > ROUNDING).then_some(times)
}
