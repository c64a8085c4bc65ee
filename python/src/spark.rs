//! What `tribunal.spark.train` needs of a model that learned from a sample, so that MLlib fits its weights on all
//! pairs: the rows, penalty and bounds of the regression, and the model with the weights that MLlib found.

use std::sync::Arc;

use arrow_array::builder::{ListBuilder, StringBuilder};
use arrow_array::{ArrayRef, Float64Array, Int8Array, RecordBatch};
use ndarray::{Array2, Axis};
use numpy::PyReadonlyArray2;
use pyo3::prelude::*;
use pyo3::types::{PyCapsule, PyDict, PyTuple};
use tribunal::features::{Column, Table};
use tribunal::judgments::grouping;
use tribunal::judgments::{Judgment, Language, Verdict};
use tribunal::learners::logistic::{Bound as WeightBound, Design, LinearModel, Weights};
use tribunal::learning::{Labelled, ScoreScale};
use tribunal::model::{Training, reference_fingerprint};
use tribunal::workflows::{Engine, NamedModel};

use crate::faults::{raised, wrong_value};
use crate::model::Model;
use crate::pairs::{Columns, NO_VOTES, Reading};
use crate::training::trained_model;
use crate::values;
use crate::work::{self, Folders, engine};

/// An Arrow record batch, exported by the PyCapsule interface.
#[pyclass(frozen, module = "tribunal")]
pub struct Batch {
    batch: RecordBatch,
}

#[pymethods]
impl Batch {
    #[pyo3(signature = (requested_schema=None))]
    fn __arrow_c_array__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<Bound<'py, PyCapsule>>,
    ) -> PyResult<Bound<'py, PyTuple>> {
        values::capsules(py, &self.batch, requested_schema)
    }
}

