//! chrF's options. In: options by name. Out: checked settings. Next: [`super::Chrf`].

use super::{CheckedChrfSettings, ChrfSettings};
use crate::error::Result;
use crate::metrics::build::{Build, LOWERCASE, value};
use crate::options::{OptionSpec, reads_as};

/// All options of chrF.
pub const OPTIONS: &[&OptionSpec] = &[&LOWERCASE, &CHARACTER_ORDER, &WORD_ORDER, &BETA, &WHITESPACE, &EPS_SMOOTHING];

/// All options of chrF++, whose word order is fixed.
pub const PLUS_PLUS_OPTIONS: &[&OptionSpec] = &[&LOWERCASE, &CHARACTER_ORDER, &BETA, &WHITESPACE, &EPS_SMOOTHING];

const CHARACTER_ORDER: OptionSpec = OptionSpec {
    name: "chrf-char-order",
    value: value("N", Some("6"), reads_as::<usize>),
    help: "the highest order of character n-grams",
};

const WORD_ORDER: OptionSpec = OptionSpec {
    name: "chrf-word-order",
    value: value("N", Some("0"), reads_as::<usize>),
    help: "the highest order of word n-grams; chrf++ has 2",
};

const BETA: OptionSpec = OptionSpec::number("chrf-beta", "X", "2", "the weight of recall relative to precision (beta)");

const WHITESPACE: OptionSpec = OptionSpec::switch("chrf-whitespace", "count white space as characters");

const EPS_SMOOTHING: OptionSpec = OptionSpec::switch("chrf-eps-smoothing", "smooth as chrF++.py does");

/// chrF's settings from the user's options.
///
/// # Errors
/// Any error of [`ChrfSettings::check`].
pub(super) fn settings(build: &Build<'_>) -> Result<CheckedChrfSettings> {
    with_words(build.number(&WORD_ORDER)?, build)
}

/// chrF++'s settings from the user's options.
///
/// # Errors
/// Any error of [`ChrfSettings::check`].
pub(super) fn plus_plus(build: &Build<'_>) -> Result<CheckedChrfSettings> {
    with_words(2, build)
}

fn with_words(word_order: usize, build: &Build<'_>) -> Result<CheckedChrfSettings> {
    ChrfSettings {
        character_order: build.number(&CHARACTER_ORDER)?,
        word_order,
        beta: build.number(&BETA)?,
        lowercase: build.options.is_given(&LOWERCASE),
        whitespace: build.options.is_given(&WHITESPACE),
        eps_smoothing: build.options.is_given(&EPS_SMOOTHING),
    }
    .check()
}
