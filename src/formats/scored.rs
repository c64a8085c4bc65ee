//! Single hypotheses with scores. In: rows of a table. Out: segments: rows that share source, references and group. All
//! are held in memory. Next: [`super::pairing`].

use std::collections::HashMap;
use std::vec::IntoIter;

use super::account::Account;
use super::importer::{Hypothesis, Segment, Segments};
use super::pair_columns::{Names, References};
use crate::error::Result;
use crate::files::table::{Column, Row, Rows};

/// The names of the columns.
pub(crate) struct ScoredNames<'n> {
    /// The hypothesis that a row scores.
    pub(crate) text: &'n str,
    pub(crate) score: &'n str,
    /// The source; with the references and the group it identifies the segment.
    pub(crate) source: &'n str,
    /// The other columns, as in tables of pairs.
    pub(crate) others: &'n Names,
}

/// The segments of a table of hypotheses with scores.
pub(crate) struct Scored {
    rows: Option<Rows>,
    text: Column,
    score: Column,
    references: References,
    source: Option<Column>,
    group: Option<Column>,
    id: Option<Column>,
    judges: Option<Column>,
    segments: IntoIter<Segment>,
}

impl Scored {
    pub(crate) fn of(rows: Rows, names: &ScoredNames<'_>) -> Result<Self> {
        Ok(Self {
            text: rows.header().require(names.text)?,
            score: rows.header().require(names.score)?,
            references: References::find(rows.header(), &names.others.references)?,
            source: rows.header().find(names.source),
            group: rows.header().find(&names.others.group),
            id: rows.header().find(&names.others.id),
            judges: rows.header().find(&names.others.judges),
            rows: Some(rows),
            segments: Vec::new().into_iter(),
        })
    }

    fn read(&self, rows: Rows, account: &mut Account) -> Result<Vec<Segment>> {
        let mut segments: Vec<Segment> = Vec::new();
        let mut places: HashMap<Vec<String>, usize> = HashMap::new();
        for row in rows {
            let row = row?;
            account.rows_read += 1;
            if row.optional(&self.score)?.is_none() {
                account.drop_rows(1, "without a score");
                continue;
            }
            let references = self.references.of(&row)?;
            let group = optional(&row, self.group.as_ref())?;
            let mut key = references.clone();
            key.extend(optional(&row, self.source.as_ref())?);
            key.extend(group.clone());
            let at = *places.entry(key).or_insert(segments.len());
            if at == segments.len() {
                let id = group.unwrap_or_else(|| (at + 1).to_string());
                segments.push(Segment { id, references, hypotheses: Vec::new(), line: row.line() });
            }
            let hypothesis = self.hypothesis(&row, segments[at].hypotheses.len() + 1)?;
            segments[at].hypotheses.push(hypothesis);
        }
        let alone = segments.iter().filter(|segment| segment.hypotheses.len() == 1).count();
        account.drop_rows(alone, "the only one of their source and reference");
        Ok(segments)
    }

    fn hypothesis(&self, row: &Row<'_>, number: usize) -> Result<Hypothesis> {
        Ok(Hypothesis {
            name: optional(row, self.id.as_ref())?.unwrap_or_else(|| number.to_string()),
            text: row.text(&self.text)?.into_owned(),
            score: row.number(&self.score)?,
            judges: optional(row, self.judges.as_ref())?.into_iter().collect(),
        })
    }
}

fn optional(row: &Row<'_>, column: Option<&Column>) -> Result<Option<String>> {
    let text = column.map(|column| row.optional(column)).transpose()?.flatten();
    Ok(text.map(|text| text.into_owned()))
}

impl Segments for Scored {
    fn next_segment(&mut self, account: &mut Account) -> Result<Option<Segment>> {
        if let Some(rows) = self.rows.take() {
            self.segments = self.read(rows, account)?.into_iter();
        }
        Ok(self.segments.next())
    }

    fn references(&self) -> usize {
        self.references.count()
    }
}
