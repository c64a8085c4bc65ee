//! `tribunal check`: is this a file of verdicts that other programs accept?

use anyhow::Result;
use clap::Args;
use tribunal::files::Input;
use tribunal::workflows::check;

use super::options::{Common, FormatOption};

/// Check that a file holds one verdict, 1, 0 or -1, for each pair
///
/// Prints the count of each; the exit status is 1 if anything is wrong.
#[derive(Debug, Args)]
#[command(after_help = "Example:\n  tribunal check eval.out --pairs test.pairs")]
pub struct Check {
    /// The verdicts, `-` for standard input
    eval: Input,
    /// The pairs that they belong to: there must be as many
    #[arg(long, short, value_name = "PAIRS")]
    pairs: Option<Input>,
    #[command(flatten)]
    format: FormatOption,
}

impl Check {
    pub fn run(self, common: &Common) -> Result<()> {
        let found = check(&self.eval, self.pairs.as_ref(), self.format.format)?;
        let [first, tie, second] = found.labels;
        common.print(&found, || format!("{}: {} verdicts; 1: {first}, 0: {tie}, -1: {second}\n", self.eval, found.rows))
    }
}
