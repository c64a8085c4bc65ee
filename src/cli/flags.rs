//! Flags made of options that something registered declares.

use clap::builder::ValueParser;
use clap::parser::ValueSource;
use clap::{Arg, ArgAction, ArgMatches};
use tribunal::options::{OptionSpec, Options, Value};

/// The flag of an option; `owners` are the names of all that have it, and begin its help.
pub fn flag(spec: &'static OptionSpec, owners: &[&str]) -> Arg {
    let help = format!("{}: {}", owners.join(", "), spec.help);
    let argument = Arg::new(spec.name).long(spec.name).help(help);
    let argument = match spec.value {
        Value::Switch => return argument.action(ArgAction::SetTrue),
        Value::One { placeholder, .. } => argument.action(ArgAction::Set).value_name(placeholder),
        Value::Many { placeholder, .. } => {
            argument.action(ArgAction::Append).value_delimiter(',').value_name(placeholder)
        }
    };
    let read = move |text: &str| spec.check(text).map(|()| text.to_owned());
    argument.value_parser(ValueParser::from(read)).default_values(spec.default())
}

/// The options that the user gave of these.
pub fn given(matches: &ArgMatches, specs: impl Iterator<Item = &'static OptionSpec>) -> Result<Options, clap::Error> {
    let mut options = Options::default();
    for spec in specs.filter(|spec| matches.value_source(spec.name) == Some(ValueSource::CommandLine)) {
        let texts: Vec<&str> = match spec.value {
            Value::Switch => vec![""],
            Value::One { .. } | Value::Many { .. } => {
                matches.get_many::<String>(spec.name).into_iter().flatten().map(String::as_str).collect()
            }
        };
        for text in texts {
            options
                .set(spec, text)
                .map_err(|error| clap::Error::raw(clap::error::ErrorKind::ValueValidation, error))?;
        }
    }
    Ok(options)
}
