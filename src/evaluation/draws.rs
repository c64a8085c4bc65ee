//! In: how many pairs of each group systems get right. Out: how many groups of each kind a bootstrap draw has. Next:
//! [`resampling`](super::resampling).
//!
//! Groups of equal size in which every system gets the same number of pairs right are of one kind. Millions of groups
//! may have only a few kinds, and the sums over a draw depend only on how often it has each kind.

use rand::{Rng, RngExt};
use rand_distr::{Binomial, Distribution};
use rustc_hash::FxHashMap;

use super::correct::Correct;

/// Up to this many groups are drawn one by one. Of more, the count of each kind is drawn, at a cost that does not grow
/// with the number of groups.
const ONE_BY_ONE: usize = 1 << 16;

/// The kinds of groups.
pub(super) struct Kinds {
    of_group: Vec<u32>,
    /// For each kind, the pairs of a group, then how many of them each system gets right.
    counts: Vec<Vec<u32>>,
    /// The number of groups of each kind.
    groups: Vec<u64>,
}

impl Kinds {
    /// The kinds of groups for `systems`, which judge the same pairs.
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
        let mut groups = vec![0; counts.len()];
        of_group.iter().for_each(|&kind| groups[kind as usize] += 1);
        Self { of_group, counts, groups }
    }

    /// The number of pairs in a draw.
    pub fn pairs(&self, tally: &[u64]) -> u64 {
        self.sum(tally, 0)
    }

    /// The number of pairs in a draw that a system gets right.
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
}

impl<'a, R: Rng> Drawing<'a, R> {
    pub fn new(kinds: &'a Kinds, random: R) -> Self {
        Self { kinds, random, tally: vec![0; kinds.counts.len()] }
    }

    /// Draws once; returns how often each kind was drawn.
    pub fn draw(&mut self) -> &[u64] {
        if self.kinds.of_group.len() > ONE_BY_ONE {
            self.draw_kinds();
        } else {
            self.draw_groups();
        }
        &self.tally
    }

    fn draw_groups(&mut self) {
        let of_group = &self.kinds.of_group;
        self.tally.fill(0);
        for _ in of_group {
            self.tally[of_group[self.random.random_range(0..of_group.len())] as usize] += 1;
        }
    }

    /// A multinomial draw, as a sequence of binomial ones: each kind in turn takes its share of the draws that are
    /// left. Devroye 1986, "Non-Uniform Random Variate Generation", section XI.1.4.
    fn draw_kinds(&mut self) {
        let mut left = self.kinds.of_group.len() as u64;
        let mut groups = left;
        for (tally, &of_kind) in self.tally.iter_mut().zip(&self.kinds.groups) {
            // `Binomial::new` fails only for a share outside [0, 1].
            let share = of_kind as f64 / groups as f64;
            *tally = Binomial::new(left, share).map_or(0, |binomial| binomial.sample(&mut self.random));
            left -= *tally;
            groups -= of_kind;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand::SeedableRng;
    use rand_chacha::ChaCha8Rng;

    /// Two systems, with one kind of group for each size.
    fn systems(groups: u32, sizes: u32) -> Vec<Correct> {
        let sizes: Vec<u32> = (0..groups).map(|group| 1 + group % sizes).collect();
        let system =
            |divisor: u32| Correct { right: sizes.iter().map(|size| size / divisor).collect(), sizes: sizes.clone() };
        vec![system(1), system(2)]
    }

    #[test]
    fn a_draw_of_kinds_is_a_draw_of_groups() {
        for (groups, sizes) in [(1, 1), (1000, 3), (1000, 700), (ONE_BY_ONE as u32, 2), (0, 1)] {
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

    /// 300,000 groups, a third of each size: the count of each kind has mean n p and variance n p (1 - p).
    #[test]
    fn many_groups_are_drawn_by_kind() {
        let systems = systems(300_000, 3);
        let kinds = Kinds::of(&systems);
        let mut drawing = Drawing::new(&kinds, ChaCha8Rng::seed_from_u64(5));
        let draws: Vec<Vec<u64>> = (0..2000).map(|_| drawing.draw().to_vec()).collect();
        assert!(draws.iter().all(|tally| tally.iter().sum::<u64>() == 300_000));
        for kind in 0..3 {
            let drawn = draws.iter().map(|tally| tally[kind] as f64 - 100_000.0);
            let mean = drawn.clone().sum::<f64>() / 2000.0;
            let variance = drawn.map(|value| (value - mean).powi(2)).sum::<f64>() / 2000.0;
            let expected = 300_000.0 / 3.0 * 2.0 / 3.0;
            assert!(mean.abs() < 4.0 * (expected / 2000.0_f64).sqrt(), "{mean}");
            assert!((variance / expected - 1.0).abs() < 0.15, "{variance} is not about {expected}");
        }
    }
}
