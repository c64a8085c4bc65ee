//! Facts about a metric that need no computation, which are the basis of help, reports, features and tests, and how it
//! is built. Each metric's file reads its own options, whose [`OptionSpec`]s hold all defaults; options shared by
//! several metrics are defined here.

use std::fmt::Display;
use std::str::FromStr;

use super::metric::{Direction, Metric, Monotonicity};
use crate::comet::Comet;
use crate::error::{Error, Result};
use crate::options::{OptionSpec, Options, Value, reads_as};
use crate::text::{Models, Plan};
use crate::wordnet;

/// A line of the [`REGISTRY`](super::REGISTRY).
#[derive(Debug, Clone, Copy)]
pub struct Entry {
    /// The name that users request it by.
    pub name: &'static str,
    /// A one-line summary without a full stop.
    pub summary: &'static str,
    /// The program or paper that the values agree with; empty for Tribunal's own metrics.
    pub equals: &'static str,
    /// The lowest and highest possible score; infinite if unbounded.
    pub range: (f64, f64),
    /// The lowest and highest possible value of the other values.
    pub part_range: (f64, f64),
    /// Which score is better.
    pub direction: Direction,
    /// Whether the metric has its own row in reports.
    pub is_reported: bool,
    /// Whether the values are features.
    pub features: AsFeatures,
    /// Whether the score is part of the summed-metric baseline.
    pub is_baseline: bool,
    /// The values that measure how much of the reference was found: recall, and scores dominated by recall.
    pub recalls: Parts,
    /// The values that count faults.
    pub faults: Parts,
    /// The values that describe a hypothesis without judging it.
    pub neutral: Parts,
    /// The values that are meaningless for other languages: those that use English stems, function words, paraphrases
    /// or WordNet.
    pub english: Parts,
    /// The values that depend on WordNet.
    pub wordnet: Parts,
    /// Whether the metric needs no reference: its values are features of pairs without one, where it takes the prompt, and
    /// its score, the length of the text, is a row of reports.
    pub is_reference_free: bool,
    /// Whether the metric is METEOR 1.5, which needs METEOR's data.
    pub needs_meteor_data: bool,
    /// The model that the metric needs.
    pub needs: Needs,
    /// The options of the metric.
    pub options: &'static [&'static OptionSpec],
    /// Builds the metric with the options that the user has set; the plan receives its requests for views.
    pub build: fn(&Options, &mut Plan) -> Built,
}

/// The model that a metric needs, which users have in a folder.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Needs {
    /// None.
    Nothing,
    /// An [encoder](crate::encoder).
    Encoder,
    /// A model of [COMET](crate::comet) that sees references, and sources.
    Comet,
    /// A model of COMET that can do without references, and sources.
    CometQe,
}

/// Whether a metric's values are features of a model.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AsFeatures {
    /// Unless excluded.
    ByDefault,
    /// Only on request: the default of `train --without` contains the metric.
    OnRequest,
    /// Never: the values are not columns of the feature table.
    Never,
}

/// A subset of a metric's values.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Parts {
    /// No values.
    None,
    /// All values.
    All,
    /// The values with these names or prefixes: `stem` includes `stem.p1`.
    Named(&'static [&'static str]),
}

impl Parts {
    /// Whether the value with this name belongs to the subset; the score has the empty name.
    pub fn contain(self, part: &str) -> bool {
        match self {
            Self::None => false,
            Self::All => true,
            Self::Named(names) => names.iter().any(|name| is_part(part, name)),
        }
    }
}

/// Whether `name` is `whole` or starts with `whole.`.
pub fn is_part(name: &str, whole: &str) -> bool {
    name.strip_prefix(whole).is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
}

impl Entry {
    /// What holds of every metric that is not registered, such as a model: higher is better, and its values are not
    /// features.
    pub const LEARNED: Self = Self::new("", "", "", (f64::NEG_INFINITY, f64::INFINITY), |_, _| {
        Err(Error::invalid("metric", "a registered one", "a model", ""))
    });

    /// A metric for which higher scores are better, and which is used only if requested by name.
    pub(super) const fn new(
        name: &'static str,
        summary: &'static str,
        equals: &'static str,
        range: (f64, f64),
        build: fn(&Options, &mut Plan) -> Built,
    ) -> Self {
        Self {
            name,
            summary,
            equals,
            range,
            part_range: range,
            direction: Direction::HigherIsBetter,
            is_reported: false,
            features: AsFeatures::Never,
            is_baseline: false,
            recalls: Parts::None,
            faults: Parts::None,
            neutral: Parts::None,
            english: Parts::None,
            wordnet: Parts::None,
            is_reference_free: false,
            needs_meteor_data: false,
            needs: Needs::Nothing,
            options: &[],
            build,
        }
    }

    /// Whether this build of the program can compute the metric with the models that it has.
    pub fn is_available(&self, models: &Models) -> bool {
        (!self.needs_meteor_data || cfg!(feature = "meteor-data"))
            && (self.wordnet == Parts::None || wordnet::HAS_DATA)
            && match self.needs {
                Needs::Nothing => true,
                Needs::Encoder => models.encoder.is_some(),
                Needs::Comet => models.comet.as_ref().is_some_and(Comet::sees_references),
                Needs::CometQe => models.comet.as_ref().is_some_and(|model| !model.needs_reference()),
            }
    }

    /// Whether the metric compares with the source of a translation, too.
    pub fn needs_source(&self) -> bool {
        matches!(self.needs, Needs::Comet | Needs::CometQe)
    }

    /// Whether the metric can be computed with references, or without.
    pub fn suits(&self, with_references: bool) -> bool {
        self.is_reference_free != with_references || self.needs == Needs::CometQe
    }

    /// Whether the score means anything for languages other than English.
    pub fn suits_any_language(&self) -> bool {
        self.english != Parts::All
    }

    /// The name of its row in reports.
    pub fn row_name(&self) -> &'static str {
        if self.is_reference_free && self.needs == Needs::Nothing { "length" } else { self.name }
    }

    /// Whether the metric has a row in reports on pairs with references, or without.
    pub fn has_row(&self, with_references: bool) -> bool {
        if with_references { self.is_reported } else { self.is_reference_free }
    }

    /// Whether the values are columns of the feature table.
    pub fn gives_features(&self) -> bool {
        self.features != AsFeatures::Never
    }

    /// The bounds of the value with this name; the score has the empty name.
    pub fn range_of(&self, part: &str) -> (f64, f64) {
        if part.is_empty() { self.range } else { self.part_range }
    }

    /// How a higher value with this name affects the judgment; the score has the empty name.
    pub fn monotonicity(&self, part: &str) -> Monotonicity {
        if self.recalls.contain(part) {
            Monotonicity::Recall
        } else if self.neutral.contain(part) {
            Monotonicity::Free
        } else if self.faults.contain(part) {
            Monotonicity::Decreasing
        } else {
            Monotonicity::Increasing
        }
    }

    /// Whether the metric has this option.
    pub fn has(&self, option: &str) -> bool {
        self.options.iter().any(|spec| spec.name == option)
    }
}

/// The result of building a metric.
pub type Built = Result<Box<dyn Metric>>;

/// The value of an option that always has one.
///
/// # Errors
/// The option has no value, or one that cannot be parsed.
pub fn number<T: FromStr<Err: Display>>(options: &Options, spec: &OptionSpec) -> Result<T> {
    let missing = || Error::invalid(spec.argument(), "a number", "none", "give it one");
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
