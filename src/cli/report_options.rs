//! `--report`: a folder with all that is known, for `train` and `compare`.

mod command_line;

use std::path::{Path, PathBuf};

use anyhow::Result;
use clap::Args;
use tribunal::files::Input;
use tribunal::report::Report;
use tribunal::workflows::{DetailSettings, ReportFolder};

use super::options::Common;

/// Where a report goes besides standard output.
#[derive(Debug, Args)]
pub struct ReportOptions {
    /// Also write the report into this folder: a page for any browser, its figures as JSON and CSV; files of the same
    /// names are replaced
    #[arg(long, value_name = "DIR")]
    report: Option<PathBuf>,
}

/// The folder, if there is one.
pub struct ReportOutput(Option<ReportFolder>);

impl ReportOptions {
    /// Checks that the folder can be written.
    pub fn open(&self) -> Result<ReportOutput> {
        Ok(ReportOutput(self.report.as_deref().map(ReportFolder::new).transpose()?))
    }

    /// What the report says of where it comes from, if it is written.
    pub fn details<'i>(
        &self,
        inputs: impl IntoIterator<Item = &'i Input>,
        accounts: Vec<String>,
    ) -> Option<DetailSettings> {
        let inputs = inputs.into_iter().cloned().collect();
        self.report.is_some().then(|| DetailSettings { command: command_line::of_process(), inputs, accounts })
    }
}

impl ReportOutput {
    /// The files that are written.
    pub fn files(&self) -> Vec<PathBuf> {
        self.0.as_ref().map(ReportFolder::files).unwrap_or_default()
    }

    /// Writes the report, if it is asked for.
    pub fn write(&self, report: &Report, common: &Common) -> Result<()> {
        let Some(folder) = &self.0 else { return Ok(()) };
        folder.write(report)?;
        let page = folder.files().first().map(|page| page.display().to_string()).unwrap_or_default();
        common.note(&format!("{page}: the report, with its tables beside it"));
        Ok(())
    }
}

/// All outputs of a command, for the check that none is also an input.
pub fn all<'p>(files: &'p [PathBuf], others: impl IntoIterator<Item = Option<&'p Path>>) -> Vec<Option<&'p Path>> {
    others.into_iter().chain(files.iter().map(|file| Some(file.as_path()))).collect()
}
