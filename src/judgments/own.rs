//! Metrics of the user's own. In: their names, and values that other programs computed. Out: [`OwnMetric`]s, and an
//! [`OwnScore`] a metric beside each pair. Next: [`super::pair`].

use std::sync::Arc;

use serde::{Deserialize, Serialize};

/// A metric that another program computes, such as COMET or a language model as a judge.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct OwnMetric {
    /// What the user calls it.
    pub name: String,
    /// Whether lower values are better, as with error rates.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub lower_is_better: bool,
}

impl OwnMetric {
    /// A metric of which higher values are better.
    pub fn new(name: impl Into<String>) -> Self {
        Self { name: name.into(), lower_is_better: false }
    }

    /// What tells it apart from something else of its name: `own.bleu`.
    pub fn qualified_name(&self) -> String {
        format!("own.{}", self.name)
    }

    /// A value turned so that higher is better.
    pub fn oriented(&self, value: f64) -> f64 {
        if self.lower_is_better { -value } else { value }
    }
}

/// What an [`OwnMetric`] says of the two hypotheses of a pair; any finite numbers, as the user has them.
#[derive(Debug, Clone, PartialEq)]
pub struct OwnScore {
    /// The metric's name, shared by all pairs.
    pub name: Arc<str>,
    /// The value of each hypothesis.
    pub values: [f64; 2],
}
