//! Rankings of systems, as text, a page, dictionaries or frames; and what to label for them.

use std::path::PathBuf;

use pyo3::exceptions::PyKeyError;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use tribunal::features::Choice;
use tribunal::files::Output;
use tribunal::judgments::Language;
use tribunal::report::html::RatingScale;
use tribunal::report::ranking;
use tribunal::report::text::render_ranking;
use tribunal::report::{Terminal, html, sections};
use tribunal::workflows::{self, AnnotateSettings, By, Engine, MarkSettings, NamedModel, NextSettings, RankSettings};

use crate::faults::{raised, wrong_value};
use crate::importing::columns_of;
use crate::model::{Model, Models};
use crate::outputs::{OutputReport, columns_of_outputs};
use crate::pairs::{Argument, Columns, NO_VOTES, Reading};
use crate::requirement::decided;
use crate::texts::Texts;
use crate::values;
use crate::work::{self, CometFolder, Folders, engine};

/// A ranking of systems: win rates, Bradley-Terry strengths, clusters, with 95% CIs.
///
/// ```pycon
/// >>> ranking = tribunal.rank(tribunal.sample("arena"))
/// >>> ranking.systems
/// ['system1', 'system2', 'system3']
/// >>> ranking.to_pandas()[["system", "win_rate", "cluster"]]
///     system  win_rate  cluster
/// 0  system1  0.609091      1.0
/// 1  system2  0.527273      1.0
/// 2  system3  0.363636      1.0
///
/// ```
#[pyclass(frozen, module = "tribunal")]
pub struct Ranking {
    ranking: ranking::Ranking,
}

#[pymethods]
impl Ranking {
    /// The names of the systems, the strongest first.
    #[getter]
    fn systems(&self) -> Vec<String> {
        self.ranking.board.systems.iter().map(|system| system.name.clone()).collect()
    }

    /// A table as a pandas frame: "systems"; "wins", the share of pairs that each system wins against each other;
    /// "differences", the differences of every two systems; or "power", what more groups would show.
    #[pyo3(signature = (table="systems"))]
    fn to_pandas<'py>(&self, py: Python<'py>, table: &str) -> PyResult<Bound<'py, PyAny>> {
        let sections = sections::of_ranking(&self.ranking);
        let mut tables = sections.iter().flat_map(|section| &section.tables);
        let table = tables.find(|known| known.key == table).ok_or_else(|| PyKeyError::new_err(table.to_owned()))?;
        py.import("pandas")?.call_method1("DataFrame", (values::to_python(py, table)?,))
    }

    /// The output of `tribunal rank --json` as dictionaries and lists.
    fn to_dict<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        values::to_python(py, &self.ranking)
    }

    /// The page of `tribunal rank --html`.
    fn to_html(&self) -> PyResult<String> {
        html::ranking(&self.ranking, "these pairs").map_err(raised)
    }

    /// Whether something holds by the 95% interval, such as "v2 >= v1 - 5", as `--require` of the program says: a dictionary
    /// with the `outcome`, "met", "unmet", or "open" where it cannot be told yet, and `why`.
    ///
    /// ```pycon
    /// >>> ranking = tribunal.rank(tribunal.sample("arena"))
    /// >>> ranking.require("system1 > system3")["outcome"], ranking.require("system1 > system2")["outcome"]
    /// ('met', 'open')
    ///
    /// ```
    fn require<'py>(&self, py: Python<'py>, what: &str) -> PyResult<Bound<'py, PyAny>> {
        decided(py, &self.ranking, what)
    }

    fn __repr__(&self) -> String {
        render_ranking(&self.ranking, Terminal::plain(100), false)
    }
}

