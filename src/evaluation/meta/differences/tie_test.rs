//! The test of acc_23 with the best tie threshold. In: pairs of cells and two metrics. Out: their difference in correct
//! pairs in every round. Next: [`super::run`].
//!
//! In the mixed scores of a round, a pair of cells has one of only four differences, as each cell takes either metric's
//! score. All four are looked up once among the thresholds; a round then only counts.

use std::cmp::Ordering;

use super::PairTest;
use super::bit_counts::{BitCounter, Counts, Word};
use super::swaps::{Block, Lanes};
use super::tied_pairs::CellPair;

/// Thresholds at evenly spaced quantiles of the differences.
const EVEN: usize = 96;

/// Thresholds in each tail, ever closer to its end: the best threshold of a metric that hardly agrees with people makes
/// almost no ties, or almost only ties.
const IN_TAIL: i32 = 40;

/// The approximate number of differences from which the quantiles are taken.
const SHOWN: usize = 16_384;

/// A test of two metrics.
pub(super) struct TieTest {
    entries: Vec<Entry>,
    /// For each threshold, the range of entries that turn wrong as ties, then of those that turn right: start, middle,
    /// end.
    runs: Vec<[usize; 3]>,
    /// The number of thresholds; one further run holds the entries above them all.
    thresholds: usize,
    /// The number of cells.
    cells: usize,
}

/// One of the four differences of a pair: its two cells, each with [`TAKES_SECOND`] set if it takes the second metric's
/// score.
type Entry = [u32; 2];

/// A bit that no cell index uses.
const TAKES_SECOND: u32 = 1 << 31;

impl TieTest {
    /// Prepares the test. `metrics`: standardised scores, in the order of [`CellPair::cells`]; without `is_optimised`
    /// the only threshold is 0.
    pub(super) fn of(sample: &[CellPair], metrics: [&[f64]; 2], is_optimised: bool) -> Self {
        let thresholds = if is_optimised { thresholds(sample, metrics) } else { vec![0.0] };
        let places = Places::of(&thresholds);
        let mut of_place: Vec<(u32, Entry)> = Vec::with_capacity(4 * sample.len());
        for pair in sample {
            let [a, b] = pair.cells.map(|cell| metrics.map(|metric| metric[cell as usize]));
            for (first, second) in [(0, 0), (1, 1), (0, 1), (1, 0_u32)] {
                let difference = a[first as usize] - b[second as usize];
                let is_right = match pair.people {
                    Ordering::Equal => None,
                    Ordering::Greater => Some(difference > 0.0),
                    Ordering::Less => Some(difference < 0.0),
                };
                // A wrong order stays wrong as a tie, so it needs no entry.
                if is_right != Some(false) {
                    let place = 2 * places.find(difference.abs()) + u32::from(is_right.is_none());
                    let [a, b] = pair.cells;
                    of_place.push((place, [a | (TAKES_SECOND * first), b | (TAKES_SECOND * second)]));
                }
            }
        }
        let (entries, runs) = grouped(&of_place, thresholds.len() + 1);
        Self { entries, runs, thresholds: thresholds.len(), cells: metrics[0].len() }
    }

    /// The number of pairs that each metric gets right in each round, with the best threshold of that round.
    fn right(&self, keeps: &[Lanes]) -> Counts {
        let mut rounds = Rounds::new();
        for (place, &[start, middle, end]) in self.runs.iter().enumerate() {
            for (range, sign) in [(start..middle, -1), (middle..end, 1)] {
                self.entries[range].iter().for_each(|entry| rounds.counter.add(word(entry, keeps)));
                rounds.add(sign);
            }
            if place < self.thresholds {
                rounds.consider();
            }
        }
        rounds.best()
    }

    fn differences_of(&self, keeps: &[Lanes]) -> Vec<f64> {
        let right = self.right(keeps);
        let (one, other) = right.split_at(right.len() / 2);
        one.iter().zip(other).map(|(one, other)| f64::from(one - other)).collect()
    }
}

