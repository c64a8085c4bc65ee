//! A row of error annotations. In: a row of a table. Out: its relevant cells. Next: [`super::study`].

use crate::error::{Error, Result, joined};
use crate::files::table::{Column, Row, Rows};

/// The columns of the table.
pub(super) struct Columns {
    system: Column,
    document: Option<Column>,
    segment: Column,
    rater: Column,
    target: Column,
    category: Column,
    severity: Column,
}

/// The relevant cells of a row.
pub(super) struct Annotation {
    pub(super) line: usize,
    pub(super) system: String,
    /// Document and number.
    pub(super) segment: String,
    pub(super) rater: String,
    /// The target without the marks around the error.
    pub(super) text: String,
    pub(super) category: String,
    pub(super) severity: String,
}

impl Columns {
    pub(super) fn find(rows: &Rows) -> Result<Self> {
        let required = |name: &str| {
            rows.header().find(name).ok_or_else(|| {
                Error::invalid(
                    format!("{}:1", rows.header().place()),
                    "a header with the columns system, seg_id, rater, target, category, severity",
                    format!("no column '{name}' among {}", joined(rows.header().columns())),
                    "name the columns in the first line, with tabs between them",
                )
            })
        };
        Ok(Self {
            system: required("system")?,
            document: rows.header().find("doc").or_else(|| rows.header().find("doc_id")),
            segment: required("seg_id")?,
            rater: required("rater")?,
            target: required("target")?,
            category: required("category")?,
            severity: required("severity")?,
        })
    }

    pub(super) fn annotation(&self, row: &Row<'_>) -> Result<Annotation> {
        let text = |column: &Column| row.text(column).map(|text| text.into_owned());
        let document = self.document.as_ref().map(text).transpose()?.map(|name| name + ":").unwrap_or_default();
        Ok(Annotation {
            line: row.line(),
            system: text(&self.system)?,
            segment: document + &text(&self.segment)?,
            rater: text(&self.rater)?,
            text: row.text(&self.target)?.replace("<v>", "").replace("</v>", ""),
            category: text(&self.category)?,
            severity: text(&self.severity)?,
        })
    }
}
