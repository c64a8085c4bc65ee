//! How metrics are built. Each metric's file reads its own options, whose [`OptionSpec`]s hold all defaults; options
//! shared by several metrics are defined here.

use std::fmt::Display;
use std::str::FromStr;

use super::metric::Metric;
use crate::error::{Error, Result};
use crate::options::{OptionSpec, Options, Value, reads_as};
use crate::text::Plan;

/// The inputs from which a metric is built.
#[derive(Debug)]
pub struct Build<'a> {
    /// The plan that receives the metric's requests for views.
    pub plan: &'a mut Plan,
    /// The options that the user has set.
    pub options: &'a Options,
    /// Messages for the user, one sentence each, such as that a cache cannot be written.
    pub notes: &'a mut Vec<String>,
}

/// The result of building a metric.
pub type Built = Result<Box<dyn Metric>>;

/// The value of an option that always has one.
///
/// # Errors
/// The option has no value, or one that cannot be parsed.
pub fn number<T: FromStr<Err: Display>>(options: &Options, spec: &OptionSpec) -> Result<T> {
    let missing = || Error::invalid(format!("`{}`", spec.name.replace('-', "_")), "a number", "none", "give it one");
    options.parse(spec)?.ok_or_else(missing)
}

/// An option with a whole number.
pub const fn whole_number(name: &'static str, default: &'static str, help: &'static str) -> OptionSpec {
    OptionSpec { name, value: value("N", Some(default), reads_as::<usize>), help }
}

/// An option with one value, checked by `check`.
pub const fn value(
    placeholder: &'static str,
    default: Option<&'static str>,
    check: fn(&str) -> std::result::Result<(), String>,
) -> Value {
    Value::One { placeholder, default, check }
}

/// Shared by BLEU and chrF.
pub const LOWERCASE: OptionSpec = OptionSpec::switch("lowercase", "compare in lower case");

/// Shared by all kinds of ROUGE.
pub const ROUGE_STEM: OptionSpec = OptionSpec::switch("rouge-stem", "compare Porter stems");
