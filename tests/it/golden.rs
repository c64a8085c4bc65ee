//! The pairs of tests/golden/sentences.json, prepared for a metric, and the values that other programs give them, which
//! `python tests/golden/make_golden.py` writes.

use std::fs;
use std::path::Path;

use serde::Deserialize;
use serde::de::DeserializeOwned;
use tribunal::metrics::Metric;
use tribunal::text::{Lexicon, Plan, Sentence};
use tribunal::wordnet::WordNet;

#[derive(Deserialize)]
pub struct Pair {
    pub kind: String,
    pub hyp: String,
    pub refs: Vec<String>,
}

impl Pair {
    /// The hypothesis, then the references.
    pub fn texts(&self) -> impl Iterator<Item = &str> {
        std::iter::once(self.hyp.as_str()).chain(self.refs.iter().map(String::as_str))
    }
}

/// A file of tests/golden.
pub fn read<T: DeserializeOwned>(name: &str) -> T {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden").join(name);
    serde_json::from_str(&fs::read_to_string(path).unwrap()).expect("the shape that the README of tests/golden states")
}

pub fn pairs() -> Vec<Pair> {
    read("sentences.json")
}

/// A [`Pair`] with its texts prepared.
pub struct Prepared {
    pub kind: String,
    pub hypothesis: Sentence,
    pub references: Vec<Sentence>,
}

/// All pairs, prepared for the metrics of a plan.
pub fn prepare(plan: &Plan) -> Vec<Prepared> {
    prepare_changed(plan, str::to_owned)
}

/// As [`prepare`], with every text changed beforehand.
pub fn prepare_changed(plan: &Plan, change: impl Fn(&str) -> String) -> Vec<Prepared> {
    let mut lexicon = Lexicon::new(WordNet::embedded());
    let mut prepared = |pair: Pair| {
        let mut texts = pair.texts().map(|text| Sentence::prepare(&change(text), plan, &mut lexicon));
        let hypothesis = texts.next().unwrap();
        let references = texts.collect();
        Prepared { kind: pair.kind, hypothesis, references }
    };
    pairs().into_iter().map(&mut prepared).collect()
}

impl Prepared {
    pub fn references(&self) -> Vec<&Sentence> {
        self.references.iter().collect()
    }

    pub fn statistics(&self, metric: &dyn Metric) -> Vec<f64> {
        metric.statistics(&self.hypothesis, &self.references())
    }
}

/// The sums of statistics.
pub fn sum(all: impl Iterator<Item = Vec<f64>>) -> Vec<f64> {
    let add = |sum: Vec<f64>, other: Vec<f64>| sum.iter().zip(other).map(|(sum, number)| sum + number).collect();
    all.reduce(add).unwrap_or_default()
}

/// Equal up to rounding: a relative difference of at most 1e-9.
pub fn assert_equal(found: f64, expected: f64, what: &str) {
    let is_close = (found - expected).abs() <= 1e-9 * expected.abs();
    assert!(is_close, "{what}: {found} instead of {expected}");
}
