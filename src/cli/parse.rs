//! What the user typed. In: arguments. Out: a [`Cli`]. Next: the commands.
//!
//! Options of every command are declared once, in [`super::options::Common`]. A command lists in its help only those
//! that it makes use of.

use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::parser::ValueSource;
use clap::{Arg, ArgMatches, Command, CommandFactory, Error, FromArgMatches};
use tribunal::formats::{self, TABLE_KIND};

use super::Cli;

/// The options of every command that a command makes use of.
const USED: [(&str, &[&str]); 14] = [
    ("demo", &["seed"]),
    ("train", &["json", "brief", "quiet", "threads", "seed", "format", "language", "max_decompressed", "wordnet"]),
    ("predict", &["json", "quiet", "threads", "format", "language", "max_decompressed", "wordnet"]),
    ("check", &["json", "format", "max_decompressed"]),
    ("evaluate", &["json", "brief", "quiet", "threads", "seed", "format", "max_decompressed", "wordnet"]),
    ("compare", &["json", "brief", "quiet", "threads", "seed", "format", "language", "max_decompressed", "wordnet"]),
    ("correlate", &["json", "quiet", "threads", "seed", "format", "language", "max_decompressed", "wordnet"]),
    ("explain", &["json", "quiet", "threads", "format", "language", "max_decompressed", "wordnet"]),
    ("features", &["json", "quiet", "threads", "format", "language", "max_decompressed", "wordnet"]),
    ("import", &["json", "quiet", "format", "max_decompressed"]),
    ("score", &["json", "quiet", "threads", "seed", "language", "max_decompressed", "wordnet"]),
    ("completions", &[]),
    ("man", &["json"]),
    ("licences", &["json"]),
];

/// The options that mean the same everywhere, and may be given where they change nothing.
const EVERYWHERE: [&str; 4] = ["json", "quiet", "threads", "seed"];

/// Reads the arguments of the program.
///
/// # Errors
/// The command line is wrong, or asks for help.
pub fn parse() -> Result<Cli, Error> {
    let mut command = command();
    let matches = command.try_get_matches_from_mut(std::env::args_os()).map_err(with_hint)?;
    refuse_unused(&mut command, &matches)?;
    Cli::from_arg_matches(&matches).map_err(|error| error.format(&mut command))
}

/// The program's commands, each with the options in its help that it makes use of.
fn command() -> Command {
    let mut command = Cli::command();
    let options = global_options(&command);
    for (name, used) in USED {
        command = command.mut_subcommand(name, |sub| hidden(sub, &options, used));
    }
    command
}

/// The same without anything that help does not show, for those who list it all: completions do not know of hidden
/// options.
pub fn visible_command() -> Command {
    let mut command = command();
    command.build();
    visible(&command)
}

/// A copy of what is visible. What clap adds to every command by itself is left out, as it does so again.
fn visible(command: &Command) -> Command {
    let is_shown = |option: &&Arg| !option.is_hide_set() && !ADDED.contains(&option.get_id().as_str());
    // Options of every command were handed down to those that use them.
    let options = command.get_arguments().filter(is_shown).map(|option| option.clone().global(false));
    let commands = command.get_subcommands().filter(|inside| !inside.is_hide_set() && inside.get_name() != "help");
    let mut copy = Command::new(command.get_name().to_owned())
        .args(options)
        .subcommands(commands.map(visible))
        .subcommand_required(command.is_subcommand_required_set());
    copy = command.get_about().cloned().into_iter().fold(copy, Command::about);
    copy = command.get_long_about().cloned().into_iter().fold(copy, Command::long_about);
    copy = command.get_after_help().cloned().into_iter().fold(copy, Command::after_help);
    command.get_version().map(str::to_owned).into_iter().fold(copy, Command::version)
}

/// The options that clap adds.
const ADDED: [&str; 2] = ["help", "version"];

fn global_options(command: &Command) -> Vec<Arg> {
    command.get_arguments().filter(|option| option.is_global_set()).cloned().collect()
}

