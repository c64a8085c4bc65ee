//! Pairs of hypotheses, with what people, metrics of other programs and automatic judges say of them.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::{JudgeVerdicts, Verdict};
use crate::error::{Error, Result};

/// The name of the part of those that have no value in the column that a report is broken down by.
pub const NO_PART: &str = "(none)";

/// Two hypotheses with their reference(s), and the human label if it is known.
#[derive(Debug, Clone, PartialEq)]
pub struct Pair {
    /// The two hypotheses, as they are written in the file.
    pub hypotheses: [String; 2],
    /// The references; none where there is no text to compare with.
    pub references: Vec<String>,
    /// The human judgment.
    pub label: Option<Verdict>,
    /// The share of the first hypothesis, from 0 to 1, where labels are preferences with fractions; `label` is then
    /// rounded.
    pub preference: Option<f64>,
    /// The name of the pair, from the column `id`.
    pub id: Option<String>,
    /// The group that the pair belongs to in addition to its reference, from the column `group`: groups are never
    /// split.
    pub group: Option<String>,
    /// The names of the annotators who gave the label, from the column `annotator`, where semicolons separate them.
    pub annotators: Vec<String>,
    /// The name of who gave the label, where the file is of a kind in which models name themselves, see
    /// [`LabelSource`](super::LabelSource).
    pub labelled_by: Option<Arc<str>>,
    /// The label of each annotator, where each has a column of their own; `label` is then the majority.
    pub votes: Vec<Vote>,
    /// What a report is broken down by, from a column that the reading names.
    pub part: Option<Arc<str>>,
    /// The weight of the judgment, from the column `weight`.
    pub weight: Option<f64>,
    /// The values of the user's own metrics.
    pub own: Vec<ExternalScore>,
    /// The verdicts of automatic judges.
    pub verdicts: Vec<JudgeVerdicts>,
    /// What the hypotheses answer, from the column `prompt`.
    pub prompt: Option<String>,
    /// What the hypotheses translate, from the column `src`.
    pub source: Option<String>,
    /// The systems that wrote the hypotheses, from the columns `system1` and `system2`.
    pub systems: Option<[String; 2]>,
    /// The probability with which the pair was drawn for labelling, from the column `drawn`, in (0, 1].
    pub drawn: Option<f64>,
    /// The wave of labelling that drew it, from the column `wave`, from 1: from the pairs that had no label yet.
    pub wave: Option<usize>,
    /// The line of the file, from 1.
    pub line: usize,
    /// Whether the hypotheses are in the other order than in the file; see [`Self::swapped`].
    pub is_exchanged: bool,
}

/// Counts labels that are rounded from preferences with fractions.
#[derive(Debug, Clone, Default)]
pub struct RoundedLabels {
    labels: usize,
    rounded: usize,
}

impl RoundedLabels {
    /// Counts a pair with a label.
    pub fn add(&mut self, pair: &Pair) {
        self.labels += usize::from(pair.label.is_some());
        self.rounded += usize::from(pair.preference.is_some_and(|share| ![0.0, 0.5, 1.0].contains(&share)));
    }

    /// How many were rounded, and how; `None` if none was.
    pub fn note(&self) -> Option<String> {
        let Self { labels, rounded } = self;
        (*rounded > 0).then(|| {
            format!(
                "{rounded} of {labels} labels are preferences with fractions: rankings average them as they are; elsewhere \
                 a share of the first above 0.5 is rounded to 1, below 0.5 to -1."
            )
        })
    }
}

/// A pair that people judged.
#[derive(Debug, Clone, PartialEq)]
pub struct Judgment {
    /// The hypotheses and the reference(s).
    pub pair: Pair,
    /// The human label.
    pub label: Verdict,
}

/// The label that one of several annotators gave.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Vote {
    /// The annotator's name, shared by all pairs.
    pub annotator: Arc<str>,
    /// The label; `None` where the annotator did not judge the pair.
    pub label: Option<Verdict>,
}

/// A metric that another program computes, such as COMET.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct ExternalMetric {
    /// The user's name for it.
    pub name: String,
    /// Whether lower values are better, as with error rates.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub lower_is_better: bool,
}

