//! Training models on pairs with human labels, and comparing models on them.

use std::collections::BTreeMap;
use std::path::PathBuf;

use pyo3::prelude::*;
use tribunal::features::{Choice, Extractor, choice};
use tribunal::judgments::{ExternalJudge, ExternalMetric, Judgment, Language};
use tribunal::learning::{TieRule, Validation};
use tribunal::model::Ties;
use tribunal::report::{GainPower, ReportParts};
use tribunal::workflows::{self, CompareSettings, DetailSettings, NamedModel, Source, TrainSettings};

use crate::faults::raised;
use crate::model::{Model, Models, Rule, engine_of};
use crate::pairs::{Beside, Columns, Own, Reading};
use crate::report::Report;
use crate::values::Names;
use crate::work::{self, engine};

/// A model, and the report of its cross-validated accuracy.
#[pyclass(frozen, module = "tribunal")]
pub struct Trained {
    /// The model, trained on all pairs.
    #[pyo3(get)]
    model: Py<Model>,
    /// The cross-validated report: each pair is judged by a model trained without its reference.
    #[pyo3(get)]
    report: Py<Report>,
}

#[pymethods]
impl Trained {
    #[new]
    fn new(model: Py<Model>, report: Py<Report>) -> Self {
        Self { model, report }
    }

    fn __str__(&self, py: Python<'_>) -> PyResult<String> {
        Ok(self.report.bind(py).str()?.to_string())
    }

    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        self.__str__(py)
    }

    fn _repr_html_<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.report.bind(py).call_method0("_repr_html_")
    }
}

/// Train the ensemble on human-labelled pairs, and report its cross-validated accuracy with that of the summed-metric
/// baseline and of every single metric. Folds are split by reference.
///
/// `pairs` is a list of n tuples `(hyp1, hyp2, ref)`, or a table with the columns hyp1, hyp2, ref and, optionally,
/// label, group, weight and values of own metrics, `NAME.1` and `NAME.2`. `labels`, `groups` and `weights` are lists of
/// n values that replace these columns. Labels are 1 (the first is better), 0 (a tie) or -1; pairs with the same group
/// or a common reference stay in the same fold; weights affect training only. `own` lists own metrics, or maps their
/// names to values: `{"comet": array of shape (n, 2)}`; write `NAME-` if lower is better. With `only_own`, the ensemble
/// is trained on these metrics only, and no references are needed. `without` lists metrics, families or features to
/// exclude, and replaces the default (`meteor`, `meteor2005` and `alignment`).
///
/// `judges` lists automatic judges, whose verdicts are in the column `NAME`, or `NAME.12` and `NAME.21` in both orders of
/// the hypotheses. `annotators` lists columns with the labels of one annotator each; the label is that of the majority,
/// and without one `no_majority` ("tie" or "drop"). With `merge`, rows of the same pair become one. With
/// `majority_weights`, a pair weighs as much as its majority is large. `column` maps roles to names of columns:
/// `{"hyp1": "answer"}`. Without a column ref, the ensemble learns from what needs no reference. `epsilon` is how much
/// worse than an annotator a system may be in the alternative annotator test.
///
/// `folds`, `ties` ("likeliest", "accurate" or a share), `seed`, `language`, `ablation` and `curve` are as in `tribunal
/// train`. `encoder` is the folder of an encoder, whose metrics join the features. With `details`, the report has all contents of its page, which roughly doubles the time. `name` is the name
/// of the data in reports and in the model file.
#[pyfunction]
#[pyo3(signature = (
    pairs, labels=None, *, groups=None, weights=None, own=None, judges=None, only_own=false, annotators=None,
    merge=false, no_majority="tie", majority_weights=false, column=None, without=None, folds=10, ties=None, seed=1,
    language="en", epsilon=0.2, ablation=false, curve=false, details=false, name="pairs", encoder=None
))]
#[expect(clippy::too_many_arguments, reason = "keyword arguments of Python")]
pub fn train(
    py: Python<'_>,
    pairs: &Bound<'_, PyAny>,
    labels: Option<&Bound<'_, PyAny>>,
    groups: Option<&Bound<'_, PyAny>>,
    weights: Option<&Bound<'_, PyAny>>,
    own: Option<&Bound<'_, PyAny>>,
    judges: Option<Names>,
    only_own: bool,
    annotators: Option<Names>,
    merge: bool,
    no_majority: &str,
    majority_weights: bool,
    column: Option<BTreeMap<String, String>>,
    without: Option<Names>,
    folds: usize,
    ties: Option<Rule>,
    seed: u64,
    language: &str,
    epsilon: f64,
    ablation: bool,
    curve: bool,
    details: bool,
    name: &str,
    encoder: Option<PathBuf>,
) -> PyResult<Trained> {
    let reading = Reading::of(judges, annotators, column, (merge, no_majority, majority_weights))?;
    let own = Own::of(own)?;
    let columns = Columns::of(pairs, &Beside { labels, groups, weights, own: Some(&own), names: &reading.names })?;
    let language: Language = language.parse().map_err(raised)?;
    let learning = Learning { own: own.metrics, reading, only_own, without, ties, seed, language: language.clone() };
    let settings = TrainSettings {
        epsilon,
        ablation,
        curve,
        details: details.then(DetailSettings::default),
        ..learning.settings(folds)?
    };
    let name = name.to_owned();
    let engine = engine(encoder.as_deref())?;
    let trained = work::run(py, &engine, move |context| {
        let judgments = learning.judgments(&columns)?;
        let settings = TrainSettings { features: learning.with_judges(&settings, &judgments), ..settings };
        let source = Source { name, judgments, weight: 1.0 };
        let mut trained = workflows::train(context, &[source], &settings)?;
        if !details {
            trained.report.keep(ReportParts { matrix: false, ablation, curve });
        }
        Ok(trained)
    })?;
    Ok(Trained {
        model: Py::new(py, trained_model(trained.model, language, encoder)?)?,
        report: Py::new(py, Report::new(trained.report))?,
    })
}

