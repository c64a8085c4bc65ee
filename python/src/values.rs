//! What passes between Python and the library: NumPy arrays, Arrow batches, JSON, names, settings and indices.

use std::sync::Arc;

use arrow_array::{ArrayRef, RecordBatch, StructArray};
use arrow_schema::{Field, Schema};
use numpy::{Element, PyArray1, PyArrayMethods};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyCapsule, PyDict, PyString, PyTuple};
use pyo3_arrow::ffi::to_array_pycapsules;
use serde_json::ser::to_string;
use tribunal::Error;
use tribunal::options::{OptionSpec, Options, Value, did_you_mean};

use crate::faults::{raised, wrong_type, wrong_value};

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

/// The names that an argument lists; a single text is one name.
pub fn names(argument: &str, names: Option<&Bound<'_, PyAny>>) -> PyResult<Option<Vec<String>>> {
    let Some(names) = names else { return Ok(None) };
    if names.is_instance_of::<PyString>() {
        return Ok(Some(vec![names.extract()?]));
    }
    let expected = "a name, or a list of names";
    let items = items(argument, expected, names)?;
    let name = |item: &Bound<'_, PyAny>| item.extract().map_err(|_| wrong_type(argument, expected, item, ""));
    items.iter().map(name).collect::<PyResult<_>>().map(Some)
}

/// The options that keyword arguments set, by the names of the command line with underscores; `arguments` are those
/// that the function takes besides.
pub fn options(
    [function, command]: [&str; 2],
    settings: Option<&Bound<'_, PyDict>>,
    specs: &[&'static OptionSpec],
    arguments: &str,
) -> PyResult<Options> {
    let mut options = Options::default();
    for (name, value) in settings.iter().flat_map(|settings| settings.iter()) {
        let argument: String = name.extract()?;
        let name = argument.replace('_', "-");
        let Some(spec) = specs.iter().find(|spec| spec.name == name) else {
            let near = did_you_mean(&name, specs.iter().map(|spec| spec.name).chain(arguments.split(' ')));
            let expected = format!("an argument, or a setting that 'tribunal {command} --help' shows");
            let error = Error::invalid(function, expected, format!("'{argument}'"), near.trim_end().replace('-', "_"));
            return Err(PyTypeError::new_err(error.to_string()));
        };
        let texts = match spec.value {
            Value::Switch if !value.extract::<bool>()? => Vec::new(),
            Value::Many { .. } => names(&argument, Some(&value))?.unwrap_or_default(),
            Value::Switch | Value::One { .. } => vec![value.str()?.to_string()],
        };
        texts.iter().try_for_each(|text| options.set(spec, text)).map_err(raised)?;
    }
    Ok(options)
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

/// Values are taken in order. If they and the `known` ones have an index, as in pandas, it must be the same: a series
/// in the order before shuffling would belong to other rows.
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
