//! How metrics are made. In: options by name, a plan of views. Out: a metric with checked settings. Next: the metrics.
//!
//! Each metric's file reads its own options; those that several metrics have are here, in one place.

use super::metric::Metric;
use crate::error::{Error, Result};
use crate::options::{OptionSpec, Options, Value};
use crate::text::Plan;

/// What a metric is made from.
#[derive(Debug)]
pub struct Build<'a> {
    /// Asked for the views of a sentence that the metric needs.
    pub plan: &'a mut Plan,
    /// What the user wants otherwise than by default.
    pub options: &'a Options,
    /// What the user should know, such as that a cache cannot be written; a sentence each.
    pub notes: &'a mut Vec<String>,
}

/// What making a metric gives.
pub type Built = Result<Box<dyn Metric>>;

impl Build<'_> {
    /// An option that always has a value.
    ///
    /// # Errors
    /// It has none, or one that cannot be read.
    pub fn number<T: std::str::FromStr<Err: std::fmt::Display>>(&self, spec: &OptionSpec) -> Result<T> {
        let missing = || Error::invalid(format!("--{}", spec.name), "a number", "none", "give it one");
        self.options.parse(spec)?.ok_or_else(missing)
    }
}

/// An option with one value of any kind.
pub const fn value(
    placeholder: &'static str,
    default: Option<&'static str>,
    check: fn(&str) -> std::result::Result<(), String>,
) -> Value {
    Value::One { placeholder, default, check }
}

/// Of BLEU and chrF.
pub const LOWERCASE: OptionSpec = OptionSpec::switch("lowercase", "compare in lower case");

/// Of all kinds of ROUGE.
pub const ROUGE_STEM: OptionSpec = OptionSpec::switch("rouge-stem", "compare Porter stems");
