//! Features: their names, and what their values depend on. Next: schema.

use std::fmt;

use serde::{Deserialize, Serialize};

/// Prefix of the names of distances between two scores; the metric's name follows.
pub(super) const DISTANCE: &str = "pair.distance.";

/// A column of the feature table.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Feature {
    /// `metric` for a metric's score, `metric.part` for its parts.
    pub name: String,
    /// What the value depends on: the metric's [signature](crate::metrics::Signature).
    pub signature: String,
}

impl fmt::Display for Feature {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{} ({})", self.name, self.signature)
    }
}
