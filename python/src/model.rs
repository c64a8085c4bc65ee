//! Models: verdicts, probabilities, scores and explanations.

use std::path::PathBuf;
use std::str::FromStr;
use std::sync::{Arc, OnceLock};

use pyo3::prelude::*;
use tribunal::Error;
use tribunal::files::{Input, Output};
use tribunal::judgments::Language;
use tribunal::metrics::MetricSet;
use tribunal::model::{self, Ties, builtin};
use tribunal::workflows::score::MetricChoice;
use tribunal::workflows::score::score_segments_of;
use tribunal::workflows::{self, Context, Engine, ExplainSettings, NamedModel, PairPredictor, Prediction};

use crate::explanation::Explanation;
use crate::faults::{raised, wrong_type, wrong_value};
use crate::pairs::{Argument, Columns, Reading};
use crate::texts::Texts;
use crate::values;
use crate::work::{self, CometFolder, Folders, engine};

/// A trained model: predicts which of two hypotheses people prefer, and scores single hypotheses.
///
/// ```pycon
/// >>> model = tribunal.Model.builtin()
/// >>> pair = ("The minister has not resigned.", "Minister the not of resigned!", "The minister did not resign.")
/// >>> model.predict([pair])
/// array([1], dtype=int8)
/// >>> model.predict_proba([pair]).round(2)
/// array([[0.81, 0.03, 0.16]])
/// >>> model.score([pair[0]], [pair[2]]).round(1)
/// array([74.7])
/// >>> model.save("model.json")
/// >>> tribunal.Model.load("model.json").name
/// 'model'
///
/// ```
#[pyclass(frozen, module = "tribunal")]
#[derive(Clone)]
pub struct Model {
    pub named: NamedModel,
    judge: Arc<PairPredictor>,
    /// The model as a metric, made at the first request for scores.
    metric: Arc<OnceLock<MetricSet>>,
    pub language: Language,
    /// The folders of the models that it was trained with.
    pub folders: Folders,
    pub engine: Engine,
}

impl Model {
    pub fn new(named: NamedModel, language: Language, folders: Folders) -> PyResult<Self> {
        let engine = engine(&folders)?;
        let judge = PairPredictor::new(&engine, named.model.clone(), &named.source_name).map_err(raised)?;
        Ok(Self { named, judge: Arc::new(judge), metric: Arc::default(), language, folders, engine })
    }

    /// Reads a model from a file, or the built-in one for a language and an encoder.
    fn read(file: Option<PathBuf>, language: &str, folders: Folders) -> PyResult<Self> {
        let language: Language = language.parse().map_err(raised)?;
        let engine = engine(&folders)?;
        let named = NamedModel::read(file.map(Input::File).as_ref(), &engine, &language).map_err(raised)?;
        Self::new(named, language, folders)
    }

    /// The metric_set with the model as its only metric.
    fn metric_set(&self) -> PyResult<MetricSet> {
        if let Some(metric_set) = self.metric.get() {
            return Ok(metric_set.clone());
        }
        let (models, language) = (vec![self.named.clone()], self.language.clone());
        let choice = MetricChoice { models, language, ..MetricChoice::default() };
        let metric_set = choice.metric_set(Context::new(&self.engine)).map_err(raised)?;
        Ok(self.metric.get_or_init(|| metric_set).clone())
    }
}

/// The text of a model file, its language and name, and the folders of the models that it was trained with.
type Pickled = (String, String, String, Option<PathBuf>, Option<CometFolder>);

/// Several models; a single one is a list of one.
#[derive(Default)]
pub struct Models(Vec<Model>);

impl<'a, 'py> FromPyObject<'a, 'py> for Models {
    type Error = PyErr;

    fn extract(models: Borrowed<'a, 'py, PyAny>) -> PyResult<Self> {
        if let Ok(model) = models.cast::<Model>() {
            return Ok(Self(vec![model.get().clone()]));
        }
        let list = models.extract::<Vec<PyRef<'py, Model>>>().map_err(|_| {
            let advice = "read one with tribunal.Model.load(FILE)";
            wrong_type("models", "a model, or a list of models", &models, advice)
        })?;
        Ok(Self(list.iter().map(|model| (**model).clone()).collect()))
    }
}

impl Models {
    /// A model, if there is one.
    pub fn new(model: Option<&Bound<'_, Model>>) -> Self {
        Self(model.map(|model| model.get().clone()).into_iter().collect())
    }

