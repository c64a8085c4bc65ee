//! Which cells exchange their scores. In: a seed. Out: a bit for each cell and round, 256 rounds side by side. Next:
//! [`super::tie_test`], [`super::linear`].

use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

/// Rounds side by side, a bit each: set where a cell keeps its scores.
pub(super) type Lanes = [u64; 4];

/// The rounds of a block, of the 256 for which there are bits.
pub(super) const LANES: usize = 250;

/// All exchanges of a test.
pub(super) struct Swaps {
    pub(super) blocks: Vec<Block>,
}

/// Up to 250 rounds.
pub(super) struct Block {
    /// Its place among the blocks.
    pub(super) number: usize,
    /// By cell.
    pub(super) keeps: Vec<Lanes>,
    /// The rounds that count.
    pub(super) rounds: usize,
}

impl Swaps {
    /// Draws `rounds` for each cell.
    pub(super) fn draw(cells: usize, rounds: usize, seed: u64) -> Self {
        let mut random = ChaCha8Rng::seed_from_u64(seed);
        let blocks = (0..rounds.div_ceil(LANES)).map(|number| Block {
            number,
            keeps: (0..cells).map(|_| random.random()).collect(),
            rounds: LANES.min(rounds - number * LANES),
        });
        Self { blocks: blocks.collect() }
    }
}

/// Whether a cell keeps its scores in a round.
pub(super) fn keeps(lanes: &Lanes, round: usize) -> bool {
    lanes[round / 64] >> (round % 64) & 1 == 1
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blocks_add_up_to_the_rounds() {
        let swaps = Swaps::draw(3, 600, 1);
        assert_eq!(swaps.blocks.iter().map(|block| block.rounds).collect::<Vec<_>>(), [250, 250, 100]);
        let set: u32 =
            swaps.blocks.iter().flat_map(|block| block.keeps.iter().flatten()).map(|word| word.count_ones()).sum();
        // Of 2304 about half.
        assert!((1000..1300).contains(&set), "{set}");
    }
}
