//! What tables hold in place of what is expected, counted for notes and errors.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::signals::ScaleInUse;
use super::winner::{Numbers, Winner, winner};
use crate::error::{Error, Result, pluralized, quoted};
use crate::files::table::{Column, Row};

/// The largest share of words that stand for no verdict: beyond it they are not slips of the judge.
const MAX_UNKNOWN: f64 = 0.1;

/// The most words that a note lists.
const MAX_WORDS: usize = 5;

/// What tables hold in place of what is expected: words that stand for no verdict, by judge, and numbers for texts.
#[derive(Debug, Clone, Default)]
pub(crate) struct Oddities {
    verdicts: BTreeMap<Arc<str>, OfJudge>,
    /// The texts that are numbers, `true` or `false` in JSON.
    no_texts: usize,
}

#[derive(Debug, Clone, Default)]
struct OfJudge {
    /// Cells that are not blank.
    given: usize,
    /// How often each word stands for no verdict.
    unknown: BTreeMap<String, usize>,
    /// The numbers, if a model learned them from -1 to 1.
    signed: Numbers,
}

impl Oddities {
    /// The verdict of a cell; `None` if it is blank or a word that stands for none, which is counted.
    pub(super) fn read(&mut self, judge: &Arc<str>, text: &str, scale: &ScaleInUse) -> Option<Winner> {
        // Words by which programs write that there is nothing.
        if text.trim().is_empty() || ["null", "none", "nan", "na"].contains(&text.trim().to_lowercase().as_str()) {
            return None;
        }
        let of_judge = self.verdicts.entry(Arc::clone(judge)).or_default();
        of_judge.given += 1;
        if scale.is_signed_of_model() {
            of_judge.signed.add(text);
        }
        let value = winner(text);
        if value.is_none() {
            *of_judge.unknown.entry(text.trim().to_owned()).or_default() += 1;
        }
        value
    }

    /// Notes of what was counted as missing.
    pub(crate) fn notes(&self) -> impl Iterator<Item = String> {
        let verdicts = self.verdicts.iter().filter(|(_, found)| !found.unknown.is_empty()).map(|(judge, found)| {
            let count = pluralized(found.count(), "verdict");
            format!("judge {}: {count} of {} read as missing: {}", quoted(judge), found.given, found.words())
        });
        let signed = self.verdicts.iter().filter(|(_, found)| found.signed.look_like_probabilities());
        let signed = signed.map(|(judge, found)| {
            format!(
                "judge {}: none of {} verdicts is negative, and the model learned numbers from -1 to 1; if these are \
                 probabilities, declare it: `judge` {judge}:probability",
                quoted(judge),
                found.given
            )
        });
        let texts = pluralized(self.no_texts, "text");
        let texts = (self.no_texts > 0)
            .then(|| format!("{texts} are numbers, true or false in JSON, read as they are written"));
        verdicts.chain(signed).chain(texts)
    }

    /// Counts the hypotheses of a row that are no texts.
    pub(crate) fn add_texts(&mut self, row: &Row<'_>, columns: [&Column; 2]) {
        self.no_texts += columns.iter().filter(|column| row.is_no_text(column)).count();
    }

    /// # Errors
    /// More than a tenth of a judge's words stand for no verdict.
    pub(crate) fn check(&self, place: &str) -> Result<()> {
        let is_wrong = |found: &&OfJudge| found.count() as f64 > MAX_UNKNOWN * found.given as f64;
        let Some((judge, found)) = self.verdicts.iter().find(|(_, found)| is_wrong(found)) else { return Ok(()) };
        let expected = format!(
            "verdicts of the judge {}: the winner as 1, -1 or 2, 0, A, B, model_a, tie, ..., or numbers of one scale",
            quoted(judge)
        );
        let found = format!("{} of {} others: {}", found.count(), found.given, found.words());
        Err(Error::invalid(place, expected, found, "check that it is the right column; leave missing verdicts blank"))
    }
}

impl OfJudge {
    fn count(&self) -> usize {
        self.unknown.values().sum()
    }

    /// The most frequent words: `'garbage' (16)`.
    fn words(&self) -> String {
        let mut words: Vec<(&String, &usize)> = self.unknown.iter().collect();
        words.sort_by_key(|(_, count)| std::cmp::Reverse(**count));
        let others = words.len().saturating_sub(MAX_WORDS);
        let words = words.iter().take(MAX_WORDS).map(|(word, count)| format!("{} ({count})", quoted(word)));
        let listed = words.collect::<Vec<_>>().join(", ");
        if others > 0 { format!("{listed} and {}", pluralized(others, "other word")) } else { listed }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::judgments::Scale;

    #[test]
    fn unknown_words_are_missing_and_counted() {
        let (judge, mut words, scale) = (Arc::from("gpt"), Oddities::default(), ScaleInUse::default());
        let read = ["1", "B", "garbage", "", "null"].map(|text| words.read(&judge, text, &scale)?.on(Scale::Words));
        assert_eq!(read, [Some(1.0), Some(-1.0), None, None, None]);
        assert_eq!(words.notes().collect::<Vec<_>>(), ["judge 'gpt': 1 verdict of 3 read as missing: 'garbage' (1)"]);
        assert!(words.check("x").unwrap_err().to_string().contains("found 1 of 3 others: 'garbage' (1)"));
        (0..7).for_each(|_| assert!(words.read(&judge, "tie", &scale).is_some()));
        assert!(words.check("x").is_ok());
    }
}
