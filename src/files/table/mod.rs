//! Tables. In: files with named columns. Out: [`Rows`], one at a time; and the way back, a [`RowWriter`]. Next:
//! [`crate::formats`].
//!
//! All kinds of tables follow one rule: a column has one name, which stands once; a cell is a text, a list of texts, a
//! number, or empty. What holds for one kind only:
//!
//! - CSV: a header, then a row a line; fields may be quoted, and then hold commas and line ends.
//! - TSV: a header, then a row a line; nothing is quoted, so that a field can hold neither tab nor line end.
//! - JSON Lines: an object a line; each may have keys of its own.
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
