//! Names from Python. In: one name, or a list of them. Out: the list.

use pyo3::prelude::*;
use pyo3::types::PyString;

use crate::faults::wrong_type;

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