    /// The models, and the engine of the models in these folders, or else that of a model with some.
    pub fn with_engine(self, folders: &Folders) -> PyResult<(Vec<NamedModel>, Engine)> {
        let none = Folders::default();
        let of_model = self.0.iter().find(|model| *folders == none && model.folders != none);
        let engine = of_model.map_or_else(|| engine(folders), |model| Ok(model.engine.clone()))?;
        Ok((self.0.into_iter().map(|model| model.named).collect(), engine))
    }
}

/// A tie rule: a word, or a share.
#[derive(Clone, FromPyObject)]
pub enum Rule {
    Text(String),
    Share(f64),
}

impl Rule {
    /// Parses the rule as the library does.
    pub fn read<T: FromStr<Err = Error>>(rule: Option<Self>) -> PyResult<Option<T>> {
        let read = |rule: Self| match rule {
            Self::Text(text) => text.parse(),
            Self::Share(share) => share.to_string().parse(),
        };
        rule.map(read).transpose().map_err(raised)
    }
}

/// A model's verdicts and probabilities for n pairs.
///
/// ```pycon
/// >>> judged = tribunal.Model.builtin().judge(tribunal.sample("new"))
/// >>> judged.verdicts
/// array([ 1, -1,  0,  1,  1,  0], dtype=int8)
/// >>> judged.probabilities.shape
/// (6, 3)
///
/// ```
#[pyclass(frozen, module = "tribunal")]
pub struct Judgments {
    judged: Vec<Prediction>,
}

#[pymethods]
impl Judgments {
    /// 1 (the first is better), 0 or -1 for each pair: (n,), int8.
    #[getter]
    fn verdicts<'py>(&self, py: Python<'py>) -> Bound<'py, PyAny> {
        values::one_dimension(py, self.judged.iter().map(|judged| judged.verdict.sign()).collect::<Vec<i8>>())
    }

    /// The probabilities of 1, 0 and -1, in this order: (n, 3), float64.
    #[getter]
    fn probabilities<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let values: Vec<f64> = self.judged.iter().flat_map(|judged| judged.probabilities.0).collect();
        values::two_dimensions(py, values, [self.judged.len(), 3])
    }

    fn __len__(&self) -> usize {
        self.judged.len()
    }

    fn __repr__(&self) -> String {
        format!("<tribunal.Judgments: {} pairs>", self.judged.len())
    }
}

#[pymethods]
impl Model {
    /// The built-in model for texts of a language: one for English, one for all others. With `encoder`, the folder of
    /// all-MiniLM-L6-v2, it is the one for English that was trained with it.
    #[staticmethod]
    #[pyo3(signature = (language="en", *, encoder=None, comet=None))]
    fn builtin(language: &str, encoder: Option<PathBuf>, comet: Option<CometFolder>) -> PyResult<Self> {
        Self::read(None, language, Folders { encoder, comet })
    }

    /// Load a model file written by `Model.save` or `tribunal train`. For languages other than English, features that
    /// need English are removed. `encoder` is the folder of the encoder that it was trained with.
    #[staticmethod]
    #[pyo3(signature = (path, *, language="en", encoder=None, comet=None))]
    fn load(path: PathBuf, language: &str, encoder: Option<PathBuf>, comet: Option<CometFolder>) -> PyResult<Self> {
        Self::read(Some(path), language, Folders { encoder, comet })
    }

    /// Read a model from the text of a model file.
    #[staticmethod]
    #[pyo3(signature = (text, *, language="en", name="model", encoder=None, comet=None))]
    fn from_json(
        text: &str,
        language: &str,
        name: &str,
        encoder: Option<PathBuf>,
        comet: Option<CometFolder>,
    ) -> PyResult<Self> {
        let language: Language = language.parse().map_err(raised)?;
        let model = model::Model::parse(text, name).map_err(raised)?.for_language(&language);
        Self::new(
            NamedModel { name: name.to_owned(), source_name: name.to_owned(), model },
            language,
            Folders { encoder, comet },
        )
    }

    /// The text of the model file.
    fn to_json(&self) -> PyResult<String> {
        self.named.model.to_text().map_err(raised)
    }

