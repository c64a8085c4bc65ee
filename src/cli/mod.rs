//! The command line: parses, calls the library, prints. One file a command.
//!
//! It is a part of the library so that the Python package has it, too. Nothing else here prints.

mod about;
mod annotate;
#[cfg(feature = "ask")]
mod ask;
mod compare;
mod correlate;
mod demo;
mod encoder;
mod evaluate;
mod explain;
mod features;
mod flags;
mod gate;
mod help;
mod hints;
mod import;
mod look;
mod next;
mod options;
mod predict;
mod progress;
mod rank;
mod report_options;
mod score;
mod tables;
mod terminal;
mod train;

use std::ffi::OsString;
use std::io::{Write, stdout};
use std::path::Path;

use anyhow::Result;
use clap::{CommandFactory, FromArgMatches, Parser, Subcommand};
use tribunal::Error;

use gate::Closed;
use options::Common;
use terminal::say;

/// The three questions that people come with, in lines that fit into 80 columns.
const OVERVIEW: &str = "\
Tribunal learns from human labels which of two generated texts people prefer.

Which metric or judge should I trust on my data?
  tribunal compare PAIRS -a ANSWERS         metrics and a model against labels
  tribunal train PAIRS --judge gpt,claude   language models as judges, and all
Which of my systems is better, and how sure is that?
  tribunal rank PAIRS --by both             by labels and a model, intervals
  tribunal score SYSTEM... -r REFERENCE     BLEU, chrF, METEOR, ... and ensemble
How well do my labels teach an ensemble?
  tribunal train PAIRS -a ANSWERS -m MODEL  its accuracy beside every metric's
  tribunal predict PAIRS -m MODEL           then judge new pairs with it

'tribunal demo' answers each on a small sample, in ten seconds.
'tribunal FILE' says what a file of yours is, and what can be asked of it.
'tribunal --help' lists all commands, 'tribunal COMMAND --help' has examples.
";

/// Exit statuses, besides 0.
const BAD_INPUT: u8 = 1;
const WRONG_COMMAND_LINE: u8 = 2;

/// Runs the command line with the arguments of this process, and gives its exit status. 0: done; 1: the input or a check
/// is bad; 2: the command line is wrong; 3: a requirement is not met; 4: it cannot be told yet. `is_stdout_closed`: there
/// was no standard output when the process began.
///
/// Once in a process, whose threads it sets.
pub fn main(arguments: Vec<OsString>, is_stdout_closed: bool) -> u8 {
    if is_stdout_closed {
        say(
            "tribunal: standard output: expected a file, a pipe or a terminal, found it closed; redirect it, such as to \
             /dev/null",
        );
        return BAD_INPUT;
    }
    let done = match parse(arguments) {
        Ok(cli) => cli.start(),
        // Python does not flush what Rust has buffered.
        Err(answer) => match answer.print().and_then(|()| stdout().flush()) {
            // Statuses of clap are 0 and 2.
            Ok(()) => return u8::try_from(answer.exit_code()).unwrap_or(WRONG_COMMAND_LINE),
            Err(_) if answer.use_stderr() => return WRONG_COMMAND_LINE,
            Err(error) => Err(Error::io("standard output".as_ref(), error, "write").into()),
        },
    };
    match done {
        Ok(()) => 0,
        Err(error) if is_closed_pipe(&error) => 0,
        Err(error) if error.is::<Closed>() => error.downcast_ref().map_or(BAD_INPUT, |closed: &Closed| closed.status),
        Err(error) => {
            say(format_args!("tribunal: {error}"));
            BAD_INPUT
        }
    }
}

/// The reader of our output has gone away, as with `| head`: no fault.
fn is_closed_pipe(error: &anyhow::Error) -> bool {
    error.downcast_ref::<Error>().is_some_and(Error::is_closed_pipe)
}

