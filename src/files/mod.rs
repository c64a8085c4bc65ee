//! Files. In: names of files. Out: lines and rows of tables; complete files under their names. Next:
//! [`crate::judgments`].
//!
//! ```
//! use tribunal::files::table::{Cell, CellKind, RowWriter, Rows, TableKind};
//! use tribunal::files::{Input, Output};
//!
//! let folder = tempfile::tempdir().map_err(|error| tribunal::Error::io("a folder".as_ref(), error, "make"))?;
//! let path = folder.path().join("scores.tsv.gz");
//! let kind = TableKind::of_name("scores.tsv.gz").unwrap_or(TableKind::Csv);
//! let mut writer = RowWriter::begin(Output::create(Some(&path))?, kind, &[("id", CellKind::Text)])?;
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

mod apart;
mod compression;
mod folder;
pub(crate) mod input;
pub(crate) mod limits;
pub(crate) mod output;
pub(crate) mod progress;
pub(crate) mod stems;
pub mod table;
mod unfinished;
mod unnamed;

pub use apart::check_outputs;
pub(crate) use compression::decompressed;
pub use folder::{in_folder, write_folder};
pub use input::{Input, check_inputs};
pub use limits::{Size, allow_decompressed};
pub use output::Output;
pub use progress::{BytesRead, watch_reading};
pub use stems::distinct_stems;
pub use unfinished::remove_unfinished;
