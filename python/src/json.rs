//! What the library writes as JSON. In: anything of a report. Out: dictionaries and lists.

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use serde_json::ser::to_string;

/// The dictionaries and lists of what is written as JSON.
pub fn to_python<'py>(py: Python<'py>, value: &impl serde::Serialize) -> PyResult<Bound<'py, PyAny>> {
    let text = to_string(value).map_err(|error| PyValueError::new_err(error.to_string()))?;
    py.import("json")?.call_method1("loads", (text,))
}
