//! Training models on pairs with human labels, and comparing models on them.

use std::path::PathBuf;

use pyo3::prelude::*;
use pyo3::types::PyDict;
use tribunal::features::{Choice, Extractor, choice};
use tribunal::formats::FrameReading;
use tribunal::judgments::{Language, Verdict};
use tribunal::learning::{TieRule, Validation};
use tribunal::model::Ties;
use tribunal::report::people::EPSILON;
use tribunal::report::{ReportParts, System};
use tribunal::workflows::{self, CompareSettings, DetailSettings, NamedModel, OutputSettings, Source, TrainSettings};

use crate::faults::{raised, wrong_value};
use crate::model::{Model, Models, Rule};
use crate::outputs::OutputReport;
use crate::pairs::{Argument, Columns, NO_VOTES, Reading};
use crate::report::Report;
use crate::values::{items, names};
use crate::work::{self, CometFolder, Folders, engine};

/// A model, and the report of its cross-validated accuracy.
///
/// ```pycon
/// >>> trained = tribunal.train(tribunal.sample("dev"), folds=3)
/// >>> trained.report["ensemble"]["accuracy"] > trained.report["sum"]["accuracy"]
/// True
/// >>> trained.model
/// <tribunal.Model ensemble: English, ... features, trained on 771 pairs (pairs)>
///
/// ```
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

    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        Ok(self.report.bind(py).str()?.to_string())
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
/// `judges` lists automatic judges, whose verdicts are in the column `NAME`, or `NAME.12` and `NAME.21` in both orders
/// of the hypotheses; `NAME:probability`, `NAME:signed`, `NAME:words` or `NAME:one-to-two` declares the scale of their
/// numbers, which the first 1,000 rows show otherwise. `annotators` lists columns with the labels of one annotator
/// each; the label is that of the majority, and without one `no_majority` ("tie" or "drop"). With `merge`, rows of the
/// same pair become one. With `majority_weights`, a pair weighs as much as its majority is large. `column` maps roles
/// to names of columns: `{"hyp1": "answer"}`. Without a column ref, the ensemble learns from what needs no reference.
/// `epsilon` is how much worse than an annotator a system may be in the alternative annotator test.
///
/// A table with one `output` a row has labels that pass or fail, or numbers: every two labelled outputs of a prompt are a pair,
/// `own` and `judges` are columns with a value each, and the model's score of one output is calibrated to its label; the
/// figures are `report.outputs`.
///
/// `folds`, `ties` ("likeliest", "accurate" or a share), `seed`, `language`, `ablation` and `curve` are as in `tribunal
/// train`. `encoder` is the folder of an encoder, whose metrics join the features. With `details`, the report has all
/// contents of its page, which roughly doubles the time. `by_column` names a column, for each value of which the report also has
/// the accuracies, and their mean: `report.breakdowns`. `name` is the name of the data in reports and in the model
/// file.
///
/// ```pycon
/// >>> trained = tribunal.train(tribunal.sample("dev"), own=["judge"], folds=5)
/// >>> trained.report["ensemble"]["accuracy"] > trained.report["meteor"]["accuracy"]
/// True
/// >>> trained.model.predict(tribunal.sample("new"))
/// array([...], dtype=int8)
///
/// ```
#[pyfunction]
#[pyo3(signature = (
    pairs, labels=None, *, groups=None, weights=None, own=None, judges=None, only_own=false, annotators=None,
    merge=false, no_majority="tie", majority_weights=false, column=None, without=None, folds=10, ties=None, seed=1,
    language="en", epsilon=0.2, ablation=false, curve=false, details=false, by_column=None, name="pairs", encoder=None, comet=None
))]
#[expect(clippy::too_many_arguments, reason = "keyword arguments of Python")]
pub fn train(
    py: Python<'_>,
    pairs: &Bound<'_, PyAny>,
    labels: Argument<'_, '_>,
    groups: Argument<'_, '_>,
    weights: Argument<'_, '_>,
    own: Argument<'_, '_>,
    judges: Argument<'_, '_>,
    only_own: bool,
    annotators: Argument<'_, '_>,
    merge: bool,
    no_majority: &str,
    majority_weights: bool,
    column: Argument<'_, '_>,
    without: Argument<'_, '_>,
    folds: usize,
    ties: Option<Rule>,
    seed: u64,
    language: &str,
    epsilon: f64,
    ablation: bool,
    curve: bool,
    details: bool,
    by_column: Option<String>,
    name: &str,
    encoder: Option<PathBuf>,
    comet: Option<CometFolder>,
) -> PyResult<Trained> {
    let reading = Reading::new(own, judges, annotators, column, (merge, no_majority, majority_weights))?;
    let reading = reading.with_breakdown(by_column);
    let columns = Columns::new(pairs, &reading, [labels, groups, weights])?;
    let learning = Learning::new(reading.frame(), only_own, without, ties, seed, language)?;
    let language = learning.language.clone();
    let (name, folders) = (name.to_owned(), Folders { encoder, comet });
    let engine = engine(&folders)?;
    let are_outputs = columns.are_outputs(&learning.reading)?;
    let trained = work::run(py, &engine, move |context| {
        let outputs = if are_outputs { Some(columns.outputs(&learning.reading)?) } else { None };
        let judgments = if are_outputs { Vec::new() } else { columns.judgments(&learning.reading)? };
        let settings = learning.settings();
        let validation = Validation { folds, ..settings.validation };
        let details_of = details.then(DetailSettings::default);
        let settings = TrainSettings { validation, epsilon, ablation, curve, details: details_of, ..settings };
        let mut trained = match outputs {
            Some(outputs) => workflows::train_outputs(context, &name, outputs, &settings)?,
            None => workflows::train(context, &[Source { name, judgments, weight: 1.0 }], &settings)?,
        };
        if !details {
            trained.report.keep(ReportParts { matrix: false, ablation, curve });
        }
        Ok(trained)
    })?;
    Ok(Trained {
        model: Py::new(py, trained_model(trained.model, language, folders)?)?,
        report: Py::new(py, Report::new(trained.report))?,
    })
}

