//! Stage 1g. In: human judgments in the formats that people keep them in. Out: [`Pair`]s with labels, and an account of
//! what was read, kept and dropped. Next: text.
//!
//! One kind of file a module: it reads [`Segment`]s, and [`Pairs`] makes every two hypotheses of one a pair. Pairs come one
//! at a time, in the order of the file.

pub mod account;
pub mod answers;
pub mod direct;
pub mod languages;
pub mod merged;
pub mod meteor_rank;
pub mod mqm;
mod overlap;
pub mod pairing;
pub mod pairs;
pub mod penalties;
pub mod preference;
pub mod rankings;
pub mod sources;
pub mod table;
pub mod tables;
pub mod texts;
pub mod wmt_rr;
pub mod writer;

pub use account::Account;
pub use merged::Merged;
pub use pairing::Pairs;
pub use pairs::PairReader;
pub use preference::{Preference, Ties};
pub use writer::PairWriter;

use crate::error::{Error, Result};
use crate::files::Input;
use crate::judgments::Pair;
use crate::judgments::{Judgment, Verdict};

/// Reads judgments of one kind as pairs.
pub trait Importer: Iterator<Item = Result<Pair>> + Send {
    /// What became of everything that was read until now.
    fn account(&self) -> &Account;

    /// The largest number of references that a pair will have.
    fn references(&self) -> usize;
}

impl Importer for Box<dyn Importer> {
    fn account(&self) -> &Account {
        (**self).account()
    }

    fn references(&self) -> usize {
        (**self).references()
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

/// Reads pairs and what people said of them: from `answers`, or from the column `label` of a table.
///
/// # Errors
/// What the files may hold wrong: see [`PairReader`] and [`answers::read`]; pairs and answers of different number; a pair
/// without any answer.
pub fn read(pairs: &Input, format: Option<pairs::Format>, answers: Option<&Input>) -> Result<Vec<Judgment>> {
    read_with_account(pairs, format, answers).map(|(judgments, _)| judgments)
}

/// As [`read`], with the account of the import where pairs are made of other judgments.
///
/// # Errors
/// As [`read`].
pub fn read_with_account(
    pairs: &Input,
    format: Option<pairs::Format>,
    answers: Option<&Input>,
) -> Result<(Vec<Judgment>, Option<Account>)> {
    let mut reader = PairReader::open(pairs, format)?;
    let read: Vec<Pair> = reader.by_ref().collect::<Result<_>>()?;
    let labels: Vec<Verdict> = match answers {
        Some(answers) => answers::read_for(answers, pairs, read.len())?,
        None => read.iter().map(|pair| pair.label.ok_or_else(|| no_label(pairs, pair))).collect::<Result<_>>()?,
    };
    let judgments = read.into_iter().zip(labels).map(|(pair, label)| Judgment { pair, label }).collect();
    Ok((judgments, reader.account().cloned()))
}

fn no_label(pairs: &Input, pair: &Pair) -> Error {
    Error::invalid(
        format!("{pairs}:{}", pair.line),
        "a human judgment of the pair",
        "none",
        "name the file of answers with --answers, or use a table with a column 'label'",
    )
}
