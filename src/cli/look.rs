//! `tribunal look`: what a file is, and what can be asked of it.

use anyhow::Result;
use clap::Args;
use tribunal::files::Input;
use tribunal::formats::overview;

use super::options::{Common, check_files};

/// Say what a file is, and what can be asked of it
///
/// Pairs or single outputs, labels, annotators, judges, metrics, systems, references, and how many of them, by the first 5000 rows;
/// and for each question that they can answer, the command. Nothing is computed. `tribunal FILE` does the same.
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  tribunal dev.pairs\n  tribunal look dev.pairs")]
pub struct Look {
    /// Any file that other commands read
    #[arg(value_name = "FILE")]
    file: Input,
}

impl Look {
    pub fn run(self, common: &Common) -> Result<()> {
        check_files([&self.file], &[])?;
        let found = overview(&self.file)?;
        common.print(&found, || found.to_string())
    }
}
