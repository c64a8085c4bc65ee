//! What all formats have in common. In: judgments in some format. Out: labelled [`Pair`]s, one at a time. Next:
//! [`super::pairing`], the formats themselves.

use super::account::Account;
use crate::error::{Error, Result};
use crate::judgments::Pair;

/// Reads the pairs of a file, in the file's order.
pub trait Importer: Iterator<Item = Result<Pair>> + Send {
    /// What has been read and dropped so far; `None` if the file holds pairs as such. Whoever takes the pairs counts
    /// them.
    fn account(&self) -> Option<&Account>;

    /// The largest number of references that a pair will have, as far as it is known in advance.
    fn references(&self) -> usize {
        1
    }

    /// The first label that could not be read, as an error, if the pairs are returned without it.
    fn label_fault(&mut self) -> Option<Error> {
        None
    }
}

impl Importer for Box<dyn Importer> {
    fn account(&self) -> Option<&Account> {
        (**self).account()
    }

    fn references(&self) -> usize {
        (**self).references()
    }

    fn label_fault(&mut self) -> Option<Error> {
        (**self).label_fault()
    }
}

/// A sentence, or a longer text, with several hypotheses that people compared.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Segment {
    /// Its name; the group of its pairs.
    pub id: String,
    /// At least one.
    pub references: Vec<String>,
    /// The hypotheses that people judged.
    pub hypotheses: Vec<Hypothesis>,
    /// The line at which it begins in the file.
    pub line: usize,
}

/// A hypothesis with its human score.
#[derive(Debug, Clone, PartialEq)]
pub struct Hypothesis {
    /// The system, or the position among the segment's hypotheses.
    pub name: String,
    /// The text.
    pub text: String,
    /// Higher is better, unless the user says otherwise.
    pub score: f64,
    /// The judges, where they are known.
    pub judges: Vec<String>,
}

/// Reads one segment at a time.
pub trait Segments: Send {
    /// The next segment, or `None` at the end; rows are counted in the account.
    ///
    /// # Errors
    /// The file cannot be read, or its content is malformed.
    fn next_segment(&mut self, account: &mut Account) -> Result<Option<Segment>>;

    /// The largest number of references that a segment will have.
    fn references(&self) -> usize {
        1
    }
}
