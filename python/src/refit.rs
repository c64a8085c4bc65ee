//! Weights fitted by another program, see `tribunal.spark`. In: batches of pairs. Out: batches of rows for the other
//! program to learn from, and a model with the weights that it found.

use std::sync::Arc;

use arrow_array::builder::{ListBuilder, StringBuilder};
use arrow_array::cast::AsArray;
use arrow_array::types::{Float64Type, Int8Type};
use arrow_array::{Array, ArrayRef, Float64Array, Int8Array, ListArray, RecordBatch};
use arrow_schema::DataType;
use ndarray::Array2;
use numpy::{PyReadonlyArray1, PyReadonlyArray2};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyTuple};
use pyo3_arrow::PyRecordBatch;
use tribunal::formats::FrameReading;
use tribunal::judgments::{Verdict, grouping};
use tribunal::learners::logistic::design::Design;
use tribunal::learners::logistic::{LossSums, RegressionFit, Weights};
use tribunal::model::reference_fingerprint;
use tribunal::workflows::{self, AllPairs};

use crate::faults::{raised, wrong_value};
use crate::model::Model;
use crate::pairs::{Beside, Columns, Own};
use crate::training::Trained;
use crate::values;
use crate::work::{self, engine};

/// The name of rows from the other program in error messages.
const ROWS: &str = "scaled rows";

/// One row per judged pair, for drawing a sample: `label` (int8), `draw` (a number in [0, 1) drawn with `seed`, equal
/// for all pairs with the same first reference) and `references` (their fingerprints, a list of texts).
#[pyfunction]
#[pyo3(signature = (pairs, *, own, only_own=false, seed))]
pub fn judged_references(
    py: Python<'_>,
    pairs: &Bound<'_, PyAny>,
    own: &Bound<'_, PyAny>,
    only_own: bool,
    seed: u64,
) -> PyResult<Batch> {
    let own = Own::of(Some(own))?;
    let columns = Columns::of(pairs, &Beside { own: Some(&own), ..Beside::default() })?;
    let reading = FrameReading { own: own.metrics, without_references: only_own };
    let batch = work::run(py, move |_| {
        let judgments = columns.judgments(&reading)?;
        let labels = judgments.iter().map(|judgment| judgment.label.sign());
        let draws = judgments.iter().map(|judgment| grouping::draw(&judgment.pair, seed));
        let mut references = ListBuilder::new(StringBuilder::new());
        for judgment in &judgments {
            references.append_value(judgment.pair.references.iter().map(|text| Some(reference_fingerprint(text))));
        }
        Ok(vec![
            ("label", Arc::new(Int8Array::from_iter_values(labels)) as ArrayRef),
            ("draw", Arc::new(Float64Array::from_iter_values(draws))),
            ("references", Arc::new(references.finish())),
        ])
    })?;
    Batch::new(batch)
}

/// An Arrow record batch, exported by the PyCapsule interface.
#[pyclass(frozen, module = "tribunal")]
pub struct Batch {
    batch: RecordBatch,
}

impl Batch {
    fn new(columns: Vec<(&str, ArrayRef)>) -> PyResult<Self> {
        Ok(Self { batch: values::batch(columns)? })
    }
}

#[pymethods]
impl Batch {
    #[pyo3(signature = (requested_schema=None))]
    fn __arrow_c_array__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<Bound<'py, pyo3::types::PyCapsule>>,
    ) -> PyResult<Bound<'py, PyTuple>> {
        values::capsules(py, &self.batch, requested_schema)
    }
}

/// A model whose weights another program refits on more pairs.
#[pyclass(frozen, module = "tribunal")]
pub struct Refit {
    refit: Arc<workflows::Refit>,
    reading: FrameReading,
    language: String,
}

#[pymethods]
impl Refit {
    #[new]
    fn new(model: &Model) -> PyResult<Self> {
        let schema = &model.named.model.schema;
        let reading = FrameReading { own: schema.own.clone(), without_references: schema.is_only_own() };
        let refit =
            workflows::Refit::new(engine(), model.named.model.clone(), &model.named.source_name).map_err(raised)?;
        Ok(Self { refit: Arc::new(refit), reading, language: model.language_code().to_owned() })
    }

    /// The scaled features of judged pairs: `row`, `label` and `weight`.
    fn rows(&self, py: Python<'_>, pairs: &Bound<'_, PyAny>) -> PyResult<Batch> {
        let columns = self.columns(pairs)?;
        let (refit, reading) = (Arc::clone(&self.refit), self.reading.clone());
        let design = work::run(py, move |_| refit.design(&columns.judgments(&reading)?))?;
        let labels = design.labels.iter().map(|label| label.sign());
        Batch::new(vec![
            ("row", lists(&design.rows)?),
            ("label", Arc::new(Int8Array::from_iter_values(labels))),
            ("weight", Arc::new(Float64Array::from(design.weights))),
        ])
    }

