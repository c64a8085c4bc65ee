//! `train`: a model, and a report of its cross-validated accuracy.

use std::collections::HashMap;
use std::sync::Mutex;

use super::context::{Context, Event, recording};
use super::details::model_origin;
use super::studies;
use super::training::{CrossValidated, Data, Source, TrainSettings};
use super::warnings;
use crate::error::{Error, Result};
use crate::features::Table;
use crate::judgments::grouping::{self, unit};
use crate::judgments::{ExternalJudge, Pair, Probabilities};
use crate::learners::LogisticRegression;
use crate::learners::logistic::model::Preference;
use crate::learners::logistic::{LinearModel, ScoredOutputs};
use crate::learning::{self, Folds, MAX_TUNING_PAIRS, Phase, Predictor, coverage, cross_validate, split};
use crate::model::Model;
use crate::report::{ENSEMBLE, Report};

/// The distance of the levels of agreement in a model file.
const COVERAGE_STEP: f64 = 0.01;

/// The result of training.
#[derive(Debug, Clone)]
pub struct Trained {
    /// The model, learned from all judgments.
    pub model: Model,
    /// The accuracy out of fold, with that of the baseline, the comparators and single metrics.
    pub report: Report,
}

/// Trains the ensemble on all judgments, and reports its cross-validated accuracy: every pair is judged by a model that
/// was trained without its reference. Weights count in training only; the report counts every pair once.
///
/// # Errors
/// A setting is out of bounds; there are fewer references than folds; there is nothing to learn from.
pub fn train(context: Context<'_>, sources: &[Source], settings: &TrainSettings) -> Result<Trained> {
    Ok(train_and(context, sources, settings, |_| Ok(()))?.0)
}

/// What cross-validation leaves behind.
pub(super) struct HeldOut<'t> {
    context: Context<'t>,
    data: &'t Data<'t>,
    folds: &'t Folds,
    models: &'t [LinearModel],
}

/// As [`train`], beside what `also` makes of the models of the folds.
pub(super) fn train_and<T>(
    context: Context<'_>,
    sources: &[Source],
    settings: &TrainSettings,
    also: impl FnOnce(HeldOut<'_>) -> Result<T>,
) -> Result<(Trained, T)> {
    let notes = Mutex::default();
    let listener = recording(context, &notes);
    let context = context.with_listener(&listener);
    let learner = LogisticRegression::new(settings.fit.clone())?;
    let data = checked_data(context, sources, settings)?;
    let validation = &settings.validation;
    let folds = split(&data.groups, validation.folds, validation.seed)?;
    let tell = |phase, done| context.emit(progress_of(phase, done, folds.count));
    let out_of_fold = cross_validate(&learner, data.labelled(), &folds, validation, &tell)?;
    let trained = learning::fit(&learner, data.labelled(), &out_of_fold.tuned_on_all)?;
    tell(Phase::Judging, folds.count + 1);

    let studied = CrossValidated { folds: &folds, settings, ensemble: &out_of_fold };
    let encoder = context.engine().encoder().map(|encoder| encoder.description().clone());
    let report = Report { encoder, ..data.report(context, &studied, &trained.model)? };
    let mut report = studies::add(context, report, &data, &learner, &studied)?;
    let also = also(HeldOut { context, data: &data, folds: &folds, models: &out_of_fold.models })?;
    let training = data.history(Some(&report), settings, trained.strength);
    let coverage = coverage(&data.labels, &out_of_fold.verdicts, &out_of_fold.probabilities, COVERAGE_STEP);
    let model = Model { coverage, ..data.model(context, trained, training) };
    if let Some(details) = &mut report.details {
        details.provenance.models = vec![model_origin(ENSEMBLE, &model)?];
        details.provenance.notes = notes.lock().map(|notes| notes.clone()).unwrap_or_default();
    }
    Ok((Trained { model, report }, also))
}

impl HeldOut<'_> {
    /// The features of other pairs, and for each of them the folds whose models were trained without its reference: all,
    /// where it is in none of them.
    fn others(&self, others: &[&Pair], place: &str) -> Result<(Table, Vec<Vec<usize>>)> {
        let pairs = &self.data.pairs;
        let groups = grouping::groups(pairs.iter().chain(others).copied());
        let (of_pairs, of_others) = groups.of_row.split_at(pairs.len());
        let mut blind: HashMap<usize, Vec<usize>> = HashMap::new();
        of_pairs.iter().zip(&self.folds.of_row).for_each(|(&group, &fold)| blind.entry(group).or_default().push(fold));
        let of_group = |group| blind.get(group).cloned().unwrap_or_else(|| (0..self.folds.count).collect());
        Ok((self.data.table_of(self.context, others, place)?, of_others.iter().map(of_group).collect()))
    }

    /// The first hypotheses of other pairs with their mean scores s(h, r) by the models that were trained without their
    /// references.
    ///
    /// # Errors
    /// A pair lacks what the features need.
    pub fn scored(&self, others: &[&Pair], place: &str) -> Result<ScoredOutputs> {
        let (table, blind) = self.others(others, place)?;
        let preferences: Vec<Preference> = self.models.iter().map(LinearModel::preference).collect();
        let mean = |(row, folds): (usize, &Vec<usize>)| {
            let sum: f64 = folds.iter().map(|&fold| preferences[fold].scores(&table, row)[0]).sum();
            sum / folds.len() as f64
        };
        let scores = blind.iter().enumerate().map(mean).collect();
        Ok(ScoredOutputs::of_table(&table, scores))
    }
}

