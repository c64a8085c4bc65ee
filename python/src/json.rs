//! JSON of the library. In: any serialisable value. Out: dictionaries and lists, or text and back.

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use serde_json::ser::to_string;

/// Converts a value to the dictionaries and lists of its JSON.
pub fn to_python<'py>(py: Python<'py>, value: &impl serde::Serialize) -> PyResult<Bound<'py, PyAny>> {
    let text = to_string(value).map_err(|error| PyValueError::new_err(error.to_string()))?;
    py.import("json")?.call_method1("loads", (text,))
}

/// Writes a value as JSON text.
pub fn to_text(value: &impl serde::Serialize) -> PyResult<String> {
    to_string(value).map_err(|error| PyValueError::new_err(error.to_string()))
}

/// Reads a value that [`to_text`] wrote; errors refer to it as `place`.
pub fn from_text<T: serde::de::DeserializeOwned>(text: &str, place: &str) -> PyResult<T> {
    let wrong = |error: serde_json::Error| PyValueError::new_err(format!("{place}: {error}"));
    serde_json::from_str(text).map_err(wrong)
}
