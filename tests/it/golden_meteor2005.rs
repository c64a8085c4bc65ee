//! METEOR of 2005 against NLTK 3.10.4, with the values and alignments of tests/golden/nltk.json, which
//! `python tests/golden/make_golden.py nltk` writes.
//!
//! NLTK matches greedily; where its alignment has the fewest crossings, the scores are equal.

use serde_json::Value;
use tribunal::metrics::Metric;
use tribunal::metrics::meteor2005::{Meteor2005, Variant};
use tribunal::text::Plan;

use crate::golden::{prepare, read};

fn pairs_of(alignment: &Value) -> Vec<(usize, usize)> {
    let place = |value: &Value| usize::try_from(value.as_u64().unwrap()).unwrap();
    alignment["pairs"].as_array().unwrap().iter().map(|pair| (place(&pair[0]), place(&pair[1]))).collect()
}

/// The number of pairs of matches in different order on the two sides.
fn crossings(pairs: &[(usize, usize)]) -> usize {
    let crossed = |one: &(usize, usize), other: &(usize, usize)| (one.0 < other.0) != (one.1 < other.1);
    pairs.iter().enumerate().map(|(at, one)| pairs[..at].iter().filter(|other| crossed(one, other)).count()).sum()
}

#[test]
fn differs_from_nltk_only_where_that_crosses_more_often() {
    let golden: Value = read("nltk.json");
    assert_eq!(golden["version"], "3.10.4");
    let mut plan = Plan::default();
    let meteor = Meteor2005::new(Variant::Nltk, &mut plan);
    let (mut equal, mut better) = (0, 0);
    for (id, (pair, expected)) in
        prepare(&plan).iter().zip(golden["values"]["segments"].as_array().unwrap()).enumerate()
    {
        let mut greedy = false;
        for (reference, theirs) in pair.references.iter().zip(expected["meteor_alignments"].as_array().unwrap()) {
            let theirs = pairs_of(theirs);
            let ours = meteor.matches(&pair.hypothesis, reference);
            if ours != theirs {
                let what = format!("pair {id}: {ours:?} instead of {theirs:?}");
                let worth = |pairs: &[(usize, usize)]| (usize::MAX - pairs.len(), crossings(pairs));
                assert!(worth(&ours) < worth(&theirs), "{what}");
                greedy = true;
            }
        }
        let found = meteor.segment(&pair.statistics(&meteor))[0];
        // NLTK raises an exception where there is nothing to score.
        let expected = expected["meteor"].as_f64().unwrap_or(0.0);
        assert!(greedy || (found - expected).abs() <= 1e-9 * expected, "pair {id}: {found}, not {expected}");
        if greedy { better += 1 } else { equal += 1 }
    }
    // Fixed counts, so that neither case is ever empty.
    assert_eq!((equal, better), (312, 50));
}
