//! Agreement of metrics with human scores: as text, dictionaries or frames.

use std::path::PathBuf;

use pyo3::exceptions::PyKeyError;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use tribunal::evaluation::meta::{TestSettings, TestStatistic};
use tribunal::formats::COLUMN;
use tribunal::formats::score_table::ScoreColumns;
use tribunal::options::Options;
use tribunal::report::Terminal;
use tribunal::report::agreements::AgreementReports;
use tribunal::workflows::{self, CorrelateSettings};

use crate::faults::{raised, wrong_value};
use crate::pairs::{Argument, Columns, roles};
use crate::values::{self, names};
use crate::work::{self, CometFolder, Folders, engine};

/// How metrics agree with human scores, the best first, and which of them differ significantly.
///
/// ```pycon
/// >>> agreement = tribunal.correlate(tribunal.sample("ratings"), metrics=["bleu", "chrf", "meteor"])
/// >>> agreement.metrics
/// ['chrf', 'bleu', 'meteor']
/// >>> sorted(agreement.to_dict()["metrics"][0])
/// ['cluster', 'intervals', 'lower_is_better', 'name', 'segments', 'statistic', 'system_level']
///
/// ```
#[pyclass(frozen, module = "tribunal")]
pub struct Agreement {
    found: AgreementReports,
}

#[pymethods]
impl Agreement {
    /// The names of the metrics, the best first; of several columns of human scores or parts, by the first.
    #[getter]
    fn metrics(&self) -> Vec<&str> {
        self.found
            .reports
            .iter()
            .take(1)
            .flat_map(|report| &report.metrics)
            .map(|metric| metric.name.as_str())
            .collect()
    }

    /// A table as a pandas frame: "metrics", all statistics of each metric; or "differences", the tests of every two.
    #[pyo3(signature = (table="metrics"))]
    fn to_pandas<'py>(&self, py: Python<'py>, table: &str) -> PyResult<Bound<'py, PyAny>> {
        let frames = self.found.reports.iter().map(|report| {
            let rows = match table {
                "metrics" => values::to_python(py, &report.metrics)?,
                "differences" => values::to_python(py, &report.differences)?,
                other => return Err(PyKeyError::new_err(other.to_owned())),
            };
            let frame = py.import("pandas")?.call_method1("json_normalize", (rows,))?;
            if self.found.reports.len() > 1 {
                frame.call_method1("insert", (0, "people", report.people.as_str()))?;
                frame.call_method1("insert", (1, "part", report.part.as_deref()))?;
            }
            Ok(frame)
        });
        let frames = frames.collect::<PyResult<Vec<_>>>()?;
        let [alone] = frames.as_slice() else {
            let options = PyDict::new(py);
            options.set_item("ignore_index", true)?;
            return py.import("pandas")?.call_method("concat", (frames,), Some(&options));
        };
        Ok(alone.clone())
    }

    /// The output of `tribunal correlate --json` as dictionaries and lists.
    fn to_dict<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        values::to_python(py, &self.found)
    }

    fn __repr__(&self) -> String {
        self.found.to_text(Terminal::plain(100))
    }
}

/// Correlate metrics with human scores, and test which metrics differ.
///
/// `scores` is a table with a row for each segment of each system, with the columns system and, if known, segment.
/// `people` is its column of human scores, by default score, or a list of several; higher is better, and rows without a score are
/// skipped. With `by_column`, metrics are correlated within the rows of each value of that column, and averaged. `metrics` lists columns,
/// `NAME-` if lower is better, or metrics to compute from the columns hyp (or mt) and ref: by default all columns of
/// numbers and, with texts, the metrics of reports. `column` maps roles to names of columns: `system`, `segment`, `mt`,
/// `ref` and `annotator`.
///
/// `complete`, `kendall_like`, `test`, `rounds` and `seed` are as in `tribunal correlate`. `encoder` is the folder of
/// an encoder, for its metrics.
///
/// ```pycon
/// >>> print(tribunal.correlate(tribunal.sample("ratings"), metrics=["bleu", "chrf"], rounds=0))
/// 3 systems, 110 segments; human scores: score
/// <BLANKLINE>
///            by segment                          all segments              systems
///    metric  tau_14  acc23*  threshold  Pearson  Pearson  Spearman  tau_b    acc   soft  Pearson
/// -  chrf     0.397   0.564          0    0.339    0.050     0.113  0.099  1.000  0.930    0.831
/// -  bleu     0.391   0.564     1.1235    0.374    0.136     0.127  0.109  1.000  0.949    0.810
/// ...
///
/// ```
#[pyfunction]
#[pyo3(signature = (
    scores, people=None, *, metrics=None, column=None, by_column=None, complete=false, kendall_like=None, test=None, rounds=None,
    seed=None, language="en", encoder=None, comet=None
))]
#[expect(clippy::too_many_arguments, reason = "keyword arguments of Python")]
pub fn correlate(
    py: Python<'_>,
    scores: &Bound<'_, PyAny>,
    people: Argument<'_, '_>,
    metrics: Argument<'_, '_>,
    column: Argument<'_, '_>,
    by_column: Option<String>,
    complete: bool,
    kendall_like: Option<Vec<f64>>,
    test: Option<&str>,
    rounds: Option<usize>,
    seed: Option<u64>,
    language: &str,
    encoder: Option<PathBuf>,
    comet: Option<CometFolder>,
) -> PyResult<Agreement> {
    let people = names("people", people)?.unwrap_or_else(|| vec!["score".to_owned()]);
    let default = CorrelateSettings::new("");
    let settings = CorrelateSettings {
        columns: ScoreColumns { by_column, ..score_columns(column)? },
        complete,
        thresholds: kendall_like.unwrap_or(default.thresholds),
        test: TestSettings {
            statistic: test.map(statistic).transpose()?.unwrap_or(default.test.statistic),
            rounds: rounds.unwrap_or(default.test.rounds),
            seed: seed.unwrap_or(default.test.seed),
        },
        language: language.parse().map_err(raised)?,
        lower_is_better: Vec::new(),
    };
    let settings = match names("metrics", metrics)? {
        Some(names) => settings.with_metrics(names),
        None => settings,
    };
    let columns = Columns::of_scores(scores)?;
    let found = work::run(py, &engine(&Folders { encoder, comet })?, move |context| {
        let mut tables = Vec::new();
        for people in people {
            tables.extend(columns.scores(&ScoreColumns { people, ..settings.columns.clone() })?);
        }
        workflows::correlate(context, tables, &settings)
    })?;
    Ok(Agreement { found })
}

fn statistic(name: &str) -> PyResult<TestStatistic> {
    let known = TestStatistic::ALL.map(TestStatistic::name).join(", ");
    TestStatistic::named(name).ok_or_else(|| wrong_value("test", &known, &format!("'{name}'"), "name one of them"))
}

/// The names of a table's columns.
fn score_columns(column: Argument<'_, '_>) -> PyResult<ScoreColumns> {
    let named = roles(column)?;
    let mut options = Options::default();
    for (role, name) in named {
        options.set(&COLUMN, &format!("{role}={name}")).map_err(raised)?;
    }
    Ok(ScoreColumns { options, ..ScoreColumns::default() })
}