/// The command, and those inside it, without the options that it makes no use of in its help.
fn hidden(mut command: Command, options: &[Arg], used: &[&str]) -> Command {
    let kinds: Vec<String> = command.get_subcommands().map(|kind| kind.get_name().to_owned()).collect();
    for kind in kinds {
        let used: Vec<&str> = used.iter().copied().filter(|&name| takes(&kind, name)).collect();
        command = command.mut_subcommand(kind, |sub| hidden(sub, options, &used));
    }
    let unused = options.iter().filter(|option| !used.contains(&option.get_id().as_str()));
    command.args(unused.map(|option| option.clone().hide(true)))
}

/// Whether the import of a format makes use of an option.
fn takes(kind: &str, option: &str) -> bool {
    let has =
        |name: &str| formats::find(kind).is_some_and(|format| format.options.iter().any(|spec| spec.name == name));
    option != TABLE_KIND.name || has(option)
}

/// An option that changes nothing was meant to change something.
fn refuse_unused(command: &mut Command, matches: &ArgMatches) -> Result<(), Error> {
    let Some((name, inside)) = matches.subcommand() else { return Ok(()) };
    let kind = inside.subcommand_name();
    let used = USED.iter().find(|(known, _)| *known == name).map_or(&[][..], |(_, used)| used);
    let is_used = |option: &str| used.contains(&option) && kind.is_none_or(|kind| takes(kind, option));
    let options = global_options(command);
    let names = options.iter().map(|option| option.get_id().as_str());
    for option in names.filter(|name| !EVERYWHERE.contains(name)) {
        if !is_used(option) && matches.value_source(option) == Some(ValueSource::CommandLine) {
            let place = [Some(name), kind].into_iter().flatten().collect::<Vec<_>>().join(" ");
            let flag = option.replace('_', "-");
            let message = format!("the option '--{flag}' does nothing in '{place}'; omit it");
            return Err(command.error(ErrorKind::UnknownArgument, message));
        }
    }
    Ok(())
}

/// A tip where the order of the arguments is the likely mistake, or where no name is near.
fn with_hint(mut error: Error) -> Error {
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
fn missing_tip(error: &Error) -> Option<String> {
    let is_missing = |name: &str| match error.get(ContextKind::InvalidArg) {
        Some(ContextValue::Strings(missing)) => missing.iter().any(|argument| argument.contains(name)),
        _ => false,
    };
    let tip = "-r takes all names after it: name the systems first, as in 'tribunal score SYSTEM -r REFERENCE'";
    (is_missing("<HYP>") && !is_missing("REF")).then(|| tip.to_owned())
}

/// What stands in the place of a command is a file, or like no command.
fn unknown_command_tip(error: &Error) -> Option<String> {
    let Some(ContextValue::String(name)) = error.get(ContextKind::InvalidSubcommand) else { return None };
    if std::path::Path::new(name).is_file() {
        return Some(format!("name a command first, as in 'tribunal predict {name}'"));
    }
    let is_near = error.get(ContextKind::SuggestedSubcommand).is_some();
    (!is_near).then(|| "'tribunal --help' lists the commands".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_command_says_what_it_makes_use_of() {
        let options: Vec<String> =
            global_options(&Cli::command()).iter().map(|option| option.get_id().to_string()).collect();
        let commands: Vec<String> = Cli::command().get_subcommands().map(|sub| sub.get_name().to_owned()).collect();
        assert_eq!(commands, USED.map(|(name, _)| name.to_owned()));
        let named = USED.iter().flat_map(|(_, used)| *used).chain(&EVERYWHERE);
        named.for_each(|name| assert!(options.iter().any(|option| option == name), "{name}"));
        let refused = options.iter().filter(|option| !EVERYWHERE.contains(&option.as_str()));
        assert_eq!(refused.collect::<Vec<_>>(), ["brief", "format", "language", "max_decompressed", "wordnet"]);
    }
}
