//! The way in. In: a file of judgments in any format, and answers. Out: one [`Pair`] at a time, or all with their
//! labels. Next: features.

use super::account::Account;
use super::format::Format;
use super::importer::Importer;
use super::{answers, registry};
use crate::error::{Error, Result};
use crate::files::Input;
use crate::judgments::{Judgment, Pair, Verdict};
use crate::options::Options;

/// Reads pairs one at a time, so that a file may be larger than memory.
pub struct PairReader {
    input: Input,
    pairs: Box<dyn Importer>,
    any: bool,
}

impl PairReader {
    /// Opens a file of pairs; the format is that of the file's ending unless it is given. A label that cannot be read
    /// is none: see [`Self::label_fault`].
    ///
    /// # Errors
    /// The file cannot be read; a table lacks a column. While reading: the first line that is wrong; no pair at all.
    pub fn open(input: &Input, format: Option<&'static Format>) -> Result<Self> {
        let format = format.unwrap_or_else(|| registry::of(input));
        let pairs = (format.open)(input, &Options::default())?;
        Ok(Self { input: input.clone(), pairs, any: false })
    }

    /// What became of all that was read until now, where pairs are made of other judgments.
    pub fn account(&self) -> Option<&Account> {
        self.pairs.account()
    }

    /// What was wrong with the first label that could not be read, if there was one.
    pub fn label_fault(&mut self) -> Option<Error> {
        self.pairs.label_fault()
    }
}

impl Iterator for PairReader {
    type Item = Result<Pair>;

    fn next(&mut self) -> Option<Self::Item> {
        let pair = self.pairs.next();
        let first = !std::mem::replace(&mut self.any, true);
        if pair.is_none() && first { Some(Err(no_pair(&self.input))) } else { pair }
    }
}

fn no_pair(input: &Input) -> Error {
    Error::invalid(input.to_string(), "at least one pair", "none", "check that the right file was named")
}

/// Reads pairs and what people said of them: from `answers`, or from the column `label` of a table.
///
/// # Errors
/// What the files may hold wrong: see [`PairReader`] and [`answers::read`]; pairs and answers of different number; a
/// pair without any answer.
pub fn read(pairs: &Input, format: Option<&'static Format>, answers: Option<&Input>) -> Result<Vec<Judgment>> {
    read_with_account(pairs, format, answers).map(|(judgments, _)| judgments)
}

/// As [`read`], with the account of the import where pairs are made of other judgments.
///
/// # Errors
/// As [`read`].
pub fn read_with_account(
    pairs: &Input,
    format: Option<&'static Format>,
    answers: Option<&Input>,
) -> Result<(Vec<Judgment>, Option<Account>)> {
    let mut reader = PairReader::open(pairs, format)?;
    let read: Vec<Pair> = reader.by_ref().collect::<Result<_>>()?;
    let labels: Vec<Verdict> = match answers {
        Some(answers) => answers::read_for(answers, pairs, read.len())?,
        None => own_labels(&mut reader, &read)?,
    };
    let judgments = read.into_iter().zip(labels).map(|(pair, label)| Judgment { pair, label }).collect();
    Ok((judgments, reader.account().cloned()))
}

fn own_labels(reader: &mut PairReader, pairs: &[Pair]) -> Result<Vec<Verdict>> {
    if let Some(fault) = reader.label_fault() {
        return Err(fault);
    }
    pairs.iter().map(|pair| pair.label.ok_or_else(|| no_label(&reader.input, pair))).collect()
}

fn no_label(pairs: &Input, pair: &Pair) -> Error {
    Error::invalid(
        format!("{pairs}:{}", pair.line),
        "a human judgment of the pair",
        "none",
        "name the file of answers with --answers, or use a table with a column 'label'",
    )
}
