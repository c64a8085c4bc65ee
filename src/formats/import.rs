//! What the importers of all formats share: pairs one at a time, and a summary of what was read and dropped.

use std::collections::{BTreeMap, HashSet};
use std::fmt;

use serde::Serialize;
use xxhash_rust::xxh3::xxh3_64;

use super::judges::Oddities;
use super::merging::{Merger, Merging};
use super::pairs::drawn_order;
use super::votes::{self, MajorityRule};
use crate::error::{Result, pluralized};
use crate::judgments::{LabelSource, Pair, Verdict};
use crate::options::{OptionSpec, Options};

/// Counts of rows and pairs that were read, kept and dropped, with the reasons.
#[derive(Debug, Clone, Default, Serialize)]
pub struct ImportSummary {
    /// Lines or rows read, not counting a header.
    pub rows_read: usize,
    /// Rows that did not become part of a pair, by reason.
    pub rows_dropped: BTreeMap<String, usize>,
    /// Pairs that were kept.
    pub pairs: usize,
    /// Kept pairs by label, in the order 1, 0, -1.
    pub labels: [usize; 3],
    /// Pairs that were dropped, by reason.
    pub pairs_dropped: BTreeMap<String, usize>,
    /// Who gave the labels of the kept pairs.
    #[serde(skip_serializing_if = "LabelSource::is_people")]
    pub labels_of: LabelSource,
    /// Distinct segments of the kept pairs.
    pub groups: usize,
    /// Kept pairs with two identical hypotheses.
    pub same_text: usize,
    /// Of these, pairs in which people preferred one hypothesis: these judgments are contradictory.
    pub same_text_preferred: usize,
    /// Other findings, one per line.
    pub notes: Vec<String>,
    /// Reasons not to trust the judgments, one per line.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub warnings: Vec<String>,
    /// Values of options that had no effect on any row, each after the name of its option.
    #[serde(skip)]
    pub(crate) unused: Vec<(String, String)>,
    /// What columns and files hold in place of verdicts and texts.
    #[serde(skip)]
    pub(crate) unknown: Oddities,
    #[serde(skip)]
    seen: HashSet<u64>,
}

/// Why rows without a label are dropped.
pub(crate) const UNLABELLED: &str = "without a label";

impl ImportSummary {
    /// The number of rows that were dropped because they have no label.
    pub fn unlabelled(&self) -> usize {
        self.rows_dropped.get(UNLABELLED).copied().unwrap_or(0)
    }

    /// Counts rows that do not become part of a pair.
    pub(crate) fn drop_rows(&mut self, count: usize, reason: &str) {
        if count > 0 {
            *self.rows_dropped.entry(reason.to_owned()).or_default() += count;
        }
    }

    /// Counts a pair that is dropped.
    pub(crate) fn drop_pair(&mut self, reason: &str) {
        *self.pairs_dropped.entry(reason.to_owned()).or_default() += 1;
    }

    /// Counts a pair that is kept. Importers do not call this: whoever takes their pairs may still drop some.
    pub(crate) fn keep_pair(&mut self, pair: &Pair) {
        self.pairs += 1;
        if let Some(label) = pair.label {
            let is_first = self.labels == [0; 3];
            self.labels[label.index()] += 1;
            let labels_of = LabelSource::of(std::iter::once(pair));
            if is_first || labels_of == self.labels_of {
                self.labels_of = labels_of;
            } else {
                self.labels_of = LabelSource::People;
            }
        }
        if pair.hypotheses[0] == pair.hypotheses[1] {
            self.same_text += 1;
            self.same_text_preferred += usize::from(pair.label.is_some_and(|label| label != Verdict::Tie));
        }
        // Only a hash of each segment is stored.
        let segment = pair.group.as_ref().or(pair.references_or_prompt().first()).map_or("", String::as_str);
        self.groups += usize::from(self.seen.insert(xxh3_64(segment.as_bytes())));
    }

