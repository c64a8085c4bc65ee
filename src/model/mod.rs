//! Models. In: a judge that was trained on features. Out: a file that holds all that a verdict depends on, and a
//! metric. Next: [`crate::evaluation`].
//!
//! A [`Model`] has a file that ends with a [`checksum`]; [`builtin`] are those inside the program; a [`LearnedMetric`]
//! scores one hypothesis with what a model learned; [`Ties`] says how often verdicts are ties. How models learn stands
//! in [`crate::learning`], their mathematics in [`crate::learners::logistic`].

pub mod builtin;
pub mod checksum;
mod digest;
pub(crate) mod file;
pub(crate) mod metric;
pub(crate) mod references;
pub(crate) mod ties;

pub use file::{Model, Training};
pub use metric::LearnedMetric;
pub use references::{KnownReferences, MOST_REFERENCES, reference_fingerprint};
pub use ties::Ties;
