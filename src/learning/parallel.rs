//! In: independent fits. Out: their results, with bounded memory. Next: validation, curve.

use rayon::prelude::*;

use super::learner::{Labelled, Learner};
use crate::error::Result;

/// The most memory of all concurrent fits, in bytes; a single fit may take more.
const MOST_BYTES: usize = 800 << 20;

/// Computes `count` results on all cores, in order; each fits about `rows` rows. The number of concurrent fits is
/// limited by their memory.
pub(crate) fn fits<L: Learner, R: Send>(
    learner: &L,
    data: Labelled<'_, L::Table>,
    rows: usize,
    count: usize,
    fit: impl Fn(usize) -> Result<R> + Sync,
) -> Result<Vec<R>> {
    let at_once = at_once(learner.bytes(data.table, rows));
    let mut results = Vec::with_capacity(count);
    for start in (0..count).step_by(at_once) {
        let end = count.min(start.saturating_add(at_once));
        results.extend((start..end).into_par_iter().map(&fit).collect::<Result<Vec<R>>>()?);
    }
    Ok(results)
}

/// How many fits of this size may run concurrently.
fn at_once(bytes: usize) -> usize {
    (MOST_BYTES / bytes.max(1)).max(1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn large_fits_run_one_after_the_other() {
        assert_eq!([0, 1, MOST_BYTES / 3, MOST_BYTES, 2 * MOST_BYTES].map(at_once), [MOST_BYTES, MOST_BYTES, 3, 1, 1]);
    }
}
