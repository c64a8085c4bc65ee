//! Scores of metrics: of segments, or of systems with intervals and tests.

use std::path::PathBuf;

use pyo3::IntoPyObjectExt;
use pyo3::exceptions::PyKeyError;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use tribunal::files::Output;
use tribunal::metrics::{REGISTRY, options as all_options};
use tribunal::report::Terminal;
use tribunal::report::scores;
use tribunal::workflows::Context;
use tribunal::workflows::score::{
    DEFAULT_METRICS, MetricChoice, PairedTest, ScoreForm, ScoreWriting, SystemComparison, SystemOrder,
    score_segments_of, score_texts, write_scores,
};

use crate::faults::{raised, wrong_value};
use crate::model::Models;
use crate::pairs::Argument;
use crate::requirement::decided;
use crate::texts::{Form, Texts};
use crate::values::{self, names, options};
use crate::work::{self, CometFolder, Folders, engine};

/// The arguments of `score` that are no settings of metrics.
const ARGUMENTS: &str = "hypotheses references metrics segments models own language confidence test rounds seed clusters sort encoder comet sources";

/// Corpus scores of one or several systems.
///
/// ```pycon
/// >>> systems = {"one": ["He goes home.", "It rains."], "two": ["He go home.", "It rain."]}
/// >>> scores = tribunal.score(systems, ["He is going home.", "It is raining."], ["chrf", "bleu"])
/// >>> scores.systems, scores.metrics
/// (['one', 'two'], ['chrf', 'bleu'])
/// >>> scores.to_numpy().round(1)
/// array([[27.3, 20.9],
///        [26.7, 20.9]])
/// >>> scores.signatures["chrf"]
/// 'chrF2|nrefs:1|case:mixed|eff:yes|nc:6|nw:0|space:no|version:2.6.0'
///
/// ```
#[pyclass(frozen, mapping, module = "tribunal")]
pub struct Scores {
    scores: scores::Scores,
    form: Form,
}

impl Scores {
    fn column(&self, metric: &str) -> Option<usize> {
        self.scores.metrics.iter().position(|column| column.name == metric)
    }
}

#[pymethods]
impl Scores {
    /// The names of the systems, in the order of the rows.
    #[getter]
    fn systems(&self) -> Vec<String> {
        self.scores.systems.iter().map(|system| system.name.clone()).collect()
    }

    /// The names of the metrics, in the order of the columns.
    #[getter]
    fn metrics(&self) -> Vec<String> {
        self.scores.metrics.iter().map(|column| column.name.clone()).collect()
    }

    /// The signature of each metric, with all settings that its values depend on, as in sacreBLEU.
    #[getter]
    fn signatures<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let signatures = PyDict::new(py);
        self.scores.metrics.iter().try_for_each(|column| signatures.set_item(&column.name, &column.signature))?;
        Ok(signatures)
    }

    /// The output of `tribunal score --json` as dictionaries and lists.
    fn to_dict<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        values::to_python(py, &self.scores)
    }

    /// The scores: (systems, metrics), float64.
    fn to_numpy<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let (systems, metrics) = (&self.scores.systems, self.scores.metrics.len());
        let values: Vec<f64> = systems.iter().flat_map(|system| &system.scores).map(|score| score.score).collect();
        values::two_dimensions(py, values, [systems.len(), metrics])
    }

    /// The score of a metric; for several systems, a dictionary of their scores.
    fn __getitem__<'py>(&self, py: Python<'py>, metric: &str) -> PyResult<Bound<'py, PyAny>> {
        let column = self.column(metric).ok_or_else(|| PyKeyError::new_err(metric.to_owned()))?;
        if self.form != Form::Systems {
            let of_only = self.scores.systems.first().map(|system| system.scores[column].score);
            return of_only.into_bound_py_any(py);
        }
        let scores = PyDict::new(py);
        for system in &self.scores.systems {
            scores.set_item(&system.name, system.scores[column].score)?;
        }
        Ok(scores.into_any())
    }

    /// The names of the metrics.
    fn keys(&self) -> Vec<String> {
        self.metrics()
    }

    fn __iter__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        Ok(self.metrics().into_pyobject(py)?.try_iter()?.into_any())
    }

    fn __contains__(&self, metric: &str) -> bool {
        self.column(metric).is_some()
    }

    fn __len__(&self) -> usize {
        self.scores.metrics.len()
    }

    /// Write the table to a file: CSV, TSV or JSON, by its extension.
    fn save(&self, path: std::path::PathBuf) -> PyResult<()> {
        let form = ScoreForm::of_output(Some(&path)).map_err(raised)?;
        let output = Output::create(Some(&path)).map_err(raised)?;
        write_scores(&self.scores, output, ScoreWriting { form, signatures: true }).map_err(raised)
    }

    /// Whether something holds by the 95% interval, such as "v2 >= v1", where the test is the bootstrap, as `--require` of
    /// the program says: a dictionary with the `outcome`, "met", "unmet", or "open" where it cannot be told yet, and `why`.
    fn require<'py>(&self, py: Python<'py>, what: &str) -> PyResult<Bound<'py, PyAny>> {
        decided(py, &self.scores, what)
    }

    fn __repr__(&self) -> String {
        self.scores.to_text(false, Terminal::default()).trim_end().to_owned()
    }
}

