//! Reads pairs of a file in any format, with the values of own metrics beside them; one at a time, or all with their
//! labels.

use super::answers::LABELS;
use super::beside::FilesBeside;
use super::format::{Format, Reading, Role};
use super::import::{Importer, drops};
use super::merging::{Merger, Merging};
use super::order::drawn_order;
use super::quoting::QuotedTexts;
use super::registry;
use super::roles::COLUMN;
use super::scores::LOWEST_IS_BEST;
use super::signals::{Signal, SignalSource, Signals};
use super::summary::ImportSummary;
use super::votes;
use crate::error::{Error, Result, pluralized, quoted};
use crate::files::Input;
use crate::files::table::Rows;
use crate::judgments::Pair;
use crate::options::{OptionSpec, Options};

/// The options of every command that reads human judgments.
pub const READING: &[&OptionSpec] = &[
    &LABELS,
    &COLUMN,
    &votes::ANNOTATORS,
    &votes::MERGE,
    &votes::NO_MAJORITY,
    &votes::MAJORITY_WEIGHTS,
    &LOWEST_IS_BEST,
];

impl Reading {
    /// The format of a file.
    pub fn format_of(&self, input: &Input) -> &'static Format {
        self.format.unwrap_or_else(|| registry::format_of(input))
    }

    /// Checks that every option applies to the format of some file, or to the answers.
    ///
    /// # Errors
    /// An option would have no effect.
    pub fn check_used(&self, pairs: &[Input], has_answers: bool) -> Result<()> {
        let takes = |format: &Format, name: &str| format.options.iter().any(|spec| spec.name == name);
        // The labels of answers and of annotators' files can stand beside pairs of any format.
        let has_labels = self.options.is_given(&votes::ANNOTATORS);
        let of_labels = [&LABELS, &votes::ANNOTATORS, &votes::NO_MAJORITY, &votes::MAJORITY_WEIGHTS];
        let is_used = |name: &str| {
            has_answers && name == LABELS.name
                || has_labels && of_labels.iter().any(|spec| spec.name == name)
                || pairs.iter().any(|input| takes(self.format_of(input), name))
        };
        let Some(unused) = self.options.names().find(|name| !is_used(name)) else { return Ok(()) };
        // That a file cannot be read at all, as Parquet without its cargo feature, says more than its format.
        pairs.iter().filter(|input| matches!(input, Input::File(_))).try_for_each(|input| input.open().map(drop))?;
        let taking = registry::REGISTRY.iter().filter(|format| takes(format, unused)).map(|format| format.name);
        let found = pairs.iter().map(|input| format!("{input} ({})", self.format_of(input).name));
        Err(Error::invalid(
            format!("`{}`", unused.replace('-', "_")),
            format!("judgments in one of the formats {}", taking.collect::<Vec<_>>().join(", ")),
            found.collect::<Vec<_>>().join(", "),
            "omit the option, or name the format with `format`",
        ))
    }

    /// The same with the annotators that the options name, unless its signals have annotators.
    ///
    /// # Errors
    /// As for [`Signals::with_annotators`].
    pub(crate) fn with_annotators(mut self) -> Result<Self> {
        if !self.has_annotators() {
            self.signals.extend(Signals::default().with_annotators(&self.options)?.of_file(0, 1)?);
        }
        Ok(self)
    }

    /// Reads columns of the pairs where what follows the name of a signal is one, and no file: JSON has `results.winner`.
    ///
    /// # Errors
    /// The pairs cannot be read.
    fn with_columns_of(mut self, input: &Input) -> Result<Self> {
        let is_table = self.format_of(input).table.is_some() && matches!(input, Input::File(path) if path.is_file());
        if is_table && self.signals.iter().any(SignalSource::may_be_column) {
            let rows = Rows::open(input, self.format.and_then(|format| format.table))?;
            self.signals.iter_mut().for_each(|source| source.settle(rows.header()));
        }
        Ok(self)
    }

    fn has_annotators(&self) -> bool {
        self.signals.iter().any(|source| matches!(source.signal, Signal::Annotator(_)))
    }

    /// Opens a file with the options that apply to its format.
    fn open(&self, input: &Input) -> Result<Importer> {
        let format = self.format_of(input);
        for source in self.signals.iter().filter(|source| source.file.is_none() && format.table.is_none()) {
            let name = source.signal.name();
            let (expected, found, advice) = match &source.signal {
                _ if format.name == "table" => continue,
                Signal::Judge { .. } => (
                    format!("a file with the verdicts of the judge {}, one line per pair", quoted(name)),
                    format!("none, and no columns in the format {}", format.name),
                    format!("name it with `judge` {name}=FILE, or write a table with the column {name}"),
                ),
                Signal::Metric(_) => (
                    format!("values of the own metric {}", quoted(name)),
                    format!("none, as the format {} has no columns for them", format.name),
                    format!(
                        "give a file with one line per pair, `own` {name}=FILE, or use a table with the columns \
                         {name}.1 and {name}.2"
                    ),
                ),
                Signal::Annotator(_) => (
                    format!("labels of the annotator {}", quoted(name)),
                    format!("none, as the format {} has no columns for them", format.name),
                    format!("give a file with one label per line, `annotators` {name}=FILE, or use a table"),
                ),
            };
            // That a file cannot be read at all, as Parquet without its cargo feature, says more than its format.
            if matches!(input, Input::File(_)) {
                input.open()?;
            }
            return Err(Error::invalid(input.to_string(), expected, found, advice));
        }
        if let Some(column) = self.by_column.as_ref().filter(|_| format.table.is_none()) {
            let found = format!("the format {}, which has no columns", format.name);
            let advice = "omit it, or write the judgments as a table: tribunal import";
            return Err(Error::invalid(
                "`by_column`",
                format!("a table with the column {}", quoted(column)),
                found,
                advice,
            ));
        }
        let options = self.options.only(format.options);
        (format.open)(input, &Self { format: Some(format), options, ..self.clone() })
    }
}

