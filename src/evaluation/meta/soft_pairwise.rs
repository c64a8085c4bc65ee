//! Soft pairwise accuracy. In: segment scores. Out: a p-value for each pair of systems, and how far a metric's p-values
//! are from people's. Next: [`super::systems`].

use super::sum::pairwise_sum;
use crate::evaluation::numpy_random::NumpyRandom;

/// The exchanges of a permutation test, drawn once for people and all metrics: for each permutation and segment,
/// whether two systems keep their scores.
#[derive(Debug, Clone)]
pub struct Exchanges {
    keeps: Vec<Vec<bool>>,
}

impl Exchanges {
    /// Draws as mt-metrics-eval does: `rint(default_rng(seed).random((permutations, segments), dtype=float32))`.
    pub fn draw(permutations: usize, segments: usize, seed: u64) -> Self {
        Self { keeps: NumpyRandom::new(seed).rounded(permutations, segments) }
    }

    /// For each pair of systems i < j, the share of permutations in which i leads j by at least the observed
    /// difference: the p-value of "i is better than j". `scores`: (systems, segments), system by system.
    pub fn p_values(&self, systems: usize, scores: &[f64]) -> Vec<f64> {
        // Single precision as in mt-metrics-eval, because rounding decides between equal differences.
        let scores: Vec<f32> = scores.iter().map(|&score| score as f32).collect();
        let sums: Vec<f32> = scores.chunks(scores.len() / systems).map(pairwise_sum).collect();
        let mut above = vec![0_u32; systems * (systems - 1) / 2];
        let by_segment = by_segment(&scores, systems);
        for keeps in &self.keeps {
            let exchanged = exchanged(&by_segment, keeps, systems);
            for (at, (i, j)) in couples(systems).enumerate() {
                above[at] += u32::from(exchanged[i] - exchanged[j] >= sums[i] - sums[j]);
            }
        }
        above.into_iter().map(|count| f64::from(count) / self.keeps.len() as f64).collect()
    }
}

/// Soft pairwise accuracy, 1 - mean |p_people - p_metric| over the pairs of systems, in [0, 1]. `None` for one system.
/// Thompson et al. 2024, "Improving Statistical Significance in Human Evaluation of Automatic Metrics via Soft Pairwise
/// Accuracy", section 3.
pub fn soft_pairwise_accuracy(people: &[f64], metric: &[f64]) -> Option<f64> {
    let distances: Vec<f64> = people.iter().zip(metric).map(|(a, b)| (a - b).abs()).collect();
    (!distances.is_empty()).then(|| 1.0 - pairwise_sum(&distances) / distances.len() as f64)
}

/// All pairs of systems, the earlier one first.
pub(super) fn couples(systems: usize) -> impl Iterator<Item = (usize, usize)> {
    (0..systems).flat_map(move |i| (i + 1..systems).map(move |j| (i, j)))
}

/// Transposes (systems, segments) to (segments, systems).
fn by_segment(scores: &[f32], systems: usize) -> Vec<f32> {
    let segments = scores.len() / systems;
    (0..segments).flat_map(|segment| (0..systems).map(move |system| scores[system * segments + segment])).collect()
}

/// For each system the sum of its scores, negated in segments where systems exchange them.
fn exchanged(by_segment: &[f32], keeps: &[bool], systems: usize) -> Vec<f32> {
    let mut sums = vec![0.0; systems];
    for (scores, &keeps) in by_segment.chunks_exact(systems).zip(keeps) {
        let sign = if keeps { 1.0 } else { -1.0 };
        sums.iter_mut().zip(scores).for_each(|(sum, score)| *sum += sign * score);
    }
    sums
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn few_exchanges_undo_a_clear_difference() {
        // Only a permutation that exchanges nothing is as extreme, about 1 in 2^10.
        let scores: Vec<f64> = (0..20).map(|at| if at < 10 { 1.0 } else { 0.0 }).collect();
        let exchanges = Exchanges::draw(1000, 10, 4);
        let p = exchanges.p_values(2, &scores)[0];
        assert!(p < 0.01, "{p}");
        let reversed: Vec<f64> = scores.iter().map(|score| 1.0 - score).collect();
        assert_eq!(exchanges.p_values(2, &reversed), [1.0]);
        assert_eq!(exchanges.p_values(2, &[0.5; 20]), [1.0]);
    }

    #[test]
    fn distances_of_p_values_are_averaged() {
        assert_eq!(soft_pairwise_accuracy(&[0.25, 1.0], &[0.75, 1.0]), Some(0.75));
        assert_eq!(soft_pairwise_accuracy(&[], &[]), None);
        assert_eq!(couples(3).collect::<Vec<_>>(), [(0, 1), (0, 2), (1, 2)]);
    }
}