impl ExternalMetric {
    /// A metric with higher values for better hypotheses.
    pub fn new(name: impl Into<String>) -> Self {
        Self { name: name.into(), lower_is_better: false }
    }

    /// A name that cannot clash with a built-in metric: `own.bleu`.
    pub fn qualified_name(&self) -> String {
        format!("own.{}", self.name)
    }

    /// The value, negated if lower values are better, so that higher is better.
    pub fn oriented(&self, value: f64) -> f64 {
        if self.lower_is_better { -value } else { value }
    }
}

/// The values of an [`ExternalMetric`] for the two hypotheses of a pair: any finite numbers, as the user gave them.
#[derive(Debug, Clone, PartialEq)]
pub struct ExternalScore {
    /// The metric's name, shared by all pairs.
    pub name: Arc<str>,
    /// The value of each hypothesis; of single outputs, NaN where there is none.
    pub values: [f64; 2],
}

impl Pair {
    /// A pair without label, names or weight.
    pub fn new(hypotheses: [String; 2], references: Vec<String>) -> Self {
        Self {
            hypotheses,
            references,
            label: None,
            preference: None,
            id: None,
            group: None,
            annotators: Vec::new(),
            labelled_by: None,
            votes: Vec::new(),
            part: None,
            weight: None,
            own: Vec::new(),
            verdicts: Vec::new(),
            prompt: None,
            source: None,
            systems: None,
            drawn: None,
            wave: None,
            line: 1,
            is_exchanged: false,
        }
    }

    /// The texts that its hypotheses are about: the references, or the prompt where there is none.
    pub fn references_or_prompt(&self) -> &[String] {
        if self.references.is_empty() { self.prompt.as_slice() } else { &self.references }
    }

    /// The same pair with its hypotheses in the other order, and all that is known of them turned with them.
    pub fn swapped(mut self) -> Self {
        self.hypotheses.swap(0, 1);
        self.systems.iter_mut().for_each(|systems| systems.swap(0, 1));
        self.own.iter_mut().for_each(|score| score.values.swap(0, 1));
        self.verdicts.iter_mut().for_each(JudgeVerdicts::swap);
        self.votes.iter_mut().for_each(|vote| vote.label = vote.label.map(Verdict::swapped));
        Self {
            label: self.label.map(Verdict::swapped),
            preference: self.preference.map(|first| 1.0 - first),
            is_exchanged: !self.is_exchanged,
            ..self
        }
    }

    /// The share of the first hypothesis in the human label: its preference, or 1, 1/2 or 0; `None` without a label.
    pub fn share_of_first(&self) -> Option<f64> {
        self.preference.or_else(|| self.label.map(|label| f64::midpoint(1.0, f64::from(label.sign()))))
    }

    /// A judge's verdicts; `None` if the pair lacks them.
    pub fn verdicts_of(&self, judge: &str) -> Option<&JudgeVerdicts> {
        self.verdicts.iter().find(|verdicts| *verdicts.name == *judge)
    }

    /// An own metric's values for the two hypotheses; `None` if the pair lacks them.
    pub fn own_score(&self, name: &str) -> Option<[f64; 2]> {
        self.own.iter().find(|score| *score.name == *name).map(|score| score.values)
    }

    /// Parses a line `hyp1 ||| hyp2 ||| ref`, which further references may follow. Fields may be empty, and surrounding
    /// white space is removed; empty further references are ignored.
    ///
    /// # Errors
    /// There are fewer than three fields.
    pub fn parse(line: &str, place: &str, number: usize) -> Result<Self> {
        Self::parse_fields(line, place, number, true)
    }

