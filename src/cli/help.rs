//! What `-h` and `--help` show: what most need, or everything. Both list an option with its description in one or two
//! lines; clap's own long help takes four, which makes `score --help` 200 lines long.

use clap::builder::{Resettable, StyledStr};
use clap::{Arg, Command};

/// Options that are the same for every command.
pub const GENERAL: &str = "General options";

/// How judgments are read.
pub const READING: &str = "Reading judgments";

/// The command line with the help that these words ask for.
pub fn with_help(command: Command, words: &[String]) -> Command {
    let is_long = words.iter().any(|word| word == "--help") || words.first().is_some_and(|word| word == "help");
    asked(command, words, is_long)
}

/// Only the command that the words name is changed: its parent lists it by the first line of its description.
fn asked(command: Command, words: &[String], is_long: bool) -> Command {
    let command = command.mut_args(|arg| listed(arg, is_long));
    let named = words.iter().enumerate().find_map(|(at, word)| Some((at, command.find_subcommand(word)?.get_name())));
    let Some((at, name)) = named.map(|(at, name)| (at, name.to_owned())) else { return described(command, is_long) };
    command.mut_subcommand(name, |inside| asked(inside, &words[at + 1..], is_long))
}

fn listed(arg: Arg, is_long: bool) -> Arg {
    let is_hidden = arg.is_hide_set() || (!is_long && arg.is_hide_short_help_set());
    arg.hide_short_help(false).hide(is_hidden)
}

fn described(command: Command, is_long: bool) -> Command {
    let text = |text: Option<&StyledStr>| text.map(ToString::to_string);
    let (long, after) = (text(command.get_long_about()), text(command.get_after_help()).unwrap_or_default());
    let command = command.long_about(Resettable::<StyledStr>::Reset);
    match long {
        Some(long) if is_long => command.about(long),
        _ if is_long => command,
        _ => {
            let is_of_commands = |part: &&str| part.starts_with("Example:") || part.starts_with("Examples:");
            let examples = after.split("\n\n").find(is_of_commands).unwrap_or_default();
            command.after_help(format!("{examples}\n\nAll options and details: --help"))
        }
    }
}