/// The rounds in which a difference belongs to the first metric's mixed scores, then those in which it belongs to the
/// second's.
#[inline]
fn word(entry: &Entry, keeps: &[Lanes]) -> Word {
    let [(a, flip_a), (b, flip_b)] = entry.map(|cell| {
        let flip = if cell & TAKES_SECOND == 0 { 0 } else { u64::MAX };
        (&keeps[(cell & !TAKES_SECOND) as usize], flip)
    });
    let mut word = [0; 8];
    for at in 0..4 {
        let (a, b) = (a[at] ^ flip_a, b[at] ^ flip_b);
        word[at] = a & b;
        word[at + 4] = !(a | b);
    }
    word
}

impl PairTest for TieTest {
    fn observed(&self) -> f64 {
        self.differences_of(&vec![[u64::MAX; 4]; self.cells])[0]
    }

    fn differences(&self, block: &Block) -> Vec<f64> {
        self.differences_of(&block.keeps)
    }
}

/// The running counts of both metrics in each round.
struct Rounds {
    counter: BitCounter,
    counts: Counts,
    /// Correct pairs if nothing were a tie.
    right: Counts,
    /// The change at the current threshold.
    change: Counts,
    /// The largest change at any threshold so far.
    best: Counts,
}

impl Rounds {
    fn new() -> Self {
        Self { counter: BitCounter::new(), counts: [0; 512], right: [0; 512], change: [0; 512], best: [i32::MIN; 512] }
    }

    /// Adds the counted pairs: those that turn wrong (-1), which were correct before, or those that turn right (1).
    fn add(&mut self, sign: i32) {
        self.counter.take(&mut self.counts);
        for (change, count) in self.change.iter_mut().zip(&self.counts) {
            *change += sign * count;
        }
        if sign < 0 {
            self.right.iter_mut().zip(&self.counts).for_each(|(right, count)| *right += count);
        }
    }

    fn consider(&mut self) {
        self.best.iter_mut().zip(&self.change).for_each(|(best, change)| *best = (*best).max(*change));
    }

    fn best(mut self) -> Counts {
        self.best.iter_mut().zip(&self.right).for_each(|(best, right)| *best += right);
        self.best
    }
}

/// Candidate thresholds: 0, quantiles of the differences that can occur in rounds, and infinity.
fn thresholds(sample: &[CellPair], metrics: [&[f64]; 2]) -> Vec<f64> {
    let step = (4 * sample.len() / SHOWN).max(1);
    let differences = |pair: &CellPair| {
        let [a, b] = pair.cells.map(|cell| metrics.map(|metric| metric[cell as usize]));
        [a[0] - b[0], a[1] - b[1], a[0] - b[1], a[1] - b[0]].map(f64::abs)
    };
    let mut all: Vec<f64> = sample.iter().step_by(step).flat_map(differences).collect();
    all.sort_unstable_by(f64::total_cmp);
    let even = (1..EVEN).map(|at| at as f64 / EVEN as f64);
    let tail = |at: i32| 2_f64.powf(-f64::from(at) / 4.0) / EVEN as f64;
    let tails = (1..=IN_TAIL).flat_map(|at| [tail(at), 1.0 - tail(at)]);
    let quantile = |share: f64| all.get((share * all.len() as f64) as usize).copied();
    let mut thresholds: Vec<f64> = even.chain(tails).filter_map(quantile).chain([0.0, f64::INFINITY]).collect();
    thresholds.sort_unstable_by(f64::total_cmp);
    thresholds.dedup();
    thresholds
}

/// Finds the first threshold that is not below a difference. The sign, the exponent and the next four bits of the
/// number index a table that leads close to it.
struct Places<'t> {
    thresholds: &'t [f64],
    near: Vec<u32>,
}

/// The bits of a number that the table ignores.
const LOWER_BITS: u32 = 48;

impl<'t> Places<'t> {
    fn of(thresholds: &'t [f64]) -> Self {
        let mut place = 0;
        let near = (0..1_u64 << (63 - LOWER_BITS)).map(|upper| {
            while thresholds.get(place as usize).is_some_and(|threshold| threshold.to_bits() < upper << LOWER_BITS) {
                place += 1;
            }
            place
        });
        Self { thresholds, near: near.collect() }
    }

