//! Tips on wrong command lines: where the order of the arguments is the likely mistake, or the command is another one.

use clap::error::{ContextKind, ContextValue, ErrorKind};

/// The error with a tip, if there is one; `words` are the arguments of the program.
pub fn with_hint(mut error: clap::Error, words: &[String]) -> clap::Error {
    let tip = match error.kind() {
        ErrorKind::MissingRequiredArgument => missing_tip(&error, words),
        ErrorKind::UnknownArgument => unknown_option_tip(&mut error, words),
        _ => None,
    };
    if let Some(tip) = tip {
        error.insert(ContextKind::Suggested, ContextValue::StyledStrs(vec![tip.into()]));
    }
    error
}

/// `-r` took the names of the systems as well.
fn missing_tip(error: &clap::Error, words: &[String]) -> Option<&'static str> {
    let lacks_systems = match error.get(ContextKind::InvalidArg) {
        Some(ContextValue::Strings(missing)) => missing.iter().any(|argument| argument.contains("<HYP>")),
        _ => false,
    };
    let tip = "-r takes all names after it: name the systems first, as in 'tribunal score SYSTEM -r REFERENCE'";
    (lacks_systems && words.iter().any(|word| ["-r", "--references"].contains(&word.as_str()))).then_some(tip)
}

/// `predict` has no human labels. clap's advice to pass an option as a value behind `--` is never what was meant: no
/// file is called `-5`.
fn unknown_option_tip(error: &mut clap::Error, words: &[String]) -> Option<&'static str> {
    error.remove(ContextKind::Suggested);
    let is_answers = match error.get(ContextKind::InvalidArg) {
        Some(ContextValue::String(option)) => ["-a", "--answers"].contains(&option.as_str()),
        _ => false,
    };
    if !is_answers || !words.iter().any(|word| word == "predict") {
        return None;
    }
    error.remove(ContextKind::SuggestedArg);
    Some(
        "predict needs no human labels; 'tribunal compare PAIRS -a ANSWERS' reports the accuracy of a model, 'tribunal \
         evaluate EVAL -a ANSWERS' that of verdicts",
    )
}
