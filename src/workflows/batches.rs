//! Batches of pairs. In: a reader of pairs. Out: bounded batches, each processed before the next is needed. Next:
//! features, predict.

use rustc_hash::FxHashSet;
use xxhash_rust::xxh3::xxh3_64;

use super::context::{Context, Event};
use crate::error::Result;
use crate::files::Input;
use crate::files::progress::expected_rows;
use crate::formats::PairReader;
use crate::judgments::Pair;

/// The most pairs in a batch.
pub(super) const PAIRS: usize = 16_384;

/// Bytes of distinct texts after which a batch is full. Prepared for all metrics, a text takes some hundred times its
/// size, but a repeated one is prepared only once.
const BYTES: usize = 1 << 20;

/// The fixed cost of each text, as an equivalent number of bytes.
const TEXT: usize = 64;

/// Progress through the pairs of a file.
pub(super) struct Stream<'a> {
    context: Context<'a>,
    step: &'static str,
    input: Input,
    /// The number of pairs in earlier batches.
    done: usize,
}

impl<'a> Stream<'a> {
    pub(super) fn new(context: Context<'a>, step: &'static str, input: &Input) -> Self {
        Self { context, step, input: input.clone(), done: 0 }
    }

    /// Reports progress within a batch, from the share of its segments that are scored. The total number of pairs is
    /// estimated while the file is still being read.
    pub(super) fn batch(&self, pairs: usize) -> impl Fn(usize, usize) + Sync + 'a {
        let (context, step, before) = (self.context, self.step, self.done);
        let of = expected_rows(&self.input, before + pairs);
        move |done, segments| {
            if done.is_multiple_of((segments / 100).max(1)) || done == segments {
                let done = before + pairs * done / segments.max(1);
                context.emit(Event::Progress { step, done, of });
            }
        }
    }

    /// Records that a batch is done.
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
    /// Batches that keep all cores busy in bounded memory, or of one pair each if `is_unbuffered`.
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