/// Rank the systems of pairs: win rates, Bradley-Terry strengths and clusters, with 95% CIs.
///
/// `pairs` is a table as in `train`, with the columns system1 and system2 (or model_a and model_b), and a label where
/// there is one. `by` says whose verdicts count: "human", "model", the name of a judge, or "both": human labels of a
/// random part of the pairs, and predictions of all of them by `model`, or else by a model that is cross-fitted on the
/// labels (prediction-powered inference). By default labels count if there are any, else the model. With
/// `style_control`, strengths are those of systems whose texts have the same length, lists and mark-up. With
/// `references`, `pairs` holds the outputs of systems instead, `{"one": texts, "other": texts}`, and the model compares
/// every two of them; `sources` are what they translate, where COMET is a feature.
///
/// A table with one `output` a row has labels that pass or fail, or numbers: systems are ranked by their rate or mean, with
/// `by="both"` corrected by the labels of a random part where a judge, or a model that was trained on outputs, has all;
/// `lambda_` is how much it counts then, from 0 to 1. The result is an `OutputReport`.
///
/// ```pycon
/// >>> print(tribunal.rank(tribunal.sample("arena"), by="both"))
/// 3 systems by human labels and a model that is cross-fitted on them: 330 pairs...
///
/// ```
#[pyfunction]
#[pyo3(signature = (
    pairs, labels=None, *, by=None, model=None, groups=None, own=None, judges=None, annotators=None, merge=false,
    no_majority="tie", column=None, references=None, style_control=false, lambda_=None, seed=1, language="en",
    encoder=None, comet=None, sources=None
))]
#[expect(clippy::too_many_arguments, reason = "keyword arguments of Python")]
pub fn rank(
    py: Python<'_>,
    pairs: &Bound<'_, PyAny>,
    labels: Argument<'_, '_>,
    by: Option<&str>,
    model: Option<&Bound<'_, Model>>,
    groups: Argument<'_, '_>,
    own: Argument<'_, '_>,
    judges: Argument<'_, '_>,
    annotators: Argument<'_, '_>,
    merge: bool,
    no_majority: &str,
    column: Argument<'_, '_>,
    references: Argument<'_, '_>,
    style_control: bool,
    lambda_: Option<f64>,
    seed: u64,
    language: &str,
    encoder: Option<PathBuf>,
    comet: Option<CometFolder>,
    sources: Argument<'_, '_>,
) -> PyResult<Py<PyAny>> {
    let lambda = lambda_;
    let mut reading = Reading::new(own, judges, annotators, column, (merge, no_majority, false))?;
    let language: Language = language.parse().map_err(raised)?;
    let parsed = by.map(str::parse::<By>).transpose();
    let by = parsed.map_err(|advice| wrong_value("by", "whose verdicts count", by.unwrap_or_default(), &advice))?;
    let (models, engine) = Models::new(model).with_engine(&Folders { encoder, comet })?;
    let mut settings = RankSettings {
        by,
        style_control,
        features: Choice::for_language(language),
        signals: reading.signals.clone(),
        source_name: "outputs".to_owned(),
        seed,
    };
    if let Some(references) = references {
        return Ok(Py::new(py, rank_outputs(py, [pairs, references], sources, models, &engine, settings)?)?.into_any());
    }
    reading.add_needed(&models).map_err(raised)?;
    if let Some(By::Judge(name)) = &settings.by {
        reading.add_judge(name);
    }
    let reading = reading.without_texts(settings.may_lack_texts());
    let (columns, reading) = (Columns::new(pairs, &reading, [labels, groups, None])?, reading.frame());
    if columns.are_outputs(&reading)? {
        if style_control {
            return Err(wrong_value("style_control", "pairs", "outputs, one a row", "omit it, as it has no effect"));
        }
        let by = settings.by.unwrap_or(By::Human);
        let settings = MarkSettings { by, model: models.into_iter().next(), lambda };
        let ranking = work::run(py, &engine, move |context| {
            workflows::rank_marked(context, "outputs", columns.outputs(&reading)?, &settings)
        })?;
        return Ok(Py::new(py, OutputReport::from(ranking))?.into_any());
    }
    if lambda.is_some() {
        return Err(wrong_value("lambda_", "outputs, one a row", "pairs", "omit it, as it has no effect"));
    }
    settings.source_name = "pairs".to_owned();
    let ranking = work::run(py, &engine, move |context| {
        let pairs = columns.partly_labelled(&reading)?;
        workflows::rank(context, &pairs, models.first(), &settings)
    })?;
    Ok(Py::new(py, Ranking { ranking })?.into_any())
}