    /// The regression to fit: `classes`, `intercepts` (whether there are any), `penalty`, and the bounds of
    /// coefficients, `lower` and `upper`, of shape (classes, columns) with ties and (1, columns) without. `has_ties`
    /// says whether any of all labels is a tie.
    fn regression<'py>(&self, py: Python<'py>, has_ties: bool) -> PyResult<Bound<'py, PyDict>> {
        let regression = self.refit.regression(has_ties);
        let told = PyDict::new(py);
        told.set_item("classes", regression.classes())?;
        told.set_item("intercepts", regression.has_intercepts())?;
        told.set_item("penalty", regression.penalty())?;
        for (name, bounds) in ["lower", "upper"].into_iter().zip(regression.bounds()) {
            let shape = [bounds.nrows(), bounds.ncols()];
            told.set_item(name, values::two_dimensions(py, bounds.iter().copied().collect(), shape)?)?;
        }
        Ok(told)
    }

    /// The training data of the other program: `features`, `class` (a number) and `weight` of rows and their mirror
    /// images.
    fn mirrored(&self, rows: PyRecordBatch, has_ties: bool) -> PyResult<Batch> {
        let rows = self.refit.regression(has_ties).rows(&self.design(&rows)?);
        let classes = rows.classes.iter().map(|&class| class as f64);
        Batch::new(vec![
            ("features", lists(&rows.rows)?),
            ("class", Arc::new(Float64Array::from_iter_values(classes))),
            ("weight", Arc::new(Float64Array::from(rows.weights))),
        ])
    }

    /// The weights that the other program found, as JSON.
    fn weights(
        &self,
        coefficients: PyReadonlyArray2<'_, f64>,
        intercepts: Vec<f64>,
        has_ties: bool,
    ) -> PyResult<String> {
        let fit = RegressionFit { coefficients: coefficients.as_array().to_owned(), intercepts };
        let weights = self.refit.regression(has_ties).weights(&fit).map_err(raised)?;
        values::to_text(&weights)
    }

    /// Loss and gradient at these weights, summed over rows: an array to be added to those of other rows.
    fn sums<'py>(&self, py: Python<'py>, weights: &str, rows: PyRecordBatch) -> PyResult<Bound<'py, PyAny>> {
        let sums = LossSums::new(&self.read_weights(weights)?, &self.design(&rows)?);
        Ok(values::one_dimension(py, sums.to_vec()))
    }

    /// The model with these weights, and the report of `trained`, which learned from the sample. `labels` are the
    /// numbers of 1, 0 and -1 among all pairs.
    #[pyo3(signature = (trained, sample, *, weights, sums, labels, groups, references, name))]
    #[expect(clippy::too_many_arguments, reason = "keyword arguments of Python")]
    fn trained(
        &self,
        py: Python<'_>,
        trained: &Trained,
        sample: &Bound<'_, PyAny>,
        weights: &str,
        sums: PyReadonlyArray1<'_, f64>,
        labels: [usize; 3],
        groups: usize,
        references: Option<Vec<String>>,
        name: &str,
    ) -> PyResult<Trained> {
        let columns = self.columns(sample)?;
        let weights = self.read_weights(weights)?;
        let sums = LossSums::from_slice(&sums.as_array().to_vec(), &weights).map_err(raised)?;
        let all = AllPairs { name: name.to_owned(), labels, groups, references };
        let (refit, reading) = (Arc::clone(&self.refit), self.reading.clone());
        let model = work::run(py, move |_| refit.model(weights, &sums, all, &columns.judgments(&reading)?))?;
        trained.with_model(py, model, &self.language)
    }
}

impl Refit {
    fn columns(&self, pairs: &Bound<'_, PyAny>) -> PyResult<Columns> {
        let own = Own { metrics: self.reading.own.clone(), values: Vec::new() };
        Columns::of(pairs, &Beside { own: Some(&own), ..Beside::default() })
    }

    fn read_weights(&self, text: &str) -> PyResult<Weights> {
        values::from_text(text, "weights")
    }

    fn design(&self, rows: &PyRecordBatch) -> PyResult<Design> {
        let batch: &RecordBatch = rows.as_ref();
        let column = |name: &str, kind: &DataType| {
            let missing =
                || wrong_value(ROWS, &format!("a column {name} of {kind}"), "none", "give rows as they were made");
            let column = batch.column_by_name(name).ok_or_else(missing)?;
            arrow_cast::cast(column, kind).map_err(|_| missing())
        };
        let lists = column("row", &DataType::new_list(DataType::Float64, true))?;
        let labels = column("label", &DataType::Int8)?;
        let weights = column("weight", &DataType::Float64)?.as_primitive::<Float64Type>().values().to_vec();
        let labels =
            labels.as_primitive::<Int8Type>().values().iter().map(|&sign| Verdict::compare(f64::from(sign), 0.0));
        self.refit.design_from_rows(matrix(lists.as_list())?, labels.collect(), weights).map_err(raised)
    }
}

/// An Arrow column with one list per row.
fn lists(rows: &Array2<f64>) -> PyResult<ArrayRef> {
    let mut builder = ListBuilder::with_capacity(Float64Array::builder(rows.len()), rows.nrows());
    for row in rows.outer_iter() {
        builder.append_value(row.iter().map(|&value| Some(value)));
    }
    Ok(Arc::new(builder.finish()))
}

/// Lists of equal length as a matrix: (rows, numbers).
fn matrix(lists: &ListArray) -> PyResult<Array2<f64>> {
    let columns = if lists.is_empty() { 0 } else { lists.value_length(0) as usize };
    let values: Vec<f64> =
        lists.iter().flatten().flat_map(|row| row.as_primitive::<Float64Type>().values().to_vec()).collect();
    Array2::from_shape_vec((lists.len(), columns), values)
        .map_err(|_| wrong_value(ROWS, "lists of one length", "others", "give rows as they were made"))
}