    /// What was dropped, and why: one phrase per reason.
    pub(crate) fn dropped(&self) -> impl Iterator<Item = String> + '_ {
        let all = [("row", &self.rows_dropped), ("pair", &self.pairs_dropped)];
        all.into_iter().flat_map(|(what, reasons)| {
            reasons.iter().map(move |(reason, &count)| format!("{}: {reason}", pluralized(count, what)))
        })
    }
}

/// `2838 rows read, 2838 used; 11306 pairs of 334 segments; human labels: 5256 first, 793 tie, 5257 second`, then one line for
/// each reason for dropping and each note.
impl fmt::Display for ImportSummary {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [first, tie, second] = self.labels;
        let used = self.rows_read.saturating_sub(self.rows_dropped.values().sum());
        write!(formatter, "{} read, {used} used; ", pluralized(self.rows_read, "row"))?;
        write!(formatter, "{} of {}; ", pluralized(self.pairs, "pair"), pluralized(self.groups, "segment"))?;
        write!(formatter, "{}: ", self.labels_of.labels())?;
        write!(formatter, "{first} first, {tie} tie, {second} second")?;
        self.dropped().try_for_each(|dropped| write!(formatter, "\ndropped {dropped}"))?;
        self.notes.iter().try_for_each(|note| write!(formatter, "\nnote: {note}"))?;
        self.warnings.iter().try_for_each(|warning| write!(formatter, "\nwarning: {warning}"))?;
        if self.same_text > 0 {
            let (pairs, preferred) = (pluralized(self.same_text, "pair"), self.same_text_preferred);
            write!(formatter, "\nnote: {pairs} with identical hypotheses ({preferred} of them with a preference)")?;
        }
        Ok(())
    }
}

/// Reads the pairs of a file, in the file's order.
pub struct Importer {
    next: NextPair,
    /// What has been read and dropped so far. Whoever takes the pairs counts them.
    pub summary: ImportSummary,
    /// What pairs may have, as far as it is known in advance.
    pub shape: PairShape,
    /// How many pairs there will be, if that is known in advance.
    pub expected: Option<ExpectedPairs>,
    /// How its pairs are merged, if they are: by whoever takes them, as a pair may be in several files.
    pub(crate) merging: Option<Merging>,
    /// What becomes of pairs without a majority label: dropped by whoever takes them, once the files beside are read.
    pub(crate) majority: Option<MajorityRule>,
}

/// What pairs may have besides hypotheses, label and names.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PairShape {
    /// The largest number of references.
    pub references: usize,
    /// Whether there are prompts.
    pub has_prompts: bool,
    /// Whether it is known which systems wrote the hypotheses.
    pub has_systems: bool,
    /// Whether it is known with which probability they were drawn for labelling.
    pub is_drawn: bool,
    /// Whether the first hypothesis is the preferred one in every pair.
    pub is_preference: bool,
}

impl PairShape {
    /// So many references, no prompts, and unknown systems.
    pub fn of_references(references: usize) -> Self {
        Self { references, has_prompts: false, has_systems: false, is_drawn: false, is_preference: false }
    }
}

/// How many pairs the segments of a file make before any is dropped.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ExpectedPairs {
    /// The number of pairs.
    pub pairs: usize,
    /// The number of hypotheses of the largest segment.
    pub largest_segment: usize,
}

/// Reads the next pair, and counts what it reads and drops.
type NextPair = Box<dyn FnMut(&mut ImportSummary) -> Result<Option<Pair>> + Send>;

impl Importer {
    /// An importer whose pairs `next` reads.
    pub(crate) fn new(
        shape: PairShape,
        next: impl FnMut(&mut ImportSummary) -> Result<Option<Pair>> + Send + 'static,
    ) -> Self {
        let summary = ImportSummary::default();
        Self { next: Box::new(next), summary, shape, expected: None, merging: None, majority: None }
    }

