//! `tribunal licences`: what may be done with the program, and whose work is in it.

use anyhow::Result;
use clap::Args;
use tribunal::workflows::licences::{self, Licence};

use super::options::Common;

/// Print the licences of the program and of the data and crates inside it
#[derive(Debug, Args)]
#[command(after_help = "Example:\n  tribunal licences")]
pub struct Licences {}

impl Licences {
    pub fn run(self, common: &Common) -> Result<()> {
        let all = licences::all();
        common.print(&all, || all.iter().map(section).collect::<Vec<_>>().join("\n"))
    }
}

fn section(licence: &Licence) -> String {
    let Licence { of, licence, text } = licence;
    let title = format!("{of}: {licence}");
    format!("{title}\n{}\n\n{}\n", "=".repeat(title.chars().count()), text.trim_end())
}
