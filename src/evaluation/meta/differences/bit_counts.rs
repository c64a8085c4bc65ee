//! Counts for 256 rounds of two metrics at once. In: words with one bit per round. Out: for each bit, in how many words
//! it is set. Next: [`super::tie_test`].
//!
//! Harley and Seal's counter (Warren 2013, "Hacker's Delight", section 5-1): bits are added up by carry-save adders, on
//! average one addition per word.

/// The width of a count in bits.
const PLANES: usize = 24;

/// One bit for each of the 256 rounds of the first metric, then of the second.
pub(super) type Word = [u64; 8];

/// One count for each bit of a [`Word`].
pub(super) type Counts = [i32; 512];

/// Adds up words bit by bit.
pub(super) struct BitCounter {
    words: usize,
    /// The sums so far, one plane for each power of two.
    sums: [Word; PLANES],
    /// For each power of two, a word that waits for a second one.
    waiting: [Word; PLANES],
}

/// The bits of each byte, lowest first.
const BITS: [[i32; 8]; 256] = {
    let mut table = [[0; 8]; 256];
    let mut byte = 0;
    while byte < 256 {
        let mut bit = 0;
        while bit < 8 {
            table[byte][bit] = (byte >> bit & 1) as i32;
            bit += 1;
        }
        byte += 1;
    }
    table
};

impl BitCounter {
    pub(super) fn new() -> Self {
        Self { words: 0, sums: [[0; 8]; PLANES], waiting: [[0; 8]; PLANES] }
    }

    /// Adds a word; there must be fewer than 2^24 before [`Self::take`].
    #[inline]
    pub(super) fn add(&mut self, mut word: Word) {
        let mut plane = 0;
        while self.words >> plane & 1 == 1 {
            word = carry(&mut self.sums[plane], self.waiting[plane], word);
            plane += 1;
        }
        self.waiting[plane] = word;
        self.words += 1;
    }

    /// Writes the counts, and starts again from zero.
    pub(super) fn take(&mut self, counts: &mut Counts) {
        *counts = [0; 512];
        let planes = (usize::BITS - self.words.leading_zeros()) as usize;
        for plane in 0..planes {
            if self.words >> plane & 1 == 1 {
                let mut word = self.waiting[plane];
                let mut above = plane;
                while word != [0; 8] {
                    word = carry(&mut self.sums[above], word, [0; 8]);
                    above += 1;
                }
            }
        }
        for (plane, sums) in self.sums[..planes].iter_mut().enumerate() {
            let bytes = sums.iter().flat_map(|word| word.to_le_bytes());
            for (byte, counts) in bytes.zip(counts.chunks_exact_mut(8)) {
                let bits = &BITS[usize::from(byte)];
                counts.iter_mut().zip(bits).for_each(|(count, bit)| *count += bit << plane);
            }
            *sums = [0; 8];
        }
        self.words = 0;
    }
}

/// Adds two words to a plane, and returns the carry to the next.
#[inline]
fn carry(sum: &mut Word, a: Word, b: Word) -> Word {
    let mut carried = [0; 8];
    for at in 0..8 {
        let half = sum[at] ^ a[at];
        carried[at] = sum[at] & a[at] | half & b[at];
        sum[at] = half ^ b[at];
    }
    carried
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand::{RngExt, SeedableRng};
    use rand_chacha::ChaCha8Rng;

    #[test]
    fn counts_are_those_of_every_bit() {
        let mut random = ChaCha8Rng::seed_from_u64(1);
        let (mut counter, mut counts) = (BitCounter::new(), [7; 512]);
        for words in [0, 1, 2, 3, 8, 31, 1000] {
            let mut expected = [0; 512];
            for _ in 0..words {
                let word: Word = random.random();
                counter.add(word);
                (0..512).for_each(|at| expected[at] += (word[at / 64] >> (at % 64) & 1) as i32);
            }
            counter.take(&mut counts);
            assert_eq!(counts, expected, "{words} words");
        }
        // All bits of all words.
        (0..1023).for_each(|_| counter.add([u64::MAX; 8]));
        counter.take(&mut counts);
        assert_eq!(counts, [1023; 512]);
    }
}
