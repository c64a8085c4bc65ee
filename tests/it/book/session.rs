//! The commands of a document, run one after the other in a folder of its own.

use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use super::blocks::blocks;
use super::{read, root};
use crate::common::on_terminal;

/// Columns of the terminal.
const COLUMNS: usize = 100;

/// What stands for any lines.
const ANYTHING: &str = "...";

/// In a checkout `cargo run` builds the program and runs it: here it is built.
const CARGO: &str = "#!/bin/sh\n[ \"$1 $2\" = 'run --' ] || exit 9\nshift 2\nexec tribunal \"$@\"\n";

/// With this variable, documents are written anew where only figures differ from what is printed.
const RENEW: &str = "TRIBUNAL_RENEW";

/// How that is done.
pub const ADVICE: &str =
    "where only figures differ, TRIBUNAL_RENEW=1 cargo test --profile ci --test it book writes them";

/// What the commands of a document do otherwise than it shows.
pub fn faults(document: &str) -> Vec<String> {
    let folder = tempfile::tempdir().unwrap();
    let programs = tempfile::tempdir().unwrap();
    let cargo = programs.path().join("cargo");
    fs::write(&cargo, CARGO).unwrap();
    fs::set_permissions(&cargo, fs::Permissions::from_mode(0o755)).unwrap();
    if document == "README.md" {
        symlink(root().join("data"), folder.path().join("data")).unwrap();
    }
    let mut session = Session { programs: programs.path(), folder: folder.path().to_owned() };
    let (mut faults, mut text) = (Vec::new(), read(document));
    for block in blocks(&text.clone()).iter().filter(|block| block.run_by.is_none()) {
        if let Some(name) = &block.file {
            fs::write(session.folder.join(name), &block.text).unwrap();
        }
        if block.kind != "console" {
            continue;
        }
        for (command, shown) in block.commands() {
            let Err(printed) = session.run(&command, &shown) else { continue };
            let renewed = std::env::var_os(RENEW).and_then(|_| renewed(&shown, &printed));
            let block_text = |shown: &[String]| format!("$ {command}\n{}\n", shown.join("\n"));
            if let Some(renewed) = renewed {
                text = text.replacen(&block_text(&shown), &block_text(&renewed), 1);
            } else {
                let (printed, shown) = (printed.join("\n"), shown.join("\n"));
                let place = format!("{document}:{}", block.line);
                faults.push(format!("{place}: $ {command}\nprinted:\n{printed}\nshown:\n{shown}"));
            }
        }
    }
    if text != read(document) {
        fs::write(root().join(document), text).unwrap();
    }
    faults
}

struct Session<'p> {
    programs: &'p Path,
    folder: PathBuf,
}

impl Session<'_> {
    /// Runs a command; what it printed, if that is not what is shown. A command that fails shows its message.
    fn run(&mut self, command: &str, shown: &[String]) -> Result<(), Vec<String>> {
        if let Some(folder) = command.strip_prefix("cd ") {
            self.folder = self.folder.join(folder);
            return if self.folder.is_dir() { Ok(()) } else { Err(vec!["no such folder".to_owned()]) };
        }
        let binary = Path::new(env!("CARGO_BIN_EXE_tribunal")).parent().unwrap();
        let path = std::env::var("PATH").unwrap_or_default();
        let path = format!("{}:{}:{path}", self.programs.display(), binary.display());
        let said = tempfile::NamedTempFile::new().unwrap();
        let mut bash = Command::new("bash");
        bash.args(["-c", command]).current_dir(&self.folder).env("PATH", path).env("NO_COLOR", "1");
        bash.stdin(Stdio::null()).stderr(said.reopen().unwrap());
        let (mut printed, is_done) = on_terminal(bash, COLUMNS);
        if !is_done {
            printed += &fs::read_to_string(said.path()).unwrap();
        }
        let lines = |text: &str| text.trim_end().lines().map(|line| line.trim_end().to_owned()).collect::<Vec<_>>();
        let (printed, shown) = (lines(&printed), lines(&shown.join("\n")));
        let is_as_shown = shown.is_empty() && is_done || fits(&shown, &printed);
        if is_as_shown { Ok(()) } else { Err(printed) }
    }
}

/// Whether lines are those shown, in which `...` stands for any.
fn fits(shown: &[String], printed: &[String]) -> bool {
    match shown.split_first() {
        None => printed.is_empty(),
        Some((first, rest)) if first == ANYTHING => (0..=printed.len()).any(|at| fits(rest, &printed[at..])),
        Some((first, rest)) => printed.split_first().is_some_and(|(line, others)| line == first && fits(rest, others)),
    }
}

/// What to show, if what is printed differs in figures only: the same lines with their new figures.
fn renewed(shown: &[String], printed: &[String]) -> Option<Vec<String>> {
    let words = |line: &str| line.chars().filter(|character| character.is_alphabetic()).collect::<String>();
    let mut rest = printed.iter();
    let renew = |line: &String| match line.as_str() {
        ANYTHING => Some(line.clone()),
        _ => rest.find(|printed| words(printed) == words(line)).cloned(),
    };
    let renewed: Vec<String> = shown.iter().map(renew).collect::<Option<_>>()?;
    fits(&renewed, printed).then_some(renewed)
}

#[test]
fn only_figures_are_renewed() {
    let lines = |text: &str| text.lines().map(str::to_owned).collect::<Vec<_>>();
    let printed = lines("tau 0.51 (+0.2)\na 1\nb 2");
    assert_eq!(renewed(&lines("tau 0.5 (-0.1)\n..."), &printed), Some(lines("tau 0.51 (+0.2)\n...")));
    for other in ["rho 0.5\n...", "tau 0.5", "...\nb 2\na 1"] {
        assert_eq!(renewed(&lines(other), &printed), None, "{other}");
    }
}

#[test]
fn shown_lines_fit_what_is_printed() {
    let lines = |text: &str| text.split_whitespace().map(str::to_owned).collect::<Vec<_>>();
    for (shown, printed, is_fit) in [
        ("a b", "a b", true),
        ("a ... c", "a b b c", true),
        ("... c", "a b c d", false),
        ("a ...", "a", true),
        ("a", "a b", false),
        ("", "a", false),
    ] {
        assert_eq!(fits(&lines(shown), &lines(printed)), is_fit, "{shown:?} {printed:?}");
    }
}
