//! Labels of some pairs, in a table with the texts of these, such as the page of `annotate` exports.

use std::collections::HashMap;

use super::format::Reading;
use super::reader::PairReader;
use super::votes::Ballot;
use crate::error::{Error, Result, quoted};
use crate::files::Input;
use crate::judgments::identity::{Order, PairIdentity};
use crate::judgments::{Pair, Verdict, majority};

/// Gives pairs the labels that a table has for the same texts, whichever hypothesis comes first, and what its columns
/// `drawn` and `wave` hold; where it has several labels of a pair, that of the majority of its annotators, or else a tie.
/// Returns how many pairs got a label.
///
/// # Errors
/// The table cannot be read, or has texts that are none of the pairs'.
pub fn add_labels(pairs: &mut [Pair], labelled: &Input, reading: Reading) -> Result<usize> {
    let identities: Vec<PairIdentity> = pairs.iter().map(PairIdentity::new).collect();
    let mut rows: HashMap<u128, Vec<usize>> = HashMap::new();
    identities.iter().enumerate().for_each(|(row, identity)| rows.entry(identity.key()).or_default().push(row));
    let mut ballots: HashMap<usize, Ballot> = HashMap::new();
    for pair in PairReader::open(labelled, Reading { needs_labels: true, ..reading })? {
        let pair = pair?;
        if pair.label.is_none() {
            continue;
        }
        let identity = PairIdentity::new(&pair);
        let none = || not_of_the_pairs(labelled, &pair);
        for &row in rows.get(&identity.key()).ok_or_else(none)? {
            let order = identity.order_in(identities[row]).ok_or_else(none)?;
            let turned = if order == Order::Exchanged { pair.clone().swapped() } else { pair.clone() };
            ballots.entry(row).or_default().add(&turned);
            pairs[row].drawn = pair.drawn.or(pairs[row].drawn);
            pairs[row].wave = pair.wave.or(pairs[row].wave);
        }
    }
    let count = ballots.len();
    for (row, ballot) in ballots {
        pairs[row].label = Some(majority(ballot.counts()).unwrap_or(Verdict::Tie));
        (pairs[row].preference, pairs[row].labelled_by) = (ballot.preference(), None);
    }
    Ok(count)
}

/// The error for a labelled pair that is not to be found.
fn not_of_the_pairs(labelled: &Input, pair: &Pair) -> Error {
    let advice = "name the file of pairs from which these were drawn; references, prompt and systems count, too";
    let place = format!("{labelled}:{}", pair.line);
    let found = format!("other texts, with the first hypothesis {}", quoted(&pair.hypotheses[0]));
    Error::invalid(place, "the texts of one of the pairs", found, advice)
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
}
