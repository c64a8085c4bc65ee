//! Sentence BLEU in every smoothing method, NIST, GLEU and RIBES against NLTK 3.10.4: every pair of tests/golden/sentences.json, with the values of
//! tests/golden/nltk.json, which `python tests/golden/make_golden.py nltk` writes.

use serde_json::Value;
use tribunal::metrics::Metric;
use tribunal::metrics::bleu_nltk::{Method, NltkBleu};
use tribunal::metrics::gleu::Gleu;
use tribunal::metrics::nist::Nist;
use tribunal::metrics::ribes::Ribes;
use tribunal::text::Plan;

use crate::golden::{self, Prepared, prepare};

fn metrics(plan: &mut Plan) -> [(&'static str, Box<dyn Metric>); 4] {
    [
        ("nist5", Box::new(Nist::new(5, plan).unwrap())),
        ("nist4", Box::new(Nist::new(4, plan).unwrap())),
        ("gleu", Box::new(Gleu::new(plan))),
        ("ribes", Box::new(Ribes::new(plan))),
    ]
}

fn assert_equal(found: f64, expected: &Value, what: &str) {
    // NLTK divides by zero where a hypothesis is too short for NIST.
    let Some(expected) = expected.as_f64() else { return assert!(what.starts_with("nist") && found.is_finite()) };
    golden::assert_equal(found, expected, what);
}

#[test]
fn segments() {
    let golden = golden::read::<Value>("nltk.json");
    assert_eq!(golden["version"], "3.10.4");
    let mut plan = Plan::default();
    let metrics = metrics(&mut plan);
    for (id, (pair, expected)) in
        prepare(&plan).iter().zip(golden["values"]["segments"].as_array().unwrap()).enumerate()
    {
        for (name, metric) in &metrics {
            let values = metric.segment(&pair.statistics(metric.as_ref()));
            assert!(values.len() == metric.values().len() && values.iter().all(|value| value.is_finite()));
            assert_equal(values[0], &expected[name], &format!("{name}, pair {id}"));
        }
    }
}

/// The pairs of a corpus, which is built as in make_golden.py.
fn pairs_of<'p>(corpus: &str, pairs: &'p [Prepared]) -> Vec<&'p Prepared> {
    let is_chosen = |pair: &&Prepared| match corpus {
        "mt" => pair.kind == "mt",
        "several" => pair.references.len() > 1,
        _ => true,
    };
    pairs.iter().filter(is_chosen).collect()
}

/// The summed statistics of pairs.
fn sum(metric: &dyn Metric, pairs: &[&Prepared]) -> Vec<f64> {
    golden::sum(pairs.iter().map(|pair| pair.statistics(metric)))
}

#[test]
fn corpora() {
    let golden = golden::read::<Value>("nltk.json");
    let mut plan = Plan::default();
    let metrics = metrics(&mut plan);
    let pairs = prepare(&plan);
    for (corpus, expected) in golden["values"]["corpora"].as_object().unwrap() {
        let chosen = pairs_of(corpus, &pairs);
        for (name, metric) in &metrics {
            let informed = metric.for_corpus(&mut chosen.iter().flat_map(|pair| pair.references.clone()));
            let metric = informed.as_ref().unwrap_or(metric);
            let found = metric.corpus(&sum(metric.as_ref(), &chosen))[0];
            assert_equal(found, &expected[name], &format!("{name}, corpus {corpus}"));
        }
    }
}

#[test]
fn sentence_bleu() {
    let golden = golden::read::<Value>("nltk.json");
    let methods = [
        Method::None,
        Method::Epsilon,
        Method::AddOne,
        Method::Nist,
        Method::Length,
        Method::Average,
        Method::Prior,
        Method::LengthAverage,
    ];
    for (number, method) in methods.into_iter().enumerate() {
        let mut plan = Plan::default();
        let bleu = NltkBleu::new(method, &mut plan);
        let (name, pairs) = (format!("bleu.method{number}"), prepare(&plan));
        let check = |statistics: &[f64], expected: &Value, what: &str| {
            let is_close = match (bleu.score(statistics), expected.as_f64()) {
                (Some(found), Some(expected)) => (found - expected).abs() <= 1e-9 * expected.abs(),
                // NLTK raises an error.
                (found, expected) => found == expected,
            };
            assert!(is_close, "{what}: {:?} instead of {expected}", bleu.score(statistics));
        };
        for (id, (pair, expected)) in pairs.iter().zip(golden["values"]["segments"].as_array().unwrap()).enumerate() {
            check(&sum(&bleu, &[pair]), &expected[&name], &format!("{name}, pair {id}"));
        }
        for (corpus, expected) in golden["values"]["corpora"].as_object().unwrap() {
            if let Some(expected) = expected.get(&name) {
                check(&sum(&bleu, &pairs_of(corpus, &pairs)), expected, &format!("{name}, corpus {corpus}"));
            }
        }
    }
}
