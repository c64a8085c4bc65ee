//! What the library writes as JSON. In: anything of a report. Out: dictionaries and lists, or text and back.

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use serde_json::ser::to_string;

/// The dictionaries and lists of what is written as JSON.
pub fn to_python<'py>(py: Python<'py>, value: &impl serde::Serialize) -> PyResult<Bound<'py, PyAny>> {
    let text = to_string(value).map_err(|error| PyValueError::new_err(error.to_string()))?;
    py.import("json")?.call_method1("loads", (text,))
}

/// What is written as JSON, as text.
pub fn to_text(value: &impl serde::Serialize) -> PyResult<String> {
    to_string(value).map_err(|error| PyValueError::new_err(error.to_string()))
}

/// What [`to_text`] wrote; `place` is what errors call it.
pub fn from_text<T: serde::de::DeserializeOwned>(text: &str, place: &str) -> PyResult<T> {
    let wrong = |error: serde_json::Error| PyValueError::new_err(format!("{place}: {error}"));
    serde_json::from_str(text).map_err(wrong)
}
