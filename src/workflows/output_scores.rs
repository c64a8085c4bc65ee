//! The scores of single outputs by models, and how outputs are read for them.

use super::context::{Context, MAX_PAIRS};
use super::judge::{NamedModel, OnLeak, PairPredictor, PredictionLoop, with_learned};
use crate::error::{Error, Result, quoted};
use crate::formats::{Reading, Signals};
use crate::judgments::Pair;
use crate::judgments::output::Outputs;
use crate::learners::logistic::ScoredOutputs;

/// How to read outputs for models: with the signals that they learned from and those that are named.
///
/// # Errors
/// A model has judges of pairs; a metric has two directions; a signal has more than one file of values.
pub fn reading_of_outputs(models: &[NamedModel], named: Signals, reading: Reading) -> Result<Reading> {
    models.iter().try_for_each(check_judges)?;
    Ok(Reading { signals: with_learned(models, named)?.each_once().of_file(0, 1)?, ..reading })
}

/// # Errors
/// The model has judges of pairs.
fn check_judges(named: &NamedModel) -> Result<()> {
    let Some(judge) = named.model.schema.judges().next() else { return Ok(()) };
    let found = format!("the judge {}, who compares two", quoted(&judge.name));
    let advice = "train a model on outputs, or use one without judges";
    Err(Error::invalid(&named.source_name, "a model that scores single outputs", found, advice))
}

/// All outputs with their scores s(h, r) by a ready model; errors refer to the outputs as `place`.
///
/// # Errors
/// The model has judges of pairs; an output lacks what it needs.
pub(super) fn scores_of(
    context: Context<'_>,
    named: &NamedModel,
    outputs: &Outputs,
    place: &str,
    on_leak: OnLeak,
) -> Result<ScoredOutputs> {
    check_judges(named)?;
    let predictor = PairPredictor::new(context.engine(), named.model.clone(), &named.source_name)?;
    let (mut judging, preference) = (PredictionLoop::new(context, &predictor), named.model.linear.preference());
    judging.checks.leak.unit = "outputs";
    let (pairs, mut scored): (Vec<Pair>, Option<ScoredOutputs>) = (outputs.doubled().collect(), None);
    for batch in pairs.chunks(MAX_PAIRS) {
        let table = judging.judge(batch.iter(), place, &context.feature_progress())?.table;
        let batch = ScoredOutputs::by(&preference, &table);
        scored = Some(match scored {
            Some(scored) => scored.followed_by(&batch),
            None => batch,
        });
    }
    judging.checks.warn(on_leak);
    Ok(scored.unwrap_or_else(|| ScoredOutputs::without_features(Vec::new())))
}
