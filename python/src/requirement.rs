//! What becomes of a requirement of a report.

use pyo3::prelude::*;
use tribunal::report::requirement::{Figures, Requirement};

use crate::faults::{raised, wrong_value};
use crate::values;

/// What becomes of a requirement of a report, as a dictionary.
pub fn decided<'py>(py: Python<'py>, report: &impl Figures, what: &str) -> PyResult<Bound<'py, PyAny>> {
    let required: Requirement = what
        .parse()
        .map_err(|advice: String| wrong_value("require", "a requirement", &format!("'{what}'"), &advice))?;
    let decisions = report.decide(&[required]).map_err(raised)?;
    values::to_python(py, &decisions[0])
}