    fn find(&self, difference: f64) -> u32 {
        let mut place = self.near[(difference.to_bits() >> LOWER_BITS) as usize];
        while self.thresholds.get(place as usize).is_some_and(|&threshold| threshold < difference) {
            place += 1;
        }
        place
    }
}

/// Sorts entries by place, with two places for each threshold.
fn grouped(of_place: &[(u32, Entry)], thresholds: usize) -> (Vec<Entry>, Vec<[usize; 3]>) {
    let mut starts = vec![0; 2 * thresholds + 1];
    of_place.iter().for_each(|&(place, _)| starts[place as usize + 1] += 1);
    (1..starts.len()).for_each(|at| starts[at] += starts[at - 1]);
    let runs = (0..thresholds).map(|at| [starts[2 * at], starts[2 * at + 1], starts[2 * at + 2]]).collect();
    let mut entries = vec![Entry::default(); of_place.len()];
    for &(place, entry) in of_place {
        entries[starts[place as usize]] = entry;
        starts[place as usize] += 1;
    }
    (entries, runs)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::evaluation::meta::differences::swaps::{Swaps, keeps};
    use crate::evaluation::meta::differences::tied_pairs::sample;
    use crate::evaluation::meta::judged::HumanScores;
    use crate::evaluation::numpy_random::NumpyRandom;

    /// The number of correct pairs with the best of some thresholds, counted one by one.
    fn right(sample: &[CellPair], metric: &[f64], thresholds: &[f64]) -> f64 {
        let right = |threshold: f64| {
            let is_right = |pair: &&CellPair| {
                let [a, b] = pair.cells.map(|cell| metric[cell as usize]);
                let order = if (a - b).abs() <= threshold { Ordering::Equal } else { a.total_cmp(&b) };
                order == pair.people
            };
            sample.iter().filter(is_right).count()
        };
        thresholds.iter().map(|&threshold| right(threshold)).max().unwrap() as f64
    }

    #[test]
    fn rounds_are_those_of_mixed_scores() {
        let mut random = NumpyRandom::new(2);
        let mut drawn = |levels: u32| -> Vec<f64> { (0..60).map(|_| f64::from(random.below(levels))).collect() };
        let people = HumanScores::new(6, drawn(4).into_iter().map(Some).collect()).unwrap();
        let metrics = [drawn(6), drawn(50)];
        let metrics = [metrics[0].as_slice(), metrics[1].as_slice()];
        let (sample, swaps) = (sample(&people, 1), Swaps::draw(60, 250, 3));
        for is_optimised in [false, true] {
            let test = TieTest::of(&sample, metrics, is_optimised);
            let tried = if is_optimised { thresholds(&sample, metrics) } else { vec![0.0] };
            let difference = |one: &[f64], other: &[f64]| right(&sample, one, &tried) - right(&sample, other, &tried);
            assert_eq!(test.observed(), difference(metrics[0], metrics[1]));
            for (round, found) in test.differences(&swaps.blocks[0]).into_iter().enumerate() {
                let mixed = |side: usize| -> Vec<f64> {
                    let kept = |cell: usize| keeps(&swaps.blocks[0].keeps[cell], round);
                    (0..60).map(|cell| metrics[if kept(cell) { side } else { 1 - side }][cell]).collect()
                };
                assert_eq!(found, difference(&mixed(0), &mixed(1)), "round {round}");
            }
        }
    }

    #[test]
    fn places_are_those_of_a_search() {
        let thresholds = [0.0, 1e-9, 0.1, 0.1000001, 3.0];
        let places = Places::of(&thresholds);
        for difference in [0.0, 1e-300, 1e-9, 0.05, 0.1, 0.10000005, 0.2, 3.0, 3.1, 1e300] {
            let expected = thresholds.iter().position(|&threshold| threshold >= difference).unwrap_or(5);
            assert_eq!(places.find(difference) as usize, expected, "{difference}");
        }
    }
}
