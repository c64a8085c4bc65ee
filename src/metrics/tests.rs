//! What the tests of single metrics share.

use super::metric::Statistics;
use super::metric_set::MetricSet;
use super::registry::{find, options};
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
