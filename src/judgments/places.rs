//! Detects a reference in the place of a hypothesis.
//!
//! Several pairs share a reference, while systems differ: where a hypothesis is one of much fewer texts than the reference, the two
//! are probably exchanged.

use std::collections::HashSet;

use xxhash_rust::xxh3::xxh3_64;

use super::Pair;

/// So many times as many references as hypotheses, in so many pairs, make one suspect that they are exchanged.
const MIN_MISPLACED: usize = 2;
const MIN_PLACED: usize = 50;

/// How many different texts stand in the places of both hypotheses and of the reference, by their hashes.
#[derive(Default)]
pub(crate) struct Places {
    pairs: usize,
    texts: [HashSet<u64>; 3],
}

impl Places {
    /// Counts a pair with a reference.
    pub(crate) fn add(&mut self, pair: &Pair) {
        let Some(reference) = pair.references.first() else { return };
        let [first, second] = &pair.hypotheses;
        self.pairs += 1;
        for (texts, text) in self.texts.iter_mut().zip([first, second, reference]) {
            texts.insert(xxh3_64(text.as_bytes()));
        }
    }

    /// That a hypothesis seems to stand in the place of the reference, which several pairs have.
    pub(crate) fn warning(&self) -> Option<String> {
        let [.., references] = self.texts.each_ref().map(HashSet::len);
        let is_less = |place: &usize| MIN_MISPLACED * self.texts[*place].len() <= references;
        let place = (0..2).find(is_less).filter(|_| self.pairs >= MIN_PLACED)?;
        Some(format!(
            "hypothesis {} is one of {} texts, the reference one of {references}: if the reference stands in the place of \
             the hypothesis, put them in the order hyp1, hyp2, ref",
            place + 1,
            self.texts[place].len()
        ))
    }
}
