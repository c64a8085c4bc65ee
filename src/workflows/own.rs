//! Own metrics of the user. In: those that the user names, and those that models need. Out: how pairs are read, the
//! extractor of the values, and warnings about them. Next: train, predict, compare.

use super::engine::Engine;
use super::event::{Event, Listener};
use crate::error::{Error, Result, shown};
use crate::features::{Extractor, Schema, Table};
use crate::formats::{ExternalMetrics, Reading};
use crate::judgments::{ExternalMetric, Pair, Verdict};
use crate::metrics::ratio;
use crate::model::Model;

/// The number of standard deviations by which disagreements with people must exceed half of the decided pairs before a
/// metric is reported as reversed.
const BEYOND_CHANCE: f64 = 5.0;

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
    Err(Error::invalid(place, expected, shown(&unknown.name), advice))
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

/// Notes own metrics that are always equal for both hypotheses, and warns of those that seem reversed.
pub(super) fn tell(own: &[ExternalMetric], table: &Table, people: &[Verdict], listener: Listener<'_>) {
    for (column, ExternalMetric { name, lower_is_better }) in own.iter().enumerate() {
        let verdicts = (0..table.len()).map(|pair| {
            let [first, second] = table.own(pair).map(|values| values[column]);
            Verdict::compare(first, second)
        });
        let decided: Vec<(Verdict, Verdict)> = verdicts.zip(people.iter().copied()).collect();
        let name = shown(name);
        if decided.iter().all(|(verdict, _)| *verdict == Verdict::Tie) {
            let what = "gives both hypotheses of every pair the same value, so it carries no information";
            listener(Event::Note(format!("The own metric {name} {what}.")));
            continue;
        }
        let (against, of) = decided
            .iter()
            .filter(|(verdict, label)| *verdict != Verdict::Tie && *label != Verdict::Tie)
            .fold((0.0, 0.0), |(against, of), (verdict, label)| {
                (against + f64::from(u8::from(verdict != label)), of + 1.0)
            });
        if against - of / 2.0 > BEYOND_CHANCE * f64::sqrt(of) / 2.0 {
            let (worse, sign) = if *lower_is_better { ("higher", "") } else { ("lower", "-") };
            let share = 100.0 * ratio(against, of);
            listener(Event::Note(format!(
                "warning: where people and {name} decide, people prefer the hypothesis with the {worse} value in \
                 {share:.1}% of the pairs; was --own {}{sign} meant?",
                name.trim_matches('\'')
            )));
        }
    }
}
