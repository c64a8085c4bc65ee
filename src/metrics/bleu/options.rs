//! BLEU's options. In: options by name. Out: checked settings. Next: [`super::Bleu`].

use super::{BleuSettings, BleuTokenizer, CheckedBleuSettings, MAX_ORDER, Smoothing};
use crate::error::{Error, Result};
use crate::metrics::build::{Build, LOWERCASE, value};
use crate::options::{OptionSpec, Options, reads_as};

/// All options of BLEU.
pub const OPTIONS: &[&OptionSpec] = &[&TOKENIZE, &LOWERCASE, &SMOOTH, &SMOOTH_VALUE, &ORDER, &EFFECTIVE_ORDER];

const TOKENIZE: OptionSpec = OptionSpec {
    name: "tokenize",
    value: value("NAME", Some("13a"), |name| BleuTokenizer::named(name).map(|_| ()).map_err(|error| error.to_string())),
    help: "the tokeniser (13a, intl, char, zh or none)",
};

const SMOOTH: OptionSpec = OptionSpec {
    name: "smooth",
    value: value("METHOD", Some("exp"), method),
    help: "the smoothing method (exp, floor, add-k or none)",
};

const SMOOTH_VALUE: OptionSpec = OptionSpec {
    name: "smooth-value",
    value: value("X", None, reads_as::<f64>),
    help: "the smoothing value for floor [default: 0.1] or add-k [default: 1]",
};

const ORDER: OptionSpec =
    OptionSpec { name: "bleu-order", value: value("N", Some("4"), order), help: "the highest order of n-grams" };

const EFFECTIVE_ORDER: OptionSpec =
    OptionSpec::switch("effective-order", "ignore orders for which a text has no n-grams; always on for segments");

fn method(name: &str) -> std::result::Result<(), String> {
    let methods = ["exp", "floor", "add-k", "none"];
    if methods.contains(&name) { Ok(()) } else { Err(format!("the methods are {}", methods.join(", "))) }
}

fn order(text: &str) -> std::result::Result<(), String> {
    let order = text.parse().ok().filter(|order| (1..=MAX_ORDER).contains(order));
    order.map(|_| ()).ok_or_else(|| format!("an order is from 1 to {MAX_ORDER}"))
}

/// BLEU's settings from the user's options.
///
/// # Errors
/// A smoothing value for a method that takes none; any error of [`BleuSettings::check`].
pub(super) fn settings(build: &Build<'_>) -> Result<CheckedBleuSettings> {
    let options = build.options;
    BleuSettings {
        tokenizer: BleuTokenizer::named(options.text(&TOKENIZE).unwrap_or_default())?,
        lowercase: options.is_given(&LOWERCASE),
        smoothing: smoothing(options)?,
        max_order: build.number(&ORDER)?,
        segment_effective_order: true,
        corpus_effective_order: options.is_given(&EFFECTIVE_ORDER),
    }
    .check()
}

fn smoothing(options: &Options) -> Result<Smoothing> {
    let (method, value) = (options.text(&SMOOTH).unwrap_or_default(), options.parse::<f64>(&SMOOTH_VALUE)?);
    let smoothing = match method {
        "floor" => return Ok(Smoothing::Floor(value.unwrap_or(0.1))),
        "add-k" => return Ok(Smoothing::AddK(value.unwrap_or(1.0))),
        "none" => Smoothing::None,
        _ => Smoothing::Exp,
    };
    match value {
        None => Ok(smoothing),
        Some(_) => {
            let found = format!("--smooth {method}");
            Err(Error::invalid("--smooth-value", "--smooth floor or --smooth add-k", found, "omit --smooth-value"))
        }
    }
}
