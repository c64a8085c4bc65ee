//! Rankings of systems: as text, a page, dictionaries or frames.

use std::collections::BTreeMap;
use std::path::PathBuf;

use pyo3::exceptions::PyKeyError;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList};
use tribunal::features::Choice;
use tribunal::judgments::{ExternalJudge, Language};
use tribunal::report::ranking::{self, TABLES, render};
use tribunal::report::table::{Table, Value};
use tribunal::report::{Terminal, html};
use tribunal::workflows::{self, By, NamedModel, RankSettings};

use crate::faults::{raised, wrong_value};
use crate::model::{Models, engine_of};
use crate::pairs::{Beside, Columns, Own, Reading};
use crate::values::{self, Names};
use crate::work;

/// A ranking of systems: win rates, Bradley-Terry strengths, clusters, with 95% CIs.
#[pyclass(frozen, module = "tribunal")]
pub struct Ranking {
    ranking: ranking::Ranking,
}

#[pymethods]
impl Ranking {
    /// The names of the systems, the strongest first.
    #[getter]
    fn systems(&self) -> Vec<String> {
        self.ranking.board.systems.iter().map(|system| system.name.clone()).collect()
    }

    /// A table as a pandas frame: "systems"; "each_two", the differences of every two systems; or "power", what more
    /// groups would show.
    #[pyo3(signature = (table="systems"))]
    fn to_pandas<'py>(&self, py: Python<'py>, table: &str) -> PyResult<Bound<'py, PyAny>> {
        let found = TABLES.iter().find(|(name, _)| *name == table);
        let (_, table) = found.ok_or_else(|| PyKeyError::new_err(table.to_owned()))?;
        py.import("pandas")?.call_method1("DataFrame", (columns(py, &table(&self.ranking))?,))
    }

    /// The output of `tribunal rank --json` as dictionaries and lists.
    fn to_dict<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        values::to_python(py, &self.ranking)
    }

    /// The page of `tribunal rank --html`.
    fn to_html(&self) -> String {
        html::ranking(&self.ranking, "these pairs")
    }

    fn __str__(&self) -> String {
        render(&self.ranking, Terminal::plain(100))
    }

    fn __repr__(&self) -> String {
        self.__str__()
    }
}

/// The columns of a table as lists, by their names in CSV.
fn columns<'py>(py: Python<'py>, table: &Table<'_>) -> PyResult<Bound<'py, PyDict>> {
    let found = PyDict::new(py);
    for (at, column) in table.columns.iter().enumerate() {
        for (part, key) in column.keys.iter().enumerate() {
            let list = PyList::empty(py);
            for row in &table.rows {
                match &row[at].value {
                    Value::Empty | Value::Undefined => list.append(py.None())?,
                    Value::Text(text) => list.append(&**text)?,
                    Value::System(name, _) => list.append(*name)?,
                    Value::Number(_, number) => list.append(number)?,
                    Value::Interval(_, ends) => list.append(ends[part])?,
                }
            }
            found.set_item(&**key, list)?;
        }
    }
    Ok(found)
}

/// Rank the systems of pairs: win rates, Bradley-Terry strengths and clusters, with 95% CIs.
///
/// `pairs` is a table as in `train`, with the columns system1 and system2 (or model_a and model_b), and a label where there
/// is one. `by` says whose verdicts count: "human", "model", the name of a judge, or "both": human labels of a random part
/// of the pairs, and predictions of all of them by `model`, or else by a model that is cross-fitted on the labels
/// (prediction-powered inference). By default labels count if there are any, else the model. With `style_control`,
/// strengths are those of systems whose texts have the same length, lists and mark-up.
#[pyfunction]
#[pyo3(signature = (
    pairs, labels=None, *, by=None, model=None, groups=None, own=None, judges=None, annotators=None, merge=false,
    no_majority="tie", column=None, style_control=false, seed=1, language="en", encoder=None
))]
#[expect(clippy::too_many_arguments, reason = "keyword arguments of Python")]
pub fn rank(
    py: Python<'_>,
    pairs: &Bound<'_, PyAny>,
    labels: Option<&Bound<'_, PyAny>>,
    by: Option<&str>,
    model: Option<Models>,
    groups: Option<&Bound<'_, PyAny>>,
    own: Option<&Bound<'_, PyAny>>,
    judges: Option<Names>,
    annotators: Option<Names>,
    merge: bool,
    no_majority: &str,
    column: Option<BTreeMap<String, String>>,
    style_control: bool,
    seed: u64,
    language: &str,
    encoder: Option<PathBuf>,
) -> PyResult<Ranking> {
    let mut reading = Reading::of(judges, annotators, column, (merge, no_majority, false))?;
    let language: Language = language.parse().map_err(raised)?;
    let parsed = by.map(str::parse::<By>).transpose();
    let by = parsed.map_err(|advice| wrong_value("by", "whose verdicts count", by.unwrap_or_default(), &advice))?;
    let learned = reading.judges.clone();
    let Models { mut models, engine: of_model } = model.unwrap_or_default();
    let (mut model, engine) = (models.pop(), engine_of(encoder, of_model)?);
    if model.is_none() && !matches!(by, Some(By::Human | By::Judge(_) | By::Both)) {
        model = Some(NamedModel::read(None, &engine, &language).map_err(raised)?);
    }
    let needed = model.iter().flat_map(|named| &named.model.schema.judges).map(|judge| judge.name.clone());
    let of_judge = by.iter().filter_map(|by| if let By::Judge(name) = by { Some(name.clone()) } else { None });
    reading.add_judges(needed.chain(of_judge).collect());
    let mut own = Own::of(own)?;
    let named = own.metrics.clone();
    own.metrics = workflows::with_needed(model.as_slice(), own.metrics);
    let beside = Beside { labels, groups, weights: None, own: Some(&own), names: &reading.names };
    let columns = Columns::of(pairs, &beside)?;
    let reading = reading.frame(own.metrics);
    let ranking = work::run(py, &engine, move |context| {
        let pairs = columns.partly_labelled(&reading)?;
        let seen = learned.iter().map(|name| ExternalJudge::seen_in(name, pairs.iter())).collect();
        let features = Choice::for_language(language).with_own(named).with_judges(seen);
        let settings = RankSettings { by, style_control, features, source_name: "pairs".to_owned(), seed };
        workflows::rank(context, &pairs, model.as_ref(), &settings)
    })?;
    Ok(Ranking { ranking })
}
