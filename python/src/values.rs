//! What passes between Python and the library: NumPy arrays, Arrow batches, JSON, names and indices.

use std::sync::Arc;

use arrow_array::{ArrayRef, RecordBatch, StructArray};
use arrow_schema::{Field, Schema};
use numpy::{Element, PyArray1, PyArrayMethods};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyCapsule, PyString, PyTuple};
use pyo3_arrow::ffi::to_array_pycapsules;
use serde_json::ser::to_string;

use crate::faults::{wrong_type, wrong_value};

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

/// Converts a value to the dictionaries and lists of its JSON.
pub fn to_python<'py>(py: Python<'py>, value: &impl serde::Serialize) -> PyResult<Bound<'py, PyAny>> {
    let text = to_string(value).map_err(|error| PyValueError::new_err(error.to_string()))?;
    py.import("json")?.call_method1("loads", (text,))
}

/// Names of metrics or features; a single text is one name.
#[derive(Clone)]
pub struct Names(pub Vec<String>);

impl<'a, 'py> FromPyObject<'a, 'py> for Names {
    type Error = PyErr;

    fn extract(names: Borrowed<'a, 'py, PyAny>) -> PyResult<Self> {
        if names.is_instance_of::<PyString>() {
            return Ok(Self(vec![names.extract()?]));
        }
        let expected = "a name, or a list of names";
        names.extract().map(Self).map_err(|_| wrong_type("names", expected, &names, "such as [\"bleu\", \"meteor\"]"))
    }
}

/// The items of a list or array; a text is none.
pub fn items<'py>(place: &str, expected: &str, list: &Bound<'py, PyAny>) -> PyResult<Vec<Bound<'py, PyAny>>> {
    // The items of pyarrow's arrays are pyarrow's own objects.
    let list = &if list.hasattr("to_pylist")? { list.call_method0("to_pylist")? } else { list.clone() };
    match list.try_iter() {
        Ok(items) if !list.is_instance_of::<PyString>() => items.collect(),
        _ => Err(wrong_type(place, expected, list, "give a list")),
    }
}

/// Values are taken in order. If they and the `known` ones have an index, as in pandas, it must be the same: a series in
/// the order before shuffling would belong to other rows.
pub fn check_index((of, known): (&str, &Bound<'_, PyAny>), name: &str, values: &Bound<'_, PyAny>) -> PyResult<()> {
    let (Some(known), Some(found)) = (index_of(known)?, index_of(values)?) else { return Ok(()) };
    if known.call_method1("equals", (found,))?.extract()? {
        return Ok(());
    }
    let expected = format!("the index of the {of}");
    Err(wrong_value(name, &expected, "another index", "sort both alike, or give lists, as with .to_list()"))
}

/// The index of a frame or series; the method `index` of a list is none.
fn index_of<'py>(of: &Bound<'py, PyAny>) -> PyResult<Option<Bound<'py, PyAny>>> {
    Ok(of.getattr_opt("index")?.filter(|index| index.hasattr("equals").unwrap_or(false)))
}
