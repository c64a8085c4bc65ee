//! Own metrics of the user. In: those that the user names, and those that models need. Out: how pairs are read, the
//! extractor of the values, and warnings about them. Next: train, predict, compare.

use super::context::Engine;
use crate::error::{Error, Result, quoted};
use crate::features::{Extractor, Schema};
use crate::formats::{ExternalMetrics, Reading};
use crate::judgments::{ExternalMetric, Pair};
use crate::model::Model;

/// How to read pairs for models: with the own metrics that they learned from and those that are named, and without
/// references if no model needs any.
///
/// # Errors
/// A metric has two directions; a metric has more than one file of values.
pub fn reading_for(models: &[&Model], own: ExternalMetrics, reading: Reading) -> Result<Reading> {
    let own = models.iter().try_fold(own, |own, model| own.and(&model.schema.own))?;
    let without_references = !models.is_empty() && models.iter().all(|model| model.schema.is_only_own());
    Ok(Reading { own: own.of_file(0, 1)?, without_references, ..reading })
}

/// Checks that a model with these `needed` own metrics knows all that are `named` for it, by the argument `place`.
///
/// # Errors
/// The model does not know one of them.
pub fn check_needed(needed: &[ExternalMetric], named: &[ExternalMetric], place: &str) -> Result<()> {
    let is_unknown = |metric: &&ExternalMetric| needed.iter().all(|needed| needed.name != metric.name);
    let Some(unknown) = named.iter().find(is_unknown) else { return Ok(()) };
    let names: Vec<&str> = needed.iter().map(|metric| metric.name.as_str()).collect();
    let expected = if names.is_empty() { "no own metric: the model has none".to_owned() } else { names.join(", ") };
    let advice = "omit it, or train a model with it";
    Err(Error::invalid(place, expected, quoted(&unknown.name), advice))
}

/// The extractor of `all` features and own metrics, or of own metrics only if a pair has no reference.
pub(super) fn extractor<'p>(
    engine: &Engine,
    all: Extractor,
    own: &[ExternalMetric],
    mut pairs: impl Iterator<Item = &'p Pair>,
) -> Result<Extractor> {
    if pairs.any(|pair| pair.references.is_empty()) {
        return Extractor::for_schema(engine.lexicons(), &Schema::of_own(own.to_vec()), "own metrics");
    }
    Ok(all.with_own(own.to_vec()))
}