/// The arguments that `train` and `fit` share.
struct Learning {
    own: Vec<ExternalMetric>,
    reading: Reading,
    only_own: bool,
    without: Option<Names>,
    ties: Option<Rule>,
    seed: u64,
    language: Language,
}

impl Learning {
    fn settings(&self, folds: usize) -> PyResult<TrainSettings> {
        let ties = Rule::read::<TieRule>(self.ties.clone())?.unwrap_or_default();
        let without = self.without.clone().map_or_else(choice::on_request, |names| names.0);
        let choice = Choice::without(&without, self.language.clone()).with_own(self.own.clone());
        Ok(TrainSettings {
            validation: Validation { folds, ties, seed: self.seed },
            features: if self.only_own { choice.only_own() } else { choice },
            ..TrainSettings::default()
        })
    }

    fn judgments(&self, columns: &Columns) -> tribunal::Result<Vec<Judgment>> {
        columns.judgments(&self.reading.frame(self.own.clone()))
    }

    /// The features to learn from, with the judges as the pairs show them.
    fn with_judges(&self, settings: &TrainSettings, judgments: &[Judgment]) -> Choice {
        let pairs = || judgments.iter().map(|judgment| &judgment.pair);
        let judges = self.reading.judges.iter().map(|name| ExternalJudge::seen_in(name, pairs())).collect();
        settings.features.clone().with_judges(judges)
    }
}

/// Validate the arguments of `train` without data; raises the same errors.
#[pyfunction]
#[pyo3(signature = (*, own, without, folds, ties, seed, language, encoder=None))]
pub fn check_settings(
    own: &Bound<'_, PyAny>,
    without: Option<Names>,
    folds: usize,
    ties: Option<Rule>,
    seed: u64,
    language: &str,
    encoder: Option<PathBuf>,
) -> PyResult<()> {
    let (own, language) = (Own::of(Some(own))?.metrics, language.parse().map_err(raised)?);
    let learning = Learning { own, reading: Reading::default(), only_own: false, without, ties, seed, language };
    let settings = learning.settings(folds)?;
    settings.validation.check().map_err(raised)?;
    let all = Extractor::all(engine(encoder.as_deref())?.lexicons()).map_err(raised)?;
    settings.features.of(all.schema()).map(|_| ()).map_err(raised)
}

/// A model that was just trained, under the name that reports give it.
pub fn trained_model(model: tribunal::model::Model, language: Language, encoder: Option<PathBuf>) -> PyResult<Model> {
    let named = NamedModel { name: "ensemble".to_owned(), source_name: "ensemble".to_owned(), model };
    Model::new(named, language, encoder)
}

