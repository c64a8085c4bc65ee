#![doc = include_str!("damage.md")]
#![doc = include_str!("safeguards.md")]

pub use tribunal_text_metrics::error::*;
