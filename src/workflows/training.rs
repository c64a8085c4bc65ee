//! What a training works on: pairs with their features, labels and groups; then the report of their cross-validation, and
//! the training history for the model file.

use std::collections::BTreeMap;

use rayon::prelude::*;

use super::breakdowns::breakdowns;
use super::context::{Context, Engine};
use super::details::DetailSettings;
use super::draws::probabilities_of_labels;
use super::explain::Explainer;
use super::judge::chosen_with;
use super::systems;
use super::warnings;
use crate::error::Result;
use crate::evaluation::Groups;
use crate::features::{Choice, Extractor, Schema, Table};
use crate::formats::Signals;
use crate::judgments::grouping;
use crate::judgments::{Judgment, Pair, Verdict};
use crate::learners::logistic::{FamilyShare, LinearModel, LogisticSettings};
use crate::learning::{Folds, Labelled, OutOfFold, ScoreScale, Trained, Validation};
use crate::model::references::reference_fingerprint;
use crate::model::{Model, Training};
use crate::report::details::{Details, FamilyRange};
use crate::report::judged_pairs::JudgedPairs;
use crate::report::people;
use crate::report::{BASELINE, ENSEMBLE, GainPower, Part, Report, ReportSettings, Subject, System};
use crate::text::punctuation::tokenised_share;

/// Judgments of one file or other origin.
#[derive(Debug, Clone)]
pub struct Source {
    /// Its name in reports.
    pub name: String,
    /// The pairs with human labels.
    pub judgments: Vec<Judgment>,
    /// The factor on the weight of each of its pairs in training; above 0.
    pub weight: f64,
}

/// Settings of [`train`](crate::workflows::train()).
#[derive(Debug, Clone)]
pub struct TrainSettings {
    /// Folds, tie rule, seed.
    pub validation: Validation,
    /// Penalties, tolerance.
    pub fit: LogisticSettings,
    /// The features to learn from, without external ones, and the language of the texts.
    pub features: Choice,
    /// The signals beside the pairs to learn from.
    pub signals: Signals,
    /// How much worse than an annotator a system may be, see
    /// [`AlternativeTest`](crate::evaluation::AlternativeTest::epsilon).
    pub epsilon: f64,
    /// The column that the accuracy is broken down by, which the pairs were read with; see [`Pair::part`].
    pub by_column: Option<String>,
    /// Whether to report the ablation of feature families.
    pub ablation: bool,
    /// Whether to report the learning curve over the number of references.
    pub curve: bool,
    /// Settings for the further contents of a page, which has quick versions of studies that were not requested; `None`
    /// for no page.
    pub details: Option<DetailSettings>,
}

impl Default for TrainSettings {
    fn default() -> Self {
        Self {
            validation: Validation::default(),
            fit: LogisticSettings::default(),
            features: Choice::default(),
            signals: Signals::default(),
            epsilon: people::EPSILON,
            by_column: None,
            ablation: false,
            curve: false,
            details: None,
        }
    }
}

/// What reports and studies need from cross-validation.
pub(super) struct CrossValidated<'a> {
    pub folds: &'a Folds,
    pub settings: &'a TrainSettings,
    /// The ensemble's verdicts and judges, out of fold.
    pub ensemble: &'a OutOfFold<LinearModel>,
}

/// The training data: pairs, labels, groups, weights and features.
pub(super) struct Data<'s> {
    engine: Engine,
    sources: &'s [Source],
    pub pairs: Vec<&'s Pair>,
    pub labels: Vec<Verdict>,
    pub groups: Groups,
    weights: Vec<f64>,
    extractor: Extractor,
    /// All features, if studies need them.
    pub everything: Option<Table>,
    /// The features to learn from.
    pub table: Table,
    pub schema: Schema,
}

impl<'s> Data<'s> {
    pub fn new(context: Context<'_>, sources: &'s [Source], settings: &TrainSettings) -> Result<Self> {
        let judgments = || sources.iter().flat_map(|source| &source.judgments);
        let pairs: Vec<&Pair> = judgments().map(|judgment| &judgment.pair).collect();
        let has_references = pairs.iter().any(|pair| !pair.references.is_empty());
        let all = Extractor::of_pairs(context.engine().lexicons(), has_references)?;
        let features = chosen_with(settings.features.clone(), &settings.signals, || pairs.iter().copied());
        let schema = features.select(all.schema())?;
        let extractor = all.with_external(schema.external().cloned().collect());
        for source in sources {
            // All rows of the report are computed from the same pairs, whatever the model learns from.
            extractor.schema().check(source.judgments.iter().map(|judgment| &judgment.pair), &source.name)?;
        }
        warnings::warn_rows(context, &extractor, settings.features.language(), &pairs);
        warnings::warn_annotators(context, &pairs);
        if !has_references {
            warnings::warn_comet(context, &schema, warnings::WITHOUT_REFERENCES);
        }
        let everything = extractor.extract(pairs.iter().copied(), &context.feature_progress());
        Ok(Self {
            engine: context.engine().clone(),
            labels: judgments().map(|judgment| judgment.label).collect(),
            groups: grouping::groups(pairs.iter().copied()),
            weights: weights(sources)?,
            table: everything.select_columns(extractor.schema(), &schema),
            sources,
            pairs,
            extractor,
            everything: settings.ablation.then_some(everything),
            schema,
        })
    }

