//! The library's errors as Python's built-in exceptions with the same messages.

use std::io::ErrorKind;

use pyo3::exceptions::{
    PyFileNotFoundError, PyIsADirectoryError, PyKeyError, PyOSError, PyPermissionError, PyTypeError, PyValueError,
};
use pyo3::prelude::*;
use tribunal::Error;
use tribunal::error::Fault;

/// The exception for an error of the library.
pub fn raised(error: Error) -> PyErr {
    let message = error.to_string();
    match error {
        Error::Invalid { fault: Fault::Value, .. } => PyValueError::new_err(message),
        Error::Invalid { fault: Fault::Type, .. } => PyTypeError::new_err(message),
        Error::Invalid { fault: Fault::MissingColumn, .. } => PyKeyError::new_err(message),
        Error::Invalid { fault: Fault::MissingFile, .. } => PyFileNotFoundError::new_err(message),
        Error::Io { source, .. } => match source.kind() {
            ErrorKind::NotFound => PyFileNotFoundError::new_err(message),
            ErrorKind::PermissionDenied => PyPermissionError::new_err(message),
            ErrorKind::IsADirectory => PyIsADirectoryError::new_err(message),
            _ => PyOSError::new_err(message),
        },
    }
}

/// A `ValueError` in the form of the library's messages.
pub fn wrong_value(place: &str, expected: &str, found: &str, advice: &str) -> PyErr {
    raised(Error::invalid(place, expected, found, advice))
}

/// A `TypeError` in the form of the library's messages.
pub fn wrong_type(place: &str, expected: &str, found: &Bound<'_, PyAny>, advice: &str) -> PyErr {
    let error = Error::invalid(place, expected, kind(found), advice);
    PyTypeError::new_err(error.to_string())
}

/// The type of a value, for messages.
pub fn kind(value: &Bound<'_, PyAny>) -> String {
    if value.is_none() {
        return "None".to_owned();
    }
    value.get_type().name().map_or_else(|_| "something else".to_owned(), |name| format!("a value of type {name}"))
}
