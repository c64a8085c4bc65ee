//! What was read of a file of judgments, and what was dropped, with the reasons.

use std::collections::{BTreeMap, HashSet};
use std::fmt;

use serde::Serialize;
use xxhash_rust::xxh3::xxh3_64;

use super::oddities::Oddities;
use crate::error::pluralized;
use crate::judgments::{LabelSource, Pair, Verdict};

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
            let labels_of = LabelSource::new(std::iter::once(pair));
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
/// each reason for dropping and each note; with `{:#}` one for each warning, too.
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
        if self.same_text > 0 {
            let (pairs, preferred) = (pluralized(self.same_text, "pair"), self.same_text_preferred);
            write!(formatter, "\nnote: {pairs} with identical hypotheses ({preferred} of them with a preference)")?;
        }
        let warnings: &[String] = if formatter.alternate() { &self.warnings } else { &[] };
        warnings.iter().try_for_each(|warning| write!(formatter, "\nwarning: {warning}"))
    }
}
