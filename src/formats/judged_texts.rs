//! Texts with human scores. In: segments of formats that hold scores. Out: a table with one row per segment and system,
//! which [`super::score_table`] reads back. Next: `tribunal correlate`.

use std::collections::{HashMap, HashSet};

use super::account::Account;
use super::score_table::{HYPOTHESIS, REFERENCE};
use crate::error::{Error, Result, pluralized, quoted};
use crate::files::Output;
use crate::files::table::{Cell, CellKind, RowWriter, TableKind};

/// One system's translation of one segment, with its human score.
#[derive(Debug, Clone, PartialEq)]
pub struct JudgedText {
    /// The system.
    pub system: String,
    /// The segment.
    pub segment: String,
    /// The system's output.
    pub hypothesis: String,
    /// At least one.
    pub references: Vec<String>,
    /// The mean human score; higher is better. `None` if it was not judged.
    pub score: Option<f64>,
}

/// The texts of a file, and the account of its rows.
#[derive(Debug, Clone, Default)]
pub struct JudgedTexts {
    /// One text per segment and system, segment by segment.
    pub texts: Vec<JudgedText>,
    /// What was read and dropped.
    pub account: Account,
}

impl JudgedTexts {
    /// Keeps only the segments that every system translated: on others, a metric cannot compare all systems.
    pub(super) fn of(mut texts: Vec<JudgedText>, mut account: Account) -> Self {
        let systems: HashSet<&str> = texts.iter().map(|text| text.system.as_str()).collect();
        let mut counts: HashMap<&str, usize> = HashMap::new();
        texts.iter().for_each(|text| *counts.entry(&text.segment).or_default() += 1);
        let incomplete: HashSet<String> =
            counts.iter().filter(|(_, count)| **count < systems.len()).map(|(name, _)| (*name).to_owned()).collect();
        if let Some(first) = texts.iter().find(|text| incomplete.contains(&text.segment)) {
            account.note(format!(
                "left out {}, for which some system's text is missing, such as {}",
                pluralized(incomplete.len(), "segment"),
                quoted(&first.segment)
            ));
        }
        texts.retain(|text| !incomplete.contains(&text.segment));
        Self { texts, account }
    }

    /// Writes the columns `system`, `segment`, `hyp`, `ref`, further references `ref2`, ..., and `score`.
    ///
    /// # Errors
    /// There is no text; this kind of table cannot hold one of them; the disk is full.
    pub fn write(&self, output: Output, kind: TableKind) -> Result<()> {
        if self.texts.is_empty() {
            let found = format!("none in {}", pluralized(self.account.rows_read, "row"));
            let advice = "check that the right files and folders were named";
            return Err(Error::invalid(output.place(), "a segment that every system translated", found, advice));
        }
        let most = self.texts.iter().map(|text| text.references.len()).max().unwrap_or(1);
        let further: Vec<String> = (2..=most).map(|number| format!("{REFERENCE}{number}")).collect();
        let mut columns = vec!["system", "segment", HYPOTHESIS, REFERENCE];
        columns.extend(further.iter().map(String::as_str));
        let mut columns: Vec<(&str, CellKind)> = columns.into_iter().map(|name| (name, CellKind::Text)).collect();
        columns.push(("score", CellKind::Number));
        let mut rows = RowWriter::begin(output, kind, &columns)?;
        for text in &self.texts {
            let mut cells = vec![Cell::Text(&text.system), Cell::Text(&text.segment), Cell::Text(&text.hypothesis)];
            let reference = |at: usize| text.references.get(at).map_or(Cell::Empty, |text| Cell::Text(text));
            cells.extend((0..most).map(reference));
            cells.push(text.score.map_or(Cell::Empty, Cell::Number));
            rows.write(&cells)?;
        }
        rows.finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn segments_that_a_system_lacks_are_left_out() {
        let text = |system: &str, segment: &str| JudgedText {
            system: system.into(),
            segment: segment.into(),
            hypothesis: "h".into(),
            references: vec!["r".into()],
            score: None,
        };
        let all = vec![text("A", "1"), text("B", "1"), text("A", "2"), text("A", "3"), text("B", "3")];
        let judged = JudgedTexts::of(all, Account::default());
        assert_eq!(judged.texts.iter().map(|text| text.segment.as_str()).collect::<String>(), "1133");
        assert!(
            judged.account.notes[0].starts_with("left out 1 segment, ") && judged.account.notes[0].ends_with("'2'")
        );
    }
}
