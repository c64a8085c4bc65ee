//! Texts of systems from Python: hypotheses of one or several systems, and the references of their segments.

use pyo3::prelude::*;
use pyo3::types::{PyDict, PyString};
use tribunal::workflows::score::{ExternalValues, ParallelTexts, SystemOutput};

use crate::faults::{wrong_type, wrong_value};
use crate::values::{check_index, items};

/// The name of a system if there is only one.
const ONLY: &str = "hypotheses";

const LIST: &str = "a list of texts";

/// Texts, with their numbers checked.
pub struct Texts {
    pub parallel: ParallelTexts,
    /// The form in which hypotheses were given.
    pub form: Form,
}

/// The form in which hypotheses are given.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Form {
    /// One text.
    Text,
    /// A list: the segments of one system.
    List,
    /// One list per system, by its name.
    Systems,
}

impl Texts {
    /// Takes hypotheses (a text, a list or a dictionary of lists), as many references, or lists of them, and the values
    /// of own metrics: `{NAME: values}`, or `{NAME: {SYSTEM: values}}`; and what the hypotheses translate, beside which
    /// references may be None.
    pub fn new(
        hypotheses: &Bound<'_, PyAny>,
        references: &Bound<'_, PyAny>,
        own: Option<&Bound<'_, PyAny>>,
        sources: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Self> {
        let is_text = hypotheses.is_instance_of::<PyString>();
        let of_segments = |sources| if is_text { texts_or_one("sources", sources) } else { texts("sources", sources) };
        let of_segments = sources.map(of_segments).transpose()?.unwrap_or_default();
        // Metrics that read the source alone need no references.
        let beside = references;
        let references = match sources {
            Some(_) if beside.is_none() => vec![Vec::new(); of_segments.len()],
            _ if is_text => vec![texts_or_one("references", beside)?],
            _ => lists("references", beside)?,
        };
        let system = |name: String, segments: &Bound<'_, PyAny>| {
            check_index(("references", beside), &name, segments)?;
            sources.map_or(Ok(()), |sources| check_index(("sources", sources), &name, segments))?;
            let segments = texts(&name, segments)?;
            PyResult::Ok(SystemOutput::new(name, segments))
        };
        let (mut systems, form) = if let Ok(text) = hypotheses.cast::<PyString>() {
            (vec![SystemOutput::new(ONLY, vec![text.to_str()?.to_owned()])], Form::Text)
        } else if let Ok(named) = hypotheses.cast::<PyDict>() {
            let systems = named.iter().map(|(name, segments)| system(name.extract()?, &segments));
            (systems.collect::<PyResult<_>>()?, Form::Systems)
        } else {
            (vec![system(ONLY.to_owned(), hypotheses)?], Form::List)
        };
        check_lengths(&systems, references.len())?;
        add_own_values(&mut systems, own)?;
        Ok(Self { parallel: ParallelTexts { systems, references, sources: of_segments }, form })
    }
}

fn check_lengths(systems: &[SystemOutput], references: usize) -> PyResult<()> {
    if systems.iter().all(|system| system.segments.is_empty()) {
        return Err(wrong_value(ONLY, "one text or more", "none", "give hypotheses and their references"));
    }
    let Some(wrong) = systems.iter().find(|system| system.segments.len() != references) else { return Ok(()) };
    let (expected, found) = (format!("{references} texts, as there are references"), wrong.segments.len());
    let advice = "give each hypothesis its reference, or a list of its references; transpose lists of whole files of \
        references, as sacreBLEU has them, with list(zip(*references))";
    Err(wrong_value(&wrong.name, &expected, &found.to_string(), advice))
}

/// Adds the values of own metrics to the systems that they are given for.
fn add_own_values(systems: &mut [SystemOutput], own: Option<&Bound<'_, PyAny>>) -> PyResult<()> {
    let Some(own) = own else { return Ok(()) };
    let Ok(named) = own.cast::<PyDict>() else {
        return Err(wrong_type("own", "a dictionary of names and values", own, "write own={\"comet\": values}"));
    };
    for (metric, values) in named.iter() {
        let name: String = metric.extract()?;
        if let Ok(of_systems) = values.cast::<PyDict>() {
            for (system, values) in of_systems.iter() {
                let (system, values): (String, _) = (system.extract()?, numbers(&name, &values)?);
                let named = systems.iter_mut().filter(|known| known.name == system);
                named.for_each(|known| known.own.push(external(&name, values.clone())));
            }
        } else {
            let values = numbers(&name, &values)?;
            systems.iter_mut().for_each(|system| system.own.push(external(&name, values.clone())));
        }
    }
    Ok(())
}

fn external(name: &str, values: Vec<f64>) -> ExternalValues {
    ExternalValues { name: name.to_owned(), file: None, values }
}

fn numbers(place: &str, values: &Bound<'_, PyAny>) -> PyResult<Vec<f64>> {
    let number = |(row, value): (usize, Bound<'_, PyAny>)| {
        let number = value.extract::<f64>().ok().filter(|number| number.is_finite());
        number.ok_or_else(|| wrong_type(&format!("{place}:{row}"), "a finite number", &value, ""))
    };
    items(place, "a list of numbers", values)?.into_iter().enumerate().map(number).collect()
}

fn texts(place: &str, list: &Bound<'_, PyAny>) -> PyResult<Vec<String>> {
    items(place, LIST, list)?.iter().enumerate().map(|(row, value)| text(value, &|| format!("{place}:{row}"))).collect()
}

/// A list of texts for each segment; a single text counts as a list of one.
fn lists(place: &str, list: &Bound<'_, PyAny>) -> PyResult<Vec<Vec<String>>> {
    let of_segment = |(row, value): (usize, &Bound<'_, PyAny>)| texts_or_one(&format!("{place}:{row}"), value);
    items(place, LIST, list)?.iter().enumerate().map(of_segment).collect()
}

fn texts_or_one(place: &str, value: &Bound<'_, PyAny>) -> PyResult<Vec<String>> {
    if value.is_instance_of::<PyString>() {
        return Ok(vec![text(value, &|| place.to_owned())?]);
    }
    if value.is_none() || value.extract::<f64>().is_ok() {
        return Err(wrong_type(place, "a text", value, "give each hypothesis its reference"));
    }
    let found = texts(place, value)?;
    if found.is_empty() {
        return Err(wrong_value(place, "a reference", "an empty list", "give each hypothesis one or more"));
    }
    Ok(found)
}

fn text(value: &Bound<'_, PyAny>, place: &dyn Fn() -> String) -> PyResult<String> {
    match value.cast::<PyString>() {
        Ok(text) => Ok(text.to_str()?.to_owned()),
        Err(_) => Err(wrong_type(&place(), "a text", value, "use an empty text, or remove the segment")),
    }
}
