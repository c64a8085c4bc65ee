//! Trained models: as files with everything that a verdict depends on, and as metrics.
//!
//! A [`Model`] is stored in a file that ends with a [`checksum`]; [`builtin`] holds those inside the program; a
//! [`LearnedMetric`] scores one hypothesis with a model; [`Ties`] controls how often verdicts are ties. Training is in
//! [`crate::learning`], its mathematics in [`crate::learners::logistic`].

pub mod builtin;
pub(crate) mod calibration;
pub mod checksum;
pub(crate) mod file;
pub(crate) mod metric;
pub(crate) mod references;
pub(crate) mod ties;

pub use calibration::OutputCalibration;
pub use file::{Model, Training};
pub use metric::LearnedMetric;
pub use references::{KnownReferences, MOST_REFERENCES, reference_fingerprint};
pub use ties::Ties;
