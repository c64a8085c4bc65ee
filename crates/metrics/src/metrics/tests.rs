//! What the tests of single metrics share.

use super::metric::Statistics;
use super::metric_set::MetricSet;
use super::registry::{REGISTRY, find, options};
use crate::error::Result;
use crate::options::Options;
use crate::wordnet::WordNet;

/// A registered metric with options by name.
pub fn metric_set(name: &str, given: &[(&str, &str)]) -> Result<MetricSet> {
    let mut chosen = Options::default();
    for (option, value) in given {
        let (spec, _) = options().into_iter().find(|(spec, _)| spec.name == *option).expect("a known option");
        chosen.set(spec, value)?;
    }
    let mut metric_set = MetricSet::new(WordNet::embedded());
    metric_set.add_registered(find(name).expect("a registered metric"), &chosen)?;
    Ok(metric_set)
}

/// The statistics of the only metric.
pub fn statistics(metric_set: &MetricSet, hypothesis: &str, references: &[&str]) -> Statistics {
    let mut lexicon = metric_set.lexicon();
    let hypothesis = metric_set.prepare(hypothesis, &mut lexicon);
    let references: Vec<_> = references.iter().map(|text| metric_set.prepare(text, &mut lexicon)).collect();
    metric_set.members()[0].metric.statistics(&hypothesis, &references.iter().collect::<Vec<_>>())
}

/// All values of a registered metric for a segment.
pub fn values(name: &str, hypothesis: &str, references: &[&str]) -> Vec<f64> {
    values_with(name, &[], hypothesis, references)
}

/// As [`values`], with options by name.
pub fn values_with(name: &str, given: &[(&str, &str)], hypothesis: &str, references: &[&str]) -> Vec<f64> {
    let metric_set = metric_set(name, given).expect("options in bounds");
    metric_set.members()[0].metric.segment(&statistics(&metric_set, hypothesis, references))
}

/// Compares values with those computed by hand.
pub fn assert_close(found: &[f64], expected: &[f64]) {
    assert_eq!(found.len(), expected.len());
    for (found, expected) in found.iter().zip(expected) {
        assert!((found - expected).abs() < 1e-9, "{found} instead of {expected}");
    }
}

/// What every metric gives for empty text: the score of an empty hypothesis, of an empty reference, and of both.
#[test]
fn empty_text_is_scored() {
    for entry in REGISTRY.iter().filter(|entry| entry.is_available(&crate::text::Models::default())) {
        let expected = match entry.name {
            "ter" | "edits" => [100.0, 100.0, 0.0],
            "length" => [0.0, 0.0, 1.0],
            "surface" | "words" | "style" => continue,
            "sum.synset" => [0.0, 0.0, 1.0],
            _ => [0.0; 3],
        };
        for (empty, text) in [("", "a b c d"), (" \n", "a b\nc d"), ("\u{3000}\n\n", "x y z é")] {
            let scores = [(empty, text), (text, empty), (empty, empty)].map(|(h, r)| values(entry.name, h, &[r])[0]);
            assert_eq!(scores, expected, "{}: {empty:?}, {text:?}", entry.name);
        }
    }
}

/// Metrics whose statistics are those of the best reference.
#[test]
fn the_best_reference_counts() {
    for name in
        ["rouge1", "rougeL", "ribes", "gleu", "synset", "meteor2005", "sum.meteor", "sum.bleu", "chrf", "length"]
    {
        let (hypothesis, best) = ("prices rose again today", "prices rose again today");
        let alone = values(name, hypothesis, &[best]);
        assert_eq!(values(name, hypothesis, &["nothing of that", best, "prices fell"]), alone, "{name}");
    }
}
