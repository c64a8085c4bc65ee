//! Accuracy reports: as text, a summary for notebooks, a page, or dictionaries.

use std::path::PathBuf;

use pyo3::exceptions::PyKeyError;
use pyo3::prelude::*;
use tribunal::report::{self, Terminal, html, text};
use tribunal::workflows::write_report;

use crate::faults::raised;
use crate::outputs::OutputReport;
use crate::requirement::decided;
use crate::values;

/// An accuracy report: agreement of systems with human labels, with 95% CIs.
///
/// ```pycon
/// >>> report = tribunal.compare(tribunal.sample("dev"))
/// >>> report.rows, report.groups
/// (771, 110)
/// >>> round(report["bleu"]["accuracy"], 3)
/// 0.56
/// >>> report.to_pandas()[["name", "accuracy"]].head(3)
///        name  accuracy
/// 0  ensemble  0.607004
/// 1       sum  0.575875
/// 2  majority  0.434501
///
/// ```
#[pyclass(frozen, module = "tribunal")]
pub struct Report {
    report: report::Report,
}

impl Report {
    pub fn new(report: report::Report) -> Self {
        Self { report }
    }
}

#[pymethods]
impl Report {
    /// The number of pairs.
    #[getter]
    fn rows(&self) -> usize {
        self.report.rows
    }

    /// The number of groups of pairs that share a reference; None if the pairs are unknown.
    #[getter]
    fn groups(&self) -> Option<usize> {
        self.report.groups
    }

    /// The number of cross-validation folds; 0 for trained models.
    #[getter]
    fn folds(&self) -> usize {
        self.report.folds
    }

    /// The systems, one dictionary each: `name`, `accuracy`, `low`, `high`, `kendall_tau`, ...
    #[getter]
    fn systems<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        values::to_python(py, &self.report.systems)
    }

    /// The system of that name, such as `ensemble`, `sum` (the summed-metric baseline) or `bleu`.
    fn __getitem__<'py>(&self, py: Python<'py>, name: &str) -> PyResult<Bound<'py, PyAny>> {
        let row = self.report.row(name).ok_or_else(|| PyKeyError::new_err(name.to_owned()))?;
        values::to_python(py, row)
    }

    /// How well the model's expected labels of single outputs agree with their labels; None unless it learned from outputs.
    #[getter]
    fn outputs(&self) -> Option<OutputReport> {
        self.report.outputs.clone().map(OutputReport::from)
    }

    /// The output of `tribunal train --json` as dictionaries and lists.
    fn to_dict<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        values::to_python(py, &self.report)
    }

    /// The HTML page of `tribunal train --report`; it is complete only if the report was made with `details=True`.
    fn to_html(&self) -> PyResult<String> {
        html::page(&self.report).map_err(raised)
    }

    /// Write the folder of `tribunal train --report`: the page, charts as SVG, the report as JSON, tables as CSV; `pairs.csv` has
    /// the pairs of the page, or all of them.
    #[pyo3(signature = (folder, *, all_pairs=false))]
    fn save(&self, py: Python<'_>, folder: PathBuf, all_pairs: bool) -> PyResult<()> {
        py.detach(|| write_report(&self.report, &folder, all_pairs)).map_err(raised)
    }

    /// The systems as a pandas frame.
    fn to_pandas<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        py.import("pandas")?.call_method1("json_normalize", (self.systems(py)?,))
    }

    fn __repr__(&self) -> String {
        text::render(&self.report, Terminal::plain(100))
    }

    /// Whether something holds by the 95% interval, such as "v2 >= v1 - 5", as `--require` of the program says: a dictionary
    /// with the `outcome`, "met", "unmet", or "open" where it cannot be told yet, and `why`.
    fn require<'py>(&self, py: Python<'py>, what: &str) -> PyResult<Bound<'py, PyAny>> {
        decided(py, &self.report, what)
    }

    fn _repr_html_(&self) -> PyResult<String> {
        html::summary(&self.report).map_err(raised)
    }
}
