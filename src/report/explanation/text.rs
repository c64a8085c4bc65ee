//! In: an [`Explanation`]. Out: text for a terminal, in colour if it shows them.
//!
//! Control characters of the texts are escaped, see [`escaped`](crate::error::escaped). Without its own escape
//! sequences the coloured text equals the plain one.

mod arithmetic;
mod contributions;
mod metrics;
mod texts;

use super::Explanation;
use crate::error::truncated;
use crate::judgments::Verdict;
use crate::report::paint::{BLUE, BOLD, GREEN, MAGENTA, Paint, RED};
use crate::report::terminal::Terminal;
use crate::report::text::wrapped;

/// The width in columns if the terminal gives none.
const USUAL: usize = 100;

/// The least width in columns that the tables need.
const LEAST: usize = 40;

/// The largest width in columns of bars and lines of text.
const MOST: usize = 140;

/// The sheet that an explanation is laid out on.
#[derive(Debug, Clone, Copy)]
struct Sheet {
    width: usize,
    paint: Paint,
}

/// The explanation in five sections: the verdict; both hypotheses aligned with the reference, word by word; the
/// contributions of features; how the probabilities follow from them; and the metrics' values.
pub fn render(explanation: &Explanation, terminal: Terminal) -> String {
    let Terminal { width, paint } = terminal;
    let sheet = Sheet { width: width.unwrap_or(USUAL).clamp(LEAST, MOST), paint };
    let sections = [
        sheet.verdict(explanation),
        texts::lines(explanation, sheet),
        contributions::table(explanation, sheet),
        arithmetic::lines(explanation, sheet),
        metrics::table(explanation, sheet),
    ];
    sections.into_iter().filter(|section| !section.is_empty()).collect::<Vec<_>>().join("\n")
}

impl Sheet {
    fn heading(self, text: &str) -> String {
        self.paint.apply(BOLD, text) + "\n"
    }

    /// A paragraph, wrapped to the sheet.
    fn paragraph(self, text: &str) -> String {
        wrapped(text, Some(self.width))
    }

    /// The model's verdict, and people's if known; agreement shows in words as well as in colour.
    fn verdict(self, explanation: &Explanation) -> String {
        let Explanation { verdict, people, .. } = explanation;
        let [first, tie, second] = explanation.probabilities.0.map(|probability| format!("{probability:.3}"));
        let (what, rest) = match verdict {
            Verdict::First => (format!("hypothesis 1: p = {first}"), format!("tie {tie}, hypothesis 2 {second}")),
            Verdict::Second => (format!("hypothesis 2: p = {second}"), format!("tie {tie}, hypothesis 1 {first}")),
            Verdict::Tie => (format!("tie: p = {tie}"), format!("hypothesis 1 {first}, hypothesis 2 {second}")),
        };
        let says = if *verdict == Verdict::Tie { "The model says" } else { "The model prefers" };
        let told = self.paragraph(&format!("{says} {what} ({rest})"));
        let mut text = place(explanation).map_or_else(String::new, |place| self.paragraph(&place));
        text += &told.lines().map(|line| self.paint.apply(BOLD, line) + "\n").collect::<String>();
        if let Some(people) = people {
            let (style, agree) = if people == verdict { (GREEN, ", too") } else { (RED, "") };
            let said = match people {
                Verdict::First => "prefer hypothesis 1",
                Verdict::Second => "prefer hypothesis 2",
                Verdict::Tie => "say tie",
            };
            text += &(self.paint.apply(style, format!("People {said}{agree}")) + "\n");
        }
        text
    }
}

/// The pair's line and id.
fn place(explanation: &Explanation) -> Option<String> {
    let line = explanation.line.map(|line| format!("Line {line}"));
    match (line, &explanation.id) {
        (Some(line), Some(id)) => Some(format!("{line}, {}", truncated(id))),
        (line, id) => line.or(id.as_deref().map(truncated)),
    }
}

/// The style of each hypothesis.
fn style_of(hypothesis: usize) -> anstyle::Style {
    [BLUE, MAGENTA][hypothesis]
}

/// A number in few characters.
fn short(value: f64) -> String {
    match value.abs() {
        0.0 => "0".to_owned(),
        1e6.. => format!("{value:.2e}"),
        100.0.. => format!("{value:.1}"),
        10.0.. => format!("{value:.2}"),
        _ => format!("{value:.3}"),
    }
}
