//! The command line: parses, calls the library, prints. One file a command.

mod arguments;
mod check;
mod compare;
mod completions;
mod correlate;
mod demo;
mod display;
mod evaluate;
mod explain;
mod features;
mod flags;
mod import;
mod licences;
mod man;
mod notes;
mod numbers;
mod options;
mod overview;
mod own;
mod parse;
mod predict;
mod progress;
mod reading;
mod report_options;
mod score;
mod signals;
mod terminal;
mod train;

use anyhow::Result;
use clap::{Parser, Subcommand};

pub use notes::say;
use options::Common;
pub use parse::parse;

/// Predicts which of two hypotheses people prefer, with an ensemble of metrics trained on human judgments.
#[derive(Debug, Parser)]
#[command(name = "tribunal", version, max_term_width = 110)]
#[command(after_help = "Examples:\n  tribunal train dev.pairs --answers dev.answers -m dev.json\n  \
    tribunal predict test.pairs -m dev.json -o eval.out\n\n\
    'tribunal help COMMAND' describes each command.")]
pub struct Cli {
    #[command(subcommand)]
    command: Option<Command>,
    #[command(flatten)]
    common: Common,
}

#[derive(Debug, Subcommand)]
enum Command {
    Demo(demo::Demo),
    Train(train::Train),
    Predict(predict::Predict),
    Check(check::Check),
    Evaluate(evaluate::Evaluate),
    Compare(compare::Compare),
    Correlate(correlate::Correlate),
    Explain(explain::Explain),
    Features(features::Features),
    Import(import::Import),
    Score(score::ScoreSystems),
    Completions(completions::Completions),
    Man(man::ManPages),
    Licences(licences::Licences),
}

/// Runs the parsed command.
pub fn run(cli: Cli) -> Result<()> {
    signals::watch();
    cli.common.set_limits();
    cli.common.watch_reading();
    cli.common.start_threads()?;
    cli.run()
}

impl Cli {
    /// Runs the command, or shows which there are.
    fn run(self) -> Result<()> {
        self.command.map_or_else(overview::show, |command| command.run(&self.common))
    }
}

impl Command {
    fn run(self, common: &Common) -> Result<()> {
        match self {
            Self::Demo(demo) => demo.run(common),
            Self::Train(train) => train.run(common),
            Self::Predict(predict) => predict.run(common),
            Self::Check(check) => check.run(common),
            Self::Evaluate(evaluate) => evaluate.run(common),
            Self::Compare(compare) => compare.run(common),
            Self::Correlate(correlate) => correlate.run(common),
            Self::Explain(explain) => explain.run(common),
            Self::Features(features) => features.run(common),
            Self::Import(import) => import.run(common),
            Self::Score(score) => score.run(common),
            Self::Completions(completions) => completions.run(),
            Self::Man(man) => man.run(common),
            Self::Licences(licences) => licences.run(common),
        }
    }
}
