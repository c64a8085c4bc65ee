//! Pairs from Python's lists of tuples and tables, by the rules for table files.

use std::collections::BTreeMap;

use arrow_array::ArrayRef;
use pyo3::exceptions::PyImportError;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyMapping, PyString};
use pyo3_arrow::input::AnyRecordBatch;
use tribunal::Result;
use tribunal::files::table::Cell;
use tribunal::formats::{
    ANNOTATORS, COLUMN, ExternalMetrics, Frame, FrameReading, MAJORITY_WEIGHTS, MERGE, NO_MAJORITY, is_usual,
};
use tribunal::judgments::{ExternalMetric, Judgment, Pair};
use tribunal::options::Options;
use tribunal::workflows::NamedModel;

use crate::cells::{ArrowColumn, Object};
use crate::faults::{raised, wrong_type, wrong_value};
use crate::values::{Names, check_index, items};

/// The name of the pairs in error messages.
const PLACE: &str = "pairs";

/// The column of human labels.
const LABEL: &str = "label";

const FORMS: &str = "a list of tuples (hyp1, hyp2, ref), or a table with the columns hyp1, hyp2 and ref";

/// Columns of pairs, taken from Python but not yet checked.
pub struct Columns {
    columns: Vec<(String, Column)>,
    rows: usize,
}

enum Column {
    Objects(Vec<Object>),
    Arrow(ArrowColumn),
    /// A column that pairs do not use; only messages name it.
    Unread,
}

/// Values of pairs that are given as separate arguments.
#[derive(Default)]
pub struct Beside<'a, 'py> {
    pub labels: Option<&'a Bound<'py, PyAny>>,
    pub groups: Option<&'a Bound<'py, PyAny>>,
    pub weights: Option<&'a Bound<'py, PyAny>>,
    pub own: Option<&'a Own<'py>>,
    /// The names of other columns that are read: of judges and annotators, and those that stand for usual ones.
    pub names: &'a [String],
}

/// How columns are read: judges, annotators, and other names.
#[derive(Default)]
pub struct Reading {
    pub judges: Vec<String>,
    pub options: Options,
    /// The names of all columns that are meant.
    pub names: Vec<String>,
}

impl Reading {
    /// The reading that arguments of Python describe.
    ///
    /// # Errors
    /// A role or a rule is unknown.
    pub fn of(
        judges: Option<Names>,
        annotators: Option<Names>,
        column: Option<BTreeMap<String, String>>,
        (merge, no_majority, majority_weights): (bool, &str, bool),
    ) -> PyResult<Self> {
        let judges = judges.map_or_else(Vec::new, |names| names.0);
        let mut reading = Self { options: Options::default(), names: judges.clone(), judges };
        reading
            .names
            .extend(reading.judges.iter().flat_map(|name| ["12", "21"].map(|order| format!("{name}.{order}"))));
        for name in annotators.into_iter().flat_map(|names| names.0) {
            reading.options.set(&ANNOTATORS, &name).map_err(raised)?;
            reading.names.push(name);
        }
        for (role, name) in column.unwrap_or_default() {
            reading.options.set(&COLUMN, &format!("{role}={name}")).map_err(raised)?;
            reading.names.push(name);
        }
        reading.options.set(&NO_MAJORITY, no_majority).map_err(raised)?;
        for (_, switch) in [(merge, &MERGE), (majority_weights, &MAJORITY_WEIGHTS)].iter().filter(|(is_on, _)| *is_on) {
            reading.options.set(switch, "").map_err(raised)?;
        }
        Ok(reading)
    }

    /// Adds judges that models need.
    pub fn add_judges(&mut self, names: Vec<String>) {
        for name in names.into_iter().filter(|name| !self.judges.contains(name)).collect::<Vec<_>>() {
            self.names.extend(["", ".12", ".21"].map(|order| format!("{name}{order}")));
            self.judges.push(name);
        }
    }

    /// The same with own metrics.
    pub fn frame(&self, own: Vec<ExternalMetric>) -> FrameReading {
        FrameReading { own, judges: self.judges.clone(), options: self.options.clone() }
    }
}

/// Own metrics of the user: names of columns, or names with values.
pub struct Own<'py> {
    pub metrics: Vec<ExternalMetric>,
    /// The values of those that are not columns, two per pair.
    pub values: Vec<(String, Bound<'py, PyAny>)>,
}

impl<'py> Own<'py> {
    /// Reads names such as `["comet", "ter-"]`, or a dictionary of values for both hypotheses of each pair.
    pub fn of(own: Option<&Bound<'py, PyAny>>) -> PyResult<Self> {
        let (mut names, mut values) = (Vec::new(), Vec::new());
        if let Some(own) = own {
            if let Ok(named) = own.cast::<PyDict>() {
                for (name, given) in named.iter() {
                    let name: String = name.extract()?;
                    values.push((name.strip_suffix('-').unwrap_or(&name).to_owned(), given));
                    names.push(name);
                }
            } else {
                names = own.extract::<Names>()?.0;
            }
        }
        Ok(Self { metrics: ExternalMetrics::parse(&names).map_err(raised)?.metrics(), values })
    }

