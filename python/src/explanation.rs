//! Explanations of verdicts: as text, a page, or dictionaries.

use pyo3::prelude::*;
use tribunal::files::Output;
use tribunal::report;
use tribunal::report::explanation::text;
use tribunal::report::{Terminal, html};

use crate::faults::raised;
use crate::values;

/// The explanation of a model's verdict on a pair.
///
/// ```pycon
/// >>> pair = ("He goes home.", "He go home.", "He is going home.")
/// >>> explanation = tribunal.Model.builtin().explain([pair])[0]
/// >>> explanation.verdict, [round(share, 2) for share in explanation.probabilities]
/// (1, [0.63, 0.05, 0.32])
/// >>> explanation.contributions[0]
/// ('meteor-all', 0.314...)
/// >>> explanation.save("why.html")
///
/// ```
#[pyclass(frozen, module = "tribunal")]
pub struct Explanation {
    explanation: report::Explanation,
}

impl Explanation {
    pub fn new(explanation: report::Explanation) -> Self {
        Self { explanation }
    }
}

#[pymethods]
impl Explanation {
    /// The verdict: 1, 0 or -1.
    #[getter]
    fn verdict(&self) -> i8 {
        self.explanation.verdict.sign()
    }

    /// The probabilities of 1, 0 and -1.
    #[getter]
    fn probabilities(&self) -> [f64; 3] {
        self.explanation.probabilities.0
    }

    /// The sum of all contributions; above 0 it favours the first hypothesis.
    #[getter]
    fn preference(&self) -> f64 {
        self.explanation.preference
    }

    /// The contribution of each family of features to the preference, in descending order of absolute value.
    #[getter]
    fn contributions(&self) -> Vec<(String, f64)> {
        self.explanation.families.iter().map(|family| (family.name.clone(), family.contribution)).collect()
    }

    /// The output of `tribunal explain --json` as dictionaries and lists.
    fn to_dict<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        values::to_python(py, &self.explanation)
    }

    /// The HTML page of `tribunal explain --html`.
    fn to_html(&self) -> PyResult<String> {
        html::explanation(&self.explanation).map_err(raised)
    }

    /// Write the page to a file.
    fn save(&self, path: std::path::PathBuf) -> PyResult<()> {
        let page = self.to_html()?;
        let mut output = Output::create(Some(&path)).map_err(raised)?;
        output.write(page.as_bytes()).and_then(|()| output.finish()).map_err(raised)
    }

    fn __repr__(&self) -> String {
        text::render(&self.explanation, Terminal::plain(100))
    }

    /// The page in a frame, which isolates its styles from the notebook's.
    fn _repr_html_(&self) -> PyResult<String> {
        let page = self.to_html()?.replace('&', "&amp;").replace('"', "&quot;");
        Ok(format!("<iframe srcdoc=\"{page}\" style=\"width: 100%; height: 36em; border: 0\" title=\"why\"></iframe>"))
    }
}
