//! `tribunal predict`: one verdict a line.

use std::io::{IsTerminal, stdin};
use std::path::PathBuf;

use anyhow::Result;
use clap::Args;
use tribunal::files::{Input, Output};
use tribunal::formats::PairReader;
use tribunal::workflows::{NamedModel, PairJudge, PredictSettings, predict};

use super::options::Common;

/// Predict which hypothesis people would prefer: 1, 0 or -1, one per line
///
/// With --json each line is an object with line and id of the pair, the verdict, and the probabilities of 1, 0 and -1;
/// `check` and `evaluate` read both. Pairs that are typed on a terminal are answered one by one.
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  tribunal predict test.pairs -o eval.out\n  \
    printf 'he goes ||| he go ||| he is going\\n' | tribunal predict -")]
pub struct Predict {
    /// The pairs, `-` for standard input
    pairs: Input,
    /// A model that train wrote [default: the one inside the program]
    #[arg(long, short, value_name = "FILE")]
    model: Option<Input>,
    /// Where the verdicts are written [default: standard output]
    #[arg(long, short, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Write each verdict as soon as its pair is read, for a program that waits for it
    #[arg(long)]
    unbuffered: bool,
    /// Score a segment as often as it occurs: only to measure how fast that is
    #[arg(long, hide = true)]
    every_segment: bool,
}

impl Predict {
    pub fn run(self, common: &Common) -> Result<()> {
        common.check_outputs([&self.pairs].into_iter().chain(&self.model), &[self.output.as_deref()])?;
        let output = Output::create(self.output.as_deref())?;
        let NamedModel { model, place, .. } = NamedModel::read(self.model.as_ref(), &common.language)?;
        let judge = PairJudge::new(&common.engine()?, model, &place)?;
        let judge = if self.every_segment { judge.every_segment() } else { judge };
        let pairs = PairReader::open(&self.pairs, common.format())?;
        // Who types a line waits for its verdict.
        let is_typed = self.pairs == Input::Stdin && stdin().is_terminal();
        let settings = PredictSettings { json: common.json, unbuffered: self.unbuffered || is_typed };
        let display = common.display();
        Ok(predict(&judge, pairs, output, settings, &|event| display.show(event))?)
    }
}
