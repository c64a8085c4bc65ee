//! In: a schema, and some of its features. Out: the positions of their columns. Next: design, variants.

use crate::features::{Feature, Schema};
use crate::judgments::ExternalMetric;

/// Some of the features of a table.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Columns {
    /// The columns of x.
    pub(super) hypothesis: Vec<usize>,
    /// The columns of t.
    pub(super) pair: Vec<usize>,
}

impl Columns {
    /// The columns of some features of a schema; own metrics come after the features of texts.
    pub fn of(all: &Schema, wanted: &Schema) -> Self {
        let columns = |all_features: &[Feature], wanted_features: &[Feature]| {
            let place = |feature: &Feature| all_features.iter().position(|known| known == feature);
            let own = |metric: &ExternalMetric| all.own.iter().position(|known| known == metric);
            let of_own = wanted.own.iter().filter_map(own).map(|at| all_features.len() + at);
            wanted_features.iter().filter_map(place).chain(of_own).collect()
        };
        Self { hypothesis: columns(&all.hypothesis, &wanted.hypothesis), pair: columns(&all.pair, &wanted.pair) }
    }
}
