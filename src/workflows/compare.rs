//! `compare`: the accuracy of trained models, the baseline and every single metric on the same judgments.

use std::sync::Mutex;

use super::breakdowns::breakdowns;
use super::context::{Context, recording};
use super::details::{DetailSettings, model_origin};
use super::evaluate::LabelledPairs;
use super::explain::{Explainer, with_judged};
use super::features::extractor_for;
use super::judge::{NamedModel, OnLeak, Prediction, predict_all, sources_in, with_learned};
use super::systems::{self, Scored};
use super::warnings;
use crate::error::{Error, Result, quoted};
use crate::features::{Column, ColumnSource, Extractor};
use crate::formats::Signals;
use crate::judgments::{ExternalJudge, Judgment, Language, Verdict};
use crate::model::Ties;
use crate::options::did_you_mean;
use crate::report::details::{Details, Provenance};
use crate::report::judged_pairs::JudgedPairs;
use crate::report::{Against, Part, Report, ReportSettings, Subject, System};

/// Settings of [`compare`].
#[derive(Debug, Clone, PartialEq)]
pub struct CompareSettings {
    /// The tie rule, if not that of the models. Without it, models predict no tie if no human label is one.
    pub ties: Option<Ties>,
    /// Signals to report, besides those that models need.
    pub signals: Signals,
    /// What errors call the pairs.
    pub source_name: String,
    /// The names of several files of pairs, in order, with the number of pairs of each.
    pub files: Vec<(String, usize)>,
    /// The column that the accuracy is broken down by, which the pairs were read with; see
    /// [`Pair::part`](crate::judgments::Pair::part).
    pub by_column: Option<String>,
    /// How much worse than an annotator a system may be, see
    /// [`AlternativeTest`](crate::evaluation::AlternativeTest::epsilon).
    pub epsilon: f64,
    /// The row that all others are compared with; `None` for the more accurate of the best metric and the majority.
    pub against: Option<String>,
    /// Whether to compare every row with every other.
    pub matrix: bool,
    /// The gain in accuracy for which the number of groups is told, in [0, 1].
    pub gain: f64,
    /// The number of pairs in the file that have no label yet, for advice on how many to label.
    pub unlabelled: usize,
    /// The language of the texts, for explanations; models must have been read for it, see [`NamedModel::read`].
    pub language: Language,
    /// The seed for folds, intervals and tests.
    pub seed: u64,
    /// Settings for the further contents of a page about the first model; `None` for no page.
    pub details: Option<DetailSettings>,
}

impl CompareSettings {
    /// Checks that there will be a row with the name in `against`.
    fn check_against(&self, models: &[NamedModel], extractor: &Extractor) -> Result<()> {
        let Some(wanted) = &self.against else { return Ok(()) };
        let models = models.iter().map(|named| named.name.clone());
        let names: Vec<String> = models.chain(systems::names(extractor, &self.language)).collect();
        if names.contains(wanted) {
            return Ok(());
        }
        let (hint, known) = (did_you_mean(wanted, names.iter().map(String::as_str)), names.join(", "));
        Err(Error::invalid("`against`", "the name of a row", quoted(wanted), format!("{hint}known rows: {known}")))
    }
}

