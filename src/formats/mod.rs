//! Formats of judgments. In: files in various formats. Out: [`Pair`](crate::judgments::Pair)s, with labels where they
//! are known, and an account of what was read, kept and dropped. Next: [`crate::features`].
//!
//! A format is a file of its own and a line in [`REGISTRY`]. Its [`Format`] gives its name, how it is recognised, the
//! options that it takes, and how it is opened. Most formats read [`Segment`]s, of which [`Pairs`] pairs every two
//! hypotheses. Pairs come one at a time, in the order of the file.

mod account;
pub mod answers;
mod da;
mod format;
mod frame;
mod importer;
mod judged_texts;
mod labels;
mod languages;
mod merged;
mod mqm;
pub mod own;
mod pair_columns;
mod pair_tables;
mod pairing;
mod pairs;
mod penalties;
mod preference;
mod rank;
mod rankings;
mod reader;
mod reading;
mod registry;
pub mod score_table;
mod scored;
mod sources;
mod table;
pub mod texts;
#[cfg(feature = "toy")]
mod toy;
mod verdicts;
mod wmt_rr;
mod writer;

pub use account::Account;
pub use format::{Format, Role, TABLE_KIND};
pub use frame::{Cells, Frame, FrameReading};
pub use importer::{Hypothesis, Importer, Segment, Segments};
pub use judged_texts::{JudgedText, JudgedTexts};
pub use labels::{LABELS, LabelNames};
pub use merged::Merged;
pub use own::{ExternalMetrics, ExternalSource};
pub use pairing::Pairs;
pub use preference::{LOWEST_IS_BEST, Preference, Ties};
pub(crate) use reader::no_pair;
pub use reader::{JudgmentsRead, PairReader, read, read_with_account};
pub use reading::{READING, Reading};
pub use registry::{REGISTRY, find, of};
pub use writer::PairWriter;
pub(crate) use writer::no_place_for_labels;