/// The names of all metrics, with a description of each; those of an encoder only if its folder is given.
///
/// ```pycon
/// >>> tribunal.metrics()["chrf"]
/// 'chrF2 in percent: character n-grams'
///
/// ```
#[pyfunction]
#[pyo3(signature = (*, encoder=None, comet=None))]
pub fn metrics(py: Python<'_>, encoder: Option<PathBuf>, comet: Option<CometFolder>) -> PyResult<Bound<'_, PyDict>> {
    let engine = engine(&Folders { encoder, comet })?;
    let all = PyDict::new(py);
    REGISTRY
        .iter()
        .filter(|entry| entry.is_available(engine.models()))
        .try_for_each(|entry| all.set_item(entry.name, entry.summary))?;
    Ok(all)
}

/// Compute metrics of hypotheses against references.
///
/// `hypotheses` is one text, a list of the n segments of one system, or a dictionary of such lists by the names of
/// systems. `references` holds one text for each hypothesis, or a list of texts if there are several references.
///
/// For one text the result is a dictionary with one number per metric. For lists it is `Scores`, the corpus scores of
/// the systems; with `segments=True` it is a dictionary with one array of shape (n,), float64, per metric (for several
/// systems, a dictionary of these). `models` are additional metrics; `own` holds the values of the own metrics that
/// they need.
///
/// `confidence`, `test` ("paired-bs" or "paired-ar", against the first system), `rounds`, `seed`, `clusters` and `sort`
/// (a metric, or True for the first) are as in `tribunal score`; `encoder` is the folder of an encoder, for `bertscore`
/// and `cosine`; `comet` is the folder of a model of COMET, or a tuple of it and that of its tokeniser, for `comet` and
/// `comet-qe`, which also take `sources`, one text for each hypothesis; for `comet-qe` alone, `references` is None. Settings
/// of metrics have the same names, with underscores: `chrf_beta=3`.
///
/// ```pycon
/// >>> tribunal.score("He goes home.", "He is going home.", ["ter", "chrf"])
/// {'ter': 50.0, 'chrf': 29.870914105139...}
/// >>> tribunal.score(["He goes home.", "It rains."], ["He is going home.", "It is raining."], "chrf", segments=True)
/// {'chrf': array([29.87091411, 24.10539457])}
///
/// ```
#[pyfunction]
#[pyo3(signature = (
    hypotheses, references, metrics=None, *, segments=false, models=None, own=None, language="en", confidence=false,
    test=None, rounds=None, seed=None, clusters=false, sort=None, encoder=None, comet=None, sources=None, **settings
))]
#[expect(clippy::too_many_arguments, reason = "keyword arguments of Python")]
pub fn score<'py>(
    py: Python<'py>,
    hypotheses: &Bound<'py, PyAny>,
    references: &Bound<'py, PyAny>,
    metrics: Argument<'_, 'py>,
    segments: bool,
    models: Option<Models>,
    own: Argument<'_, 'py>,
    language: &str,
    confidence: bool,
    test: Option<&str>,
    rounds: Option<u32>,
    seed: Option<u64>,
    clusters: bool,
    sort: Argument<'_, 'py>,
    encoder: Option<PathBuf>,
    comet: Option<CometFolder>,
    sources: Argument<'_, 'py>,
    settings: Option<&Bound<'py, PyDict>>,
) -> PyResult<Bound<'py, PyAny>> {
    let Texts { parallel: texts, form } = Texts::new(hypotheses, references, own, sources)?;
    let (models, engine) = models.unwrap_or_default().with_engine(&Folders { encoder, comet })?;
    let default = if models.is_empty() { DEFAULT_METRICS.split(',').map(str::to_owned).collect() } else { Vec::new() };
    let specs: Vec<_> = all_options().into_iter().map(|(spec, _)| spec).collect();
    let choice = MetricChoice {
        metrics: names("metrics", metrics)?.unwrap_or(default),
        models,
        options: options(["score", "score"], settings, &specs, ARGUMENTS)?,
        language: language.parse().map_err(raised)?,
    };
    let metric_set = choice.metric_set(Context::new(&engine)).map_err(raised)?;
    if segments || form == Form::Text {
        let columns: Vec<String> = metric_set.members().iter().map(|member| member.name.clone()).collect();
        let (systems, scores) = work::run(py, &engine, move |context| {
            let scores = score_segments_of(context, &metric_set, &texts)?;
            Ok((texts.systems.into_iter().map(|system| system.name).collect::<Vec<_>>(), scores))
        })?;
        return segment_scores(py, &columns, systems.into_iter().zip(scores), form);
    }
    let comparison = SystemComparison {
        confidence,
        test: test.map(paired_test).transpose()?,
        rounds,
        seed: seed.unwrap_or(SystemComparison::default().seed),
        clusters,
        order: order(sort)?,
        differences: false,
    };
    let scores = work::run(py, &engine, move |context| score_texts(context, &metric_set, &texts, &comparison))?;
    Ok(Scores { scores, form }.into_pyobject(py)?.into_any())
}

