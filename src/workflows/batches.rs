//! Pairs, some at a time: what is read, computed and written before the next are read.

use rustc_hash::FxHashSet;
use xxhash_rust::xxh3::xxh3_64;

use super::event::{Event, Listener};
use crate::error::Result;
use crate::files::Input;
use crate::files::progress::expected_rows;
use crate::formats::PairReader;
use crate::judgments::Pair;

/// Pairs that are in memory at once, at most.
pub(super) const PAIRS: usize = 16_384;

/// Bytes of different texts after which a batch is full: prepared for all metrics, a text takes some hundred times its
/// bytes, but one that repeats is prepared once.
const BYTES: usize = 1 << 20;

/// What each text costs besides, in bytes of text.
const TEXT: usize = 64;

/// How far the pairs of a file are done with.
pub(super) struct Stream<'a> {
    listener: Listener<'a>,
    step: &'static str,
    input: Input,
    /// Pairs of earlier batches.
    done: usize,
}

impl<'a> Stream<'a> {
    pub(super) fn new(listener: Listener<'a>, step: &'static str, input: &Input) -> Self {
        Self { listener, step, input: input.clone(), done: 0 }
    }

    /// Tells how far a batch is, by how many of its segments are scored. Of a file that is still being read the number
    /// of pairs is estimated.
    pub(super) fn batch(&self, pairs: usize) -> impl Fn(usize, usize) + Sync + 'a {
        let (listener, step, before) = (self.listener, self.step, self.done);
        let of = expected_rows(&self.input, before + pairs);
        move |done, segments| {
            if done.is_multiple_of((segments / 100).max(1)) || done == segments {
                let done = before + pairs * done / segments.max(1);
                listener(Event::Progress { step, done, of });
            }
        }
    }

    /// A batch is done.
    pub(super) fn advance(&mut self, pairs: usize) {
        self.done += pairs;
    }
}

/// Reads pairs in batches.
pub(super) struct Batches {
    pairs: PairReader,
    rows: usize,
}

impl Batches {
    /// Batches that keep all cores busy in bounded memory; of one pair, if each is wanted as it comes.
    pub(super) fn new(pairs: PairReader, is_unbuffered: bool) -> Self {
        Self { pairs, rows: if is_unbuffered { 1 } else { PAIRS } }
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
