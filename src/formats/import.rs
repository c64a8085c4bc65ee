//! What the importers of all formats share: pairs one at a time, beside a summary of what was read and dropped.

use super::merging::{Merger, Merging};
use super::order::drawn_order;
use super::summary::ImportSummary;
use super::votes::{self, MajorityRule};
use crate::error::Result;
use crate::judgments::{Pair, Verdict};
use crate::options::{OptionSpec, Options};

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
    /// Whether it is known what the hypotheses translate.
    pub has_sources: bool,
    /// Whether it is known which systems wrote the hypotheses.
    pub has_systems: bool,
    /// Whether labels may be preferences with fractions.
    pub has_preferences: bool,
    /// Whether it is known with which probability they were drawn for labelling.
    pub is_drawn: bool,
    /// Whether the first hypothesis is the preferred one in every pair.
    pub is_preference: bool,
}

impl PairShape {
    /// What some pairs have.
    pub fn of_pairs(pairs: &[Pair]) -> Self {
        Self {
            references: pairs.iter().map(|pair| pair.references.len()).max().unwrap_or(0),
            has_prompts: pairs.iter().any(|pair| pair.prompt.is_some()),
            has_sources: pairs.iter().any(|pair| pair.source.is_some()),
            has_systems: pairs.iter().any(|pair| pair.systems.is_some()),
            has_preferences: pairs.iter().any(|pair| pair.preference.is_some()),
            is_drawn: pairs.iter().any(|pair| pair.drawn.is_some()),
            is_preference: false,
        }
    }

    /// So many references, no prompts, and unknown systems.
    pub fn of_references(references: usize) -> Self {
        Self {
            references,
            has_prompts: false,
            has_sources: false,
            has_systems: false,
            has_preferences: false,
            is_drawn: false,
            is_preference: false,
        }
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