/// Train the ensemble without a report, for callers that cross-validate themselves. Takes the same arguments as
/// `train`.
#[pyfunction]
#[pyo3(signature = (
    pairs, labels=None, *, groups=None, weights=None, own=None, judges=None, only_own=false, annotators=None,
    merge=false, no_majority="tie", majority_weights=false, column=None, without=None, ties=None, seed=1,
    language="en", name="pairs", encoder=None
))]
#[expect(clippy::too_many_arguments, reason = "keyword arguments of Python")]
pub fn fit(
    py: Python<'_>,
    pairs: &Bound<'_, PyAny>,
    labels: Option<&Bound<'_, PyAny>>,
    groups: Option<&Bound<'_, PyAny>>,
    weights: Option<&Bound<'_, PyAny>>,
    own: Option<&Bound<'_, PyAny>>,
    judges: Option<Names>,
    only_own: bool,
    annotators: Option<Names>,
    merge: bool,
    no_majority: &str,
    majority_weights: bool,
    column: Option<BTreeMap<String, String>>,
    without: Option<Names>,
    ties: Option<Rule>,
    seed: u64,
    language: &str,
    name: &str,
    encoder: Option<PathBuf>,
) -> PyResult<Model> {
    let reading = Reading::of(judges, annotators, column, (merge, no_majority, majority_weights))?;
    let own = Own::of(own)?;
    let columns = Columns::of(pairs, &Beside { labels, groups, weights, own: Some(&own), names: &reading.names })?;
    let language: Language = language.parse().map_err(raised)?;
    let learning = Learning { own: own.metrics, reading, only_own, without, ties, seed, language: language.clone() };
    let settings = learning.settings(Validation::default().folds)?;
    let name = name.to_owned();
    let engine = engine(encoder.as_deref())?;
    let model = work::run(py, &engine, move |context| {
        let judgments = learning.judgments(&columns)?;
        let settings = TrainSettings { features: learning.with_judges(&settings, &judgments), ..settings };
        let source = Source { name, judgments, weight: 1.0 };
        workflows::fit(context, &[source], &settings)
    })?;
    trained_model(model, language, encoder)
}

/// Compare trained models, the summed-metric baseline and every single metric with human labels. Takes the same
/// arguments as `train`; `models` defaults to the built-in model for the language, and `ties` is the tie rule of the
/// models, as in `Model.predict`.
#[pyfunction]
#[pyo3(signature = (
    pairs, labels=None, *, models=None, groups=None, own=None, judges=None, annotators=None, merge=false,
    no_majority="tie", column=None, ties=None, seed=1, language="en", epsilon=0.2, details=false,
    encoder=None
))]
#[expect(clippy::too_many_arguments, reason = "keyword arguments of Python")]
pub fn compare(
    py: Python<'_>,
    pairs: &Bound<'_, PyAny>,
    labels: Option<&Bound<'_, PyAny>>,
    models: Option<Models>,
    groups: Option<&Bound<'_, PyAny>>,
    own: Option<&Bound<'_, PyAny>>,
    judges: Option<Names>,
    annotators: Option<Names>,
    merge: bool,
    no_majority: &str,
    column: Option<BTreeMap<String, String>>,
    ties: Option<Rule>,
    seed: u64,
    language: &str,
    epsilon: f64,
    details: bool,
    encoder: Option<PathBuf>,
) -> PyResult<Report> {
    let mut reading = Reading::of(judges, annotators, column, (merge, no_majority, false))?;
    let language: Language = language.parse().map_err(raised)?;
    let Models { mut models, engine: of_model } = models.unwrap_or_default();
    let is_built_in = models.is_empty();
    let engine = engine_of(encoder, of_model)?;
    if is_built_in {
        models.push(NamedModel::read(None, &engine, &language).map_err(raised)?);
    }
    let named = reading.judges.clone();
    let needed = models.iter().flat_map(|named| &named.model.schema.judges).map(|judge| judge.name.clone());
    reading.add_judges(needed.collect());
    let mut own = Own::of(own)?;
    own.metrics = workflows::with_needed(&models, own.metrics);
    let columns =
        Columns::of(pairs, &Beside { labels, groups, weights: None, own: Some(&own), names: &reading.names })?;
    let settings = CompareSettings {
        ties: Rule::read::<Ties>(ties)?,
        own: own.metrics.clone(),
        judges: named,
        source_name: "pairs".to_owned(),
        epsilon,
        against: None,
        matrix: details,
        gain: GainPower::GAIN,
        language,
        seed,
        details: details.then(DetailSettings::default),
    };
    let reading = reading.frame(own.metrics);
    let report = work::run(py, &engine, move |context| {
        let judgments = columns.judgments(&reading)?;
        // The built-in model needs references.
        if is_built_in && judgments.iter().all(|judgment| judgment.pair.references.is_empty()) {
            models.clear();
        }
        workflows::compare(context, models, &judgments, &settings)
    })?;
    Ok(Report::new(report))
}
