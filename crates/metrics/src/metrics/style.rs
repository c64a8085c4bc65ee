//! What can be seen of a text without a reference: length, repetition, lists, mark-up, and overlap with the prompt.
//!
//! ```
//! use tribunal_text_metrics::MetricSet;
//!
//! let metrics = MetricSet::named(&["style"])?;
//! let mut lexicon = metrics.lexicon();
//! let hypothesis = metrics.prepare("one, two, three", &mut lexicon);
//! let reference = metrics.prepare("", &mut lexicon);
//! let names = metrics.members()[0].values().map(|(name, _)| name);
//! let values: Vec<(String, f64)> = names.zip(metrics.values(&hypothesis, &[&reference])).collect();
//! assert!(values.contains(&("style.repeated".to_owned(), 0.0)));
//! # Ok::<(), tribunal_text_metrics::Error>(())
//! ```

use super::metric::{Metric, Statistics, ratio};
use super::signature::Signature;
use crate::text::{Form, Plan, Sentence, Tokenizer, View, ViewId, overlap};

/// The style of a text, apart from what it says.
///
/// The score is ln(1 + n) for n characters, so that differences are ratios of lengths. The parts are `words`, ln(1 + n)
/// for n words; `repeated`, the share of words that occurred before in the text; `lists`, the share of lines that begin
/// as items of a list; `markup`, ln(1 + n) for n Markdown marks: headings, emphasis, code, tables and links; `prompt.p`
/// and `prompt.r`, the share of the words of the text that occur in the prompt, and of the prompt's that occur in the
/// text. Words are compared in lower case; shares are in [0, 1], and 0 where there is no such text.
#[derive(Debug)]
pub struct Style {
    words: ViewId,
}

impl Style {
    /// The metric; it has no settings.
    pub fn new(plan: &mut Plan) -> Self {
        Self { words: plan.add(View::new(Tokenizer::Words, Form::Lower)) }
    }
}

impl Metric for Style {
    fn values(&self) -> &[&'static str] {
        &["", "words", "repeated", "lists", "markup", "prompt.p", "prompt.r"]
    }

    fn signature(&self) -> Signature {
        Signature::new("style").with("tok", "tok", "words").with("v", "version", 1)
    }

    /// The values, then 1 for the text. In place of references it takes the prompt, or none.
    fn statistics(&self, hypothesis: &Sentence, references: &[&Sentence]) -> Statistics {
        let (text, words) = (hypothesis.text(), hypothesis.view(self.words));
        let mut distinct = words.ids.clone();
        distinct.sort_unstable();
        distinct.dedup();
        let count = words.len() as f64;
        let [length, lists, markup] = look(text);
        let overlap = references.first().map_or([0.0; 2], |prompt| {
            let asked = prompt.view(self.words);
            let [shared] = overlap::matches(&words.ids, &asked.ids);
            [ratio(f64::from(shared), count), ratio(f64::from(shared), asked.len() as f64)]
        });
        vec![
            length,
            count.ln_1p(),
            ratio(count - distinct.len() as f64, count),
            lists,
            markup,
            overlap[0],
            overlap[1],
            1.0,
        ]
    }
}

/// Length, lists and mark-up of a text: ln(1 + n) for n characters, the share of lines that are items of a list, and
/// ln(1 + n) for n marks.
pub fn look(text: &str) -> [f64; 3] {
    let lines = || text.lines().map(str::trim_start).filter(|line| !line.is_empty());
    [
        (text.chars().count() as f64).ln_1p(),
        ratio(lines().filter(|line| is_item(line)).count() as f64, lines().count() as f64),
        (lines().map(marks).sum::<usize>() as f64).ln_1p(),
    ]
}

/// Whether a line begins with a bullet, or with a number and a dot or bracket.
fn is_item(line: &str) -> bool {
    if let Some(rest) = line.strip_prefix(['-', '*', '+', '\u{2022}']) {
        return rest.starts_with(' ');
    }
    let rest = line.trim_start_matches(|symbol: char| symbol.is_ascii_digit());
    rest.len() < line.len() && rest.strip_prefix(['.', ')']).is_some_and(|rest| rest.starts_with(' '))
}

/// The number of Markdown marks in a line: its heading, opening emphasis, code, cells of a table, and links.
fn marks(line: &str) -> usize {
    let heading = line.trim_start_matches('#');
    let is_heading = heading.len() < line.len() && heading.starts_with(' ');
    let is_table = line.starts_with('|') && line.trim_end().ends_with('|');
    usize::from(is_heading)
        + usize::from(is_table)
        + line.matches("**").count().div_ceil(2)
        + line.matches('`').count().div_ceil(2)
        + line.matches("](").count()
}

#[cfg(test)]
mod tests {
    use crate::metrics::tests::{assert_close, values};

    #[test]
    fn by_hand() {
        let text = "# The cat\n\n- the **cat** sat\n- [see](x) `it`";
        // Words: the cat the cat sat see x it, with marks apart; two of eight occurred before.
        let found = values("style", text, &["Where is the cat?"]);
        assert_eq!(found[0], (text.chars().count() as f64).ln_1p());
        assert_close(&found[3..5], &[2.0 / 3.0, 5.0_f64.ln()]);
        assert!(found[2] > 0.2 && found[5] > 0.0 && found[6] > 0.3, "{found:?}");
    }

    #[test]
    fn nothing_has_no_style() {
        assert_eq!(values("style", "", &[]), [0.0; 7]);
        assert_eq!(values("style", "a b", &[])[5..], [0.0, 0.0]);
    }

    #[test]
    fn items_and_marks_are_told_from_text() {
        for (text, lists, marks) in [
            ("1. one\n2) two\nthree", 2.0 / 3.0, 0.0),
            ("-5 degrees\n3.5 km\n* no *", 1.0 / 3.0, 0.0),
            ("| a | b |\n## head", 0.0, 2.0_f64),
            ("#tag 2 * 3", 0.0, 0.0),
        ] {
            assert_close(&values("style", text, &[])[3..5], &[lists, marks.ln_1p()]);
        }
    }
}
