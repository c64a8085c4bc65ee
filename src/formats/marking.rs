//! Columns of marks of single outputs: pass and fail, or numbers.

use super::answers::LabelNames;
use crate::error::{Error, Result, quoted};
use crate::files::table::{Column, Row};
use crate::judgments::Verdict;
use crate::judgments::output::Marks;

/// Words for a pass and for a fail, in lower case; C and I are Inspect's.
const WORDS: [(&[&str], f64); 2] = [
    (&["pass", "passed", "true", "yes", "y", "good", "correct", "accept", "accepted", "acceptable", "ok", "c"], 1.0),
    (
        &["fail", "failed", "false", "no", "n", "bad", "incorrect", "reject", "rejected", "unacceptable", "wrong", "i"],
        0.0,
    ),
];

/// Words by which programs write that there is nothing.
pub(super) const NOTHING: [&str; 9] = ["", "null", "none", "nan", "na", "n/a", "#n/a", "<na>", "-"];

/// The largest share of a signal's cells that are words without a meaning.
const MAX_UNKNOWN: f64 = 0.1;

/// 1 for a word that means a pass, 0 for one that means a fail, in lower case.
pub(super) fn mark(word: &str) -> Option<f64> {
    WORDS.iter().find(|(words, _)| words.contains(&word)).map(|(_, value)| *value)
}

/// A column of marks as it is read, and what its cells showed.
pub(super) struct Marking {
    column: Column,
    /// Whether words without a meaning are missing values.
    may_be_missing: bool,
    words: usize,
    /// Numbers other than 0 and 1.
    numbers: usize,
    given: usize,
    unknown: Vec<String>,
    /// The place and text of the first word and of the first other number.
    first: [Option<(String, String)>; 2],
}

impl Marking {
    pub(super) fn new(column: &Column, may_be_missing: bool) -> Self {
        Self {
            column: column.clone(),
            may_be_missing,
            words: 0,
            numbers: 0,
            given: 0,
            unknown: Vec::new(),
            first: [None, None],
        }
    }

    /// What a cell says: 1 for a pass, 0 for a fail, or its number.
    pub(super) fn read(&mut self, row: &Row<'_>, names: &LabelNames) -> Result<Option<f64>> {
        let Some(text) = row.optional(&self.column)? else { return Ok(None) };
        let (text, place) = (text.trim(), || format!("{}, column {}", row.place(), quoted(self.column.name())));
        let word = text.to_lowercase();
        if NOTHING.contains(&word.as_str()) {
            return Ok(None);
        }
        if !names.are_default() {
            let verdict = names.read(text, &place())?;
            return Ok((verdict != Verdict::Tie).then(|| f64::from(u8::from(verdict == Verdict::First))));
        }
        self.given += 1;
        if let Some(number) = text.parse::<f64>().ok().filter(|number| number.is_finite()) {
            if number != 0.0 && number != 1.0 {
                self.numbers += 1;
                self.first[1].get_or_insert_with(|| (row.place(), text.to_owned()));
            }
            return Ok(Some(number));
        }
        if let Some(value) = mark(&word) {
            self.words += 1;
            self.first[0].get_or_insert_with(|| (row.place(), text.to_owned()));
            return Ok(Some(value));
        }
        if self.may_be_missing {
            self.unknown.push(text.to_owned());
            return Ok(None);
        }
        let advice = "write pass or fail, true or false, 1 or 0, or a number; leave the cell blank where there is no label; or \
            name your labels: `labels` good=1,poor=-1";
        Err(Error::invalid(place(), "a label: pass, fail or a number", quoted(text), advice))
    }

    pub(super) fn marks(&self) -> Marks {
        if self.numbers > 0 { Marks::Numbers } else { Marks::PassFail }
    }

    /// # Errors
    /// The column has words and numbers; or too many words without a meaning.
    pub(super) fn check(&self) -> Result<()> {
        if self.words > 0 && self.numbers > 0 {
            let [word, number] = &self.first;
            let named = |one: &Option<(String, String)>| {
                one.as_ref().map_or_else(String::new, |(place, text)| format!("{} in {place}", quoted(text)))
            };
            let expected = format!("pass and fail, or numbers, in the whole column {}", quoted(self.column.name()));
            let found = format!("{} and {}", named(word), named(number));
            return Err(Error::invalid(self.column.name(), expected, found, "write numbers, or 1 and 0, in every row"));
        }
        if self.unknown.len() as f64 > MAX_UNKNOWN * self.given as f64 {
            let expected = "pass, fail or a number";
            let found =
                format!("{} of {} others, such as {}", self.unknown.len(), self.given, quoted(&self.unknown[0]));
            return Err(Error::invalid(
                format!("column {}", quoted(self.column.name())),
                expected,
                found,
                "check that it is the right column; write each value as a number, such as 4 or 0.8; leave missing ones blank",
            ));
        }
        Ok(())
    }

    pub(super) fn note(&self) -> Option<String> {
        let (unknown, first) = (self.unknown.len(), self.unknown.first()?);
        let name = quoted(self.column.name());
        Some(format!("column {name}: {unknown} of {} cells read as missing, such as {}", self.given, quoted(first)))
    }

    /// What the columns of labels hold together.
    pub(super) fn common(labels: &[Self]) -> Result<Marks> {
        labels.iter().try_for_each(Self::check)?;
        let is_number = |one: &&Self| one.numbers > 0;
        let Some(number) = labels.iter().find(is_number) else { return Ok(Marks::PassFail) };
        let Some(word) = labels.iter().find(|one| one.words > 0) else { return Ok(Marks::Numbers) };
        let found = format!("words in {} and numbers in {}", quoted(word.column.name()), quoted(number.column.name()));
        Err(Error::invalid("`annotators`", "labels of one kind", found, "write numbers, or 1 and 0, in all columns"))
    }
}
