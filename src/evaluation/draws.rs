//! In: what systems get right in each group. Out: how many groups of each kind a random draw has. Next:
//! [`resampling`](super::resampling).
//!
//! Groups of the same size, in which each system gets the same number of pairs right, are of one kind. There may be
//! millions of groups, and a few kinds: what a draw adds up to is known from how often it has each kind.

use rand::{Rng, RngExt};
use rustc_hash::FxHashMap;

use super::resampling::Correct;

/// Groups that are drawn at once; the next ones are drawn while these are counted.
const AT_ONCE: usize = 1 << 16;

/// The kinds of groups.
pub(super) struct Kinds {
    of_group: Numbers,
    /// For each kind the pairs of a group, then how many of them each system gets right.
    counts: Vec<Vec<u32>>,
}

/// The kind of each group, in as few bytes as it takes: they are read in random order.
enum Numbers {
    Few(Vec<u8>),
    Many(Vec<u32>),
}

impl Kinds {
    /// Of systems that judge the same pairs.
    pub fn of(systems: &[Correct]) -> Self {
        let groups = systems.first().map_or(0, |system| system.sizes.len());
        let (mut known, mut counts) = (FxHashMap::<Vec<u32>, u32>::default(), Vec::new());
        let (mut of_group, mut group) = (Vec::with_capacity(groups), Vec::new());
        for at in 0..groups {
            group.clear();
            group.push(systems[0].sizes[at]);
            group.extend(systems.iter().map(|system| system.right[at]));
            let kind = known.get(&group).copied().unwrap_or_else(|| {
                let next = counts.len() as u32;
                counts.push(group.clone());
                known.insert(group.clone(), next);
                next
            });
            of_group.push(kind);
        }
        let of_group = if counts.len() <= 1 << 8 {
            Numbers::Few(of_group.into_iter().map(|kind| kind as u8).collect())
        } else {
            Numbers::Many(of_group)
        };
        Self { of_group, counts }
    }

    fn groups(&self) -> usize {
        match &self.of_group {
            Numbers::Few(kinds) => kinds.len(),
            Numbers::Many(kinds) => kinds.len(),
        }
    }

    fn count(&self, drawn: &[u32], tally: &mut [u64]) {
        match &self.of_group {
            Numbers::Few(kinds) => drawn.iter().for_each(|&group| tally[usize::from(kinds[group as usize])] += 1),
            Numbers::Many(kinds) => drawn.iter().for_each(|&group| tally[kinds[group as usize] as usize] += 1),
        }
    }

    /// The pairs of a draw.
    pub fn pairs(&self, tally: &[u64]) -> u64 {
        self.sum(tally, 0)
    }

    /// How many of them a system gets right.
    pub fn right(&self, tally: &[u64], system: usize) -> u64 {
        self.sum(tally, 1 + system)
    }

    fn sum(&self, tally: &[u64], column: usize) -> u64 {
        self.counts.iter().zip(tally).map(|(counts, drawn)| drawn * u64::from(counts[column])).sum()
    }
}

/// Draws as many groups as there are, with replacement.
pub(super) struct Drawing<'a, R> {
    kinds: &'a Kinds,
    random: R,
    /// How often each kind was drawn.
    tally: Vec<u64>,
    drawn: Vec<u32>,
    next: Vec<u32>,
}

impl<'a, R: Rng + Send> Drawing<'a, R> {
    pub fn new(kinds: &'a Kinds, random: R) -> Self {
        Self { kinds, random, tally: vec![0; kinds.counts.len()], drawn: Vec::new(), next: Vec::new() }
    }

    /// Draws once, and says how often each kind was drawn.
    pub fn draw(&mut self) -> &[u64] {
        let Self { kinds, random, tally, drawn, next } = self;
        let groups = kinds.groups();
        // The draws are those of `0..groups` as usize, which rand 0.10 does not inline.
        let end = u32::try_from(groups).unwrap_or(u32::MAX);
        let mut fill = |drawn: &mut Vec<u32>, count: usize| {
            drawn.clear();
            drawn.extend((0..count).map(|_| random.random_range(0..end)));
        };
        tally.fill(0);
        fill(drawn, groups.min(AT_ONCE));
        let mut left = groups - drawn.len();
        while left > 0 {
            rayon::join(|| fill(next, left.min(AT_ONCE)), || kinds.count(drawn, tally));
            left -= next.len();
            std::mem::swap(drawn, next);
        }
        kinds.count(drawn, tally);
        tally
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand::SeedableRng;
    use rand_chacha::ChaCha8Rng;

    /// Two systems, with as many kinds of groups as there are sizes.
    fn systems(groups: u32, sizes: u32) -> Vec<Correct> {
        let sizes: Vec<u32> = (0..groups).map(|group| 1 + group % sizes).collect();
        let system =
            |divisor: u32| Correct { right: sizes.iter().map(|size| size / divisor).collect(), sizes: sizes.clone() };
        vec![system(1), system(2)]
    }

    #[test]
    fn a_draw_of_kinds_is_a_draw_of_groups() {
        for (groups, sizes) in [(1, 1), (1000, 3), (1000, 700), (3 * AT_ONCE as u32 + 5, 2), (0, 1)] {
            let systems = systems(groups, sizes);
            let kinds = Kinds::of(&systems);
            assert_eq!(kinds.counts.len(), sizes.min(groups) as usize);
            let mut drawing = Drawing::new(&kinds, ChaCha8Rng::seed_from_u64(3));
            let mut random = ChaCha8Rng::seed_from_u64(3);
            for _ in 0..3 {
                let drawn: Vec<usize> = (0..groups).map(|_| random.random_range(0..groups as usize)).collect();
                let sum = |of: &[u32]| drawn.iter().map(|&group| u64::from(of[group])).sum::<u64>();
                let tally = drawing.draw();
                assert_eq!(kinds.pairs(tally), sum(&systems[0].sizes));
                assert_eq!([0, 1].map(|at| kinds.right(tally, at)), [0, 1].map(|at| sum(&systems[at].right)));
            }
        }
    }
}
