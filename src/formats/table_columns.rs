//! What the columns of a table are called that holds judgments in one of several layouts. Next: [`super::table`].

use super::pair_columns::Names;

/// What the columns are called.
pub(crate) struct Columns {
    pub(crate) pairs: Names,
    /// The preferred and the other hypothesis.
    pub(crate) preferred: [String; 2],
    /// A hypothesis with a score of its own.
    pub(crate) scored: String,
    pub(crate) score: String,
    /// The source, which tells with the reference which hypotheses are of one segment.
    pub(crate) source: String,
}
