//! What is found about single outputs: how well judges and metrics agree with their labels, and which system is better.

use pyo3::IntoPyObjectExt;
use pyo3::exceptions::PyKeyError;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use tribunal::files::table::Cell;
use tribunal::formats::OutputTable;
use tribunal::judgments::output::Outputs;
use tribunal::report::output_ranking::OutputRanking;
use tribunal::report::outputs::OutputReport as Agreement;
use tribunal::report::{Section, Terminal};

use crate::faults::raised;
use crate::pairs::{Argument, Columns, NO_VOTES, Reading};
use crate::requirement::decided;
use crate::values;

/// Whether a table has one output a row, and no pair. `column` maps roles to names of columns.
#[pyfunction]
#[pyo3(signature = (table, *, column=None))]
pub fn are_outputs(table: &Bound<'_, PyAny>, column: Argument<'_, '_>) -> PyResult<bool> {
    let reading = Reading::new(None, None, None, column, NO_VOTES)?;
    Columns::new(table, &reading, [None; 3])?.are_outputs(&reading.frame())
}

/// What `compare` and `rank` find about single outputs, with 95% CIs.
///
/// ```pycon
/// >>> outputs = {"prompt": list("aabbccdd"), "output": list("12345678"), "label": ["pass", "fail"] * 4,
/// ...            "gpt": ["pass", "fail", "pass", "pass", "pass", "fail", "fail", "fail"]}
/// >>> report = tribunal.compare(outputs, judges=["gpt"])
/// >>> report["gpt"]["binary"]["balanced_accuracy"]["value"]
/// 0.75
/// >>> report.to_pandas()[["system", "balanced_accuracy"]].head(1)
///   system  balanced_accuracy
/// 0    gpt               0.75
///
/// ```
#[pyclass(frozen, module = "tribunal")]
pub struct OutputReport {
    found: Found,
}

enum Found {
    Agreement(Box<Agreement>),
    Ranking(Box<OutputRanking>),
}

impl From<Agreement> for OutputReport {
    fn from(report: Agreement) -> Self {
        Self { found: Found::Agreement(Box::new(report)) }
    }
}

impl From<OutputRanking> for OutputReport {
    fn from(ranking: OutputRanking) -> Self {
        Self { found: Found::Ranking(Box::new(ranking)) }
    }
}

impl OutputReport {
    fn sections(&self) -> Vec<Section<'_>> {
        match &self.found {
            Found::Agreement(report) => report.sections(),
            Found::Ranking(ranking) => ranking.sections(),
        }
    }
}

/// Outputs as columns, with a row for each label, and `row`, the position of the output among those that were given.
pub fn columns_of_outputs<'py>(py: Python<'py>, outputs: &Outputs) -> PyResult<Bound<'py, PyDict>> {
    let table = OutputTable::new(outputs);
    let rows = || outputs.rows.iter().flat_map(|output| table.rows(output).into_iter().map(|row| (output.line, row)));
    let value = |cell: Cell<'_>| match cell {
        Cell::Empty => Ok(py.None().into_bound(py)),
        Cell::Text(text) => text.into_bound_py_any(py),
        Cell::Texts(texts) => texts.into_bound_py_any(py),
        Cell::Integer(number) => number.into_bound_py_any(py),
        Cell::Number(number) => number.into_bound_py_any(py),
        Cell::Json(value) => value.to_string().into_bound_py_any(py),
    };
    let columns = PyDict::new(py);
    for (at, (name, _)) in table.columns().into_iter().enumerate() {
        columns.set_item(name, rows().map(|(_, row)| value(row[at])).collect::<PyResult<Vec<_>>>()?)?;
    }
    columns.set_item("row", rows().map(|(row, _)| row).collect::<Vec<_>>())?;
    Ok(columns)
}

#[pymethods]
impl OutputReport {
    /// The row of a judge or metric, or of a system, as a dictionary.
    fn __getitem__<'py>(&self, py: Python<'py>, name: &str) -> PyResult<Bound<'py, PyAny>> {
        let missing = || PyKeyError::new_err(name.to_owned());
        match &self.found {
            Found::Agreement(report) => {
                values::to_python(py, report.rows.iter().find(|row| row.name == name).ok_or_else(missing)?)
            }
            Found::Ranking(ranking) => {
                let rows = ranking.systems.iter().chain([&ranking.all]);
                values::to_python(py, rows.into_iter().find(|row| row.system == name).ok_or_else(missing)?)
            }
        }
    }

    /// The names of the tables of `to_pandas`.
    #[getter]
    fn tables(&self) -> Vec<&'static str> {
        self.sections().iter().flat_map(|section| &section.tables).map(|table| table.key).collect()
    }

    /// A table as a pandas frame, by default the first one.
    #[pyo3(signature = (table=None))]
    fn to_pandas<'py>(&self, py: Python<'py>, table: Option<&str>) -> PyResult<Bound<'py, PyAny>> {
        let sections = self.sections();
        let mut tables = sections.iter().flat_map(|section| &section.tables);
        let table = tables.find(|known| table.is_none_or(|key| known.key == key));
        let table = table.ok_or_else(|| PyKeyError::new_err("no table of this name"))?;
        py.import("pandas")?.call_method1("DataFrame", (values::to_python(py, table)?,))
    }

    /// The output of `tribunal compare --json` or `tribunal rank --json` as dictionaries and lists.
    fn to_dict<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        match &self.found {
            Found::Agreement(report) => values::to_python(py, report),
            Found::Ranking(ranking) => values::to_python(py, ranking),
        }
    }

    /// The report as a page.
    fn to_html(&self) -> PyResult<String> {
        match &self.found {
            Found::Agreement(report) => report.to_page(),
            Found::Ranking(ranking) => ranking.to_page(),
        }
        .map_err(raised)
    }

    /// Whether something holds by the 95% interval, such as "v2 >= v1 - 5", as `--require` of the program says: a dictionary
    /// with the `outcome`, "met", "unmet", or "open" where it cannot be told yet, and `why`.
    fn require<'py>(&self, py: Python<'py>, what: &str) -> PyResult<Bound<'py, PyAny>> {
        match &self.found {
            Found::Agreement(report) => decided(py, &**report, what),
            Found::Ranking(ranking) => decided(py, &**ranking, what),
        }
    }

    fn __repr__(&self) -> String {
        match &self.found {
            Found::Agreement(report) => report.to_text(Terminal::plain(100), false),
            Found::Ranking(ranking) => ranking.to_text(Terminal::plain(100), false),
        }
    }
}
