//! Flags of the command line from the options that formats and metrics declare, and back.

use clap::builder::ValueParser;
use clap::parser::ValueSource;
use clap::{Arg, ArgAction, ArgMatches};
use tribunal::options::{OptionSpec, Options, Value};

/// The flag of an option.
pub fn flag(spec: &'static OptionSpec) -> Arg {
    let arg = Arg::new(spec.name).long(spec.name).help(spec.help);
    let arg = match spec.value {
        Value::Switch => return arg.action(ArgAction::SetTrue),
        Value::One { placeholder, .. } => arg.action(ArgAction::Set).value_name(placeholder),
        Value::Many { placeholder, .. } => arg.action(ArgAction::Append).value_delimiter(',').value_name(placeholder),
    };
    let check = |text: &str| spec.check(text).map(|()| text.to_owned());
    let arg = arg.value_parser(ValueParser::new(check));
    match spec.default() {
        Some(default) => arg.default_value(default),
        None => arg,
    }
}

/// What somebody gave of these options.
pub fn given(specs: &[&'static OptionSpec], matches: &ArgMatches) -> tribunal::Result<Options> {
    let mut options = Options::default();
    for spec in specs {
        if !matches!(matches.value_source(spec.name), Some(ValueSource::CommandLine)) {
            continue;
        }
        match spec.value {
            Value::Switch => options.set(spec, "")?,
            _ => {
                let texts = matches.get_many::<String>(spec.name).into_iter().flatten();
                texts.into_iter().try_for_each(|text| options.set(spec, text))?;
            }
        }
    }
    Ok(options)
}
