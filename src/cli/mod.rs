//! The command line: parses, calls the library, prints. One file a command.

mod about;
mod compare;
mod correlate;
mod demo;
mod evaluate;
mod explain;
mod features;
mod flags;
mod import;
mod options;
mod predict;
mod progress;
mod report_options;
mod score;
mod terminal;
mod train;

use anyhow::Result;
use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{CommandFactory, FromArgMatches, Parser, Subcommand};

use options::Common;
pub use terminal::say;

/// Ten lines, each of which fits into 80 columns.
const OVERVIEW: &str = "\
Tribunal predicts which of two translations or summaries people prefer.

  tribunal demo                             try everything on a small sample
  tribunal predict PAIRS                    which hypothesis do people prefer?
  tribunal explain PAIRS --line N           and why?
  tribunal score SYSTEM... -r REFERENCE     BLEU, chrF, METEOR, ... of systems
  tribunal train PAIRS -a ANSWERS -m MODEL  learn from your own judgments
  tribunal compare PAIRS -a ANSWERS         which metric agrees with people?

'tribunal --help' lists all commands, 'tribunal COMMAND --help' has examples.
";

/// Parses the arguments of the program.
///
/// # Errors
/// The command line is wrong, or asks for help.
pub fn parse() -> Result<Cli, clap::Error> {
    let matches = command().try_get_matches().map_err(with_hint)?;
    Cli::from_arg_matches(&matches).map_err(|error| error.format(&mut command()))
}

/// The definition of the command line. Commands that compute nothing accept the options of computations, but their help
/// does not list them.
pub fn command() -> clap::Command {
    let hide = |command: clap::Command| command.args(Common::of_computations().into_iter().map(|arg| arg.hide(true)));
    let commands = ["completions", "man", "licences"].into_iter();
    commands.fold(Cli::command(), |command, name| command.mut_subcommand(name, hide))
}

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
    Check(evaluate::Check),
    Evaluate(evaluate::Evaluate),
    Compare(compare::Compare),
    Correlate(correlate::Correlate),
    Explain(explain::Explain),
    Features(features::Features),
    Import(import::Import),
    Score(score::ScoreSystems),
    Completions(about::Completions),
    Man(about::ManPages),
    Licences(about::Licences),
}

/// Runs the parsed command.
pub fn run(cli: Cli) -> Result<()> {
    cli.common.set_limits();
    cli.common.watch_reading();
    cli.common.start_threads()?;
    cli.run()
}

impl Cli {
    /// Runs the command, or shows which there are.
    fn run(self) -> Result<()> {
        self.command.map_or_else(|| terminal::print(OVERVIEW), |command| command.run(&self.common))
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

/// A tip where the order of the arguments is the likely mistake, or where no name is near.
fn with_hint(mut error: clap::Error) -> clap::Error {
    let tip = match error.kind() {
        ErrorKind::MissingRequiredArgument => missing_tip(&error),
        ErrorKind::InvalidSubcommand => unknown_command_tip(&error),
        _ => None,
    };
    if let Some(tip) = tip {
        error.insert(ContextKind::Suggested, ContextValue::StyledStrs(vec![tip.into()]));
    }
    error
}

/// `-r` took the names of the systems as well.
fn missing_tip(error: &clap::Error) -> Option<String> {
    let is_missing = |name: &str| match error.get(ContextKind::InvalidArg) {
        Some(ContextValue::Strings(missing)) => missing.iter().any(|argument| argument.contains(name)),
        _ => false,
    };
    let tip = "-r takes all names after it: name the systems first, as in 'tribunal score SYSTEM -r REFERENCE'";
    (is_missing("<HYP>") && !is_missing("REF")).then(|| tip.to_owned())
}

/// What stands in the place of a command is a file, or like no command.
fn unknown_command_tip(error: &clap::Error) -> Option<String> {
    let Some(ContextValue::String(name)) = error.get(ContextKind::InvalidSubcommand) else { return None };
    if std::path::Path::new(name).is_file() {
        return Some(format!("name a command first, as in 'tribunal predict {name}'"));
    }
    let is_near = error.get(ContextKind::SuggestedSubcommand).is_some();
    (!is_near).then(|| "'tribunal --help' lists the commands".to_owned())
}