/// One row per judged pair, for drawing samples: `label` (int8), `draw` (a number in [0, 1) drawn with `seed`, equal
/// for all pairs with the same first reference) and `references` (their fingerprints, a list of texts).
#[pyfunction]
#[pyo3(signature = (pairs, *, own, seed))]
pub fn judged_references(
    py: Python<'_>,
    pairs: &Bound<'_, PyAny>,
    own: &Bound<'_, PyAny>,
    seed: u64,
) -> PyResult<Batch> {
    let reading = Reading::new(Some(own), None, None, None, NO_VOTES)?;
    let (columns, reading) = (Columns::new(pairs, &reading, [None; 3])?, reading.frame());
    let columns = work::run(py, &engine(&Folders::default())?, move |_| {
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
    Ok(Batch { batch: values::batch(columns)? })
}

/// The multinomial regression behind a model, for MLlib to fit on more pairs. The classes are the verdicts 1, 0 (if
/// there are ties) and -1; the columns are the scaled features of hypotheses, then those of pairs.
#[pyclass(frozen, module = "tribunal")]
pub struct Regression {
    named: Arc<NamedModel>,
    language: Language,
    has_ties: bool,
    engine: Engine,
    folders: Folders,
}

#[pymethods]
impl Regression {
    #[new]
    fn new(model: &Model, has_ties: bool) -> Self {
        Self {
            named: Arc::new(model.named.clone()),
            language: model.language.clone(),
            has_ties,
            engine: model.engine.clone(),
            folders: model.folders.clone(),
        }
    }

    /// `features`, `class` (a number) and `weight` of judged pairs and their mirror images.
    fn rows(&self, py: Python<'_>, pairs: &Bound<'_, PyAny>) -> PyResult<Batch> {
        let design = self.with_data(py, pairs, |model, data| {
            let rows: Vec<usize> = (0..data.len()).collect();
            // Weights are not normalised, as batches do not know each other.
            let weights = rows.iter().map(|&row| data.weight(row)).collect();
            Design { weights, ..Design::new(data, &rows, &model.linear.scales) }
        })?;
        let (rows, labels) = design.mirrored(&design.columns());
        let class = |label: Verdict| if self.has_ties { label.index() } else { label.index() / 2 };
        let mut features = ListBuilder::with_capacity(Float64Array::builder(rows.len()), rows.nrows());
        for row in rows.axis_iter(Axis(0)) {
            features.append_value(row.iter().map(|&value| Some(value)));
        }
        let classes = labels.into_iter().map(|label| class(label) as f64);
        let columns: [(&str, ArrayRef); 3] = [
            ("features", Arc::new(features.finish())),
            ("class", Arc::new(Float64Array::from_iter_values(classes))),
            ("weight", Arc::new(Float64Array::from(design.weights.repeat(2)))),
        ];
        Ok(Batch { batch: values::batch(columns)? })
    }

    /// The strength of the penalty, and the least and the greatest coefficients, (classes, columns): `penalty`, `lower`
    /// and `upper`.
    fn problem<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let scales = &self.named.model.linear.scales;
        let x = scales.iter().filter_map(|scale| scale.difference);
        let t = scales.iter().filter_map(|scale| Some(scale.similarity?.deviation));
        let mut ranges: Vec<Vec<[f64; 2]>> = vec![Vec::new(); if self.has_ties { 3 } else { 2 }];
        let last = ranges.len() - 1;
        for (scale, bound) in x.zip(self.bounds()) {
            // MLlib cannot leave a constant column free. Differences of hypotheses carry no information about ties:
            // their mirror images have the opposite sign.
            let [low, high] = if scale == 0.0 { [0.0, 0.0] } else { range(bound) };
            ranges.iter_mut().for_each(|class| class.push([0.0, 0.0]));
            ranges[0].last_mut().into_iter().for_each(|ends| *ends = [low, high]);
            ranges[last].last_mut().into_iter().for_each(|ends| *ends = [-high, -low]);
        }
        for scale in t {
            let ends = if scale == 0.0 { [0.0, 0.0] } else { range(WeightBound::Free) };
            ranges.iter_mut().for_each(|class| class.push(ends));
        }
        let told = PyDict::new(py);
        told.set_item("penalty", self.named.model.training.penalty)?;
        for (end, name) in ["lower", "upper"].into_iter().enumerate() {
            let shape = [ranges.len(), ranges[0].len()];
            let values = ranges.iter().flatten().map(|ends| ends[end]).collect();
            told.set_item(name, values::two_dimensions(py, values, shape)?)?;
        }
        Ok(told)
    }

    /// The model with the weights that MLlib found; the scale of its scores is measured on the pairs of the sample.
    /// `labels` are the numbers of 1, 0 and -1 among the pairs of the fit, `references` their fingerprints, or `None`,
    /// which keeps those of the sample.
    #[pyo3(signature = (sample, coefficients, intercepts, *, labels, groups, references))]
    #[expect(clippy::too_many_arguments, reason = "keyword arguments of Python")]
    fn model(
        &self,
        py: Python<'_>,
        sample: &Bound<'_, PyAny>,
        coefficients: PyReadonlyArray2<'_, f64>,
        intercepts: Vec<f64>,
        labels: [usize; 3],
        groups: usize,
        references: Option<Vec<String>>,
    ) -> PyResult<Model> {
        let linear =
            LinearModel { weights: self.weights(&coefficients, &intercepts)?, ..self.named.model.linear.clone() };
        let preference = linear.preference();
        let scores: Vec<(f64, f64)> = self.with_data(py, sample, move |_, data| {
            let of_row = |row| preference.scores(data.table, row).map(|score| (score, data.weight(row)));
            (0..data.len()).flat_map(of_row).collect()
        })?;
        let mut references = references.unwrap_or_else(|| self.named.model.training.references.clone());
        references.sort();
        references.dedup();
        let training = Training {
            pairs: labels.iter().sum(),
            sample: Some(self.named.model.training.pairs),
            groups,
            labels: Verdict::ALL.iter().map(|label| (label.to_string(), labels[label.index()])).collect(),
            references,
            ..self.named.model.training.clone()
        };
        let model =
            tribunal::model::Model { linear, training, score: ScoreScale::new(&scores), ..self.named.model.clone() };
        model.check("weights found by MLlib").map_err(raised)?;
        trained_model(model, self.language.clone(), self.folders.clone())
    }
}

impl Regression {
    /// The bounds of the weights of x.
    fn bounds(&self) -> Vec<WeightBound> {
        let model = &self.named.model;
        let bound = |column: &Column| match model.training.fit.monotone {
            true => WeightBound::new(column.monotonicity()),
            false => WeightBound::Free,
        };
        model.schema.compared().map(bound).collect()
    }

    /// The symmetric part of the coefficients, within their bounds.
    fn weights(&self, coefficients: &PyReadonlyArray2<'_, f64>, intercepts: &[f64]) -> PyResult<Weights> {
        let known = &self.named.model.linear.weights;
        let (hypothesis, pair) = (known.hypothesis.len(), known.tie.len());
        let expected = (if self.has_ties { 3 } else { 2 }, hypothesis + pair);
        let found = coefficients.as_array();
        if found.dim() != expected || intercepts.len() != expected.0 {
            let (expected, found) = (format!("{expected:?} coefficients"), format!("{:?}", found.dim()));
            return Err(wrong_value("coefficients", &expected, &found, "fit the regression of this model"));
        }
        let value = |(row, class): (usize, usize)| {
            if row < expected.1 { found[[class, row]] } else { intercepts[class] }
        };
        let classes = Array2::from_shape_fn((expected.1 + 1, expected.0), value);
        let mut weights = Weights::from_classes(&classes, hypothesis);
        weights.hypothesis.iter_mut().zip(self.bounds()).for_each(|(weight, bound)| *weight = bound.nearest(*weight));
        let all = weights.hypothesis.iter().chain(&weights.decided).chain(&weights.tie);
        if let Some(wrong) = all.chain([&weights.decided_intercept]).find(|value| !value.is_finite()) {
            let advice = "check the values of own metrics";
            return Err(wrong_value("coefficients", "finite numbers", &wrong.to_string(), advice));
        }
        Ok(weights)
    }

    /// Computes the features of pairs for `of`.
    fn with_data<T: Send + 'static>(
        &self,
        py: Python<'_>,
        pairs: &Bound<'_, PyAny>,
        of: impl FnOnce(&tribunal::model::Model, Labelled<'_, Table>) -> T + Send + 'static,
    ) -> PyResult<T> {
        let named = Arc::clone(&self.named);
        let reading = Reading::for_model(&named, None, None)?;
        let (columns, reading) = (Columns::new(pairs, &reading, [None; 3])?, reading.frame());
        let engine = self.engine.clone();
        work::run(py, &self.engine, move |_| {
            let judgments: Vec<Judgment> = columns.judgments(&reading)?;
            let pairs = || judgments.iter().map(|judgment| &judgment.pair);
            named.model.schema.check(pairs(), "pairs")?;
            let extractor = named.model.extractor(engine.lexicons(), "ensemble")?;
            let table = extractor.extract(pairs(), &|_, _| ());
            let labels: Vec<Verdict> = judgments.iter().map(|judgment| judgment.label).collect();
            let weights: Vec<f64> = pairs().map(|pair| pair.weight.unwrap_or(1.0)).collect();
            let groups = grouping::groups(pairs());
            Ok(of(&named.model, Labelled { table: &table, labels: &labels, groups: &groups, weights: &weights }))
        })
    }
}

/// The least and the greatest weight within a bound.
fn range(bound: WeightBound) -> [f64; 2] {
    match bound {
        WeightBound::Free => [f64::NEG_INFINITY, f64::INFINITY],
        WeightBound::AtLeastZero => [0.0, f64::INFINITY],
        WeightBound::AtMostZero => [f64::NEG_INFINITY, 0.0],
    }
}