    /// The own metrics that a model learned from, regardless of which are named; `own` may give their values.
    ///
    /// # Errors
    /// The model did not learn from a metric that is named.
    pub fn needed(model: &NamedModel, own: Option<&Bound<'py, PyAny>>) -> PyResult<Self> {
        let own = Self::of(own)?;
        model.check_external(&own.metrics).map_err(raised)?;
        Ok(Self { metrics: model.external().to_vec(), ..own })
    }
}

impl Columns {
    /// Takes pairs, and the values given as separate arguments.
    pub fn of(pairs: &Bound<'_, PyAny>, beside: &Beside<'_, '_>) -> PyResult<Self> {
        let mut columns = match arrow(pairs, beside)? {
            Some(columns) => columns,
            None if pairs.is_instance_of::<PyString>() => {
                return Err(wrong_type(PLACE, FORMS, pairs, "pass a list, even for a single pair"));
            }
            None => match pairs.cast::<PyMapping>() {
                Ok(named) => of_mapping(named)?,
                Err(_) => of_tuples(pairs)?,
            },
        };
        let given = [(LABEL, beside.labels), ("group", beside.groups), ("weight", beside.weights)];
        for (name, values) in given {
            let Some(values) = values else { continue };
            check_index(("pairs", pairs), name, values)?;
            columns.set(name, objects(name, values)?)?;
        }
        for (name, values) in beside.own.iter().flat_map(|own| &own.values) {
            let [first, second] = two_values(name, values)?;
            columns.set(&format!("{name}.1"), first)?;
            columns.set(&format!("{name}.2"), second)?;
        }
        Ok(columns)
    }

    /// Sets a column, replacing any of the same name.
    fn set(&mut self, name: &str, values: Vec<Object>) -> PyResult<()> {
        if values.len() != self.rows {
            let (expected, found) = (format!("{} values, one for each pair", self.rows), values.len().to_string());
            return Err(wrong_value(name, &expected, &found, "use lists of equal length"));
        }
        self.columns.retain(|(known, _)| known != name);
        self.columns.push((name.to_owned(), Column::Objects(values)));
        Ok(())
    }

    fn frame(&self) -> Result<Frame<'_>> {
        let names = self.columns.iter().map(|(name, _)| name.clone()).collect();
        let cell = |row: usize, column: usize| {
            let (name, column) = &self.columns[column];
            match column {
                Column::Objects(objects) => objects[row].cell(name == LABEL),
                Column::Arrow(arrow) => arrow.cell(row, name == LABEL),
                Column::Unread => Cell::Empty,
            }
        };
        Frame::new(PLACE, names, self.rows, Box::new(cell))
    }

    /// The pairs.
    pub fn pairs(&self, reading: &FrameReading) -> Result<Vec<Pair>> {
        self.frame()?.pairs(reading)
    }

    /// The pairs, of which some have human labels.
    pub fn partly_labelled(&self, reading: &FrameReading) -> Result<Vec<Pair>> {
        self.frame()?.partly_labelled(reading)
    }

    /// The pairs with human labels.
    pub fn judgments(&self, reading: &FrameReading) -> Result<Vec<Judgment>> {
        self.frame()?.judgments(reading)
    }
}

/// The columns of a table that supports Arrow; `None` for anything else.
fn arrow(pairs: &Bound<'_, PyAny>, beside: &Beside<'_, '_>) -> PyResult<Option<Columns>> {
    if !pairs.hasattr("__arrow_c_stream__")? && !pairs.hasattr("__arrow_c_array__")? {
        return Ok(None);
    }
    // pandas would convert every column to Arrow, whether needed or not.
    let is_pandas = pairs.hasattr("iloc")?;
    let (mut unread, frame) = (Vec::new(), pairs);
    let pairs = if is_pandas { wanted(frame, beside, &mut unread)? } else { frame.clone() };
    let table = match pairs.extract::<AnyRecordBatch>() {
        Ok(table) => table,
        // pandas needs pyarrow to support Arrow.
        Err(error) if is_pandas && error.is_instance_of::<PyImportError>(pairs.py()) => {
            let lists = pairs.call_method1("to_dict", ("list",))?;
            return of_mapping(lists.cast::<PyMapping>()?).map(Some);
        }
        Err(error) => return Err(error),
    };
    let (batches, schema) = table.into_table()?.into_inner();
    let mut columns = Vec::with_capacity(schema.fields().len());
    for (at, field) in schema.fields().iter().enumerate() {
        if !is_of_pairs(field.name(), beside) {
            unread.push(field.name().clone());
            continue;
        }
        let pieces: Vec<ArrayRef> = batches.iter().map(|batch| batch.column(at).clone()).collect();
        columns.push((field.name().clone(), Column::Arrow(ArrowColumn::new(&pieces, field.name())?)));
    }
    unread.sort();
    unread.dedup();
    columns.extend(unread.into_iter().map(|name| (name, Column::Unread)));
    Ok(Some(Columns { columns, rows: batches.iter().map(|batch| batch.num_rows()).sum() }))
}

