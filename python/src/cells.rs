//! Cells of Python's sequences and Arrow columns, as the library's cells, which borrow their texts without copying.

use arrow_array::cast::AsArray;
use arrow_array::types::{Float64Type, Int64Type};
use arrow_array::{
    Array, ArrayRef, BooleanArray, Float64Array, Int64Array, LargeStringArray, StringArray, StringViewArray,
};
use arrow_schema::DataType;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::pybacked::PyBackedStr;
use pyo3::types::{PyBool, PyDict, PyString};
use tribunal::files::table::Cell;

use crate::faults::wrong_type;

/// A value of a Python sequence.
pub enum Object {
    Empty,
    Text(PyBackedStr),
    Texts(Vec<String>),
    /// Counts as 1 or 0, but is no label.
    Truth(bool),
    Integer(i64),
    Number(f64),
}

impl Object {
    /// Reads a value; errors refer to it as `place`.
    pub fn new(value: &Bound<'_, PyAny>, place: &dyn Fn() -> String) -> PyResult<Self> {
        if value.is_none() {
            return Ok(Self::Empty);
        }
        if let Ok(text) = value.cast::<PyString>() {
            return Ok(Self::Text(PyBackedStr::try_from(text.clone())?));
        }
        if let Ok(truth) = value.cast::<PyBool>() {
            return Ok(Self::Truth(truth.is_true()));
        }
        if let Ok(number) = value.extract::<i64>() {
            return Ok(Self::Integer(number));
        }
        if let Ok(number) = value.extract::<f64>() {
            // pandas writes NaN for missing values.
            return Ok(if number.is_nan() { Self::Empty } else { Self::Number(number) });
        }
        if is_missing(value) {
            return Ok(Self::Empty);
        }
        if let Ok(texts) = value.extract::<Vec<String>>() {
            return Ok(Self::Texts(texts));
        }
        // Lists of messages, as chat models have them, are read as in JSON.
        let is_messages = value
            .try_iter()
            .is_ok_and(|mut items| items.all(|item| item.is_ok_and(|item| item.is_instance_of::<PyDict>())));
        if is_messages {
            let text = value.py().import("json")?.call_method1("dumps", (value,))?;
            return Ok(Self::Text(PyBackedStr::try_from(text.cast_into::<PyString>()?)?));
        }
        Err(wrong_type(&place(), "a text, a number, a list of texts or a list of messages", value, ""))
    }

    pub fn cell(&self, is_label: bool) -> Cell<'_> {
        match self {
            Self::Truth(truth) => cell_of(*truth, is_label),
            Self::Empty => Cell::Empty,
            Self::Text(text) => Cell::Text(text),
            Self::Texts(texts) => Cell::Texts(texts),
            Self::Integer(number) => Cell::Integer(*number),
            Self::Number(number) => Cell::Number(*number),
        }
    }
}

/// A truth value as a number, or as a text in a column of labels: `False` may stand for 0 or for -1.
fn cell_of(truth: bool, is_label: bool) -> Cell<'static> {
    match (truth, is_label) {
        (true, true) => Cell::Text("True"),
        (false, true) => Cell::Text("False"),
        _ => Cell::Integer(i64::from(truth)),
    }
}

/// Whether a value is pandas' `NA` or `NaT`.
fn is_missing(value: &Bound<'_, PyAny>) -> bool {
    let kind = value.get_type();
    kind.name().is_ok_and(|name| name == "NAType" || name == "NaTType")
}

/// A column of an Arrow table, one piece per batch.
pub struct ArrowColumn {
    pieces: Vec<Piece>,
    /// The first row of each piece.
    starts: Vec<usize>,
}

enum Piece {
    Texts(StringArray),
    LargeTexts(LargeStringArray),
    TextViews(StringViewArray),
    Truths(BooleanArray),
    Integers(Int64Array),
    Numbers(Float64Array),
    Lists(Vec<Option<Vec<String>>>),
    /// Only missing values.
    Nulls,
}

impl ArrowColumn {
    /// Takes a column; other types of numbers and texts are cast, which copies them.
    pub fn new(pieces: &[ArrayRef], name: &str) -> PyResult<Self> {
        let starts = pieces.iter().scan(0, |next, piece| {
            let start = *next;
            *next += piece.len();
            Some(start)
        });
        Ok(Self {
            starts: starts.collect(),
            pieces: pieces.iter().map(|piece| Piece::new(piece, name)).collect::<PyResult<_>>()?,
        })
    }

    pub fn cell(&self, row: usize, is_label: bool) -> Cell<'_> {
        let piece = self.starts.partition_point(|&start| start <= row).saturating_sub(1);
        match (self.pieces.get(piece), self.starts.get(piece)) {
            (Some(cells), Some(start)) => cells.cell(row - start, is_label),
            _ => Cell::Empty,
        }
    }
}

impl Piece {
    fn new(array: &ArrayRef, name: &str) -> PyResult<Self> {
        let cast = |kind: &DataType| {
            let wrong = |error| PyValueError::new_err(format!("column {name}: {error}"));
            arrow_cast::cast(array, kind).map_err(wrong)
        };
        Ok(match array.data_type() {
            DataType::Utf8 => Self::Texts(array.as_string().clone()),
            DataType::LargeUtf8 => Self::LargeTexts(array.as_string().clone()),
            DataType::Utf8View => Self::TextViews(array.as_string_view().clone()),
            DataType::Boolean => Self::Truths(array.as_boolean().clone()),
            DataType::Null => Self::Nulls,
            DataType::Float16 | DataType::Float32 | DataType::Float64 => {
                Self::Numbers(cast(&DataType::Float64)?.as_primitive::<Float64Type>().clone())
            }
            kind if kind.is_integer() => Self::Integers(cast(&DataType::Int64)?.as_primitive::<Int64Type>().clone()),
            DataType::List(_) | DataType::LargeList(_) | DataType::ListView(_) | DataType::FixedSizeList(..) => {
                Self::lists(&cast(&DataType::new_list(DataType::Utf8, true))?)
            }
            _ => Self::Texts(cast(&DataType::Utf8)?.as_string().clone()),
        })
    }

    fn lists(array: &ArrayRef) -> Self {
        let list = |list: Option<ArrayRef>| {
            let texts = list?;
            Some(texts.as_string::<i32>().iter().map(|text| text.unwrap_or_default().to_owned()).collect())
        };
        Self::Lists(array.as_list::<i32>().iter().map(list).collect())
    }

    fn cell(&self, row: usize, is_label: bool) -> Cell<'_> {
        let number = |number: f64| if number.is_nan() { Cell::Empty } else { Cell::Number(number) };
        match self {
            Self::Texts(array) if array.is_valid(row) => Cell::Text(array.value(row)),
            Self::LargeTexts(array) if array.is_valid(row) => Cell::Text(array.value(row)),
            Self::TextViews(array) if array.is_valid(row) => Cell::Text(array.value(row)),
            Self::Truths(array) if array.is_valid(row) => cell_of(array.value(row), is_label),
            Self::Integers(array) if array.is_valid(row) => Cell::Integer(array.value(row)),
            Self::Numbers(array) if array.is_valid(row) => number(array.value(row)),
            Self::Lists(lists) => lists[row].as_ref().map_or(Cell::Empty, |texts| Cell::Texts(texts)),
            _ => Cell::Empty,
        }
    }
}
