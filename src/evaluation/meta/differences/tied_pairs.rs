//! Pairs of systems within segments. In: people's scores. Out: pairs of cells, equally many from each segment. Next:
//! [`super::tie_test`].

use std::cmp::Ordering;

use crate::evaluation::meta::judged::{Averaging, HumanScores};
use crate::evaluation::meta::kendall::pairs;
use crate::evaluation::numpy_random::NumpyRandom;

/// The largest number of pairs for a test, which visits all of them in every round.
const MOST: usize = 50_000;

/// Two cells of a segment, as indices into the order of [`by_segment`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct CellPair {
    pub(super) cells: [u32; 2],
    /// People's score of the first cell compared with that of the second.
    pub(super) people: Ordering,
}

/// Samples equally many pairs from each segment, so that the mean over segments is the mean over pairs. These are all
/// pairs if every segment has equally many and they are not too many.
pub(super) fn sample(people: &HumanScores, seed: u64) -> Vec<CellPair> {
    let rows = people.cells(Averaging::Item);
    let sizes = rows.iter().map(|row| pairs(row.len()) as usize);
    let most = sizes.clone().max().unwrap_or(0);
    let each = most.min((MOST / rows.len().max(1)).max(1));
    let mut random = NumpyRandom::new(seed);
    let mut sample = Vec::with_capacity(each * rows.len());
    for (cells, size) in rows.iter().zip(sizes) {
        let mut all: Vec<CellPair> = Vec::with_capacity(size);
        for (at, &a) in cells.iter().enumerate() {
            all.extend(cells[..at].iter().map(|&b| pair(people, a, b)));
        }
        // Whole copies of all pairs first, then the rest without replacement.
        (0..each / size).for_each(|_| sample.extend_from_slice(&all));
        for rest in 0..each % size {
            let drawn = rest + random.below((size - rest) as u32) as usize;
            all.swap(rest, drawn);
            sample.push(all[rest]);
        }
    }
    sample
}

fn pair(people: &HumanScores, a: usize, b: usize) -> CellPair {
    let [first, second] = [a, b].map(|cell| people.scores()[cell].unwrap_or_default());
    let place = |cell: usize| (cell % people.segments() * people.systems() + cell / people.segments()) as u32;
    CellPair { cells: [place(a), place(b)], people: first.total_cmp(&second) }
}

/// Reorders scores from system by system to segment by segment, so that compared scores are close in memory.
pub(super) fn by_segment(people: &HumanScores, scores: &[f64]) -> Vec<f64> {
    let segments = people.segments();
    (0..segments).flat_map(|segment| scores.iter().skip(segment).step_by(segments).copied()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_segment_has_as_many_pairs() {
        // Three systems, two segments; later the last cell, the third system's second segment, loses its score.
        let scores = [1.0, 2.0, 1.0, 3.0, 4.0, 0.0].map(Some);
        let mut scores = scores.to_vec();
        let whole = sample(&HumanScores::new(3, scores.clone()).unwrap(), 1);
        assert_eq!(whole.len(), 6);
        assert_eq!(whole.iter().filter(|pair| pair.people == Ordering::Equal).count(), 1);
        scores[5] = None;
        let uneven = sample(&HumanScores::new(3, scores).unwrap(), 1);
        let of_second: Vec<&CellPair> = uneven.iter().filter(|pair| pair.cells[0] >= 3).collect();
        assert_eq!((uneven.len(), of_second.len()), (6, 3));
        assert!(of_second.iter().all(|pair| **pair == CellPair { cells: [4, 3], people: Ordering::Greater }));
    }

    #[test]
    fn scores_stand_where_pairs_look_for_them() {
        let people = HumanScores::new(3, [1.0, 2.0, 1.0, 3.0, 4.0, 0.0].map(Some).to_vec()).unwrap();
        let scores: Vec<f64> = people.scores().iter().flatten().copied().collect();
        let scores = by_segment(&people, &scores);
        assert_eq!(scores, [1.0, 1.0, 4.0, 2.0, 3.0, 0.0]);
        for CellPair { cells: [a, b], people } in sample(&people, 1) {
            assert_eq!(scores[a as usize].total_cmp(&scores[b as usize]), people);
        }
    }

    #[test]
    fn large_tables_are_sampled() {
        let people = HumanScores::new(20, vec![Some(0.0); 20 * 3000]).unwrap();
        let drawn = sample(&people, 1);
        assert_eq!(drawn.len(), 16 * 3000);
        let mut of_first: Vec<[u32; 2]> = drawn[..16].iter().map(|pair| pair.cells).collect();
        of_first.sort_unstable();
        of_first.dedup();
        assert_eq!(of_first.len(), 16, "drawn without replacement");
        assert_eq!(drawn, sample(&people, 1));
    }
}
