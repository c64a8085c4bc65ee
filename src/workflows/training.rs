//! In: sources of judgments and settings. Out: all that is known of the pairs before anything is learned; then a
//! report, and what the model file says of its past. Next: train, studies.

mod details;

use std::collections::BTreeMap;

use super::details::DetailSettings;
use super::engine::Engine;
use super::event::{Listener, progress};
use super::{own, systems};
use crate::error::Result;
use crate::features::{Choice, Extractor, Schema, Table};
use crate::judgments::grouping::Groups;
use crate::judgments::{Judgment, Pair, Verdict};
use crate::learners::logistic::{LinearJudge, LogisticSettings, shares};
use crate::learning::{CheckedValidation, Folds, Labelled, OutOfFold, Validation};
use crate::model::Training;
use crate::model::references::reference_fingerprint;
use crate::report::{Against, BASELINE, ENSEMBLE, FileRow, Report, ReportSettings, Subject, System};
use crate::text::spacing::tokenised_share;

/// Judgments of one file, or from wherever else.
#[derive(Debug, Clone)]
pub struct Source {
    /// What reports call it.
    pub name: String,
    /// The pairs with what people said of them.
    pub judgments: Vec<Judgment>,
    /// How much each of its pairs counts in training, times the pair's own weight; above 0.
    pub weight: f64,
}

/// What can be chosen of training.
#[derive(Debug, Clone, Default)]
pub struct TrainSettings {
    /// Folds, rule for ties, seed.
    pub validation: Validation,
    /// Penalties, tolerance.
    pub fit: LogisticSettings,
    /// Which features are learned from, and the language of the texts.
    pub features: Choice,
    /// Whether to report what each family of features is worth.
    pub ablation: bool,
    /// Whether to report what more references are worth.
    pub curve: bool,
    /// Whether to report all that a page shows, with quick studies where they are not asked for.
    pub details: Option<DetailSettings>,
}

/// What studies are made with.
pub(super) struct Studied<'a> {
    pub folds: &'a Folds,
    pub validation: &'a CheckedValidation,
    pub settings: &'a TrainSettings,
    /// What the ensemble says out of fold.
    pub ensemble: &'a OutOfFold<LinearJudge>,
}

/// All that is known of the pairs before anything is learned.
pub(super) struct Data<'s> {
    engine: Engine,
    sources: &'s [Source],
    pub pairs: Vec<&'s Pair>,
    pub labels: Vec<Verdict>,
    pub groups: Groups,
    weights: Vec<f64>,
    extractor: Extractor,
    /// All features, where studies need them.
    pub everything: Option<Table>,
    /// The features that are learned from.
    pub table: Table,
    pub schema: Schema,
}

impl<'s> Data<'s> {
    pub fn new(
        engine: &Engine,
        sources: &'s [Source],
        settings: &TrainSettings,
        listener: Listener<'_>,
    ) -> Result<Self> {
        let all = Extractor::all(engine.lexicons())?;
        let schema = settings.features.of(all.schema())?;
        for source in sources {
            schema.check(source.judgments.iter().map(|judgment| &judgment.pair), &source.name)?;
        }
        let judgments = || sources.iter().flat_map(|source| &source.judgments);
        let pairs: Vec<&Pair> = judgments().map(|judgment| &judgment.pair).collect();
        // Of pairs without references no metric of texts is computed, not even for the report.
        let extractor = own::extractor(engine, all, &schema.own, pairs.iter().copied())?;
        let everything = extractor.extract(pairs.iter().copied(), &super::judge::features(listener));
        Ok(Self {
            engine: engine.clone(),
            labels: judgments().map(|judgment| judgment.label).collect(),
            groups: Groups::of(pairs.iter().copied()),
            weights: weights(sources),
            table: everything.narrowed(extractor.schema(), &schema),
            sources,
            pairs,
            extractor,
            everything: (settings.ablation || settings.details.is_some()).then_some(everything),
            schema,
        })
    }

    /// The pairs as the ensemble sees them.
    pub fn labelled(&self) -> Labelled<'_, Table> {
        Labelled { table: &self.table, labels: &self.labels, groups: &self.groups, weights: &self.weights }
    }

    /// The columns of [`Self::everything`].
    pub fn all_features(&self) -> &Schema {
        self.extractor.schema()
    }

    pub fn report(&self, studied: &Studied<'_>, judge: &LinearJudge, listener: Listener<'_>) -> Result<Report> {
        let (folds, seed) = (studied.folds, studied.validation.seed());
        let (verdicts, probabilities) = (studied.ensemble.verdicts.clone(), studied.ensemble.probabilities.clone());
        let mut systems = vec![System::of_probabilities(ENSEMBLE, verdicts, probabilities)];
        let reported = systems::Scored::new(&self.extractor, &self.table);
        let split = systems::Split { folds, validation: studied.validation };
        systems.extend(reported.with_comparators(self.labelled(), &self.pairs, split, listener)?);
        let step = progress(listener, "computing intervals", self.sources.len() + 1);
        let judged = self.pairs.iter().copied().zip(self.labels.iter().copied());
        let details = studied.settings.details.as_ref();
        let settings =
            ReportSettings { matrix: details.is_some(), ..ReportSettings::new(Subject::OutOfFold(folds.count), seed) };
        let mut report = Report::of(&self.labels, &self.groups, &systems, settings).with_agreement(judged);
        report.families = shares::families(judge, &self.table, &self.schema);
        step(1);
        report.files = self.files(&systems, seed, &|done| step(done + 1));
        step(self.sources.len() + 1);
        if let Some(settings) = details {
            report.details = Some(self.details(&systems, studied, &report.families, settings)?);
        }
        Ok(report)
    }

    /// The systems on each of several sources.
    fn files(&self, systems: &[System], seed: u64, progress: &dyn Fn(usize)) -> Vec<FileRow> {
        if self.sources.len() == 1 {
            return Vec::new();
        }
        let mut start = 0;
        let row = |(done, source): (usize, &Source)| {
            progress(done);
            let rows: Vec<usize> = (start..start + source.judgments.len()).collect();
            start += rows.len();
            let people: Vec<Verdict> = rows.iter().map(|&row| self.labels[row]).collect();
            let systems: Vec<System> = systems.iter().map(|system| system.of_rows(&rows)).collect();
            let groups = self.groups.subset(&rows);
            let settings =
                ReportSettings { against: Against::Nothing, ..ReportSettings::new(Subject::OutOfFold(0), seed) };
            let report = Report::of(&people, &groups, &systems, settings);
            FileRow::new(source.name.clone(), source.weight, groups.count, report)
        };
        self.sources.iter().enumerate().map(row).collect()
    }

    /// What the model file says of its past; `report` is what was reached out of fold, if that was measured.
    pub fn history(&self, report: Option<&Report>, settings: &TrainSettings, penalty: f64) -> Training {
        let references = self.pairs.iter().flat_map(|pair| &pair.references);
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
            tokenised: tokenised_share(self.pairs.iter().flat_map(|pair| &pair.references).map(String::as_str)),
        }
    }
}

/// How much each pair counts, at most 1.
fn weights(sources: &[Source]) -> Vec<f64> {
    let of_source = |source: &Source| {
        let factor = source.weight;
        source.judgments.iter().map(move |judgment| factor * judgment.pair.weight.unwrap_or(1.0)).collect::<Vec<_>>()
    };
    let weights: Vec<f64> = sources.iter().flat_map(of_source).collect();
    let largest = weights.iter().copied().fold(0.0, f64::max);
    if largest > 0.0 { weights.into_iter().map(|weight| weight / largest).collect() } else { weights }
}