    /// Write the model file. An existing file is replaced, or left unchanged if writing fails.
    fn save(&self, path: PathBuf) -> PyResult<()> {
        let output = Output::create(Some(&path)).map_err(raised)?;
        self.named.model.write(output).map_err(raised)
    }

    /// The name: that of its file, without folder and extension.
    #[getter]
    fn name(&self) -> &str {
        &self.named.name
    }

    /// The code of the language of the texts, such as `en`.
    #[getter]
    fn language(&self) -> &str {
        self.language.code()
    }

    /// The folder of its encoder, if it has one.
    #[getter]
    fn encoder(&self) -> Option<String> {
        self.folders.encoder.as_ref().map(|folder| folder.display().to_string())
    }

    /// The features of a hypothesis with their learned weights, for standardised features.
    #[getter]
    fn weights(&self) -> Vec<(String, f64)> {
        let model = &self.named.model;
        model
            .schema
            .compared()
            .map(|column| column.name.clone())
            .zip(model.linear.weights.hypothesis.iter().copied())
            .collect()
    }

    /// The own metrics that the model was trained with; `NAME-` if lower is better.
    #[getter]
    fn own(&self) -> Vec<String> {
        let own = self.named.model.schema.external_metrics();
        own.map(|metric| format!("{}{}", metric.name, if metric.lower_is_better { "-" } else { "" })).collect()
    }

    /// The judges that the model was trained with.
    #[getter]
    fn judges(&self) -> Vec<&str> {
        self.named.model.schema.judges().map(|judge| judge.name.as_str()).collect()
    }

    /// The least probability of a verdict at which verdicts agree with people in this share: a pair whose most probable
    /// verdict is less probable is better left undecided.
    fn confidence_for(&self, agreement: f64) -> PyResult<f64> {
        self.named.model.confidence_for(agreement, &self.named.source_name).map_err(raised)
    }

