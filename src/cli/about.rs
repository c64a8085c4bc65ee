//! `tribunal completions`, `man` and `licences`: what the program says about itself.

use std::path::PathBuf;

use anyhow::Result;
use clap::{Args, Command};
use clap_complete::{Shell, generate};
use clap_mangen::Man;
use clap_mangen::roff::{Roff, roman};
use serde_json::json;
use tribunal::files::write_folder;
use tribunal::workflows::licences::{self, Licence};

use super::options::Common;
use super::terminal::write;

/// Print completions of commands, options and values for a shell
///
/// Shells load completions from a file at start-up; its folder depends on shell and system.
#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  tribunal completions bash > ~/.local/share/bash-completion/completions/tribunal\n  \
    tribunal completions zsh > ~/.zfunc/_tribunal\n  \
    tribunal completions fish > ~/.config/fish/completions/tribunal.fish\n  \
    tribunal completions powershell >> $PROFILE\n\n\
    zsh looks into ~/.zfunc if ~/.zshrc has 'fpath+=~/.zfunc' before 'compinit'."
)]
pub struct Completions {
    /// The shell
    #[arg(value_enum)]
    shell: Shell,
}

impl Completions {
    pub fn run(self) -> Result<()> {
        let mut text = Vec::new();
        generate(self.shell, &mut super::command(), "tribunal", &mut text);
        write(&String::from_utf8(text)?)
    }
}

/// Write manual pages, one per command
///
/// Existing pages of the same name are replaced, all or none. The folder is created if necessary.
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  tribunal man man1\n  \
    tribunal man ~/.local/share/man/man1 && man tribunal-train")]
pub struct ManPages {
    /// The folder for the pages: tribunal.1, tribunal-train.1, ...
    #[arg(value_name = "DIR")]
    folder: PathBuf,
}

impl ManPages {
    pub fn run(self, common: &Common) -> Result<()> {
        let mut command = super::command().disable_help_subcommand(true);
        command.build();
        let mut pages = Vec::new();
        add_pages(&command, &mut pages)?;
        write_folder(&self.folder, &pages)?;
        let folder = self.folder.display().to_string();
        let names: Vec<&str> = pages.iter().map(|(name, _)| name.as_str()).collect();
        common.print(&json!({ "folder": folder, "pages": names }), || format!("{folder}: {} pages\n", names.len()))
    }
}

/// Adds the name and the text of the page of a command, and those of its subcommands.
fn add_pages(command: &Command, pages: &mut Vec<(String, Vec<u8>)>) -> Result<()> {
    let version = format!("tribunal {}", env!("CARGO_PKG_VERSION"));
    let page = Man::new(command.clone()).source(version).manual("Tribunal");
    let mut text = Vec::new();
    page.render_title(&mut text)?;
    page.render_name_section(&mut text)?;
    page.render_synopsis_section(&mut text)?;
    page.render_description_section(&mut text)?;
    page.render_options_section(&mut text)?;
    if command.has_subcommands() {
        page.render_subcommands_section(&mut text)?;
    }
    let after = command.get_after_help().map(ToString::to_string).unwrap_or_default();
    let examples = after.strip_prefix("Examples:\n").or(after.strip_prefix("Example:\n")).unwrap_or(&after);
    // In the section that clap_mangen has for it lines run into each other.
    unfilled("EXAMPLES", examples).to_writer(&mut text)?;
    pages.push((page.get_filename(), text));
    command.get_subcommands().try_for_each(|inside| add_pages(inside, pages))
}

/// A section whose lines stay as they are.
fn unfilled(title: &str, text: &str) -> Roff {
    let mut section = Roff::default();
    section.control("SH", [title]);
    section.control("nf", []);
    for line in text.lines() {
        section.text([roman(line)]);
    }
    section.control("fi", []);
    section
}

/// Print the licences of the program and of the data and crates inside it
#[derive(Debug, Args)]
#[command(after_help = "Example:\n  tribunal licences")]
pub struct Licences {}

impl Licences {
    pub fn run(self, common: &Common) -> Result<()> {
        let all = licences::all();
        common.show(&all, |_| all.iter().map(section).collect::<Vec<_>>().join("\n"))
    }
}

fn section(licence: &Licence) -> String {
    let Licence { of, licence, text } = licence;
    let title = format!("{of}: {licence}");
    format!("{title}\n{}\n\n{}\n", "=".repeat(title.chars().count()), text.trim_end())
}
