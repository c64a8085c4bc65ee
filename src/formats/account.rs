//! What became of everything that an importer read. In: rows and pairs. Out: counts, with reasons. Next: the user.

use std::collections::{BTreeMap, HashSet};
use std::fmt;

use serde::Serialize;
use xxhash_rust::xxh3::xxh3_64;

use super::overlap::overlap;
use crate::judgments::{Pair, Verdict};

/// Counts of what was read, kept and dropped, with the reasons.
#[derive(Debug, Clone, Default, Serialize)]
pub struct Account {
    /// Lines or rows that were read, without a header.
    pub rows_read: usize,
    /// Rows that no pair was made of, by reason.
    pub rows_dropped: BTreeMap<String, usize>,
    /// Pairs that were made.
    pub pairs: usize,
    /// Pairs by label: 1, 0, -1.
    pub labels: [usize; 3],
    /// Pairs that were not kept, by reason.
    pub pairs_dropped: BTreeMap<String, usize>,
    /// Segments that pairs were made of.
    pub groups: usize,
    /// Pairs of twice the same text, which are kept.
    pub same_text: usize,
    /// Of these, those that people found different: they contradict themselves.
    pub same_text_preferred: usize,
    /// Pairs whose preferred hypothesis shares more words with the reference than the other.
    pub preferred_shares_more: usize,
    /// Pairs whose preferred hypothesis shares fewer. Where these are more, scores may have been read the wrong way
    /// round.
    pub preferred_shares_fewer: usize,
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

    /// The same rows, with no pair made of them yet.
    pub(crate) fn without_pairs(&self) -> Self {
        let (rows_read, rows_dropped) = (self.rows_read, self.rows_dropped.clone());
        Self { rows_read, rows_dropped, pairs_dropped: self.pairs_dropped.clone(), ..Self::default() }
    }

    /// A pair that is not kept.
    pub(crate) fn drop_pair(&mut self, reason: &str) {
        *self.pairs_dropped.entry(reason.to_owned()).or_default() += 1;
    }

    /// Pairs with these labels that were of twice the same text, and were left out after all.
    pub fn drop_written(&mut self, labels: [usize; 3]) {
        let dropped: usize = labels.iter().sum();
        if dropped > 0 {
            self.pairs -= dropped;
            self.same_text = 0;
            self.same_text_preferred = 0;
            self.labels.iter_mut().zip(labels).for_each(|(count, dropped)| *count -= dropped);
            self.pairs_dropped.insert("of twice the same text".to_owned(), dropped);
        }
    }

    /// Whether people would seem to prefer what is less like the reference, beyond four standard errors of a coin.
    pub fn seems_reversed(&self) -> bool {
        let [more, fewer] = [self.preferred_shares_more, self.preferred_shares_fewer].map(|count| count as f64);
        fewer - more > 4.0 * (more + fewer).sqrt()
    }

    /// A pair that is kept.
    pub(crate) fn keep_pair(&mut self, pair: &Pair) {
        self.pairs += 1;
        if let Some(label) = pair.label {
            self.labels[label.index()] += 1;
        }
        if pair.hypotheses[0] == pair.hypotheses[1] {
            self.same_text += 1;
            self.same_text_preferred += usize::from(pair.label.is_some_and(|label| label != Verdict::Tie));
        }
        let [first, second] = pair.hypotheses.each_ref().map(|text| overlap(text, &pair.references[0]));
        match pair.label {
            Some(Verdict::First | Verdict::Second) if pair.label == Some(Verdict::compare(first, second)) => {
                self.preferred_shares_more += 1;
            }
            Some(Verdict::First | Verdict::Second) if first != second => self.preferred_shares_fewer += 1,
            _ => {}
        }
        // A number a segment is all that is held of it.
        let group = pair.group.as_deref().unwrap_or(&pair.references[0]);
        self.groups += usize::from(self.seen.insert(xxh3_64(group.as_bytes())));
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
        for (what, reasons) in [("rows", &self.rows_dropped), ("pairs", &self.pairs_dropped)] {
            for (reason, count) in reasons {
                write!(formatter, "\ndropped {count} {what}: {reason}")?;
            }
        }
        if self.same_text > 0 {
            let (all, preferred) = (self.same_text, self.same_text_preferred);
            write!(
                formatter,
                "\nnote: {all} pairs are of twice the same text; people preferred one in {preferred} of them"
            )?;
        }
        if self.seems_reversed() {
            let all = self.preferred_shares_more + self.preferred_shares_fewer;
            write!(
                formatter,
                "\nwarning: in {} of {all} pairs the preferred hypothesis shares fewer words with the reference; \
                 check which end of the scale is the better one",
                self.preferred_shares_fewer
            )?;
        }
        Ok(())
    }
}
