//! Pairs, some at a time: what is read, computed and written before the next are read.

use rustc_hash::FxHashSet;
use xxhash_rust::xxh3::xxh3_64;

use crate::error::Result;
use crate::formats::PairReader;
use crate::judgments::Pair;

/// Pairs that are in memory at once, at most.
const ROWS: usize = 16_384;

/// Bytes of different texts after which a batch is full: prepared for all metrics, a text takes some hundred times its
/// bytes, but one that repeats is prepared once.
const BYTES: usize = 1 << 20;

/// What each text costs besides, in bytes of text.
const TEXT: usize = 64;

/// Reads pairs in batches.
pub(super) struct Batches {
    pairs: PairReader,
    rows: usize,
}

impl Batches {
    /// Batches that keep all cores busy in bounded memory; of one pair, if each is wanted as it comes.
    pub(super) fn new(pairs: PairReader, is_unbuffered: bool) -> Self {
        Self { pairs, rows: if is_unbuffered { 1 } else { ROWS } }
    }

    fn read(&mut self) -> Result<Vec<Pair>> {
        let (mut batch, mut seen, mut bytes) = (Vec::new(), FxHashSet::default(), 0);
        while batch.len() < self.rows && bytes < BYTES {
            let Some(pair) = self.pairs.next().transpose()? else { break };
            for text in pair.hypotheses.iter().chain(&pair.references) {
                bytes += if seen.insert(xxh3_64(text.as_bytes())) { text.len() + TEXT } else { 0 };
            }
            batch.push(pair);
        }
        Ok(batch)
    }
}

impl Iterator for Batches {
    type Item = Result<Vec<Pair>>;

    fn next(&mut self) -> Option<Self::Item> {
        let batch = self.read();
        (!matches!(&batch, Ok(pairs) if pairs.is_empty())).then_some(batch)
    }
}
