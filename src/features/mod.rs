//! Features: what metrics, similarities, the user's own metrics and judges say of the two hypotheses of a pair.
//!
//! Each is a [`Column`], and a [`Schema`] is a list of them. An [`Extractor`] computes them for pairs, reference by
//! reference and every distinct segment once; a [`Table`] holds them. [`HypothesisFeatures`] are those of a single
//! hypothesis. A [`Choice`] selects those that a model learns from.

pub mod choice;
pub mod column;
pub(crate) mod extractor;
pub(crate) mod pair_features;
pub(crate) mod schema;
pub(crate) mod table;

pub use choice::Choice;
pub use column::{Column, ColumnSource, ColumnValue};
pub use extractor::{Extractor, HypothesisFeatures};
pub(crate) use schema::without_source;
pub use schema::{Families, Schema};
pub use table::Table;
