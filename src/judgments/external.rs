//! Metrics that other programs compute, and their values for pairs.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

/// A metric that another program computes, such as COMET or a language model as a judge.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct ExternalMetric {
    /// The user's name for it.
    pub name: String,
    /// Whether lower values are better, as with error rates.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub lower_is_better: bool,
}

impl ExternalMetric {
    /// A metric with higher values for better hypotheses.
    pub fn new(name: impl Into<String>) -> Self {
        Self { name: name.into(), lower_is_better: false }
    }

    /// A name that cannot clash with a built-in metric: `own.bleu`.
    pub fn qualified_name(&self) -> String {
        format!("own.{}", self.name)
    }

    /// The value, negated if lower values are better, so that higher is better.
    pub fn oriented(&self, value: f64) -> f64 {
        if self.lower_is_better { -value } else { value }
    }
}

/// The values of an [`ExternalMetric`] for the two hypotheses of a pair: any finite numbers, as the user gave them.
#[derive(Debug, Clone, PartialEq)]
pub struct ExternalScore {
    /// The metric's name, shared by all pairs.
    pub name: Arc<str>,
    /// The value of each hypothesis.
    pub values: [f64; 2],
}
