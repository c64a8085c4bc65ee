//! The command line: parses, calls the library, prints. One file a command.

mod check;
mod compare;
mod completions;
mod correlate;
mod display;
mod evaluate;
mod explain;
mod features;
mod flags;
mod import;
mod licences;
mod man;
mod notes;
mod options;
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

/// Judges pairs of hypotheses like people do: trains an ensemble of metrics on human judgments.
#[derive(Debug, Parser)]
#[command(name = "tribunal", version, max_term_width = 110, arg_required_else_help = true)]
#[command(after_help = "Examples:\n  tribunal train dev.pairs --answers dev.answers -m dev.json\n  \
    tribunal predict test.pairs -m dev.json -o eval.out\n\n\
    'tribunal help COMMAND' says more of each.")]
pub struct Cli {
    #[command(subcommand)]
    command: Command,
    #[command(flatten)]
    common: Common,
}

#[derive(Debug, Subcommand)]
enum Command {
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

/// Does what the command line says.
pub fn run(cli: Cli) -> Result<()> {
    signals::watch();
    cli.common.set_limits();
    cli.common.watch_reading();
    cli.common.start_threads()?;
    match cli.command {
        Command::Train(train) => train.run(&cli.common),
        Command::Predict(predict) => predict.run(&cli.common),
        Command::Check(check) => check.run(&cli.common),
        Command::Evaluate(evaluate) => evaluate.run(&cli.common),
        Command::Compare(compare) => compare.run(&cli.common),
        Command::Correlate(correlate) => correlate.run(&cli.common),
        Command::Explain(explain) => explain.run(&cli.common),
        Command::Features(features) => features.run(&cli.common),
        Command::Import(import) => import.run(&cli.common),
        Command::Score(score) => score.run(&cli.common),
        Command::Completions(completions) => completions.run(),
        Command::Man(man) => man.run(&cli.common),
        Command::Licences(licences) => licences.run(&cli.common),
    }
}
