//! `tribunal completions`: what a shell has to know to complete command lines.

use anyhow::Result;
use clap::Args;
use clap_complete::{Shell, generate};
use tribunal::files::Output;

use super::parse::visible_command;

/// Print completions of commands, options and values for a shell
///
/// The shell reads them when it starts, from a file in a folder that depends on shell and system.
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
        generate(self.shell, &mut visible_command(), "tribunal", &mut text);
        let mut output = Output::create(None)?;
        output.write(&text)?;
        Ok(output.finish()?)
    }
}
