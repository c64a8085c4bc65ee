//! A page on which people label pairs or single outputs, without a network.

use std::str::FromStr;

use askama::Template;
use serde::Serialize;
use xxhash_rust::xxh3::xxh3_64;

use super::{data_in_page, not_rendered, rendered, visible};
use crate::error::Result;
use crate::judgments::identity::canonical;

/// What a page for labelling shows.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AnnotationPage {
    /// The name of the file of pairs or outputs.
    pub name: String,
    /// The annotator; the page asks if there is no name.
    pub annotator: Option<String>,
    /// What is asked.
    pub task: AnnotationTask,
    /// The columns that are exported besides those of the labels.
    pub columns: Vec<String>,
    /// The pairs or outputs.
    pub rows: Vec<AnnotationRow>,
    /// What is shown, one after another.
    pub items: Vec<AnnotationItem>,
    /// The cells of rows that were labelled before, then label and annotators, which are exported with the others.
    pub earlier: Vec<Vec<String>>,
}

/// What a page asks of each row.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AnnotationTask {
    /// Which text of a pair is better.
    Better,
    /// Whether an output passes.
    PassFail,
    /// How good an output is.
    Rating(RatingScale),
}

/// The whole numbers with which outputs are rated, each a key.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RatingScale {
    /// The worst, from 0.
    pub low: u8,
    /// The best, up to 9.
    pub high: u8,
}

/// A pair or an output.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct AnnotationRow {
    /// What is exported of it besides its label.
    pub cells: Vec<String>,
    /// The text of an output, or the two of a pair.
    pub texts: Vec<String>,
    /// What an output should rest on.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub contexts: Vec<String>,
    /// The references.
    pub references: Vec<String>,
    /// The prompt.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub prompt: Option<String>,
}

/// A row to label.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct AnnotationItem {
    /// The number of the row, from 0.
    pub row: usize,
    /// Whether the second text is shown first.
    pub is_exchanged: bool,
    /// Whether the row was shown before, of a pair with the sides exchanged.
    pub is_repeat: bool,
}

/// The data of the page's script.
#[derive(Serialize)]
struct Data<'p> {
    name: &'p str,
    annotator: Option<&'p str>,
    /// Tells one set of rows from another in the browser's storage.
    digest: String,
    unit: &'static str,
    choices: &'p [Choice],
    columns: &'p [String],
    rows: Vec<AnnotationRow>,
    items: &'p [AnnotationItem],
    #[serde(skip_serializing_if = "Vec::is_empty")]
    earlier: &'p Vec<Vec<String>>,
}

/// A label that may be chosen.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
struct Choice {
    key: u8,
    /// The label; of pairs, that of the sides as they are shown.
    label: i8,
    text: String,
}

#[derive(Template)]
#[template(path = "annotate.html")]
struct Page<'p> {
    title: String,
    /// What the annotator is to do.
    task: String,
    unit: &'static str,
    texts: &'static [&'static str],
    choices: &'p [Choice],
    data: String,
}

impl FromStr for RatingScale {
    type Err = String;

    /// `1-5`, or `5` for the same.
    fn from_str(text: &str) -> std::result::Result<Self, String> {
        let (low, high) = text.split_once('-').unwrap_or(("1", text));
        let digit = |text: &str| text.trim().parse().ok().filter(|number: &u8| *number <= 9);
        let scale = digit(low).zip(digit(high)).filter(|(low, high)| low < high);
        let advice = "write two whole numbers from 0 to 9, such as 1-5: each is a key";
        scale.map(|(low, high)| Self { low, high }).ok_or_else(|| advice.to_owned())
    }
}

impl AnnotationTask {
    /// What a row is.
    pub fn unit(self) -> &'static str {
        if self == Self::Better { "pair" } else { "output" }
    }

    fn choices(self) -> Vec<Choice> {
        let choice = |(key, label, text): (u8, i8, &str)| Choice { key, label, text: text.to_owned() };
        match self {
            Self::Better => {
                [(1, 1, "Text 1 is better"), (0, 0, "Equally good"), (2, -1, "Text 2 is better")].map(choice).into()
            }
            Self::PassFail => [(1, 1, "Pass"), (0, 0, "Fail")].map(choice).into(),
            Self::Rating(RatingScale { low, high }) => {
                (low..=high).map(|key| choice((key, key as i8, &key.to_string()))).collect()
            }
        }
    }

    /// The question, and what is to be done.
    fn question(self) -> [String; 2] {
        match self {
            Self::Better => [
                "Which text is better?".to_owned(),
                "You will see two texts at a time. Choose the better one, or say that they are equally good."
                    .to_owned(),
            ],
            Self::PassFail => [
                "Does the output pass?".to_owned(),
                "You will see one output at a time. Say whether it passes or fails.".to_owned(),
            ],
            Self::Rating(RatingScale { low, high }) => [
                format!("How good is the output, from {low} to {high}?"),
                format!("You will see one output at a time. Rate it from {low}, the worst, to {high}, the best."),
            ],
        }
    }
}

/// Renders the page.
///
/// # Errors
/// A template cannot be rendered.
pub fn annotation(page: &AnnotationPage) -> Result<String> {
    let AnnotationPage { name, annotator, task, columns, rows, items, earlier } = page;
    let (annotator, unit, choices) = (annotator.as_deref(), task.unit(), task.choices());
    let row = |row: &AnnotationRow| AnnotationRow {
        // What is exported is read again, and matched by its texts: line ends and marks would not survive that.
        cells: row.cells.iter().map(|cell| canonical(cell).into_owned()).collect(),
        texts: row.texts.iter().map(|text| shown(text)).collect(),
        contexts: row.contexts.iter().map(|text| shown(text)).collect(),
        references: row.references.iter().map(|text| shown(text)).collect(),
        prompt: row.prompt.as_deref().map(shown),
    };
    let (rows, digest) = (rows.iter().map(row).collect(), String::new());
    let mut data = Data { name, annotator, digest, unit, choices: &choices, columns, rows, items, earlier };
    let json = serde_json::to_string(&data).map_err(|error| not_rendered(&error))?;
    data.digest = format!("{:016x}", xxh3_64(json.as_bytes()));
    let [question, task] = task.question();
    let texts: &[&str] = if unit == "pair" { &["Text 1", "Text 2"] } else { &["Output"] };
    let (title, data) = (format!("{question} {name}"), data_in_page(&data)?);
    rendered(&Page { title, task, unit, texts, choices: &choices, data })
}

/// A text without control characters, with its lines.
fn shown(text: &str) -> String {
    text.lines().map(visible).collect::<Vec<_>>().join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_rating_scale_has_a_key_for_each_number() {
        for (text, low, high) in [("1-5", 1, 5), ("5", 1, 5), ("0-9", 0, 9), ("0 - 1", 0, 1)] {
            assert_eq!(text.parse(), Ok(RatingScale { low, high }));
        }
        for wrong in ["", "1", "5-1", "3-3", "1-10", "-1-5", "a-b", "1.5"] {
            assert!(wrong.parse::<RatingScale>().unwrap_err().contains("such as 1-5"), "{wrong}");
        }
    }
}
