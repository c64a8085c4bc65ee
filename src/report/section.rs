//! A section of a report as a value. Text, pages, CSV, JSON and LaTeX are renderers that loop over sections; see
//! [`super::sections`] for the list of them.

use serde::{Serialize, Serializer};

use super::chart::Chart;
use super::details::PairRows;
use super::table::Table;
use super::{Explanation, Terminal};

/// A section of a report. JSON has all but the charts, and examples and pairs among the details of the report.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Section<'r> {
    /// Its name: the anchor on a page, and the value of `key` in JSON.
    pub key: &'static str,
    /// What it is about, where several sections have the same name: a column of human scores, a part of the data.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub about: String,
    /// Its heading.
    pub title: String,
    /// What the figures say, one sentence each. A terminal shows all of them.
    pub answer: Vec<String>,
    /// Its tables; those without rows are not shown.
    #[serde(serialize_with = "by_key")]
    pub tables: Vec<Table<'r>>,
    /// Its charts; those without data are not shown.
    #[serde(skip)]
    pub charts: Vec<Chart>,
    /// How the figures were computed and are to be read, one sentence each. A terminal shows them below a table.
    pub notes: Vec<String>,
    /// Groups of explained pairs, each with its heading; only on a page.
    #[serde(skip)]
    pub examples: Vec<(&'static str, &'r [Explanation])>,
    /// Pairs that a script searches, filters and sorts; only on a page.
    #[serde(skip)]
    pub pairs: Option<&'r PairRows>,
    /// What to do about the figures, in one sentence; the end of the section on a page.
    pub advice: Option<String>,
}

/// Tables as an object, by their keys.
fn by_key<S: Serializer>(tables: &[Table<'_>], serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_map(tables.iter().map(|table| (table.key, table)))
}

impl Section<'_> {
    /// A section without contents.
    pub(super) fn new(key: &'static str, title: impl Into<String>) -> Self {
        Self {
            key,
            about: String::new(),
            title: title.into(),
            answer: Vec::new(),
            tables: Vec::new(),
            charts: Vec::new(),
            notes: Vec::new(),
            examples: Vec::new(),
            pairs: None,
            advice: None,
        }
    }

    /// Whether there is more than sentences for the terminal.
    pub(super) fn is_on_page(&self) -> bool {
        let has_tables = self.tables.iter().any(|table| !table.rows.is_empty());
        has_tables || self.charts.iter().any(Chart::has_data) || !self.notes.is_empty() || self.has_pairs()
    }

    /// Whether it shows single pairs.
    pub(super) fn has_pairs(&self) -> bool {
        !self.examples.is_empty() || self.pairs.is_some()
    }

    /// The tables of all sections that have rows and a name, without columns that are empty, with their sections.
    pub(super) fn all_tables<'s>(sections: &'s [Self]) -> impl Iterator<Item = (&'s Self, Table<'s>)> {
        let of_section = |section: &'s Self| section.tables.iter().map(move |table| (section, table));
        let named = |(_, table): &(&Self, &Table<'_>)| !table.rows.is_empty() && !table.key.is_empty();
        sections.iter().flat_map(of_section).filter(named).map(|(section, table)| (section, table.filled()))
    }

    /// What a table shows, how it was computed, and by what, in sentences: the caption in a paper.
    pub(super) fn caption(&self, table: &Table<'_>) -> String {
        let title = if table.caption.is_empty() { &self.title } else { &table.caption };
        let about = Some(&self.about).filter(|about| !about.is_empty() && !title.contains(about.as_str()));
        let sentences = [title].into_iter().chain(about).chain(&self.notes);
        let sentences = sentences.map(|sentence| sentence.trim_end_matches(['.', ':']));
        let version = format!("Tribunal {}", env!("CARGO_PKG_VERSION"));
        sentences.chain([version.as_str()]).collect::<Vec<_>>().join(". ")
    }

    /// The key of the section, or of a table of it, with what the section is about: a name among those of all sections.
    pub(crate) fn name_of(&self, key: &str) -> String {
        let word = |character: char| if character.is_alphanumeric() { character } else { '-' };
        let about: String = self.about.chars().map(word).collect();
        [key, &about].into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join("-")
    }

    /// The tables of the section as a terminal shows them, each as a block, with the notes below the last one.
    pub(super) fn printed_tables(&self, terminal: Terminal) -> Vec<String> {
        let blocks = self.tables.iter().map(|table| table.to_printed_text(terminal));
        let mut blocks: Vec<String> = blocks.filter(|block| !block.is_empty()).collect();
        if let Some(last) = blocks.last_mut() {
            last.extend(self.notes.iter().map(|note| terminal.paragraph(note)));
        }
        blocks
    }
}
