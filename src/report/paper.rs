//! Tables of a report for papers and notes: LaTeX, Markdown and CSV.

use std::str::FromStr;

use super::sections::NEXT_STEPS;
use super::table::Table;
use super::{Section, data, latex};
use crate::error::{Error, Result, joined, quoted};

/// A form of tables in text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PaperForm {
    /// LaTeX with the package `booktabs`.
    Latex,
    /// Markdown as GitHub and Pandoc read it.
    Markdown,
    /// CSV with all digits.
    Csv,
}

impl PaperForm {
    /// All forms, with the names and the endings of their files.
    const ALL: [(Self, &'static str, &'static str); 3] =
        [(Self::Latex, "latex", "tex"), (Self::Markdown, "markdown", "md"), (Self::Csv, "csv", "csv")];

    /// The form of files with this ending.
    pub fn of_ending(ending: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|(_, _, known)| *known == ending).map(|(form, ..)| form)
    }
}

/// Which tables are wanted, and in which form: `latex`, `markdown`, `csv`, or one of them with the key of a table, as
/// `latex:systems`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PaperTables {
    form: PaperForm,
    /// The only table.
    key: Option<String>,
}

impl FromStr for PaperTables {
    type Err = String;

    fn from_str(text: &str) -> std::result::Result<Self, String> {
        let (name, key) = text.split_once(':').map_or((text, None), |(name, key)| (name, Some(key.to_owned())));
        let form = PaperForm::ALL.into_iter().find(|(_, known, _)| *known == name).map(|(form, ..)| form);
        form.map(|form| Self { form, key }).ok_or_else(|| "write latex, markdown or csv, or one with :TABLE".to_owned())
    }
}

impl From<PaperForm> for PaperTables {
    fn from(form: PaperForm) -> Self {
        Self { form, key: None }
    }
}

impl PaperTables {
    /// The form.
    pub fn form(&self) -> PaperForm {
        self.form
    }

    /// The tables of some sections; of CSV, which has one table a file, the first unless another is named.
    ///
    /// # Errors
    /// There is no table of the wanted name.
    pub fn of(&self, sections: &[Section<'_>]) -> Result<String> {
        // Commands to go on with are for the terminal and the page.
        let all: Vec<_> = Section::all_tables(sections).filter(|(_, table)| table.key != NEXT_STEPS).collect();
        let is_wanted = |(section, table): &&(&Section<'_>, Table<'_>)| {
            self.key.as_ref().is_none_or(|key| table.key == key || section.name_of(table.key) == *key)
        };
        let most = if self.form == PaperForm::Csv { 1 } else { usize::MAX };
        let found: Vec<String> =
            all.iter().filter(is_wanted).take(most).map(|(section, table)| self.one(section, table)).collect();
        if let Some(key) = self.key.as_ref().filter(|_| found.is_empty()) {
            let names = joined(all.iter().map(|(section, table)| section.name_of(table.key)).collect::<Vec<_>>());
            return Err(Error::invalid(
                "`table`",
                format!("one of the tables {names}"),
                quoted(key),
                "name another one",
            ));
        }
        Ok(found.concat())
    }

    fn one(&self, section: &Section<'_>, table: &Table<'_>) -> String {
        match self.form {
            PaperForm::Latex => latex::table(section, table),
            PaperForm::Markdown => markdown(section, table),
            PaperForm::Csv => String::from_utf8_lossy(&data::csv(table)).into_owned(),
        }
    }
}

/// A table in Markdown, below its caption.
fn markdown(section: &Section<'_>, table: &Table<'_>) -> String {
    let line = |cells: Vec<String>| format!("| {} |\n", cells.join(" | "));
    let header = table.columns.iter().map(|column| {
        let header = plain(&format!("{} {}", column.over, column.on_page()));
        header.trim().to_owned()
    });
    let rule = table.columns.iter().map(|column| if column.is_left { "---" } else { "---:" }.to_owned());
    let rows = table.rows.iter().map(|row| {
        line(
            row.iter()
                .map(|cell| {
                    let text = plain(cell.value.on_page().trim());
                    if cell.is_bold() && !text.is_empty() { format!("**{text}**") } else { text }
                })
                .collect(),
        )
    });
    let table_lines = [line(header.collect()), line(rule.collect())].into_iter().chain(rows).collect::<String>();
    format!("{}\n\n{table_lines}\n", plain(&section.caption(table)))
}

/// A text in which Markdown's special characters stand for themselves; control characters are spaces.
fn plain(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '|' | '\\' | '*' | '`' | '[' | ']' | '<' | '_' => plain.extend(['\\', character]),
            _ if character.is_control() => plain.push(' '),
            _ => plain.push(character),
        }
    }
    plain
}

#[cfg(test)]
mod tests {
    use super::super::table::{Column, Value};
    use super::*;

    #[test]
    fn each_form_has_the_tables_that_are_wanted() {
        let table = |key| {
            let table = Table::builder("", [("a|b", 0.5), ("x*", 0.25)])
                .with(Column::text("system"), |(name, _)| name)
                .with(Column::number("p").over("by segment"), |(_, share)| Value::fraction(share));
            table.table.keyed(key)
        };
        let notes = vec!["Means of rows".to_owned()];
        let section = Section { tables: vec![table("one"), table("two")], notes, ..Section::new("s", "Scores") };
        let written = |form: &str| form.parse::<PaperTables>().unwrap().of(std::slice::from_ref(&section));
        let version = env!("CARGO_PKG_VERSION");
        let expected = format!(
            "Scores. Means of rows. Tribunal {version}\n\n| system | by segment p |\n| --- | ---: |\n| a\\|b | 0.5000 |\n\
             | x\\* | 0.2500 |\n\n"
        );
        assert_eq!(written("markdown").unwrap(), expected.repeat(2));
        assert_eq!(written("markdown:two").unwrap(), expected);
        assert_eq!(written("csv").unwrap(), "system,by_segment_p\na|b,0.5\nx*,0.25\n");
        assert_eq!(written("latex").unwrap().matches("\\caption{Scores. Means of rows. Tribunal").count(), 2);
        let message = written("csv:three").unwrap_err().to_string();
        assert!(message.contains("expected one of the tables one, two, found 'three'"), "{message}");
        assert!("html".parse::<PaperTables>().is_err() && PaperForm::of_ending("tex") == Some(PaperForm::Latex));
    }
}
