//! Which phrases a table has certainly not, without a look into it.
//!
//! Most phrases of a text have no paraphrases, and to find that out takes as long as to find one. The filter has a bit
//! for each number that the first bits of a fingerprint can be, which is 1 where a phrase begins so. To make it takes
//! what it saves with 1,500 pairs of sentences, so that it is made only when so many have been compared.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicU32, Ordering};

use crate::text::fingerprint::Fingerprint;

/// The filter is made when there were more uses.
pub(super) const FEW_USES: u32 = 1500;

/// Bits a phrase, at least.
const BITS: usize = 4;

/// The filter of one table, or none yet. It is no part of what the table says.
#[derive(Debug, Default)]
pub(super) struct Filter {
    uses: AtomicU32,
    bits: OnceLock<Bits>,
}

#[derive(Debug)]
struct Bits {
    words: Vec<u64>,
    /// How far to the right the first bits of a fingerprint go to become the number of a bit.
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
    /// Counts a use, and makes the filter if it is worth it. `keys` gives how many bits the keys of the phrases have,
    /// and the keys, which are the first bits of their fingerprints.
    pub fn count_use<K: ExactSizeIterator<Item = u64>>(&self, keys: impl FnOnce() -> (u8, K)) {
        // Uses that other threads count at the same time may be lost.
        let uses = self.uses.load(Ordering::Relaxed);
        if uses < FEW_USES {
            return self.uses.store(uses + 1, Ordering::Relaxed);
        }
        self.bits.get_or_init(|| {
            let (key_bits, keys) = keys();
            Bits::of(u32::from(key_bits), keys)
        });
    }

    /// False only where no phrase of the table has that fingerprint.
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
