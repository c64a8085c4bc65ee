//! Formats of judgments: files of various kinds become [`Pair`](crate::judgments::Pair)s, with labels where they are
//! known, and a summary of what was read, kept and dropped.
//!
//! A format is a file of its own and a line in [`REGISTRY`]. Its [`Format`] gives its name, how it is recognised, the
//! options that it takes, and how it is opened. Most formats read [`Segment`]s, of which every two hypotheses become a
//! pair. Pairs come one at a time, in the order of the file.

pub mod answers;
pub(crate) mod beside;
mod da;
mod foreign;
mod format;
mod frame;
mod import;
mod joined;
mod labels;
mod marking;
mod merging;
mod messages;
mod mqm;
mod oddities;
mod order;
mod output_join;
mod output_table;
mod outputs;
mod overview;
mod pairs;
mod quoting;
mod rank;
mod rankings;
mod reader;
mod registry;
mod roles;
pub mod score_table;
mod scores;
pub mod sgml;
pub(crate) mod signal_columns;
mod signals;
mod sources;
mod summary;
mod table;
mod votes;
mod winner;
mod wmt_rr;
mod writer;

pub use answers::{LABELS, LabelNames};
pub use format::{Format, PredictionFile, Reading, Role, TABLE_KIND};
pub use frame::{Cells, Frame, FrameReading};
pub(crate) use import::finished;
pub use import::{ExpectedPairs, Importer, PairShape};
pub use labels::{JudgmentsRead, LabelsAdded, add_labels, add_output_labels, are_labelled_pairs, read};
pub use merging::{MergedFiles, Merging, UnmergedFile, merge_files};
pub use output_table::{OutputTable, write_outputs};
pub use outputs::{
    are_outputs, is_usual_of_outputs, output_texts, read_criteria, read_output_rows, read_outputs, read_questions,
};
pub use overview::{Overview, overview};
pub(crate) use quoting::QuotedTexts;
pub(crate) use reader::no_pair;
pub use reader::{PairReader, READING};
pub use registry::{REGISTRY, find, format_of};
pub use roles::{COLUMN, is_usual};
pub use scores::{Hypothesis, LOWEST_IS_BEST, Preference, ScoredSegments, Segment};
pub use signals::{ScaleInUse, Signal, SignalSource, Signals};
pub use summary::ImportSummary;
pub use votes::{ANNOTATORS, MAJORITY_WEIGHTS, MERGE, NO_MAJORITY};
pub use writer::PairWriter;
pub(crate) use writer::no_place_for_labels;