/// The dictionary of segment scores.
fn segment_scores<'py>(
    py: Python<'py>,
    names: &[String],
    systems: impl Iterator<Item = (String, Vec<Vec<f64>>)>,
    form: Form,
) -> PyResult<Bound<'py, PyAny>> {
    let all = PyDict::new(py);
    for (system, columns) in systems {
        let of_system = if form == Form::Systems { PyDict::new(py) } else { all.clone() };
        for (name, column) in names.iter().zip(columns) {
            match (form, column.first()) {
                (Form::Text, Some(score)) => of_system.set_item(name, score)?,
                _ => of_system.set_item(name, values::one_dimension(py, column))?,
            }
        }
        if form == Form::Systems {
            all.set_item(system, of_system)?;
        }
    }
    Ok(all.into_any())
}

fn paired_test(name: &str) -> PyResult<PairedTest> {
    match name {
        "paired-bs" => Ok(PairedTest::Bootstrap),
        "paired-ar" => Ok(PairedTest::Randomisation),
        other => Err(wrong_value("test", "paired-bs or paired-ar", &format!("'{other}'"), "name one of them")),
    }
}

fn order(sort: Argument<'_, '_>) -> PyResult<SystemOrder> {
    let Some(sort) = sort else { return Ok(SystemOrder::Given) };
    if let Ok(is_sorted) = sort.extract::<bool>() {
        return Ok(if is_sorted { SystemOrder::FirstMetric } else { SystemOrder::Given });
    }
    Ok(SystemOrder::Metric(sort.extract()?))
}
