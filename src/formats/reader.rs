//! The reader of pairs. In: a file of judgments in any format, and answers. Out: one [`Pair`] at a time, or all with
//! their labels. Next: features.

use super::account::Account;
use super::answers;
use super::importer::Importer;
use super::labels::LabelNames;
use super::own::{Ended, ExternalFiles};
use super::reading::Reading;
use crate::error::{Error, Result, pluralized};
use crate::files::Input;
use crate::judgments::{Judgment, Pair, Verdict};

/// Reads pairs one at a time, so that a file may be larger than memory.
pub struct PairReader {
    input: Input,
    pairs: Box<dyn Importer>,
    own: ExternalFiles,
    without_references: bool,
    /// Pairs read so far.
    count: usize,
    /// Whether the end or an error was reached.
    is_over: bool,
}

impl PairReader {
    /// Opens a file of pairs; by default the format follows from the file's ending. A label that cannot be read is left
    /// out: see [`Self::label_fault`].
    ///
    /// # Errors
    /// The file cannot be read; a table lacks a column. While reading: the first malformed line; no pair at all.
    pub fn open(input: &Input, reading: impl Into<Reading>) -> Result<Self> {
        let reading = reading.into();
        let pairs = (reading.format_of(input).open)(input, &reading.options_of(input)?)?;
        let own = ExternalFiles::open(&reading.own)?;
        let without_references = reading.without_references;
        Ok(Self { input: input.clone(), pairs, own, without_references, count: 0, is_over: false })
    }

    /// The file.
    pub fn input(&self) -> &Input {
        &self.input
    }

    /// What has been read and dropped so far, if the pairs are made from other judgments.
    pub fn account(&self) -> Option<&Account> {
        self.pairs.account()
    }

    /// The error for the first label that could not be read, if there was one.
    pub fn label_fault(&mut self) -> Option<Error> {
        self.pairs.label_fault()
    }
}

impl PairReader {
    /// The next pair with the values of the own metrics.
    fn read_pair(&mut self) -> Result<Option<Pair>> {
        let Some(mut pair) = self.pairs.next().transpose()? else {
            if self.count == 0 {
                return Err(no_pair(&self.input, self.pairs.account()));
            }
            let Some(Ended { file, lines }) = self.own.longer()? else { return Ok(None) };
            answers::check_count(&file, &self.input, lines, self.count)?;
            return Ok(None);
        };
        self.count += 1;
        if self.without_references && pair.references.iter().all(|reference| reference.trim().is_empty()) {
            pair.references.clear();
        }
        if let Some(Ended { file, lines }) = self.own.add_to(&mut pair)? {
            let rest = self.pairs.by_ref().map(|pair| pair.map(|_| 1)).sum::<Result<usize>>()?;
            answers::check_count(&file, &self.input, lines, self.count + rest)?;
        }
        Ok(Some(pair))
    }
}

impl Iterator for PairReader {
    type Item = Result<Pair>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.is_over {
            return None;
        }
        let pair = self.read_pair().transpose();
        self.is_over = !matches!(pair, Some(Ok(_)));
        pair
    }
}

/// The error for a file without pairs, with the reasons for which its rows were dropped.
pub(crate) fn no_pair(input: &Input, account: Option<&Account>) -> Error {
    let expected = "at least one pair";
    let Some(account) = account else {
        return Error::invalid(input.to_string(), expected, "none", "check that the right file was named");
    };
    if account.rows_read == 0 {
        let found = "an empty file, or one with a header and no rows";
        return Error::invalid(input.to_string(), expected, found, "check that the right file was named");
    }
    let dropped = account.dropped().collect::<Vec<_>>().join(", ");
    let found = format!("none in {}", pluralized(account.rows_read, "row"));
    let found = if dropped.is_empty() { found } else { format!("{found} (dropped {dropped})") };
    let advice = if account.pairs_dropped.is_empty() {
        "check that the right files and columns were named"
    } else {
        "omit the option that drops them, such as --ties drop, --margin or --drop-same-text"
    };
    Error::invalid(input.to_string(), expected, found, advice)
}

/// Reads pairs with their labels: from `answers`, or from the column `label` of a table.
///
/// # Errors
/// See [`PairReader`] and [`answers::read`]; the numbers of pairs and answers differ; a pair has no label.
pub fn read(pairs: &Input, reading: impl Into<Reading>, answers: Option<&Input>) -> Result<Vec<Judgment>> {
    read_with_account(pairs, reading, answers).map(|read| read.judgments)
}

/// Judgments, and what the user should know of how they were read.
#[derive(Debug, Clone)]
pub struct JudgmentsRead {
    /// The pairs with their labels.
    pub judgments: Vec<Judgment>,
    /// The account of the import if the pairs are made from other judgments.
    pub account: Option<Account>,
    /// The number of pairs whose own label was another than that of the answers, which count.
    pub overruled: usize,
}

/// As [`read`], with an account.
///
/// # Errors
/// As [`read`].
pub fn read_with_account(pairs: &Input, reading: impl Into<Reading>, answers: Option<&Input>) -> Result<JudgmentsRead> {
    let reading = reading.into();
    let names = LabelNames::from_options(&reading.options)?;
    let mut reader = PairReader::open(pairs, reading)?;
    let read: Vec<Pair> = reader.by_ref().collect::<Result<_>>()?;
    let labels: Vec<Verdict> = match answers {
        Some(answers) => {
            let labels = answers::read_named(answers, &names)?;
            answers::check_count(answers, pairs, labels.len(), read.len())?;
            labels
        }
        None => own_labels(&mut reader, &read)?,
    };
    let account = reader.account().map(|account| {
        let mut kept = Account::default();
        read.iter().for_each(|pair| kept.keep_pair(pair));
        kept.with_rows_of(Some(account))
    });
    let is_overruled = |(pair, label): &(&Pair, &Verdict)| pair.label.is_some_and(|own| own != **label);
    let overruled = read.iter().zip(&labels).filter(is_overruled).count();
    let judgments = read.into_iter().zip(labels).map(|(pair, label)| Judgment { pair, label }).collect();
    Ok(JudgmentsRead { judgments, account, overruled })
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
        "name the file of answers with --answers, or use a table with a column 'label' that is filled in every row",
    )
}
