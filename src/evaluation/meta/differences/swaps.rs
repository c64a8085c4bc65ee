//! Random exchanges of scores. In: a seed. Out: one bit for each cell and round, 256 rounds side by side. Next:
//! [`super::tie_test`], [`super::linear`].

use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

/// One bit per round, set where a cell keeps its scores.
pub(super) type Lanes = [u64; 4];

/// The rounds used in a block, out of the 256 that its bits hold.
pub(super) const LANES: usize = 250;

/// All exchanges of a test, in blocks of rounds.
pub(super) struct Swaps {
    pub(super) blocks: Vec<Block>,
}

/// Up to 250 rounds.
pub(super) struct Block {
    /// The index among the blocks.
    pub(super) number: usize,
    /// The bits of each cell.
    pub(super) keeps: Vec<Lanes>,
    /// The number of rounds in use.
    pub(super) rounds: usize,
}

impl Swaps {
    /// Draws `rounds` exchanges for each cell.
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
        // About half of 2304.
        assert!((1000..1300).contains(&set), "{set}");
    }
}