impl From<Options> for Reading {
    fn from(options: Options) -> Self {
        Self { options, ..Self::default() }
    }
}

/// Reads pairs one at a time, so that a file may be larger than memory.
pub struct PairReader {
    input: Input,
    pairs: Importer,
    beside: FilesBeside,
    /// Pairs read so far.
    count: usize,
    /// Whether the end or an error was reached.
    is_over: bool,
    /// Whether the pairs are made from other judgments.
    is_import: bool,
    /// Whether the order of the hypotheses is drawn.
    draws_order: bool,
    /// Whether rows are given as they are, for somebody else to merge them.
    is_unmerged: bool,
    /// Merged pairs that were not given yet.
    merged: Option<std::vec::IntoIter<Pair>>,
    quoted: QuotedTexts,
}

impl PairReader {
    /// Opens a file of pairs; by default the format follows from the file's ending.
    ///
    /// # Errors
    /// The file cannot be read; a table lacks a column. While reading: the first malformed line; no pair at all.
    pub fn open(input: &Input, reading: impl Into<Reading>) -> Result<Self> {
        Self::open_with(input, reading, None)
    }

    /// As [`Self::open`]; every pair gets the label of its line of the answers, if there are any.
    ///
    /// # Errors
    /// As for [`Self::open`]; the answers cannot be read. While reading: a line that is no label; another number of
    /// answers than of pairs.
    pub fn open_with(input: &Input, reading: impl Into<Reading>, answers: Option<&Input>) -> Result<Self> {
        let reading = reading.into().with_annotators()?.with_columns_of(input)?;
        let is_judge = |source: &&SignalSource| matches!(source.signal, Signal::Judge { .. });
        let mut judges = reading.signals.iter().filter(is_judge);
        if let Some(both) = judges.find(|judge| judge.file.is_some() && judge.file.as_ref() == answers) {
            let found = format!("the file of the labels for the judge {}", quoted(both.signal.name()));
            let advice = "name the file of its verdicts";
            return Err(Error::invalid("`judge`", "a judge other than the human labels", found, advice));
        }
        let mut pairs = reading.open(input)?;
        let beside = FilesBeside::open(&reading, answers, &mut pairs.summary.unknown)?;
        if reading.has_annotators() {
            pairs.majority = Some(beside.rule);
        }
        Ok(Self {
            input: input.clone(),
            draws_order: reading.needs_labels && pairs.shape.is_preference,
            pairs,
            beside,
            is_unmerged: reading.is_unmerged,
            merged: None,
            count: 0,
            is_over: false,
            is_import: reading.format_of(input).role == Role::Judgments,
            quoted: QuotedTexts::default(),
        })
    }

    /// The file.
    pub fn input(&self) -> &Input {
        &self.input
    }

    /// How many pairs so far had another label of their own than that of the answers, which count.
    pub fn overruled(&self) -> usize {
        self.beside.overruled
    }

