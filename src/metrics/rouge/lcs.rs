//! The length of a longest common subsequence.

use std::collections::HashMap;

use crate::text::Fingerprint;

/// The length of a longest common subsequence of two texts, in O(|a| |b| / 64) steps and O(|b|) memory: a bit a token of
/// `a`, which is 0 where the table of lengths grows. Hyyrö 2004, "Bit-parallel LCS-length computation revisited",
/// section 3.
pub fn length(a: &[Fingerprint], b: &[Fingerprint]) -> usize {
    // For each token of b, what the addition in one block of a carries into the next block.
    let mut carries = vec![false; b.len()];
    a.chunks(64).map(|block| length_in_block(block, b, &mut carries)).sum()
}

fn length_in_block(block: &[Fingerprint], b: &[Fingerprint], carries: &mut [bool]) -> usize {
    let mut places: HashMap<Fingerprint, u64> = HashMap::with_capacity(block.len());
    for (at, &token) in block.iter().enumerate() {
        *places.entry(token).or_default() |= 1 << at;
    }
    let mut bits = u64::MAX;
    for (token, carry) in b.iter().zip(carries) {
        let matches = places.get(token).copied().unwrap_or(0);
        let (sum, over) = bits.overflowing_add(bits & matches);
        let (sum, over_again) = sum.overflowing_add(u64::from(*carry));
        *carry = over || over_again;
        bits = sum | (bits & !matches);
    }
    // Bits behind the last token of the block never match and stay 1.
    bits.count_zeros() as usize
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// The textbook's table. Wagner and Fischer 1974.
    fn by_table(a: &[u64], b: &[u64]) -> usize {
        let mut table = vec![vec![0; b.len() + 1]; a.len() + 1];
        for (i, x) in a.iter().enumerate() {
            for (j, y) in b.iter().enumerate() {
                table[i + 1][j + 1] = if x == y { table[i][j] + 1 } else { table[i][j + 1].max(table[i + 1][j]) };
            }
        }
        table[a.len()][b.len()]
    }

    proptest! {
        #[test]
        fn it_is_the_tables(a in prop::collection::vec(0_u64..6, 0..150), b in prop::collection::vec(0_u64..6, 0..150)) {
            prop_assert_eq!(length(&a, &b), by_table(&a, &b));
        }
    }
}
