//! TER's options. In: options by name. Out: settings, all of which are valid. Next: [`super::Ter`].

use super::TerSettings;
use crate::options::{OptionSpec, Options};

/// All options of TER.
pub const OPTIONS: &[&OptionSpec] = &[&NORMALIZED, &NO_PUNCTUATION, &ASIAN_SUPPORT, &CASE_SENSITIVE];

const NORMALIZED: OptionSpec = OptionSpec::switch("ter-normalized", "decode entities and separate punctuation");

const NO_PUNCTUATION: OptionSpec = OptionSpec::switch("ter-no-punct", "drop punctuation");

const ASIAN_SUPPORT: OptionSpec = OptionSpec::switch(
    "ter-asian-support",
    "with --ter-normalized separate ideographs, with --ter-no-punct drop their punctuation",
);

const CASE_SENSITIVE: OptionSpec = OptionSpec::switch("ter-case-sensitive", "keep the case");

/// TER's settings from the user's options.
pub(super) fn settings(options: &Options) -> TerSettings {
    TerSettings {
        normalized: options.is_given(&NORMALIZED),
        no_punctuation: options.is_given(&NO_PUNCTUATION),
        asian_support: options.is_given(&ASIAN_SUPPORT),
        case_sensitive: options.is_given(&CASE_SENSITIVE),
    }
}