    /// The data as the ensemble sees it.
    pub fn labelled(&self) -> Labelled<'_, Table> {
        Labelled { table: &self.table, labels: &self.labels, groups: &self.groups, weights: &self.weights }
    }

    /// The features to learn from of other pairs, which errors call `place`.
    ///
    /// # Errors
    /// A pair lacks what they need.
    pub fn table_of(&self, context: Context<'_>, pairs: &[&Pair], place: &str) -> Result<Table> {
        self.schema.check(pairs.iter().copied(), place)?;
        let extractor = Extractor::for_schema(self.engine.lexicons(), &self.schema, place)?;
        Ok(extractor.extract(pairs.iter().copied(), &context.feature_progress()))
    }

    /// The columns of [`Self::everything`].
    pub fn all_features(&self) -> &Schema {
        self.extractor.schema()
    }

    pub fn report(
        &self,
        context: Context<'_>,
        cross_validated: &CrossValidated<'_>,
        judge: &LinearModel,
    ) -> Result<Report> {
        let (folds, seed) = (cross_validated.folds, cross_validated.settings.validation.seed);
        let (verdicts, probabilities) =
            (cross_validated.ensemble.verdicts.clone(), cross_validated.ensemble.probabilities.clone());
        let mut systems = vec![System::of_probabilities(ENSEMBLE, verdicts, probabilities)];
        let language = cross_validated.settings.features.language();
        let reported = systems::Scored::new(&self.extractor, &self.schema, &self.table, &self.pairs, language);
        let validation = &cross_validated.settings.validation;
        systems.extend(reported.with_comparators(context, self.labelled(), &self.pairs, folds, validation)?);
        let external = self.schema.external().count();
        let labelled = people::Labelled { pairs: &self.pairs, labels: &self.labels, groups: &self.groups };
        warnings::warn_unrelated(context, labelled, external, &systems);
        let step = context.progress("computing intervals", 2);
        let judged = self.pairs.iter().copied().zip(self.labels.iter().copied());
        let details = cross_validated.settings.details.as_ref();
        let settings =
            ReportSettings { matrix: details.is_some(), ..ReportSettings::new(Subject::OutOfFold(folds.count), seed) };
        let judges = systems::named_judges(&self.schema);
        let mut report = Report::new(&self.labels, &self.groups, &systems, settings)
            .with_agreement(judged)
            .with_people(labelled, &systems, &judges, cross_validated.settings.epsilon)
            .with_gain(GainPower::GAIN, 0);
        report.families = judge.family_shares(&self.table, &self.schema);
        step(1);
        let (files, by_column) = (self.sources.iter(), cross_validated.settings.by_column.as_deref());
        let files = files.map(|source| (source.name.clone(), Some(source.weight), source.judgments.len()));
        report.breakdowns = breakdowns(Part::of_files(files), by_column, labelled, &systems)?;
        step(2);
        if let Some(settings) = details {
            let details = self.details(&systems, cross_validated, &report.families, settings)?;
            report.details = Some(Details { scores: reported.scores(), ..details });
        }
        Ok(report)
    }

    /// The details of a training. Every pair is explained by the judge of its fold, which also gave its verdict.
    /// `shares` are those of the model that learned from all pairs.
    fn details(
        &self,
        systems: &[System],
        CrossValidated { folds, settings, ensemble }: &CrossValidated<'_>,
        shares: &[FamilyShare],
        page: &DetailSettings,
    ) -> Result<Details> {
        let mut end = 0;
        let files = self.sources.iter().map(|source| {
            let start = end;
            end += source.judgments.len();
            (source.name.clone(), start..end)
        });
        let (pairs, labels, groups, seed) = (&self.pairs, &self.labels, &self.groups, settings.validation.seed);
        let judged = JudgedPairs { pairs, labels, groups, systems, files: files.collect(), seed };
        let of_fold = |judge: &LinearModel| judge.family_shares(&self.table, &self.schema);
        let of_folds: Vec<Vec<FamilyShare>> = ensemble.models.par_iter().map(of_fold).collect();
        let provenance = page.provenance(seed, systems::rows(&self.extractor, settings.features.language()))?;
        let explainer = Explainer::new(&self.engine, &self.schema, settings.features.language(), ENSEMBLE)?;
        Ok(judged.details(FamilyRange::all(shares, &of_folds), provenance, |row| {
            let fold = folds.of_row[row];
            let (model, tuned) = (&ensemble.models[fold], &ensemble.tuned[fold]);
            explainer.explain(model, tuned.tie_factor, &self.pairs[row..=row]).swap_remove(0)
        }))
    }

    /// The model file of a regression that learned from all pairs.
    pub fn model(self, context: Context<'_>, trained: Trained<LinearModel>, training: Training) -> Model {
        let preference = trained.model.preference();
        let scores = |row: usize| preference.scores(&self.table, row).map(|score| (score, self.labelled().weight(row)));
        let scores: Vec<(f64, f64)> = (0..self.labels.len()).flat_map(scores).collect();
        Model::new(trained, ScoreScale::new(&scores), self.schema, context.engine().wordnet(), training)
    }

    /// The training history for the model file, with the accuracies of `report` if there is one.
    pub fn history(&self, report: Option<&Report>, settings: &TrainSettings, penalty: f64) -> Training {
        let references = self.pairs.iter().flat_map(|pair| pair.references_or_prompt());
        let mut references: Vec<String> = references.map(|reference| reference_fingerprint(reference)).collect();
        references.sort();
        references.dedup();
        let named = |name: &str| report?.row(name).map(|row| (name.to_owned(), row.accuracy));
        let count = |verdict: Verdict| self.labels.iter().filter(|&&label| label == verdict).count();
        Training {
            data: self.sources.iter().map(|source| source.name.as_str()).collect::<Vec<_>>().join(" + "),
            weights: self.sources.iter().map(|source| source.weight).collect(),
            language: settings.features.language().code().to_owned(),
            pairs: self.pairs.len(),
            sample: None,
            groups: self.groups.count,
            labels: Verdict::ALL.iter().map(|&verdict| (verdict.to_string(), count(verdict))).collect(),
            validation: settings.validation.clone(),
            fit: settings.fit.clone(),
            penalty,
            accuracy: [ENSEMBLE, BASELINE].into_iter().filter_map(named).collect::<BTreeMap<_, _>>(),
            references,
            encoder: self
                .engine
                .encoder()
                .filter(|_| self.schema.needs_encoder())
                .map(|encoder| encoder.description().clone()),
            tokenised: tokenised_share(self.pairs.iter().flat_map(|pair| &pair.references).map(String::as_str)),
        }
    }
}

