//! NumPy arrays and Arrow batches. In: vectors, which arrays take over without copying; columns. Out: Python objects.

use std::sync::Arc;

use arrow_array::{ArrayRef, RecordBatch, StructArray};
use arrow_schema::{Field, Schema};
use numpy::{Element, PyArray1, PyArrayMethods};
use pyo3::prelude::*;
use pyo3::types::{PyCapsule, PyTuple};
use pyo3_arrow::ffi::to_array_pycapsules;

use crate::faults::wrong_value;

/// A record batch of columns without missing values.
pub fn batch<'n>(columns: impl IntoIterator<Item = (&'n str, ArrayRef)>) -> PyResult<RecordBatch> {
    let columns: Vec<(&str, ArrayRef)> = columns.into_iter().collect();
    let field = |(name, values): &(&str, ArrayRef)| Field::new(*name, values.data_type().clone(), false);
    let schema = Schema::new(columns.iter().map(field).collect::<Vec<_>>());
    let batch = RecordBatch::try_new(Arc::new(schema), columns.into_iter().map(|(_, values)| values).collect());
    batch.map_err(|error| wrong_value("a batch", "columns of one length", &error.to_string(), "report it"))
}

/// A batch as the capsules of Arrow's PyCapsule interface.
pub fn capsules<'py>(
    py: Python<'py>,
    batch: &RecordBatch,
    requested_schema: Option<Bound<'py, PyCapsule>>,
) -> PyResult<Bound<'py, PyTuple>> {
    let rows = StructArray::from(batch.clone());
    let field = Field::new_struct("", rows.fields().clone(), false);
    Ok(to_array_pycapsules(py, Arc::new(field), &rows, requested_schema)?)
}

/// A one-dimensional array.
pub fn one_dimension<'py, T: Element>(py: Python<'py>, values: Vec<T>) -> Bound<'py, PyAny> {
    PyArray1::from_vec(py, values).into_any()
}

/// A two-dimensional array from values row by row.
pub fn two_dimensions<'py, T: Element>(
    py: Python<'py>,
    values: Vec<T>,
    shape: [usize; 2],
) -> PyResult<Bound<'py, PyAny>> {
    Ok(PyArray1::from_vec(py, values).reshape(shape)?.into_any())
}