/// The columns of a pandas frame that pairs use; the names of the others are added to `unread`.
fn wanted<'py>(
    frame: &Bound<'py, PyAny>,
    beside: &Beside<'_, '_>,
    unread: &mut Vec<String>,
) -> PyResult<Bound<'py, PyAny>> {
    let mut names = Vec::new();
    for name in frame.getattr("columns")?.try_iter()? {
        let name = name?;
        match name.extract::<String>() {
            Ok(text) if is_of_pairs(&text, beside) => names.push(name),
            Ok(text) => unread.push(text),
            // The name is a number, so it is no column of pairs.
            Err(_) => {}
        }
    }
    frame.get_item(names)
}

/// Whether pairs use a column; other columns may hold values of any kind.
fn is_of_pairs(name: &str, beside: &Beside<'_, '_>) -> bool {
    let own = beside.own.iter().flat_map(|own| &own.metrics);
    let of_metric =
        |metric: &ExternalMetric| name.strip_prefix(metric.name.as_str()).is_some_and(|side| side.len() == 2);
    is_usual(name) || beside.names.iter().any(|known| known == name) || own.into_iter().any(of_metric)
}

/// The columns of a dictionary of lists.
fn of_mapping(named: &Bound<'_, PyMapping>) -> PyResult<Columns> {
    let mut columns = Columns { columns: Vec::new(), rows: 0 };
    for (at, item) in named.items()?.iter().enumerate() {
        let (name, values): (String, Bound<'_, PyAny>) = item.extract()?;
        let values = objects(&name, &values)?;
        if at == 0 {
            columns.rows = values.len();
        }
        columns.set(&name, values)?;
    }
    Ok(columns)
}

/// The columns of a list of tuples: two hypotheses, then references, as one list or as further texts.
fn of_tuples(pairs: &Bound<'_, PyAny>) -> PyResult<Columns> {
    let Ok(rows) = pairs.try_iter() else {
        return Err(wrong_type(PLACE, FORMS, pairs, "pass a list, even for a single pair"));
    };
    let mut columns: Vec<Vec<Object>> = vec![Vec::new(), Vec::new()];
    let mut count = 0;
    for row in rows {
        let row = row?;
        let place = || format!("{PLACE}:{count}");
        let values = if row.is_instance_of::<PyString>() { None } else { row.try_iter().ok() };
        let Some(values) = values else {
            return Err(wrong_type(&place(), "a tuple (hyp1, hyp2, ref)", &row, "write each pair as such a tuple"));
        };
        let mut width = 0;
        for value in values {
            let value = Object::of(&value?, &place)?;
            if width == columns.len() {
                columns.push(Vec::new());
            }
            columns[width].resize_with(count, || Object::Empty);
            columns[width].push(value);
            width += 1;
        }
        if width < 2 {
            let advice = "write each pair as a tuple (hyp1, hyp2, ref)";
            return Err(wrong_value(&place(), "two hypotheses and a reference", &width.to_string(), advice));
        }
        count += 1;
    }
    if count == 0 {
        // Adds the column `ref`, so that the error is about missing pairs instead of a missing column.
        columns.push(Vec::new());
    }
    let names = ["hyp1", "hyp2", "ref"].map(str::to_owned).into_iter();
    let names = names.chain((2..).map(|number| format!("ref{number}")));
    let full = |mut values: Vec<Object>| {
        values.resize_with(count, || Object::Empty);
        Column::Objects(values)
    };
    Ok(Columns { columns: names.zip(columns.into_iter().map(full)).collect(), rows: count })
}

/// The values of a sequence.
fn objects(name: &str, values: &Bound<'_, PyAny>) -> PyResult<Vec<Object>> {
    let items = items(name, "a list with one value per pair", values)?;
    items.iter().enumerate().map(|(row, value)| Object::of(value, &|| format!("{name}:{row}"))).collect()
}

/// An own metric's values for both hypotheses of each pair. `values`: (pairs, 2).
fn two_values(name: &str, values: &Bound<'_, PyAny>) -> PyResult<[Vec<Object>; 2]> {
    let (mut first, mut second) = (Vec::new(), Vec::new());
    for (row, values) in values.try_iter()?.enumerate() {
        let values = values?;
        let place = || format!("{name}:{row}");
        let two = values.try_iter().ok().and_then(|items| items.collect::<PyResult<Vec<_>>>().ok());
        let Some([one, other]) = two.as_deref() else {
            return Err(wrong_type(&place(), "two numbers", &values, "give one value per hypothesis"));
        };
        first.push(Object::of(one, &place)?);
        second.push(Object::of(other, &place)?);
    }
    Ok([first, second])
}