/// The ranking of the outputs of systems.
fn rank_outputs(
    py: Python<'_>,
    [systems, references]: [&Bound<'_, PyAny>; 2],
    sources: Argument<'_, '_>,
    models: Vec<NamedModel>,
    engine: &Engine,
    settings: RankSettings,
) -> PyResult<Ranking> {
    if !matches!(settings.by, None | Some(By::Model)) {
        let advice = "give pairs with labels or verdicts, without `references`";
        return Err(wrong_value("by", "model, as outputs of systems have no labels", "another one", advice));
    }
    let texts = Texts::new(systems, references, None, sources)?.parallel;
    let model = match models.into_iter().next() {
        Some(model) => model,
        None => NamedModel::read(None, engine, settings.features.language()).map_err(raised)?,
    };
    let ranking = work::run(py, engine, move |context| workflows::rank_outputs(context, texts, &model, &settings))?;
    Ok(Ranking { ranking })
}

/// Draw `count` pairs or outputs whose labels would help most, from those without a label: more often those of which the model is
/// unsure or which judges dispute, spread over systems, predictions and groups.
///
/// `pairs` is a table as in `rank`. Returns the drawn pairs as a dictionary of columns, with `row`, the position of
/// each among `pairs`, from 0; `drawn`, the probability with which it was drawn; and `wave`, the number of the draw:
/// with these, `rank` weighs the labels, so that they stand for all pairs. The labelled pairs follow, with the same
/// columns: labels without them are a simple random sample, the first wave. `random` is the share of pairs that are
/// drawn whatever the model and the judges say. The built-in model is asked if the pairs have references. Of a table with one
/// `output` a row, the columns of `judges` and `own` are returned, too, and a row for each label.
///
/// ```pycon
/// >>> drawn = tribunal.next(tribunal.sample("arena"), 3)
/// >>> drawn["row"][:3], [round(probability, 2) for probability in drawn["drawn"][:3]], drawn["wave"][:3]
/// ([76, 123, 95], [0.02, 0.02, 0.02], [2, 2, 2])
///
/// ```
#[pyfunction]
#[pyo3(signature = (
    pairs, count=100, *, model=None, labels=None, groups=None, own=None, judges=None, annotators=None, merge=false,
    no_majority="tie", column=None, random=0.3, seed=1, language="en", encoder=None, comet=None
))]
#[expect(clippy::too_many_arguments, reason = "keyword arguments of Python")]
pub fn next<'py>(
    py: Python<'py>,
    pairs: &Bound<'py, PyAny>,
    count: usize,
    model: Option<&Bound<'py, Model>>,
    labels: Argument<'_, 'py>,
    groups: Argument<'_, 'py>,
    own: Argument<'_, 'py>,
    judges: Argument<'_, 'py>,
    annotators: Argument<'_, 'py>,
    merge: bool,
    no_majority: &str,
    column: Argument<'_, 'py>,
    random: f64,
    seed: u64,
    language: &str,
    encoder: Option<PathBuf>,
    comet: Option<CometFolder>,
) -> PyResult<Bound<'py, PyDict>> {
    let mut reading = Reading::new(own, judges, annotators, column, (merge, no_majority, false))?;
    let language: Language = language.parse().map_err(raised)?;
    let (models, engine) = Models::new(model).with_engine(&Folders { encoder, comet })?;
    let signals = reading.signals.clone();
    reading.add_needed(&models).map_err(raised)?;
    let (columns, reading) = (Columns::new(pairs, &reading, [labels, groups, None])?, reading.frame());
    let settings = NextSettings { count, random_share: random, signals, language, seed };
    if columns.are_outputs(&reading)? {
        let drawn = work::run(py, &engine, move |context| {
            let outputs = columns.outputs(&reading)?;
            workflows::next_outputs(context, "outputs", &outputs, models.first(), &settings)
        })?;
        return columns_of_outputs(py, &drawn);
    }
    let drawn = work::run(py, &engine, move |context| {
        let pairs = columns.partly_labelled(&reading)?;
        workflows::next(context, &pairs, models.first(), &settings)
    })?;
    let rows: Vec<usize> = drawn.iter().map(|pair| pair.line).collect();
    let found = columns_of(py, &drawn)?;
    found.set_item("row", rows)?;
    Ok(found)
}

/// Write a page on which people label pairs, without a network: with the keys 1, 2 and 0, in random order, with random
/// sides, and without the names of systems. It exports a table with labels, which `train`, `rank` and `compare` take.
///
/// Of a table with one `output` a row, each output passes (1) or fails (0), or is rated on the `scale`, such as "1-5"; the
/// columns of `judges` and `own` are exported with it.
///
/// `output` is the file of the page. `annotator` is the annotator's name; the page asks if there is none. `controls` is
/// how many are shown twice, pairs the second time with sides exchanged: 5 by default, or a tenth of them if that is
/// less. `name` is the name of the data, after which the page names what it exports.
///
/// ```pycon
/// >>> tribunal.annotate(tribunal.next(tribunal.sample("arena"), 20), "page.html", annotator="ann")
///
/// ```
#[pyfunction]
#[pyo3(signature = (
    pairs, output, *, annotator=None, controls=None, scale=None, own=None, judges=None, column=None, seed=1, name="pairs"
))]
#[expect(clippy::too_many_arguments, reason = "keyword arguments of Python")]
pub fn annotate(
    py: Python<'_>,
    pairs: &Bound<'_, PyAny>,
    output: PathBuf,
    annotator: Option<String>,
    controls: Option<usize>,
    scale: Option<&str>,
    own: Argument<'_, '_>,
    judges: Argument<'_, '_>,
    column: Argument<'_, '_>,
    seed: u64,
    name: &str,
) -> PyResult<()> {
    let parsed = scale.map(str::parse::<RatingScale>).transpose();
    let rating = parsed.map_err(|advice| wrong_value("scale", "a scale", scale.unwrap_or_default(), &advice))?;
    let reading = Reading::new(own, judges, None, column, NO_VOTES)?;
    let (columns, reading, name) = (Columns::new(pairs, &reading, [None; 3])?, reading.frame(), name.to_owned());
    let are_outputs = columns.are_outputs(&reading)?;
    let of_outputs = [("scale", scale.is_some()), ("own", own.is_some()), ("judges", judges.is_some())];
    if let Some((option, _)) = of_outputs.iter().find(|(_, is_given)| *is_given && !are_outputs) {
        return Err(wrong_value(option, "outputs, one a row", "pairs", "omit it, as it has no effect"));
    }
    work::run(py, &engine(&Folders::default())?, move |_| {
        let settings = AnnotateSettings { name, annotator, controls, seed };
        let page = match are_outputs {
            true => workflows::annotate_outputs(&columns.outputs(&reading)?, rating, &settings)?,
            false => workflows::annotate(columns.pairs(&reading)?, &settings)?,
        };
        let mut output = Output::create(Some(&output))?;
        output.write(html::annotation(&page)?.as_bytes())?;
        output.finish()
    })
}
