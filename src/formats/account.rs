//! An importer's account of everything that it read. In: rows and pairs. Out: counts, with reasons. Next: the user.

use std::collections::{BTreeMap, HashSet};
use std::fmt;

use serde::Serialize;
use xxhash_rust::xxh3::xxh3_64;

use crate::error::pluralized;
use crate::judgments::{Pair, Verdict};

/// Counts of rows and pairs that were read, kept and dropped, with the reasons.
#[derive(Debug, Clone, Default, Serialize)]
pub struct Account {
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
    /// Distinct segments of the kept pairs.
    pub groups: usize,
    /// Kept pairs with two identical hypotheses.
    pub same_text: usize,
    /// Of these, pairs in which people preferred one hypothesis: these judgments are contradictory.
    pub same_text_preferred: usize,
    /// Other findings, one per line.
    pub notes: Vec<String>,
    #[serde(skip)]
    seen: HashSet<u64>,
}

impl Account {
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

    /// Adds a remark for the user.
    pub(crate) fn note(&mut self, text: String) {
        self.notes.push(text);
    }

    /// Counts a pair that is kept. Importers do not call this: whoever takes their pairs may still drop some.
    pub(crate) fn keep_pair(&mut self, pair: &Pair) {
        self.pairs += 1;
        if let Some(label) = pair.label {
            self.labels[label.index()] += 1;
        }
        if pair.hypotheses[0] == pair.hypotheses[1] {
            self.same_text += 1;
            self.same_text_preferred += usize::from(pair.label.is_some_and(|label| label != Verdict::Tie));
        }
        // Only a hash of each segment is stored.
        let segment = pair.group.as_ref().or(pair.references.first()).map_or("", String::as_str);
        self.groups += usize::from(self.seen.insert(xxh3_64(segment.as_bytes())));
    }

    /// The account of an import: rows and notes are those of `importer`, pairs are those that `self` counted as kept,
    /// and dropped pairs are added up.
    pub(crate) fn with_rows_of(mut self, importer: Option<&Self>) -> Self {
        let Some(read) = importer else { return self };
        for (reason, count) in &read.pairs_dropped {
            *self.pairs_dropped.entry(reason.clone()).or_default() += count;
        }
        Self { rows_read: read.rows_read, rows_dropped: read.rows_dropped.clone(), notes: read.notes.clone(), ..self }
    }

    /// What was dropped, and why: one phrase per reason.
    pub(crate) fn dropped(&self) -> impl Iterator<Item = String> + '_ {
        let all = [("row", &self.rows_dropped), ("pair", &self.pairs_dropped)];
        all.into_iter().flat_map(|(what, reasons)| {
            reasons.iter().map(move |(reason, &count)| format!("{}: {reason}", pluralized(count, what)))
        })
    }
}

/// `2838 rows read, 2838 used; 11306 pairs of 334 segments; people say 1: 5256, 0: 793, -1: 5257`, then one line for
/// each reason for dropping and each note.
impl fmt::Display for Account {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [first, tie, second] = self.labels;
        let dropped: usize = self.rows_dropped.values().sum();
        write!(
            formatter,
            "{} read, {} used; ",
            pluralized(self.rows_read, "row"),
            self.rows_read.saturating_sub(dropped)
        )?;
        write!(formatter, "{} of {}; ", pluralized(self.pairs, "pair"), pluralized(self.groups, "segment"))?;
        write!(formatter, "people say 1: {first}, 0: {tie}, -1: {second}")?;
        self.dropped().try_for_each(|dropped| write!(formatter, "\ndropped {dropped}"))?;
        self.notes.iter().try_for_each(|note| write!(formatter, "\nnote: {note}"))?;
        if self.same_text > 0 {
            let (all, preferred) = (self.same_text, self.same_text_preferred);
            write!(
                formatter,
                "\nnote: in {} both hypotheses are identical; people still preferred one in {preferred} of them",
                pluralized(all, "pair")
            )?;
        }
        Ok(())
    }
}
