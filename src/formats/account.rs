//! What became of everything that an importer read. In: rows and pairs. Out: counts, with reasons. Next: the user.

use std::collections::{BTreeMap, HashSet};
use std::fmt;

use serde::Serialize;
use xxhash_rust::xxh3::xxh3_64;

use crate::judgments::{Pair, Verdict};

/// Counts of what was read, kept and dropped, with the reasons.
#[derive(Debug, Clone, Default, Serialize)]
pub struct Account {
    /// Lines or rows that were read, without a header.
    pub rows_read: usize,
    /// Rows that no pair was made of, by reason.
    pub rows_dropped: BTreeMap<String, usize>,
    /// Pairs that were made and kept.
    pub pairs: usize,
    /// Pairs by label: 1, 0, -1.
    pub labels: [usize; 3],
    /// Pairs that were not kept, by reason.
    pub pairs_dropped: BTreeMap<String, usize>,
    /// Segments that these pairs are made of.
    pub groups: usize,
    /// Pairs of twice the same text, which are kept.
    pub same_text: usize,
    /// Of these, those that people found different: they contradict themselves.
    pub same_text_preferred: usize,
    /// What else was found, a line each.
    pub notes: Vec<String>,
    #[serde(skip)]
    seen: HashSet<u64>,
}

impl Account {
    /// Rows that no pair is made of.
    pub(crate) fn drop_rows(&mut self, count: usize, reason: &str) {
        if count > 0 {
            *self.rows_dropped.entry(reason.to_owned()).or_default() += count;
        }
    }

    /// A pair that is not kept.
    pub(crate) fn drop_pair(&mut self, reason: &str) {
        *self.pairs_dropped.entry(reason.to_owned()).or_default() += 1;
    }

    /// Something that the user should know.
    pub(crate) fn note(&mut self, text: String) {
        self.notes.push(text);
    }

    /// A pair that is kept. Importers leave that to those who take their pairs, and may yet drop some.
    pub(crate) fn keep_pair(&mut self, pair: &Pair) {
        self.pairs += 1;
        if let Some(label) = pair.label {
            self.labels[label.index()] += 1;
        }
        if pair.hypotheses[0] == pair.hypotheses[1] {
            self.same_text += 1;
            self.same_text_preferred += usize::from(pair.label.is_some_and(|label| label != Verdict::Tie));
        }
        // A number a segment is all that is held of it.
        let segment = pair.group.as_ref().or(pair.references.first()).map_or("", String::as_str);
        self.groups += usize::from(self.seen.insert(xxh3_64(segment.as_bytes())));
    }

    /// The account of what an importer read, with the pairs of this one, which were kept, and those that it dropped.
    pub(crate) fn with_rows_of(mut self, importer: Option<&Self>) -> Self {
        let Some(read) = importer else { return self };
        for (reason, count) in &read.pairs_dropped {
            *self.pairs_dropped.entry(reason.clone()).or_default() += count;
        }
        Self { rows_read: read.rows_read, rows_dropped: read.rows_dropped.clone(), notes: read.notes.clone(), ..self }
    }

    /// What was dropped, and why.
    pub(crate) fn dropped(&self) -> impl Iterator<Item = String> + '_ {
        [("rows", &self.rows_dropped), ("pairs", &self.pairs_dropped)]
            .into_iter()
            .flat_map(|(what, reasons)| reasons.iter().map(move |(reason, count)| format!("{count} {what}: {reason}")))
    }
}

/// `2838 rows read, 2838 used; 11306 pairs of 334 segments; people say 1: 5256, 0: 793, -1: 5257`, and what was
/// dropped.
impl fmt::Display for Account {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [first, tie, second] = self.labels;
        let dropped: usize = self.rows_dropped.values().sum();
        write!(formatter, "{} rows read, {} used; ", self.rows_read, self.rows_read.saturating_sub(dropped))?;
        write!(formatter, "{} pairs of {} segments; ", self.pairs, self.groups)?;
        write!(formatter, "people say 1: {first}, 0: {tie}, -1: {second}")?;
        self.dropped().try_for_each(|dropped| write!(formatter, "\ndropped {dropped}"))?;
        self.notes.iter().try_for_each(|note| write!(formatter, "\nnote: {note}"))?;
        if self.same_text > 0 {
            let (all, preferred) = (self.same_text, self.same_text_preferred);
            write!(
                formatter,
                "\nnote: {all} pairs are of twice the same text; people preferred one in {preferred} of them"
            )?;
        }
        Ok(())
    }
}
