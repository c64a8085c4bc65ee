//! Features. In: metric values. Out: one row per hypothesis, and the similarity of the two hypotheses of a pair. Next:
//! [`crate::learning`].
//!
//! A [`Schema`] gives the features' names and signatures. An [`Extractor`] computes them for pairs, reference by
//! reference and every distinct segment once; a [`Table`] holds them. A [`Row`] computes those of a single hypothesis.
//! A [`Choice`] selects those that a model learns from.

mod batch;
pub mod choice;
pub(crate) mod extractor;
pub(crate) mod families;
pub(crate) mod feature;
pub(crate) mod pair;
pub(crate) mod row;
pub(crate) mod schema;
pub(crate) mod table;

pub use choice::Choice;
pub use extractor::Extractor;
pub use families::Families;
pub use feature::Feature;
pub use row::Row;
pub use schema::{Schema, own_name};
pub use table::Table;
