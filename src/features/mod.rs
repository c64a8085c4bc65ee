//! Stage 4. In: metric values. Out: one row a hypothesis, then what the two hypotheses of a pair have in common. Next:
//! [`crate::model`].
//!
//! A [`Schema`] names the features and signs them; an [`Extractor`] computes them for pairs, reference by reference
//! and every distinct segment once; a [`Table`] holds them. A [`Row`] computes those of one hypothesis by itself. A
//! [`Choice`] says which of them a model learns from.

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
