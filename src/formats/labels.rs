//! Labels of some pairs, in a table with the texts of these, such as the page of `annotate` exports.

use std::collections::HashMap;

use xxhash_rust::xxh3::xxh3_128;

use super::format::Reading;
use super::reader::PairReader;
use crate::error::{Error, Result};
use crate::files::Input;
use crate::judgments::{Pair, Verdict, majority};

/// Gives pairs the labels that a table has for the same texts, whichever hypothesis comes first, and what its
/// columns `drawn` and `wave` hold; where it has several labels of a pair, that of the majority, or else a tie. Returns how many pairs
/// got a label.
///
/// # Errors
/// The table cannot be read, or has texts that are none of the pairs'.
pub fn add_labels(pairs: &mut [Pair], labelled: &Input, reading: Reading) -> Result<usize> {
    let mut rows: HashMap<u128, Vec<usize>> = HashMap::new();
    pairs.iter().enumerate().for_each(|(row, pair)| rows.entry(identity(pair)).or_default().push(row));
    let mut votes: HashMap<usize, [usize; 3]> = HashMap::new();
    for pair in PairReader::open(labelled, Reading { needs_labels: true, ..reading })? {
        let pair = pair?;
        let Some(label) = pair.label else { continue };
        let Some(found) = rows.get(&identity(&pair)) else {
            let advice = "name the file of pairs from which these were drawn";
            let place = format!("{labelled}:{}", pair.line);
            return Err(Error::invalid(place, "the texts of one of the pairs", "other texts", advice));
        };
        for &row in found {
            // Texts that are equal are told apart by their systems.
            let is_swapped = pairs[row].hypotheses != pair.hypotheses || pairs[row].systems != pair.systems;
            let label: Verdict = if is_swapped { label.swapped() } else { label };
            votes.entry(row).or_default()[label.index()] += 1;
            pairs[row].drawn = pair.drawn.or(pairs[row].drawn);
            pairs[row].wave = pair.wave.or(pairs[row].wave);
        }
    }
    let count = votes.len();
    votes.into_iter().for_each(|(row, votes)| pairs[row].label = Some(majority(votes).unwrap_or(Verdict::Tie)));
    Ok(count)
}

/// The same for two rows about the same texts of the same systems, whichever hypothesis comes first.
fn identity(pair: &Pair) -> u128 {
    let hash = |text: &str| xxh3_128(text.trim().as_bytes());
    let systems = pair.systems.as_ref();
    let side = |at: usize| {
        let system = systems.map_or(0, |systems| hash(&systems[at]));
        xxh3_128(&[hash(&pair.hypotheses[at]), system].map(u128::to_le_bytes).concat())
    };
    let mut sides = [side(0), side(1)];
    sides.sort_unstable();
    let about = pair.references.iter().chain(&pair.prompt).map(|text| hash(text));
    let all: Vec<u8> = sides.into_iter().chain(about).flat_map(u128::to_le_bytes).collect();
    xxh3_128(&all)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_table_without_probabilities_leaves_those_of_the_pairs() {
        let file = tempfile::Builder::new().suffix(".csv").tempfile().unwrap();
        std::fs::write(file.path(), "hyp1,hyp2,system1,system2,label\nb,a,y,x,1\nc,c,y,x,1\n").unwrap();
        let pair = |one: &str, other: &str| Pair {
            systems: Some(["x".into(), "y".into()]),
            drawn: Some(0.25),
            ..Pair::new([one.into(), other.into()], vec![])
        };
        let mut pairs = vec![pair("a", "b"), pair("c", "c")];
        add_labels(&mut pairs, &Input::File(file.path().into()), Reading::default()).unwrap();
        assert!(pairs.iter().all(|pair| (pair.drawn, pair.label) == (Some(0.25), Some(Verdict::Second))), "{pairs:?}");
    }

    #[test]
    fn sides_may_change_places_and_nothing_else() {
        let pair = Pair {
            systems: Some(["x".into(), "y".into()]),
            prompt: Some("q".into()),
            ..Pair::new(["a".into(), "b".into()], vec!["r".into()])
        };
        assert_eq!(identity(&pair), identity(&pair.clone().swapped()));
        let other = Pair { prompt: Some("p".into()), ..pair.clone() };
        assert_ne!(identity(&pair), identity(&other));
        let other = Pair { systems: Some(["y".into(), "x".into()]), ..pair.clone() };
        assert_ne!(identity(&pair), identity(&other));
    }
}