/// How a model is trained.
struct Learning {
    reading: FrameReading,
    language: Language,
    /// The features, without external ones.
    features: Choice,
    validation: Validation,
}

impl Learning {
    fn new(
        reading: FrameReading,
        only_own: bool,
        without: Argument<'_, '_>,
        ties: Option<Rule>,
        seed: u64,
        language: &str,
    ) -> PyResult<Self> {
        let language: Language = language.parse().map_err(raised)?;
        let without = names("without", without)?.unwrap_or_else(choice::on_request);
        let features = Choice::without(&without, language.clone());
        Ok(Self {
            reading,
            language,
            features: if only_own { features.only_external() } else { features },
            validation: Validation {
                ties: Rule::read::<TieRule>(ties)?.unwrap_or_default(),
                seed,
                ..Validation::default()
            },
        })
    }

    /// The settings for these signals and features.
    fn settings(self) -> TrainSettings {
        let Self { features, validation, reading: FrameReading { signals, by_column, .. }, .. } = self;
        TrainSettings { features, signals, by_column, validation, ..TrainSettings::default() }
    }
}

/// Validate the arguments of `train` without data; raises the same errors.
#[pyfunction]
#[pyo3(signature = (*, own, without, folds, ties, seed, language, encoder=None, comet=None))]
#[expect(clippy::too_many_arguments, reason = "keyword arguments of Python")]
pub fn check_settings(
    own: &Bound<'_, PyAny>,
    without: Argument<'_, '_>,
    folds: usize,
    ties: Option<Rule>,
    seed: u64,
    language: &str,
    encoder: Option<PathBuf>,
    comet: Option<CometFolder>,
) -> PyResult<()> {
    let reading = Reading::new(Some(own), None, None, None, NO_VOTES)?.frame();
    let learning = Learning::new(reading, false, without, ties, seed, language)?;
    Validation { folds, ..learning.validation }.check().map_err(raised)?;
    let all = Extractor::all(engine(&Folders { encoder, comet })?.lexicons()).map_err(raised)?;
    workflows::chosen_with(learning.features, &learning.reading.signals, std::iter::empty)
        .select(all.schema())
        .map(|_| ())
        .map_err(raised)
}

/// A model that was just trained, under the name that reports give it.
pub fn trained_model(model: tribunal::model::Model, language: Language, folders: Folders) -> PyResult<Model> {
    let named = NamedModel { name: "ensemble".to_owned(), source_name: "ensemble".to_owned(), model };
    Model::new(named, language, folders)
}

