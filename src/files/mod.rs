//! Inputs and outputs: lines and rows of tables are read, and files appear under their names when they are complete.
//!
//! ```
//! use tribunal::files::table::{Cell, CellKind, RowWriter, Rows, TableKind};
//! use tribunal::files::{Input, Output};
//!
//! let folder = tempfile::tempdir().map_err(|error| tribunal::Error::io("a folder".as_ref(), error, "make"))?;
//! let path = folder.path().join("scores.tsv.gz");
//! let mut writer = RowWriter::begin(Output::create(Some(&path))?, TableKind::Tsv, &[("id", CellKind::Text)])?;
//! writer.write(&[Cell::Text("first")])?;
//! writer.finish()?;
//!
//! let rows = Rows::open(&Input::File(path), None)?;
//! let id = rows.header().require("id")?;
//! for row in rows {
//!     assert_eq!(row?.text(&id)?, "first");
//! }
//! # Ok::<(), tribunal::Error>(())
//! ```

mod compression;
pub(crate) mod input;
pub(crate) mod limits;
pub(crate) mod output;
mod path_conflicts;
pub mod table;

pub use input::{Input, check_inputs, display_names};
pub use output::{Output, check_content, is_stream, write_folder};
pub use path_conflicts::check_outputs;
