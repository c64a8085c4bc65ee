//! Human judgments from files of any format, as columns.

use std::path::PathBuf;

use pyo3::IntoPyObjectExt;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyString};
use tribunal::files::Input;
use tribunal::formats::{self, ScoredSegments};
use tribunal::judgments::Pair;
use tribunal::workflows::import::{self, ImportSettings, importable};

use crate::faults::wrong_value;
use crate::pairs::Argument;
use crate::values::{items, names, options};
use crate::work::{self, Folders, engine};

/// The arguments of `read` that are no settings of formats.
const ARGUMENTS: &str = "files format scores drop_same_text own";

/// Read human judgments in any format, such as error annotations (MQM) and rankings, and return pairs as a dictionary
/// of columns, which every function for pairs takes, as do the constructors of frames.
///
/// `files` is a file, or a list of files. `format` is a format that `tribunal import --help` lists; by default it
/// follows from the file's extension. With `scores`, the human scores of each segment of each system are read instead,
/// for `correlate`. `own` names columns of metrics of other programs in a table, which become `NAME.1` and `NAME.2`. With
/// `drop_same_text`, pairs with identical hypotheses are dropped. Settings of the format have the
/// names of `tribunal import`, with underscores. What was read and dropped is told to the logger `tribunal`.
///
/// ```pycon
/// >>> with open("x.rankings", "w") as file:
/// ...     lines = file.writelines(["1 ||| 2 ||| the cat sat ||| a cat sat\n", "1 ||| 0 ||| the cat sat ||| cats\n"])
/// >>> pairs = tribunal.read("x.rankings")
/// >>> pairs["hyp1"], pairs["hyp2"], pairs["ref"], pairs["label"]
/// (['cats'], ['a cat sat'], ['the cat sat'], [-1])
///
/// ```
#[pyfunction]
#[pyo3(signature = (files, format=None, *, scores=false, drop_same_text=false, own=None, **settings))]
pub fn read<'py>(
    py: Python<'py>,
    files: &Bound<'py, PyAny>,
    format: Option<&str>,
    scores: bool,
    drop_same_text: bool,
    own: Argument<'_, '_>,
    settings: Option<&Bound<'py, PyDict>>,
) -> PyResult<Bound<'py, PyDict>> {
    let is_one = files.is_instance_of::<PyString>() || files.hasattr("__fspath__")?;
    let files = if is_one { vec![files.clone()] } else { items("files", "a file, or a list of files", files)? };
    let inputs = files.iter().map(|file| Ok(Input::File(file.extract::<PathBuf>()?))).collect::<PyResult<Vec<_>>>()?;
    let of_name = match format {
        Some(name) => formats::find(name),
        None => inputs.first().map(formats::format_of),
    };
    let known = || importable().map(|format| format.name).collect::<Vec<_>>().join(", ");
    let format =
        of_name.ok_or_else(|| wrong_value("format", &known(), format.unwrap_or("none"), "name one of them"))?;
    let own = names("own", own)?.unwrap_or_default();
    let options = options(["read", "import"], settings, format.options, ARGUMENTS)?;
    let settings = ImportSettings { options, drop_same_text, own, ..ImportSettings::new(format, inputs) };
    if scores {
        let scored =
            work::run(py, &engine(&Folders::default())?, move |context| import::read_scores(context, &settings))?;
        return score_columns(py, &scored);
    }
    let pairs = work::run(py, &engine(&Folders::default())?, move |context| import::read(context, &settings))?;
    let columns = columns_of(py, &pairs)?;
    for (at, metric) in pairs.first().into_iter().flat_map(|pair| pair.own.iter().enumerate()) {
        for side in 0..2 {
            let values: Vec<f64> = pairs.iter().map(|pair| pair.own[at].values[side]).collect();
            columns.set_item(format!("{}.{}", metric.name, side + 1), values)?;
        }
    }
    Ok(columns)
}

/// Pairs as columns; those without a value are omitted.
pub fn columns_of<'py>(py: Python<'py>, pairs: &[Pair]) -> PyResult<Bound<'py, PyDict>> {
    let found = PyDict::new(py);
    let set = |name: &str, value: &dyn Fn(&Pair) -> PyResult<Bound<'py, PyAny>>| {
        let values = pairs.iter().map(value).collect::<PyResult<Vec<_>>>()?;
        if values.iter().all(|value| value.is_none()) { Ok(()) } else { found.set_item(name, values) }
    };
    set("prompt", &|pair| pair.prompt.as_ref().into_bound_py_any(py))?;
    set("hyp1", &|pair| pair.hypotheses[0].as_str().into_bound_py_any(py))?;
    set("hyp2", &|pair| pair.hypotheses[1].as_str().into_bound_py_any(py))?;
    set("ref", &|pair| references(py, &pair.references))?;
    set("system1", &|pair| pair.systems.as_ref().map(|both| &both[0]).into_bound_py_any(py))?;
    set("system2", &|pair| pair.systems.as_ref().map(|both| &both[1]).into_bound_py_any(py))?;
    set("label", &|pair| pair.label.map(|label| label.sign()).into_bound_py_any(py))?;
    set("id", &|pair| pair.id.as_ref().into_bound_py_any(py))?;
    set("group", &|pair| pair.group.as_ref().into_bound_py_any(py))?;
    let names = |pair: &Pair| (!pair.annotators.is_empty()).then(|| pair.annotators.join(";"));
    set("annotator", &|pair| names(pair).into_bound_py_any(py))?;
    set("weight", &|pair| pair.weight.into_bound_py_any(py))?;
    set("drawn", &|pair| pair.drawn.into_bound_py_any(py))?;
    set("wave", &|pair| pair.wave.into_bound_py_any(py))?;
    Ok(found)
}

/// The reference of a pair or a segment; several are a list.
fn references<'py>(py: Python<'py>, references: &[String]) -> PyResult<Bound<'py, PyAny>> {
    match references {
        [] => Ok(py.None().into_bound(py)),
        [only] => only.into_bound_py_any(py),
        several => several.into_bound_py_any(py),
    }
}

/// Scores of segments as columns, which `correlate` takes.
fn score_columns<'py>(py: Python<'py>, scored: &ScoredSegments) -> PyResult<Bound<'py, PyDict>> {
    let rows = || scored.segments.iter().flat_map(|one| one.hypotheses.iter().map(move |hypothesis| (one, hypothesis)));
    let found = PyDict::new(py);
    found.set_item("system", rows().map(|(_, hypothesis)| &hypothesis.name).collect::<Vec<_>>())?;
    found.set_item("segment", rows().map(|(segment, _)| &segment.id).collect::<Vec<_>>())?;
    found.set_item("hyp", rows().map(|(_, hypothesis)| &hypothesis.text).collect::<Vec<_>>())?;
    let of_rows = rows().map(|(segment, _)| references(py, &segment.references)).collect::<PyResult<Vec<_>>>()?;
    found.set_item("ref", of_rows)?;
    found.set_item("score", rows().map(|(_, hypothesis)| hypothesis.score).collect::<Vec<_>>())?;
    Ok(found)
}
