//! What is known of a metric without computing it. In: a line of the registry. Out: what help, reports, features and
//! tests derive from it. Next: the registry.

use super::build::{Build, Built};
use super::meteor::HAS_DATA;
use super::metric::{Direction, Monotonicity};
use crate::options::OptionSpec;

/// A line of the [`REGISTRY`](super::REGISTRY).
#[derive(Debug, Clone, Copy)]
pub struct Entry {
    /// The name by which users ask for it.
    pub name: &'static str,
    /// What it is, in a line without a full stop.
    pub summary: &'static str,
    /// The program or the paper that its values equal; empty for Tribunal's own.
    pub equals: &'static str,
    /// The lowest and the highest score; infinite where there is none.
    pub range: (f64, f64),
    /// The same for the other values.
    pub part_range: (f64, f64),
    /// Which score is better.
    pub direction: Direction,
    /// Whether it has a row of its own in reports.
    pub is_reported: bool,
    /// Whether its values are features.
    pub features: AsFeatures,
    /// Whether its score is a part of the summed-metric baseline.
    pub is_baseline: bool,
    /// The values that say how much of the reference was found: recall, and scores that weigh recall most.
    pub recalls: Parts,
    /// The values that count faults.
    pub faults: Parts,
    /// The values that describe a hypothesis and do not judge it.
    pub neutral: Parts,
    /// The values that say nothing of other languages: of English stems, function words, paraphrases or WordNet.
    pub english: Parts,
    /// The values that depend on WordNet.
    pub wordnet: Parts,
    /// Whether it is METEOR 1.5, which needs METEOR's own data.
    pub needs_meteor_data: bool,
    /// What it can be asked for.
    pub options: &'static [&'static OptionSpec],
    /// Makes it.
    pub build: fn(&mut Build<'_>) -> Built,
}

/// Whether a metric's values are features of a model.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AsFeatures {
    /// Unless somebody leaves them out.
    ByDefault,
    /// Where somebody asks for them: the default of `train --without` has the metric.
    OnRequest,
    /// They are no columns of the feature table.
    Never,
}

/// Some of a metric's values.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Parts {
    /// None of them.
    None,
    /// All of them.
    All,
    /// Those of these names, or whose names begin so: `stem` is `stem.p1`, too.
    Named(&'static [&'static str]),
}

impl Parts {
    /// Whether the value of that name is among them; the score has the empty name.
    pub fn contain(self, part: &str) -> bool {
        match self {
            Self::None => false,
            Self::All => true,
            Self::Named(names) => names.iter().any(|name| is_part(part, name)),
        }
    }
}

/// Whether a name is `whole`, or `whole.` and more.
pub fn is_part(name: &str, whole: &str) -> bool {
    name.strip_prefix(whole).is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
}

impl Entry {
    /// A metric of which higher scores are better, and that nobody sees but who asks for it by name.
    pub(super) const fn new(
        name: &'static str,
        summary: &'static str,
        equals: &'static str,
        range: (f64, f64),
        build: fn(&mut Build<'_>) -> Built,
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
            needs_meteor_data: false,
            options: &[],
            build,
        }
    }

    pub(super) const fn lower_is_better(self) -> Self {
        Self { direction: Direction::LowerIsBetter, ..self }
    }

    pub(super) const fn parts_in(self, low: f64, high: f64) -> Self {
        Self { part_range: (low, high), ..self }
    }

    pub(super) const fn reported(self) -> Self {
        Self { is_reported: true, ..self }
    }

    pub(super) const fn features(self, features: AsFeatures) -> Self {
        Self { features, ..self }
    }

    pub(super) const fn baseline(self) -> Self {
        Self { is_baseline: true, ..self }
    }

    pub(super) const fn recalls(self, recalls: Parts) -> Self {
        Self { recalls, ..self }
    }

    pub(super) const fn faults(self, faults: Parts) -> Self {
        Self { faults, ..self }
    }

    pub(super) const fn neutral(self, neutral: Parts) -> Self {
        Self { neutral, ..self }
    }

    pub(super) const fn english(self, english: Parts) -> Self {
        Self { english, ..self }
    }

    pub(super) const fn wordnet(self, wordnet: Parts) -> Self {
        Self { wordnet, ..self }
    }

    pub(super) const fn meteor_data(self) -> Self {
        Self { needs_meteor_data: true, ..self }
    }

    pub(super) const fn options(self, options: &'static [&'static OptionSpec]) -> Self {
        Self { options, ..self }
    }

    /// Whether this program can compute it.
    pub fn is_available(&self) -> bool {
        !self.needs_meteor_data || HAS_DATA
    }

    /// Whether its values are columns of the feature table.
    pub fn gives_features(&self) -> bool {
        self.features != AsFeatures::Never
    }

    /// The bounds of the value of that name; the score has the empty name.
    pub fn range_of(&self, part: &str) -> (f64, f64) {
        if part.is_empty() { self.range } else { self.part_range }
    }

    /// What a higher value of that name says of a hypothesis; the score has the empty name.
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

    /// Whether it can be asked for that option.
    pub fn has(&self, option: &str) -> bool {
        self.options.iter().any(|spec| spec.name == option)
    }
}
