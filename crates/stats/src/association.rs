//! Whether any system's verdicts have to do with the labels at all.

use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

use crate::Groups;
use crate::Verdict;

/// Rounds of the randomisation.
const ROUNDS: usize = 1000;

/// The p-value of the strongest of many associations between verdicts and labels, in either direction: the share of
/// rounds whose strongest one is as strong when every group's contributions to all of them are negated with probability
/// 1/2, which corrects for their number and their correlation. `None` without an association to test.
///
/// The association of a system is the covariance of verdicts and labels, as signs, over its standard error by groups.
/// Westfall and Young 1993, "Resampling-Based Multiple Testing"; Liang and Zeger 1986 for groups.
pub fn strongest_association(labels: &[Verdict], systems: &[&[Verdict]], groups: &Groups, seed: u64) -> Option<f64> {
    let contributions: Vec<Vec<f64>> = systems.iter().filter_map(|system| of_groups(labels, system, groups)).collect();
    let strongest = |signs: &[f64]| {
        let sum = |values: &Vec<f64>| values.iter().zip(signs).map(|(value, sign)| value * sign).sum::<f64>();
        contributions.iter().map(|values| sum(values).abs()).fold(0.0, f64::max)
    };
    let observed = strongest(&vec![1.0; groups.count]);
    let mut random = ChaCha8Rng::seed_from_u64(seed);
    let mut round = || {
        let signs: Vec<f64> = (0..groups.count).map(|_| if random.random_bool(0.5) { 1.0 } else { -1.0 }).collect();
        strongest(&signs) >= observed
    };
    let hits = (0..ROUNDS).filter(|_| round()).count();
    (!contributions.is_empty()).then(|| (1 + hits) as f64 / (1 + ROUNDS) as f64)
}

/// What each group contributes to the association, of which the sum of squares is 1; `None` where nothing varies.
fn of_groups(labels: &[Verdict], system: &[Verdict], groups: &Groups) -> Option<Vec<f64>> {
    let mean = |verdicts: &[Verdict]| {
        verdicts.iter().map(|verdict| f64::from(verdict.sign())).sum::<f64>() / verdicts.len().max(1) as f64
    };
    let [of_labels, of_system] = [labels, system].map(mean);
    let mut sums = vec![0.0; groups.count];
    for ((label, verdict), &group) in labels.iter().zip(system).zip(&groups.of_row) {
        sums[group] += (f64::from(label.sign()) - of_labels) * (f64::from(verdict.sign()) - of_system);
    }
    let norm = sums.iter().map(|sum| sum * sum).sum::<f64>().sqrt();
    (norm > 0.0).then(|| sums.iter().map(|sum| sum / norm).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Labels that a coin gives, and ten systems that agree with them in a share of the pairs.
    fn p_value(agreement: f64, seed: u64) -> f64 {
        let mut random = ChaCha8Rng::seed_from_u64(seed);
        let coin = |random: &mut ChaCha8Rng| if random.random_bool(0.5) { Verdict::First } else { Verdict::Second };
        let labels: Vec<Verdict> = (0..300).map(|_| coin(&mut random)).collect();
        let mut system = || -> Vec<Verdict> {
            labels.iter().map(|&label| if random.random_bool(agreement) { label } else { label.swapped() }).collect()
        };
        let systems: Vec<Vec<Verdict>> = (0..10).map(|_| system()).collect();
        let systems: Vec<&[Verdict]> = systems.iter().map(Vec::as_slice).collect();
        strongest_association(&labels, &systems, &Groups { of_row: (0..300).collect(), count: 300 }, 1).unwrap()
    }

    #[test]
    fn only_an_agreement_or_a_contradiction_is_an_association() {
        let rejected = |agreement| (0..40).filter(|&seed| p_value(agreement, seed) < 0.05).count();
        assert!(rejected(0.5) <= 6, "{}", rejected(0.5));
        assert!(rejected(0.62) >= 38 && rejected(0.38) >= 38);
    }

    #[test]
    fn what_never_varies_has_none() {
        let groups = Groups { of_row: vec![0, 1], count: 2 };
        let [labels, system] = [[Verdict::First, Verdict::Second], [Verdict::Tie; 2]];
        assert_eq!(strongest_association(&labels, &[&system], &groups, 1), None);
    }
}
