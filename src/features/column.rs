//! A signal is a column, whatever its values come from.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::judgments::{ExternalJudge, ExternalMetric, Pair};
use crate::metrics::{Entry, Monotonicity, find, of_value};

/// Prefix of the names of distances between two scores; the metric's name follows.
pub(super) const DISTANCE: &str = "pair.distance.";

/// A signal that a model can learn from.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Column {
    /// Its name among features and in reports: `metric` or `metric.part` of a metric, `pair.NAME` of a similarity, the
    /// user's name of an external signal (`own.NAME` or `judge.NAME` where Tribunal computes something of that name).
    pub name: String,
    /// What its values come from.
    #[serde(flatten)]
    pub source: ColumnSource,
}

/// What the values of a [`Column`] come from.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "source", rename_all = "kebab-case")]
pub enum ColumnSource {
    /// A metric gives each hypothesis a value.
    Metric {
        /// What the value depends on: the metric's [signature](crate::metrics::Signature).
        signature: String,
    },
    /// The similarity of both hypotheses, whichever comes first.
    Similarity {
        /// What the value depends on.
        signature: String,
    },
    /// Numbers of the user's own metric, one for each hypothesis.
    External {
        /// The metric.
        metric: ExternalMetric,
    },
    /// Verdicts of a judge on the pair. Its mean verdict m counts as m/2 for the first hypothesis and -m/2 for the second.
    Judge {
        /// The judge.
        judge: ExternalJudge,
    },
}

impl From<ExternalMetric> for ColumnSource {
    fn from(metric: ExternalMetric) -> Self {
        Self::External { metric }
    }
}

impl From<ExternalJudge> for ColumnSource {
    fn from(judge: ExternalJudge) -> Self {
        Self::Judge { judge }
    }
}

/// The value of a column for one pair.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum ColumnValue {
    /// A metric's values of both hypotheses.
    Metric([f64; 2]),
    /// The similarity of the hypotheses.
    Similarity(f64),
    /// External values of both hypotheses, higher is better; NaN if they are missing.
    External([f64; 2]),
}

impl ColumnValue {
    /// The values of both hypotheses, if each has one.
    pub fn of_each(self) -> Option<[f64; 2]> {
        match self {
            Self::Metric(values) | Self::External(values) => Some(values),
            Self::Similarity(_) => None,
        }
    }
}

impl Column {
    /// A value that a metric gives each hypothesis.
    pub fn metric(name: String, signature: String) -> Self {
        Self { name, source: ColumnSource::Metric { signature } }
    }

    /// A similarity of both hypotheses.
    pub fn similarity(name: String, signature: String) -> Self {
        Self { name, source: ColumnSource::Similarity { signature } }
    }

    /// The columns of external signals, judges last, with names that no metric and no other of them has.
    pub fn external(sources: &[ColumnSource]) -> Vec<Self> {
        let is_computed = |name: &str| find(name).is_some() || of_value(name).is_some();
        let mut columns: Vec<Self> = Vec::new();
        let (judges, others): (Vec<_>, Vec<_>) =
            sources.iter().partition(|source| matches!(source, ColumnSource::Judge { .. }));
        for source in others.into_iter().chain(judges) {
            let (name, qualified) = match source {
                ColumnSource::External { metric } => (&metric.name, metric.qualified_name()),
                ColumnSource::Judge { judge } => (&judge.name, judge.qualified_name()),
                ColumnSource::Metric { .. } | ColumnSource::Similarity { .. } => continue,
            };
            let is_taken = is_computed(name) || columns.iter().any(|column| column.name == *name);
            let name = if is_taken { qualified } else { name.clone() };
            columns.push(Self { name, source: source.clone() });
        }
        columns
    }

    /// Whether each hypothesis has a value, so that their difference tells which one is better.
    pub fn compares(&self) -> bool {
        !matches!(self.source, ColumnSource::Similarity { .. })
    }

