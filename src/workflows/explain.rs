//! In: a pair of a file, or texts; a model. Out: the explanation of its verdict. Next: the caller.

mod aligner;
mod explainer;
mod wanted;

use super::context::{Context, Engine};
use super::judge::Judged;
use super::named_model::NamedModel;
use super::warnings;
use crate::error::{Error, Result};
use crate::judgments::{Language, Pair};
use crate::model::{Model, Ties};
use crate::report::Explanation;
pub use explainer::Explainer;
pub use wanted::{ExplainedPair, Wanted};

/// Settings of [`explain`].
#[derive(Debug, Clone, Default)]
pub struct ExplainSettings {
    /// The tie rule, if not that of the model.
    pub ties: Option<Ties>,
    /// The language of the texts.
    pub language: Language,
}

impl ExplainSettings {
    /// # Errors
    /// The tie rule needs many pairs.
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

/// Explains a model's verdict on one pair.
///
/// # Errors
/// The pair cannot be read or found; the model needs another version, another WordNet, or values of own metrics; the
/// tie rule needs more than one pair.
pub fn explain(
    context: Context<'_>,
    model: &NamedModel,
    source: &ExplainedPair,
    settings: &ExplainSettings,
) -> Result<Explanation> {
    settings.check()?;
    let explaining = Explaining::new(context.engine(), model, settings)?;
    let pair = source.find()?;
    explaining.check(context, &[&pair], &source.place())?;
    let NamedModel { model, .. } = model;
    let explanation = explaining.explainer.explain_one(&model.judge, model.tie_factor, &pair);
    let line = explanation.line.filter(|_| !matches!(source, ExplainedPair::Texts { .. }));
    Ok(explaining.with_ties(Explanation { line, ..explanation }))
}

/// Explains a model's verdicts on pairs in memory, in their order. Errors refer to them as `pairs`.
///
/// # Errors
/// As for [`explain`].
pub fn explain_pairs(
    context: Context<'_>,
    model: &NamedModel,
    pairs: &[&Pair],
    settings: &ExplainSettings,
) -> Result<Vec<Explanation>> {
    settings.check()?;
    let explaining = Explaining::new(context.engine(), model, settings)?;
    explaining.check(context, pairs, "pairs")?;
    let NamedModel { model, .. } = model;
    let explained = explaining.explainer.explain(&model.judge, model.tie_factor, pairs);
    // Pairs in memory have no line.
    let without_line = |explanation| Explanation { line: None, ..explanation };
    Ok(explained.into_iter().map(|explanation| explaining.with_ties(without_line(explanation))).collect())
}

/// A model prepared for explanations.
struct Explaining<'a> {
    model: &'a Model,
    settings: &'a ExplainSettings,
    explainer: Explainer,
}

impl<'a> Explaining<'a> {
    fn new(engine: &Engine, named: &'a NamedModel, settings: &'a ExplainSettings) -> Result<Self> {
        let NamedModel { model, place, .. } = named;
        let explainer = Explainer::for_model(engine, model, &settings.language, place)?;
        Ok(Self { model, settings, explainer })
    }

    /// Checks that pairs have what the model needs, and warns if it needs another language than theirs.
    fn check(&self, context: Context<'_>, pairs: &[&Pair], place: &str) -> Result<()> {
        let schema = &self.model.schema;
        schema.check(pairs.iter().copied(), place)?;
        let references = pairs.iter().flat_map(|pair| &pair.references).map(String::as_str);
        warnings::of_language(context, schema, references);
        Ok(())
    }

    /// Applies the requested tie rule.
    fn with_ties(&self, explanation: Explanation) -> Explanation {
        let Some(ties) = self.settings.ties else { return explanation };
        let judged = Judged { verdict: explanation.verdict, probabilities: explanation.probabilities };
        match Judged::with_ties(&[judged], ties).pop() {
            Some(judged) => judged_anew(explanation, judged, ties),
            None => explanation,
        }
    }
}

/// The explanation with the verdict and probabilities that a tie rule gives, be it for this pair alone or among others.
pub fn judged_anew(explanation: Explanation, judged: Judged, ties: Ties) -> Explanation {
    let Judged { verdict, probabilities } = judged;
    Explanation { verdict, probabilities, ties: Some(ties.to_string()), ..explanation }
}
