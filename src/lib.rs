//! Tribunal trains a panel of text-evaluation metrics to judge like people do.
#![forbid(unsafe_code)]
#![warn(missing_docs)]

pub mod error;
pub mod evaluation;
pub mod features;
pub mod judgments;
pub mod metrics;
pub mod model;
pub mod report;
pub mod text;
pub mod wordnet;

pub use error::{Error, Result};