    /// What the user should know of how the pairs so far were read; that of imports is in their summary.
    pub fn note(&self) -> Option<String> {
        let of_tables = if self.is_import { &[][..] } else { &self.pairs.summary.notes };
        let unknown = self.pairs.summary.unknown.notes();
        let dropped =
            self.pairs.summary.dropped().filter(|_| !self.is_import).map(|dropped| format!("dropped {dropped}"));
        let notes: Vec<String> =
            of_tables.iter().cloned().chain(dropped).chain(unknown).chain(self.quoted.note()).collect();
        (!notes.is_empty()).then(|| format!("{}: {}", self.input, notes.join("\n")))
    }

    /// The summary of an import after all `pairs` were read; `None` if they were pairs in the file, too.
    pub fn summary(&self, pairs: &[Pair]) -> Option<ImportSummary> {
        let mut summary = self.is_import.then(|| self.pairs.summary.clone())?;
        pairs.iter().for_each(|pair| summary.keep_pair(pair));
        Some(summary)
    }

    /// How its pairs are to be merged, if they are.
    pub fn merging(&self) -> Option<Merging> {
        self.pairs.merging
    }

    /// The next pair in its final order.
    fn next_pair(&mut self) -> Result<Option<Pair>> {
        let pair = match self.pairs.merging.filter(|_| !self.is_unmerged) {
            Some(merging) => self.merged(merging)?.next(),
            None => self.next_kept()?,
        };
        Ok(pair.map(|pair| if self.draws_order { drawn_order(pair) } else { pair }))
    }

    /// The next pair that is not dropped.
    fn next_kept(&mut self) -> Result<Option<Pair>> {
        let rule = self.pairs.majority.filter(|_| self.pairs.merging.is_none());
        while let Some(pair) = self.read_pair()? {
            if !drops(rule, &pair, &mut self.pairs.summary) {
                return Ok(Some(pair));
            }
        }
        Ok(None)
    }

    /// The merged pairs that were not given yet.
    fn merged(&mut self, merging: Merging) -> Result<&mut std::vec::IntoIter<Pair>> {
        let pairs = match self.merged.take() {
            Some(pairs) => pairs,
            None => {
                let mut merger = Merger::default();
                while let Some(pair) = self.read_pair()? {
                    merger.add(0, pair);
                }
                let summary = std::slice::from_mut(&mut self.pairs.summary);
                merger
                    .finish(&[self.input.to_string()], merging, summary)?
                    .into_iter()
                    .flatten()
                    .collect::<Vec<_>>()
                    .into_iter()
            }
        };
        Ok(self.merged.insert(pairs))
    }

    /// The next row with what the files beside it say.
    fn read_pair(&mut self) -> Result<Option<Pair>> {
        let Some(mut pair) = self.pairs.next().transpose()? else {
            if self.count == 0 {
                return Err(no_pair(&self.input, self.is_import.then_some(&self.pairs.summary)));
            }
            self.beside.check_ends(&self.input, self.count)?;
            self.pairs.summary.notes.extend(self.beside.account()?);
            return self.pairs.summary.unknown.check(&self.input.to_string()).map(|()| None);
        };
        self.count += 1;
        self.quoted.add(&pair);
        if !self.beside.add_to(&mut pair, &mut self.pairs.summary.unknown)? {
            let rest = self.pairs.by_ref().map(|pair| pair.map(|_| 1)).sum::<Result<usize>>()?;
            self.beside.check_ends(&self.input, self.count + rest)?;
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
        let pair = self.next_pair().transpose();
        self.is_over = !matches!(pair, Some(Ok(_)));
        pair
    }
}

/// The error for a file without pairs, with the reasons for which its rows were dropped.
pub(crate) fn no_pair(input: &Input, summary: Option<&ImportSummary>) -> Error {
    let wrong_file = "check that the right file was named";
    let (found, advice) = match summary {
        None => ("none".to_owned(), wrong_file),
        Some(summary) if summary.rows_read == 0 => {
            ("an empty file, or one with a header and no rows".to_owned(), wrong_file)
        }
        Some(summary) => {
            let dropped = summary.dropped().collect::<Vec<_>>().join(", ");
            let dropped = if dropped.is_empty() { dropped } else { format!(" (dropped {dropped})") };
            let advice = if summary.pairs_dropped.is_empty() {
                "check that the right files and columns were named"
            } else {
                "omit the option that drops them, such as `human_ties` drop, `margin` or `drop_same_text`"
            };
            (format!("none in {}{dropped}", pluralized(summary.rows_read, "row")), advice)
        }
    };
    Error::invalid(input.to_string(), "at least one pair", found, advice)
}