    /// Whether it tells how similar the hypotheses are, whichever is better.
    pub fn is_symmetric(&self) -> bool {
        !matches!(self.source, ColumnSource::Metric { .. })
    }

    /// Whether its values come with the pairs.
    pub fn is_external(&self) -> bool {
        matches!(self.source, ColumnSource::External { .. } | ColumnSource::Judge { .. })
    }

    /// Whether it holds a judge's verdicts.
    pub fn is_judge(&self) -> bool {
        matches!(self.source, ColumnSource::Judge { .. })
    }

    /// Which way a higher value of a hypothesis can change the preference. A judge that is fooled by what people see
    /// through may count against a hypothesis.
    pub fn monotonicity(&self) -> Monotonicity {
        match &self.source {
            ColumnSource::Metric { .. } => {
                of_value(&self.name).map_or_else(Monotonicity::default, |(entry, part)| entry.monotonicity(part))
            }
            ColumnSource::External { .. } => Monotonicity::Increasing,
            ColumnSource::Similarity { .. } | ColumnSource::Judge { .. } => Monotonicity::Free,
        }
    }

    /// The name of its family: all columns of one metric, all similarities, or one external signal.
    pub fn family(&self) -> &str {
        if self.is_external() { &self.name } else { self.name.split('.').next().unwrap_or(&self.name) }
    }

    /// Whether it is computed from references.
    pub fn needs_references(&self) -> bool {
        let of_metric = |name: &str| of_value(name).is_none_or(|(entry, _)| !entry.is_reference_free);
        match &self.source {
            ColumnSource::Metric { .. } => of_metric(&self.name),
            ColumnSource::Similarity { .. } => self.name.strip_prefix(DISTANCE).is_some_and(of_metric),
            ColumnSource::External { .. } | ColumnSource::Judge { .. } => false,
        }
    }

    /// Whether it is uninformative for languages other than English.
    pub fn needs_english(&self) -> bool {
        !self.is_external() && needs_english(&self.name)
    }

    /// Whether it is a value of this metric.
    pub fn is_part_of(&self, entry: &Entry) -> bool {
        matches!(self.source, ColumnSource::Metric { .. }) && crate::metrics::is_part(&self.name, entry.name)
    }

    /// The values of both hypotheses that come with a pair, higher is better; NaN if they are missing. `None` for what is
    /// computed from texts.
    pub(super) fn values_beside(&self, pair: &Pair) -> Option<[f64; 2]> {
        match &self.source {
            ColumnSource::External { metric } => {
                let values = pair.own_score(&metric.name).unwrap_or([f64::NAN; 2]);
                Some(values.map(|value| metric.oriented(value)))
            }
            ColumnSource::Judge { judge } => {
                let half = judge.mean(pair).map_or(f64::NAN, |mean| mean / 2.0);
                Some([half, 0.0 - half])
            }
            ColumnSource::Metric { .. } | ColumnSource::Similarity { .. } => None,
        }
    }

    /// The value of one hypothesis as the user gave it; [`ColumnValue::External`] is oriented so that higher is better.
    pub fn as_given(&self, value: f64) -> f64 {
        match &self.source {
            // Orienting twice restores the user's orientation.
            ColumnSource::External { metric } => metric.oriented(value),
            _ => value,
        }
    }
}

impl fmt::Display for Column {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.source {
            ColumnSource::Metric { signature } | ColumnSource::Similarity { signature } => {
                write!(formatter, "{} ({signature})", self.name)
            }
            ColumnSource::External { .. } | ColumnSource::Judge { .. } => formatter.write_str(&self.name),
        }
    }
}

/// Whether a feature is uninformative for languages other than English.
pub(super) fn needs_english(name: &str) -> bool {
    let value = name.strip_prefix(DISTANCE).unwrap_or(name);
    of_value(value).is_some_and(|(entry, part)| entry.english.contain(part))
}