/// Train the ensemble without a report, for callers that cross-validate themselves. Takes the same arguments as
/// `train`.
///
/// ```pycon
/// >>> tribunal.fit(tribunal.sample("dev"), own=["judge"]).own
/// ['judge']
///
/// ```
#[pyfunction]
#[pyo3(signature = (
    pairs, labels=None, *, groups=None, weights=None, own=None, judges=None, only_own=false, annotators=None,
    merge=false, no_majority="tie", majority_weights=false, column=None, without=None, ties=None, seed=1,
    language="en", name="pairs", encoder=None, comet=None
))]
#[expect(clippy::too_many_arguments, reason = "keyword arguments of Python")]
pub fn fit(
    py: Python<'_>,
    pairs: &Bound<'_, PyAny>,
    labels: Argument<'_, '_>,
    groups: Argument<'_, '_>,
    weights: Argument<'_, '_>,
    own: Argument<'_, '_>,
    judges: Argument<'_, '_>,
    only_own: bool,
    annotators: Argument<'_, '_>,
    merge: bool,
    no_majority: &str,
    majority_weights: bool,
    column: Argument<'_, '_>,
    without: Argument<'_, '_>,
    ties: Option<Rule>,
    seed: u64,
    language: &str,
    name: &str,
    encoder: Option<PathBuf>,
    comet: Option<CometFolder>,
) -> PyResult<Model> {
    let reading = Reading::new(own, judges, annotators, column, (merge, no_majority, majority_weights))?;
    let columns = Columns::new(pairs, &reading, [labels, groups, weights])?;
    let learning = Learning::new(reading.frame(), only_own, without, ties, seed, language)?;
    let language = learning.language.clone();
    let (name, folders) = (name.to_owned(), Folders { encoder, comet });
    let engine = engine(&folders)?;
    let model = work::run(py, &engine, move |context| {
        let judgments = columns.judgments(&learning.reading)?;
        workflows::fit(context, &[Source { name, judgments, weight: 1.0 }], &learning.settings())
    })?;
    trained_model(model, language, folders)
}

/// Compare trained models, the summed-metric baseline and every single metric with human labels. Takes the same
/// arguments as `train`; `models` defaults to the built-in model for the language, and `ties` is the tie rule of the
/// models, as in `Model.predict`. `against` is the name of the row that all others are compared with, by default the
/// more accurate of `best-metric` and `majority`; `gain` is the difference in accuracy for which the report tells how
/// many groups show it; `by_column` is as in `train`.
///
/// A table with one `output` a row has labels that pass or fail, or numbers; the result is an `OutputReport` then.
///
/// ```pycon
/// >>> report = tribunal.compare(tribunal.sample("dev"))
/// >>> [system["name"] for system in report.systems][:4]
/// ['ensemble', 'sum', 'majority', 'bleu']
///
/// ```
#[pyfunction]
#[pyo3(signature = (
    pairs, labels=None, *, models=None, groups=None, own=None, judges=None, annotators=None, merge=false,
    no_majority="tie", column=None, ties=None, seed=1, language="en", epsilon=0.2, against=None, gain=0.02,
    details=false, by_column=None, encoder=None, comet=None
))]
#[expect(clippy::too_many_arguments, reason = "keyword arguments of Python")]
pub fn compare(
    py: Python<'_>,
    pairs: &Bound<'_, PyAny>,
    labels: Argument<'_, '_>,
    models: Option<Models>,
    groups: Argument<'_, '_>,
    own: Argument<'_, '_>,
    judges: Argument<'_, '_>,
    annotators: Argument<'_, '_>,
    merge: bool,
    no_majority: &str,
    column: Argument<'_, '_>,
    ties: Option<Rule>,
    seed: u64,
    language: &str,
    epsilon: f64,
    against: Option<String>,
    gain: f64,
    details: bool,
    by_column: Option<String>,
    encoder: Option<PathBuf>,
    comet: Option<CometFolder>,
) -> PyResult<Py<PyAny>> {
    let reading = Reading::new(own, judges, annotators, column, (merge, no_majority, false))?;
    let mut reading = reading.with_breakdown(by_column);
    let language: Language = language.parse().map_err(raised)?;
    let (models, engine) = models.unwrap_or_default().with_engine(&Folders { encoder, comet })?;
    reading.add_needed(&models).map_err(raised)?;
    let (columns, reading) = (Columns::new(pairs, &reading, [labels, groups, None])?, reading.frame());
    if columns.are_outputs(&reading)? {
        let epsilon = (epsilon != EPSILON).then_some(epsilon);
        let settings = OutputSettings { models, language, epsilon, seed, by_column: reading.by_column.clone() };
        let report = work::run(py, &engine, move |context| {
            workflows::compare_outputs(context, "outputs", columns.outputs(&reading)?, &settings)
        })?;
        return Ok(Py::new(py, OutputReport::from(report))?.into_any());
    }
    let settings = CompareSettings {
        ties: Rule::read::<Ties>(ties)?,
        signals: reading.signals.clone(),
        source_name: "pairs".to_owned(),
        files: Vec::new(),
        by_column: reading.by_column.clone(),
        epsilon,
        against,
        matrix: details,
        gain,
        unlabelled: 0,
        language,
        seed,
        details: details.then(DetailSettings::default),
    };
    let report = work::run(py, &engine, move |context| {
        let judgments = columns.judgments(&reading)?;
        workflows::compare(context, models, &judgments, &settings)
    })?;
    Ok(Py::new(py, Report::new(report))?.into_any())
}

