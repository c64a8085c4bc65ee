//! Arrays of NumPy. In: vectors, which they take over. Out: arrays of one or two dimensions.

use numpy::{Element, PyArray1, PyArrayMethods};
use pyo3::prelude::*;

/// An array of one dimension.
pub fn one_dimension<'py, T: Element>(py: Python<'py>, values: Vec<T>) -> Bound<'py, PyAny> {
    PyArray1::from_vec(py, values).into_any()
}

/// An array of two dimensions, row by row.
pub fn two_dimensions<'py, T: Element>(
    py: Python<'py>,
    values: Vec<T>,
    shape: [usize; 2],
) -> PyResult<Bound<'py, PyAny>> {
    Ok(PyArray1::from_vec(py, values).reshape(shape)?.into_any())
}
