//! A filter that tells which phrases a table certainly lacks, without a look-up.
//!
//! Most phrases of a text have no paraphrases, and finding that out takes as long as finding one. The filter has a bit
//! for each possible prefix of a fingerprint, which is set if a phrase has that prefix. Building it takes as much time
//! as it saves on 1,500 pairs of sentences, so it is built only after that many comparisons.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicU32, Ordering};

use crate::text::fingerprint::Fingerprint;

/// The filter is built after this many uses.
pub(super) const FEW_USES: u32 = 1500;

/// The smallest number of bits per phrase.
const BITS: usize = 4;

/// The filter of one table, or none yet. It does not affect the table's contents, so all filters are equal and a clone
/// has none.
#[derive(Debug, Default)]
pub(super) struct Filter {
    uses: AtomicU32,
    bits: OnceLock<Bits>,
}

#[derive(Debug)]
struct Bits {
    words: Vec<u64>,
    /// The right shift that turns a fingerprint into the index of a bit.
    shift: u32,
}

impl Clone for Filter {
    fn clone(&self) -> Self {
        Self::default()
    }
}

impl PartialEq for Filter {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

impl Filter {
    /// Counts a use, and builds the filter once it pays off. `keys` returns the number of bits of the phrases' keys,
    /// and the keys, which are prefixes of their fingerprints.
    pub fn count_use<K: ExactSizeIterator<Item = u64>>(&self, keys: impl FnOnce() -> (u8, K)) {
        // Uses counted by other threads at the same time may be lost.
        let uses = self.uses.load(Ordering::Relaxed);
        if uses < FEW_USES {
            return self.uses.store(uses + 1, Ordering::Relaxed);
        }
        self.bits.get_or_init(|| {
            let (key_bits, keys) = keys();
            Bits::of(u32::from(key_bits), keys)
        });
    }

    /// False only if no phrase of the table has this fingerprint.
    #[inline]
    pub fn may_have(&self, phrase: Fingerprint) -> bool {
        self.bits.get().is_none_or(|bits| bits.has(phrase))
    }
}

impl Bits {
    fn of(key_bits: u32, keys: impl ExactSizeIterator<Item = u64>) -> Self {
        let wanted = (BITS * keys.len().max(1)).next_power_of_two().ilog2();
        let bits = wanted.min(key_bits);
        let mut words = vec![0; 1_usize << bits.saturating_sub(6)];
        for key in keys {
            let bit = key >> (key_bits - bits);
            words[(bit / 64) as usize] |= 1 << (bit % 64);
        }
        Self { words, shift: 64 - bits }
    }

    #[inline]
    fn has(&self, phrase: Fingerprint) -> bool {
        let bit = phrase >> self.shift;
        self.words.get((bit / 64) as usize).is_none_or(|word| word >> (bit % 64) & 1 == 1)
    }
}
