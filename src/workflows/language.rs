//! In: references, and the features or metrics in use. Out: a warning if these need English and the references are not
//! English.

use super::event::{Event, Listener};
use crate::features::{Schema, choice};
use crate::metrics::MetricSet;
use crate::text::english;
use crate::wordnet::WordNet;

/// References count as foreign below this share of words that are English or names.
const LEAST_ENGLISH: f64 = 0.5;

/// Warns of references that are hardly English while features in use need English.
pub(super) fn check_features<'t>(
    schema: &Schema,
    references: impl Iterator<Item = &'t str>,
    wordnet: &WordNet,
    listener: Listener<'_>,
) {
    if needs_english(schema) && is_foreign(references, wordnet) {
        let advice = "name the language, such as --language de";
        listener(Event::Note(format!("{WARNING}, but features are in use that need English; {advice}")));
    }
}

/// Whether a feature needs English.
pub(super) fn needs_english(schema: &Schema) -> bool {
    schema.hypothesis.iter().chain(&schema.pair).any(|feature| choice::needs_english(&feature.name))
}

/// As [`check_features`], for the metrics of a metric_set.
pub(super) fn check_metrics<'t>(
    metric_set: &MetricSet,
    references: impl Iterator<Item = &'t str>,
    listener: Listener<'_>,
) {
    let members = metric_set.members().iter().filter(|member| member.needs_english());
    let names: Vec<&str> = members.map(|member| member.name.as_str()).collect();
    if !names.is_empty() && is_foreign(references, metric_set.wordnet()) {
        let advice = "omit them, or name the language, such as --language de";
        listener(Event::Note(format!("{WARNING}, which these metrics need: {}; {advice}", names.join(", "))));
    }
}

const WARNING: &str = "warning: most words of the references are neither English nor names";

fn is_foreign<'t>(references: impl Iterator<Item = &'t str>, wordnet: &WordNet) -> bool {
    english::share(references, wordnet).is_some_and(|share| share < LEAST_ENGLISH)
}
