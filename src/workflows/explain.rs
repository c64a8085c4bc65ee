//! In: a pair of a file, or texts; a model. Out: why it says what it says of the pair.

mod aligner;
mod explainer;
mod wanted;

use super::engine::Engine;
use super::event::Listener;
use super::judge::Judged;
use super::language;
use super::named_model::NamedModel;
use crate::error::{Error, Result};
use crate::judgments::Language;
use crate::model::Ties;
use crate::report::Explanation;
pub use explainer::Explainer;
pub use wanted::{ExplainedPair, Wanted};

/// How a pair is explained.
#[derive(Debug, Clone, Default)]
pub struct ExplainSettings {
    /// When the model says tie, if not as it was trained to.
    pub ties: Option<Ties>,
    /// The language of the texts.
    pub language: Language,
}

impl ExplainSettings {
    /// # Errors
    /// The rule of ties is one of many pairs.
    fn check(&self) -> Result<()> {
        match self.ties.filter(|ties| ties.needs_all_pairs()) {
            Some(ties) => Err(Error::invalid(
                "ties",
                "likeliest, 0 or threshold=P where one pair is explained",
                format!("{ties}, a share of all pairs"),
                "choose another rule",
            )),
            None => Ok(()),
        }
    }
}

/// Explains what a model says of one pair.
///
/// # Errors
/// What finding the pair reports; the model needs another version, another WordNet, or values of own metrics; settings
/// that one pair cannot meet.
pub fn explain(
    engine: &Engine,
    model: &NamedModel,
    source: &ExplainedPair,
    settings: &ExplainSettings,
    listener: Listener<'_>,
) -> Result<Explanation> {
    settings.check()?;
    let NamedModel { model, place, .. } = model;
    let explainer = Explainer::for_model(engine, model, &settings.language, place)?;
    let pair = source.find()?;
    model.schema.check([&pair].into_iter(), &source.place())?;
    let references = pair.references.iter().map(String::as_str);
    language::check_features(&model.schema, references, engine.wordnet(), listener);
    let mut explanation = explainer.explain_one(&model.judge, model.tie_factor, &pair);
    if let Some(ties) = settings.ties {
        let judged = Judged { verdict: explanation.verdict, probabilities: explanation.probabilities };
        if let Some(judged) = Judged::with_ties(&[judged], ties).pop() {
            explanation = judged_anew(explanation, judged, ties);
        }
    }
    if matches!(source, ExplainedPair::Texts { .. }) {
        explanation.line = None;
    }
    Ok(explanation)
}

/// The explanation with what a rule of ties made of the pair, be it of this pair alone or among others.
pub fn judged_anew(explanation: Explanation, judged: Judged, ties: Ties) -> Explanation {
    let Judged { verdict, probabilities } = judged;
    Explanation { verdict, probabilities, ties: Some(ties.to_string()), ..explanation }
}
