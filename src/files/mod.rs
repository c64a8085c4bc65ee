//! Files. In: names of files. Out: their lines and rows; what a command writes. Next: [`crate::formats`].

pub mod input;
pub mod output;
#[cfg(feature = "parquet")]
mod parquet;
pub mod rows;
mod unnamed;
mod zstd;

pub use input::Input;
pub use output::Output;