/// Compares trained models, the baseline, every single metric and the best of them with human labels. Without models, the
/// built-in one is compared if the pairs have references.
///
/// # Errors
/// A model needs another version or another WordNet; a pair lacks what a model needs; no row has the name in `against`.
pub fn compare(
    context: Context<'_>,
    mut models: Vec<NamedModel>,
    judgments: &[Judgment],
    settings: &CompareSettings,
) -> Result<Report> {
    let notes = Mutex::default();
    let listener = recording(context, &notes);
    let context = context.with_listener(&listener);
    let labelled = LabelledPairs::new(context, &settings.source_name, judgments)?;
    let pairs = || labelled.pairs.iter().copied();
    if models.is_empty() && pairs().any(|pair| !pair.references.is_empty()) {
        models.push(NamedModel::read(None, context.engine(), &settings.language)?);
    } else if models.is_empty() {
        context.note("The built-in model is not compared: it needs references, and these pairs have none.");
    }
    let signals = with_learned(&models, settings.signals.clone())?;
    let external = Column::external(&with_learned_judges(sources_in(&signals, pairs), &models));
    let extractor = extractor_for(context.engine(), pairs(), &settings.source_name)?.with_external(external);
    let judges: Vec<ExternalJudge> = extractor.schema().judges().cloned().collect();
    warnings::check_judges(context, &judges, pairs(), &settings.source_name)?;
    settings.check_against(&models, &extractor)?;
    warnings::warn_rows(context, &extractor, &settings.language, &labelled.pairs);
    let ties = settings.ties.or_else(|| without_ties(context, &labelled.labels));
    let warnings =
        models.iter().filter_map(|named| warnings::warn_leak(context, &named.name, &named.model, pairs())).collect();
    let mut systems = Vec::with_capacity(models.len());
    for named in &models {
        let judged = predict_all(context, named, &labelled.pairs, &settings.source_name, OnLeak::Ignore)?;
        let judged = ties.map(|ties| Prediction::with_ties(&judged, ties)).unwrap_or(judged);
        let (verdicts, probabilities) = judged.into_iter().map(|judged| (judged.verdict, judged.probabilities)).unzip();
        systems.push(System::of_probabilities(named.name.clone(), verdicts, probabilities));
    }
    let table = extractor.extract(pairs(), &context.feature_progress());
    warnings::warn_external_metrics(context, extractor.schema(), &table, &labelled.labels);
    let folds = systems::folds(&labelled.groups, settings.seed);
    let scored = Scored::new(&extractor, extractor.schema(), &table, &labelled.pairs, &settings.language);
    systems.extend(scored.untrained(&labelled.labels, &folds));
    let named = |name: &String| systems.iter().rposition(|system| system.name == *name);
    let otherwise = if models.is_empty() { Against::Nothing } else { Against::Strongest };
    let against = settings.against.as_ref().and_then(named).map_or(otherwise, Against::System);
    let about = ReportSettings {
        against,
        matrix: settings.matrix || settings.details.is_some(),
        ..ReportSettings::new(Subject::Models, settings.seed)
    };
    let judges = systems::named_judges(extractor.schema());
    let external = extractor.schema().external().count();
    warnings::warn_unrelated(context, labelled.view(), external, &systems);
    let report = labelled
        .report(context, &systems, about, &judges, settings.epsilon)
        .with_gain(settings.gain, settings.unlabelled);
    let parts = Part::of_files(settings.files.iter().map(|(name, count)| (name.clone(), None, *count)));
    let breakdowns = breakdowns(parts, settings.by_column.as_deref(), labelled.view(), &systems)?;
    let encoder = context.engine().encoder().map(|encoder| encoder.description().clone());
    let mut report = Report { warnings, breakdowns, encoder, ..report };
    if let (Some(page), Some(first)) = (&settings.details, models.first()) {
        let LabelledPairs { pairs, labels, groups } = &labelled;
        let (mut end, seed) = (0, settings.seed);
        let files = settings.files.iter().map(|(name, count)| {
            let start = end;
            end += count;
            (name.clone(), start..end)
        });
        let files = files.collect();
        let judged = JudgedPairs { pairs, labels, groups, systems: &systems, files, seed };
        let origins = models.iter().map(|named| model_origin(&named.name, &named.model)).collect::<Result<_>>()?;
        let known = page.provenance(seed, systems::rows(&extractor, &settings.language))?;
        let notes = notes.lock().map(|notes| notes.clone()).unwrap_or_default();
        let provenance = Provenance { models: origins, notes, ..known };
        let NamedModel { model, source_name, .. } = first;
        let explainer = Explainer::for_model(context.engine(), model, &settings.language, source_name)?;
        let explain = |row: usize| {
            let explanation = explainer.explain(&model.linear, model.tie_factor, &pairs[row..=row]).swap_remove(0);
            let Some(ties) = ties else { return explanation };
            let probabilities = judged.probabilities().get(row).copied().unwrap_or(explanation.probabilities);
            with_judged(explanation, Prediction { verdict: judged.verdicts()[row], probabilities }, ties)
        };
        report.details = Some(Details { scores: scored.scores(), ..judged.details(Vec::new(), provenance, explain) });
    }
    Ok(report)
}

/// The tie rule where no judgment is a tie.
fn without_ties(context: Context<'_>, labels: &[Verdict]) -> Option<Ties> {
    if labels.contains(&Verdict::Tie) {
        return None;
    }
    context.note("No label is a tie, so models predict 1 or -1, whichever is more probable.");
    Some(Ties::Share(0.0))
}

/// The sources, with judges as models learned them instead of as the pairs show them.
fn with_learned_judges(mut sources: Vec<ColumnSource>, models: &[NamedModel]) -> Vec<ColumnSource> {
    for source in &mut sources {
        let ColumnSource::Judge { judge } = source else { continue };
        let mut learned = models.iter().flat_map(|named| named.model.schema.judges());
        if let Some(learned) = learned.find(|learned| learned.name == judge.name) {
            *judge = learned.clone();
        }
    }
    sources
}