/// Trains the ensemble on all judgments without a report, for callers that evaluate it themselves.
///
/// # Errors
/// As for [`train`], except for the number of references.
pub fn fit(context: Context<'_>, sources: &[Source], settings: &TrainSettings) -> Result<Model> {
    let learner = LogisticRegression::new(settings.fit.clone())?;
    let data = checked_data(context, sources, settings)?;
    let tell = context.progress("learning", 1);
    let trained = learning::train(&learner, data.labelled(), &settings.validation)?;
    tell(1);
    let training = data.history(None, settings, trained.strength);
    Ok(data.model(context, trained, training))
}

/// The probabilities of labelled pairs, each by a judge that was trained without its reference; and those of other pairs:
/// the mean over the judges of all folds, or over those that were trained without the pair's reference where it has
/// labels. Zrnic and Candès 2024, "Cross-Prediction-Powered Inference", section 3.
///
/// # Errors
/// As for [`train`].
pub(super) fn cross_fit(
    context: Context<'_>,
    source: &Source,
    others: &[&Pair],
    settings: &TrainSettings,
) -> Result<[Vec<Probabilities>; 2]> {
    let learner = LogisticRegression::new(settings.fit.clone())?;
    let data = checked_data(context, std::slice::from_ref(source), settings)?;
    let validation = &settings.validation;
    let folds = split(&data.groups, validation.folds, validation.seed)?;
    let tell = |phase, done| context.emit(progress_of(phase, done, folds.count));
    let out_of_fold = cross_validate(&learner, data.labelled(), &folds, validation, &tell)?;
    tell(Phase::Judging, folds.count + 1);
    let held_out = HeldOut { context, data: &data, folds: &folds, models: &out_of_fold.models };
    let (table, blind) = held_out.others(others, &source.name)?;
    let mean = |row: usize| {
        let given = blind[row].iter().map(|&fold| out_of_fold.models[fold].probabilities(&table, row).0);
        let mut sums = [0.0; 3];
        given.for_each(|given| sums.iter_mut().zip(given).for_each(|(sum, given)| *sum += given));
        Probabilities(sums.map(|sum| sum / blind[row].len() as f64))
    };
    Ok([out_of_fold.probabilities, (0..others.len()).map(mean).collect()])
}

/// The data of a training, after checks and warnings.
fn checked_data<'s>(context: Context<'_>, sources: &'s [Source], settings: &TrainSettings) -> Result<Data<'s>> {
    sources.iter().try_for_each(check_weight)?;
    settings.validation.check()?;
    for Source { name, judgments, .. } in sources {
        warnings::warn_labels(context, name, judgments.iter().map(|judgment| (&judgment.pair, judgment.label)));
    }
    let data = Data::new(context, sources, settings)?;
    let place = sources.first().map_or("pairs", |source| &source.name);
    let judges: Vec<ExternalJudge> = data.schema.judges().cloned().collect();
    warnings::check_judges(context, &judges, data.pairs.iter().copied(), place)?;
    warnings::warn_language(context, &data.schema, data.pairs.iter().copied());
    warnings::warn_external_metrics(context, &data.schema, &data.table, &data.labels);
    if data.labels.len() > MAX_TUNING_PAIRS {
        let (part, all, unit) = (MAX_TUNING_PAIRS, data.labels.len(), unit(data.pairs.iter().copied()));
        context.note(format!(
            "Penalty and tie rule are tuned on a sample of at most {part} of the {all} pairs (whole {unit}s, drawn \
             with the seed); training and evaluation use all pairs."
        ));
    }
    Ok(data)
}

/// The progress of cross-validation, with one more fit for the final model.
fn progress_of(phase: Phase, done: usize, folds: usize) -> Event {
    match phase {
        Phase::Tuning => Event::Progress { step: "choosing the penalty", done, of: Some(folds) },
        Phase::Judging => Event::Progress { step: "cross-validating", done, of: Some(folds + 1) },
    }
}

fn check_weight(source: &Source) -> Result<()> {
    if source.weight.is_finite() && source.weight > 0.0 {
        return Ok(());
    }
    let advice = "give each file a positive number, or omit it";
    Err(Error::invalid("`file_weights`", "positive numbers", source.weight.to_string(), advice))
}