    /// As [`Self::parse`]; unless it is required, the reference may be missing: `hyp1 ||| hyp2`.
    pub(crate) fn parse_fields(line: &str, place: &str, number: usize, needs_reference: bool) -> Result<Self> {
        let fields = fields(line);
        match fields.as_slice() {
            [first, second, others @ ..] if !(others.is_empty() && needs_reference) => {
                let references = references(others.iter().map(|&text| text.to_owned()));
                let hypotheses = [first, second].map(|&text| text.to_owned());
                Ok(Self { line: number, ..Self::new(hypotheses, references) })
            }
            fewer => {
                let (expected, otherwise) = if needs_reference {
                    ("3 fields", "write each pair as 'hyp1 ||| hyp2 ||| ref'; fields may be empty")
                } else {
                    (
                        "at least 2 fields",
                        "write each pair as 'hyp1 ||| hyp2' or 'hyp1 ||| hyp2 ||| ref'; fields may be empty",
                    )
                };
                let is_empty = line.trim().is_empty();
                let found = if is_empty { "an empty line".to_owned() } else { fewer.len().to_string() };
                let expected = format!("{expected} separated by ' ||| '");
                Err(Error::invalid(format!("{place}:{number}"), expected, found, advice(line, otherwise)))
            }
        }
    }
}

/// What to do about a line that is no pair, and perhaps one of a table.
fn advice(line: &str, otherwise: &str) -> String {
    let kind = match line.trim() {
        "" => return format!("remove it, or {otherwise}"),
        "1" | "0" | "-1" => {
            return format!(
                "if this is a file of answers, name it with `answers`, and the pairs before it; otherwise {otherwise}"
            );
        }
        object if object.starts_with('{') => "jsonl",
        row if row.contains('\t') => "tsv",
        header if header.contains("hyp1") && header.contains(',') => "csv",
        _ => return otherwise.to_owned(),
    };
    let table = if line.contains("hyp1") || kind == "jsonl" {
        "a table"
    } else {
        "a table with column names in its first line"
    };
    format!("if it is {table}, name its format: `format` {kind}; otherwise {otherwise}")
}

/// The references of a pair: the first may be empty, empty further ones are ignored.
pub(crate) fn references(texts: impl Iterator<Item = String>) -> Vec<String> {
    let is_given = |(at, text): &(usize, String)| *at == 0 || !text.trim().is_empty();
    texts.enumerate().filter(is_given).map(|(_, text)| text).collect()
}

/// Splits at `|||` if white space, or the start or end of the line, is on both sides.
pub(crate) fn fields(line: &str) -> Vec<&str> {
    let mut fields = Vec::with_capacity(3);
    let (mut start, mut from) = (0, 0);
    while let Some(found) = line[from..].find("|||") {
        let (at, after) = (from + found, from + found + 3);
        let stands_alone = line[..at].chars().next_back().is_none_or(char::is_whitespace)
            && line[after..].chars().next().is_none_or(char::is_whitespace);
        if stands_alone {
            fields.push(line[start..at].trim());
            start = after;
        }
        // In a run of four bars the separator may begin at the second.
        from = if stands_alone { after } else { at + 1 };
    }
    fields.push(line[start..].trim());
    fields
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_may_be_empty_and_bars_may_stand_in_text() {
        assert_eq!(fields("a b ||| c ||| d"), ["a b", "c", "d"]);
        assert_eq!(fields("||| c |||"), ["", "c", ""]);
        assert_eq!(fields(" |||  ||| d"), ["", "", "d"]);
        assert_eq!(fields("a|||b ||| c ||| d||||"), ["a|||b", "c", "d||||"]);
    }

    #[test]
    fn further_fields_are_further_references() {
        let pair = Pair::parse("a ||| b ||| c ||| d", "x", 1).unwrap();
        assert_eq!(pair.references, ["c", "d"]);
        assert_eq!(Pair::parse("a ||| b ||| c ||| ||| d |||", "x", 1).unwrap().references, ["c", "d"]);
        assert_eq!(Pair::parse("a ||| b ||| ||| d", "x", 1).unwrap().references, ["", "d"]);
    }

    #[test]
    fn a_reference_is_missing_only_where_it_may() {
        let parse = |line: &str| Pair::parse_fields(line, "x", 3, false);
        assert_eq!(parse("a ||| b").unwrap(), Pair { line: 3, ..Pair::new(["a".into(), "b".into()], vec![]) });
        assert_eq!(parse("a ||| b ||| c").unwrap().references, ["c"]);
        assert!(Pair::parse("a ||| b", "x", 1).is_err() && parse("a").is_err());
    }
}
