//! Flags of the command line from the options that metrics and formats declare, and back.

use clap::builder::ValueParser;
use clap::parser::ValueSource;
use clap::{Arg, ArgAction, ArgMatches};
use tribunal::options::{OptionSpec, Options, Value};

use super::arguments::with_options;

/// The flag of an option.
pub fn flag(spec: &'static OptionSpec) -> Arg {
    let argument = Arg::new(spec.name).long(spec.name).help(spec.help);
    let argument = match spec.value {
        Value::Switch => return argument.action(ArgAction::SetTrue),
        Value::One { placeholder, .. } => argument.action(ArgAction::Set).value_name(placeholder),
        Value::Many { placeholder, .. } => {
            // `--labels -1=1,1=-1` begins with a hyphen.
            argument.action(ArgAction::Append).value_delimiter(',').value_name(placeholder).allow_hyphen_values(true)
        }
    };
    let read = move |text: &str| spec.check(text).map(|()| text.to_owned()).map_err(|fault| with_options(&fault));
    argument.value_parser(ValueParser::from(read)).default_values(spec.default())
}

/// The flag of an option of several metrics, whose names begin its help.
pub fn shared_flag(spec: &'static OptionSpec, owners: &[&str]) -> Arg {
    flag(spec).help(format!("{}: {}", owners.join(", "), spec.help))
}

/// The options that the user gave of these.
///
/// # Errors
/// A value that an option does not take, which clap has checked before.
pub fn given(matches: &ArgMatches, specs: impl IntoIterator<Item = &'static OptionSpec>) -> tribunal::Result<Options> {
    let mut options = Options::default();
    let is_given = |spec: &&OptionSpec| matches.value_source(spec.name) == Some(ValueSource::CommandLine);
    for spec in specs.into_iter().filter(is_given) {
        match spec.value {
            Value::Switch => options.set(spec, "")?,
            Value::One { .. } | Value::Many { .. } => {
                let mut texts = matches.get_many::<String>(spec.name).into_iter().flatten();
                texts.try_for_each(|text| options.set(spec, text))?;
            }
        }
    }
    Ok(options)
}
