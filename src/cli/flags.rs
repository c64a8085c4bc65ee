//! Flags of the options that metrics and formats declare, and the values of flags.

use std::fmt::Display;
use std::marker::PhantomData;
use std::str::FromStr;

use clap::builder::{PossibleValuesParser, TypedValueParser, ValueParser};
use clap::error::ErrorKind;
use clap::parser::ValueSource;
use clap::{Arg, ArgAction, ArgMatches, Args, Command, FromArgMatches};
use tribunal::files::table::TableKind;
use tribunal::formats::{COLUMN, READING};
use tribunal::metrics;
use tribunal::options::{OptionSpec, Options, Value};

use super::help;
use super::terminal::with_options;

/// Options that the library declares and that become flags of a command.
pub trait Declared {
    /// The options, each with its flag.
    fn flags() -> Vec<(&'static OptionSpec, Arg)>;
}

/// Settings of metrics; each is the reference implementation's default where it is not given.
#[derive(Debug)]
pub struct OfMetrics;

impl Declared for OfMetrics {
    fn flags() -> Vec<(&'static OptionSpec, Arg)> {
        let named = |(spec, names): (&'static OptionSpec, Vec<&str>)| {
            let names = match names.as_slice() {
                [first, _, _, .., last] => format!("{first} ... {last}"),
                few => few.join(", "),
            };
            let help = format!("{names}: {}", spec.help);
            (spec, flag(spec).help(help).help_heading("Settings of metrics").hide_short_help(true))
        };
        metrics::options().into_iter().map(named).collect()
    }
}

/// How pairs without labels are read.
#[derive(Debug)]
pub struct OfPairs;

impl Declared for OfPairs {
    fn flags() -> Vec<(&'static OptionSpec, Arg)> {
        vec![(&COLUMN, flag(&COLUMN).help_heading(help::READING).hide_short_help(true))]
    }
}

/// How judgments are read.
#[derive(Debug)]
pub struct OfReading;

impl Declared for OfReading {
    fn flags() -> Vec<(&'static OptionSpec, Arg)> {
        READING.iter().map(|&spec| (spec, flag(spec).help_heading(help::READING).hide_short_help(true))).collect()
    }
}

/// The given options of those that `D` declares.
#[derive(Debug)]
pub struct OptionArgs<D>(pub Options, PhantomData<D>);

impl<D: Declared> Args for OptionArgs<D> {
    fn augment_args(command: Command) -> Command {
        command.args(D::flags().into_iter().map(|(_, flag)| flag))
    }

    fn augment_args_for_update(command: Command) -> Command {
        Self::augment_args(command)
    }
}

impl<D: Declared> FromArgMatches for OptionArgs<D> {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, clap::Error> {
        Ok(Self(given(matches, D::flags().into_iter().map(|(spec, _)| spec))?, PhantomData))
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        *self = Self::from_arg_matches(matches)?;
        Ok(())
    }
}

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

/// The given options of these.
pub fn given(
    matches: &ArgMatches,
    specs: impl IntoIterator<Item = &'static OptionSpec>,
) -> Result<Options, clap::Error> {
    let mut options = Options::default();
    let is_given = |spec: &&OptionSpec| matches.value_source(spec.name) == Some(ValueSource::CommandLine);
    for spec in specs.into_iter().filter(is_given) {
        let set = match spec.value {
            Value::Switch => options.set(spec, ""),
            Value::One { .. } | Value::Many { .. } => {
                let mut texts = matches.get_many::<String>(spec.name).into_iter().flatten();
                texts.try_for_each(|text| options.set(spec, text))
            }
        };
        set.map_err(|error| clap::Error::raw(ErrorKind::ValueValidation, format!("{error}\n")))?;
    }
    Ok(options)
}

/// A parser of kinds of tables.
pub fn table_kind() -> impl TypedValueParser<Value = TableKind> {
    let names = PossibleValuesParser::new(TableKind::ALL.iter().map(|kind| kind.name()));
    names.try_map(|name| TableKind::named(&name).ok_or("no kind of table of that name"))
}

/// A parser of whole numbers from `min` on, up to `max` if there is such a bound.
pub fn whole<T>(min: T, max: Option<T>) -> impl Fn(&str) -> Result<T, String> + Clone + Send + Sync + 'static
where
    T: FromStr + Display + PartialOrd + Copy + Send + Sync + 'static,
{
    move |text| {
        let is_in_range = |number: &T| *number >= min && max.is_none_or(|max| *number <= max);
        text.trim().parse().ok().filter(is_in_range).ok_or_else(|| match max {
            Some(max) => format!("expected a whole number from {min} to {max}"),
            None => format!("expected a whole number, {min} or more"),
        })
    }
}

/// Parses one of some names.
#[cfg(feature = "ask")]
pub fn one_of<T: Clone + Send + Sync + 'static>(all: &'static [(&'static str, T)]) -> impl TypedValueParser<Value = T> {
    let value = |name: String| all.iter().find(|(known, _)| *known == name).map(|(_, value)| value.clone());
    PossibleValuesParser::new(all.iter().map(|(name, _)| *name)).try_map(move |name| value(name).ok_or("no such name"))
}

/// Parses a number.
pub fn number(text: &str) -> Result<f64, String> {
    text.trim().parse().ok().filter(|number: &f64| number.is_finite()).ok_or_else(|| "expected a number".to_owned())
}

/// Parses a number from 0 to 1.
pub fn fraction(text: &str) -> Result<f64, String> {
    let is_fraction = |number: &f64| (0.0..=1.0).contains(number);
    number(text).ok().filter(is_fraction).ok_or_else(|| "expected a number from 0 to 1".to_owned())
}

/// Parses points: a number above 0, up to 100.
pub fn points(text: &str) -> Result<f64, String> {
    let is_in_range = |points: &f64| *points > 0.0 && *points <= 100.0;
    number(text).ok().filter(is_in_range).ok_or_else(|| "expected a number above 0, up to 100".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_in_their_range() {
        let read = whole::<u16>(2, Some(10));
        assert_eq!([read("2"), read("10")], [Ok(2), Ok(10)]);
        for wrong in ["1", "11", "-3", "2.5", "two", ""] {
            assert_eq!(read(wrong), Err("expected a whole number from 2 to 10".to_owned()), "{wrong}");
        }
        assert_eq!(whole::<u64>(1, None)("0"), Err("expected a whole number, 1 or more".to_owned()));
        assert_eq!(number("-1e3"), Ok(-1000.0));
        assert!(["a", "nan", "inf", ""].iter().all(|wrong| number(wrong).is_err()));
    }
}
