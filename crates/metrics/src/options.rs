//! Options by name, which metrics and formats declare and callers set.
//!
//! A metric or a format lists its [`OptionSpec`]s in its registry entry. The command line derives its flags and help
//! from them, a binding its keyword arguments, and all pass on the same [`Options`].
//!
//! ```
//! use tribunal_text_metrics::options::{OptionSpec, Options};
//!
//! const BETA: OptionSpec = OptionSpec::number("beta", "X", "2", "weight of recall against precision");
//! let mut options = Options::default();
//! assert_eq!(options.parse::<f64>(&BETA)?, Some(2.0));
//! options.set(&BETA, "3")?;
//! assert_eq!(options.parse::<f64>(&BETA)?, Some(3.0));
//! assert!(options.set(&BETA, "much").is_err());
//! # Ok::<(), tribunal_text_metrics::Error>(())
//! ```

use std::collections::BTreeMap;
use std::fmt::Display;
use std::str::FromStr;

use crate::error::{Error, Result, quoted};

/// An option of a metric or a format.
#[derive(Debug, Clone, Copy)]
pub struct OptionSpec {
    /// Its name, as on the command line without the dashes: `chrf-beta`.
    pub name: &'static str,
    /// The value that it takes.
    pub value: Value,
    /// Its effect, in one line without a full stop.
    pub help: &'static str,
}

/// The value that an option takes.
#[derive(Debug, Clone, Copy)]
pub enum Value {
    /// None: the option is on or off.
    Switch,
    /// One value.
    One {
        /// Its placeholder in the help: `N`.
        placeholder: &'static str,
        /// The default value, if there is one.
        default: Option<&'static str>,
        /// Checks a value; the error says what is wrong with it.
        check: fn(&str) -> std::result::Result<(), String>,
    },
    /// Any number of values: the option may be given several times, and each time a list separated by commas.
    Many {
        /// Its placeholder in the help: `COLUMN`.
        placeholder: &'static str,
        /// The default value, if there is one.
        default: Option<&'static str>,
        /// Checks one of the values; the error says what is wrong with it.
        check: fn(&str) -> std::result::Result<(), String>,
    },
}

/// Checks that a text can be read as a `T`.
///
/// # Errors
/// It cannot; the text says why.
pub fn reads_as<T: FromStr<Err: Display>>(text: &str) -> std::result::Result<(), String> {
    text.parse::<T>().map(|_| ()).map_err(|error| error.to_string())
}

/// Accepts any text.
///
/// # Errors
/// Never.
pub fn any_text(_: &str) -> std::result::Result<(), String> {
    Ok(())
}

impl OptionSpec {
    /// An option that is on or off.
    pub const fn switch(name: &'static str, help: &'static str) -> Self {
        Self { name, value: Value::Switch, help }
    }

    /// An option with one number.
    pub const fn number(
        name: &'static str,
        placeholder: &'static str,
        default: &'static str,
        help: &'static str,
    ) -> Self {
        Self { name, value: Value::One { placeholder, default: Some(default), check: reads_as::<f64> }, help }
    }

    /// Its name as messages have it: in backticks, with underscores.
    pub fn argument(&self) -> String {
        format!("`{}`", self.name.replace('-', "_"))
    }

    /// The default value, if there is one.
    pub fn default(&self) -> Option<&'static str> {
        match self.value {
            Value::Switch => None,
            Value::One { default, .. } | Value::Many { default, .. } => default,
        }
    }

    /// Checks a value.
    ///
    /// # Errors
    /// The value cannot be used; the text says why.
    pub fn check(&self, text: &str) -> std::result::Result<(), String> {
        match self.value {
            Value::Switch => Ok(()),
            Value::One { check, .. } | Value::Many { check, .. } => check(text),
        }
    }
}

/// `did you mean 'bleu'? ` for `blue`; empty if no name is close.
pub fn did_you_mean<'n>(typed: &str, names: impl Iterator<Item = &'n str>) -> String {
    let in_lower_case = typed.to_lowercase();
    let distance = |name: &str| strsim::osa_distance(&in_lower_case, &name.to_lowercase());
    let near =
        names.filter(|name| *name != typed).map(|name| (distance(name), name)).min_by_key(|&(distance, _)| distance);
    // Up to one letter in three may be wrong.
    let near = near.filter(|&(distance, name)| 3 * distance <= name.chars().count().max(3));
    near.map(|(_, name)| format!("did you mean '{name}'? ")).unwrap_or_default()
}

