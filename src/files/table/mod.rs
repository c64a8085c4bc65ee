//! Tables. In: files with named columns. Out: [`Rows`], one at a time; for writing, a [`RowWriter`]. Next:
//! [`crate::formats`].
//!
//! All kinds of tables follow the same rules: column names are unique; a cell is a text, a list of texts, a number, or
//! empty. The kinds differ as follows:
//!
//! - CSV: a header, then one row per line; quoted fields may hold commas and line ends.
//! - TSV: a header, then one row per line; there is no quoting, so a field can hold neither tabs nor line ends.
//! - JSON Lines: one object per line; each may have keys of its own.
//! - Parquet (cargo feature `parquet`): columns with types.

mod cell;
mod header;
mod json_lines;
mod kind;
#[cfg(feature = "parquet")]
mod parquet;
mod row;
mod rows;
mod separated;
mod writer;

pub use cell::{Cell, CellKind};
pub use header::{Column, Header};
pub use kind::TableKind;
pub(crate) use kind::ending;
pub use row::Row;
pub use rows::Rows;
pub use writer::RowWriter;
