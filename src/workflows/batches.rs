//! Pairs of a file in bounded batches, so that memory does not grow with their number.

use rustc_hash::FxHashSet;
use xxhash_rust::xxh3::xxh3_64;

use super::context::{Context, Event};
use crate::error::Result;
use crate::files::Input;
use crate::files::progress::expected_rows;
use crate::judgments::Pair;

/// The most pairs in a batch.
pub(super) const MAX_PAIRS: usize = 16_384;

/// Bytes of distinct texts after which a batch is full. Prepared for all metrics, a text takes some hundred times its
/// size, but a repeated one is prepared only once.
const MAX_BYTES: usize = 1 << 20;

/// The fixed cost of each text, as an equivalent number of bytes.
const BYTES_PER_TEXT: usize = 64;

/// A step that goes through the pairs of a file.
#[derive(Clone, Copy)]
pub(super) struct PairStep<'a> {
    pub context: Context<'a>,
    /// Its name in progress events.
    pub name: &'static str,
    pub input: &'a Input,
    /// Whether the result of each pair is written before the next one is read. Such a step reports no progress.
    pub is_unbuffered: bool,
}

impl PairStep<'_> {
    /// Processes pairs batch by batch, and writes each result, in order. The next batch is read while one is processed;
    /// a result is written once that is known to be valid. `process` gets a function that reports its progress.
    ///
    /// # Errors
    /// Those of the pairs, of `process` and of `write`.
    pub fn run<T: Send>(
        self,
        mut pairs: impl Iterator<Item = Result<Pair>> + Send,
        mut process: impl FnMut(Vec<Pair>, &(dyn Fn(usize, usize) + Sync)) -> Result<T> + Send,
        mut write: impl FnMut(T) -> Result<()>,
    ) -> Result<()> {
        let most = if self.is_unbuffered { 1 } else { MAX_PAIRS };
        let (mut batch, mut done) = (read_batch(&mut pairs, most)?, 0);
        while !batch.is_empty() {
            let count = batch.len();
            let progress = self.progress(done, count);
            if self.is_unbuffered {
                write(process(batch, &progress)?)?;
                batch = read_batch(&mut pairs, most)?;
            } else {
                let (result, next) = rayon::join(|| process(batch, &progress), || read_batch(&mut pairs, most));
                let result = result?;
                batch = next?;
                write(result)?;
            }
            done += count;
        }
        Ok(())
    }

    /// Reports progress within a batch, from the share of its segments that are scored. The total number of pairs is
    /// estimated while the file is still being read.
    fn progress(self, before: usize, pairs: usize) -> impl Fn(usize, usize) + Sync {
        let of = expected_rows(self.input, before + pairs);
        move |done, segments| {
            if !self.is_unbuffered && (done.is_multiple_of((segments / 100).max(1)) || done == segments) {
                let done = before + pairs * done / segments.max(1);
                self.context.emit(Event::Progress { step: self.name, done, of });
            }
        }
    }
}

/// The next pairs, at most `most`; none at the end.
fn read_batch(pairs: &mut impl Iterator<Item = Result<Pair>>, most: usize) -> Result<Vec<Pair>> {
    let (mut batch, mut seen, mut bytes) = (Vec::new(), FxHashSet::default(), 0);
    while batch.len() < most && bytes < MAX_BYTES {
        let Some(pair) = pairs.next().transpose()? else { break };
        for text in pair.hypotheses.iter().chain(&pair.references) {
            bytes += if seen.insert(xxh3_64(text.as_bytes())) { text.len() + BYTES_PER_TEXT } else { 0 };
        }
        batch.push(pair);
    }
    Ok(batch)
}
