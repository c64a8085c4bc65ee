//! METEOR of 2005 against NLTK 3.10.4, with the values and alignments of tests/golden/nltk.json, which
//! `python tests/golden/make_golden.py nltk` writes.
//!
//! NLTK matches greedily; where its alignment has the fewest crossings, the scores are equal.

use std::fs;
use std::path::Path;

use serde_json::Value;
use tribunal::metrics::Metric;
use tribunal::metrics::meteor2005::{Meteor2005, Variant};
use tribunal::text::{Lexicon, Plan, Sentence};
use tribunal::wordnet::WordNet;

fn read(name: &str) -> Value {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden").join(name);
    serde_json::from_str(&fs::read_to_string(path).unwrap()).unwrap()
}

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
    let (sentences, golden) = (read("sentences.json"), read("nltk.json"));
    assert_eq!(golden["version"], "3.10.4");
    let mut plan = Plan::default();
    let meteor = Meteor2005::new(Variant::Nltk, &mut plan);
    let mut lexicon = Lexicon::new(WordNet::embedded());
    let mut prepare = |text: &Value| Sentence::prepare(text.as_str().unwrap(), &plan, &mut lexicon);
    let (mut equal, mut better) = (0, 0);
    for (pair, expected) in sentences.as_array().unwrap().iter().zip(golden["values"]["segments"].as_array().unwrap()) {
        let hypothesis = prepare(&pair["hyp"]);
        let references: Vec<Sentence> = pair["refs"].as_array().unwrap().iter().map(&mut prepare).collect();
        let mut greedy = false;
        for (reference, theirs) in references.iter().zip(expected["meteor_alignments"].as_array().unwrap()) {
            let theirs = pairs_of(theirs);
            let ours = meteor.matches(&hypothesis, reference);
            if ours != theirs {
                let what = format!("pair {}: {ours:?} instead of {theirs:?}", pair["id"]);
                let worth = |pairs: &[(usize, usize)]| (usize::MAX - pairs.len(), crossings(pairs));
                assert!(worth(&ours) < worth(&theirs), "{what}");
                greedy = true;
            }
        }
        let found = meteor.segment(&meteor.statistics(&hypothesis, &references.iter().collect::<Vec<_>>()))[0];
        // NLTK raises an exception where there is nothing to score.
        let expected = expected["meteor"].as_f64().unwrap_or(0.0);
        assert!(greedy || (found - expected).abs() <= 1e-9 * expected, "pair {}: {found}, not {expected}", pair["id"]);
        if greedy { better += 1 } else { equal += 1 }
    }
    // Fixed counts, so that neither case is ever empty.
    assert_eq!((equal, better), (312, 50));
}
