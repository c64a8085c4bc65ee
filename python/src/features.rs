//! Features of pairs, for NumPy or Arrow.

use std::path::PathBuf;
use std::sync::Arc;

use arrow_array::{ArrayRef, Float64Array};
use ndarray::ArrayView1;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyCapsule, PyTuple};
use tribunal::features::Choice;
use tribunal::judgments::Language;
use tribunal::judgments::grouping;
use tribunal::workflows::{self, FeatureTable};

use crate::faults::raised;
use crate::pairs::{Argument, Columns, NO_VOTES, Reading};
use crate::values;
use crate::work::{self, CometFolder, Folders, engine};

/// The features of pairs: one row per pair, one column per feature.
///
/// ```pycon
/// >>> features = tribunal.features(tribunal.sample("new"))
/// >>> features.shape
/// (6, 243)
/// >>> features.to_numpy()[:2, features.names.index("h1.bleu")].round(2)
/// array([51.93,  9.08])
///
/// ```
#[pyclass(frozen, module = "tribunal")]
pub struct Features {
    table: FeatureTable,
}

#[pymethods]
impl Features {
    /// The names of the columns, as in the output of `tribunal features`.
    #[getter]
    fn names(&self) -> Vec<String> {
        self.table.names.clone()
    }

    /// The shape: (pairs, features).
    #[getter]
    fn shape(&self) -> (usize, usize) {
        self.table.values.dim()
    }

    /// The values as an array: (pairs, features), float64.
    fn to_numpy<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let (rows, columns) = self.table.values.dim();
        values::two_dimensions(py, self.table.values.iter().copied().collect(), [rows, columns])
    }

    /// The values as an array, for `numpy.asarray`.
    #[pyo3(signature = (dtype=None, copy=None))]
    fn __array__<'py>(
        &self,
        py: Python<'py>,
        dtype: Option<&Bound<'py, PyAny>>,
        copy: Option<bool>,
    ) -> PyResult<Bound<'py, PyAny>> {
        if copy == Some(false) {
            return Err(PyValueError::new_err(
                "features: expected copy=None or copy=True, found copy=False; the values are always copied",
            ));
        }
        let array = self.to_numpy(py)?;
        dtype.map_or_else(|| Ok(array.clone()), |dtype| array.call_method1("astype", (dtype,)))
    }

    /// The columns as an Arrow record batch, by Arrow's PyCapsule interface: `pyarrow.record_batch(features)`,
    /// `polars.DataFrame(features)`.
    #[pyo3(signature = (requested_schema=None))]
    fn __arrow_c_array__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<Bound<'py, PyCapsule>>,
    ) -> PyResult<Bound<'py, PyTuple>> {
        let columns = self.table.values.columns().into_iter();
        let column =
            |column: ArrayView1<'_, f64>| Arc::new(Float64Array::from_iter_values(column.iter().copied())) as ArrayRef;
        let batch = values::batch(self.table.names.iter().map(String::as_str).zip(columns.map(column)))?;
        values::capsules(py, &batch, requested_schema)
    }

    fn __len__(&self) -> usize {
        self.table.values.nrows()
    }

    fn __repr__(&self) -> String {
        let (rows, columns) = self.table.values.dim();
        format!("<tribunal.Features: {rows} rows, {columns} features>")
    }
}

