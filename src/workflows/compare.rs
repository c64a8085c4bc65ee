//! In: judgments, and models that are ready. Out: the accuracy report of the models, the baseline and every single
//! metric.

use super::engine::Engine;
use super::event::{Event, Listener, warn_of_reversal};
use super::judge::{Judged, PairJudge, features};
use super::systems::Scored;
use super::{language, own};
use crate::error::{Result, shown};
use crate::files::Input;
use crate::judgments::grouping::Groups;
use crate::judgments::{Judgment, Language, OwnMetric, Pair, Verdict};
use crate::model::{Model, Ties, builtin};
use crate::report::{ENSEMBLE, Report, System};

/// A model with the name that reports and errors give it.
#[derive(Debug, Clone)]
pub struct NamedModel {
    /// The file's stem, or `ensemble` for the built-in one.
    pub name: String,
    /// The file.
    pub place: String,
    /// The model.
    pub model: Model,
}

impl NamedModel {
    /// The model in a file, or the one inside the program, for texts of that language.
    ///
    /// # Errors
    /// The file cannot be read, or is no model.
    pub fn read(file: Option<&Input>, language: &Language) -> Result<Self> {
        Ok(match file {
            Some(input) => {
                Self { name: input.stem(), place: input.to_string(), model: Model::read(input)?.for_language(language) }
            }
            None => Self { name: ENSEMBLE.into(), place: builtin::NAME.into(), model: builtin::model_for(language)? },
        })
    }
}

/// What is compared, and how.
#[derive(Debug, Clone, PartialEq)]
pub struct CompareSettings {
    /// When models say tie, if not as they were trained to. Where no judgment is a tie, they say none unless this asks
    /// for it.
    pub ties: Option<Ties>,
    /// Metrics of the user's own that get a row, besides those that models need.
    pub own: Vec<OwnMetric>,
    /// What intervals are drawn with.
    pub seed: u64,
}

/// Compares models as they are, the baseline and every single metric with what people said.
///
/// # Errors
/// A model needs another version or another WordNet.
pub fn compare(
    engine: &Engine,
    models: Vec<NamedModel>,
    judgments: &[Judgment],
    settings: CompareSettings,
    listener: Listener<'_>,
) -> Result<Report> {
    let people: Vec<Verdict> = judgments.iter().map(|judgment| judgment.label).collect();
    let pairs: Vec<Pair> = judgments.iter().map(|judgment| judgment.pair.clone()).collect();
    let ties = settings.ties.or_else(|| {
        let is_none = !people.contains(&Verdict::Tie);
        is_none.then(|| {
            listener(Event::Note("None of these judgments is a tie: the models say the likelier of 1 and -1.".into()));
            Ties::Share(0.0)
        })
    });
    warn_of_reversal("", judgments, listener);
    let own = all_own(&models, settings.own);
    if let Some(named) = models.iter().find(|named| language::needs_english(&named.model.schema)) {
        let references = pairs.iter().flat_map(|pair| &pair.references).map(String::as_str);
        language::check_features(&named.model.schema, references, engine.wordnet(), listener);
    }
    let mut systems = Vec::new();
    for NamedModel { name, place, model } in models {
        warn_of_leak(&name, &model, judgments, listener);
        let judge = PairJudge::new(engine, model, &place)?;
        judge.model().schema.check(pairs.iter(), "pairs")?;
        let judged = judge.judge(&pairs);
        let judged = ties.map(|ties| Judged::with_ties(&judged, ties)).unwrap_or(judged);
        let (verdicts, probabilities) = judged.into_iter().map(|judged| (judged.verdict, judged.probabilities)).unzip();
        systems.push(System::of_probabilities(name, verdicts, probabilities));
    }
    let extractor = own::extractor(engine, &own, &pairs.iter().collect::<Vec<_>>())?;
    let table = extractor.extract(pairs.iter(), &features(listener));
    own::tell(&own, &table, &people, listener);
    systems.extend(Scored::new(&extractor, &table).untrained(&people));
    let judged = pairs.iter().zip(people.iter().copied());
    Ok(Report::of(&people, &Groups::of(pairs.iter()), &systems, 0, settings.seed).with_agreement(judged))
}

/// The own metrics that are named, and those that models need, each once.
fn all_own(models: &[NamedModel], mut own: Vec<OwnMetric>) -> Vec<OwnMetric> {
    for metric in models.iter().flat_map(|named| &named.model.schema.own) {
        if !own.contains(metric) {
            own.push(metric.clone());
        }
    }
    own
}

fn warn_of_leak(name: &str, model: &Model, judgments: &[Judgment], listener: Listener<'_>) {
    let seen = model.seen(judgments);
    if seen > 0 {
        listener(Event::Note(format!(
            "warning: {} was trained on the references of {seen} of these {} pairs; the accuracy is inflated; \
             use the cross-validated figures that `train` prints",
            shown(name),
            judgments.len()
        )));
    }
}
