//! Tips on wrong command lines: where the order of the arguments is the likely mistake, where a command or an option has
//! another name here, or where no name is near.

use std::path::Path;

use clap::error::{ContextKind, ContextValue, ErrorKind};

/// What other programs call a command, or what people ask for, and what does it here.
const COMMANDS: [(&[&str], &str); 9] = [
    (
        &["ranking", "elo", "leaderboard", "bradley-terry"],
        "'tribunal rank PAIRS' ranks systems by labels, a judge or a model; 'tribunal score SYSTEM... -r REFERENCE \
         --clusters' by a metric",
    ),
    (
        &["judge", "verdict", "prefer", "infer"],
        "'tribunal predict PAIRS' judges pairs; 'tribunal evaluate EVAL -a ANSWERS' compares a judge's verdicts with \
         human labels",
    ),
    (&["fit", "learn"], "'tribunal train PAIRS -a ANSWERS -m MODEL' trains a model"),
    (&["test", "benchmark", "accuracy"], "'tribunal compare PAIRS -a ANSWERS' reports accuracy"),
    (&["convert", "load", "read"], "'tribunal import FORMAT FILE -o pairs.csv' converts judgments to pairs"),
    (&["validate", "verify"], "'tribunal check EVAL --pairs PAIRS' checks a file of verdicts"),
    (&["why", "inspect"], "'tribunal explain PAIRS --line N' explains a verdict"),
    (&["bleu", "chrf", "ter", "rouge", "meteor"], "'tribunal score SYSTEM... -r REFERENCE --metrics LIST' computes it"),
    (&["meta", "kendall", "pearson", "spearman"], "'tribunal correlate TABLE --people COLUMN' correlates metrics"),
];

/// Options that a command does not have, and what does what they ask for: the command, or none for any; the options; the
/// tip.
const OPTIONS: [(&str, &[&str], &str); 1] = [(
    "predict",
    &["-a", "--answers"],
    "predict needs no human labels; 'tribunal compare PAIRS -a ANSWERS' reports the accuracy of a model, 'tribunal \
     evaluate EVAL -a ANSWERS' that of verdicts",
)];

/// The error with a tip, if there is one; `words` are the arguments of the program.
pub fn with_hint(mut error: clap::Error, words: &[String]) -> clap::Error {
    let tip = match error.kind() {
        ErrorKind::MissingRequiredArgument => missing_tip(&error),
        ErrorKind::InvalidSubcommand => unknown_command_tip(&mut error),
        ErrorKind::UnknownArgument => unknown_option_tip(&mut error, words),
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

/// What stands in the place of a command is a file, another program's name of a command, or like no command.
fn unknown_command_tip(error: &mut clap::Error) -> Option<String> {
    let name = text(error, ContextKind::InvalidSubcommand)?;
    if Path::new(&name).is_file() {
        return Some(format!("name a command first, as in 'tribunal predict {name}'"));
    }
    if let Some((_, tip)) = COMMANDS.iter().find(|(names, _)| names.contains(&name.to_lowercase().as_str())) {
        error.remove(ContextKind::SuggestedSubcommand);
        return Some((*tip).to_owned());
    }
    let is_near = error.get(ContextKind::SuggestedSubcommand).is_some();
    (!is_near).then(|| "'tribunal --help' lists the commands".to_owned())
}

/// An option has another name or another command. clap's advice to pass it as a value behind `--` is never what was
/// meant: no file is called `-5`.
fn unknown_option_tip(error: &mut clap::Error, words: &[String]) -> Option<String> {
    let option = text(error, ContextKind::InvalidArg)?;
    let is_here = |command: &str| command.is_empty() || words.iter().any(|word| word == command);
    let known = OPTIONS.iter().find(|(command, options, _)| is_here(command) && options.contains(&option.as_str()));
    if known.is_some() {
        error.remove(ContextKind::SuggestedArg);
    }
    error.remove(ContextKind::Suggested);
    known.map(|(_, _, tip)| (*tip).to_owned())
}

fn text(error: &clap::Error, kind: ContextKind) -> Option<String> {
    match error.get(kind) {
        Some(ContextValue::String(text)) => Some(text.clone()),
        _ => None,
    }
}
