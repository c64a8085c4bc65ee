//! Texts of systems from Python. In: hypotheses and references. Out: the library's texts of one or several systems,
//! parallel to their references.

use pyo3::prelude::*;
use pyo3::pybacked::PyBackedStr;
use pyo3::types::{PyDict, PyString};
use tribunal::workflows::score::{ExternalValues, ParallelTexts, SystemOutput};

use crate::faults::{wrong_type, wrong_value};
use crate::index::check_index;

/// The name of a system if there is only one.
pub const ONLY: &str = "hypotheses";

/// Texts, taken from Python with their numbers checked.
pub struct Texts {
    systems: Vec<(String, Vec<PyBackedStr>)>,
    references: Vec<Vec<PyBackedStr>>,
    own: Vec<ExternalValue>,
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

/// An own metric's values for a named system, or for the only one.
pub struct ExternalValue {
    metric: String,
    system: Option<String>,
    values: Vec<f64>,
}

impl Texts {
    /// Takes hypotheses (a text, a list or a dictionary of lists) and as many references, or lists of them.
    pub fn of(hypotheses: &Bound<'_, PyAny>, references: &Bound<'_, PyAny>) -> PyResult<Self> {
        if let Ok(text) = hypotheses.cast::<PyString>() {
            let hypothesis = PyBackedStr::try_from(text.clone())?;
            let references = vec![texts_or_one("references", references)?];
            return Self::checked(vec![(ONLY.to_owned(), vec![hypothesis])], references, Form::Text);
        }
        let of_segments = lists("references", references)?;
        if let Ok(named) = hypotheses.cast::<PyDict>() {
            let system = |(name, segments): (Bound<'_, PyAny>, Bound<'_, PyAny>)| {
                let name: String = name.extract()?;
                check_index(("references", references), &name, &segments)?;
                let segments = texts(&name, &segments)?;
                Ok((name, segments))
            };
            let systems = named.iter().map(system).collect::<PyResult<_>>()?;
            return Self::checked(systems, of_segments, Form::Systems);
        }
        check_index(("references", references), ONLY, hypotheses)?;
        Self::checked(vec![(ONLY.to_owned(), texts(ONLY, hypotheses)?)], of_segments, Form::List)
    }

    fn checked(
        systems: Vec<(String, Vec<PyBackedStr>)>,
        references: Vec<Vec<PyBackedStr>>,
        form: Form,
    ) -> PyResult<Self> {
        if systems.iter().all(|(_, segments)| segments.is_empty()) {
            return Err(wrong_value(ONLY, "one text or more", "none", "give hypotheses and their references"));
        }
        for (name, segments) in &systems {
            if segments.len() != references.len() {
                let (expected, found) =
                    (format!("{} texts, as there are references", references.len()), segments.len());
                let advice = "give each hypothesis its reference, or a list of its references; transpose lists of whole \
                    files of references, as sacreBLEU has them, with list(zip(*references))";
                return Err(wrong_value(name, &expected, &found.to_string(), advice));
            }
        }
        Ok(Self { systems, references, own: Vec::new(), form })
    }

    /// Sets the values of own metrics.
    pub fn with_own(self, own: Vec<ExternalValue>) -> Self {
        Self { own, ..self }
    }

    /// Copies the texts for the library.
    pub fn parallel(&self) -> tribunal::Result<ParallelTexts> {
        let copied = |texts: &Vec<PyBackedStr>| texts.iter().map(|text| text.to_string()).collect::<Vec<String>>();
        let system = |(name, segments): &(String, Vec<PyBackedStr>)| {
            let of_system = |own: &&ExternalValue| own.system.as_ref().is_none_or(|system| system == name);
            let own = self.own.iter().filter(of_system).map(|own| ExternalValues {
                name: own.metric.clone(),
                file: None,
                values: own.values.clone(),
            });
            SystemOutput { own: own.collect(), ..SystemOutput::new(name, copied(segments)) }
        };
        Ok(ParallelTexts {
            systems: self.systems.iter().map(system).collect(),
            references: self.references.iter().map(copied).collect(),
        })
    }
}

/// Values of own metrics: `{NAME: values}`, or `{NAME: {SYSTEM: values}}`.
pub fn own_values(own: Option<&Bound<'_, PyAny>>) -> PyResult<Vec<ExternalValue>> {
    let Some(own) = own else { return Ok(Vec::new()) };
    let Ok(named) = own.cast::<PyDict>() else {
        return Err(wrong_type("own", "a dictionary of names and values", own, "write own={\"comet\": values}"));
    };
    let mut all = Vec::new();
    for (metric, values) in named.iter() {
        let metric: String = metric.extract()?;
        match values.cast::<PyDict>() {
            Ok(systems) => {
                for (system, values) in systems.iter() {
                    let values = numbers(&metric, &values)?;
                    all.push(ExternalValue { metric: metric.clone(), system: Some(system.extract()?), values });
                }
            }
            Err(_) => all.push(ExternalValue { values: numbers(&metric, &values)?, metric, system: None }),
        }
    }
    Ok(all)
}

fn numbers(place: &str, values: &Bound<'_, PyAny>) -> PyResult<Vec<f64>> {
    let number = |(row, value): (usize, PyResult<Bound<'_, PyAny>>)| {
        let value = value?;
        let number = value.extract::<f64>().ok().filter(|number| number.is_finite());
        number.ok_or_else(|| wrong_type(&format!("{place}:{row}"), "a finite number", &value, "correct it"))
    };
    values.try_iter()?.enumerate().map(number).collect()
}

fn texts(place: &str, list: &Bound<'_, PyAny>) -> PyResult<Vec<PyBackedStr>> {
    items(place, list)?.iter().enumerate().map(|(row, value)| text(value, &|| format!("{place}:{row}"))).collect()
}

/// A list of texts for each segment; a single text counts as a list of one.
fn lists(place: &str, list: &Bound<'_, PyAny>) -> PyResult<Vec<Vec<PyBackedStr>>> {
    let of_segment = |(row, value): (usize, &Bound<'_, PyAny>)| texts_or_one(&format!("{place}:{row}"), value);
    items(place, list)?.iter().enumerate().map(of_segment).collect()
}

fn texts_or_one(place: &str, value: &Bound<'_, PyAny>) -> PyResult<Vec<PyBackedStr>> {
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

fn items<'py>(place: &str, list: &Bound<'py, PyAny>) -> PyResult<Vec<Bound<'py, PyAny>>> {
    // The items of pyarrow's arrays are pyarrow's own objects.
    let list = &if list.hasattr("to_pylist")? { list.call_method0("to_pylist")? } else { list.clone() };
    match list.try_iter() {
        Ok(items) if !list.is_instance_of::<PyString>() => items.collect(),
        _ => Err(wrong_type(place, "a list of texts", list, "give a list")),
    }
}

fn text(value: &Bound<'_, PyAny>, place: &dyn Fn() -> String) -> PyResult<PyBackedStr> {
    match value.cast::<PyString>() {
        Ok(text) => Ok(PyBackedStr::try_from(text.clone())?),
        Err(_) => Err(wrong_type(&place(), "a text", value, "correct it, or leave the segment out")),
    }
}