/// Report how often verdicts agree with human labels: 1 (the first is better), 0 or -1 for each pair.
///
/// `verdicts` is a list, or maps names to lists, which are then compared with each other. With `pairs`, whose column
/// label `labels` may replace, the report includes the baseline, and intervals and tests resample references; without,
/// they resample single pairs.
///
/// ```pycon
/// >>> report = tribunal.evaluate({"one": [1, 1, -1, 0], "two": [1, 0, 1, 0]}, [1, 1, -1, -1])
/// >>> report["one"]["accuracy"], report["two"]["accuracy"]
/// (0.75, 0.25)
///
/// ```
#[pyfunction]
#[pyo3(signature = (verdicts, labels=None, *, pairs=None, groups=None, column=None, seed=1))]
pub fn evaluate(
    py: Python<'_>,
    verdicts: &Bound<'_, PyAny>,
    labels: Argument<'_, '_>,
    pairs: Argument<'_, '_>,
    groups: Argument<'_, '_>,
    column: Argument<'_, '_>,
    seed: u64,
) -> PyResult<Report> {
    let mut systems: Vec<System> = match verdicts.cast::<PyDict>() {
        Ok(named) => named.iter().map(|(name, given)| system(name.extract()?, &given)).collect::<PyResult<_>>()?,
        Err(_) => vec![system("verdicts".to_owned(), verdicts)?],
    };
    let report = match (pairs, labels) {
        (Some(pairs), _) => {
            let reading = Reading::new(None, None, None, column, NO_VOTES)?;
            let (columns, reading) = (Columns::new(pairs, &reading, [labels, groups, None])?, reading.frame());
            work::run(py, &engine(&Folders::default())?, move |context| {
                let judgments = columns.judgments(&reading)?;
                // The verdicts are about the order of the table.
                for system in &mut systems {
                    let pairs = judgments.iter().map(|judgment| &judgment.pair);
                    let exchanged = system.verdicts.iter_mut().zip(pairs).filter(|(_, pair)| pair.is_exchanged);
                    exchanged.for_each(|(verdict, _)| *verdict = verdict.swapped());
                }
                workflows::evaluate(context, "pairs", systems, &judgments, seed)
            })
        }
        (None, Some(labels)) => {
            let labels = verdicts_in("labels", labels)?;
            work::run(py, &engine(&Folders::default())?, move |context| {
                workflows::evaluate_alone(context, &systems, &labels, seed)
            })
        }
        (None, None) => Err(wrong_value("labels", "human labels", "none", "give labels, or pairs with them")),
    };
    Ok(Report::new(report?))
}

fn system(name: String, verdicts: &Bound<'_, PyAny>) -> PyResult<System> {
    let verdicts = verdicts_in(&name, verdicts)?;
    Ok(System::of_verdicts(name, verdicts))
}

/// The verdicts of a list.
fn verdicts_in(place: &str, list: &Bound<'_, PyAny>) -> PyResult<Vec<Verdict>> {
    let verdict = |(row, value): (usize, &Bound<'_, PyAny>)| {
        let text = value.str()?.to_string();
        let wrong = || wrong_value(&format!("{place}:{row}"), "1, 0 or -1", &format!("'{text}'"), "");
        Verdict::parse(&text).ok_or_else(wrong)
    };
    items(place, "a list with one verdict per pair", list)?.iter().enumerate().map(verdict).collect()
}
