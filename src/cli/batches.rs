//! Pairs, some at a time: what is read, computed and written before the next are read.

use tribunal::Result;
use tribunal::judgments::{Pair, PairReader};

/// Pairs that are in memory at once: prepared for all metrics, a sentence takes about a thousand times its bytes, and repeated
/// sentences mostly stand near each other.
const ROWS: usize = 2048;

/// Bytes of text after which a batch is full, however few its pairs are.
const BYTES: usize = 1 << 20;

/// Reads pairs in batches.
pub struct Batches {
    pairs: PairReader,
    rows: usize,
}

impl Batches {
    /// Batches of a size that memory and all cores are at ease with; of one pair, if each is wanted as it comes.
    pub fn of(pairs: PairReader, is_unbuffered: bool) -> Self {
        Self { pairs, rows: if is_unbuffered { 1 } else { ROWS } }
    }

    fn read(&mut self) -> Result<Vec<Pair>> {
        let (mut batch, mut bytes) = (Vec::new(), 0);
        while batch.len() < self.rows && bytes < BYTES {
            let Some(pair) = self.pairs.next().transpose()? else { break };
            bytes += pair.hypotheses.iter().chain(&pair.references).map(String::len).sum::<usize>();
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
