//! Features: one row per hypothesis, and the similarity of the two hypotheses of a pair.
//!
//! A [`Schema`] gives the features' names and signatures. An [`Extractor`] computes them for pairs, reference by
//! reference and every distinct segment once; a [`Table`] holds them. [`HypothesisFeatures`] are those of a single
//! hypothesis. A [`Choice`] selects those that a model learns from.

pub mod choice;
pub(crate) mod extractor;
pub(crate) mod pair_features;
pub(crate) mod schema;
pub(crate) mod table;

pub use choice::Choice;
pub use extractor::{Extractor, HypothesisFeatures};
pub use schema::{Families, Feature, Schema, judge_name, own_name};
pub use table::Table;