/// The weight of each pair, scaled so that the largest is 1. It is divided by the probability with which the pair was
/// drawn for labelling, where that is known: so the drawn pairs stand for all.
///
/// # Errors
/// That is known of some labels only, and cannot be told for the others.
fn weights(sources: &[Source]) -> Result<Vec<f64>> {
    let mut weights = Vec::new();
    for source in sources {
        let pairs = || source.judgments.iter().map(|judgment| &judgment.pair);
        let drawn = probabilities_of_labels(&source.judgments, &source.name)?;
        let weight =
            |pair: &Pair, drawn: Option<f64>| source.weight * pair.weight.unwrap_or(1.0) / drawn.unwrap_or(1.0);
        weights.extend(pairs().zip(drawn).map(|(pair, drawn)| weight(pair, drawn)));
    }
    let largest = weights.iter().copied().fold(0.0, f64::max);
    if largest > 0.0 {
        weights.iter_mut().for_each(|weight| *weight /= largest);
    }
    Ok(weights)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pairs_that_were_drawn_rarely_weigh_more() {
        let judgment = |weight: Option<f64>, drawn: Option<f64>| Judgment {
            pair: Pair { weight, drawn, ..Pair::new(["a".into(), "b".into()], Vec::new()) },
            label: Verdict::First,
        };
        let judgments = vec![judgment(None, Some(0.5)), judgment(Some(0.5), Some(0.125)), judgment(None, Some(1.0))];
        let source =
            |judgments: &[Judgment]| Source { name: "x.csv".into(), judgments: judgments.to_vec(), weight: 3.0 };
        let found = weights(&[source(&judgments)]).unwrap();
        assert!(
            found.iter().zip([0.5, 1.0, 0.25]).all(|(found, expected)| (found - expected).abs() < 1e-12),
            "{found:?}"
        );
        assert!(weights(&[source(&[judgment(None, Some(0.5)), judgment(None, None)])]).is_err());
    }
}