/// The options that the user gave.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Options {
    given: BTreeMap<&'static str, Vec<String>>,
}

impl Options {
    /// Sets an option, or adds a value if it takes several; for a switch the text is ignored.
    ///
    /// # Errors
    /// The option does not accept the value.
    pub fn set(&mut self, spec: &OptionSpec, text: &str) -> Result<()> {
        spec.check(text).map_err(|reason| Error::invalid(spec.argument(), "a valid value", quoted(text), reason))?;
        let values = self.given.entry(spec.name).or_default();
        if !matches!(spec.value, Value::Many { .. }) {
            values.clear();
        }
        values.push(text.to_owned());
        Ok(())
    }

    /// Whether the user gave this option.
    pub fn is_given(&self, spec: &OptionSpec) -> bool {
        self.given.contains_key(spec.name)
    }

    /// Only the options that a format or a metric takes.
    pub fn only(&self, specs: &[&OptionSpec]) -> Self {
        let is_among = |(name, _): &(&&'static str, &Vec<String>)| specs.iter().any(|spec| spec.name == **name);
        Self { given: self.given.iter().filter(is_among).map(|(&name, values)| (name, values.clone())).collect() }
    }

    /// The names of all given options.
    pub fn names(&self) -> impl Iterator<Item = &'static str> + '_ {
        self.given.keys().copied()
    }

    /// The given value, or the default.
    pub fn text(&self, spec: &OptionSpec) -> Option<&str> {
        self.given.get(spec.name).and_then(|values| values.last()).map(String::as_str).or(spec.default())
    }

    /// All given values, or the default.
    pub fn texts(&self, spec: &OptionSpec) -> Vec<&str> {
        match self.given.get(spec.name) {
            Some(values) => values.iter().map(String::as_str).collect(),
            None => spec.default().into_iter().collect(),
        }
    }

    /// The given value, or the default, parsed as a `T`.
    ///
    /// # Errors
    /// It cannot be parsed, although the option's own check accepted it.
    pub fn parse<T: FromStr<Err: Display>>(&self, spec: &OptionSpec) -> Result<Option<T>> {
        let read = |text: &str| {
            text.parse().map_err(|error: T::Err| {
                Error::invalid(spec.argument(), "a valid value", quoted(text), error.to_string())
            })
        };
        self.text(spec).map(read).transpose()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const QUIET: OptionSpec = OptionSpec::switch("quiet", "say nothing");
    const ORDER: OptionSpec = OptionSpec {
        name: "order",
        value: Value::One { placeholder: "N", default: None, check: reads_as::<usize> },
        help: "the highest order",
    };
    const COLUMNS: OptionSpec = OptionSpec {
        name: "columns",
        value: Value::Many { placeholder: "NAME", default: Some("ref"), check: any_text },
        help: "the columns",
    };

    #[test]
    fn defaults_stand_where_nothing_is_given() {
        let options = Options::default();
        assert!(!options.is_given(&QUIET));
        assert_eq!(options.parse::<usize>(&ORDER).unwrap(), None);
        assert_eq!(options.texts(&COLUMNS), ["ref"]);
    }

    #[test]
    fn the_last_of_one_and_all_of_many_count() {
        let mut options = Options::default();
        options.set(&QUIET, "").unwrap();
        for text in ["3", "4"] {
            options.set(&ORDER, text).unwrap();
            options.set(&COLUMNS, text).unwrap();
        }
        assert!(options.is_given(&QUIET));
        assert_eq!(options.parse::<usize>(&ORDER).unwrap(), Some(4));
        assert_eq!(options.texts(&COLUMNS), ["3", "4"]);
    }

    #[test]
    fn a_wrong_value_is_named() {
        let message = Options::default().set(&ORDER, "-1").unwrap_err().to_string();
        assert!(message.starts_with("`order`: expected a valid value, found '-1'; invalid digit"), "{message}");
    }

    #[test]
    fn a_near_name_is_suggested() {
        let names = ["bleu", "rougeL", "rougeLsum", "meteor"];
        let suggested = |typed| did_you_mean(typed, names.into_iter());
        for (typed, name) in [("blue", "bleu"), ("ROUGE-L", "rougeL"), ("meteo", "meteor")] {
            assert_eq!(suggested(typed), format!("did you mean '{name}'? "));
        }
        for unlike in ["comet22", "bleu"] {
            assert_eq!(suggested(unlike), "");
        }
    }
}
