//! In: an explanation. Out: lines that show how the preference becomes probabilities and these a verdict.

use super::super::Explanation;
use super::Sheet;
use crate::judgments::{Probabilities, Verdict};
use crate::report::paint::BOLD;

/// Differences up to this are attributed to rounding.
const ROUNDING: f64 = 1e-9;

/// The width of a number in columns.
const NUMBER: usize = 7;

/// The least width of the sheet that has room for formulas.
const FORMULAS: usize = 60;

/// The section "From the preference to the verdict".
pub(super) fn lines(explanation: &Explanation, sheet: Sheet) -> String {
    let Explanation { preference, decided, tie, scores: [first, second], clipping, .. } = explanation;
    let clipped = if clipping.abs() < ROUNDING { String::new() } else { format!(", clipping {clipping:+.3}") };
    let scores = format!("scores s: {first:.3} minus {second:.3}{clipped}");
    let parts = [
        ("preference", preference, scores.as_str()),
        ("decided", decided, "evidence for a preference"),
        ("tie", tie, "evidence for a tie"),
    ];
    let part =
        |(name, value, what): (&str, &f64, &str)| sheet.paragraph(&format!("{name:<12} {value:>+NUMBER$.3}  {what}"));
    let mut text = sheet.heading("From the preference to the verdict");
    text.extend(parts.map(part));
    let outcomes = ["hypothesis 1", "tie", "hypothesis 2"];
    let formulas = ["z = decided + preference", "z = tie", "z = decided - preference"];
    for (at, verdict) in Verdict::ALL.into_iter().enumerate() {
        let formula = if sheet.width < FORMULAS { String::new() } else { format!("  {:<24}", formulas[at]) };
        let (logit, p) = (explanation.logits[at], explanation.probabilities.0[at]);
        let line = format!("{:<12} {logit:>+NUMBER$.3}{formula}  p = {p:.3}", outcomes[at]);
        text += &if verdict == explanation.verdict { sheet.paint.apply(BOLD, line) } else { line };
        text.push('\n');
    }
    text + &sheet.paragraph(&rule(explanation))
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
        return format!("{softmax}{odds}; ties by the rule {ties}");
    }
    if first == second {
        return format!("{softmax}; hypotheses that are equally likely to be preferred are a tie");
    }
    let factor = explanation.tie_factor;
    if factor == 1.0 {
        return format!("{softmax}; the likeliest is the verdict");
    }
    let side = if first > second { 1 } else { 2 };
    let (largest, counted) = (first.max(second), factor * tie);
    let than = if counted >= largest { "no less than" } else { "less than" };
    format!(
        "{softmax}; a tie counts {factor:.3} times, as tuned in training: {counted:.3}, {than} the {largest:.3} of \
         hypothesis {side}"
    )
}

/// The factor by which the tie rule multiplied the odds of a tie; `None` if it is 1.
fn tie_odds(explanation: &Explanation) -> Option<f64> {
    let [first, tie, second] = explanation.logits;
    let before = Probabilities::softmax(first, tie, second);
    let odds = |given: Probabilities| given.of(Verdict::Tie) / (given.of(Verdict::First) + given.of(Verdict::Second));
    let times = odds(explanation.probabilities) / odds(before);
    (times.is_finite() && (times - 1.0).abs() > ROUNDING).then_some(times)
}
