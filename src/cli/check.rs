//! `tribunal check`: is this a file of verdicts that other programs accept?

use anyhow::Result;
use clap::Args;
use serde::Serialize;
use tribunal::files::Input;
use tribunal::formats::{PairReader, answers};
use tribunal::judgments::Verdict;

use super::options::Common;

/// Check that a file holds one verdict, 1, 0 or -1, for each pair
///
/// Says how many of each there are; exit status 1 if anything is wrong.
#[derive(Debug, Args)]
#[command(after_help = "Example:\n  tribunal check eval.out --pairs test.pairs")]
pub struct Check {
    /// The verdicts, `-` for standard input
    eval: Input,
    /// The pairs that they belong to: there must be as many
    #[arg(long, short, value_name = "PAIRS")]
    pairs: Option<Input>,
}

#[derive(Serialize)]
struct Found {
    valid: bool,
    rows: usize,
    labels: [usize; 3],
}

impl Check {
    pub fn run(self, common: &Common) -> Result<()> {
        let verdicts = match &self.pairs {
            Some(pairs) => {
                let mut count = 0;
                for pair in PairReader::open(pairs, common.format())? {
                    pair?;
                    count += 1;
                }
                answers::read_for(&self.eval, pairs, count)?
            }
            None => answers::read(&self.eval)?,
        };
        let labels = Verdict::ALL.map(|verdict| verdicts.iter().filter(|&&found| found == verdict).count());
        let [first, tie, second] = labels;
        common.print(&Found { valid: true, rows: verdicts.len(), labels }, || {
            format!("{}: {} verdicts; 1: {first}, 0: {tie}, -1: {second}\n", self.eval, verdicts.len())
        })
    }
}
