//! `--table`: the tables of a report for a paper.

use anyhow::Result;
use clap::Args;
use serde::Serialize;
use tribunal::report::paper::PaperTables;
use tribunal::report::{Report, Section, Terminal, sections};

use super::options::Common;
use super::terminal::write;

/// The form of tables.
#[derive(Debug, Args)]
pub struct TableOption {
    /// Print tables as latex, markdown, csv, or one as latex:NAME
    #[arg(
        long = "table",
        id = "printed_tables",
        value_name = "FORMAT",
        conflicts_with = "json",
        hide_short_help = true
    )]
    pub table: Option<PaperTables>,
}

impl TableOption {
    /// Prints the tables of a report if they are wanted, or else what the library renders for a terminal, or JSON.
    pub fn show<'r, R: Serialize>(
        &self,
        common: &Common,
        report: &'r R,
        sections: impl FnOnce(&'r R) -> Vec<Section<'r>>,
        text: impl FnOnce(Terminal) -> String,
    ) -> Result<()> {
        match &self.table {
            Some(tables) => write(&tables.of(&sections(report))?),
            None => common.show(report, text),
        }
    }

    /// Checks that a report has the wanted tables, before anything is written.
    ///
    /// # Errors
    /// There is no table of that name.
    pub fn check(&self, sections: &[Section<'_>]) -> Result<()> {
        self.table.as_ref().map_or(Ok(()), |tables| Ok(tables.of(sections).map(drop)?))
    }

    /// As [`Self::show`] of accuracies.
    pub fn print_report(&self, common: &Common, report: Report, is_brief: bool) -> Result<()> {
        match &self.table {
            Some(tables) => write(&tables.of(&sections::of_report(&report))?),
            None => common.print_report(report, is_brief),
        }
    }
}