/// # Errors
/// The command line is wrong, or asks for help.
fn parse(mut arguments: Vec<OsString>) -> Result<Cli, clap::Error> {
    // A file in the place of a command is looked at.
    let is_file = |word: &OsString| {
        let path = Path::new(word);
        let is_named = path.extension().is_some() || path.components().count() > 1;
        let is_option = word.to_string_lossy().starts_with('-');
        // The commands are listed for what may be a file alone: that takes a third of the start.
        let is_command = || word == "help" || Cli::command().find_subcommand(word).is_some();
        !is_option && (is_named || path.is_file()) && !is_command()
    };
    if arguments.first().is_some_and(is_file) {
        arguments.insert(0, "look".into());
    }
    let words: Vec<String> = arguments.iter().map(|word| word.to_string_lossy().into_owned()).collect();
    let line = [OsString::from("tribunal")].into_iter().chain(arguments);
    let matches = help::with_help(command(), &words)
        .try_get_matches_from(line)
        .map_err(|error| hints::with_hint(error, &words))?;
    let mut cli = Cli::from_arg_matches(&matches).map_err(|error| error.format(&mut command()))?;
    cli.common.arguments = words;
    Ok(cli)
}

/// The definition of the command line. Commands that compute nothing accept the options of computations, but their help
/// does not list them.
fn command() -> clap::Command {
    let hide = |command: clap::Command| command.args(Common::of_computations().into_iter().map(|arg| arg.hide(true)));
    let commands = ["completions", "man", "licences"].into_iter();
    let all = with_negative_numbers(Cli::command()).long_version(long_version());
    commands.fold(all, |command, name| command.mut_subcommand(name, hide))
}

/// The version, and the cargo features that this build has and has not.
fn long_version() -> String {
    let sign = |is_here: bool| if is_here { '+' } else { '-' };
    let features = [
        ("ask", cfg!(feature = "ask")),
        ("encoder", cfg!(feature = "encoder")),
        ("meteor-data", cfg!(feature = "meteor-data")),
        ("parquet", cfg!(feature = "parquet")),
    ];
    let features = features.map(|(name, is_here)| format!("{}{name}", sign(is_here))).join(" ");
    format!("{}\nfeatures: {features}", env!("CARGO_PKG_VERSION"))
}

/// Options take negative numbers, so that `--rounds -5` is told which numbers there are.
fn with_negative_numbers(command: clap::Command) -> clap::Command {
    let takes_value = |arg: &clap::Arg| arg.get_long().is_some() && arg.get_action().takes_values();
    let command = command.mut_args(|arg| if takes_value(&arg) { arg.allow_negative_numbers(true) } else { arg });
    command.mut_subcommands(with_negative_numbers)
}

/// Predicts which of two hypotheses people prefer, with an ensemble of metrics trained on human judgments.
#[derive(Debug, Parser)]
#[command(name = "tribunal", version, max_term_width = 110)]
#[command(after_help = "Examples:\n  tribunal train dev.pairs --answers dev.answers -m dev.json\n  \
    tribunal predict test.pairs -m dev.json -o eval.out\n\n\
    'tribunal COMMAND -h' lists the common options of a command, 'tribunal COMMAND --help' all of them.")]
struct Cli {
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
    Look(look::Look),
    Rank(rank::Rank),
    Next(next::Next),
    #[cfg(feature = "ask")]
    Ask(ask::Ask),
    Annotate(annotate::Annotate),
    Score(score::ScoreSystems),
    Encoder(encoder::Encoder),
    Completions(about::Completions),
    Man(about::ManPages),
    Licences(about::Licences),
}

impl Cli {
    /// Runs the command with the threads that are asked for.
    fn start(self) -> Result<()> {
        self.common.start_threads()?;
        self.run()
    }

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
            Self::Look(look) => look.run(common),
            Self::Annotate(annotate) => annotate.run(common),
            Self::Next(next) => next.run(common),
            #[cfg(feature = "ask")]
            Self::Ask(ask) => ask.run(common),
            Self::Rank(rank) => rank.run(common),
            Self::Score(score) => score.run(common),
            Self::Encoder(encoder) => encoder.run(common),
            Self::Completions(completions) => completions.run(),
            Self::Man(man) => man.run(common),
            Self::Licences(licences) => licences.run(common),
        }
    }
}
