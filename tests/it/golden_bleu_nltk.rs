//! NLTK's sentence BLEU against NLTK 3.10.4: every pair of tests/golden/sentences.json, in every smoothing method of
//! tests/golden/nltk.json, which `python tests/golden/make_golden.py nltk` writes.

use std::fs;
use std::path::Path;

use serde_json::Value;
use tribunal::metrics::Metric;
use tribunal::metrics::bleu_nltk::{Method, NltkBleu};
use tribunal::text::{Lexicon, Plan, Sentence};
use tribunal::wordnet::WordNet;

const METHODS: [Method; 8] = [
    Method::None,
    Method::Epsilon,
    Method::AddOne,
    Method::Nist,
    Method::Length,
    Method::Average,
    Method::Prior,
    Method::LengthAverage,
];

fn read(name: &str) -> Value {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden").join(name);
    serde_json::from_str(&fs::read_to_string(path).unwrap()).unwrap()
}

/// The statistics of every pair, in the order of the file.
fn statistics(bleu: &NltkBleu, plan: &Plan, pairs: &Value) -> Vec<Vec<f64>> {
    let mut lexicon = Lexicon::new(WordNet::embedded());
    let mut prepare = |text: &Value| Sentence::prepare(text.as_str().unwrap(), plan, &mut lexicon);
    let of_pair = |pair: &Value| {
        let hypothesis = prepare(&pair["hyp"]);
        let references: Vec<Sentence> = pair["refs"].as_array().unwrap().iter().map(&mut prepare).collect();
        bleu.statistics(&hypothesis, &references.iter().collect::<Vec<_>>())
    };
    pairs.as_array().unwrap().iter().map(of_pair).collect()
}

fn assert_equal(found: Option<f64>, expected: Option<f64>, what: &str) {
    let close = match (found, expected) {
        (Some(found), Some(expected)) => (found - expected).abs() <= 1e-9 * expected.abs(),
        (found, expected) => found == expected,
    };
    assert!(close, "{what}: {found:?} instead of {expected:?}");
}

#[test]
fn segments_and_corpora() {
    let (pairs, golden) = (read("sentences.json"), read("nltk.json"));
    assert_eq!(golden["version"], "3.10.4");
    for (number, method) in METHODS.into_iter().enumerate() {
        let mut plan = Plan::default();
        let bleu = NltkBleu::new(method, &mut plan);
        let statistics = statistics(&bleu, &plan, &pairs);
        let name = format!("bleu.method{number}");
        for (id, (statistics, expected)) in
            statistics.iter().zip(golden["values"]["segments"].as_array().unwrap()).enumerate()
        {
            assert_equal(bleu.score(statistics), expected[&name].as_f64(), &format!("{name}, pair {id}"));
        }
        for (corpus, expected) in golden["values"]["corpora"].as_object().unwrap() {
            let Some(expected) = expected.get(&name) else { continue };
            let chosen = pairs.as_array().unwrap().iter().zip(&statistics).filter(|(pair, _)| match corpus.as_str() {
                "mt" => pair["kind"] == "mt",
                "several" => pair["refs"].as_array().unwrap().len() > 1,
                _ => true,
            });
            let mut sum = vec![0.0; statistics[0].len()];
            for (_, statistics) in chosen {
                sum.iter_mut().zip(statistics).for_each(|(sum, statistic)| *sum += statistic);
            }
            assert_equal(bleu.score(&sum), expected.as_f64(), &format!("{name}, corpus {corpus}"));
        }
    }
}
