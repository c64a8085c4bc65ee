//! `--report`: a folder with all that is known, for `train` and `compare`, and the command line that it shows.

use std::path::{Path, PathBuf};

use anyhow::Result;
use clap::Args;
use tribunal::files::Input;
use tribunal::report::Report;
use tribunal::report::outputs::OutputReport;
use tribunal::workflows::{DetailSettings, ReportFolder};

use super::options::Common;

/// Options that change nothing of a report.
const SWITCHES: [&str; 3] = ["--json", "--quiet", "-q"];
const THREADS: &str = "--threads";

/// The folder of a report, which it does not depend on, either.
const REPORT: &str = "--report";

/// Where a report goes besides standard output.
#[derive(Debug, Args)]
pub struct ReportOptions {
    /// Also write a folder with the report as a page, JSON and CSV
    #[arg(long, value_name = "DIR")]
    report: Option<PathBuf>,
    /// Write all pairs there, not only those of the page
    #[arg(long, requires = "report", hide_short_help = true)]
    all_pairs: bool,
}

impl ReportOptions {
    /// The folder, if there is one, after checking that it can be written.
    pub fn folder(&self) -> Result<Option<ReportFolder>> {
        let folder = self.report.as_deref().map(ReportFolder::new).transpose()?;
        Ok(folder.map(|folder| folder.with_all_pairs(self.all_pairs)))
    }

    /// What the report says of where it comes from, if it is written.
    pub fn details<'i>(
        &self,
        inputs: impl IntoIterator<Item = &'i Input>,
        accounts: Vec<String>,
        common: &Common,
    ) -> Option<DetailSettings> {
        let inputs = inputs.into_iter().cloned().collect();
        self.report.is_some().then(|| DetailSettings {
            command: command_line(common.arguments.iter().cloned()),
            inputs,
            accounts,
        })
    }

    /// Writes the report, if it is asked for.
    pub fn write(&self, folder: &Option<ReportFolder>, report: &Report, common: &Common) -> Result<()> {
        self.write_with(folder, |folder| folder.write(report), common)
    }

    /// As [`Self::write`], of a report on single outputs.
    pub fn write_outputs(&self, folder: &Option<ReportFolder>, report: &OutputReport, common: &Common) -> Result<()> {
        self.write_with(folder, |folder| folder.write_outputs(report), common)
    }

    fn write_with(
        &self,
        folder: &Option<ReportFolder>,
        write: impl FnOnce(&ReportFolder) -> tribunal::Result<()>,
        common: &Common,
    ) -> Result<()> {
        let Some(folder) = folder else { return Ok(()) };
        write(folder)?;
        let page = folder.files().first().map(|page| page.display().to_string()).unwrap_or_default();
        common.note(&format!("{page}: the report, with its tables beside it"));
        Ok(())
    }
}

/// The command line of these arguments. What changes nothing of the report is left out, and its folder is called
/// `report`, so that the same figures have the same page wherever it is. Of names that begin at the root of the machine
/// only the last part is told.
fn command_line(arguments: impl Iterator<Item = String>) -> String {
    let mut command = vec!["tribunal".to_owned()];
    let mut arguments = arguments;
    while let Some(argument) = arguments.next() {
        if argument == "--" {
            command.push(argument);
            command.extend(arguments.by_ref().map(|name| quoted(&without_root(&name))));
        } else if argument == THREADS {
            arguments.next();
        } else if argument == REPORT || argument.starts_with("--report=") {
            if argument == REPORT {
                arguments.next();
            }
            command.extend([REPORT.to_owned(), "report".to_owned()]);
        } else if !SWITCHES.contains(&argument.as_str()) && !argument.starts_with("--threads=") {
            command.push(quoted(&without_root(&argument)));
        }
    }
    command.join(" ")
}

/// `--own comet=/home/somebody/values` says `--own comet=values`.
fn without_root(argument: &str) -> String {
    let (option, name) = argument.split_once('=').map_or(("", argument), |(option, name)| (option, name));
    let path = Path::new(name);
    match path.file_name() {
        Some(last) if path.is_absolute() => {
            let equals = if option.is_empty() { "" } else { "=" };
            format!("{option}{equals}{}", last.to_string_lossy())
        }
        _ => argument.to_owned(),
    }
}

/// As a POSIX shell takes it back: in single quotes where anything in it might mean something.
fn quoted(argument: &str) -> String {
    let is_plain = |letter: char| letter.is_ascii_alphanumeric() || "_-+=:,./@%".contains(letter);
    if !argument.is_empty() && argument.chars().all(is_plain) {
        return argument.to_owned();
    }
    format!("'{}'", argument.replace('\'', r"'\''"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn command(arguments: &[&str]) -> String {
        command_line(arguments.iter().map(|&argument| argument.to_owned()))
    }

    #[test]
    fn a_shell_reads_back_what_was_written() {
        let found = command(&["train", "my pairs.csv", "-a", "it's", "--own", "comet,judge-", "$HOME", ""]);
        assert_eq!(found, r"tribunal train 'my pairs.csv' -a 'it'\''s' --own comet,judge- '$HOME' ''");
    }

    #[test]
    fn what_changes_nothing_is_left_out() {
        let found =
            command(&["train", "-q", "a", "--threads", "4", "--report", "x/y", "--json", "--threads=2", "--seed", "3"]);
        assert_eq!(found, "tribunal train a --report report --seed 3");
        assert_eq!(command(&["compare", "--report=out", "--", "--json"]), "tribunal compare --report report -- --json");
    }

    #[test]
    #[cfg(unix)]
    fn folders_of_the_machine_are_not_told() {
        let found =
            command(&["train", "/home/somebody/dev.pairs", "--own", "comet=/tmp/values", "--answers=/tmp/a b", "x/y"]);
        assert_eq!(found, "tribunal train dev.pairs --own comet=values '--answers=a b' x/y");
    }
}