    /// The same, whose pairs are merged by this rule.
    pub(crate) fn merged_by(self, rule: Option<MajorityRule>) -> Self {
        Self { merging: rule.map(|rule| Merging { rule, drops_ties: false }), ..self }
    }

    /// The same pairs, without ties if the format's option `human-ties` says so.
    pub(crate) fn with_ties(mut self, options: &Options, ties: &OptionSpec) -> Self {
        if options.text(ties) == Some("drop") {
            if let Some(merging) = &mut self.merging {
                merging.drops_ties = true;
                return self;
            }
            let mut next = self.next;
            self.next = Box::new(move |summary| {
                while let Some(pair) = next(summary)? {
                    if pair.label != Some(Verdict::Tie) {
                        return Ok(Some(pair));
                    }
                    summary.drop_pair("ties");
                }
                Ok(None)
            });
        }
        self
    }
}

impl Iterator for Importer {
    type Item = Result<Pair>;

    fn next(&mut self) -> Option<Self::Item> {
        (self.next)(&mut self.summary).transpose()
    }
}

/// The pairs of files beside which no others stand: merged over all files, without those that are to be dropped, and in
/// an order of their hypotheses that is drawn where the preferred one is always the first. `names` are those of the
/// files.
///
/// # Errors
/// Pairs that are to be merged cannot be read, or contradict each other.
pub(crate) fn finished(mut importers: Vec<Importer>, names: &[String]) -> Result<Vec<Importer>> {
    if let Some(merging) = importers.iter().find_map(|importer| importer.merging) {
        let mut merger = Merger::default();
        for (at, importer) in importers.iter_mut().enumerate() {
            importer.by_ref().try_for_each(|pair| pair.map(|pair| merger.add(at, pair)))?;
        }
        let mut summaries: Vec<ImportSummary> =
            importers.iter_mut().map(|importer| std::mem::take(&mut importer.summary)).collect();
        let files = merger.finish(names, merging, &mut summaries)?;
        for ((importer, summary), pairs) in importers.iter_mut().zip(summaries).zip(files) {
            let mut pairs = pairs.into_iter();
            importer.summary = summary;
            importer.next = Box::new(move |_| Ok(pairs.next()));
        }
    }
    Ok(importers.into_iter().map(kept).collect())
}

/// The pairs of a file that are not to be dropped, in their final order.
fn kept(importer: Importer) -> Importer {
    let Importer { mut next, summary, shape, expected, merging, majority } = importer;
    let majority = majority.filter(|_| merging.is_none());
    let next = move |summary: &mut ImportSummary| {
        while let Some(pair) = next(summary)? {
            if !drops(majority, &pair, summary) {
                return Ok(Some(if shape.is_preference { drawn_order(pair) } else { pair }));
            }
        }
        Ok(None)
    };
    Importer { summary, expected, ..Importer::new(shape, next) }
}

/// Whether a pair is dropped because its annotators have no majority, which is counted.
pub(crate) fn drops(rule: Option<MajorityRule>, pair: &Pair, summary: &mut ImportSummary) -> bool {
    let is_dropped = rule.is_some_and(|rule| rule.drops(votes::count(&pair.votes)));
    if is_dropped {
        summary.drop_pair("no majority label");
    }
    is_dropped
}

/// Reads rows until `read` makes something of one; it counts those of which nothing is made, with the reason.
pub(crate) fn from_rows<R, T>(
    mut rows: impl Iterator<Item = Result<R>>,
    mut read: impl FnMut(&R, &mut ImportSummary) -> Result<Option<T>>,
) -> impl FnMut(&mut ImportSummary) -> Result<Option<T>> {
    move |summary| {
        while let Some(row) = rows.next().transpose()? {
            summary.rows_read += 1;
            let found = read(&row, summary)?;
            if found.is_some() {
                return Ok(found);
            }
        }
        Ok(None)
    }
}
