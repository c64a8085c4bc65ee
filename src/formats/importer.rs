//! What every format has in common. In: judgments in some format. Out: [`Pair`]s with labels, one at a time. Next:
//! [`super::pairing`], the formats themselves.

use super::account::Account;
use crate::error::{Error, Result};
use crate::judgments::Pair;

/// Reads the pairs of a file, in its order.
pub trait Importer: Iterator<Item = Result<Pair>> + Send {
    /// What was read and dropped until now; none where pairs stand in the file as they are. Those who take the pairs
    /// count them.
    fn account(&self) -> Option<&Account>;

    /// The largest number of references that a pair will have, as far as that is known before it is read.
    fn references(&self) -> usize {
        1
    }

    /// What was wrong with the first label that could not be read, where pairs are given without it, for those who need
    /// it.
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

/// A sentence with several hypotheses that people compared.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Segment {
    /// What it is called; the group of its pairs.
    pub id: String,
    /// One or several.
    pub references: Vec<String>,
    /// Those that people judged.
    pub hypotheses: Vec<Hypothesis>,
    /// Where it begins in the file.
    pub line: usize,
}

/// A hypothesis with what people said of it.
#[derive(Debug, Clone, PartialEq)]
pub struct Hypothesis {
    /// The system, or the place among the segment's hypotheses.
    pub name: String,
    /// The text.
    pub text: String,
    /// Higher is better.
    pub score: f64,
    /// Who judged it, where that is known.
    pub judges: Vec<String>,
}

/// Reads one segment after the other.
pub trait Segments: Send {
    /// The next segment, or none at the end; rows are noted in the account.
    ///
    /// # Errors
    /// What stands there is not what it should be.
    fn next_segment(&mut self, account: &mut Account) -> Result<Option<Segment>>;

    /// The largest number of references that a segment will have.
    fn references(&self) -> usize {
        1
    }
}