/// Compute the features that models learn from, for each pair: `h1.F` and `h2.F` for every feature F of a hypothesis,
/// then the features of the pair.
///
/// `pairs` is a list of n tuples `(hyp1, hyp2, ref)`, or a table with the columns hyp1, hyp2 and ref (further
/// references: a list, or ref2, ref3, ...). `own` lists your own metrics, whose values are in the columns `NAME.1` and
/// `NAME.2`, or maps their names to values: `{"comet": array of shape (n, 2)}`; write `NAME-` if lower is better.
/// `judges` lists automatic judges, whose verdicts are in the columns `NAME`, or `NAME.12` and `NAME.21` in both
/// orders; `NAME:probability`, `NAME:signed`, `NAME:words` or `NAME:one-to-two` declares the scale of their numbers,
/// which the first 1,000 rows show otherwise. `column` maps roles to names of columns: `{"hyp1": "answer"}`. With
/// `only_own`, there are no other features. Without references, the features are those that need none. For languages
/// other than English, features that need English are omitted. `encoder` is the folder of an encoder, whose metrics
/// join the features.
///
/// Of a table with one `output` a row: every feature `F` of its text, then the values of its judges and own metrics,
/// which are in the columns `NAME`; a missing one is not a number.
///
/// ```pycon
/// >>> tribunal.features({"output": ["a b", "c"], "gpt": [4, None]}, judges=["gpt"]).to_numpy()[:, -1]
/// array([ 4., nan])
/// >>> tribunal.features(tribunal.sample("dev"), own=["judge"], only_own=True).names
/// ['h1.judge', 'h2.judge']
///
/// ```
#[pyfunction]
#[pyo3(signature = (pairs, *, own=None, judges=None, only_own=false, column=None, language="en", encoder=None, comet=None))]
#[expect(clippy::too_many_arguments, reason = "keyword arguments of Python")]
pub fn features(
    py: Python<'_>,
    pairs: &Bound<'_, PyAny>,
    own: Argument<'_, '_>,
    judges: Argument<'_, '_>,
    only_own: bool,
    column: Argument<'_, '_>,
    language: &str,
    encoder: Option<PathBuf>,
    comet: Option<CometFolder>,
) -> PyResult<Features> {
    let (reading, language) =
        (Reading::new(own, judges, None, column, NO_VOTES)?, language.parse::<Language>().map_err(raised)?);
    let (columns, reading) = (Columns::new(pairs, &reading, [None; 3])?, reading.frame());
    let are_outputs = columns.are_outputs(&reading)?;
    let table = work::run(py, &engine(&Folders { encoder, comet })?, move |context| {
        let none: &[String] = &[];
        if are_outputs {
            let choice = Choice::without(none, language);
            let choice = if only_own { choice.only_external() } else { choice };
            return workflows::output_feature_table(context, columns.output_rows(&reading)?, &choice, "outputs");
        }
        let pairs = columns.pairs(&reading)?;
        let choice = workflows::chosen_with(Choice::without(none, language), &reading.signals, || pairs.iter());
        let choice = if only_own { choice.only_external() } else { choice };
        workflows::feature_table(context, &pairs, &choice)
    })?;
    Ok(Features { table })
}

/// The group of each pair, an int64 array of shape (n,), for scikit-learn's GroupKFold and similar splitters. Pairs
/// that share a reference or a value of the column `group`, directly or through other pairs, are in the same group.
/// References with the same words are considered equal. `column` maps roles to names of columns: `{"hyp1": "answer"}`.
///
/// ```pycon
/// >>> tribunal.groups([("a", "b", "one"), ("c", "d", "two"), ("e", "f", "One")])
/// array([0, 1, 0])
///
/// ```
#[pyfunction]
#[pyo3(signature = (pairs, *, column=None))]
pub fn groups<'py>(
    py: Python<'py>,
    pairs: &Bound<'py, PyAny>,
    column: Argument<'_, 'py>,
) -> PyResult<Bound<'py, PyAny>> {
    let reading = Reading::new(None, None, None, column, NO_VOTES)?;
    let (columns, reading) = (Columns::new(pairs, &reading, [None; 3])?, reading.frame());
    let groups = work::run(py, &engine(&Folders::default())?, move |_| {
        let pairs = columns.pairs(&reading)?;
        Ok(grouping::groups(pairs.iter()).of_row)
    })?;
    let groups = groups.into_iter().map(|group| i64::try_from(group).unwrap_or(i64::MAX)).collect();
    Ok(values::one_dimension::<i64>(py, groups))
}
