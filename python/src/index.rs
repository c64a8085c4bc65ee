//! Indices of pandas. In: two sequences. Out: an error if their rows are not the same.

use pyo3::prelude::*;

use crate::faults::wrong_value;

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