    /// Predict the preferred hypothesis of each of n pairs: 1 (the first), 0 (a tie) or -1 (the second). Returns an
    /// int8 array of shape (n,).
    ///
    /// `pairs` is a list of tuples `(hyp1, hyp2, ref)` or a table. `ties` is the tie rule: "likeliest", "threshold=P",
    /// or the share of pairs to predict as ties, such as 0.15; by default, the rule that was tuned in training. Values
    /// of the model's own metrics are in the columns `NAME.1` and `NAME.2`, or in `own`: `{NAME: array of shape (n,
    /// 2)}`; verdicts of its judges are in the columns `NAME`, or `NAME.12` and `NAME.21`. `column` maps roles to names
    /// of columns: `{"hyp1": "answer"}`.
    ///
    /// A table with one `output` a row gives a list of dictionaries, one for each output, with its score from 0 to 100 and,
    /// by a model that was trained on outputs, its expected label and verdict; with `min_agreement`, verdicts that agreed with
    /// people less often than this out of fold are left out.
    #[pyo3(signature = (pairs, *, ties=None, own=None, column=None, min_agreement=None))]
    fn predict<'py>(
        &self,
        py: Python<'py>,
        pairs: &Bound<'py, PyAny>,
        ties: Option<Rule>,
        own: Argument<'_, 'py>,
        column: Argument<'_, 'py>,
        min_agreement: Option<f64>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let reading = Reading::for_model(&self.named, own, column)?;
        let (columns, reading) = (Columns::new(pairs, &reading, [None; 3])?, reading.frame());
        if columns.are_outputs(&reading)? {
            if ties.is_some() {
                return Err(wrong_value("ties", "pairs", "outputs, one a row", "omit it, as it has no effect"));
            }
            let named = self.named.clone();
            let predictions = work::run(py, &self.engine, move |context| {
                workflows::predict_outputs(context, &named, columns.output_rows(&reading)?, "outputs", min_agreement)
            })?;
            return values::to_python(py, &predictions);
        }
        if min_agreement.is_some() {
            let advice = "compare probabilities with `confidence_for` instead";
            return Err(wrong_value("min_agreement", "outputs, one a row", "pairs", advice));
        }
        Ok(self.judge(py, pairs, ties, own, column)?.verdicts(py))
    }

    /// The probabilities of 1, 0 and -1, in this order, for each of n pairs: a float64 array of shape (n, 3). Takes the
    /// same arguments as `predict`.
    #[pyo3(signature = (pairs, *, ties=None, own=None, column=None))]
    fn predict_proba<'py>(
        &self,
        py: Python<'py>,
        pairs: &Bound<'py, PyAny>,
        ties: Option<Rule>,
        own: Argument<'_, 'py>,
        column: Argument<'_, 'py>,
    ) -> PyResult<Bound<'py, PyAny>> {
        self.judge(py, pairs, ties, own, column)?.probabilities(py)
    }

    /// Verdicts and probabilities at once. Takes the same arguments as `predict`.
    #[pyo3(signature = (pairs, *, ties=None, own=None, column=None))]
    fn judge<'py>(
        &self,
        py: Python<'py>,
        pairs: &Bound<'py, PyAny>,
        ties: Option<Rule>,
        own: Argument<'_, 'py>,
        column: Argument<'_, 'py>,
    ) -> PyResult<Judgments> {
        let ties = Rule::read::<Ties>(ties)?;
        let reading = Reading::for_model(&self.named, own, column)?;
        let (columns, judge, reading) =
            (Columns::new(pairs, &reading, [None; 3])?, Arc::clone(&self.judge), reading.frame());
        let judged = work::run(py, &self.engine, move |context| {
            workflows::predict_pairs(context, &judge, &columns.pairs(&reading)?, ties)
        })?;
        Ok(Judgments { judged })
    }

    /// Score single hypotheses from 0 to 100. A score is roughly a percentile: 70 means better than about 70% of the
    /// training translations. Returns a float64 array of shape (n,).
    ///
    /// `references` holds one reference, or a list of them, for each hypothesis. `own` holds the values of the model's
    /// own metrics: `{NAME: array of shape (n,)}`, `sources` what each hypothesis translates, where COMET is a feature.
    #[pyo3(signature = (hypotheses, references, *, own=None, sources=None))]
    fn score<'py>(
        &self,
        py: Python<'py>,
        hypotheses: &Bound<'py, PyAny>,
        references: &Bound<'py, PyAny>,
        own: Argument<'_, 'py>,
        sources: Argument<'_, 'py>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let texts = Texts::new(hypotheses, references, own, sources)?.parallel;
        let metric_set = self.metric_set()?;
        let scores = work::run(py, &self.engine, move |context| score_segments_of(context, &metric_set, &texts))?;
        Ok(values::one_dimension(py, scores.into_iter().flatten().flatten().collect::<Vec<f64>>()))
    }

    /// Explain the verdict on each pair: the words that match the reference, the contributions of features, and the
    /// metrics' values. Takes the same arguments as `predict`; intended for a few pairs.
    #[pyo3(signature = (pairs, *, ties=None, own=None, column=None))]
    fn explain(
        &self,
        py: Python<'_>,
        pairs: &Bound<'_, PyAny>,
        ties: Option<Rule>,
        own: Argument<'_, '_>,
        column: Argument<'_, '_>,
    ) -> PyResult<Vec<Explanation>> {
        let ties = Rule::read::<Ties>(ties)?;
        let settings = ExplainSettings { ties, language: self.language.clone() };
        let reading = Reading::for_model(&self.named, own, column)?;
        let (columns, named, reading) =
            (Columns::new(pairs, &reading, [None; 3])?, self.named.clone(), reading.frame());
        let explained = work::run(py, &self.engine, move |context| {
            let pairs = columns.pairs(&reading)?;
            let pairs: Vec<_> = pairs.iter().collect();
            workflows::explain_pairs(context, &named, &pairs, &settings)
        })?;
        Ok(explained.into_iter().map(Explanation::new).collect())
    }

    /// Pickles the model as the text of its file.
    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, Pickled)> {
        let module = py.import("tribunal")?;
        let (language, name) = (self.language().to_owned(), self.name().to_owned());
        Ok((
            module.getattr("_unpickled")?,
            (self.to_json()?, language, name, self.folders.encoder.clone(), self.folders.comet.clone()),
        ))
    }

    fn __repr__(&self) -> String {
        let training = &self.named.model.training;
        let name = if self.named.source_name == builtin::NAME { builtin::NAME } else { &self.named.name };
        let schema = &self.named.model.schema;
        let (features, english) = (schema.compared().count(), schema.needs_english());
        let language = if english { "English" } else { "any language" };
        format!(
            "<tribunal.Model {name}: {language}, {features} features, trained on {} pairs ({})>",
            training.pairs, training.data
        )
    }
}
